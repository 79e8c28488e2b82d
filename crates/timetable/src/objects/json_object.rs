//! Objects as JSON.

use std::io::Write;

use super::{Fields, Flag, Object};
use crate::json::write_escaped;

/// Adds `object` to `out` as compact JSON.
pub fn write_json(object: &impl Object, out: &mut Vec<u8>) {
    let mut fields = JsonFields::begin(out);
    object.write_fields(&mut fields);
    fields.end();
}

/// Adds `text` to `out` as a JSON string with its quotes.
pub fn write_json_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    write_escaped(text.as_bytes(), out);
    out.push(b'"');
}

/// Writes fields between braces.
pub(super) struct JsonFields<'o> {
    out: &'o mut Vec<u8>,
    /// `{` before the first field, `,` before the others.
    before_next: u8,
}

impl<'o> JsonFields<'o> {
    pub(super) fn begin(out: &'o mut Vec<u8>) -> Self {
        Self { out, before_next: b'{' }
    }

    pub(super) fn end(self) {
        // An object without fields still has both braces.
        if self.before_next == b'{' {
            self.out.push(b'{');
        }
        self.out.push(b'}');
    }

    fn name(&mut self, name: &'static str) {
        self.out.push(self.before_next);
        self.before_next = b',';
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }
}

impl Fields for JsonFields<'_> {
    fn text(&mut self, name: &'static str, value: &str) {
        self.name(name);
        write_json_string(value, self.out);
    }

    fn number(&mut self, name: &'static str, value: i64) {
        self.name(name);
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
    }

    fn decimal(&mut self, name: &'static str, value: f64) {
        self.name(name);
        write!(self.out, "{value}").expect(MEMORY);
    }

    fn flag(&mut self, name: &'static str, value: Flag) {
        self.name(name);
        self.out.extend_from_slice(if value == Flag::Yes { b"true" } else { b"false" });
    }

    fn texts(&mut self, name: &'static str, values: impl Iterator<Item = String>) {
        self.name(name);
        write_array(values, self.out, |value, out| write_json_string(&value, out));
    }

    fn objects<O: Object>(&mut self, name: &'static str, objects: impl Iterator<Item = O>) {
        self.name(name);
        write_array(objects, self.out, |object, out| write_json(&object, out));
    }
}

/// Why writing to a vector is taken for granted.
pub(super) const MEMORY: &str = "writing to memory does not fail";

pub(super) fn write_array<T>(
    values: impl Iterator<Item = T>,
    out: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    out.push(b'[');
    for (position, value) in values.enumerate() {
        if position > 0 {
            out.push(b',');
        }
        write(value, out);
    }
    out.push(b']');
}
