//! Where feeds come from: a zip, a folder, a URL, or the city that is built in.
//!
//! An `Origin` knows its `source` and what was last read from it: of a path the `stamp`, of a URL what the server said
//! of it. `download` fetches what is at a URL into a file, with the `credentials` that stand in the URL; from there on it is
//! read as any other zip.

mod backoff;
mod credentials;
mod download;
mod folder;
mod origin;
mod source;
mod stamp;
mod zip_file;

pub(crate) use backoff::Backoff;
pub(crate) use download::DownloadLimits;
pub use origin::built_in_city;
pub(crate) use origin::{Looked, Origin, ReadError, Remedy};
pub use source::{FeedUrl, Source};

use std::time::{Duration, SystemTime};

use timetable::Feed;

/// A feed that has been read, and how that went.
#[derive(Debug)]
pub struct Loaded {
    /// The feed.
    pub feed: Feed,
    /// A short number for everything that the timetable says, see [`timetable::Timetable::version`].
    pub version: u64,
    /// Where it came from, as it may be shown.
    pub source: String,
    /// How long reading it took, downloading included.
    pub load_time: Duration,
    /// When it had been read.
    pub loaded_at: SystemTime,
    /// How many bytes its files have, inflated.
    pub file_bytes: u64,
}
