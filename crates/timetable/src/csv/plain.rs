//! The plain way to find records: the library `csv-core`, byte for byte.

use csv_core::{ReadRecordResult, Reader};

use super::record::{FieldSource, Record, count_lines, ends_line};

/// The records of a block, by `csv-core`.
pub(crate) struct PlainRecords<'b> {
    block: &'b [u8],
    position: usize,
    line: u64,
    reader: PlainReader,
}

impl<'b> PlainRecords<'b> {
    /// The records of `block`, which begins on line `line`.
    pub(crate) fn new(block: &'b [u8], line: u64) -> Self {
        Self { block, position: 0, line, reader: PlainReader::new() }
    }

    /// Puts the next record in `record`; false when there is none.
    pub(crate) fn read(&mut self, record: &mut Record<'b>) -> bool {
        // Blank lines are no records, but they count as lines.
        while let Some(b'\n' | b'\r') = self.block.get(self.position) {
            self.line += u64::from(ends_line(self.block, self.position));
            self.position += 1;
        }
        record.line = self.line;
        let rest = &self.block[self.position..];
        let Some(byte_count) = self.reader.read(rest, record) else { return false };
        self.line += count_lines(&rest[..byte_count]);
        self.position += byte_count;
        true
    }

    /// Where the next record begins, and on which line.
    pub(super) fn position(&self) -> (usize, u64) {
        (self.position, self.line)
    }
}

/// One record at a time, from any place where one begins.
pub(super) struct PlainReader {
    reader: Reader,
    ends: Vec<usize>,
}

impl PlainReader {
    pub(super) fn new() -> Self {
        let mut reader = Reader::new();
        // The library drops a byte-order mark from the first bytes that it sees; here these are seldom a file's first.
        reader.read_record(b"\n", &mut [], &mut []);
        Self { reader, ends: vec![0; 64] }
    }

    /// Puts the first record of `bytes` in `record` and gives its length with its line end; `None` when there is none.
    pub(super) fn read(&mut self, bytes: &[u8], record: &mut Record<'_>) -> Option<usize> {
        let Self { reader, ends } = self;
        let (mut read, mut written, mut ended) = (0, 0, 0);
        record.source = FieldSource::Unescaped;
        record.unescaped.resize(1024, 0);
        loop {
            let (result, read_now, written_now, ended_now) =
                reader.read_record(&bytes[read..], &mut record.unescaped[written..], &mut ends[ended..]);
            (read, written, ended) = (read + read_now, written + written_now, ended + ended_now);
            match result {
                ReadRecordResult::OutputFull => record.unescaped.resize(record.unescaped.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => ends.resize(ends.len() * 2, 0),
                // The library learns of the end of the bytes by a second, empty read.
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::Record => break,
                ReadRecordResult::End => return None,
            }
        }
        record.fields.clear();
        let mut start = 0;
        for &end in &ends[..ended] {
            record.fields.push((start, end as u32));
            start = end as u32;
        }
        // The library leaves the line feed behind a carriage return for its next record.
        let is_pair = bytes[..read].ends_with(b"\r") && bytes.get(read) == Some(&b'\n');
        Some(read + usize::from(is_pair))
    }
}
