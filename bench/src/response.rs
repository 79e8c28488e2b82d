//! Reads an HTTP/1.1 response as its bytes arrive, in pieces of any size.
//!
//! Only what the bench needs: a status, a `Content-Length` and perhaps a `Content-Encoding`. A body of any other framing
//! is refused, because a length that is known before the body comes is part of what is measured.

use std::fmt;

/// A head longer than this is refused: no server here has more to say.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// How a body is packed for the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// The JSON itself.
    Identity,
    /// The JSON packed by gzip.
    Gzip,
}

/// What the head of a response says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// The status code.
    pub(crate) status: u16,
    /// `Content-Length`.
    pub(crate) body_bytes: u64,
    /// `Content-Encoding`.
    pub(crate) encoding: Encoding,
}

/// Why bytes are no response that the bench can read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ResponseError {
    /// The head does not end within the limit.
    HeadTooLong,
    /// The first line is not `HTTP/1.1 <status> <reason>`.
    StatusLine(String),
    /// No `Content-Length`, or one that is not a number, or two of them that differ.
    Length(String),
    /// A `Content-Encoding` that was not asked for.
    Encoding(String),
    /// Bytes after the end of the body, though nothing more was asked.
    Surplus(usize),
}

impl fmt::Display for ResponseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HeadTooLong => write!(f, "found a response head of over {HEAD_BYTES_MAX} bytes"),
            Self::StatusLine(line) => write!(f, "expected a status line of HTTP/1.1, found {line:?}"),
            Self::Length(found) => write!(f, "expected one Content-Length, found {found}"),
            Self::Encoding(found) => write!(f, "expected no Content-Encoding or gzip, found {found:?}"),
            Self::Surplus(bytes) => write!(f, "found {bytes} bytes after the end of the response"),
        }
    }
}

impl std::error::Error for ResponseError {}

/// The part of one response that has arrived. One reader serves a connection's responses one after the other.
#[derive(Debug, Default)]
pub(crate) struct ResponseReader {
    /// The first bytes of a head that came in pieces; empty again once the head is read.
    partial_head: Vec<u8>,
    head: Option<Head>,
    body_bytes_read: u64,
}

impl ResponseReader {
    /// Takes the next bytes and returns those among them that belong to the body.
    ///
    /// Fails on what is no such response, and on bytes past its end; the connection is of no use after that.
    pub(crate) fn read<'bytes>(&mut self, bytes: &'bytes [u8]) -> Result<&'bytes [u8], ResponseError> {
        let (head, body) = match self.head {
            Some(head) => (head, bytes),
            None => match self.read_head(bytes)? {
                Some((head, body)) => (head, body),
                None => return Ok(&[]),
            },
        };
        self.head = Some(head);
        let missing = head.body_bytes - self.body_bytes_read;
        let found = body.len() as u64;
        if found > missing {
            return Err(ResponseError::Surplus(body.len() - missing as usize));
        }
        self.body_bytes_read += found;
        Ok(body)
    }

    /// The head of a response that is there to its last byte, after which the reader is ready for the next response.
    pub(crate) fn take_finished(&mut self) -> Option<Head> {
        let head = self.head.filter(|head| head.body_bytes == self.body_bytes_read)?;
        self.head = None;
        self.body_bytes_read = 0;
        Some(head)
    }

    fn read_head<'bytes>(&mut self, bytes: &'bytes [u8]) -> Result<Option<(Head, &'bytes [u8])>, ResponseError> {
        let kept = self.partial_head.len();
        if kept == 0
            && let Some(end) = find_head_end(bytes)
        {
            return Ok(Some((parse_head(&bytes[..end])?, &bytes[end..])));
        }
        let taken = bytes.len().min(HEAD_BYTES_MAX - kept);
        self.partial_head.extend_from_slice(&bytes[..taken]);
        let Some(end) = find_head_end(&self.partial_head) else {
            return if self.partial_head.len() < HEAD_BYTES_MAX { Ok(None) } else { Err(ResponseError::HeadTooLong) };
        };
        let head = parse_head(&self.partial_head[..end])?;
        self.partial_head.clear();
        Ok(Some((head, &bytes[end - kept..])))
    }
}

/// Where the body begins: past the first empty line.
fn find_head_end(bytes: &[u8]) -> Option<usize> {
    let searched = &bytes[..bytes.len().min(HEAD_BYTES_MAX)];
    searched.windows(4).position(|four| four == b"\r\n\r\n").map(|start| start + 4)
}

fn parse_head(bytes: &[u8]) -> Result<Head, ResponseError> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split("\r\n");
    let status_line = lines.next().unwrap_or_default();
    let status = status_line
        .strip_prefix("HTTP/1.1 ")
        .and_then(|rest| rest.split(' ').next())
        .filter(|digits| digits.len() == 3)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| ResponseError::StatusLine(status_line.to_owned()))?;

    let mut body_bytes = None;
    let mut encoding = Encoding::Identity;
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        let value = value.trim();
        if name.eq_ignore_ascii_case("content-length") {
            let length: u64 = value.parse().map_err(|_| ResponseError::Length(format!("{value:?}")))?;
            if body_bytes.is_some_and(|earlier| earlier != length) {
                return Err(ResponseError::Length(format!("{body_bytes:?} and {length}")));
            }
            body_bytes = Some(length);
        } else if name.eq_ignore_ascii_case("content-encoding") {
            encoding = match value {
                "identity" => Encoding::Identity,
                "gzip" => Encoding::Gzip,
                other => return Err(ResponseError::Encoding(other.to_owned())),
            };
        }
    }
    let body_bytes = body_bytes.ok_or_else(|| ResponseError::Length("none".to_owned()))?;
    Ok(Head { status, body_bytes, encoding })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESPONSE: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nContent-Length: 5\r\n\r\n[1,2]";

    #[test]
    fn a_response_in_one_piece_is_read_whole() {
        let mut reader = ResponseReader::default();
        assert_eq!(reader.read(RESPONSE), Ok(b"[1,2]".as_slice()));
        assert_eq!(reader.take_finished(), Some(Head { status: 200, body_bytes: 5, encoding: Encoding::Identity }));
        assert_eq!(reader.take_finished(), None, "the reader waits for the next response");
    }

    #[test]
    fn a_response_cut_anywhere_gives_the_same_body() {
        for cut in 0..=RESPONSE.len() {
            println!("cut at {cut}");
            let mut reader = ResponseReader::default();
            let mut body = reader.read(&RESPONSE[..cut]).unwrap().to_vec();
            assert_eq!(reader.take_finished().is_some(), cut == RESPONSE.len());
            body.extend_from_slice(reader.read(&RESPONSE[cut..]).unwrap_or_default());
            assert_eq!(body, b"[1,2]");
        }
    }

    #[test]
    fn a_response_byte_by_byte_gives_the_same_body_and_the_reader_serves_the_next_one() {
        let mut reader = ResponseReader::default();
        for _ in 0..2 {
            let mut body = Vec::new();
            for byte in RESPONSE {
                assert_eq!(reader.take_finished(), None);
                body.extend_from_slice(reader.read(std::slice::from_ref(byte)).unwrap());
            }
            assert_eq!(body, b"[1,2]");
            assert_eq!(reader.take_finished().map(|head| head.status), Some(200));
        }
    }

    #[test]
    fn an_empty_body_is_finished_with_its_head() {
        let mut reader = ResponseReader::default();
        reader.read(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n").unwrap();
        assert_eq!(reader.take_finished().map(|head| (head.status, head.body_bytes)), Some((404, 0)));
    }

    #[test]
    fn gzip_is_seen_and_another_encoding_is_refused() {
        let mut reader = ResponseReader::default();
        reader.read(b"HTTP/1.1 200 OK\r\nCONTENT-ENCODING: gzip\r\nContent-Length: 0\r\n\r\n").unwrap();
        assert_eq!(reader.take_finished().map(|head| head.encoding), Some(Encoding::Gzip));
        assert_eq!(
            reader.read(b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 0\r\n\r\n"),
            Err(ResponseError::Encoding("br".to_owned()))
        );
    }

    #[test]
    fn what_is_no_response_is_refused() {
        let refused = |bytes: &[u8]| ResponseReader::default().read(bytes).unwrap_err();
        assert_eq!(refused(b"SSH-2.0-x\r\n\r\n"), ResponseError::StatusLine("SSH-2.0-x".to_owned()));
        assert_eq!(refused(b"HTTP/1.1 OK\r\n\r\n"), ResponseError::StatusLine("HTTP/1.1 OK".to_owned()));
        assert_eq!(
            refused(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
            ResponseError::Length("none".to_owned())
        );
        assert_eq!(
            refused(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
            ResponseError::Length("\"-1\"".to_owned())
        );
        assert_eq!(
            refused(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"),
            ResponseError::Length("Some(1) and 2".to_owned())
        );
        assert_eq!(refused(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc"), ResponseError::Surplus(2));
    }

    #[test]
    fn a_head_may_be_as_long_as_the_limit_and_no_longer() {
        let head_of = |bytes: usize| {
            let rest = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: \r\n\r\n".len();
            format!("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: {}\r\n\r\n", "x".repeat(bytes - rest))
        };
        assert!(ResponseReader::default().read(head_of(HEAD_BYTES_MAX).as_bytes()).is_ok());
        assert_eq!(
            ResponseReader::default().read(head_of(HEAD_BYTES_MAX + 1).as_bytes()),
            Err(ResponseError::HeadTooLong)
        );
    }
}
