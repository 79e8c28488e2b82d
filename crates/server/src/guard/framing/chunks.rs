//! Chunked bodies (RFC 9112, 7.1): sizes, extensions and trailers, none of which this server has a use for.

use hyper::StatusCode;

use super::{Kind, Part};
use crate::guard::limits::Limit;
use crate::guard::refusal::{Refusal, excerpt};

/// A chunk's size and its extensions.
const SIZE_LINE_BYTES_MAX: usize = 256;

/// The extensions of all chunks of a body: nobody is known to send any, and they were used to keep servers busy.
const EXTENSION_BYTES_MAX: usize = 1024;

/// The trailer section.
const TRAILER_BYTES_MAX: usize = 4096;

/// As many hexadecimal digits as fit in 64 bits.
const SIZE_DIGITS_MAX: usize = 16;

/// What has been seen of a chunked body.
#[derive(Debug, Default)]
pub(super) struct ChunksSoFar {
    extension_bytes: usize,
    /// Where the trailer section begins; set once it has.
    pub(super) trailer_start: usize,
    pub(super) trailer_count: usize,
}

impl ChunksSoFar {
    /// Refuses the byte at `place` if its line, or all lines of its kind, may not be so long.
    pub(super) fn hold_limits(&self, place: usize, line_start: usize, part: Part) -> Result<(), Refusal> {
        match part {
            Part::Line(Kind::ChunkSize) if place - line_start >= SIZE_LINE_BYTES_MAX => Err(Refusal::over(
                Limit::BodyBytes,
                StatusCode::BAD_REQUEST,
                format!("found a longer chunk size with extensions, expected at most {SIZE_LINE_BYTES_MAX} bytes"),
            )),
            Part::Line(Kind::Trailer) if place - self.trailer_start >= TRAILER_BYTES_MAX => Err(Refusal::over(
                Limit::HeadBytes,
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                format!("found a longer trailer section, expected at most {TRAILER_BYTES_MAX} bytes"),
            )),
            _ => Ok(()),
        }
    }

    /// The size that stands in `line`.
    pub(super) fn on_size_line(&mut self, line: &[u8]) -> Result<u64, Refusal> {
        let digit_count = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        let (digits, rest) = line.split_at(digit_count);
        let extension = rest.trim_ascii_start();
        let is_right = (1..=SIZE_DIGITS_MAX).contains(&digit_count) && (rest.is_empty() || extension.starts_with(b";"));
        let size = std::str::from_utf8(digits).ok().filter(|_| is_right);
        let Some(size) = size.and_then(|digits| u64::from_str_radix(digits, 16).ok()) else {
            let found = excerpt(line);
            return Err(Refusal::bad(format!("found {found}, expected a chunk's size in hexadecimal digits")));
        };
        self.extension_bytes += rest.len();
        if self.extension_bytes > EXTENSION_BYTES_MAX {
            return Err(Refusal::over(
                Limit::BodyBytes,
                StatusCode::BAD_REQUEST,
                format!("found more chunk extensions, expected at most {EXTENSION_BYTES_MAX} bytes in all"),
            ));
        }
        Ok(size)
    }
}
