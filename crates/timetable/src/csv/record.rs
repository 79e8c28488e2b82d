//! One record of a block: where its fields lie.

use memchr::memchr_iter;

/// The fields of one record; reused from record to record.
///
/// A field lies in the block itself, or, when doubled quotes had to be taken out, in `unescaped`.
#[derive(Debug, Default)]
pub(crate) struct Record<'b> {
    pub(super) block: &'b [u8],
    pub(super) line: u64,
    pub(super) fields: Vec<(u32, u32)>,
    pub(super) unescaped: Vec<u8>,
    pub(super) source: FieldSource,
}

/// Which bytes `Record::fields` speaks of.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldSource {
    #[default]
    Block,
    Unescaped,
}

impl<'b> Record<'b> {
    /// A record of `block`, with no fields yet.
    pub(crate) fn new(block: &'b [u8]) -> Self {
        Self { block, ..Self::default() }
    }

    /// The line on which the record begins, counted from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// How many fields there are.
    pub(crate) fn len(&self) -> usize {
        self.fields.len()
    }

    /// Where the field at `column` ends in the block; `None` when there is no such field or it lies elsewhere.
    pub(crate) fn end_in_block(&self, column: usize) -> Option<usize> {
        let field = self.fields.get(column).filter(|_| self.source == FieldSource::Block);
        field.map(|(_, end)| *end as usize)
    }

    /// The field at `column` without its padding spaces and tabs; empty when the record is too short.
    #[inline]
    pub(crate) fn field(&self, column: usize) -> &[u8] {
        let Some(&(start, end)) = self.fields.get(column) else { return b"" };
        let bytes = match self.source {
            FieldSource::Block => self.block,
            FieldSource::Unescaped => &self.unescaped,
        };
        let field = &bytes[start as usize..end as usize];
        // One test for both ends, since hardly any field is padded.
        let is_padded = field.first().min(field.last()).is_some_and(|byte| *byte <= b' ');
        if is_padded { trim(field) } else { field }
    }
}

/// `field` without the spaces and tabs around it.
#[cold]
fn trim(mut field: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = field {
        field = rest;
    }
    field
}

/// How many lines end in `bytes`: with a line feed, or with a carriage return that none follows.
pub(super) fn count_lines(bytes: &[u8]) -> u64 {
    let line_feeds = memchr_iter(b'\n', bytes).count();
    let lone_returns = memchr_iter(b'\r', bytes).filter(|position| ends_line(bytes, *position)).count();
    (line_feeds + lone_returns) as u64
}

/// Whether the line feed or carriage return at `position` ends a line: of the two together, the second one does.
#[inline]
pub(super) fn ends_line(bytes: &[u8], position: usize) -> bool {
    bytes[position] == b'\n' || bytes.get(position + 1) != Some(&b'\n')
}
