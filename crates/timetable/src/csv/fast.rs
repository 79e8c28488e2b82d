//! The fast way to find records: 64 bytes at a time, only separators looked at.

use super::masks::separators;
use super::plain::PlainReader;
use super::record::{FieldSource, Record, count_lines, ends_line};

/// The records of a block, as [`super::PlainRecords`] gives them, several times faster.
///
/// A record with doubled quotes, or with text between a closing quote and the next comma, is left to the plain way.
pub(crate) struct FastRecords<'b> {
    separators: Separators<'b>,
    record_start: usize,
    line: u64,
    /// Whether records were skipped, which the separators have not followed.
    is_behind: bool,
    /// Made when it is first needed.
    plain: Option<PlainReader>,
}

/// How a try at a record by its separators ended.
enum Outcome {
    /// The record ends at this position, where its line end (if any) begins.
    EndsAt(usize),
    /// Quotes must be taken out of a field.
    NeedsUnescaping,
}

impl<'b> FastRecords<'b> {
    /// The records of `block`, which begins on line `line`.
    pub(crate) fn new(block: &'b [u8], line: u64) -> Self {
        assert!(block.len() < u32::MAX as usize, "blocks are far smaller than 4 GiB");
        Self { separators: Separators::new(block), record_start: 0, line, is_behind: false, plain: None }
    }

    /// Where the next record begins in the block.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.record_start
    }

    /// Passes over the next record, which has `byte_count` bytes and lies on one line with a line feed at its end.
    #[inline]
    pub(crate) fn skip(&mut self, byte_count: usize) {
        self.record_start += byte_count;
        self.line += 1;
        self.is_behind = true;
    }

    /// Puts the next record in `record`; false when there is none.
    #[inline]
    pub(crate) fn read(&mut self, record: &mut Record<'b>) -> bool {
        let block = self.separators.bytes;
        if self.is_behind {
            self.separators.go_to(self.record_start);
            self.is_behind = false;
        }
        while let Some(b'\n' | b'\r') = block.get(self.record_start) {
            self.line += u64::from(ends_line(block, self.record_start));
            self.record_start += 1;
            self.separators.next();
        }
        if self.record_start == block.len() {
            return false;
        }
        record.line = self.line;
        record.source = FieldSource::Block;
        record.fields.clear();
        match self.find_fields(record) {
            Outcome::EndsAt(end) => {
                let is_pair = block[end..].starts_with(b"\r\n");
                if is_pair {
                    self.separators.next();
                }
                self.line += 1;
                self.record_start = (end + 1 + usize::from(is_pair)).min(block.len());
            }
            Outcome::NeedsUnescaping => {
                let rest = &block[self.record_start..];
                let plain = self.plain.get_or_insert_with(PlainReader::new);
                let byte_count = plain.read(rest, record).expect("a byte that ends no line begins a record");
                self.line = record.line + count_lines(&rest[..byte_count]);
                self.record_start += byte_count;
                self.separators.go_to(self.record_start);
            }
        }
        true
    }

    #[inline]
    fn find_fields(&mut self, record: &mut Record<'b>) -> Outcome {
        let block = self.separators.bytes;
        let mut field_start = self.record_start;
        loop {
            let position = self.separators.next();
            match block.get(position) {
                Some(b',') => {
                    record.fields.push((field_start as u32, position as u32));
                    field_start = position + 1;
                }
                // Within an unquoted field a quote is a byte like any other.
                Some(b'"') if position > field_start => {}
                Some(b'"') => {
                    let Some((end, separator)) = self.find_quoted_end() else { return Outcome::NeedsUnescaping };
                    record.fields.push((field_start as u32 + 1, end as u32));
                    if block.get(separator) != Some(&b',') {
                        return Outcome::EndsAt(separator);
                    }
                    field_start = separator + 1;
                }
                _ => {
                    record.fields.push((field_start as u32, position as u32));
                    return Outcome::EndsAt(position);
                }
            }
        }
    }

    /// Where the quoted field just begun ends, and the separator behind its closing quote; `None` when it is not plain.
    fn find_quoted_end(&mut self) -> Option<(usize, usize)> {
        let block = self.separators.bytes;
        loop {
            let position = self.separators.next();
            match block.get(position) {
                Some(b'"') => {
                    let separator = self.separators.next();
                    let is_plain = separator == position + 1 && block.get(separator) != Some(&b'"');
                    return is_plain.then_some((position, separator));
                }
                Some(b',') => {}
                Some(_) => self.line += u64::from(ends_line(block, position)),
                None => return Some((position, position)),
            }
        }
    }
}

/// The positions of all separators in order, and at last the length of the bytes, again and again.
struct Separators<'b> {
    bytes: &'b [u8],
    /// Where the 64 bytes of `mask` begin.
    base: usize,
    /// The separators among these 64 bytes that have not been given yet.
    mask: u64,
}

impl<'b> Separators<'b> {
    fn new(bytes: &'b [u8]) -> Self {
        let mut separators = Self { bytes, base: 0, mask: 0 };
        separators.go_to(0);
        separators
    }

    /// Goes on with the first separator at or behind `position`.
    fn go_to(&mut self, position: usize) {
        self.base = position & !63;
        self.mask = self.mask_at_base() & (u64::MAX << (position & 63));
    }

    #[inline]
    fn next(&mut self) -> usize {
        while self.mask == 0 {
            if self.base >= self.bytes.len() {
                return self.bytes.len();
            }
            self.base += 64;
            self.mask = self.mask_at_base();
        }
        let position = self.base + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        position
    }

    #[inline]
    fn mask_at_base(&self) -> u64 {
        let rest: &[u8] = self.bytes.get(self.base..).unwrap_or_default();
        if let Some(bytes) = rest.first_chunk::<64>() {
            return separators(bytes);
        }
        let mut bytes = [0; 64];
        bytes[..rest.len()].copy_from_slice(rest);
        separators(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::PlainRecords;
    use super::*;
    use proptest::prelude::*;

    type Records = Vec<(u64, Vec<Vec<u8>>)>;

    fn owned(record: &Record<'_>) -> (u64, Vec<Vec<u8>>) {
        (record.line(), (0..record.len()).map(|column| record.field(column).to_vec()).collect())
    }

    fn by_both(block: &[u8]) -> (Records, Records) {
        let (mut fast, mut plain) = (Vec::new(), Vec::new());
        let mut record = Record::new(block);
        let mut records = FastRecords::new(block, 1);
        while records.read(&mut record) {
            fast.push(owned(&record));
        }
        let mut records = PlainRecords::new(block, 1);
        while records.read(&mut record) {
            plain.push(owned(&record));
        }
        (fast, plain)
    }

    #[test]
    fn quotes_are_taken_out_and_lines_are_counted() {
        let (fast, plain) = by_both(b"a,\"b,\nc\"\r\n\r\n\"say \"\"hi\"\"\", d \n\"\"\nlast\"s,\"open");
        let fields = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect::<Vec<_>>();
        let expected = vec![
            (1, fields(&["a", "b,\nc"])),
            (4, fields(&["say \"hi\"", "d"])),
            (5, fields(&[""])),
            (6, fields(&["last\"s", "open"])),
        ];
        assert_eq!(fast, expected);
        assert_eq!(plain, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn hostile_text_gives_the_records_that_the_twin_finds(block in "[a, \"\n\r]{0,200}|(\u{feff}?[ab]{0,40}[,\"\n\r]{1,3}){0,20}") {
            let (fast, plain) = by_both(block.as_bytes());
            prop_assert_eq!(fast, plain);
        }

        #[test]
        fn any_bytes_give_the_records_that_the_twin_finds(block in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (fast, plain) = by_both(&block);
            prop_assert_eq!(fast, plain);
        }
    }
}
