//! Deflate, straight from the zip into the reader's buffer.

use std::ops::Range;

use flate2::{Decompress, FlushDecompress, Status};

use super::ZipError;
use super::directory::{Entry, read_some_at};
use crate::files::ReadAt;

/// Bytes of compressed data that are read from the zip at a time: few calls, and they stay in the cache.
const INPUT_BYTES: usize = 64 << 10;

/// The compressed data of one entry, read from its beginning to its end.
pub(super) struct Compressed<'a, R> {
    bytes: &'a R,
    entry: &'a Entry,
    /// Where in the zip the next byte lies; never past `entry.data.end`.
    offset: u64,
}

impl<'a, R: ReadAt> Compressed<'a, R> {
    pub(super) fn new(bytes: &'a R, entry: &'a Entry) -> Self {
        Self { bytes, entry, offset: entry.data.start }
    }

    /// Reads some bytes: none only at the end of the data, or for an empty `buffer`.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> Result<usize, ZipError> {
        let bytes_left = usize::try_from(self.entry.data.end - self.offset).unwrap_or(usize::MAX);
        let bytes_wanted = buffer.len().min(bytes_left);
        if bytes_wanted == 0 {
            return Ok(0);
        }
        let byte_count = read_some_at(self.bytes, &mut buffer[..bytes_wanted], self.offset).map_err(ZipError::Io)?;
        if byte_count == 0 {
            // The end was checked when the zip was opened: someone has cut it off since then.
            let expected = format!("data up to byte {}", self.entry.data.end);
            return Err(self.entry.error(self.offset, "the end of the zip", expected));
        }
        self.offset += byte_count as u64;
        Ok(byte_count)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.offset == self.entry.data.end
    }

    /// Where in the zip the next byte lies.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }
}

/// What one step of reading put at the beginning of the reader's buffer.
pub(super) struct Piece {
    pub(super) byte_count: usize,
    pub(super) is_last: bool,
}

/// The state of deflate, and the compressed data that waits for it.
pub(super) struct Inflater {
    state: Decompress,
    input: Box<[u8]>,
    /// What of `input` is not inflated yet.
    pending: Range<usize>,
}

impl Inflater {
    pub(super) fn new() -> Self {
        Self { state: Decompress::new(false), input: vec![0; INPUT_BYTES].into_boxed_slice(), pending: 0..0 }
    }

    /// Inflates at least one byte into `output`, which is not empty, unless the data is at its end.
    ///
    /// Compressed data after the last block of deflate is passed over: the length and the CRC-32 tell whether anything
    /// is missing.
    pub(super) fn inflate<R: ReadAt>(
        &mut self,
        compressed: &mut Compressed<'_, R>,
        output: &mut [u8],
    ) -> Result<Piece, ZipError> {
        loop {
            if self.pending.is_empty() {
                self.pending = 0..compressed.read(&mut self.input)?;
            }
            let (bytes_in, bytes_out) = (self.state.total_in(), self.state.total_out());
            let result = self.state.decompress(&self.input[self.pending.clone()], output, FlushDecompress::None);
            let bytes_taken = (self.state.total_in() - bytes_in) as usize;
            let byte_count = (self.state.total_out() - bytes_out) as usize;
            self.pending.start += bytes_taken;

            let error = |found: &str, expected: &str| {
                Err(compressed.entry.error(compressed.offset - self.pending.len() as u64, found, expected))
            };
            match result {
                Ok(Status::StreamEnd) => return Ok(Piece { byte_count, is_last: true }),
                Ok(_) if byte_count > 0 => return Ok(Piece { byte_count, is_last: false }),
                Ok(_) if bytes_taken > 0 => {}
                Ok(_) if compressed.is_at_end() => {
                    return error("the end of the compressed data", "the last block of deflate");
                }
                Ok(_) => return error("data that deflate cannot go on with", "data as deflate writes it"),
                Err(reason) => {
                    return error(reason.message().unwrap_or("wrong data"), "data as deflate writes it");
                }
            }
        }
    }

    /// Compressed bytes that are read from the zip, but not inflated yet.
    pub(super) fn pending_bytes(&self) -> u64 {
        self.pending.len() as u64
    }
}
