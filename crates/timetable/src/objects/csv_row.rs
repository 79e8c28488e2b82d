//! Objects as lines of CSV (RFC 4180), in the layout of a GTFS file: a header, commas, line feeds.

use std::io::Write;

use super::json_object::MEMORY;
use super::{Fields, Flag, Object};

/// Adds the names of an object's fields to `out`.
pub fn write_csv_header<O: Object>(out: &mut Vec<u8>) {
    out.extend_from_slice(O::FIELDS.join(",").as_bytes());
    out.push(b'\n');
}

/// Adds `object` to `out` as a line under that header.
pub fn write_csv_row<O: Object>(object: &O, out: &mut Vec<u8>) {
    let mut fields = CsvFields { out, names: O::FIELDS.iter(), is_first: true };
    object.write_fields(&mut fields);
    let CsvFields { out, names, is_first } = fields;
    out.extend(std::iter::repeat_n(b',', names.len() - usize::from(is_first && names.len() > 0)));
    out.push(b'\n');
}

struct CsvFields<'o> {
    out: &'o mut Vec<u8>,
    /// The names that are still to come.
    names: std::slice::Iter<'static, &'static str>,
    is_first: bool,
}

impl CsvFields<'_> {
    /// Goes on to the field called `name`, past those without a value.
    fn advance(&mut self, name: &'static str) {
        loop {
            let next = self.names.next().expect("an object says its fields in their order");
            if !std::mem::take(&mut self.is_first) {
                self.out.push(b',');
            }
            if *next == name {
                return;
            }
        }
    }
}

impl Fields for CsvFields<'_> {
    fn text(&mut self, name: &'static str, value: &str) {
        self.advance(name);
        let is_quoted = value.contains([',', '"', '\n', '\r']) || value.starts_with(' ') || value.ends_with(' ');
        if is_quoted {
            write!(self.out, "\"{}\"", value.replace('"', "\"\"")).expect(MEMORY);
        } else {
            self.out.extend_from_slice(value.as_bytes());
        }
    }

    fn number(&mut self, name: &'static str, value: i64) {
        self.advance(name);
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    fn decimal(&mut self, name: &'static str, value: f64) {
        self.advance(name);
        write!(self.out, "{value}").expect(MEMORY);
    }

    fn flag(&mut self, name: &'static str, value: Flag) {
        // As GTFS has it in its files.
        self.number(name, i64::from(value == Flag::Yes));
    }

    fn texts(&mut self, name: &'static str, values: impl Iterator<Item = String>) {
        self.text(name, &values.collect::<Vec<_>>().join(" "));
    }

    fn objects<O: Object>(&mut self, _: &'static str, _: impl Iterator<Item = O>) {}
}
