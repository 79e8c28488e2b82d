//! JSON strings, as RFC 8259 has them.

use crate::index::Index;
use crate::pools::StringPool;

/// Adds `bytes`, which are UTF-8, as they stand between the quotes of a JSON string.
pub(crate) fn write_escaped(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    loop {
        let (plain, others) = rest.split_at(plain_byte_count(rest));
        out.extend_from_slice(plain);
        let Some((byte, after)) = others.split_first() else { return };
        rest = after;
        match *byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x0c => out.extend_from_slice(b"\\f"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            control => out.extend_from_slice(format!("\\u{control:04x}").as_bytes()),
        }
    }
}

/// How many bytes at the start of `bytes` stand in JSON as they are, found eight at a time.
fn plain_byte_count(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH_BITS: u64 = u64::from_le_bytes([0x80; 8]);
    let (words, _) = bytes.as_chunks::<8>();
    // The high bit of a byte that is below `bound`; what the subtraction borrows only reaches later bytes.
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word & HIGH_BITS;
    let is_plain_word = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        let is_byte = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
        below(word, 0x20) | is_byte(b'"') | is_byte(b'\\') == 0
    };
    let plain_words = words.iter().take_while(|word| is_plain_word(word)).count();
    let rest = &bytes[plain_words * 8..];
    plain_words * 8 + rest.iter().take_while(|byte| is_plain(**byte)).count()
}

/// How many bytes [`write_escaped`] adds.
pub(crate) fn escaped_byte_count(bytes: &[u8]) -> usize {
    let extra = |byte: &u8| match byte {
        byte if is_plain(*byte) => 0,
        b'"' | b'\\' | 0x08 | 0x0c | b'\n' | b'\r' | b'\t' => 1,
        _ => 5,
    };
    bytes.len() + bytes.iter().map(extra).sum::<usize>()
}

/// Whether no string of `strings` needs escaping, as is so with the ids of nearly all feeds.
pub(crate) fn are_plain<K: Index>(strings: &StringPool<K>) -> bool {
    strings.iter().all(|(_, string)| string.bytes().all(is_plain))
}

fn is_plain(byte: u8) -> bool {
    byte >= 0x20 && byte != b'"' && byte != b'\\'
}

/// How many bytes can be copied from the start of each string in one go.
pub(crate) const COPIED_BYTES: usize = 32;

/// Strings as they stand in JSON, packed end to end.
#[derive(Debug, Default, PartialEq, Hash)]
pub(crate) struct JsonStrings {
    /// string -> where it starts; the last one is where the last string ends.
    starts: Vec<usize>,
    /// The strings and [`COPIED_BYTES`] more, so that as many bytes can be copied from the start of each.
    bytes: Vec<u8>,
}

impl JsonStrings {
    pub(crate) fn new<K: Index>(strings: &StringPool<K>) -> Self {
        let (mut starts, mut bytes) = (vec![0], Vec::new());
        for (_, string) in strings.iter() {
            write_escaped(string.as_bytes(), &mut bytes);
            starts.push(bytes.len());
        }
        bytes.resize(bytes.len() + COPIED_BYTES, 0);
        bytes.shrink_to_fit();
        starts.shrink_to_fit();
        Self { starts, bytes }
    }

    /// The first bytes from the start of the string, and how many of these are the string's, all of it.
    ///
    /// `None` for a string that is longer.
    #[inline]
    pub(crate) fn copied(&self, position: usize) -> Option<(&[u8; COPIED_BYTES], usize)> {
        let (start, end) = (self.starts[position], self.starts[position + 1]);
        let bytes = self.bytes[start..].first_chunk()?;
        (end - start <= COPIED_BYTES).then_some((bytes, end - start))
    }

    /// The string at `position`.
    pub(crate) fn get(&self, position: usize) -> &[u8] {
        &self.bytes[self.starts[position]..self.starts[position + 1]]
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(self.starts.as_slice()) + self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn strings_are_escaped_as_the_twin_escapes_them(text in "(\\PC|[ -~]{8,20}|[\u{0}-\u{1f}\"\\\\\u{7f}]){0,20}") {
            let mut escaped = Vec::new();
            write_escaped(text.as_bytes(), &mut escaped);
            prop_assert_eq!(format!("\"{}\"", String::from_utf8(escaped.clone()).unwrap()), serde_json::to_string(&text).unwrap());
            prop_assert_eq!(escaped_byte_count(text.as_bytes()), escaped.len());
        }
    }
}
