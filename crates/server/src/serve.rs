//! `linespeed serve`: sockets, threads and signals around the answers of [`crate::http`].

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, anyhow};
use tokio::net::{TcpListener, TcpSocket};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing::{info, warn};

use crate::cli::ServeOptions;
use crate::door::{BACKLOG, Door, Drain, answer_connection};
use crate::feed::{Loaded, Origin, Source};
use crate::guard::stream::Rules;
use crate::http::{Handler, measured};
use crate::metrics::Metrics;
use crate::open_files;
use crate::plural::{counted, routes_trips_and_stop_times};
use crate::reload::Reloader;

/// Loads the feed, serves it until a signal comes, and lets requests under way end.
///
/// Fails when an option does not suit the feed, when nobody may listen at the address, which is tried before the feed is
/// read, or when the feed is unusable.
pub fn run(options: &ServeOptions) -> anyhow::Result<()> {
    let source = options.feed.clone().unwrap_or(Source::City);
    if let Some(refresh) = options.refresh {
        refresh.hold_limit(&source)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("starting threads")?;
    // A feed may take seconds: who cannot listen is told before. Clients that come meanwhile wait to be accepted.
    let listener = runtime.block_on(listen(options.http))?;
    // Heeded from now on: a signal that came while the feed is read for the first time would end the program.
    let mut hangups = {
        let _runtime = runtime.enter();
        signal(SignalKind::hangup()).context("listening for SIGHUP")?
    };
    let mut origin = Origin::new(source.clone(), options.download);
    let loaded = origin.read_first()?;
    let problem_count = loaded.feed.report.problem_count();
    let ready_line = ready_line(listener.local_addr()?, &loaded);
    let metrics = Arc::new(Metrics::new(measured::endpoint_names()));
    let compressed_bytes_max = options.compressed_cache_mib as usize * (1 << 20);
    let handler = Arc::new(Handler::new(loaded, compressed_bytes_max, Arc::clone(&metrics)));
    let reloader = Reloader::new(origin, Arc::clone(&handler), options.refresh);
    let limits = &options.limits;
    let rules = Arc::new(Rules { requests: limits.of_requests(), times: limits.of_times(), metrics });
    let connections_max = open_files::allow_connections(limits.connections_max);
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
        let door = Door::new(listener, Arc::clone(&rules), connections_max, limits.connections_per_address_max);
        serve(door, &rules, &handler, limits.drain_time, async || signals.next().await).await;
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
    let listener = || {
        let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
        // As is the custom on Unix: the port is free again as soon as this program has ended.
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(BACKLOG)
    };
    listener().map_err(|error| listen_error(address, error))
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

/// Answers what comes in at the door, until `stop` ends; what came before that is answered as well. Then lets what is under way end, until it does, takes longer
/// than `drain_time`, or `stop` ends a second time.
async fn serve(
    mut door: Door,
    rules: &Arc<Rules>,
    handler: &Arc<Handler>,
    drain_time: Duration,
    mut stop: impl AsyncFnMut() -> &'static str,
) {
    let drain = Drain::new();
    let signal = loop {
        tokio::select! {
            arrival = door.next() => answer_connection(arrival, rules, handler, &drain),
            signal = stop() => break signal,
        }
    };
    match door.close() {
        Ok(arrivals) => arrivals.into_iter().for_each(|arrival| answer_connection(arrival, rules, handler, &drain)),
        Err(error) => warn!("connections that waited to be accepted are lost: {error}"),
    }
    let connections = counted(rules.metrics.connections.open_count(), "connection", "connections");
    info!("{signal}: {connections} may end what is under way; a second signal stops at once");
    tokio::select! {
        drained = tokio::time::timeout(drain_time, drain.all()) => if drained.is_err() {
            warn!("some requests did not end within {drain_time:?}");
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
