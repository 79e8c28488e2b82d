//! Where a request ends in a stream of bytes, and whether all of it is as RFC 9112 wants it: bytes in, a verdict out.
//!
//! It is stricter than the RFC asks of a server: of everything that two readers might understand in two ways, nothing
//! passes. A verdict depends on the bytes and never on the pieces in which they come, since each byte is looked at once
//! and in order, and every limit is held at a byte. `head` judges lines, `chunks` the bodies that tell their length bit
//! by bit.
//!
//! Why not `httparse` here: it starts anew with each piece, and takes bare line feeds. hyper reads with it what passes,
//! and the tests hold the one against the other.

mod chunks;
mod head;

use hyper::StatusCode;

use self::chunks::ChunksSoFar;
use self::head::{HeadSoFar, Version};
use super::limits::{Limit, RequestLimits};
use super::refusal::{Refusal, excerpt};

/// Longer methods are nobody's: the longest that is registered has 17 letters.
const METHOD_BYTES_MAX: usize = 32;

/// `HTTP/1.1`.
const VERSION_BYTES: usize = 8;

/// The first byte of a TLS connection: the content type of a handshake (RFC 8446, 5.1).
const TLS_HANDSHAKE: u8 = 0x16;

/// What is to be done with the bytes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The request goes on after them.
    NeedMore,
    /// So many bytes from the first on are a whole request; what follows them belongs to the next.
    Whole(usize),
    /// They are not the beginning of a request that is taken.
    Refused(Refusal),
}

/// Reads one request; a new one reads the next.
#[derive(Debug)]
pub struct Framing {
    limits: RequestLimits,
    /// How many bytes of the request have been looked at.
    looked: usize,
    /// Where the line begins that is being read.
    line_start: usize,
    part: Part,
    head: HeadSoFar,
    chunks: ChunksSoFar,
}

/// What the next byte belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The first byte of all.
    Start,
    /// The line feed of an empty line before the request line, which is passed over (RFC 9112, 2.2).
    EmptyLineEnd,
    Method,
    Target,
    Version,
    /// The line feed of the request line.
    RequestLineEnd,
    /// A line of the head, the chunks or the trailer section.
    Line(Kind),
    /// The line feed of such a line.
    LineEnd(Kind),
    /// Bytes of a body whose length is known, up to here.
    Body {
        end: usize,
    },
    /// Bytes of a chunk, up to here.
    Chunk {
        end: usize,
    },
    /// The carriage return, then the line feed after a chunk.
    ChunkReturn,
    ChunkFeed,
}

/// What kind of line is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Field,
    ChunkSize,
    Trailer,
}

impl Framing {
    /// Will read a request of at most this size.
    pub fn new(limits: RequestLimits) -> Self {
        Self {
            limits,
            looked: 0,
            line_start: 0,
            part: Part::Start,
            head: HeadSoFar::default(),
            chunks: ChunksSoFar::default(),
        }
    }

    /// Looks at `request`: all that has come since the request's first byte, so it begins with what it was the last time.
    ///
    /// After a verdict other than [`Verdict::NeedMore`] this reader is of no further use.
    pub fn look(&mut self, request: &[u8]) -> Verdict {
        while self.looked < request.len() {
            match self.step(request) {
                Ok(None) => {}
                Ok(Some(byte_count)) => return Verdict::Whole(byte_count),
                Err(refusal) => return Verdict::Refused(refusal),
            }
        }
        Verdict::NeedMore
    }

    /// What a client that sends no more was in the middle of.
    pub fn cut_off(&self) -> Refusal {
        let part = match self.part {
            Part::Line(Kind::Field) | Part::LineEnd(Kind::Field) => "the head",
            Part::Start | Part::EmptyLineEnd | Part::Method | Part::Target | Part::Version | Part::RequestLineEnd => {
                "the request line"
            }
            _ => "the body",
        };
        Refusal::bad(format!("found the end of input in {part}, expected all of a request"))
    }

    /// Looks at the next byte, or at the next ones where nothing can be wrong with them; the length of the request when
    /// they end it.
    fn step(&mut self, request: &[u8]) -> Result<Option<usize>, Refusal> {
        let (place, byte) = (self.looked, request[self.looked]);
        self.hold_limits(place)?;
        self.looked += 1;
        match self.part {
            Part::Start if byte == TLS_HANDSHAKE => {
                return Err(Refusal::bad("found a TLS handshake, expected plain HTTP: this port is for http://"));
            }
            Part::Start if byte == b'\r' => self.part = Part::EmptyLineEnd,
            Part::EmptyLineEnd => {
                expect_line_feed(byte)?;
                self.line_start = place + 1;
                self.part = Part::Method;
            }
            Part::Start | Part::Method => self.on_method_byte(request, place, byte)?,
            Part::Target => self.on_target_byte(request, place, byte)?,
            Part::Version => self.on_version_byte(request, place, byte)?,
            Part::RequestLineEnd => {
                expect_line_feed(byte)?;
                self.head.on_request_line(&request[self.line_start..place - 1])?;
                self.begin_line(Kind::Field);
            }
            Part::Line(kind) => self.on_line_bytes(request, kind)?,
            Part::LineEnd(kind) => {
                expect_line_feed(byte)?;
                return self.on_line(&request[self.line_start..place - 1], kind);
            }
            Part::Body { end } | Part::Chunk { end } => {
                self.looked = request.len().min(end);
                if self.looked == end {
                    match self.part {
                        Part::Body { .. } => return Ok(Some(end)),
                        _ => self.part = Part::ChunkReturn,
                    }
                }
            }
            Part::ChunkReturn if byte == b'\r' => self.part = Part::ChunkFeed,
            Part::ChunkFeed if byte == b'\n' => self.begin_line(Kind::ChunkSize),
            Part::ChunkReturn | Part::ChunkFeed => {
                let found = excerpt(&[byte]);
                return Err(Refusal::bad(format!("found {found} at the end of a chunk, expected CR LF")));
            }
        }
        Ok(None)
    }

    /// Refuses the byte at `place` if no request may be so long.
    fn hold_limits(&self, place: usize) -> Result<(), Refusal> {
        let RequestLimits { head_bytes_max, body_bytes_max, .. } = self.limits;
        match self.part {
            Part::Line(Kind::ChunkSize | Kind::Trailer)
            | Part::LineEnd(Kind::ChunkSize | Kind::Trailer)
            | Part::ChunkReturn
            | Part::ChunkFeed => {
                if place - self.head.byte_count >= body_bytes_max {
                    return Err(body_too_large("a chunked body of more bytes", body_bytes_max));
                }
                self.chunks.hold_limits(place, self.line_start, self.part)
            }
            // A length that is told has been held against the limit when it was told.
            Part::Body { .. } | Part::Chunk { .. } => Ok(()),
            _ if place >= head_bytes_max => Err(Refusal::over(
                Limit::HeadBytes,
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                format!("found a head of more bytes, expected at most {head_bytes_max}"),
            )),
            _ => Ok(()),
        }
    }

    fn on_method_byte(&mut self, request: &[u8], place: usize, byte: u8) -> Result<(), Refusal> {
        self.part = Part::Method;
        let method = &request[self.line_start..place];
        if byte == b' ' && !method.is_empty() {
            self.head.method_bytes = method.len();
            self.part = Part::Target;
        } else if !is_token_byte(byte) {
            let found = excerpt(&request[self.line_start..=place]);
            return Err(Refusal::bad(format!("found {found}, expected a method such as GET and a space")));
        } else if method.len() == METHOD_BYTES_MAX {
            let found = excerpt(method);
            return Err(Refusal::over(
                Limit::HeadBytes,
                StatusCode::BAD_REQUEST,
                format!("found {found} and more, expected a method of at most {METHOD_BYTES_MAX} bytes and a space"),
            ));
        }
        Ok(())
    }

    fn on_target_byte(&mut self, request: &[u8], place: usize, byte: u8) -> Result<(), Refusal> {
        let target = &request[self.line_start + self.head.method_bytes + 1..place];
        let target_bytes_max = self.limits.target_bytes_max;
        match byte {
            b' ' if !target.is_empty() => {
                self.head.target_bytes = target.len();
                self.part = Part::Version;
                Ok(())
            }
            b'\r' | b'\n' => {
                Err(Refusal::bad("found a request line without a version, expected METHOD TARGET HTTP/1.1"))
            }
            // RFC 9112, 3.2 knows no fragments. RFC 3986, 2.1 has bytes past ASCII percent-encoded, but they cannot be
            // taken for anything else, so people may type them; they must be UTF-8.
            b'#' | 0..=b' ' | 0x7f => Err(Refusal::bad(format!(
                "found {} in the target after {}, expected it percent-encoded",
                excerpt(&[byte]),
                excerpt(target)
            ))),
            _ if target.len() == target_bytes_max => Err(Refusal::over(
                Limit::TargetBytes,
                StatusCode::URI_TOO_LONG,
                format!("found a target of more bytes, expected at most {target_bytes_max}"),
            )),
            _ => Ok(()),
        }
    }

    fn on_version_byte(&mut self, request: &[u8], place: usize, byte: u8) -> Result<(), Refusal> {
        let start = self.line_start + self.head.method_bytes + self.head.target_bytes + 2;
        if byte == b'\r' {
            self.head.version = Version::read(&request[start..place])?;
            self.part = Part::RequestLineEnd;
        } else if !byte.is_ascii_graphic() || place - start == VERSION_BYTES {
            return Err(head::not_a_version(&request[start..=place]));
        }
        Ok(())
    }

    /// Looks at bytes of a line up to its carriage return, if that is there.
    fn on_line_bytes(&mut self, request: &[u8], kind: Kind) -> Result<(), Refusal> {
        let is_text = |byte: u8| byte == b'\t' || (byte >= b' ' && byte != 0x7f);
        match request[self.looked - 1] {
            b'\r' => self.part = Part::LineEnd(kind),
            b'\n' => return Err(Refusal::bad("found a line that ends with LF alone, expected CR LF")),
            byte if !is_text(byte) => {
                let line = excerpt(&request[self.line_start..self.looked]);
                return Err(Refusal::bad(format!("found a control character in {line}, expected text")));
            }
            // Most of a head is such text: what follows is passed over at once, as far as no limit is in the way.
            _ if kind == Kind::Field => {
                let end = request.len().min(self.limits.head_bytes_max);
                let rest = request.get(self.looked..end).unwrap_or_default();
                self.looked += rest.iter().take_while(|byte| is_text(**byte)).count();
            }
            _ => {}
        }
        Ok(())
    }

    /// Judges a line that is there, without its end; the length of the request when the line ends it.
    fn on_line(&mut self, line: &[u8], kind: Kind) -> Result<Option<usize>, Refusal> {
        match kind {
            Kind::Field if line.is_empty() => return self.on_head(),
            Kind::Field => {
                self.head.field_count += 1;
                self.hold_field_count(self.head.field_count)?;
                self.head.on_field(line)?;
                self.begin_line(Kind::Field);
            }
            Kind::ChunkSize => {
                let chunk_bytes = self.chunks.on_size_line(line)?;
                let RequestLimits { body_bytes_max, .. } = self.limits;
                let left = (self.head.byte_count + body_bytes_max - self.looked) as u64;
                if chunk_bytes > left {
                    return Err(body_too_large(&format!("a chunk of {chunk_bytes} bytes"), body_bytes_max));
                }
                let chunk_bytes = usize::try_from(chunk_bytes).expect("no more than the limit of a body");
                if chunk_bytes == 0 {
                    self.begin_line(Kind::Trailer);
                    self.chunks.trailer_start = self.looked;
                } else {
                    self.part = Part::Chunk { end: self.looked + chunk_bytes };
                }
            }
            Kind::Trailer if line.is_empty() => return Ok(Some(self.looked)),
            Kind::Trailer => {
                self.chunks.trailer_count += 1;
                self.hold_field_count(self.chunks.trailer_count)?;
                head::read_field(line)?;
                self.begin_line(Kind::Trailer);
            }
        }
        Ok(None)
    }

    /// Judges a head that is there, and finds out how the body goes on.
    fn on_head(&mut self) -> Result<Option<usize>, Refusal> {
        self.head.byte_count = self.looked;
        self.head.judge()?;
        let RequestLimits { body_bytes_max, .. } = self.limits;
        match self.head.content_length {
            Some(length) if length > body_bytes_max as u64 => {
                return Err(body_too_large(&format!("a body of {length} bytes"), body_bytes_max));
            }
            Some(length) if length > 0 => {
                let length = usize::try_from(length).expect("no more than the limit of a body");
                self.part = Part::Body { end: self.looked + length };
            }
            None if self.head.is_chunked => self.begin_line(Kind::ChunkSize),
            _ => return Ok(Some(self.looked)),
        }
        Ok(None)
    }

    fn begin_line(&mut self, kind: Kind) {
        self.line_start = self.looked;
        self.part = Part::Line(kind);
    }

    fn hold_field_count(&self, field_count: usize) -> Result<(), Refusal> {
        let header_fields_max = self.limits.header_fields_max;
        if field_count <= header_fields_max {
            return Ok(());
        }
        Err(Refusal::over(
            Limit::HeaderFields,
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            format!("found more header fields, expected at most {header_fields_max}"),
        ))
    }
}

fn body_too_large(found: &str, body_bytes_max: usize) -> Refusal {
    Refusal::over(
        Limit::BodyBytes,
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("found {found}, expected at most {body_bytes_max} bytes of body"),
    )
}

fn expect_line_feed(byte: u8) -> Result<(), Refusal> {
    if byte == b'\n' {
        return Ok(());
    }
    Err(Refusal::bad(format!("found CR and then {}, expected CR LF", excerpt(&[byte]))))
}

/// RFC 9110, 5.6.2.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

#[cfg(test)]
mod tests;
