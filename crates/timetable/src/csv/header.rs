//! The first record of a file: which column is which.

use super::{PlainRecords, Record};

/// The names of a file's columns, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Header {
    names: Vec<String>,
}

impl Header {
    /// Reads the header off the front of a file's first block and says how many bytes and lines it took.
    pub(crate) fn read(block: &[u8]) -> (Self, usize, u64) {
        let mut records = PlainRecords::new(block, 1);
        let mut record = Record::new(block);
        if !records.read(&mut record) {
            return (Self::default(), block.len(), 0);
        }
        let name = |column| String::from_utf8_lossy(record.field(column)).into_owned();
        let header = Self { names: (0..record.len()).map(name).collect() };
        let (position, line) = records.position();
        (header, position, line - 1)
    }

    /// Where the column called `name` stands; the first one if there are several.
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// All names in order.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }
}
