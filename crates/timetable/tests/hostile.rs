//! Feeds as strangers send them: endless, cut off, full of nonsense. Each is refused with an error that names the place,
//! or read with every problem reported exactly, and by any number of threads in the same way.
//!
//! Each file of `hostile/` has one theme; the checks that they share are here.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and what it prints shows only then")]

use std::num::NonZeroUsize;

use timetable::{Feed, FeedError, Files, MemoryFiles, Problem, ProblemKind, ReadOptions, Timetable, read_feed};

mod naive;

#[path = "hostile/counts.rs"]
mod counts;
#[path = "hostile/cut_off.rs"]
mod cut_off;
#[path = "hostile/endless.rs"]
mod endless;
#[path = "hostile/failing_reads.rs"]
mod failing_reads;
#[path = "hostile/odd_bytes.rs"]
mod odd_bytes;
#[allow(dead_code, reason = "the tests of zips need all of it, those of feeds a part")]
#[path = "zip/raw_zip.rs"]
mod raw_zip;
#[path = "hostile/references.rs"]
mod references;
#[path = "hostile/sizes.rs"]
mod sizes;
#[path = "hostile/values.rs"]
mod values;
#[path = "hostile/which_feed.rs"]
mod which_feed;

/// One thread does all in order; four are more than the machine may have, and than there are files or blocks.
const THREADS: [usize; 2] = [1, 4];

const TRIPS: &str = "route_id,service_id,trip_id\nR1,S1,T1\n";
const STOP_TIMES: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
    T1,08:00:00,08:01:00,A,1\n\
    T1,08:10:00,08:10:30,B,2\n";
/// What the two files above say of route R1.
const ANSWER: &str = concat!(
    r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":["#,
    r#"{"stop_id":"A","arrival_time":"08:00:00","departure_time":"08:01:00"},"#,
    r#"{"stop_id":"B","arrival_time":"08:10:00","departure_time":"08:10:30"}]}]"#
);

/// What is wrong at one place: kind, file, line, field, found, expected.
type Wrong<'a> = (ProblemKind, &'a str, u64, &'a str, &'a str, &'a str);

/// These files, and the two indispensable ones where they are not among them.
fn files<T: AsRef<[u8]>>(contents: &[(&str, T)]) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    for (name, bytes) in contents {
        files.0.push(((*name).to_owned(), bytes.as_ref().to_vec()));
    }
    for (name, text) in [("trips.txt", TRIPS), ("stop_times.txt", STOP_TIMES)] {
        if contents.iter().all(|(given, _)| *given != name) {
            files.0.push((name.to_owned(), text.as_bytes().to_vec()));
        }
    }
    files
}

fn read_by(files: &dyn Files, threads: usize) -> Result<Feed, FeedError> {
    let threads = NonZeroUsize::new(threads).unwrap();
    read_feed(files, &ReadOptions { threads, ..ReadOptions::default() })
}

/// The feed that `files` make, which must be a usable one and the same by any number of threads.
fn read(files: &dyn Files) -> Feed {
    let feed = read_by(files, THREADS[0]).unwrap();
    for threads in &THREADS[1..] {
        assert_same(&read_by(files, *threads).unwrap(), &feed, &format!("{threads} threads"));
    }
    feed
}

fn assert_same(feed: &Feed, expected: &Feed, case: &str) {
    assert_eq!(feed.report, expected.report, "{case}: another report");
    assert!(feed.timetable == expected.timetable, "{case}: another timetable");
}

/// The message with which `files` are refused, which must be the same by any number of threads.
fn refusal(files: &dyn Files) -> String {
    let message = read_by(files, THREADS[0]).unwrap_err().to_string();
    for threads in &THREADS[1..] {
        assert_eq!(read_by(files, *threads).unwrap_err().to_string(), message, "{threads} threads");
    }
    message
}

/// All problems of a feed by kind, file and line.
fn problems(feed: &Feed) -> Vec<(ProblemKind, Problem)> {
    let of_kinds = feed.report.problems.iter();
    of_kinds.flat_map(|(kind, of_kind)| of_kind.first.iter().map(move |problem| (kind, problem.clone()))).collect()
}

/// Asserts that the feed is usable and has exactly these problems, in the order of the report.
fn assert_problems(files: &dyn Files, expected: &[Wrong<'_>]) -> Feed {
    let feed = read(files);
    let problems = problems(&feed);
    let found: Vec<Wrong<'_>> = problems
        .iter()
        .map(|(kind, problem)| {
            let Problem { file, line, field, found, expected } = problem;
            (*kind, *file, *line, *field, found.as_str(), expected.as_str())
        })
        .collect();
    assert_eq!(found, expected);
    assert_eq!(feed.report.problem_count(), expected.len() as u64, "all are counted");
    feed
}

/// The answer for a route, in pieces as a small buffer makes them, each within its bound.
fn answer(timetable: &Timetable, route_id: &str) -> Vec<u8> {
    const PIECE_BYTES: usize = 1000;
    let schedules = timetable.schedules(timetable.find_route(route_id).unwrap());
    let mut joined = Vec::new();
    for piece in schedules.pieces(PIECE_BYTES) {
        assert!((1..=PIECE_BYTES).contains(&piece.len()), "a piece of {} bytes", piece.len());
        joined.extend_from_slice(&piece);
    }
    assert_eq!(schedules.byte_count(), joined.len() as u64, "byte_count is not the length");
    joined
}

/// Asserts that the small feed's one route has its answer.
fn assert_answer(feed: &Feed, expected: &str) {
    assert_eq!(String::from_utf8(answer(&feed.timetable, "R1")).unwrap(), expected);
}

/// Asserts that all answers are those of the slow twin.
fn assert_equals_the_twin(feed: &Feed, files: &MemoryFiles) {
    let expected = naive::schedules(&files.0);
    assert_eq!(feed.timetable.routes().count(), expected.len());
    for (route_id, body) in &expected {
        assert!(answer(&feed.timetable, route_id) == *body, "route {route_id:.80}: another answer than the twin's");
    }
}
