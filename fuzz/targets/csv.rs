//! Any bytes as trips.txt and stop_times.txt.
//!
//! The bytes are parted by 0x1d, the ASCII separator of groups: stop_times.txt, then trips.txt, then a byte that says
//! where in the rows of stop_times.txt a block of the reader ends. What is missing has a plain stand-in, so a mutation
//! that removes a separator still says something.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linespeed_fuzz::judge;
use timetable::MemoryFiles;

const GROUP_SEPARATOR: u8 = 0x1d;

const TRIPS: &[u8] = b"route_id,service_id,trip_id\nR1,S1,T1\nR2,S1,T2\n";

/// As many bytes as the reader takes at a time; only to aim with, nothing is wrong if it takes others.
const BLOCK_BYTES: usize = 256 << 10;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(3, |byte| *byte == GROUP_SEPARATOR);
    let stop_times = parts.next().unwrap_or_default();
    let trips = parts.next().unwrap_or(TRIPS);
    let stop_times = match parts.next().and_then(|rest| rest.first()) {
        Some(place) => over_three_blocks(stop_times, usize::from(*place)),
        None => stop_times.to_vec(),
    };
    judge(&MemoryFiles(vec![("trips.txt".to_owned(), trips.to_vec()), ("stop_times.txt".to_owned(), stop_times)]));
});

/// The first line once and what follows it three times, so far apart that a block ends at `place` of 256 of it.
///
/// What lies between is one long row with nothing in it, since many short ones would take far more time to judge.
fn over_three_blocks(text: &[u8], place: usize) -> Vec<u8> {
    let header_end = text.iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| at + 1);
    let rows = &text[header_end..];
    let before_place = rows.len() * place / 256;
    let mut spread = text.to_vec();
    for block_end in [BLOCK_BYTES, 2 * BLOCK_BYTES] {
        spread.resize(block_end.saturating_sub(before_place + 1).max(spread.len()), b'x');
        spread.push(b'\n');
        spread.extend_from_slice(rows);
    }
    spread
}
