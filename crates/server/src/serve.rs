//! `linespeed serve`: sockets, threads and signals around the answers of [`crate::http`].

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tracing::{debug, info, warn};

use crate::cli::ServeOptions;
use crate::feed::{Loaded, load};
use crate::http::Handler;

/// How long a client may take to send the head of a request.
const HEAD_TIME_MAX: Duration = Duration::from_secs(10);

/// What a connection may buffer: at most a request's head, or a piece of an answer.
const BUFFER_BYTES_MAX: usize = 256 << 10;

/// How long requests under way may take to end once the program is told to stop.
const DRAIN_TIME_MAX: Duration = Duration::from_secs(10);

/// How long to wait when the system has no more sockets to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Loads the feed, serves it until a signal comes, and lets requests under way end.
pub fn run(options: &ServeOptions) -> anyhow::Result<()> {
    let loaded = load(options.feed.as_deref())?;
    let problem_count = loaded.feed.report.problem_count();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting threads")?;
    runtime.block_on(async {
        let listener = listen(options.http).await?;
        // From here on a signal is heeded, so that one that follows the ready line at once ends the program in order.
        let stop = stop_signal()?;
        eprintln!("{}", ready_line(listener.local_addr()?, &loaded));
        if let (Some(feed), true) = (&options.feed, problem_count > 0) {
            warn!("the feed has {problem_count} problems: `linespeed check {}` shows them", feed.display());
        }
        serve(listener, Handler::new(loaded, options.gzip_cache_mib as usize * (1 << 20)), stop).await;
        Ok(())
    })
}

/// What is said once requests can come: where, how fast, and what was loaded.
fn ready_line(address: SocketAddr, loaded: &Loaded) -> String {
    let counts = loaded.feed.timetable.counts();
    format!(
        "Linespeed is ready at http://{address} after {milliseconds} ms: {source}, {routes} routes, {trips} trips, {stop_times} stop times",
        milliseconds = loaded.load_time.as_millis(),
        source = loaded.source,
        routes = counts.routes,
        trips = counts.trips,
        stop_times = counts.stop_times,
    )
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!(
                "another program listens on {address}: stop it, or choose a free port with --http {}:0",
                address.ip()
            )
        }
        io::ErrorKind::PermissionDenied => {
            anyhow!(
                "not allowed to listen on {address}: choose a port from 1024 on, such as --http {}:4000",
                address.ip()
            )
        }
        _ => anyhow::Error::new(error).context(format!("listening on {address}")),
    })
}

/// Ends with SIGTERM or SIGINT.
fn stop_signal() -> anyhow::Result<impl Future<Output = &'static str>> {
    let mut terminate = signal(SignalKind::terminate()).context("listening for SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("listening for SIGINT")?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => "SIGTERM",
            _ = interrupt.recv() => "SIGINT",
        }
    })
}

/// Answers what comes in at `listener` until `stop` ends, and then lets what is under way end.
pub async fn serve(listener: TcpListener, handler: Handler, stop: impl Future<Output = &'static str>) {
    let handler = Arc::new(handler);
    let graceful = GracefulShutdown::new();
    tokio::pin!(stop);
    let signal = loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => answer_connection(stream, peer, &handler, &graceful),
                Err(error) => {
                    warn!("cannot take a connection: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            },
            signal = &mut stop => break signal,
        }
    };
    drop(listener);
    info!("{signal}: {} connections may end what is under way", graceful.count());
    if tokio::time::timeout(DRAIN_TIME_MAX, graceful.shutdown()).await.is_err() {
        warn!("some requests did not end within {} s", DRAIN_TIME_MAX.as_secs());
    }
}

fn answer_connection(stream: TcpStream, peer: SocketAddr, handler: &Arc<Handler>, graceful: &GracefulShutdown) {
    if let Err(error) = stream.set_nodelay(true) {
        debug!("{peer}: TCP_NODELAY: {error}");
    }
    let handler = Arc::clone(handler);
    let answer = service_fn(move |request| {
        let handler = Arc::clone(&handler);
        async move { Ok::<_, Infallible>(handler.answer(&request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME_MAX)
        .max_buf_size(BUFFER_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), answer);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            debug!("{peer}: {error}");
        }
    });
}
