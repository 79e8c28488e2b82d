//! `linespeed serve`: sockets, threads and signals around the answers of [`crate::http`].

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::{info, warn};

use crate::cli::ServeOptions;
use crate::door::{Door, answer_connection};
use crate::feed::{Loaded, Origin, Source};
use crate::http::Handler;
use crate::plural::{counted, routes_trips_and_stop_times};
use crate::reload::Reloader;

/// How long requests under way may take to end once the program is told to stop.
pub(crate) const DRAIN_TIME_MAX: Duration = Duration::from_secs(10);

/// Loads the feed, serves it until a signal comes, and lets requests under way end.
///
/// Fails when nobody may listen at the address, which is tried before the feed is read, or when the feed is unusable.
pub fn run(options: &ServeOptions) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting threads")?;
    // A feed may take seconds: who cannot listen is told before. Clients that come meanwhile wait to be accepted.
    let listener = runtime.block_on(listen(options.http))?;
    // Heeded from now on: a signal that came while the feed is read for the first time would end the program.
    let mut hangups = {
        let _runtime = runtime.enter();
        signal(SignalKind::hangup()).context("listening for SIGHUP")?
    };
    let source = options.feed.clone().unwrap_or(Source::City);
    let mut origin = Origin::new(source.clone(), options.download);
    let loaded = origin.read_first()?;
    let problem_count = loaded.feed.report.problem_count();
    let ready_line = ready_line(listener.local_addr()?, &loaded);
    let handler = Arc::new(Handler::new(loaded, options.compressed_cache_mib as usize * (1 << 20)));
    let reloader = Reloader::new(origin, Arc::clone(&handler), options.refresh);
    runtime.block_on(async {
        // From here on a signal is heeded, so that one that follows the ready line at once ends the program in order.
        let mut signals = Signals::start()?;
        eprintln!("{ready_line}");
        if source != Source::City && problem_count > 0 {
            let problems = counted(problem_count, "problem", "problems");
            warn!("the feed has {problems}: `linespeed check {source}` shows more");
        }
        tokio::spawn(reloader.run(async move || {
            hangups.recv().await;
        }));
        serve(listener, handler, options.connections_max, async || signals.next().await).await;
        anyhow::Ok(())
    })?;
    // What is still compressed is for nobody.
    runtime.shutdown_background();
    Ok(())
}

/// What is said once requests are answered: where, how fast, and what was loaded.
fn ready_line(address: SocketAddr, loaded: &Loaded) -> String {
    format!(
        "Linespeed is ready at http://{address} after {milliseconds} ms: {source}, {counts}",
        milliseconds = loaded.load_time.as_millis(),
        source = loaded.source,
        counts = routes_trips_and_stop_times(&loaded.feed.timetable.counts()),
    )
}

async fn listen(address: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| listen_error(address, error))
}

fn listen_error(address: SocketAddr, error: io::Error) -> anyhow::Error {
    let with_port = |port| argument(SocketAddr::new(address.ip(), port));
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            anyhow!("another program listens on {address}: stop it, or choose a free port with --http {}", with_port(0))
        }
        io::ErrorKind::PermissionDenied => anyhow!(
            "not allowed to listen on {address}: choose a port from 1024 on, such as --http {}",
            with_port(4000)
        ),
        _ => anyhow::Error::new(error).context(format!("listening on {address}")),
    }
}

/// An address as a shell takes it: brackets are patterns to some.
fn argument(address: SocketAddr) -> String {
    if address.is_ipv6() { format!("'{address}'") } else { address.to_string() }
}

/// SIGTERM and SIGINT, which no longer end the program by themselves.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn start() -> anyhow::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate()).context("listening for SIGTERM")?,
            interrupt: signal(SignalKind::interrupt()).context("listening for SIGINT")?,
        })
    }

    /// The next one's name.
    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// Answers what comes in at `listener`, on up to `connections_max` connections at a time, until `stop` ends; then lets
/// what is under way end, until it does, takes too long, or `stop` ends a second time.
async fn serve(
    listener: TcpListener,
    handler: Arc<Handler>,
    connections_max: u32,
    mut stop: impl AsyncFnMut() -> &'static str,
) {
    let graceful = GracefulShutdown::new();
    let mut door = Door::new(listener, connections_max);
    let signal = loop {
        tokio::select! {
            (stream, peer, permit) = door.next() => answer_connection(stream, peer, permit, &handler, &graceful),
            signal = stop() => break signal,
        }
    };
    drop(door);
    let connections = counted(graceful.count() as u64, "connection", "connections");
    info!("{signal}: {connections} may end what is under way; a second signal stops at once");
    tokio::select! {
        drained = tokio::time::timeout(DRAIN_TIME_MAX, graceful.shutdown()) => if drained.is_err() {
            warn!("some requests did not end within {} s", DRAIN_TIME_MAX.as_secs());
        },
        signal = stop() => warn!("{signal} again: stopped at once"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remedy_can_be_typed_as_it_stands() {
        for (address, kind, remedy) in [
            ("127.0.0.1:80", io::ErrorKind::AddrInUse, "--http 127.0.0.1:0"),
            ("[::1]:80", io::ErrorKind::AddrInUse, "--http '[::1]:0'"),
            ("[::]:80", io::ErrorKind::PermissionDenied, "--http '[::]:4000'"),
        ] {
            let error = listen_error(address.parse().unwrap(), kind.into()).to_string();
            assert!(error.ends_with(remedy), "{error}");
        }
    }
}
