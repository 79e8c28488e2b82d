//! A small HTTP server that sends feeds, and fails in every way that servers do.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::server::DEADLINE;

/// What came in: the target, then the headers in small letters.
pub(crate) type Asked = Vec<String>;

/// What to send for one request.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// A body with these further headers.
    Body(Vec<u8>, &'static str),
    /// No body, a status, and these headers.
    Status(u16, String),
    /// Everything, byte by byte as it stands, and then the end of the connection.
    Raw(Vec<u8>),
    /// These bytes, and then nothing for as long as the test lasts.
    Stall(Vec<u8>),
}

/// Listens until the test ends. Each request waits for a reply.
pub(crate) struct FeedServer {
    address: SocketAddr,
    asked: Receiver<Asked>,
    replies: Sender<Reply>,
}

impl FeedServer {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asks, asked) = channel();
        let (replies, to_send) = channel();
        thread::spawn(move || {
            let mut stalled = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                if serve(stream, &asks, &to_send, &mut stalled).is_none() {
                    return;
                }
            }
        });
        Self { address, asked, replies }
    }

    /// The URL of a path here.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Sends this for the next request that has no reply yet.
    pub(crate) fn reply(&self, reply: Reply) {
        self.replies.send(reply).unwrap();
    }

    /// The next request, which may still wait for its reply.
    pub(crate) fn next_asked(&self) -> Asked {
        let asked = self.asked.recv_timeout(DEADLINE).expect("nobody asks");
        println!("asked {asked:?}");
        asked
    }

    /// How many requests have come that nobody has looked at.
    pub(crate) fn more_asked(&self) -> usize {
        self.asked.try_iter().count()
    }
}

/// Answers one request; none when the test has ended.
fn serve(
    stream: TcpStream,
    asks: &Sender<Asked>,
    to_send: &Receiver<Reply>,
    stalled: &mut Vec<TcpStream>,
) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        match reader.read_line(&mut line) {
            Ok(0) | Err(_) => return Some(()),
            Ok(_) if line == "\r\n" => break,
            Ok(_) => head.push(line.trim_end().to_owned()),
        }
    }
    let target = head[0].split(' ').nth(1).unwrap_or_default().to_owned();
    let headers = head[1..].iter().map(|line| {
        let (name, value) = line.split_once(':').unwrap();
        format!("{}:{value}", name.to_ascii_lowercase())
    });
    asks.send(std::iter::once(target).chain(headers).collect()).ok()?;
    let bytes = match to_send.recv().ok()? {
        Reply::Body(body, headers) => {
            let length = body.len();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n");
            [head.into_bytes(), body].concat()
        }
        Reply::Status(status, headers) => {
            format!("HTTP/1.1 {status} Odd\r\nContent-Length: 0\r\nConnection: close\r\n{headers}\r\n").into_bytes()
        }
        Reply::Raw(bytes) => bytes,
        Reply::Stall(bytes) => {
            stalled.push(reader.get_ref().try_clone().ok()?);
            bytes
        }
    };
    // Whoever has seen enough closes the connection.
    let _ = reader.get_mut().write_all(&bytes);
    Some(())
}
