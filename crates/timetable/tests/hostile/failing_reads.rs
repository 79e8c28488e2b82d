//! The Nth call to a source fails, for every N: an error that names the file, and never half a timetable.

use std::io::{self, Read};
use std::sync::atomic::{AtomicUsize, Ordering};

use timetable::{Feed, Files, MemoryFiles, ReadAt, Zip, ZipLimits};

use crate::raw_zip::{RawZip, deflated};
use crate::{STOP_TIMES, THREADS, TRIPS, assert_same, files, read_by};

/// So few that even small files take several reads.
const BYTES_PER_READ: usize = 40;

const REASON: &str = "the disk is gone";

/// Counts calls down; the one that finds none left fails.
struct CallsLeft(AtomicUsize);

impl CallsLeft {
    fn call(&self, kind: io::ErrorKind) -> io::Result<()> {
        let is_last = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)) == Ok(1);
        if is_last { Err(io::Error::new(kind, REASON)) } else { Ok(()) }
    }

    /// Whether the call that fails has come.
    fn are_used_up(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// Files of which one call to open or read fails.
struct Failing {
    files: MemoryFiles,
    calls_left: CallsLeft,
    kind: io::ErrorKind,
}

impl Failing {
    fn at(call: usize, kind: io::ErrorKind) -> Self {
        Self { files: feed(), calls_left: CallsLeft(AtomicUsize::new(call)), kind }
    }
}

impl Files for Failing {
    fn names(&self) -> Vec<String> {
        self.files.names()
    }

    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>> {
        if self.kind != io::ErrorKind::Interrupted {
            self.calls_left.call(self.kind)?;
        }
        Ok(Box::new(FailingRead { feed: self, rest: &self.files.0[position].1 }))
    }
}

struct FailingRead<'a> {
    feed: &'a Failing,
    rest: &'a [u8],
}

impl Read for FailingRead<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.feed.calls_left.call(self.feed.kind)?;
        let byte_count = buffer.len().min(BYTES_PER_READ);
        self.rest.read(&mut buffer[..byte_count])
    }
}

/// Every kind of file that is read, and one that is only counted.
fn feed() -> MemoryFiles {
    files(&[
        ("agency.txt", "agency_id,agency_name\nX,Example\n"),
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\nA,First,42.30,-71.06\nB,Second,42.31,-71.07\n"),
        ("routes.txt", "route_id,agency_id,route_short_name,route_type\nR1,X,1,3\nR2,X,2,nothing\n"),
        ("calendar.txt", "service_id,start_date,end_date,monday\nS1,20260105,20261231,1\n"),
        ("calendar_dates.txt", "service_id,date,exception_type\nS1,20260706,2\n"),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,22:00:00,600\n"),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nP,42.30,-71.06,1\n"),
        ("feed_info.txt", "feed_publisher_name,feed_version\nExample,v1\n"),
        ("transfers.txt", "from_stop_id,to_stop_id\nA,B\n"),
    ])
}

/// Reads with the Nth call failing, for N from 1 until none is left to fail; gives how many failed.
fn fail_every_call<F: Files>(clean: &Feed, threads: usize, failing: impl Fn(usize) -> (F, fn(&F) -> bool)) -> usize {
    for call in 1.. {
        let (feed, has_failed) = failing(call);
        match read_by(&feed, threads) {
            Ok(read) => {
                assert!(!has_failed(&feed), "call {call} failed, and nobody said so");
                assert_same(&read, clean, &format!("call {call}, {threads} threads"));
                return call - 1;
            }
            Err(error) => {
                let message = error.to_string();
                let (name, reason) = message.split_once(": ").unwrap();
                assert!(has_failed(&feed) && reason.contains(REASON), "call {call}: {message}");
                assert!(feed.names().iter().any(|known| known == name), "call {call}: {message}");
            }
        }
    }
    unreachable!("a feed of few bytes takes few reads");
}

#[test]
fn whichever_call_fails_the_feed_is_refused_by_the_name_of_its_file() {
    let clean = read_by(&feed(), 1).unwrap();
    assert_eq!(clean.report.problem_count(), 1, "one, to see that the report is whole");
    for threads in THREADS {
        for kind in [io::ErrorKind::Other, io::ErrorKind::UnexpectedEof, io::ErrorKind::WouldBlock] {
            let calls = fail_every_call(&clean, threads, |call| {
                (Failing::at(call, kind), |feed: &Failing| feed.calls_left.are_used_up())
            });
            println!("{calls} calls failed");
            assert!(calls > 3 * feed().0.len(), "{calls} calls: each file is opened, read, and read to its end");
        }
    }
}

#[test]
fn a_read_that_a_signal_interrupts_is_tried_again() {
    let clean = read_by(&feed(), 1).unwrap();
    for threads in THREADS {
        for call in 1..40 {
            let interrupted = Failing::at(call, io::ErrorKind::Interrupted);
            assert_same(&read_by(&interrupted, threads).unwrap(), &clean, &format!("call {call}"));
        }
    }
}

/// A zip of which one call to read fails.
struct FailingZip {
    bytes: Vec<u8>,
    calls_left: CallsLeft,
}

impl ReadAt for FailingZip {
    fn byte_count(&self) -> u64 {
        self.bytes.byte_count()
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.calls_left.call(io::ErrorKind::Other)?;
        let byte_count = buffer.len().min(BYTES_PER_READ);
        self.bytes.read_at(&mut buffer[..byte_count], offset)
    }
}

#[test]
fn whichever_read_of_a_zip_fails_it_is_refused() {
    let small = [("trips.txt", TRIPS), ("stop_times.txt", STOP_TIMES)];
    let bytes = RawZip::of(&small.map(|(name, text)| deflated(name, text.as_bytes()))).bytes();
    let clean = read_by(&files(&small), 1).unwrap();
    for threads in THREADS {
        let mut errors = 0;
        for call in 1.. {
            let source = FailingZip { bytes: bytes.clone(), calls_left: CallsLeft(AtomicUsize::new(call)) };
            let result = match Zip::open(source, ZipLimits::default()) {
                Ok(zip) => read_by(&zip, threads).map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            match result {
                Err(message) => assert!(message.contains(REASON), "call {call}: {message}"),
                Ok(feed) => {
                    assert_same(&feed, &clean, &format!("call {call}, {threads} threads"));
                    break;
                }
            }
            errors = call;
        }
        println!("{errors} calls failed");
        assert!(errors > bytes.len() / BYTES_PER_READ, "{errors} calls: every byte is read");
    }
}
