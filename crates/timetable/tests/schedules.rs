//! The schedules answer, byte for byte: against literals worked out by hand, and against the slow twin in `naive`.
//!
//! Each file of `schedules/` has one theme; the checks that they share are here.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and what it prints shows only then")]

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use timetable::{Feed, MemoryFiles, ReadOptions, RouteIdx, Timetable, read_feed};

mod naive;

#[path = "schedules/feed_files.rs"]
mod feed_files;
#[path = "schedules/generated_feeds.rs"]
mod generated_feeds;
#[path = "schedules/ids.rs"]
mod ids;
#[path = "schedules/large_feeds.rs"]
mod large_feeds;
#[path = "schedules/random_feeds.rs"]
mod random_feeds;
#[path = "schedules/random_print.rs"]
mod random_print;
#[path = "schedules/real_feeds.rs"]
mod real_feeds;
#[path = "schedules/stop_times.rs"]
mod stop_times;
#[path = "schedules/trips.rs"]
mod trips;

/// Too few threads to share the work, as many as a small machine has, and more than divide it evenly.
const THREADS: [usize; 3] = [1, 2, 5];
/// Pieces that cut an answer between any two bytes, and within every name and number.
const PIECE_BYTES_SMALL: [usize; 6] = [1, 2, 3, 7, 64, 4096];
/// Pieces as a server sends them.
const PIECE_BYTES_LARGE: [usize; 3] = [1000, 16 * 1024, 1024 * 1024];

/// Files at the root of a feed.
fn files(contents: &[(&str, &str)]) -> MemoryFiles {
    MemoryFiles(contents.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
}

/// The feed that `files` make, which must be a usable one.
fn read(files: &MemoryFiles, threads: usize) -> Feed {
    #[allow(clippy::needless_update, reason = "an option that joins later keeps its default here")]
    let options = ReadOptions { threads: NonZeroUsize::new(threads).unwrap(), ..ReadOptions::default() };
    read_feed(files, &options).unwrap()
}

/// Asserts that the feed knows exactly these routes and answers each with exactly this text; the twin must agree.
fn assert_answers(files: &MemoryFiles, expected: &[(&str, &str)]) {
    let expected: BTreeMap<String, String> =
        expected.iter().map(|(route_id, body)| ((*route_id).to_owned(), (*body).to_owned())).collect();
    let text = |body: Vec<u8>| String::from_utf8(body).unwrap();
    let from_twin: BTreeMap<_, _> = naive::schedules(&files.0).into_iter().map(|(id, body)| (id, text(body))).collect();
    assert_eq!(from_twin, expected, "the twin is wrong, or the literal is");
    let expected: BTreeMap<_, _> = expected.into_iter().map(|(id, body)| (id, body.into_bytes())).collect();
    for threads in THREADS {
        assert_equal(&read(files, threads).timetable, &expected, &PIECE_BYTES_SMALL, &format!("{threads} threads"));
    }
}

/// Asserts that the timetable has the routes of `expected` and no other, and their bodies byte for byte, in every
/// form in which a body can be had.
fn assert_equal(timetable: &Timetable, expected: &BTreeMap<String, Vec<u8>>, piece_bytes: &[usize], case: &str) {
    let mut route_ids: Vec<&str> = timetable.routes().map(|route| timetable.route_id(route)).collect();
    route_ids.sort_unstable();
    assert_eq!(route_ids, expected.keys().collect::<Vec<_>>(), "{case}: other routes are known");
    for (route_id, body) in expected {
        let route = timetable.find_route(route_id).unwrap_or_else(|| panic!("{case}: route {route_id:?} is not found"));
        assert_eq!(timetable.route_id(route), route_id, "{case}: another route is found");
        let case = format!("{case}, route {route_id:?}");
        assert_same_bytes(&timetable.schedules(route).to_vec(), body, &case);
        assert_eq!(timetable.schedules(route).byte_count(), body.len() as u64, "{case}: byte_count is not the length");
        for piece_bytes in piece_bytes {
            assert_pieces(timetable, route, *piece_bytes, body, &format!("{case}, pieces of {piece_bytes} bytes"));
        }
    }
}

/// Asserts that the pieces make up the body and that none is empty or above the bound.
fn assert_pieces(timetable: &Timetable, route: RouteIdx, piece_bytes: usize, body: &[u8], case: &str) {
    let schedules = timetable.schedules(route);
    let mut joined = Vec::with_capacity(body.len());
    for piece in schedules.pieces(piece_bytes) {
        assert!((1..=piece_bytes).contains(&piece.len()), "{case}: a piece of {} bytes", piece.len());
        joined.extend_from_slice(&piece);
    }
    assert_same_bytes(&joined, body, case);
}

/// Like `assert_eq!`, but shows only the text around the first difference: an answer may have megabytes.
fn assert_same_bytes(found: &[u8], expected: &[u8], case: &str) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(ours, theirs)| ours == theirs).count();
        let around =
            |body: &[u8]| String::from_utf8_lossy(&body[at.saturating_sub(120)..body.len().min(at + 120)]).into_owned();
        panic!(
            "{case}: {} bytes found, {} expected, alike up to byte {at}\n   found: {}\nexpected: {}",
            found.len(),
            expected.len(),
            around(found),
            around(expected)
        );
    }
}
