//! Feeds that change while they are served: the real program, real files and signals, and a server of feeds.
//!
//! Each file of `reload/` has one theme. How the program is started and spoken to is shared with the tests of the HTTP
//! face; what an answer must be comes from the slow twin in `naive`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and what it prints shows only then")]

#[path = "../../timetable/tests/naive/mod.rs"]
mod naive;

#[path = "http/client.rs"]
#[allow(dead_code, reason = "the tests of the HTTP face need more of it")]
mod client;
#[path = "http/feed_files.rs"]
mod feed_files;
#[path = "http/server.rs"]
#[allow(dead_code, reason = "the tests of the HTTP face need more of it")]
mod server;

#[path = "reload/feed_server.rs"]
mod feed_server;

#[path = "reload/campaign.rs"]
mod campaign;
#[path = "reload/damage.rs"]
mod damage;
#[path = "reload/signals.rs"]
mod signals;
#[path = "reload/urls.rs"]
mod urls;
#[path = "reload/watching.rs"]
mod watching;

use std::fs;
use std::path::Path;

use client::Connection;
use feed_files::{FeedFiles, write_zip};
use server::Server;

/// What is logged when a reload has ended.
pub(crate) const REPLACED: &str = "replaced after";
pub(crate) const UNCHANGED: &str = "and unchanged";
pub(crate) const FAILED: &str = "the former feed is served on";

/// Puts a file where another one may lie, in one step.
pub(crate) fn put(path: &Path, bytes: &[u8]) {
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, bytes).unwrap();
    fs::rename(unfinished, path).unwrap();
}

/// The bytes of a zip with these files.
pub(crate) fn zip_bytes(files: &FeedFiles) -> Vec<u8> {
    fs::read(write_zip(files).path()).unwrap()
}

/// What `/feed` tells.
pub(crate) fn told(server: &Server) -> serde_json::Value {
    Connection::open(server).get("/feed").json()
}

/// Asserts that all routes with trips answer as `files` say.
pub(crate) fn assert_serves(server: &Server, files: &FeedFiles) {
    let mut connection = Connection::open(server);
    for (route_id, expected) in naive::schedules(files) {
        let response = connection.get(&client::schedules_of(&route_id));
        client::assert_same_bytes(&response.body, &expected, &route_id);
    }
}
