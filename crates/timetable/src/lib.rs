//! Feed bytes in, JSON bytes out; nothing in this crate opens a file or a socket.

mod build;
mod calendar;
mod csv;
mod files;
mod folder;
pub mod generate;
mod index;
mod json;
mod pools;
mod problem;
mod read;
mod reference;
mod rows;
mod run_times;
mod scan;
mod schedules;
mod shape;
mod time;
mod timetable;
mod zip;

pub use calendar::{Exception, Service, Week};
pub use files::{Files, MemoryFiles, ReadAt};
pub use index::{
    AgencyIdx, Index, OptionIdx, PatternIdx, RouteIdx, RunIdx, ServiceIdx, ShapeIdx, StopIdx, TextIdx, TripIdx,
};
pub use pools::StringPool;
pub use problem::{
    FeedError, PROBLEMS_KEPT_MAX, Problem, ProblemKind, Problems, ProblemsOfKind, Report, UnusedFile, printable,
};
pub use read::{Feed, ReadOptions, read_feed};
pub use reference::{REFERENCE, ReferenceFile, Usage, find_reference_file};
pub use rows::Rows;
pub use run_times::{RunTimes, StopTime};
pub use schedules::{Cursor, Schedules};
pub use shape::Points;
pub use time::Time;
pub use timetable::{Agency, Counts, FeedInfo, Frequency, PatternStop, Route, Stop, Timetable, Trip, Visit};
pub use zip::{Zip, ZipError, ZipLimits};
