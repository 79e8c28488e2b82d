//! Rows of text gathered into blocks: the sink is called once for some hundred kilobytes, not once a row.

use std::io;

use crate::files::MemoryFiles;

/// Where the generator puts a feed: a folder, a zip, memory. Files come one after another, each whole.
pub trait FeedSink {
    /// Ends the file begun before, if any, and begins `name`, such as `trips.txt`; each name comes once.
    fn begin_file(&mut self, name: &str) -> io::Result<()>;

    /// Adds a block of some hundred kilobytes to the file last begun.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;
}

impl FeedSink for MemoryFiles {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        self.0.push((name.to_owned(), Vec::new()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (_, file) = self.0.last_mut().ok_or_else(|| io::Error::other("bytes came before the first file"))?;
        file.extend_from_slice(bytes);
        Ok(())
    }
}

const BLOCK_BYTES: usize = 128 * 1024;

/// Writes CSV rows; lines end in LF.
pub(super) struct BlockWriter<'a> {
    sink: &'a mut dyn FeedSink,
    block: Vec<u8>,
}

impl<'a> BlockWriter<'a> {
    /// A writer that has written nothing.
    pub(super) fn new(sink: &'a mut dyn FeedSink) -> Self {
        Self { sink, block: Vec::with_capacity(BLOCK_BYTES + 4096) }
    }

    /// Begins a file whose first line is `header`.
    pub(super) fn begin_file(&mut self, name: &str, header: &str) -> io::Result<()> {
        self.flush()?;
        self.sink.begin_file(name)?;
        self.bytes(header.as_bytes());
        self.end_row()
    }

    /// Adds bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
    }

    /// Adds one row of `fields`, quoted where it must be.
    pub(super) fn row(&mut self, fields: &[&str]) -> io::Result<()> {
        for (position, field) in fields.iter().enumerate() {
            if position > 0 {
                self.block.push(b',');
            }
            write_field(&mut self.block, field);
        }
        self.end_row()
    }

    /// Ends a row, and hands the block on when it is full.
    pub(super) fn end_row(&mut self) -> io::Result<()> {
        self.block.push(b'\n');
        self.flush_when_full()
    }

    /// Hands the block on when it is full; to be called after rows that brought their own end.
    pub(super) fn flush_when_full(&mut self) -> io::Result<()> {
        if self.block.len() >= BLOCK_BYTES { self.flush() } else { Ok(()) }
    }

    /// Hands on what is left.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.sink.write(&self.block)?;
            self.block.clear();
        }
        Ok(())
    }
}

/// Adds `field`, in quotes when it holds a comma or a quote (RFC 4180).
pub(super) fn write_field(row: &mut Vec<u8>, field: &str) {
    if !field.contains([',', '"']) {
        return row.extend_from_slice(field.as_bytes());
    }
    row.push(b'"');
    row.extend_from_slice(field.replace('"', "\"\"").as_bytes());
    row.push(b'"');
}

/// `HH:MM:SS` of seconds since noon minus 12 h of the service day; panics from 100 h on.
pub(super) fn time_text(time_s: u32) -> [u8; 8] {
    assert!(time_s < 360_000, "a time of {time_s} s does not fit HH:MM:SS");
    let [hours, minutes, seconds] = [time_s / 3600, time_s / 60 % 60, time_s % 60].map(|part| part as u8);
    let tens = |part: u8| b'0' + part / 10;
    let ones = |part: u8| b'0' + part % 10;
    [tens(hours), ones(hours), b':', tens(minutes), ones(minutes), b':', tens(seconds), ones(seconds)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_pass_midnight() {
        assert_eq!(time_text(0), *b"00:00:00");
        assert_eq!(time_text(25 * 3600 + 62), *b"25:01:02");
    }

    #[test]
    fn fields_are_quoted_only_when_they_must_be() {
        let mut row = Vec::new();
        for field in ["plain", "a, b", "a \"b\""] {
            write_field(&mut row, field);
        }
        assert_eq!(row, b"plain\"a, b\"\"a \"\"b\"\"\"");
    }

    #[test]
    fn memory_refuses_bytes_without_a_file() {
        assert!(MemoryFiles::default().write(b"x").is_err());
    }
}
