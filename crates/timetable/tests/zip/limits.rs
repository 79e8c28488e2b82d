//! Each limit at, below and above; and that a bomb stops early, whatever sizes it declares.

use std::io;

use timetable::{Files, ReadAt, Zip, ZipLimits};

use crate::raw_zip::{RawEntry, RawZip, deflated, stored};
use crate::{BUFFER_BYTES, read_entry, read_error};

const ZEROS: usize = 1 << 20;

/// A zip with one entry of a MiB of zeros, which deflate makes a thousand times smaller.
fn bomb(declared_bytes: u32) -> Vec<u8> {
    RawZip::of(&[RawEntry { uncompressed_size: declared_bytes, ..deflated("bomb.txt", &[0; ZEROS]) }]).bytes()
}

/// How many bytes come out of all entries until each ends or is refused.
fn bytes_out_of<R: ReadAt>(zip: &Zip<R>) -> u64 {
    let mut counted = Counted(0);
    for position in 0..zip.names().len() {
        if let Err(error) = io::copy(&mut zip.open(position).unwrap(), &mut counted) {
            println!("entry {position}: {error}");
            assert_eq!(error.kind(), io::ErrorKind::InvalidData);
        }
    }
    counted.0
}

/// Counts what is written to it.
struct Counted(u64);

impl io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_entry_may_have_as_many_bytes_as_its_limit() {
    for (entry_bytes_max, is_allowed) in [(ZEROS as u64 - 1, false), (ZEROS as u64, true), (ZEROS as u64 + 1, true)] {
        let zip = Zip::open(bomb(ZEROS as u32), ZipLimits { entry_bytes_max, ..ZipLimits::default() }).unwrap();
        assert_eq!(read_entry(&zip, 0, BUFFER_BYTES).is_ok(), is_allowed);
        if !is_allowed {
            let error = read_error(&zip, 0);
            assert!(error.ends_with(": found 1048576 bytes inflated so far, expected at most 1048575 of an entry"));
        }
    }
}

#[test]
fn all_entries_together_may_have_as_many_bytes_as_their_limit() {
    let three = RawZip::of(&["a", "b", "c"].map(|name| deflated(name, &[0; 1000]))).bytes();
    for (total_bytes_max, is_allowed) in [(2999, false), (3000, true), (3001, true)] {
        let limits = ZipLimits { total_bytes_max, ..ZipLimits::default() };
        let zip = Zip::open(three.clone(), limits).unwrap();
        assert!(read_entry(&zip, 0, BUFFER_BYTES).is_ok() && read_entry(&zip, 1, 7).is_ok());
        assert_eq!(read_entry(&zip, 2, BUFFER_BYTES).is_ok(), is_allowed);
        assert!(read_error(&zip, 0).contains(" bytes inflated so far of all entries, expected at most "));
    }
}

#[test]
fn a_ratio_counts_from_the_bytes_that_are_free_of_it() {
    let data_bytes = deflated("", &[0; ZEROS]).data.len() as u64;
    let ratio = ZEROS as u64 / data_bytes;
    println!("{ZEROS} bytes from {data_bytes}");
    let bytes = ZEROS as u64;
    for (ratio_max, ratio_free_bytes, is_allowed) in [
        (ratio - 1, 0, false),
        (ratio + 1, 1000, true),
        (10, bytes - 1, false),
        (10, bytes, true),
        (0, bytes, true),
        (u64::MAX, 0, true),
    ] {
        let limits = ZipLimits { ratio_max, ratio_free_bytes, ..ZipLimits::default() };
        let zip = Zip::open(bomb(ZEROS as u32), limits).unwrap();
        assert_eq!(read_entry(&zip, 0, BUFFER_BYTES).is_ok(), is_allowed, "{ratio_max} after {ratio_free_bytes}");
        if !is_allowed {
            assert!(read_error(&zip, 0).contains(" bytes inflated from "));
        }
    }
}

#[test]
fn a_bomb_stops_at_the_limits_whatever_it_declares() {
    let limits = ZipLimits { entry_bytes_max: 300_000, ..ZipLimits::default() };
    for declared_bytes in [0, 1, 100_000, ZEROS as u32, u32::MAX] {
        let zip = Zip::open(bomb(declared_bytes), limits).unwrap();
        let bytes_out = bytes_out_of(&zip);
        println!("{bytes_out} of {declared_bytes} declared");
        assert!(bytes_out <= 300_000.min(u64::from(declared_bytes)));
    }
}

#[test]
fn the_default_ratio_stops_a_bomb_of_a_gigabyte_at_the_free_bytes() {
    // Blocks of a MiB of zeros that end on a byte, so that they can be repeated.
    let mut compressor = flate2::Compress::new(flate2::Compression::best(), false);
    let mut data = Vec::with_capacity(4096);
    compressor.compress_vec(&[0; ZEROS], &mut data, flate2::FlushCompress::Full).unwrap();
    let mut entry = stored("stop_times.txt", b"");
    entry.method = 8;
    entry.data = data.repeat(1024);
    entry.compressed_size = entry.data.len() as u32;
    entry.uncompressed_size = 1 << 30;
    let zip = Zip::open(RawZip::of(&[entry]).bytes(), ZipLimits::default()).unwrap();
    let bytes_out = bytes_out_of(&zip);
    println!("{bytes_out} bytes came out");
    assert!(bytes_out > 15 << 20 && bytes_out <= ZipLimits::default().ratio_free_bytes);
}

#[test]
fn a_zip_may_have_as_many_entries_as_its_limit() {
    let three = RawZip::of(&["a", "b", "c"].map(|name| stored(name, b""))).bytes();
    for (entries_max, is_allowed) in [(2, false), (3, true), (4, true)] {
        let opened = Zip::open(three.clone(), ZipLimits { entries_max, ..ZipLimits::default() });
        assert_eq!(opened.is_ok(), is_allowed);
        if let Err(error) = opened {
            assert_eq!(error.to_string(), "zip, byte 187: found more than 2 entries, expected no more");
        }
    }
}

#[test]
fn a_central_directory_may_have_as_many_bytes_as_its_limit() {
    let two = RawZip::of(&["a", "b"].map(|name| stored(name, b""))).bytes();
    for (directory_bytes_max, is_allowed) in [(93, false), (94, true), (95, true)] {
        let opened = Zip::open(two.clone(), ZipLimits { directory_bytes_max, ..ZipLimits::default() });
        assert_eq!(opened.is_ok(), is_allowed);
        if let Err(error) = opened {
            let found = "found 94 bytes of central directory, expected at most 93";
            assert_eq!(error.to_string(), format!("zip, byte 62: {found}"));
        }
    }
}
