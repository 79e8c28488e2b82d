//! Feeds that we make ourselves: the built-in city, and feeds as big and as varied as MBTA's for tests and benchmarks.
//!
//! The same recipe gives the same bytes on every machine: randomness is seeded, numbers are whole, and nothing walks a
//! hash map. A city is built in memory first (`small`, `boston`), which takes a few megabytes, and then written in
//! blocks (`write`), so a feed of 300 MB needs no more.
//!
//! ```
//! use timetable::MemoryFiles;
//! use timetable::generate::{Like, Recipe, RunningTimes, generate};
//!
//! let recipe = Recipe { like: Like::Small, running_times: RunningTimes::ByPeriod, seed: 1 };
//! let mut files = MemoryFiles::default();
//! generate(&recipe, &mut files)?;
//! assert!(files.0.iter().any(|(name, _)| name == "stop_times.txt"));
//! # Ok::<(), std::io::Error>(())
//! ```

mod block;
mod boston;
mod city;
mod random;
mod run_times;
mod share;
mod small;
mod write;
mod write_times;

use std::io;

pub use block::FeedSink;

use block::BlockWriter;
use boston::Year;

/// Who publishes a generated feed, by its feed_info.txt: so that none is mistaken for an agency's.
pub const PUBLISHER: &str = "Linespeed";

/// The names of all files that a generated feed may have; `frequencies.txt` is only in the built-in city.
///
/// Those that the GTFS reference does not know (checkpoints, lines, route_patterns) are MBTA's own.
pub const FILE_NAMES: [&str; 13] = [
    "agency.txt",
    "calendar.txt",
    "calendar_dates.txt",
    "checkpoints.txt",
    "feed_info.txt",
    "frequencies.txt",
    "lines.txt",
    "route_patterns.txt",
    "routes.txt",
    "shapes.txt",
    "stop_times.txt",
    "stops.txt",
    "trips.txt",
];

/// What a generated feed is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Like {
    /// The built-in city: a few routes of every kind, a few thousand stop times.
    Small,
    /// MBTA's feed of 2022: 168 routes, 71,091 trips, 1,790,905 stop times.
    Mbta2022,
    /// MBTA's feed of 2026: 168 routes, 5,400,000 stop times.
    Mbta2026,
}

/// How running times from stop to stop come to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunningTimes {
    /// As in timetables: trips of one pattern in one period of the day take equally long.
    #[default]
    ByPeriod,
    /// Every trip has its own, to the second, and no two are alike: the case in which nothing repeats.
    Random,
}

/// All that a generated feed depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// What it is like.
    pub like: Like,
    /// How running times come to be.
    pub running_times: RunningTimes,
    /// Another seed gives another feed of the same size.
    pub seed: u64,
}

impl Recipe {
    /// About how many bytes [`generate`] will write, all files together: for a progress bar.
    pub fn byte_estimate(&self) -> u64 {
        match self.like {
            Like::Small => 440_000,
            Like::Mbta2022 => 100_500_000,
            Like::Mbta2026 => 304_000_000,
        }
    }
}

/// Writes the feed of `recipe` into `sink`; fails only when the sink does.
pub fn generate(recipe: &Recipe, sink: &mut dyn FeedSink) -> io::Result<()> {
    let city = match recipe.like {
        Like::Small => small::city(recipe.running_times, recipe.seed),
        Like::Mbta2022 => boston::city(Year::Y2022, recipe.running_times, recipe.seed),
        Like::Mbta2026 => boston::city(Year::Y2026, recipe.running_times, recipe.seed),
    };
    write::write_city(&city, &mut BlockWriter::new(sink))
}
