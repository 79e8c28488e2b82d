//! The HTTP face: the real program over real sockets, spoken to byte by byte.
//!
//! Each file of `http/` has one theme; `server` starts the program, `client` speaks with it, `feed_files` and
//! `real_feeds` are what it serves, `tables` has their rows. What an answer must be comes from the slow twin in `naive`,
//! which is the one of the crate `timetable`, from slow twins beside the tests, or is written out.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and what it prints shows only then")]

#[path = "../../timetable/tests/naive/mod.rs"]
mod naive;

#[path = "http/client.rs"]
mod client;
#[path = "http/feed_files.rs"]
mod feed_files;
#[path = "http/real_feeds.rs"]
mod real_feeds;
#[path = "http/server.rs"]
mod server;
#[path = "http/tables.rs"]
mod tables;

#[path = "http/caching.rs"]
mod caching;
#[path = "http/compression.rs"]
mod compression;
#[path = "http/connections.rs"]
mod connections;
#[path = "http/cors.rs"]
mod cors;
#[path = "http/departure_windows.rs"]
mod departure_windows;
#[path = "http/departures.rs"]
mod departures;
#[path = "http/feed_answers.rs"]
mod feed_answers;
#[path = "http/formats.rs"]
mod formats;
#[path = "http/garbage.rs"]
mod garbage;
#[path = "http/limits.rs"]
mod limits;
#[path = "http/lists.rs"]
mod lists;
#[path = "http/methods.rs"]
mod methods;
#[path = "http/metrics.rs"]
mod metrics;
#[path = "http/openapi.rs"]
mod openapi;
#[path = "http/page.rs"]
mod page;
#[path = "http/parameters.rs"]
mod parameters;
#[path = "http/schedules.rs"]
mod schedules;
#[path = "http/shapes.rs"]
mod shapes;
#[path = "http/shutdown.rs"]
mod shutdown;
#[path = "http/slowness.rs"]
mod slowness;
#[path = "http/smuggling.rs"]
mod smuggling;
#[path = "http/stops.rs"]
mod stops;
#[path = "http/targets.rs"]
mod targets;
#[path = "http/trips.rs"]
mod trips;
