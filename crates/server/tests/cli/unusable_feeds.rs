//! Inputs that are no feed: each an error that names the path, what was found and what was expected.

use std::fs;
use std::path::Path;

use crate::feed_files::{feed, small_feed, write_folder, write_zip};
use crate::run;

const TRIPS: &str = "route_id,service_id,trip_id\nRed,week,r1\n";
const STOP_TIMES: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nr1,8:00:00,8:00:00,a,1\n";

/// Asserts that both formats refuse the input with all these words, beside its path.
fn assert_unusable(path: &Path, words: &[&str]) {
    let words = [&[path.to_str().unwrap()], words].concat();
    for format in ["text", "json"] {
        run(["check".as_ref(), "--format".as_ref(), format.as_ref(), path.as_os_str()]).assert_error(&words);
    }
}

#[test]
fn a_path_at_which_there_is_nothing() {
    let folder = write_folder(&Vec::new());
    assert_unusable(&folder.path().join("gtfs.zip"), &["expected a zip or a folder", "No such file"]);
}

#[test]
fn an_empty_folder() {
    let folder = write_folder(&Vec::new());
    assert_unusable(folder.path(), &["expected trips.txt and stop_times.txt"]);
}

#[test]
fn a_device_that_is_neither_file_nor_folder() {
    assert_unusable(Path::new("/dev/null"), &["expected a zip or a folder"]);
}

#[test]
fn a_text_that_is_no_zip() {
    let folder = write_folder(&feed(&[("stop_times.txt", STOP_TIMES)]));
    assert_unusable(&folder.path().join("stop_times.txt"), &["zip", "found", "expected"]);
}

#[test]
fn an_empty_file() {
    let folder = write_folder(&feed(&[("gtfs.zip", "")]));
    assert_unusable(&folder.path().join("gtfs.zip"), &["zip", "found", "expected"]);
}

#[test]
fn a_zip_that_ends_too_early() {
    let whole = fs::read(write_zip(&small_feed()).path()).unwrap();
    let folder = write_folder(&Vec::new());
    let path = folder.path().join("gtfs.zip");
    for byte_count in [4, whole.len() / 2, whole.len() - 1] {
        println!("{byte_count} of {} bytes", whole.len());
        fs::write(&path, &whole[..byte_count]).unwrap();
        assert_unusable(&path, &["zip", "found", "expected"]);
    }
}

#[test]
fn a_zip_with_a_damaged_file() {
    let mut bytes = fs::read(write_zip(&small_feed()).path()).unwrap();
    let name = b"stop_times.txt";
    let data = bytes.windows(name.len()).position(|window| window == name).unwrap() + name.len();
    bytes[data + 8] ^= 0x55;
    let folder = write_folder(&Vec::new());
    let path = folder.path().join("gtfs.zip");
    fs::write(&path, bytes).unwrap();
    assert_unusable(&path, &["stop_times.txt", "found", "expected"]);
}

#[test]
fn an_empty_zip() {
    assert_unusable(write_zip(&Vec::new()).path(), &["expected trips.txt and stop_times.txt"]);
}

#[test]
fn a_folder_or_a_zip_with_two_feeds() {
    let files = feed(&[
        ("old/trips.txt", TRIPS),
        ("old/stop_times.txt", STOP_TIMES),
        ("new/trips.txt", TRIPS),
        ("new/stop_times.txt", STOP_TIMES),
    ]);
    let words = ["found two feeds, expected one", "\"new\"", "\"old\""];
    assert_unusable(write_folder(&files).path(), &words);
    assert_unusable(write_zip(&files).path(), &words);
}

#[test]
fn a_feed_without_stop_times_or_without_trips() {
    for (name, text) in [("trips.txt", TRIPS), ("stop_times.txt", STOP_TIMES)] {
        let files = feed(&[(name, text), ("licence.txt", "")]);
        let words = ["no folder with trips.txt and stop_times.txt", name, "licence.txt"];
        assert_unusable(write_folder(&files).path(), &words);
        assert_unusable(write_zip(&files).path(), &words);
    }
}

#[test]
fn a_column_without_which_a_file_means_nothing() {
    for (file, columns, missing) in [
        ("trips.txt", "route_id,service_id", "trip_id"),
        ("trips.txt", "trip_id,service_id", "route_id"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_sequence", "stop_id"),
        ("stop_times.txt", "arrival_time,departure_time,stop_id,stop_sequence", "trip_id"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id", "stop_sequence"),
    ] {
        let other = if file == "trips.txt" { ("stop_times.txt", STOP_TIMES) } else { ("trips.txt", TRIPS) };
        let files = feed(&[(file, &format!("{columns}\n")), other]);
        let (first, _) = columns.split_once(',').unwrap();
        assert_unusable(write_folder(&files).path(), &[file, "line 1", &format!("no column {missing}"), first]);
    }
}
