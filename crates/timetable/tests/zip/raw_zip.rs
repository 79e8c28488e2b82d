//! Zips built byte by byte, right unless a test says otherwise; the fields are those of PKWARE's APPNOTE.TXT.

use std::io::Write;

/// An entry and what its headers tell of it, true or not.
#[derive(Clone, Debug)]
pub(crate) struct RawEntry {
    pub(crate) name: Vec<u8>,
    pub(crate) data: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) crc32: u32,
    pub(crate) compressed_size: u32,
    pub(crate) uncompressed_size: u32,
    /// Where the central directory says that the entry begins; `None` is the truth.
    pub(crate) header_offset: Option<u32>,
    /// The extra field in the central directory.
    pub(crate) extra: Vec<u8>,
}

/// Bytes that are stored as they are.
pub(crate) fn stored(name: &str, content: &[u8]) -> RawEntry {
    RawEntry {
        name: name.into(),
        data: content.to_vec(),
        method: 0,
        flags: 0,
        crc32: crc32(content),
        compressed_size: content.len() as u32,
        uncompressed_size: content.len() as u32,
        header_offset: None,
        extra: Vec::new(),
    }
}

/// Bytes that are deflated as well as can be.
pub(crate) fn deflated(name: &str, content: &[u8]) -> RawEntry {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(content).unwrap();
    let data = encoder.finish().unwrap();
    RawEntry { compressed_size: data.len() as u32, data, method: 8, ..stored(name, content) }
}

/// A zip and what its end record tells of it, true or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawZip {
    pub(crate) entries: Vec<RawEntry>,
    pub(crate) comment: Vec<u8>,
    /// `None` is the truth, in this and the next.
    pub(crate) entry_count: Option<u16>,
    pub(crate) directory_offset: Option<u32>,
    /// Whether a Zip64 end record tells the count, size and offset instead; its fields are then these, if any.
    pub(crate) zip64: Option<Zip64>,
}

/// What the Zip64 end record tells; `None` is the truth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Zip64 {
    pub(crate) entry_count: Option<u64>,
    pub(crate) directory_size: Option<u64>,
    pub(crate) directory_offset: Option<u64>,
}

impl RawZip {
    pub(crate) fn of(entries: &[RawEntry]) -> Self {
        Self { entries: entries.to_vec(), ..Self::default() }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut header_offsets = Vec::new();
        for entry in &self.entries {
            header_offsets.push(out.len() as u32);
            out.extend(b"PK\x03\x04\x14\x00");
            put_shared_fields(&mut out, entry, 0);
            out.extend(&entry.name);
            out.extend(&entry.data);
        }
        let directory_offset = out.len() as u32;
        for (entry, header_offset) in self.entries.iter().zip(header_offsets) {
            out.extend(b"PK\x01\x02\x14\x00\x14\x00");
            put_shared_fields(&mut out, entry, entry.extra.len() as u16);
            out.extend([0; 10]);
            out.extend(entry.header_offset.unwrap_or(header_offset).to_le_bytes());
            out.extend(&entry.name);
            out.extend(&entry.extra);
        }
        let directory_size = out.len() as u32 - directory_offset;
        let mut told = (self.entries.len() as u16, directory_size, directory_offset);
        if let Some(zip64) = &self.zip64 {
            put_zip64_records(&mut out, zip64, told);
            told = (u16::MAX, u32::MAX, u32::MAX);
        }
        let count = self.entry_count.unwrap_or(told.0);
        let directory_offset = self.directory_offset.unwrap_or(told.2);
        out.extend(end_record(count, told.1, directory_offset, &self.comment));
        out
    }
}

/// An end of central directory record.
pub(crate) fn end_record(count: u16, directory_size: u32, directory_offset: u32, comment: &[u8]) -> Vec<u8> {
    let mut out = b"PK\x05\x06\0\0\0\0".to_vec();
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(directory_size.to_le_bytes());
    out.extend(directory_offset.to_le_bytes());
    out.extend((comment.len() as u16).to_le_bytes());
    out.extend(comment);
    out
}

/// The Zip64 extra field, with the sizes and the offset that do not fit in a header.
pub(crate) fn zip64_extra(values: &[u64]) -> Vec<u8> {
    let mut out = 1_u16.to_le_bytes().to_vec();
    out.extend((8 * values.len() as u16).to_le_bytes());
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    out
}

pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn put_shared_fields(out: &mut Vec<u8>, entry: &RawEntry, extra_length: u16) {
    out.extend(entry.flags.to_le_bytes());
    out.extend(entry.method.to_le_bytes());
    out.extend([0; 4]);
    out.extend(entry.crc32.to_le_bytes());
    out.extend(entry.compressed_size.to_le_bytes());
    out.extend(entry.uncompressed_size.to_le_bytes());
    out.extend((entry.name.len() as u16).to_le_bytes());
    out.extend(extra_length.to_le_bytes());
}

fn put_zip64_records(out: &mut Vec<u8>, zip64: &Zip64, (count, directory_size, directory_offset): (u16, u32, u32)) {
    let record_offset = out.len() as u64;
    let count = zip64.entry_count.unwrap_or(u64::from(count));
    out.extend(b"PK\x06\x06");
    out.extend(44_u64.to_le_bytes());
    out.extend([45, 0, 45, 0]);
    out.extend([0; 8]);
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(zip64.directory_size.unwrap_or(u64::from(directory_size)).to_le_bytes());
    out.extend(zip64.directory_offset.unwrap_or(u64::from(directory_offset)).to_le_bytes());
    out.extend(b"PK\x06\x07");
    out.extend(0_u32.to_le_bytes());
    out.extend(record_offset.to_le_bytes());
    out.extend(1_u32.to_le_bytes());
}
