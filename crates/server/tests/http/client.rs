//! A client of HTTP/1.1 that hides nothing: it sends what it is given and reads exactly the bytes that a response has.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::server::{DEADLINE, Server};

/// A connection; whatever is awaited on it for longer than the deadline fails the test.
pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
}

/// A response as it came over the wire.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    /// Name in small letters, value; in the order in which they came.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(server: &Server) -> Self {
        Self::open_at(server.address)
    }

    pub(crate) fn open_at(address: SocketAddr) -> Self {
        Self::new(TcpStream::connect(address).unwrap())
    }

    /// A connection from another address of this machine.
    pub(crate) fn open_from(address: Ipv4Addr, server: &Server) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(SocketAddr::new(address.into(), 0)).unwrap();
            socket.connect(server.address).await.unwrap().into_std().unwrap()
        });
        stream.set_nonblocking(false).unwrap();
        Self::new(stream)
    }

    fn new(stream: TcpStream) -> Self {
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream.set_write_timeout(Some(DEADLINE)).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::new(stream) }
    }

    pub(crate) fn get(&mut self, target: &str) -> Response {
        self.ask("GET", target, &[])
    }

    /// The objects of all pages of a list, from the page at `target` on.
    pub(crate) fn get_list(&mut self, target: &str) -> Vec<serde_json::Value> {
        let (mut found, mut target) = (Vec::new(), Some(target.to_owned()));
        while let Some(asked) = target {
            let page = self.get(&asked);
            assert_eq!(page.status, 200, "{asked}: {}", page.text());
            found.extend(page.json().as_array().unwrap().iter().cloned());
            target = page.next_page();
        }
        found
    }

    /// Sends a request without a body and reads its response.
    pub(crate) fn ask(&mut self, method: &str, target: &str, headers: &[(&str, &str)]) -> Response {
        self.send(&request(method, target, headers));
        self.read_response(method)
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).unwrap();
    }

    /// Sends what the server may not want to read to its end, and says that nothing follows.
    pub(crate) fn send_all_that_is_taken(&mut self, bytes: &[u8]) {
        if let Err(error) = self.stream.get_mut().write_all(bytes) {
            println!("the server did not take all of {} bytes: {error}", bytes.len());
        }
        // The server may have closed the connection already.
        let _ = self.stream.get_mut().shutdown(Shutdown::Write);
    }

    /// The response to a request of this method.
    pub(crate) fn read_response(&mut self, method: &str) -> Response {
        let mut response = self.read_head();
        if method != "HEAD" && ![204, 304].contains(&response.status) {
            response.body = vec![0; response.content_length()];
            self.read_exact(&mut response.body);
        }
        response
    }

    /// The response up to its empty line.
    pub(crate) fn read_head(&mut self) -> Response {
        let status_line = self.read_line();
        let status = status_line.strip_prefix("HTTP/1.1 ").or(status_line.strip_prefix("HTTP/1.0 "));
        let status = status.and_then(|rest| rest.split(' ').next()).and_then(|code| code.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {status_line:?}"));
        let mut headers = Vec::new();
        loop {
            let line = self.read_line();
            if line.is_empty() {
                return Response { status, headers, body: Vec::new() };
            }
            let (name, value) = line.split_once(':').unwrap_or_else(|| panic!("no header: {line:?}"));
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
    }

    pub(crate) fn read_exact(&mut self, buffer: &mut [u8]) {
        self.stream.read_exact(buffer).unwrap();
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        let text = line.strip_suffix("\r\n").unwrap_or_else(|| panic!("the connection ended after {line:?}"));
        text.to_owned()
    }

    /// What has come, at least a byte unless the connection has ended. A signal to this process is no reason to give up.
    fn fill(&mut self) -> std::io::Result<&[u8]> {
        while let Err(error) = self.stream.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        Ok(self.stream.buffer())
    }

    /// Whether nothing comes for so long.
    pub(crate) fn is_silent_for(&mut self, time: Duration) -> bool {
        self.stream.get_ref().set_read_timeout(Some(time)).unwrap();
        let is_silent = self.fill().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        self.stream.get_ref().set_read_timeout(Some(DEADLINE)).unwrap();
        is_silent
    }

    /// Waits until either something comes or the server has closed the connection; whether it was the latter.
    pub(crate) fn is_closed(&mut self) -> bool {
        match self.fill() {
            Ok(bytes) => bytes.is_empty(),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => true,
            Err(error) => panic!("neither an answer nor a close: {error}"),
        }
    }

    /// What still comes until the server closes the connection; a reset is a close, too.
    pub(crate) fn read_to_close(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self.stream.read_to_end(&mut bytes) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => println!("the connection was reset"),
            Err(error) => panic!("the server did not close the connection: {error}"),
        }
        bytes
    }
}

impl Response {
    /// The target of the next page, if there is one.
    pub(crate) fn next_page(&self) -> Option<String> {
        let link = self.header("link")?;
        let target = link.strip_prefix('<').and_then(|link| link.strip_suffix(">; rel=\"next\""));
        Some(target.unwrap_or_else(|| panic!("no link as RFC 8288 has it: {link}")).to_owned())
    }

    /// The value of the header called `name`, which must not come twice.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str());
        let value = values.next();
        assert_eq!(values.next(), None, "{name} came twice: {self:?}");
        value
    }

    pub(crate) fn content_length(&self) -> usize {
        let length = self.header("content-length").and_then(|length| length.parse().ok());
        length.unwrap_or_else(|| panic!("a response with a body tells its length: {self:?}"))
    }

    pub(crate) fn etag(&self) -> &str {
        self.header("etag").unwrap_or_else(|| panic!("no ETag: {self:?}"))
    }

    /// The headers but for the date, which may differ between two requests for the same.
    pub(crate) fn headers_but_date(&self) -> Vec<(String, String)> {
        self.headers.iter().filter(|(name, _)| name != "date").cloned().collect()
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("no JSON: {error}: {}", self.text()))
    }

    /// The body without its coding, all of which must be one whole stream.
    pub(crate) fn decoded(&self) -> Vec<u8> {
        let (mut packed, mut bytes) = (&*self.body, Vec::new());
        match self.header("content-encoding") {
            None => return self.body.clone(),
            Some("gzip") => flate2::bufread::GzDecoder::new(&mut packed).read_to_end(&mut bytes),
            Some("br") => {
                // The reader passes over what follows the stream, so the last byte must be missed where it is missing.
                let cut = &packed[..packed.len() - 1];
                assert!(
                    brotli::Decompressor::new(cut, 4096).read_to_end(&mut Vec::new()).is_err(),
                    "more than a stream"
                );
                brotli::Decompressor::new(std::mem::take(&mut packed), 4096).read_to_end(&mut bytes)
            }
            Some("zstd") => {
                let mut decoder = zstd::stream::read::Decoder::with_buffer(&mut packed).unwrap().single_frame();
                // RFC 9659: no client needs to have room for a larger window.
                decoder.window_log_max(23).unwrap();
                decoder.read_to_end(&mut bytes)
            }
            Some(coding) => panic!("{coding} is none that we know: {:?}", self.headers),
        }
        .unwrap();
        assert_eq!(packed, b"", "the stream ends where the body does");
        bytes
    }
}

pub(crate) fn request(method: &str, target: &str, headers: &[(&str, &str)]) -> Vec<u8> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("{method} {target} HTTP/1.1\r\nHost: linespeed\r\n{headers}\r\n").into_bytes()
}

/// The target of the schedules of a route.
pub(crate) fn schedules_of(route_id: &str) -> String {
    format!("/schedules/{}", utf8_percent_encode(route_id, NON_ALPHANUMERIC))
}

/// Asserts that the response is this problem, as RFC 9457 has it, and returns it.
pub(crate) fn assert_problem(response: &Response, status: u16, case: &str) -> serde_json::Value {
    assert_eq!(response.status, status, "{case}: {}", response.text());
    assert_eq!(response.header("content-type"), Some("application/problem+json"), "{case}");
    assert_eq!(response.header("etag"), None, "{case}: an error is nothing to keep");
    let problem = response.json();
    assert_eq!(problem["status"], status, "{case}: {problem}");
    for member in ["title", "detail"] {
        assert!(problem[member].as_str().is_some_and(|text| !text.is_empty()), "{case}: {member} of {problem}");
    }
    problem
}

/// Like `assert_eq!`, but shows only the text around the first difference: an answer may have megabytes.
pub(crate) fn assert_same_bytes(found: &[u8], expected: &[u8], case: &str) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(ours, theirs)| ours == theirs).count();
        let around =
            |body: &[u8]| String::from_utf8_lossy(&body[at.saturating_sub(120)..body.len().min(at + 120)]).into_owned();
        panic!(
            "{case}: {} bytes found, {} expected, alike up to byte {at}\n   found: {}\nexpected: {}",
            found.len(),
            expected.len(),
            around(found),
            around(expected)
        );
    }
}
