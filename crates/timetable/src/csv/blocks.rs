//! Cuts a stream of bytes into blocks of whole records.

use std::io::{self, Read};

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::record::count_lines;

/// A block's usual size: large enough that taking one costs little, small enough to stay in a core's own cache while
/// it is read, inflated, cut and scanned.
const BLOCK_BYTES: usize = 256 << 10;

/// A record may not be longer, so that a quote that is never closed cannot take the memory of the machine.
pub(crate) const RECORD_BYTES_MAX: usize = 1 << 20;

/// The byte-order mark that some programs put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Some whole records of a file.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) bytes: Vec<u8>,
    /// The line on which the block begins, counted from 1.
    pub(crate) line: u64,
}

/// Why there is no next block.
#[derive(Debug)]
pub(crate) enum BlockError {
    /// The source could not be read.
    Read(io::Error),
    /// A record that begins on this line has over [`RECORD_BYTES_MAX`] bytes.
    LongRecord { line: u64 },
}

/// The blocks of one file in order: what the threads that scan it take turns to take from.
pub(crate) struct Blocks<'f> {
    source: Box<dyn Read + Send + 'f>,
    /// The beginning of a record whose end has not been read.
    carry: Vec<u8>,
    line: u64,
    /// Whether what was read last has neither quotes nor carriage returns.
    is_plain: bool,
    is_at_end: bool,
}

impl<'f> Blocks<'f> {
    pub(crate) fn new(source: Box<dyn Read + Send + 'f>) -> Self {
        Self { source, carry: Vec::new(), line: 1, is_plain: false, is_at_end: false }
    }

    /// Puts the next records in `block`, whose memory is used again; false when there are none.
    pub(crate) fn take(&mut self, block: &mut Block) -> Result<bool, BlockError> {
        let bytes = &mut block.bytes;
        let mut length = self.carry.len();
        let mut wanted = BLOCK_BYTES.max(length);
        // What is left of the block before is overwritten, and not cleared first.
        bytes.resize(bytes.len().max(wanted), 0);
        bytes[..length].copy_from_slice(&self.carry);
        self.carry.clear();
        while !self.is_at_end {
            self.fill(bytes, &mut length, wanted).map_err(BlockError::Read)?;
            // One look for all that makes a block hard: hardly any file has any of it.
            self.is_plain = memchr2(b'"', b'\r', &bytes[..length]).is_none();
            let records_end = match self.is_plain {
                _ if self.is_at_end => length,
                true => memrchr(b'\n', &bytes[..length]).map_or(0, |position| position + 1),
                false => end_of_records(&bytes[..length]),
            };
            if records_end > 0 {
                self.carry.extend_from_slice(&bytes[records_end..length]);
                length = records_end;
                break;
            }
            if length > RECORD_BYTES_MAX {
                return Err(BlockError::LongRecord { line: self.line });
            }
            wanted = length + BLOCK_BYTES;
        }
        bytes.truncate(length);
        block.line = self.line;
        self.line += if self.is_plain { memchr_iter(b'\n', bytes).count() as u64 } else { count_lines(bytes) };
        Ok(length > 0)
    }

    /// Reads behind the first `length` bytes until there are `wanted` or the source ends; takes a byte-order mark off the
    /// file's beginning.
    fn fill(&mut self, bytes: &mut Vec<u8>, length: &mut usize, wanted: usize) -> io::Result<()> {
        let is_beginning = self.line == 1 && *length == 0;
        bytes.resize(bytes.len().max(wanted), 0);
        while *length < wanted {
            match self.source.read(&mut bytes[*length..wanted]) {
                Ok(0) => {
                    self.is_at_end = true;
                    break;
                }
                Ok(count) => *length += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if is_beginning && bytes[..*length].starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
            *length -= BYTE_ORDER_MARK.len();
        }
        Ok(())
    }
}

/// Where the last whole record of `bytes`, which begin with a record, ends; 0 when there is none.
fn end_of_records(bytes: &[u8]) -> usize {
    if memchr(b'"', bytes).is_some() {
        return end_of_quoted_records(bytes);
    }
    // A carriage return at the very end may be half of a line's end.
    let line_feed = memrchr(b'\n', bytes);
    let line_end = line_feed.or_else(|| memrchr(b'\r', &bytes[..bytes.len().saturating_sub(1)]));
    line_end.map_or(0, |position| position + 1)
}

/// The same where line ends may be quoted: every byte changes the state as RFC 4180 says.
fn end_of_quoted_records(bytes: &[u8]) -> usize {
    enum State {
        FieldStart,
        Unquoted,
        Quoted,
        QuoteInQuoted,
    }
    let mut state = State::FieldStart;
    let mut end = 0;
    for (position, byte) in bytes.iter().enumerate() {
        state = match (state, byte) {
            (State::FieldStart | State::QuoteInQuoted, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::QuoteInQuoted,
            (State::Quoted, _) => State::Quoted,
            (_, b',') => State::FieldStart,
            (_, b'\n') => {
                end = position + 1;
                State::FieldStart
            }
            (_, b'\r') => {
                if position + 1 < bytes.len() && bytes[position + 1] != b'\n' {
                    end = position + 1;
                }
                State::FieldStart
            }
            _ => State::Unquoted,
        };
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks_of(text: &[u8]) -> Result<Vec<(u64, Vec<u8>)>, BlockError> {
        let mut blocks = Blocks::new(Box::new(text));
        let (mut block, mut taken) = (Block::default(), Vec::new());
        while blocks.take(&mut block)? {
            taken.push((block.line, block.bytes.clone()));
        }
        Ok(taken)
    }

    #[test]
    fn blocks_end_with_records_and_lose_nothing() {
        let text: Vec<u8> =
            (0..60_000).flat_map(|row| format!("{row},\"two\nlines, {row}\"\r\n").into_bytes()).collect();
        let blocks = blocks_of(&text).unwrap();
        assert!(blocks.len() > 3);
        assert_eq!(blocks.iter().flat_map(|(_, bytes)| bytes.clone()).collect::<Vec<u8>>(), text);
        let mut line = 1;
        for (block_line, bytes) in &blocks {
            assert!(bytes.ends_with(b"\"\r\n"));
            assert_eq!(*block_line, line);
            line += count_lines(bytes);
        }
    }

    #[test]
    fn a_byte_order_mark_is_taken_off_the_first_line_only() {
        let blocks = blocks_of(b"\xef\xbb\xbfa\n\xef\xbb\xbfb").unwrap();
        assert_eq!(blocks, [(1, b"a\n\xef\xbb\xbfb".to_vec())]);
    }

    #[test]
    fn a_record_at_the_limit_is_read_and_one_over_it_is_refused() {
        let mut text = vec![b'x'; RECORD_BYTES_MAX - 1];
        text.push(b'\n');
        text.extend_from_slice(b"y\n");
        assert_eq!(blocks_of(&text).unwrap().into_iter().flat_map(|(_, bytes)| bytes).collect::<Vec<u8>>(), text);
        let endless = [b"a\nb,\"".as_slice(), &vec![b'\n'; 3 << 20]].concat();
        assert!(matches!(blocks_of(&endless), Err(BlockError::LongRecord { line: 2 })));
    }

    #[test]
    fn carriage_returns_alone_end_records_too() {
        let text = b"one\r".repeat(100_000);
        let blocks = blocks_of(&text).unwrap();
        assert!(blocks.len() > 1 && blocks.iter().all(|(_, bytes)| bytes.ends_with(b"\r")));
    }
}
