//! The central directory: which entries there are, and where their data lies.
//!
//! The `rawzip` crate reads the records (docs/decisions/0002-zip-reader.md says why); the limits, the check of overlaps
//! and the choice among several end records are ours.

use std::io;
use std::ops::Range;

use rawzip::{CompressionMethod, ErrorKind, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipArchive, ZipLocator};

use super::{ZipError, ZipLimits};
use crate::files::ReadAt;

/// An entry as the central directory tells it; its local file header repeats most of this and is not asked.
#[derive(Debug)]
pub(super) struct Entry {
    /// The name as stored, made UTF-8.
    pub(super) name: String,
    /// How the data is compressed.
    pub(super) method: CompressionMethod,
    /// Whether a password is needed.
    pub(super) is_encrypted: bool,
    /// The CRC-32 that the inflated bytes should have.
    pub(super) crc32: u32,
    /// The inflated bytes that the entry declares, only to be compared with what comes out.
    pub(super) declared_bytes: u64,
    /// Where the entry begins in the zip, with its local file header.
    header_offset: u64,
    /// Where the compressed data lies in the zip.
    pub(super) data: Range<u64>,
}

impl Entry {
    /// Why this entry is refused.
    pub(super) fn error(&self, offset: u64, found: impl Into<String>, expected: impl Into<String>) -> ZipError {
        ZipError::Entry { name: self.name.clone(), offset, found: found.into(), expected: expected.into() }
    }
}

/// An end record's signature may also stand in a comment by chance or by malice; this many are looked at.
const END_RECORDS_MAX: usize = 16;

/// Bytes that may follow a zip, such as the line feed that some server adds to all that it sends.
const BYTES_AFTER_MAX: u64 = 1 << 10;

/// Where an end record may begin, counted from the end of the bytes: it has 22, and its comment at most 65,535.
const END_RECORD_SEARCH_BYTES: u64 = 22 + 65_535 + BYTES_AFTER_MAX;

/// Reads the entries by the last end of central directory record that is right.
///
/// A zip may hold another zip, and if it is cut off or damaged it must not be taken for the inner one. So few bytes may
/// follow the record and its comment, and a wrong record is passed over only if it lies in the comment of an earlier
/// one.
pub(super) fn read_entries<R: ReadAt>(bytes: &R, limits: &ZipLimits) -> Result<Vec<Entry>, ZipError> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let mut search_end = bytes.byte_count();
    let mut last_wrong = None;
    for _ in 0..END_RECORDS_MAX {
        let locator = ZipLocator::new().max_search_space(END_RECORD_SEARCH_BYTES);
        let error = match locator.locate_in_reader(Bounded(bytes), &mut buffer, search_end) {
            Ok(archive) => {
                search_end = archive.eocd_offset();
                match &last_wrong {
                    Some((wrong_offset, _)) if archive.end_offset() <= *wrong_offset => continue,
                    _ => match read_entries_of(&archive, &mut buffer, limits) {
                        Ok(entries) => return Ok(entries),
                        Err(error) => error,
                    },
                }
            }
            Err((_, error)) => match error.eocd_offset() {
                Some(wrong_offset) => {
                    search_end = wrong_offset;
                    archive_error(wrong_offset, &error, "a right end of central directory record")
                }
                None => {
                    let expected = "an end of central directory record, as every zip has";
                    let error = archive_error(search_end, &error, expected);
                    return Err(last_wrong.map_or(error, |(_, last_error)| last_error));
                }
            },
        };
        last_wrong.get_or_insert((search_end, error));
    }
    let (_, error) = last_wrong.expect("the first turn of the loop returns or leaves an error here");
    Err(error)
}

fn read_entries_of<R: ReadAt>(
    archive: &ZipArchive<Bounded<'_, R>>,
    buffer: &mut [u8],
    limits: &ZipLimits,
) -> Result<Vec<Entry>, ZipError> {
    let bytes_after = archive.get_ref().0.byte_count().saturating_sub(archive.end_offset());
    if bytes_after > BYTES_AFTER_MAX {
        let found = format!("{bytes_after} bytes after the end of central directory record and its comment");
        let expected = format!("at most {BYTES_AFTER_MAX}");
        return Err(ZipError::Archive { offset: archive.end_offset(), found, expected });
    }
    let directory_offset = archive.directory_offset();
    let directory_bytes = archive.eocd_offset().saturating_sub(directory_offset);
    if directory_bytes > limits.directory_bytes_max {
        let found = format!("{directory_bytes} bytes of central directory");
        let expected = format!("at most {}", limits.directory_bytes_max);
        return Err(ZipError::Archive { offset: directory_offset, found, expected });
    }
    let mut entries = Vec::new();
    let mut records = archive.entries(buffer);
    let mut record_offset = directory_offset;
    while let Some(record) =
        records.next_entry().map_err(|error| archive_error(record_offset, &error, "a central directory header"))?
    {
        record_offset = record.central_directory_offset();
        if entries.len() == limits.entries_max {
            let found = format!("more than {} entries", limits.entries_max);
            return Err(ZipError::Archive { offset: record_offset, found, expected: "no more".to_owned() });
        }
        let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
        let header_offset = record.local_header_offset();
        let data = match archive.get_entry(record.wayfinder()) {
            Ok(found) => found.compressed_data_range(),
            Err(error) => return Err(header_error(name, header_offset, &error)),
        };
        if data.1 > directory_offset {
            let found = format!("data up to byte {}", data.1);
            let expected = format!("data that ends before the central directory at byte {directory_offset}");
            return Err(ZipError::Entry { name, offset: header_offset, found, expected });
        }
        entries.push(Entry {
            name,
            method: record.compression_method(),
            is_encrypted: record.flags().is_encrypted(),
            crc32: record.crc32(),
            declared_bytes: record.uncompressed_size_hint(),
            header_offset,
            data: data.0..data.1,
        });
    }
    check_count(&entries, archive.entries_hint(), archive.eocd_offset())?;
    check_overlaps(&entries)?;
    Ok(entries)
}

/// Without Zip64 a count has 16 bits, and some writers let it wrap instead of using Zip64.
fn check_count(entries: &[Entry], declared_count: u64, offset: u64) -> Result<(), ZipError> {
    let count = entries.len() as u64;
    if declared_count == count || declared_count == count % (1 << 16) {
        return Ok(());
    }
    let found = format!("{count} entries in the central directory");
    Err(ZipError::Archive { offset, found, expected: format!("{declared_count} as its end record tells") })
}

fn check_overlaps(entries: &[Entry]) -> Result<(), ZipError> {
    let mut by_offset: Vec<&Entry> = entries.iter().collect();
    by_offset.sort_by_key(|entry| entry.header_offset);
    match by_offset.windows(2).find(|pair| pair[1].header_offset < pair[0].data.end) {
        None => Ok(()),
        Some(pair) => {
            let (first, second) = (pair[0].name.clone(), pair[1].name.clone());
            Err(ZipError::Overlap { first, second, offset: pair[1].header_offset })
        }
    }
}

fn archive_error(offset: u64, error: &rawzip::Error, expected: &str) -> ZipError {
    match found_by(error) {
        Ok(found) => ZipError::Archive { offset, found, expected: expected.to_owned() },
        Err(error) => ZipError::Io(error),
    }
}

fn header_error(name: String, offset: u64, error: &rawzip::Error) -> ZipError {
    match found_by(error) {
        Ok(found) => ZipError::Entry { name, offset, found, expected: "a local file header and its data".to_owned() },
        Err(error) => ZipError::Io(error),
    }
}

/// What was found when `error` came, in our words; `Err` if it was the reading that failed.
fn found_by(error: &rawzip::Error) -> Result<String, io::Error> {
    match error.kind() {
        ErrorKind::IO(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
            Err(io::Error::new(error.kind(), error.to_string()))
        }
        ErrorKind::IO(_) | ErrorKind::Eof => Ok("the end of the bytes".to_owned()),
        ErrorKind::MissingEndOfCentralDirectory => Ok("none before it".to_owned()),
        ErrorKind::InvalidSignature { actual, .. } => Ok(format!("signature {actual:#010x}")),
        ErrorKind::InvalidEndOfCentralDirectory => Ok("one that tells of a directory after it".to_owned()),
        other => Ok(other.to_string()),
    }
}

/// The bytes as `rawzip` reads them: an offset past the end is the end, whatever the system says to such a one.
struct Bounded<'a, R>(&'a R);

impl<R: ReadAt> ReaderAt for Bounded<'_, R> {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_some_at(self.0, buffer, offset)
    }
}

/// Reads some bytes at `offset`, again if a signal came between; 0 only at and after the end.
pub(super) fn read_some_at<R: ReadAt>(bytes: &R, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    if offset >= bytes.byte_count() {
        return Ok(0);
    }
    loop {
        match bytes.read_at(buffer, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
