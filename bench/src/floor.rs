//! The floor: what it costs to send bytes that are already there.
//!
//! A single thread waits for sockets and sends prebuilt answers, head and body in one buffer. A server that makes its
//! answers on the fly cannot be cheaper; how near it comes is the fair measure of it on any machine.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::path::Path;

use anyhow::{Context, bail};
use mio::event::Event;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};

const LISTENER: Token = Token(usize::MAX);
const REQUEST_BYTES_MAX: usize = 4096;
const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

/// Path segment after `/schedules/`, as it stands in a request -> head and body, ready to send.
type PrebuiltAnswers = HashMap<Vec<u8>, Vec<u8>>;

/// Serves each file of `folder` as `/schedules/<name of the file>`, until the process is stopped.
///
/// Fails when the folder holds no answers or the address cannot be listened on.
pub(crate) fn serve(folder: &Path, address: SocketAddr) -> anyhow::Result<()> {
    let answers = read_answers(folder)?;
    let mut listener = TcpListener::bind(address).with_context(|| format!("cannot listen on {address}"))?;
    let mut poll = Poll::new()?;
    poll.registry().register(&mut listener, LISTENER, Interest::READABLE)?;
    crate::announce(listener.local_addr()?);

    let mut events = Events::with_capacity(256);
    // Token -> connection; the places of closed ones are taken again.
    let mut connections: Vec<Option<Connection<'_>>> = Vec::new();
    loop {
        match poll.poll(&mut events, None) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            outcome => outcome?,
        }
        for event in &events {
            if event.token() == LISTENER {
                accept_all(&listener, &poll, &mut connections)?;
            } else if let Some(place) = connections.get_mut(event.token().0)
                && let Some(connection) = place
                && connection.on_event(event, &answers).is_err()
            {
                *place = None;
            }
        }
    }
}

fn read_answers(folder: &Path) -> anyhow::Result<PrebuiltAnswers> {
    let mut answers = PrebuiltAnswers::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))? {
        let path = entry?.path();
        let (Some(name), true) = (path.file_name(), path.is_file()) else { continue };
        let body = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut answer =
            format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.len())
                .into_bytes();
        answer.extend_from_slice(&body);
        answers.insert(name.as_encoded_bytes().to_vec(), answer);
    }
    if answers.is_empty() {
        bail!("{} holds no files: expected one per route, each the answer of /schedules/<its name>", folder.display());
    }
    Ok(answers)
}

fn accept_all<'answers>(
    listener: &TcpListener,
    poll: &Poll,
    connections: &mut Vec<Option<Connection<'answers>>>,
) -> io::Result<()> {
    loop {
        let mut socket = match listener.accept() {
            Ok((socket, _)) => socket,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            // The client gave up before we came to it.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => continue,
            Err(error) => return Err(error),
        };
        socket.set_nodelay(true)?;
        let place = connections.iter().position(Option::is_none).unwrap_or_else(|| {
            connections.push(None);
            connections.len() - 1
        });
        poll.registry().register(&mut socket, Token(place), Interest::READABLE | Interest::WRITABLE)?;
        connections[place] = Some(Connection::new(socket));
    }
}

/// Why a connection is given up; nobody is told, the client sees it close.
struct Closed;

impl From<io::Error> for Closed {
    fn from(_: io::Error) -> Self {
        Self
    }
}

/// Both directions are registered once and edge-triggered, so that a request costs no `epoll_ctl`; what an edge said is
/// therefore remembered here until a short read or write takes it back (epoll(7), question 9).
struct Connection<'answers> {
    socket: TcpStream,
    readable: Readiness,
    writable: Readiness,
    request: [u8; REQUEST_BYTES_MAX],
    request_bytes: usize,
    unsent: &'answers [u8],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Readiness {
    Ready,
    Exhausted,
}

impl<'answers> Connection<'answers> {
    fn new(socket: TcpStream) -> Self {
        Self {
            socket,
            readable: Readiness::Exhausted,
            writable: Readiness::Exhausted,
            request: [0; REQUEST_BYTES_MAX],
            request_bytes: 0,
            unsent: &[],
        }
    }

    fn on_event(&mut self, event: &Event, answers: &'answers PrebuiltAnswers) -> Result<(), Closed> {
        if event.is_readable() {
            self.readable = Readiness::Ready;
        }
        if event.is_writable() {
            self.writable = Readiness::Ready;
        }
        loop {
            if !self.unsent.is_empty() {
                if self.writable == Readiness::Exhausted {
                    return Ok(());
                }
                self.send()?;
            } else if let Some(answer) = self.take_request(answers) {
                self.unsent = answer;
            } else {
                if self.readable == Readiness::Exhausted {
                    return Ok(());
                }
                self.receive()?;
            }
        }
    }

    fn send(&mut self) -> Result<(), Closed> {
        match self.socket.write(self.unsent) {
            Ok(sent) => {
                self.unsent = &self.unsent[sent..];
                if !self.unsent.is_empty() {
                    self.writable = Readiness::Exhausted;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.writable = Readiness::Exhausted,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn receive(&mut self) -> Result<(), Closed> {
        let free = &mut self.request[self.request_bytes..];
        let room = free.len();
        match self.socket.read(free) {
            // The client has closed, or its request is longer than the buffer.
            Ok(0) => return Err(Closed),
            Ok(received) => {
                self.request_bytes += received;
                if received < room {
                    self.readable = Readiness::Exhausted;
                }
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.readable = Readiness::Exhausted,
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// The answer to the first whole request of the buffer, which leaves the buffer.
    fn take_request(&mut self, answers: &'answers PrebuiltAnswers) -> Option<&'answers [u8]> {
        let received = &self.request[..self.request_bytes];
        let end = received.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
        let answer = find_answer(&received[..end], answers);
        self.request.copy_within(end..self.request_bytes, 0);
        self.request_bytes -= end;
        Some(answer)
    }
}

fn find_answer<'answers>(request: &[u8], answers: &'answers PrebuiltAnswers) -> &'answers [u8] {
    request
        .split(|&byte| byte == b' ')
        .nth(1)
        .and_then(|target| target.strip_prefix(b"/schedules/"))
        .and_then(|segment| answers.get(segment))
        .map_or(NOT_FOUND, Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_looked_up_as_it_stands_in_the_request() {
        let answers =
            PrebuiltAnswers::from([(b"34E".to_vec(), b"bus".to_vec()), (b"Caf%C3%A9".to_vec(), b"tea".to_vec())]);
        let answer = |target: &str| find_answer(format!("GET {target} HTTP/1.1\r\n\r\n").as_bytes(), &answers);
        assert_eq!(answer("/schedules/34E"), b"bus");
        assert_eq!(answer("/schedules/Caf%C3%A9"), b"tea");
        assert_eq!(answer("/schedules/34"), NOT_FOUND);
        assert_eq!(answer("/34E"), NOT_FOUND);
        assert_eq!(find_answer(b"\r\n\r\n", &answers), NOT_FOUND);
    }
}
