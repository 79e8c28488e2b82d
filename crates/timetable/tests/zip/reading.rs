//! What a reader sees when the bytes come slowly, fail, or are read from several threads.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use timetable::{Files, ReadAt, Zip, ZipLimits};

use crate::raw_zip::{RawEntry, RawZip, deflated, stored};
use crate::{BUFFER_BYTES, read_entry};

/// Rows that differ, so that deflate has something to do: about 400 KB, more than one piece of input and of output.
fn rows() -> Vec<u8> {
    let rows = (0_u64..20_000).map(|row| format!("{},{},stop\n", row, row.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    rows.collect::<String>().into_bytes()
}

fn zip_of_rows() -> Vec<u8> {
    let rows = rows();
    RawZip::of(&[deflated("stop_times.txt", &rows), stored("trips.txt", &rows)]).bytes()
}

/// Bytes of which a read gives few, is interrupted every second time, and fails when its number is `failing`.
struct Moody<'a> {
    bytes: Vec<u8>,
    bytes_each: usize,
    /// How many reads were tried so far.
    reads: &'a AtomicU64,
    failing: u64,
}

impl ReadAt for Moody<'_> {
    fn byte_count(&self) -> u64 {
        self.bytes.byte_count()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let number = self.reads.fetch_add(1, Ordering::Relaxed);
        if number == self.failing {
            return Err(io::Error::other("the disk is gone"));
        }
        if number % 2 == 1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let byte_count = buffer.len().min(self.bytes_each);
        self.bytes.read_at(&mut buffer[..byte_count], offset)
    }
}

#[test]
fn short_and_interrupted_reads_change_nothing() {
    let rows = rows();
    for bytes_each in [1, 3, 1000] {
        let moody = Moody { bytes: zip_of_rows(), bytes_each, reads: &AtomicU64::new(0), failing: u64::MAX };
        let zip = Zip::open(moody, ZipLimits::default()).unwrap();
        assert!(read_entry(&zip, 0, 1000).unwrap() == rows);
        assert!(read_entry(&zip, 1, BUFFER_BYTES).unwrap() == rows);
    }
}

#[test]
fn a_read_that_fails_is_told_as_it_is() {
    let rows = rows();
    let bytes = zip_of_rows();
    let mut errors = 0;
    for failing in 0.. {
        let reads = AtomicU64::new(0);
        let moody = Moody { bytes: bytes.clone(), bytes_each: 10_000, reads: &reads, failing };
        let outcome = Zip::open(moody, ZipLimits::default())
            .map_err(io::Error::from)
            .and_then(|zip| Ok([read_entry(&zip, 0, BUFFER_BYTES)?, read_entry(&zip, 1, BUFFER_BYTES)?]));
        println!("read {failing} fails: {:?}", outcome.as_ref().map(|_| "no error"));
        match outcome {
            Err(error) => {
                assert!(error.kind() == io::ErrorKind::Other && error.to_string().ends_with("the disk is gone"));
                errors += 1;
            }
            // One read, and its repetition, only ask whether there are bytes before the zip; another answers as well.
            Ok(contents) => assert!(contents.iter().all(|content| *content == rows)),
        }
        if reads.into_inner() <= failing {
            assert_eq!(errors, failing - 2);
            return;
        }
    }
}

#[test]
fn entries_are_read_at_the_same_time_from_several_threads() {
    let rows = rows();
    let zip = Zip::open(zip_of_rows(), ZipLimits::default()).unwrap();
    thread::scope(|scope| {
        for reader in 0..8 {
            let (zip, rows) = (&zip, &rows);
            scope.spawn(move || assert!(read_entry(zip, reader % 2, 1 << (reader + 8)).unwrap() == *rows));
        }
    });
}

#[test]
fn an_error_is_told_again_to_who_goes_on_reading() {
    let zip = RawZip::of(&[RawEntry { crc32: 1, ..deflated("trips.txt", &rows()) }]).bytes();
    let zip = Zip::open(zip, ZipLimits::default()).unwrap();
    let mut entry = zip.open(0).unwrap();
    let first = io::copy(&mut entry, &mut io::sink()).unwrap_err();
    for _ in 0..3 {
        let again = entry.read(&mut [0; 10]).unwrap_err();
        assert_eq!((again.kind(), again.to_string()), (first.kind(), first.to_string()));
    }
}

#[test]
fn the_end_is_told_as_often_as_it_is_asked() {
    for entry in [stored("empty.txt", b""), deflated("empty.txt", b""), stored("stops.txt", b"stop_id\n")] {
        let zip = Zip::open(RawZip::of(&[entry]).bytes(), ZipLimits::default()).unwrap();
        let mut entry = zip.open(0).unwrap();
        assert_eq!(entry.read(&mut []).unwrap(), 0);
        io::copy(&mut entry, &mut io::sink()).unwrap();
        assert_eq!((entry.read(&mut [0; 10]).unwrap(), entry.read(&mut [0; 10]).unwrap()), (0, 0));
    }
}
