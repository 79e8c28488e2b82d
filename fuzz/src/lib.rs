//! What must hold of a feed whatever its bytes are; the targets in `targets/` differ only in how they make the bytes.
//!
//! `fuzz/run` runs them. Start reading at [`judge`].

mod walk;

// The twin is that of the crate's own tests, so a difference found here is at once a test there.
#[path = "../../crates/timetable/tests/naive/mod.rs"]
mod naive;

use std::num::NonZeroUsize;

use timetable::{Feed, FeedError, Files, MemoryFiles, PROBLEMS_KEPT_MAX, ReadOptions, Report, Timetable, read_feed};

/// Pieces that cut an answer anywhere, and the size of a small write.
const PIECE_BYTES: [usize; 3] = [1, 61, 4096];

/// Of a long answer only the larger pieces are made: they take the time of many other inputs.
const PIECES_MAX: usize = 2000;

/// Reads the files by one thread and by three and asserts that what comes out is the same and right.
pub fn judge(files: &MemoryFiles) {
    let (one, three) = (read(files, 1), read(files, 3));
    let (one, three) = match (one, three) {
        (Ok(one), Ok(three)) => (one, three),
        (Err(one), Err(three)) => {
            // Which of two wrong files is named may differ, but there is something to say of it.
            assert!(!one.to_string().is_empty() && !three.to_string().is_empty());
            return;
        }
        (one, three) => panic!("one thread: {:?}, three: {:?}", one.map(drop), three.map(drop)),
    };
    assert_eq!(one.report, three.report, "the number of threads shows in the report");
    assert_eq!(one.timetable, three.timetable, "the number of threads shows in the timetable");
    assert_eq!(one.timetable.version(), three.timetable.version());
    assert_report(&one.report);
    walk::walk(&one.timetable);
    assert_answers(&one.timetable);
    if files.0.iter().all(|(_, bytes)| is_for_the_twin(bytes)) {
        assert_equals_the_twin(&one.timetable, files);
    }
}

/// Reads a feed by so many threads.
pub fn read(files: &dyn Files, threads: usize) -> Result<Feed, FeedError> {
    let threads = NonZeroUsize::new(threads).expect("a target reads by one thread or more");
    read_feed(files, &ReadOptions { threads, ..ReadOptions::default() })
}

/// Asserts that the report keeps no more than it says, in order, and can be written as JSON.
fn assert_report(report: &Report) {
    for (kind, of_kind) in report.problems.iter() {
        let kept = of_kind.first.len();
        assert!(of_kind.first.is_sorted(), "{kind}: not in order");
        assert!(kept <= PROBLEMS_KEPT_MAX && kept as u64 <= of_kind.count, "{kind}: {kept} kept of {}", of_kind.count);
        assert!(of_kind.count > PROBLEMS_KEPT_MAX as u64 || kept as u64 == of_kind.count, "{kind}: some were lost");
    }
    serde_json::to_string(report).expect("a report is plain data");
}

/// Asserts that each answer is JSON, has the length that was told before, and is the same in pieces.
fn assert_answers(timetable: &Timetable) {
    for route in timetable.routes() {
        let schedules = timetable.schedules(route);
        let whole = schedules.to_vec();
        assert_eq!(schedules.byte_count(), whole.len() as u64);
        for piece_bytes in PIECE_BYTES.into_iter().filter(|piece_bytes| whole.len() / piece_bytes < PIECES_MAX) {
            let mut joined = Vec::with_capacity(whole.len());
            for piece in schedules.pieces(piece_bytes) {
                assert!((1..=piece_bytes).contains(&piece.len()), "a piece of {} of {piece_bytes}", piece.len());
                joined.extend_from_slice(&piece);
            }
            assert!(joined == whole, "pieces of {piece_bytes} bytes make up something else");
        }
        let json: serde_json::Value = serde_json::from_slice(&whole).expect("an answer is JSON");
        let trips = json.as_array().expect("an answer is a list of trips");
        assert_eq!(trips.len(), timetable.trips_of_route(route).len());
        assert!(trips.iter().all(|trip| trip["route_id"] == timetable.route_id(route)));
    }
}

fn assert_equals_the_twin(timetable: &Timetable, files: &MemoryFiles) {
    let expected = naive::schedules(&files.0);
    let mut route_ids: Vec<&str> = timetable.routes().map(|route| timetable.route_id(route)).collect();
    route_ids.sort_unstable();
    assert_eq!(route_ids, expected.keys().collect::<Vec<_>>(), "other routes are known");
    for (route_id, body) in &expected {
        let route = timetable.find_route(route_id).expect("a known route is found");
        let found = timetable.schedules(route).to_vec();
        assert!(
            found == *body,
            "route {route_id:?}\n   found: {}\nexpected: {}",
            found.escape_ascii(),
            body.escape_ascii()
        );
    }
}

/// Whether the twin and we have said the same of such bytes: it knows no limits, and keeps zeros before an hour.
///
/// Careful rather than exact, since the judge must not be cleverer than the judged: digits are counted as they stand
/// in the file, through quotes.
fn is_for_the_twin(bytes: &[u8]) -> bool {
    const BYTE_ORDER_MARKS: &[u8] = b"\xef\xbb\xbf\xef\xbb\xbf";
    if bytes.starts_with(BYTE_ORDER_MARKS) {
        return false;
    }
    let mut digits = Vec::new();
    for byte in bytes.iter().filter(|byte| **byte != b'"') {
        match byte {
            b'0'..=b'9' => digits.push(*byte),
            b':' if digits.len() > 5 || digits.len() > 2 && digits[0] == b'0' => return false,
            _ => digits.clear(),
        }
        if digits.len() > 9 {
            return false;
        }
    }
    true
}
