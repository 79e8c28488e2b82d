//! A zip that strangers send: its entries, inflated as they are read, and no size in it is trusted.
//!
//! `directory` finds the entries and checks where they lie, once, in [`Zip::open`]; `entry_reader` decodes one entry by
//! `inflate` and counts what really comes out. Zip structures and their fields are named as in PKWARE's APPNOTE.TXT.
//!
//! A size that an entry declares is only ever a reason to refuse it: nothing is allocated by it, and reading ends where
//! the data ends. An open entry holds one piece of compressed input and deflate's window of 32 KiB, whatever its size.

mod directory;
mod entry_reader;
mod error;
mod inflate;

use std::io::{self, Read};
use std::sync::atomic::AtomicU64;

use crate::files::{Files, ReadAt};

use directory::{Entry, read_entries};
use entry_reader::EntryReader;
pub use error::ZipError;

/// What a zip may cost at most; one byte, entry or step more is an error.
///
/// The defaults let every feed through that we know of, with room to spare: the largest national ones have a
/// stop_times.txt of some 3 GB, and a feed may not have more than 4 GiB anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZipLimits {
    /// Bytes that one entry may inflate to; 4 GiB.
    pub entry_bytes_max: u64,
    /// Bytes that all entries opened from one [`Zip`] may inflate to together, an entry counted each time it is read;
    /// 4 GiB.
    pub total_bytes_max: u64,
    /// Bytes that one compressed byte may become, on average since the beginning of the entry; 250.
    ///
    /// Deflate can reach 1032. Feeds compress 5 to 40 times; of the most repetitive stop_times.txt each row still takes
    /// two or three bytes of its fifty, so 250 is far from all of them.
    pub ratio_max: u64,
    /// Bytes of an entry before which `ratio_max` does not apply, since a small file may be as repetitive as it likes;
    /// 16 MiB.
    pub ratio_free_bytes: u64,
    /// Entries, folders included; 65,535, which is as many as a zip without Zip64 can have.
    pub entries_max: usize,
    /// Bytes from the beginning of the central directory, which holds all names, to its end record; 8 MiB.
    pub directory_bytes_max: u64,
}

impl Default for ZipLimits {
    fn default() -> Self {
        Self {
            entry_bytes_max: 4 << 30,
            total_bytes_max: 4 << 30,
            ratio_max: 250,
            ratio_free_bytes: 16 << 20,
            entries_max: 65_535,
            directory_bytes_max: 8 << 20,
        }
    }
}

/// An open zip: position -> entry, in the order of the central directory.
///
/// Invariants, checked by [`Zip::open`]: the data of every entry lies before the central directory, and no two entries
/// share a byte. An error while an entry is read is an [`io::Error`] of kind `InvalidData` around a [`ZipError`], or
/// of the kind that the [`ReadAt`] gave.
#[derive(Debug)]
pub struct Zip<R> {
    bytes: R,
    limits: ZipLimits,
    entries: Vec<Entry>,
    /// What came out of all entries so far, compared with `total_bytes_max`.
    bytes_read: AtomicU64,
}

impl<R: ReadAt> Zip<R> {
    /// Finds the entries of a zip; none of them is inflated yet.
    ///
    /// Bytes before the zip, as in a self-extracting one, and up to 1 KiB after it are passed over, but before one that
    /// needs Zip64 there may be none.
    ///
    /// Fails when the bytes are no zip, when the central directory is damaged, too large or tells another number of
    /// entries than it has, and when an entry lies outside the bytes or shares some with another.
    pub fn open(bytes: R, limits: ZipLimits) -> Result<Self, ZipError> {
        let entries = read_entries(&bytes, &limits)?;
        Ok(Self { bytes, limits, entries, bytes_read: AtomicU64::new(0) })
    }
}

impl<R: ReadAt> Files for Zip<R> {
    /// Names as stored; what is not UTF-8 becomes U+FFFD. The name of a folder ends in `/`.
    fn names(&self) -> Vec<String> {
        self.entries.iter().map(|entry| entry.name.clone()).collect()
    }

    /// Fails when the entry is encrypted or compressed by another method than deflate (8) or none (0).
    ///
    /// Any number of entries may be read at the same time, and each from another thread. The end of an entry is only
    /// reported when its bytes have the length and the CRC-32 that the central directory tells, so what was read before
    /// an error must be thrown away.
    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(EntryReader::new(self, &self.entries[position])?))
    }
}
