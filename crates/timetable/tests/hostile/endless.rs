//! Files without an end: refused after a few MiB, whatever else they would go on to say.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use timetable::{Files, MemoryFiles, Zip, ZipLimits};

use crate::raw_zip::{RawZip, deflated, stored};
use crate::{ANSWER, STOP_TIMES, THREADS, TRIPS, assert_answer, files, read_by};

const ENDLESS_BYTES: u64 = 1 << 30;

/// Somewhat more than the longest record, and far less than what would be felt.
const BYTES_READ_MAX: u64 = 2 << 20;

/// A feed with one file that goes on, after what is given of it, with a gigabyte of one byte.
struct Endless {
    files: MemoryFiles,
    name: &'static str,
    byte: u8,
    /// Of the endless file.
    bytes_read: AtomicU64,
}

impl Files for Endless {
    fn names(&self) -> Vec<String> {
        self.files.names()
    }

    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>> {
        let (name, bytes) = &self.files.0[position];
        if name != self.name {
            return Ok(Box::new(bytes.as_slice()));
        }
        let endless = bytes.chain(io::repeat(self.byte).take(ENDLESS_BYTES));
        Ok(Box::new(Counted { source: endless, bytes_read: &self.bytes_read }))
    }
}

struct Counted<'a, R> {
    source: R,
    bytes_read: &'a AtomicU64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let byte_count = self.source.read(buffer)?;
        self.bytes_read.fetch_add(byte_count as u64, Ordering::Relaxed);
        Ok(byte_count)
    }
}

/// Asserts that a file that begins so and goes on with `byte` is refused by its name and the line, and soon.
fn assert_refused(name: &'static str, beginning: &str, byte: u8, line: u64) {
    for threads in THREADS {
        println!("{name}, {} bytes and then {:?}, {threads} threads", beginning.len(), char::from(byte));
        let feed = Endless { files: files(&[(name, beginning)]), name, byte, bytes_read: AtomicU64::new(0) };
        let message = read_by(&feed, threads).unwrap_err().to_string();
        let expected = format!(
            "{name}: line {line}: a record of over 1048576 bytes begins here, expected shorter ones: is a quote never closed?"
        );
        assert_eq!(message, expected);
        let bytes_read = feed.bytes_read.into_inner();
        assert!(bytes_read < BYTES_READ_MAX, "{bytes_read} bytes were read");
    }
}

#[test]
fn a_field_of_a_gigabyte_is_refused() {
    assert_refused("stop_times.txt", &format!("{STOP_TIMES}T1,"), b'x', 4);
    assert_refused("trips.txt", &format!("{TRIPS}R1,"), b'x', 3);
    assert_refused("routes.txt", "route_id,route_type\nR1,3\n", b'x', 3);
    println!("a header");
    assert_refused("stop_times.txt", "", b'x', 1);
}

#[test]
fn a_header_of_a_gigabyte_is_refused_by_its_line() {
    assert_refused("shapes.txt", "\n\nshape_id,", b'x', 3);
}

#[test]
fn a_quote_that_is_never_closed_is_refused() {
    for byte in [b'x', b'\n', b'\r', b','] {
        assert_refused("stop_times.txt", &format!("{STOP_TIMES}\"T1"), byte, 4);
    }
    assert_refused("trips.txt", &format!("{TRIPS}R1,\""), b'\n', 3);
    assert_refused("agency.txt", "agency_id,\"", b'\n', 1);
    println!("a gigabyte of quotes, which open, close and double each other");
    assert_refused("stop_times.txt", &format!("{STOP_TIMES}T1,"), b'"', 4);
}

#[test]
fn a_record_of_a_thousand_million_fields_is_refused() {
    assert_refused("stop_times.txt", STOP_TIMES, b',', 4);
    assert_refused("feed_info.txt", "feed_version", b',', 1);
}

#[test]
fn an_endless_record_in_a_file_that_is_only_counted_harms_nothing_and_is_read_no_further() {
    let beginning = "from_stop_id,to_stop_id\nA,\"";
    let feed = Endless {
        files: files(&[("transfers.txt", beginning)]),
        name: "transfers.txt",
        byte: b'x',
        bytes_read: AtomicU64::new(0),
    };
    let read = read_by(&feed, 2).unwrap();
    assert_answer(&read, ANSWER);
    assert_eq!(read.report.unused_files[0].row_count, None);
    assert!(feed.bytes_read.into_inner() < BYTES_READ_MAX);
}

#[test]
fn an_endless_file_that_is_no_table_is_never_opened() {
    for name in ["locations.geojson", "readme.txt", "trips.txt.bak"] {
        let feed = Endless { files: files(&[(name, "")]), name, byte: b'x', bytes_read: AtomicU64::new(0) };
        read_by(&feed, 2).unwrap();
        assert_eq!(feed.bytes_read.into_inner(), 0, "{name}");
    }
}

/// A zip of the small feed in which trips.txt goes on with 2 GiB of `byte`, in a few MB.
fn bomb(byte: u8) -> Vec<u8> {
    const BLOCK_BYTES: usize = 1 << 20;
    // Blocks that end on a byte, so that they can be repeated.
    let mut compressor = flate2::Compress::new(flate2::Compression::best(), false);
    let mut compress = |bytes: &[u8]| {
        let mut data = Vec::with_capacity(4096);
        compressor.compress_vec(bytes, &mut data, flate2::FlushCompress::Full).unwrap();
        data
    };
    let mut trips = stored("trips.txt", b"");
    trips.method = 8;
    trips.data = compress(TRIPS.as_bytes());
    trips.data.extend(compress(&vec![byte; BLOCK_BYTES]).repeat(2048));
    trips.compressed_size = trips.data.len() as u32;
    trips.uncompressed_size = (TRIPS.len() + BLOCK_BYTES * 2048) as u32;
    RawZip::of(&[deflated("stop_times.txt", STOP_TIMES.as_bytes()), trips]).bytes()
}

#[test]
fn a_bomb_of_gigabytes_is_refused_by_the_entry_that_it_is() {
    for threads in THREADS {
        let zip = Zip::open(bomb(b'\n'), ZipLimits::default()).unwrap();
        let message = read_by(&zip, threads).unwrap_err().to_string();
        println!("{message}");
        assert!(message.starts_with("trips.txt: zip entry trips.txt, byte "), "{message}");
        assert!(message.contains(" bytes inflated from ") && message.ends_with(", expected at most 250 times as many"));
    }
}

#[test]
fn a_bomb_that_is_one_field_is_refused_by_its_line_before_it_is_by_its_size() {
    let zip = Zip::open(bomb(0), ZipLimits::default()).unwrap();
    let message = read_by(&zip, 2).unwrap_err().to_string();
    assert!(message.starts_with("trips.txt: line 3: a record of over 1048576 bytes begins here"), "{message}");
}
