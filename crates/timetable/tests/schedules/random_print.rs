//! Writes rows as CSV in one of the many ways in which agencies write them, as drawn by `proptest`.

use proptest::prelude::*;

/// A file before it is printed; every row has as many fields as there are columns.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Vec<u8>>>,
}

/// How a file is printed. All zeros and empty is the plainest way, towards which `proptest` shrinks.
#[derive(Clone, Debug)]
pub(crate) struct Print {
    /// Position in print -> column of the table.
    column_order: Vec<usize>,
    line_ends: LineEnds,
    last_line: LastLine,
    start: Start,
    /// One draw for each field and line in turn, over and over.
    whims: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
enum LineEnds {
    Lf,
    Crlf,
    EachInTurn,
}

/// What happens to a line other than the header.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LineWhim {
    Whole,
    BlankBefore,
    /// Ends before its trailing empty fields.
    Short,
    /// Has a field more than there are columns.
    Long,
}

impl LineWhim {
    fn drawn(whim: u8) -> Self {
        match whim % 8 {
            5 => Self::Long,
            6 => Self::Short,
            7 => Self::BlankBefore,
            _ => Self::Whole,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum LastLine {
    Ended,
    Open,
}

#[derive(Clone, Copy, Debug)]
enum Start {
    Plain,
    ByteOrderMark,
}

/// Any print of a file of so many columns.
pub(crate) fn prints(column_count: usize) -> impl Strategy<Value = Print> {
    let column_order = Just((0..column_count).collect::<Vec<_>>()).prop_shuffle();
    let line_ends = prop_oneof![Just(LineEnds::Lf), Just(LineEnds::Crlf), Just(LineEnds::EachInTurn)];
    let last_line = prop_oneof![Just(LastLine::Ended), Just(LastLine::Open)];
    let start = prop_oneof![Just(Start::Plain), Just(Start::ByteOrderMark)];
    let whims = prop::collection::vec(any::<u8>(), 1..64);
    (column_order, line_ends, last_line, start, whims).prop_map(|(column_order, line_ends, last_line, start, whims)| {
        Print { column_order, line_ends, last_line, start, whims }
    })
}

impl Print {
    /// Columns as they come, LF, no quotes that are not needed.
    pub(crate) fn plain(column_count: usize) -> Self {
        Self {
            column_order: (0..column_count).collect(),
            line_ends: LineEnds::Lf,
            last_line: LastLine::Ended,
            start: Start::Plain,
            whims: vec![0],
        }
    }

    /// The bytes of the file.
    pub(crate) fn write(&self, table: &Table) -> Vec<u8> {
        let mut whims = self.whims.iter().copied().cycle();
        let mut text = match self.start {
            Start::Plain => Vec::new(),
            Start::ByteOrderMark => b"\xef\xbb\xbf".to_vec(),
        };
        let header = table.columns.iter().map(|column| column.as_bytes().to_vec()).collect();
        for (number, row) in std::iter::once(&header).chain(&table.rows).enumerate() {
            if number > 0 {
                text.extend_from_slice(self.line_end(number));
            }
            let whim = whims.next().unwrap_or(0);
            let line_whim = if number == 0 { LineWhim::Whole } else { LineWhim::drawn(whim) };
            if line_whim == LineWhim::BlankBefore {
                text.extend_from_slice(self.line_end(number + 1));
            }
            let mut fields: Vec<&[u8]> = self.column_order.iter().map(|column| row[*column].as_slice()).collect();
            if line_whim == LineWhim::Short {
                while fields.last().is_some_and(|field| field.is_empty()) {
                    fields.pop();
                }
            }
            if line_whim == LineWhim::Long {
                fields.push(b"surplus");
            }
            for (position, field) in fields.into_iter().enumerate() {
                if position > 0 {
                    text.push(b',');
                }
                write_field(&mut text, field, whims.next().unwrap_or(0));
            }
        }
        if self.last_line == LastLine::Ended {
            text.extend_from_slice(self.line_end(table.rows.len() + 1));
        }
        text
    }

    fn line_end(&self, number: usize) -> &'static [u8] {
        match self.line_ends {
            LineEnds::Crlf => b"\r\n",
            LineEnds::EachInTurn if number.is_multiple_of(2) => b"\r\n",
            LineEnds::Lf | LineEnds::EachInTurn => b"\n",
        }
    }
}

/// Padding goes outside of a bare field and inside of a quoted one, as a space before a quote would make it a letter.
fn write_field(text: &mut Vec<u8>, field: &[u8], whim: u8) {
    let before = [&b""[..], b" ", b"\t", b"  "][usize::from(whim / 2 % 4)];
    let after = [&b""[..], b"  ", b" \t", b" "][usize::from(whim / 8 % 4)];
    let padded = [before, field, after].concat();
    if whim % 2 == 1 || field.iter().any(|byte| b"\",\r\n".contains(byte)) {
        text.push(b'"');
        for byte in padded {
            text.extend(std::iter::repeat_n(byte, if byte == b'"' { 2 } else { 1 }));
        }
        text.push(b'"');
    } else {
        text.extend_from_slice(&padded);
    }
}
