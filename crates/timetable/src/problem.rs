//! What is wrong with a feed: problems that are reported and borne, and errors for which it is refused.

use std::collections::BTreeMap;
use std::{fmt, io};

use serde::Serialize;

use crate::csv::RECORD_BYTES_MAX;

/// How many problems of one kind are kept; all are counted.
pub const PROBLEMS_KEPT_MAX: usize = 1000;

/// How much of a wrong value is shown, in characters.
const FOUND_CHARS_MAX: usize = 80;

/// A kind of problem, in the order of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemKind {
    /// An id that an earlier row has; the first row wins.
    DuplicateId,
    /// A reference to an id that no row has; counted once for each id, on the first line that refers to it.
    UnknownId,
    /// A value that must be there is not; the row is left out.
    MissingValue,
    /// A row with more or fewer fields than the header.
    FieldCount,
    /// Bytes that are no UTF-8; each becomes U+FFFD.
    InvalidUtf8,
    /// A time that is not `HH:MM:SS`; it counts as empty.
    InvalidTime,
    /// A date that is not `YYYYMMDD`, or that no calendar has; the row is left out.
    InvalidDate,
    /// A number, code or coordinate that is none or is out of its range; it counts as empty, and a row that cannot do
    /// without it is left out.
    InvalidNumber,
    /// A trip that arrives before it has left the stop before.
    DecreasingTime,
    /// Two stop times of a trip with one stop_sequence; they keep the order of the file.
    DuplicateSequence,
    /// A time zone that the IANA database does not have, or an agency with another one than the first; the feed's times
    /// are in that of the first.
    UnknownTimeZone,
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::DuplicateId => "duplicate_id",
            Self::UnknownId => "unknown_id",
            Self::MissingValue => "missing_value",
            Self::FieldCount => "field_count",
            Self::InvalidUtf8 => "invalid_utf8",
            Self::InvalidTime => "invalid_time",
            Self::InvalidDate => "invalid_date",
            Self::InvalidNumber => "invalid_number",
            Self::DecreasingTime => "decreasing_time",
            Self::DuplicateSequence => "duplicate_sequence",
            Self::UnknownTimeZone => "unknown_time_zone",
        })
    }
}

/// One place at which a feed is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// The file's name in the reference.
    pub file: &'static str,
    /// The line on which the record begins, counted from 1.
    pub line: u64,
    /// The field's name; empty for a problem of the whole row.
    pub field: &'static str,
    /// What stands there, shortened where it is long.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, field, found, expected } = self;
        let comma = if field.is_empty() { "" } else { ", " };
        write!(formatter, "{file}, line {line}{comma}{field}: found {found:?}, expected {expected}")
    }
}

/// The problems of a feed by kind: all counted, the first [`PROBLEMS_KEPT_MAX`] of each kind kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems {
    kinds: BTreeMap<ProblemKind, ProblemsOfKind>,
    /// How much longer texts have become by replacing invalid UTF-8, while a feed is read.
    #[serde(skip)]
    replaced_bytes: u64,
}

/// The problems of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProblemsOfKind {
    /// How many there are.
    pub count: u64,
    /// The first of them, by file and line.
    pub first: Vec<Problem>,
}

impl Problems {
    /// Counts one problem, and keeps it if it is among the first; those of one file must come in the order of lines.
    pub(crate) fn add(
        &mut self,
        kind: ProblemKind,
        (file, line, field): (&'static str, u64, &'static str),
        found: &[u8],
        expected: impl fmt::Display,
    ) {
        let of_kind = self.kinds.entry(kind).or_default();
        of_kind.count += 1;
        if of_kind.first.len() < PROBLEMS_KEPT_MAX {
            let found = shortened(found);
            of_kind.first.push(Problem { file, line, field, found, expected: expected.to_string() });
        }
    }

    /// Counts an invalid text, and by how much it has become longer.
    pub(crate) fn add_replaced_bytes(&mut self, byte_count: usize) {
        self.replaced_bytes += byte_count as u64;
    }

    /// How much longer texts have become since this was asked before.
    pub(crate) fn take_replaced_bytes(&mut self) -> u64 {
        std::mem::take(&mut self.replaced_bytes)
    }

    /// Adds what another thread or another file has found.
    pub(crate) fn merge(&mut self, other: Self) {
        for (kind, of_other) in other.kinds {
            let of_kind = self.kinds.entry(kind).or_default();
            of_kind.count += of_other.count;
            of_kind.first.extend(of_other.first);
        }
    }

    /// Puts the problems in order and forgets those past the limit, so that the number of threads shows nowhere.
    pub(crate) fn finish(&mut self) {
        for of_kind in self.kinds.values_mut() {
            of_kind.first.sort();
            of_kind.first.truncate(PROBLEMS_KEPT_MAX);
            of_kind.first.shrink_to_fit();
        }
    }

    /// How many problems there are of all kinds.
    pub fn count(&self) -> u64 {
        self.kinds.values().map(|of_kind| of_kind.count).sum()
    }

    /// How many problems there are of `kind`.
    pub fn count_of(&self, kind: ProblemKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |of_kind| of_kind.count)
    }

    /// The kinds of which there are problems, with these.
    pub fn iter(&self) -> impl Iterator<Item = (ProblemKind, &ProblemsOfKind)> {
        self.kinds.iter().map(|(kind, of_kind)| (*kind, of_kind))
    }
}

fn shortened(found: &[u8]) -> String {
    // Four bytes hold a character; of more than one past the limit nothing can be shown.
    let shown = &found[..found.len().min((FOUND_CHARS_MAX + 1) * 4)];
    let text = String::from_utf8_lossy(shown);
    match text.char_indices().nth(FOUND_CHARS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

/// What a feed is, beside its timetable: its problems, and what of it is not used.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What is wrong, by kind.
    pub problems: Problems,
    /// The files of the reference that the feed has and that are not empty.
    pub files: Vec<&'static str>,
    /// Files that the timetable is not made from.
    pub unused_files: Vec<UnusedFile>,
    /// Stop times that speak of an area instead of a stop, which are not used.
    pub area_stop_time_count: u64,
    /// Columns that the reference does not name: file, name.
    pub unknown_columns: Vec<(&'static str, String)>,
}

impl Report {
    /// How many problems there are of all kinds.
    pub fn problem_count(&self) -> u64 {
        self.problems.count()
    }
}

/// A file that the timetable is not made from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct UnusedFile {
    /// Its name, as stored.
    pub name: String,
    /// How many rows it has without its header, if it is a table of the reference that can be read; others are not
    /// opened.
    pub row_count: Option<u64>,
}

/// Why a feed is refused.
#[derive(Debug)]
pub enum FeedError {
    /// No folder holds both trips.txt and stop_times.txt; these are the names that were found.
    NoFeed(Vec<String>),
    /// Two folders hold a feed each.
    TwoFeeds(String, String),
    /// Two files of the feed's folder have the same name.
    TwoFiles(String, String),
    /// A column without which the file means nothing.
    MissingColumn {
        /// The file's name in the reference.
        file: &'static str,
        /// The name of the column that is missing.
        column: &'static str,
        /// The columns that were found.
        found: Vec<String>,
    },
    /// A record of a megabyte and more, which hardly is one: a quote may never be closed.
    LongRecord {
        /// The file's name as stored.
        name: String,
        /// The line on which the record begins.
        line: u64,
    },
    /// All files together are larger than what can be read.
    TooLarge {
        /// The name, as stored, of the file that was read when it showed.
        name: String,
        /// A line of that file that was still read.
        line: u64,
        /// How many bytes all files may have together.
        bytes_max: u64,
    },
    /// The rows of stop_times.txt lie too far apart: it changes from trip to trip too often.
    RowsApart {
        /// A line up to which that was so.
        line: u64,
        /// How many times it may change.
        pieces_max: usize,
    },
    /// A file could not be read.
    Read {
        /// The name as stored.
        name: String,
        /// What went wrong, and where.
        error: io::Error,
    },
}

impl fmt::Display for FeedError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFeed(names) if names.is_empty() => {
                write!(formatter, "found no file, expected trips.txt and stop_times.txt")
            }
            Self::NoFeed(names) => {
                write!(formatter, "found no folder with trips.txt and stop_times.txt, only {}", list(names))
            }
            Self::TwoFeeds(first, second) => write!(
                formatter,
                "found two feeds, expected one: both {first:?} and {second:?} hold trips.txt and stop_times.txt"
            ),
            Self::TwoFiles(first, second) => {
                write!(formatter, "found one file twice, expected it once: {first:?} and {second:?}")
            }
            Self::MissingColumn { file, column, found } if found.is_empty() => {
                write!(formatter, "{file}, line 1: found nothing, expected a header with a column {column}")
            }
            Self::MissingColumn { file, column, found } => {
                write!(formatter, "{file}, line 1: found no column {column}, only {}", list(found))
            }
            Self::LongRecord { name, line } => write!(
                formatter,
                "{}: line {line}: a record of over {RECORD_BYTES_MAX} bytes begins here, expected shorter ones: is a quote never closed?",
                printable(name)
            ),
            Self::TooLarge { name, line, bytes_max } => {
                let name = printable(name);
                write!(formatter, "{name}: line {line}: the feed has over {bytes_max} bytes up to here, expected fewer")
            }
            Self::RowsApart { line, pieces_max } => write!(
                formatter,
                "stop_times.txt: line {line}: the rows change from trip to trip over {pieces_max} times, expected those of a trip together: sort them by trip_id"
            ),
            Self::Read { name, error } => write!(formatter, "{}: {error}", printable(name)),
        }
    }
}

impl std::error::Error for FeedError {}

/// `text`, which strangers chose, with its control characters escaped, so that it cannot steer a terminal.
pub fn printable(text: &str) -> String {
    let shown =
        |letter: char| if letter.is_control() { letter.escape_default().to_string() } else { letter.to_string() };
    text.chars().map(shown).collect()
}

/// The first of `names`, and how many more there are.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let shown =
        names.iter().take(SHOWN).map(|name| printable(&shortened(name.as_bytes()))).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown} and {} more", names.len() - SHOWN) } else { shown }
}
