//! One entry as its reader sees it: what comes out is counted, and checked at its end.

use std::io::{self, Read};
use std::sync::atomic::Ordering;

use flate2::Crc;
use rawzip::CompressionMethod;

use super::directory::Entry;
use super::inflate::{Compressed, Inflater, Piece};
use super::{Zip, ZipError};
use crate::files::ReadAt;

/// Reads one entry from its beginning to its end.
///
/// Invariant, held by `count`: no more comes out than the limits allow and than the entry declares; the piece that
/// would pass one of them is replaced by the error.
pub(super) struct EntryReader<'a, R> {
    zip: &'a Zip<R>,
    entry: &'a Entry,
    compressed: Compressed<'a, R>,
    decoder: Decoder,
    /// Bytes that came out so far.
    byte_count: u64,
    crc: Crc,
    state: State,
}

enum Decoder {
    Stored,
    Deflated(Inflater),
}

enum State {
    Reading,
    /// The end was reached, and all was right.
    Finished,
    /// An error was told; who goes on reading is told it again.
    Refused(io::ErrorKind, String),
}

impl<'a, R: ReadAt> EntryReader<'a, R> {
    pub(super) fn new(zip: &'a Zip<R>, entry: &'a Entry) -> Result<Self, ZipError> {
        let data_offset = entry.data.start;
        if entry.is_encrypted {
            return Err(entry.error(data_offset, "encrypted data", "data that needs no password"));
        }
        let decoder = match entry.method {
            CompressionMethod::STORE => Decoder::Stored,
            CompressionMethod::DEFLATE => Decoder::Deflated(Inflater::new()),
            other => {
                let found = format!("compression method {}", other.as_u16());
                return Err(entry.error(data_offset, found, "0 (stored) or 8 (deflate)"));
            }
        };
        let compressed = Compressed::new(&zip.bytes, entry);
        Ok(Self { zip, entry, compressed, decoder, byte_count: 0, crc: Crc::new(), state: State::Reading })
    }

    fn read_piece(&mut self, output: &mut [u8]) -> Result<usize, ZipError> {
        let piece = match &mut self.decoder {
            Decoder::Stored => {
                let byte_count = self.compressed.read(output)?;
                Piece { byte_count, is_last: self.compressed.is_at_end() }
            }
            Decoder::Deflated(inflater) => inflater.inflate(&mut self.compressed, output)?,
        };
        self.count(piece.byte_count as u64)?;
        self.crc.update(&output[..piece.byte_count]);
        if piece.is_last {
            self.check_whole()?;
            self.state = State::Finished;
        }
        Ok(piece.byte_count)
    }

    /// Counts what came out, and refuses it when it passes a limit.
    fn count(&mut self, piece_bytes: u64) -> Result<(), ZipError> {
        let limits = &self.zip.limits;
        self.byte_count += piece_bytes;
        let total_bytes = self.zip.bytes_read.fetch_add(piece_bytes, Ordering::Relaxed) + piece_bytes;
        let bytes_in = self.offset() - self.entry.data.start;
        let refuse = |found: String, expected: String| Err(self.entry.error(self.offset(), found, expected));

        if self.byte_count > limits.entry_bytes_max {
            return refuse(
                format!("{} bytes inflated so far", self.byte_count),
                format!("at most {} of an entry", limits.entry_bytes_max),
            );
        }
        if total_bytes > limits.total_bytes_max {
            return refuse(
                format!("{total_bytes} bytes inflated so far of all entries"),
                format!("at most {}", limits.total_bytes_max),
            );
        }
        if self.byte_count > limits.ratio_free_bytes && self.byte_count > bytes_in.saturating_mul(limits.ratio_max) {
            return refuse(
                format!("{} bytes inflated from {bytes_in}", self.byte_count),
                format!("at most {} times as many", limits.ratio_max),
            );
        }
        if self.byte_count > self.entry.declared_bytes {
            return refuse(
                format!("at least {} inflated bytes", self.byte_count),
                format!("{} as the central directory tells", self.entry.declared_bytes),
            );
        }
        Ok(())
    }

    /// Compares all that came out with what the central directory tells.
    fn check_whole(&self) -> Result<(), ZipError> {
        if self.byte_count != self.entry.declared_bytes {
            let found = format!("{} inflated bytes", self.byte_count);
            let expected = format!("{} as the central directory tells", self.entry.declared_bytes);
            return Err(self.entry.error(self.offset(), found, expected));
        }
        if self.crc.sum() != self.entry.crc32 {
            let found = format!("CRC-32 {:08x}", self.crc.sum());
            let expected = format!("{:08x} as the central directory tells", self.entry.crc32);
            return Err(self.entry.error(self.offset(), found, expected));
        }
        Ok(())
    }

    /// Where in the zip the next byte lies that is not decoded yet.
    fn offset(&self) -> u64 {
        match &self.decoder {
            Decoder::Stored => self.compressed.offset(),
            Decoder::Deflated(inflater) => self.compressed.offset() - inflater.pending_bytes(),
        }
    }
}

impl<R: ReadAt> Read for EntryReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.state {
            _ if buffer.is_empty() => return Ok(0),
            State::Reading => {}
            State::Finished => return Ok(0),
            State::Refused(kind, reason) => return Err(io::Error::new(*kind, reason.clone())),
        }
        self.read_piece(buffer).map_err(|error| {
            let reason = error.to_string();
            let error = io::Error::from(error);
            self.state = State::Refused(error.kind(), reason);
            error
        })
    }
}
