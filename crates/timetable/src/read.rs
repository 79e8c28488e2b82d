//! From files to a timetable.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicU64;

use crate::build::build;
use crate::files::Files;
use crate::folder::Folder;
use crate::problem::{FeedError, Report};
use crate::scan::scan;
use crate::timetable::Timetable;

/// How a feed is read; nothing here changes what comes out.
#[derive(Clone, Copy, Debug)]
pub struct ReadOptions<'p> {
    /// How many threads work.
    pub threads: NonZeroUsize,
    /// Where to count the bytes read so far, for a bar that shows progress.
    pub bytes_read: Option<&'p AtomicU64>,
}

/// As many threads as the machine has cores for this process.
impl Default for ReadOptions<'_> {
    fn default() -> Self {
        Self { threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN), bytes_read: None }
    }
}

/// A feed that has been read: its timetable, and what is wrong with it.
#[derive(Debug, PartialEq)]
pub struct Feed {
    /// What the feed says.
    pub timetable: Timetable,
    /// What is wrong with it and what of it is not used.
    pub report: Report,
}

/// Reads the feed that lies among `files`.
///
/// Whatever is wrong with single rows is borne and reported. The feed is refused when there is no feed or more than
/// one, when a file cannot be read, or when a column is missing without which a file means nothing.
pub fn read_feed(files: &dyn Files, options: &ReadOptions<'_>) -> Result<Feed, FeedError> {
    let folder = Folder::find(files)?;
    let (timetable, report) = build(scan(&folder, options)?);
    Ok(Feed { timetable, report })
}
