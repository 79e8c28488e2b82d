//! Any bytes as a zip: what comes out stays within the limits, and is the same however it is read.

#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use linespeed_fuzz::read;
use timetable::{Files, Zip, ZipError, ZipLimits};

/// So small that a few KB of input pass each of them.
const LIMITS: ZipLimits = ZipLimits {
    entry_bytes_max: 60_000,
    total_bytes_max: 100_000,
    ratio_max: 20,
    ratio_free_bytes: 1_000,
    entries_max: 8,
    directory_bytes_max: 2_000,
};

/// Sizes of the reader's buffer: smaller than any step of deflate, odd, and larger than the pieces that are inflated.
const BUFFER_BYTES: [usize; 3] = [3, 337, 100_000];

/// The limit of the ratio is looked at with every piece, so a large one hides a jump that small ones show.
const RATIO_REFUSED: &str = " bytes inflated from ";

fuzz_target!(|data: &[u8]| {
    let zip = match open(data) {
        Ok(zip) => zip,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let entry_count = zip.names().len();
    assert!(entry_count <= LIMITS.entries_max);
    let mut total_bytes = 0;
    for position in 0..entry_count {
        let (content, _) = read_entry(&zip, position, BUFFER_BYTES[position % BUFFER_BYTES.len()]);
        let entry_bytes = content.len() as u64;
        total_bytes += entry_bytes;
        assert!(entry_bytes <= LIMITS.entry_bytes_max);
        assert!(entry_bytes <= LIMITS.ratio_free_bytes.max(data.len() as u64 * LIMITS.ratio_max));
        assert!(total_bytes <= LIMITS.total_bytes_max);
    }
    (0..entry_count).for_each(|position| assert_no_buffer_shows(data, position));
    let zip = open(data).expect("it was a zip before");
    if let Err(error) = read(&zip, 2) {
        assert!(!error.to_string().is_empty());
    }
});

fn open(data: &[u8]) -> Result<Zip<Vec<u8>>, ZipError> {
    Zip::open(data.to_vec(), LIMITS)
}

/// Asserts that an entry has one content or is refused, whatever the buffer.
///
/// Each time from a zip opened anew, since what was read before counts towards the limit of all entries.
fn assert_no_buffer_shows(data: &[u8], position: usize) {
    let results = BUFFER_BYTES.map(|buffer_bytes| {
        let zip = open(data).expect("it was a zip before");
        read_entry(&zip, position, buffer_bytes)
    });
    let errors = || results.iter().filter_map(|(_, result)| result.as_ref().err());
    if errors().any(|error| error.contains(RATIO_REFUSED)) {
        return;
    }
    let contents = results.each_ref().map(|(content, result)| result.is_ok().then_some(content));
    assert!(contents.iter().all(|content| *content == contents[0]), "a buffer shows: {results:?}");
}

/// What comes out of an entry until its end or until it is refused.
fn read_entry(zip: &Zip<Vec<u8>>, position: usize, buffer_bytes: usize) -> (Vec<u8>, Result<(), String>) {
    let mut content = Vec::new();
    let mut entry = match zip.open(position) {
        Ok(entry) => entry,
        Err(error) => return (content, Err(error.to_string())),
    };
    let mut buffer = vec![0; buffer_bytes];
    loop {
        match entry.read(&mut buffer) {
            Ok(0) => return (content, Ok(())),
            Ok(byte_count) => content.extend_from_slice(&buffer[..byte_count]),
            Err(error) => {
                let again = entry.read(&mut buffer).expect_err("who goes on after an error is told it again");
                assert_eq!(again.to_string(), error.to_string());
                return (content, Err(error.to_string()));
            }
        }
    }
}
