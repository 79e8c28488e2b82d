//! Why a zip, or an entry of it, is refused.

use std::error::Error;
use std::fmt;
use std::io;

/// Why a zip, or an entry of it, is refused: where, what was found there and what was expected.
#[derive(Debug)]
pub enum ZipError {
    /// The bytes of the zip could not be read.
    Io(io::Error),
    /// The zip as a whole: it is none, its central directory is damaged, or it passes a limit.
    Archive {
        /// Where in the zip.
        offset: u64,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
    /// Two entries share bytes: a way to make a small zip that inflates to far more than it holds.
    Overlap {
        /// The entry that begins first.
        first: String,
        /// The entry that begins before the first one ends.
        second: String,
        /// Where the second entry begins in the zip.
        offset: u64,
    },
    /// One entry: damaged, of another length than it declares, encrypted, of an unknown method, or past a limit.
    Entry {
        /// The name of the entry, as stored.
        name: String,
        /// Where in the zip, counted in compressed bytes.
        offset: u64,
        /// What is there.
        found: String,
        /// What should be there.
        expected: String,
    },
}

impl fmt::Display for ZipError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the zip cannot be read: {error}"),
            Self::Archive { offset, found, expected } => {
                write!(f, "zip, byte {offset}: found {found}, expected {expected}")
            }
            Self::Overlap { first, second, offset } => {
                let (first, second) = (Shown(first), Shown(second));
                write!(f, "zip, byte {offset}: found entry {second} inside entry {first}, expected them apart")
            }
            Self::Entry { name, offset, found, expected } => {
                write!(f, "zip entry {}, byte {offset}: found {found}, expected {expected}", Shown(name))
            }
        }
    }
}

impl Error for ZipError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ZipError> for io::Error {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => error,
            error => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

/// A name as a message shows it: a stranger chose it, so its control characters are escaped and its length is bounded.
struct Shown<'a>(&'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const CHARACTERS_MAX: usize = 120;
        for character in self.0.chars().take(CHARACTERS_MAX) {
            write!(f, "{}", character.escape_debug())?;
        }
        if self.0.chars().nth(CHARACTERS_MAX).is_some() { f.write_str("…") } else { Ok(()) }
    }
}
