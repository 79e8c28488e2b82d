//! Clients that look at every byte while the feed is replaced: each answer must be that of one feed, from its first
//! byte to its last.

use std::io::{self, Read, Write};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use mio::net::TcpStream;
use mio::{Events, Interest, Poll, Token};

use crate::answers::Answers;
use crate::request::{SILENCE_MAX, schedules_request};
use crate::response::{Encoding, ResponseReader};

/// How many feeds take turns.
pub(crate) const FEEDS: usize = 2;

const READ_BYTES: usize = 256 * 1024;

/// How often is looked whether it is over.
const LOOK: Duration = Duration::from_millis(100);

/// A request, and what each of the feeds answers.
pub(crate) struct Question {
    segment: String,
    request: Vec<u8>,
    bodies: [Vec<u8>; FEEDS],
}

impl Question {
    /// One for each route that all feeds have. Fails when there is none whose answers differ.
    pub(crate) fn all(feeds: [&Answers; FEEDS], address: SocketAddr) -> anyhow::Result<Vec<Self>> {
        let mut questions = Vec::new();
        for answer in &feeds[0].all {
            let Some(other) = feeds[1].all.iter().find(|other| other.segment == answer.segment) else { continue };
            questions.push(Self {
                segment: answer.segment.clone(),
                request: schedules_request(&answer.segment, address, Encoding::Identity),
                bodies: [feeds[0].body(answer)?, feeds[1].body(other)?],
            });
        }
        if !questions.iter().any(|question| question.bodies[0] != question.bodies[1]) {
            bail!("the feeds answer the same, so a mix of them would not be seen");
        }
        Ok(questions)
    }
}

/// What the clients saw.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Whole answers of one feed.
    pub(crate) answers: u64,
    /// Bytes of their bodies.
    pub(crate) body_bytes: u64,
    /// Of them, those that were of the one feed and not of the other.
    pub(crate) of_feed: [u64; FEEDS],
}

/// Asks `questions` over and over from `connections` connections at a time until `is_over`.
///
/// Fails at the first answer that is not whole, not 200, or not that of one feed.
pub(crate) fn watch(
    address: SocketAddr,
    questions: &[Question],
    connections: usize,
    is_over: &AtomicBool,
) -> anyhow::Result<Seen> {
    let mut poll = Poll::new()?;
    let mut clients = Vec::with_capacity(connections);
    for place in 0..connections {
        let socket = std::net::TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        socket.set_nodelay(true)?;
        socket.set_nonblocking(true)?;
        let mut socket = TcpStream::from_std(socket);
        poll.registry().register(&mut socket, Token(place), Interest::READABLE)?;
        // Each begins elsewhere, so that large and small answers mix.
        let mut client = Client::new(socket, place * 7 % questions.len());
        client.ask(questions)?;
        clients.push(client);
    }
    let mut seen = Seen::default();
    let mut events = Events::with_capacity(connections);
    let mut buffer = vec![0; READ_BYTES];
    let mut silence = Duration::ZERO;
    while !is_over.load(Ordering::Relaxed) {
        match poll.poll(&mut events, Some(LOOK)) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            outcome => outcome?,
        }
        silence = if events.is_empty() { silence + LOOK } else { Duration::ZERO };
        if silence > SILENCE_MAX {
            bail!("{address} sent nothing for {} s", SILENCE_MAX.as_secs());
        }
        for event in &events {
            let client = &mut clients[event.token().0];
            if client.receive(&mut buffer, questions, &mut seen)? {
                client.asked = (client.asked + 1) % questions.len();
                client.ask(questions)?;
            }
        }
    }
    Ok(seen)
}

struct Client {
    socket: TcpStream,
    reader: ResponseReader,
    asked: usize,
    /// How many bytes of the body have come.
    offset: usize,
    /// Feed -> whether all bytes so far are its own.
    may_be: [bool; FEEDS],
}

impl Client {
    fn new(socket: TcpStream, asked: usize) -> Self {
        Self { socket, reader: ResponseReader::default(), asked, offset: 0, may_be: [true; FEEDS] }
    }

    fn ask(&mut self, questions: &[Question]) -> anyhow::Result<()> {
        (self.offset, self.may_be) = (0, [true; FEEDS]);
        let request = &questions[self.asked].request;
        let sent = self.socket.write(request).context("cannot send a request")?;
        if sent != request.len() {
            bail!("only {sent} of {} bytes of a request fitted into an empty socket", request.len());
        }
        Ok(())
    }

    /// Takes what has come; whether the answer is there to its end.
    fn receive(&mut self, buffer: &mut [u8], questions: &[Question], seen: &mut Seen) -> anyhow::Result<bool> {
        let question = &questions[self.asked];
        let named = || format!("/schedules/{}", question.segment);
        loop {
            let received = match self.socket.read(buffer) {
                Ok(0) => bail!("{}: the server closed the connection before the end", named()),
                Ok(received) => received,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error).with_context(named),
            };
            let body = self.reader.read(&buffer[..received]).with_context(named)?;
            for (may_be, expected) in self.may_be.iter_mut().zip(&question.bodies) {
                *may_be &= expected.get(self.offset..self.offset + body.len()) == Some(body);
            }
            self.offset += body.len();
            if let Some(head) = self.reader.take_finished() {
                let is_of = |feed: usize| self.may_be[feed] && question.bodies[feed].len() == self.offset;
                let is_of = [is_of(0), is_of(1)];
                if head.status != 200 || !is_of.contains(&true) {
                    let byte_count = self.offset;
                    bail!("{}: status {}, and {byte_count} bytes that no feed answers", named(), head.status);
                }
                seen.answers += 1;
                seen.body_bytes += self.offset as u64;
                if is_of != [true; FEEDS] {
                    seen.of_feed[usize::from(is_of[1])] += 1;
                }
                return Ok(true);
            }
            // A short read has emptied the socket: the next bytes bring the next event (epoll(7), question 9).
            if received < buffer.len() {
                return Ok(false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// What the clients say of a server that answers each request with `bodies` in turn.
    fn watch_server_of(bodies: &'static [&'static str]) -> anyhow::Result<Seen> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let question = Question {
            segment: "1".to_owned(),
            request: schedules_request("1", address, Encoding::Identity),
            bodies: [b"[1,2]".to_vec(), b"[3,2]".to_vec()],
        };
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let is_over = &is_over;
            scope.spawn(move || {
                let (mut socket, _) = listener.accept().unwrap();
                let mut request = [0; 1024];
                for body in bodies {
                    if socket.read(&mut request).unwrap() == 0 {
                        break;
                    }
                    write!(socket, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
                }
                let _ = socket.read(&mut request);
                is_over.store(true, Ordering::Relaxed);
                // Until the client has seen that it is over.
                let _ = socket.read(&mut request);
            });
            watch(address, &[question], 1, is_over)
        })
    }

    #[test]
    fn answers_of_either_feed_are_counted() {
        let seen = watch_server_of(&["[1,2]", "[3,2]", "[3,2]"]).unwrap();
        assert_eq!((seen.answers, seen.of_feed), (3, [1, 2]));
    }

    #[test]
    fn a_mix_of_feeds_and_a_part_of_one_are_seen() {
        for body in ["[1,3]", "[3,1]", "[1,2", "[1,2]]", ""] {
            let error = watch_server_of(Vec::leak(vec!["[1,2]", body])).unwrap_err().to_string();
            assert!(error.contains("/schedules/1: status 200") && error.contains("no feed answers"), "{body}: {error}");
        }
    }
}
