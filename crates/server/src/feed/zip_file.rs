//! An open file that a zip is read from.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use timetable::ReadAt;

use super::stamp::Stamp;

/// An open zip; reading it at a place moves nothing, so threads can share it.
///
/// It is read by calls to the system and never mapped: a file that is cut off meanwhile then ends early, which is an
/// error, where touching a mapped page past the end would end the process.
pub(super) struct ZipFile {
    file: File,
    byte_count: u64,
}

impl ZipFile {
    /// Fails when the system does not tell the size of the file.
    pub(super) fn new(file: File) -> io::Result<Self> {
        let byte_count = file.metadata()?.len();
        Ok(Self { file, byte_count })
    }

    /// The stamp of the open file, whatever lies at its path by now.
    pub(super) fn stamp(&self) -> Stamp {
        self.file.metadata().map_or_else(|_| Stamp::of_nothing(), |metadata| Stamp::of_metadata(&metadata))
    }
}

impl ReadAt for &ZipFile {
    fn byte_count(&self) -> u64 {
        self.byte_count
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        FileExt::read_at(&self.file, buffer, offset)
    }
}
