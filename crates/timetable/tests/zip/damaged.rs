//! Zips that lie or are broken: refused by an error that names the entry, what was found and what was expected.

use timetable::{Files, Zip, ZipLimits};

use crate::raw_zip::{RawEntry, RawZip, Zip64, deflated, end_record, stored, zip64_extra};
use crate::{BUFFER_BYTES, open_error, read_entry, read_error};

const TRIPS: &[u8] = b"route_id,service_id,trip_id\nRed,weekday,1\nRed,weekday,2\nRed,weekday,3\n";
const STOPS: &[u8] = b"stop_id,stop_name\nplace-pktrm,Park Street\n";

fn small_zip() -> RawZip {
    let mut zip = RawZip::of(&[deflated("trips.txt", TRIPS), stored("stops.txt", STOPS)]);
    zip.comment = b"a comment".to_vec();
    zip
}

/// Reads all that can be read, and says how many bytes came out; every error is fine here, a panic is not.
fn bytes_out_of(bytes: Vec<u8>) -> usize {
    let Ok(zip) = Zip::open(bytes, ZipLimits::default()) else { return 0 };
    let outcomes = (0..zip.names().len()).map(|position| read_entry(&zip, position, BUFFER_BYTES));
    outcomes.filter_map(Result::ok).map(|content| content.len()).sum()
}

#[test]
fn a_zip_cut_off_anywhere_is_refused() {
    let whole = small_zip().bytes();
    assert_eq!(bytes_out_of(whole.clone()), TRIPS.len() + STOPS.len());
    for length in 0..whole.len() {
        println!("cut to {length} of {} bytes", whole.len());
        assert!(Zip::open(whole[..length].to_vec(), ZipLimits::default()).is_err());
    }
}

#[test]
fn any_flipped_bit_gives_an_error_or_the_same_bytes() {
    let whole = small_zip().bytes();
    for (place, bit) in (0..whole.len()).flat_map(|place| (0..8).map(move |bit| (place, bit))) {
        println!("bit {bit} of byte {place} of {}", whole.len());
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << bit;
        let Ok(zip) = Zip::open(flipped, ZipLimits::default()) else { continue };
        assert_eq!(zip.names().len(), 2);
        for (position, content) in [TRIPS, STOPS].into_iter().enumerate() {
            if let Ok(bytes) = read_entry(&zip, position, BUFFER_BYTES) {
                assert_eq!(bytes, content);
            }
        }
    }
}

#[test]
fn what_is_no_zip_is_refused() {
    for bytes in [b"".to_vec(), b"P".to_vec(), b"trip_id,route_id\n1,Red\n".to_vec(), vec![0; 3 << 20]] {
        let expected = "found none before it, expected an end of central directory record, as every zip has";
        assert_eq!(open_error(bytes.clone()), format!("zip, byte {}: {expected}", bytes.len()));
    }
    assert_eq!(
        open_error(b"PK\x05\x06".to_vec()),
        "zip, byte 0: found the end of the bytes, expected a right end of central directory record"
    );
}

#[test]
fn entries_that_share_bytes_are_refused_by_name() {
    let twice = RawEntry { header_offset: Some(0), ..deflated("b.txt", TRIPS) };
    assert_eq!(
        open_error(RawZip::of(&[deflated("a.txt", TRIPS), twice]).bytes()),
        "zip, byte 0: found entry b.txt inside entry a.txt, expected them apart"
    );

    let mut quoting = stored("outer.txt", b"");
    quoting.compressed_size = 40;
    assert_eq!(
        open_error(RawZip::of(&[stored("before.txt", TRIPS), quoting, stored("inner.txt", TRIPS)]).bytes()),
        "zip, byte 149: found entry inner.txt inside entry outer.txt, expected them apart"
    );
}

#[test]
fn data_that_reaches_into_the_central_directory_is_refused() {
    let mut entry = stored("stops.txt", STOPS);
    entry.compressed_size += 1;
    assert_eq!(
        open_error(RawZip::of(&[entry]).bytes()),
        "zip entry stops.txt, byte 0: found data up to byte 82, expected data that ends before the central directory \
         at byte 81"
    );
}

#[test]
fn declared_lengths_are_compared_with_what_comes_out() {
    for (entry, length_declared) in [deflated("trips.txt", TRIPS), stored("trips.txt", TRIPS)]
        .iter()
        .flat_map(|e| [(e, 69), (e, 71), (e, u32::MAX)])
    {
        let entry = RawEntry { uncompressed_size: length_declared, ..entry.clone() };
        let error = read_error(&Zip::open(RawZip::of(&[entry]).bytes(), ZipLimits::default()).unwrap(), 0);
        println!("{length_declared}: {error}");
        assert!(error.starts_with("zip entry trips.txt, byte "));
        let found = if length_declared < 70 { "at least 70 inflated bytes" } else { "70 inflated bytes" };
        assert!(
            error.ends_with(&format!(": found {found}, expected {length_declared} as the central directory tells"))
        );
    }
}

#[test]
fn damaged_data_is_refused_when_it_is_read() {
    let wrong_crc = RawEntry { crc32: 1, ..stored("stops.txt", STOPS) };
    let mut wrong_data = deflated("trips.txt", TRIPS);
    wrong_data.data[0] = 0xff;
    let mut cut_data = deflated("cut.txt", TRIPS);
    cut_data.data.truncate(20);
    cut_data.compressed_size = 20;
    let zip = Zip::open(RawZip::of(&[wrong_crc, wrong_data, cut_data]).bytes(), ZipLimits::default()).unwrap();
    let crc32 = crate::raw_zip::crc32(STOPS);
    assert_eq!(
        read_error(&zip, 0),
        format!(
            "zip entry stops.txt, byte 81: found CRC-32 {crc32:08x}, expected 00000001 as the central directory tells"
        )
    );
    assert!(read_error(&zip, 1).ends_with(": found invalid block type, expected data as deflate writes it"));
    assert!(
        read_error(&zip, 2).ends_with(": found the end of the compressed data, expected the last block of deflate")
    );
}

#[test]
fn an_entry_that_cannot_be_read_leaves_the_others_readable() {
    let encrypted = RawEntry { flags: 1, ..stored("secret.txt", STOPS) };
    let unknown = RawEntry { method: 14, ..stored("lzma.txt", STOPS) };
    let zip = Zip::open(RawZip::of(&[encrypted, unknown, stored("stops.txt", STOPS)]).bytes(), ZipLimits::default());
    let zip = zip.unwrap();
    assert_eq!(
        read_error(&zip, 0),
        "zip entry secret.txt, byte 40: found encrypted data, expected data that needs no password"
    );
    assert!(read_error(&zip, 1).ends_with(": found compression method 14, expected 0 (stored) or 8 (deflate)"));
    assert_eq!(read_entry(&zip, 2, BUFFER_BYTES).unwrap(), STOPS);
}

#[test]
fn a_count_that_is_wrong_is_refused() {
    for count in [0, 1, 3, u16::MAX] {
        let error = open_error(RawZip { entry_count: Some(count), ..small_zip() }.bytes());
        let expected = format!("expected {count} as its end record tells");
        assert_eq!(error, format!("zip, byte 275: found 2 entries in the central directory, {expected}"));
    }
    let zip64 = Zip64 { entry_count: Some(u64::MAX), ..Zip64::default() };
    assert!(open_error(RawZip { zip64: Some(zip64), ..small_zip() }.bytes()).contains("found 2 entries"));
}

#[test]
fn a_central_directory_somewhere_else_is_refused() {
    for offset in [280, 1000, u32::MAX - 1, u32::MAX] {
        let error = open_error(RawZip { directory_offset: Some(offset), ..small_zip() }.bytes());
        let expected = "expected a right end of central directory record";
        assert_eq!(error, format!("zip, byte 275: found one that tells of a directory after it, {expected}"));
    }
    for offset in [u64::MAX, u64::MAX - 46, 1 << 63, 1000] {
        let zip64 = Zip64 { directory_offset: Some(offset), ..Zip64::default() };
        println!("{}", open_error(RawZip { zip64: Some(zip64), ..small_zip() }.bytes()));
    }
}

#[test]
fn zip64_is_read_and_its_absurd_sizes_are_refused() {
    let length = STOPS.len() as u64;
    let entry = RawEntry { compressed_size: u32::MAX, uncompressed_size: u32::MAX, ..stored("stops.txt", STOPS) };
    let of_sizes = |sizes: &[u64]| {
        let entry = RawEntry { extra: zip64_extra(sizes), header_offset: Some(u32::MAX), ..entry.clone() };
        RawZip { zip64: Some(Zip64::default()), ..RawZip::of(&[entry]) }.bytes()
    };
    let zip = Zip::open(of_sizes(&[length, length, 0]), ZipLimits::default()).unwrap();
    assert_eq!(read_entry(&zip, 0, BUFFER_BYTES).unwrap(), STOPS);

    for absurd in [1 << 40, i64::MAX as u64, u64::MAX - 40, u64::MAX] {
        println!("compressed size: {}", open_error(of_sizes(&[length, absurd, 0])));
        println!("offset: {}", open_error(of_sizes(&[length, length, absurd])));
        let zip = Zip::open(of_sizes(&[absurd, length, 0]), ZipLimits::default()).unwrap();
        println!("uncompressed size: {}", read_error(&zip, 0));
    }
}

#[test]
fn an_end_record_in_a_comment_is_passed_over() {
    for fake in
        [end_record(1, 46, 0, b""), end_record(7, 0, 5, b""), end_record(1, 46, 1000, b""), b"PK\x05\x06".into()]
    {
        let mut zip = small_zip();
        zip.comment = [b"before ", &fake[..], b" after ", &fake[..]].concat();
        let zip = Zip::open(zip.bytes(), ZipLimits::default()).unwrap();
        assert_eq!(zip.names(), ["trips.txt", "stops.txt"]);
    }
    let mut zip = small_zip();
    zip.comment = b"PK\x05\x06".repeat(16_000);
    println!("{}", open_error(zip.bytes()));
}

#[test]
fn a_damaged_zip_is_not_taken_for_the_zip_inside_it() {
    let inner = RawZip::of(&[stored("trips.txt", b"the wrong ones")]).bytes();
    let mut outer = RawZip::of(&[deflated("trips.txt", TRIPS), stored("old.zip", &inner)]);
    outer.entry_count = Some(3);
    assert!(open_error(outer.bytes()).contains("found 2 entries in the central directory"));

    outer.entries.push(stored("stop_times.txt", &[b'x'; 1500]));
    let whole = outer.bytes();
    println!("{}", open_error(whole[..whole.len() - 250].to_vec()));
}

#[test]
fn names_are_given_as_stored() {
    let names =
        ["../../etc/passwd", "/trips.txt", "C:\\trips.txt", "a//b/./trips.txt", "folder/", "twice", "twice", ""];
    let mut zip = RawZip::of(&names.map(|name| stored(name, STOPS)));
    zip.entries.push(RawEntry { name: b"caf\xe9.txt".to_vec(), ..stored("", STOPS) });
    let zip = Zip::open(zip.bytes(), ZipLimits::default()).unwrap();
    assert_eq!(zip.names()[..8], names);
    assert_eq!(zip.names()[8], "caf\u{fffd}.txt");
    assert_eq!(read_entry(&zip, 5, BUFFER_BYTES).unwrap(), read_entry(&zip, 6, BUFFER_BYTES).unwrap());
}

#[test]
fn a_name_in_a_message_is_escaped_and_short() {
    let name = format!("\x1b[31m\n{}", "x".repeat(60_000));
    let zip = Zip::open(RawZip::of(&[RawEntry { crc32: 0, ..stored(&name, STOPS) }]).bytes(), ZipLimits::default());
    let error = read_error(&zip.unwrap(), 0);
    assert!(error.len() < 300 && error.starts_with("zip entry \\u{1b}[31m\\nxxx"), "{error}");
}

#[test]
fn bytes_before_the_zip_and_a_few_after_it_are_passed_over() {
    for (bytes_after, is_allowed) in [(0, true), (1, true), (1024, true), (1025, false)] {
        let bytes = [b"#!/bin/sh\nunzip $0\n", &small_zip().bytes()[..], &vec![b'\n'; bytes_after]].concat();
        if is_allowed {
            let zip = Zip::open(bytes, ZipLimits::default()).unwrap();
            assert_eq!(read_entry(&zip, 0, BUFFER_BYTES).unwrap(), TRIPS);
            assert_eq!(read_entry(&zip, 1, BUFFER_BYTES).unwrap(), STOPS);
        } else {
            let found = "found 1025 bytes after the end of central directory record and its comment";
            assert_eq!(open_error(bytes), format!("zip, byte 325: {found}, expected at most 1024"));
        }
    }
}

#[test]
fn an_empty_zip_has_no_entries() {
    let zip = Zip::open(RawZip::default().bytes(), ZipLimits::default()).unwrap();
    assert!(zip.names().is_empty());
}
