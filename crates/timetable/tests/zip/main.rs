//! Zips as writers write them, as strangers break them and as attackers forge them.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "clippy takes the helpers of tests for a program")]

mod damaged;
mod limits;
mod raw_zip;
mod reading;
mod written;

use std::io::{self, Read};

use timetable::{Files, ReadAt, Zip, ZipLimits};

/// As a reader of feeds would read.
const BUFFER_BYTES: usize = 64 << 10;

/// Reads an entry to its end, by a buffer of `buffer_bytes`.
fn read_entry<R: ReadAt>(zip: &Zip<R>, position: usize, buffer_bytes: usize) -> io::Result<Vec<u8>> {
    let mut entry = zip.open(position)?;
    let mut buffer = vec![0; buffer_bytes];
    let mut content = Vec::new();
    loop {
        match entry.read(&mut buffer)? {
            0 => return Ok(content),
            byte_count => content.extend_from_slice(&buffer[..byte_count]),
        }
    }
}

/// The message of the error that opening gives.
fn open_error(bytes: Vec<u8>) -> String {
    Zip::open(bytes, ZipLimits::default()).unwrap_err().to_string()
}

/// The message of the error that reading an entry to its end gives.
fn read_error<R: ReadAt>(zip: &Zip<R>, position: usize) -> String {
    let error = read_entry(zip, position, BUFFER_BYTES).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    error.to_string()
}
