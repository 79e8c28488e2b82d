//! The goal of slow clients: thousands of connections that send their heads byte by byte take little from the others.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::client::{self, Ask, Until};
use crate::goals::{self, Goal, Unit};
use crate::load::megabytes;
use crate::process::Server;
use crate::procfs::Memory;
use crate::report::Row;
use crate::response::Encoding;
use crate::serve::with_split_cores;
use crate::statistics::{Summary, percentile};
use crate::workshop::{Feed, Packing, Workshop};

/// How many clients are slow at a time.
const SLOW_CONNECTIONS: usize = 5000;
/// How many others there are.
const HEALTHY_CONNECTIONS: usize = 10;
/// How long the program lets a request take to arrive, by default.
const REQUEST_TIME_MAX: Duration = Duration::from_secs(10);
/// How much later than that a connection may be closed: the program has as many to answer at once.
const CLOSE_SLACK: Duration = Duration::from_secs(5);
/// After so long, some of the slow clients send a byte each; each of them sends one a second.
const DRIBBLE_PAUSE: Duration = Duration::from_millis(10);
const DRIBBLERS: usize = SLOW_CONNECTIONS / 100;
/// Between two looks at which connections are closed.
const CLOSE_PAUSE: Duration = Duration::from_millis(50);
/// Files that this program and its libraries have open beside the connections.
const OTHER_FILES_MAX: u64 = 100;

/// A client that has begun a request and takes its time.
struct SlowClient {
    socket: TcpStream,
    begun: Instant,
    /// What the server has said, and after how long it closed the connection.
    told: Vec<u8>,
    closed_after: Option<Duration>,
}

impl SlowClient {
    fn connect(address: SocketAddr) -> anyhow::Result<Self> {
        let mut socket = TcpStream::connect(address).context("a slow client cannot connect")?;
        socket.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")?;
        socket.set_nonblocking(true)?;
        Ok(Self { socket, begun: Instant::now(), told: Vec::new(), closed_after: None })
    }

    fn is_open(&self) -> bool {
        self.closed_after.is_none()
    }

    /// Whether the server has told it that the time is over.
    fn is_told(&self) -> bool {
        self.told.starts_with(b"HTTP/1.1 408 ")
    }

    /// Sends one more byte. What the server thinks of it is seen by `look`.
    fn dribble(&mut self) {
        let _ = self.socket.write(b"x");
    }

    /// Looks whether the server has closed the connection.
    fn look(&mut self) {
        let mut buffer = [0; 1024];
        while self.is_open() {
            match self.socket.read(&mut buffer) {
                Ok(count) if count > 0 => self.told.extend_from_slice(&buffer[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                _ => self.closed_after = Some(self.begun.elapsed()),
            }
        }
    }
}

/// What rounds with and without slow clients came to.
#[derive(Default)]
struct Rounds {
    without_p99_s: Vec<f64>,
    with_p99_s: Vec<f64>,
    resident_bytes: Vec<f64>,
    closed_after_s: Vec<f64>,
    /// In the round with the fewest.
    closed_min: Option<usize>,
    told_min: Option<usize>,
}

/// The 99th percentile of healthy requests' times beside slow clients, as a multiple of that without them.
pub(crate) fn slow_heads(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    allow_open_files()?;
    let answers = workshop.verified(Feed::Mbta2022)?;
    let folder = workshop.feed(Feed::Mbta2022, Packing::Folder)?;
    let small = answers.all.iter().min_by_key(|answer| answer.body_bytes).context("a feed has answers")?;
    // All of them come from this machine, which is one address.
    let program = workshop.linespeed(&folder).argument("--connections-per-address-max").argument("10000");
    let mut rounds = Rounds::default();
    with_split_cores(&workshop.cores, |core| {
        let mut server = program.serve(core, &workshop.logs())?;
        server.wait_until_ready()?;
        let asks = [Ask::new(&small.segment, server.address(), Encoding::Identity, small.body_bytes)];
        p99_s(&server, &asks, workshop.effort.round())?;
        for _ in 0..workshop.effort.rounds() {
            rounds.without_p99_s.push(p99_s(&server, &asks, workshop.effort.round())?);
            beside_slow_clients(&server, &asks, workshop.effort.round(), &mut rounds)?;
        }
        server.stop()
    })?;
    rows(&rounds, small.body_bytes)
}

/// Raises the limit of open files as far as the connections need it.
fn allow_open_files() -> anyhow::Result<()> {
    let needed = SLOW_CONNECTIONS as u64 + OTHER_FILES_MAX;
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if maximum.is_some_and(|maximum| maximum < needed) {
        bail!("the system allows too few open files: raise the hard limit (ulimit -Hn) to {needed}");
    }
    if current.is_some_and(|current| current < needed) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(needed), maximum }).context("cannot open more files")?;
    }
    Ok(())
}

fn p99_s(server: &Server, asks: &[Ask], length: Duration) -> anyhow::Result<f64> {
    let load = client::run(server.address(), asks, HEALTHY_CONNECTIONS, Until::Elapsed(length))?;
    percentile(&load.request_s, 0.99).context("no request was answered")
}

/// A round of healthy requests while slow clients keep their connections; then those are watched until they are closed.
fn beside_slow_clients(server: &Server, asks: &[Ask], length: Duration, rounds: &mut Rounds) -> anyhow::Result<()> {
    let mut clients = Vec::with_capacity(SLOW_CONNECTIONS);
    for _ in 0..SLOW_CONNECTIONS {
        clients.push(SlowClient::connect(server.address())?);
    }
    let (is_over, first) = (AtomicBool::new(false), clients[0].begun);
    let p99_s = thread::scope(|scope| {
        scope.spawn(|| {
            let mut turn = 0;
            while !is_over.load(Ordering::Relaxed) {
                for _ in 0..DRIBBLERS {
                    clients[turn].dribble();
                    turn = (turn + 1) % SLOW_CONNECTIONS;
                }
                thread::sleep(DRIBBLE_PAUSE);
            }
        });
        let p99_s = p99_s(server, asks, length);
        is_over.store(true, Ordering::Relaxed);
        p99_s
    })?;
    if first.elapsed() >= REQUEST_TIME_MAX {
        bail!(
            "the round took {:.1} s, so the first slow clients were gone before its end",
            first.elapsed().as_secs_f64()
        );
    }
    rounds.with_p99_s.push(p99_s);
    rounds.resident_bytes.push(Memory::of(server.process_id())?.resident as f64);

    let deadline = Instant::now() + REQUEST_TIME_MAX + CLOSE_SLACK;
    while clients.iter().any(SlowClient::is_open) && Instant::now() < deadline {
        clients.iter_mut().for_each(SlowClient::look);
        thread::sleep(CLOSE_PAUSE);
    }
    let in_time = REQUEST_TIME_MAX + CLOSE_SLACK;
    let closed = clients.iter().filter_map(|client| client.closed_after).filter(|after| *after <= in_time);
    rounds.closed_after_s.extend(closed.clone().map(|after| after.as_secs_f64()));
    let (closed, told) = (closed.count(), clients.iter().filter(|client| client.is_told()).count());
    rounds.closed_min = Some(rounds.closed_min.map_or(closed, |min| min.min(closed)));
    rounds.told_min = Some(rounds.told_min.map_or(told, |min| min.min(told)));
    Ok(())
}

fn rows(rounds: &Rounds, body_bytes: u64) -> anyhow::Result<Vec<Row>> {
    let summary = |values: &[f64]| Summary::of(values).context("no round was run");
    let (without, with) = (summary(&rounds.without_p99_s)?, summary(&rounds.with_p99_s)?);
    let closed_after = summary(&rounds.closed_after_s)?;
    let (closed, told) = (rounds.closed_min.unwrap_or_default(), rounds.told_min.unwrap_or_default());
    Ok(vec![
        Row {
            what: format!("p99 beside {SLOW_CONNECTIONS} slow heads, as a multiple of that without"),
            value: Some(with.median / without.median),
            unit: Unit::Times,
            goal: goals::SLOW_HEADS_P99,
            detail: format!(
                "with {:.3} ms ({:.3} to {:.3}), without {:.3} ms ({:.3} to {:.3}); {HEALTHY_CONNECTIONS} connections, \
                 {body_bytes} bytes each, {} rounds in turns",
                1e3 * with.median,
                1e3 * with.min,
                1e3 * with.max,
                1e3 * without.median,
                1e3 * without.min,
                1e3 * without.max,
                rounds.with_p99_s.len(),
            ),
        },
        Row {
            what: "slow heads that are closed at the limit".to_owned(),
            value: Some(closed as f64),
            unit: Unit::Connections,
            goal: goals::SLOW_HEADS_CLOSED,
            detail: format!(
                "limit {} s, closed after {:.1} to {:.1} s; {told} were told 408",
                REQUEST_TIME_MAX.as_secs(),
                closed_after.min,
                closed_after.max
            ),
        },
        Row {
            what: format!("resident memory with {SLOW_CONNECTIONS} slow heads"),
            value: Some(megabytes(summary(&rounds.resident_bytes)?.median as u64)),
            unit: Unit::Megabytes,
            goal: Goal::Stated,
            detail: "of the whole program, mbta-2022 loaded".to_owned(),
        },
    ])
}
