//! Feed bytes in, JSON bytes out; nothing in this crate opens a file or a socket.
//!
//! [`read_feed`] finds the feed among [`Files`], `scan` reads each file on its own and `build` joins them into a
//! [`Timetable`], which is frozen and cannot be wrong: every check of foreign data lies behind it, so a query has no
//! error path. What is wrong with a feed and yet borne is in its [`Report`]. [`Timetable::schedules`] writes an answer
//! as it is sent. [`generate`] makes feeds to try this with. Start reading at `read.rs`.
//!
//! ```
//! use timetable::{MemoryFiles, ReadOptions, read_feed};
//!
//! let files = MemoryFiles(vec![
//!     ("trips.txt".into(), b"route_id,service_id,trip_id\nRed,daily,1\n".to_vec()),
//!     (
//!         "stop_times.txt".into(),
//!         b"trip_id,arrival_time,departure_time,stop_id,stop_sequence\n1,5:00:00,5:00:00,Alewife,1\n".to_vec(),
//!     ),
//! ]);
//! let feed = read_feed(&files, &ReadOptions::default())?;
//! let red = feed.timetable.find_route("Red").expect("a trip refers to it");
//! assert_eq!(
//!     String::from_utf8_lossy(&feed.timetable.schedules(red).to_vec()),
//!     r#"[{"trip_id":"1","service_id":"daily","route_id":"Red","schedules":[{"stop_id":"Alewife","arrival_time":"05:00:00","departure_time":"05:00:00"}]}]"#
//! );
//! assert_eq!(feed.report.problem_count(), 0);
//! # Ok::<(), timetable::FeedError>(())
//! ```

mod board;
mod build;
mod calendar;
mod csv;
mod departures;
mod files;
mod folder;
pub mod generate;
mod index;
mod json;
mod objects;
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

pub use board::Board;
pub use calendar::{Exception, Service, Week};
pub use departures::{Departure, DeparturesQuery};
pub use files::{Files, MemoryFiles, ReadAt};
pub use index::{
    AgencyIdx, Index, OptionIdx, PatternIdx, RouteIdx, RunIdx, ServiceIdx, ShapeIdx, StopIdx, TextIdx, TripIdx,
};
pub use objects::{
    DepartureObject, Fields, Flag, FrequencyObject, Object, RouteObject, ServiceObject, ShapeObject, StopObject,
    StopTimeObject, StopWithChildren, TripObject, TripWithTimes, write_csv_header, write_csv_row, write_geojson_shape,
    write_geojson_stop, write_json, write_json_string,
};
pub use problem::{
    FeedError, PROBLEMS_KEPT_MAX, Problem, ProblemKind, Problems, ProblemsOfKind, Report, UnusedFile, printable,
};
pub use read::{Feed, ReadOptions, read_feed};
pub use reference::{REFERENCE, ReferenceFile, Usage, find_reference_file};
pub use run_times::{RunTimes, StopTime};
pub use schedules::{Cursor, Schedules};
pub use shape::Points;
pub use time::Time;
pub use timetable::{Agency, Counts, FeedInfo, Frequency, PatternStop, Route, Stop, Timetable, Trip, Visit};
pub use zip::{Zip, ZipError, ZipLimits};
