//! The load: many kept connections in one thread, each asking for the next route as soon as it has the last byte.
//!
//! The bodies are counted and not looked at, so that the client is cheaper than any server: what they hold was compared
//! byte by byte before, and here every length is held against it.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::answers::Answer;
use crate::procfs;
use crate::request::{SILENCE_MAX, request, schedules_target};
use crate::response::{Encoding, ResponseReader};

/// Large enough that a read takes what the kernel has, small enough to stay in the cache.
const READ_BYTES: usize = 256 * 1024;

/// When no more requests are made; those on their way are waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    /// After this time.
    Elapsed(Duration),
    /// After this many requests.
    Requests(u64),
}

/// One request of the cycle and what must come back.
#[derive(Debug)]
pub(crate) struct Ask {
    target: String,
    request: Vec<u8>,
    body_bytes: u64,
    encoding: Encoding,
}

impl Ask {
    /// The request for one route and the length of its answer in that encoding.
    pub(crate) fn new(segment: &str, address: SocketAddr, encoding: Encoding, body_bytes: u64) -> Self {
        Self::for_target(&schedules_target(segment), address, encoding, body_bytes)
    }

    /// The request for any target and the length of its answer in that encoding.
    pub(crate) fn for_target(target: &str, address: SocketAddr, encoding: Encoding, body_bytes: u64) -> Self {
        Self { target: target.to_owned(), request: request(target, address, encoding), body_bytes, encoding }
    }

    /// The requests for the JSON of these routes.
    pub(crate) fn for_json<'answers>(
        answers: impl IntoIterator<Item = &'answers Answer>,
        address: SocketAddr,
    ) -> Vec<Self> {
        let ask = |answer: &Answer| Self::new(&answer.segment, address, Encoding::Identity, answer.body_bytes);
        answers.into_iter().map(ask).collect()
    }
}

/// What a load came to.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// Whole answers of the right length.
    pub(crate) requests: u64,
    /// Bytes of their bodies.
    pub(crate) body_bytes: u64,
    /// From the first request to the last answer.
    pub(crate) elapsed_s: f64,
    /// CPU time of this process meanwhile.
    pub(crate) client_cpu_s: f64,
    /// From each request to the last byte of its answer.
    pub(crate) request_s: Vec<f64>,
}

impl Load {
    /// Answers per second.
    pub(crate) fn requests_per_s(&self) -> f64 {
        self.requests as f64 / self.elapsed_s
    }

    /// Bytes of bodies, in GB of 10^9 bytes.
    pub(crate) fn gigabytes(&self) -> f64 {
        self.body_bytes as f64 / 1e9
    }
}

/// Asks the server for `asks` in a fixed shuffled order, over and over, from `connections` connections at a time.
///
/// Fails when a connection does, when no byte comes for [`SILENCE_MAX`], and on any answer of another status, encoding
/// or length than was verified before.
pub(crate) fn run(address: SocketAddr, asks: &[Ask], connections: usize, until: Until) -> anyhow::Result<Load> {
    if asks.is_empty() || connections == 0 {
        bail!("a load needs at least one route and one connection");
    }
    let mut poll = Poll::new()?;
    let mut sockets = Vec::with_capacity(connections);
    for place in 0..connections {
        let socket = std::net::TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        let mut socket = TcpStream::from_std(socket);
        poll.registry().register(&mut socket, Token(place), Interest::READABLE)?;
        sockets.push(Connection { socket, reader: ResponseReader::default(), asked: 0, asked_at: Instant::now() });
    }

    let order = shuffled(asks.len());
    let mut plan = Plan { order, next: 0, until, started: Instant::now() };
    let cpu_before_s = procfs::own_cpu_seconds()?;
    let mut load = Load { requests: 0, body_bytes: 0, elapsed_s: 0.0, client_cpu_s: 0.0, request_s: Vec::new() };
    let mut busy = 0;
    for connection in &mut sockets {
        if let Some(asked) = plan.next() {
            connection.ask(asked, asks)?;
            busy += 1;
        }
    }

    let mut events = Events::with_capacity(connections);
    let mut buffer = vec![0; READ_BYTES];
    while busy > 0 {
        match poll.poll(&mut events, Some(SILENCE_MAX)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            outcome => outcome?,
        }
        if events.is_empty() {
            bail!("{address} sent nothing for {} s to {busy} waiting connections", SILENCE_MAX.as_secs());
        }
        for event in &events {
            let connection = &mut sockets[event.token().0];
            if connection.receive(&mut buffer, asks)? == Received::Unfinished {
                continue;
            }
            load.requests += 1;
            load.request_s.push(connection.asked_at.elapsed().as_secs_f64());
            load.body_bytes += asks[connection.asked].body_bytes;
            match plan.next() {
                Some(asked) => connection.ask(asked, asks)?,
                None => busy -= 1,
            }
        }
    }
    load.elapsed_s = plan.started.elapsed().as_secs_f64();
    load.client_cpu_s = procfs::own_cpu_seconds()? - cpu_before_s;
    Ok(load)
}

/// Which route comes next, and whether one does.
struct Plan {
    order: Vec<usize>,
    next: u64,
    until: Until,
    started: Instant,
}

impl Plan {
    fn next(&mut self) -> Option<usize> {
        let over = match self.until {
            Until::Elapsed(limit) => self.started.elapsed() >= limit,
            Until::Requests(limit) => self.next >= limit,
        };
        if over {
            return None;
        }
        let place = self.next % self.order.len() as u64;
        self.next += 1;
        Some(self.order[place as usize])
    }
}

struct Connection {
    socket: TcpStream,
    reader: ResponseReader,
    /// Which of the asks is on its way.
    asked: usize,
    asked_at: Instant,
}

#[derive(PartialEq, Eq)]
enum Received {
    Unfinished,
    Finished,
}

impl Connection {
    fn ask(&mut self, asked: usize, asks: &[Ask]) -> anyhow::Result<()> {
        self.asked = asked;
        self.asked_at = Instant::now();
        let request = &asks[asked].request;
        let sent = self.socket.write(request).context("cannot send a request")?;
        // The last answer was read to its end, so a socket's empty buffer takes the few bytes of a request at once.
        if sent != request.len() {
            bail!("only {sent} of {} bytes of a request fitted into an empty socket", request.len());
        }
        Ok(())
    }

    fn receive(&mut self, buffer: &mut [u8], asks: &[Ask]) -> anyhow::Result<Received> {
        let ask = &asks[self.asked];
        loop {
            let received = match self.socket.read(buffer) {
                Ok(0) => bail!("{}: the server closed the connection before the end", ask.target),
                Ok(received) => received,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Received::Unfinished),
                Err(error) => return Err(error).with_context(|| format!("{}: cannot read", ask.target)),
            };
            self.reader.read(&buffer[..received]).with_context(|| ask.target.clone())?;
            if let Some(head) = self.reader.take_finished() {
                let found = (head.status, head.encoding, head.body_bytes);
                let expected = (200, ask.encoding, ask.body_bytes);
                if found != expected {
                    bail!("{}: expected (status, encoding, length) {expected:?}, found {found:?}", ask.target);
                }
                return Ok(Received::Finished);
            }
            // A short read has emptied the socket: the next bytes bring the next event (epoll(7), question 9).
            if received < buffer.len() {
                return Ok(Received::Unfinished);
            }
        }
    }
}

/// The numbers below `count`, shuffled the same way each time: large and small answers mix, and runs are comparable.
fn shuffled(count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state: u64 = 2022;
    for last in (1..count).rev() {
        // Knuth's linear congruential generator, of which the high bits are the good ones.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (state >> 33) as usize % (last + 1));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_holds_each_route_once_and_is_the_same_each_time() {
        let order = shuffled(99);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..99).collect::<Vec<_>>());
        assert_ne!(order, sorted);
        assert_eq!(order, shuffled(99));
    }

    #[test]
    fn a_plan_cycles_and_ends_after_its_requests() {
        let mut plan = Plan { order: vec![1, 0], next: 0, until: Until::Requests(3), started: Instant::now() };
        let asked: Vec<usize> = std::iter::from_fn(|| plan.next()).collect();
        assert_eq!(asked, [1, 0, 1]);
    }
}
