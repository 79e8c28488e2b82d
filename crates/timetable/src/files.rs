//! The files of a feed, wherever they lie: a zip, a folder, memory. This crate opens nothing itself.

use std::io::{self, Read};

/// Bytes that can be read at any place, such as an open file: what a zip is read from.
pub trait ReadAt: Send + Sync {
    /// How many bytes there are.
    fn byte_count(&self) -> u64;

    /// Reads some bytes at `offset` and says how many; 0 only at the end or for an empty `buffer`.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize>;
}

impl ReadAt for Vec<u8> {
    fn byte_count(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.len());
        let count = buffer.len().min(self.len() - start);
        buffer[..count].copy_from_slice(&self[start..start + count]);
        Ok(count)
    }
}

/// The named files that a feed may be made of, each read once from its beginning to its end.
pub trait Files: Sync {
    /// Every name as it is stored, folders parted by `/`; names are only compared and shown, never used as paths.
    fn names(&self) -> Vec<String>;

    /// The bytes of the file at `position` in [`Files::names`].
    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>>;
}

/// Files that are held in memory: name, bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryFiles(pub Vec<(String, Vec<u8>)>);

impl Files for MemoryFiles {
    fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(self.0[position].1.as_slice()))
    }
}
