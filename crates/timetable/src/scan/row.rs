//! One row of a file: its fields as values, and what is wrong with them as problems.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use jiff::civil::Date;

use crate::calendar::read_date;
use crate::csv::{Header, Record};
use crate::index::{Index, OptionIdx, TextIdx};
use crate::pools::StringPool;
use crate::problem::{FeedError, ProblemKind, Problems};
use crate::time::{OptionTime, Time};

/// A column by its name in the reference; its position is `None` when the file does not have it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Column {
    name: &'static str,
    pub(super) position: Option<usize>,
}

/// The columns of one file.
pub(crate) struct Columns<'h> {
    file: &'static str,
    header: &'h Header,
}

impl<'h> Columns<'h> {
    pub(crate) fn new(file: &'static str, header: &'h Header) -> Self {
        Self { file, header }
    }

    /// The column called `name`, which may be missing.
    pub(crate) fn find(&self, name: &'static str) -> Column {
        Column { name, position: self.header.find(name) }
    }

    /// The column called `name`, without which the file means nothing.
    pub(crate) fn get(&self, name: &'static str) -> Result<Column, FeedError> {
        let column = self.find(name);
        if column.position.is_none() {
            return Err(FeedError::MissingColumn {
                file: self.file,
                column: name,
                found: self.header.names().to_vec(),
            });
        }
        Ok(column)
    }
}

/// A row, with all that is needed to say what is wrong with it.
pub(crate) struct Row<'r, 'b> {
    pub(super) file: &'static str,
    pub(super) header: &'r Header,
    pub(super) record: &'r Record<'b>,
    pub(super) problems: &'r mut Problems,
    /// Whether something has been found wrong with the row so far.
    pub(super) has_problem: bool,
    /// Whether the row, though nothing is wrong with it, says nothing that is used.
    pub(super) is_left_out: bool,
}

impl<'r, 'b> Row<'r, 'b> {
    #[inline]
    pub(crate) fn new(
        file: &'static str,
        header: &'r Header,
        record: &'r Record<'b>,
        problems: &'r mut Problems,
    ) -> Self {
        let mut row = Self { file, header, record, problems, has_problem: false, is_left_out: false };
        if record.len() != header.names().len() {
            row.report_field_count();
        }
        row
    }

    /// Counts a row with too many or too few fields, which is used all the same: each field is where the header says.
    #[cold]
    fn report_field_count(&mut self) {
        let found = format!("{} fields", self.record.len());
        let expected = format!("{} as in the header", self.header.names().len());
        self.has_problem = true;
        self.problems.add(ProblemKind::FieldCount, (self.file, self.record.line(), ""), found.as_bytes(), expected);
    }

    /// The line on which the row begins.
    pub(crate) fn line(&self) -> u64 {
        self.record.line()
    }

    /// The field's bytes without padding; empty when the column is missing.
    #[inline]
    pub(crate) fn bytes(&self, column: Column) -> &'r [u8] {
        column.position.map_or(b"", |position| self.record.field(position))
    }

    /// Counts a problem with a field.
    #[cold]
    pub(crate) fn report(&mut self, kind: ProblemKind, column: Column, expected: impl std::fmt::Display) {
        let found = self.bytes(column);
        self.has_problem = true;
        self.problems.add(kind, (self.file, self.record.line(), column.name), found, expected);
    }

    /// Counts a problem with a field that must be there, if it is empty; a wrong one has been reported already.
    #[cold]
    pub(crate) fn report_missing(&mut self, column: Column, expected: &str) {
        if self.bytes(column).is_empty() {
            self.report(ProblemKind::MissingValue, column, expected);
        }
    }

    /// The field as text; bytes that are no UTF-8 are reported and replaced.
    pub(crate) fn text(&mut self, column: Column) -> Cow<'r, str> {
        let bytes = self.bytes(column);
        match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => {
                self.report(ProblemKind::InvalidUtf8, column, "UTF-8");
                let text = String::from_utf8_lossy(bytes);
                self.problems.add_replaced_bytes(text.len() - bytes.len());
                text
            }
        }
    }

    /// The field as an id that must be there; `None`, reported, when it is empty.
    pub(crate) fn id(&mut self, column: Column) -> Option<Cow<'r, str>> {
        let id = self.text(column);
        if id.is_empty() {
            self.report(ProblemKind::MissingValue, column, "an id");
            return None;
        }
        Some(id)
    }

    /// The field as a text of the pool; none when it is empty.
    pub(crate) fn pooled(&mut self, column: Column, texts: &mut StringPool<TextIdx>) -> OptionIdx<TextIdx> {
        if self.bytes(column).is_empty() {
            return OptionIdx::NONE;
        }
        Some(texts.find_bytes(self.bytes(column)).unwrap_or_else(|| texts.intern(&self.text(column)))).into()
    }

    /// The field as a whole number; `None` when it is empty, or, reported, when it is out of `range` or no number.
    pub(crate) fn number(&mut self, column: Column, range: RangeInclusive<u32>) -> Option<u32> {
        let bytes = self.bytes(column);
        if bytes.is_empty() {
            return None;
        }
        let number = read_number(bytes).filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most) = (range.start(), range.end());
            self.report(ProblemKind::InvalidNumber, column, format_args!("a whole number from {least} to {most}"));
        }
        number
    }

    /// The field as a code from 0 to `last`; `empty` stands for an empty one, and for a wrong one, which is reported.
    #[inline]
    pub(crate) fn code(&mut self, column: Column, last: u8, empty: u8) -> u8 {
        match self.bytes(column) {
            [] => empty,
            [digit] if (b'0'..=b'0' + last).contains(digit) => digit - b'0',
            _ => self.number(column, 0..=u32::from(last)).map_or(empty, |code| code as u8),
        }
    }

    /// The field as degrees from `-limit` to `limit`; `None` when it is empty or, reported, when it is not that.
    pub(crate) fn degrees(&mut self, column: Column, limit: f64) -> Option<f64> {
        let text = std::str::from_utf8(self.bytes(column)).unwrap_or("?");
        if text.is_empty() {
            return None;
        }
        let degrees = text.parse().ok().filter(|degrees: &f64| degrees.abs() <= limit);
        if degrees.is_none() {
            self.report(ProblemKind::InvalidNumber, column, format_args!("degrees from -{limit} to {limit}"));
        }
        degrees
    }

    /// The field as a date; `None`, reported, when it is empty or none.
    pub(crate) fn date(&mut self, column: Column) -> Option<Date> {
        let date = read_date(self.bytes(column));
        if date.is_none() {
            let is_missing = self.bytes(column).is_empty();
            let kind = if is_missing { ProblemKind::MissingValue } else { ProblemKind::InvalidDate };
            self.report(kind, column, "YYYYMMDD");
        }
        date
    }

    /// The field as a time; none when it is empty or, reported, when it is no time.
    #[inline]
    pub(crate) fn time(&mut self, column: Column) -> OptionTime {
        let bytes = self.bytes(column);
        let time = Time::read(bytes);
        if time.is_none() && !bytes.is_empty() {
            self.report(ProblemKind::InvalidTime, column, "HH:MM:SS");
        }
        time.into()
    }
}

/// Reads a whole number of digits alone.
#[inline]
pub(super) fn read_number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u32, |number, digit| {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number.checked_mul(10)?.checked_add(u32::from(digit))
    })
}

/// Ids that rows of one file refer to in another one, each with the first line that does.
#[derive(Debug)]
pub(crate) struct Referred<K> {
    pub(crate) ids: StringPool<K>,
    /// id -> the first line that refers to it.
    pub(crate) lines: Vec<u64>,
    /// id -> the id that came after it the last time: rows come in the order of a trip's stops, or by route.
    followers: Vec<OptionIdx<K>>,
    /// The id of the row before.
    last: OptionIdx<K>,
}

impl<K: Index> Referred<K> {
    /// The index of the id that the row has in `column`; none when it is empty.
    #[inline]
    pub(crate) fn refer(&mut self, row: &mut Row<'_, '_>, column: Column) -> OptionIdx<K> {
        let bytes = row.bytes(column);
        if bytes.is_empty() {
            return OptionIdx::NONE;
        }
        let guess = self.last.get().and_then(|last| self.followers[last.position()].get());
        let id = guess.filter(|guess| self.ids.get_bytes(*guess) == bytes).unwrap_or_else(|| {
            let id = self.ids.find_bytes(bytes).unwrap_or_else(|| self.add(row, column));
            if let Some(last) = self.last.get() {
                self.followers[last.position()] = Some(id).into();
            }
            id
        });
        self.last = Some(id).into();
        self.last
    }

    /// The index of the empty id, for a row on line `line` that has none.
    #[cold]
    pub(crate) fn refer_to_nothing(&mut self, line: u64) -> K {
        self.intern("", line)
    }

    #[cold]
    fn add(&mut self, row: &mut Row<'_, '_>, column: Column) -> K {
        let id = row.text(column);
        self.intern(&id, row.line())
    }

    fn intern(&mut self, id: &str, line: u64) -> K {
        let Self { ids, lines, followers, .. } = self;
        let add = |_: &K| {
            lines.push(line);
            followers.push(OptionIdx::NONE);
        };
        ids.try_intern(id).inspect(add).unwrap_or_else(|known| known)
    }
}

impl<K: Index> Default for Referred<K> {
    fn default() -> Self {
        Self { ids: StringPool::new(), lines: Vec::new(), followers: Vec::new(), last: OptionIdx::NONE }
    }
}
