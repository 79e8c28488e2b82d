//! Feeds that tests write, as a folder or as a zip.

use std::fs;
use std::io::Write;

use tempfile::{NamedTempFile, TempDir};
use zip::write::SimpleFileOptions;

/// The files of a feed: name, bytes.
pub(crate) type FeedFiles = Vec<(String, Vec<u8>)>;

pub(crate) fn feed(contents: &[(&str, &str)]) -> FeedFiles {
    contents.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

/// Two routes with trips, one without, and one that only trips.txt knows.
pub(crate) fn small_feed() -> FeedFiles {
    feed(&[
        ("routes.txt", "route_id,route_type\nRed,1\nOrange,1\nClosed,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\nRed,week,r1\nOrange,week,o1\nRed,week,r2\nBlue,week,b1\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             r1,8:00:00,8:00:30,park,1\nr1,8:05:00,,kendall,2\no1,24:10:00,24:10:00,haymarket,1\n",
        ),
    ])
}

/// The route `large` with an answer of over 16 MB, more than the system keeps in the buffers of a connection, and the
/// route `small`.
pub(crate) fn feed_with_a_large_answer() -> FeedFiles {
    let (mut trips, mut stop_times) = (String::new(), String::new());
    let stop_name = "a stop with a long name ".repeat(20);
    for trip in 0..320 {
        trips += &format!("large,week,trip {trip}\n");
        for stop in 0..100 {
            let (hour, minute) = (6 + stop / 60, stop % 60);
            stop_times +=
                &format!("trip {trip},{hour}:{minute:02}:00,{hour}:{minute:02}:30,{stop_name}{stop},{stop}\n");
        }
    }
    feed(&[
        ("trips.txt", &format!("route_id,service_id,trip_id\n{trips}small,week,last\n")),
        ("stop_times.txt", &format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{stop_times}")),
    ])
}

/// A feed of routes with one trip each, which has the route's id and stops where the others do.
///
/// Ids are quoted for CSV, so they may hold anything but what reading trims.
pub(crate) fn feed_of_routes(route_ids: &[&str]) -> FeedFiles {
    let (mut trips, mut stop_times) = (String::new(), String::new());
    for route_id in route_ids {
        let quoted = format!("\"{}\"", route_id.replace('"', "\"\""));
        trips += &format!("{quoted},week,{quoted}\n");
        stop_times += &format!("{quoted},8:00:00,8:00:00,a,1\n{quoted},8:10:00,8:10:00,b,2\n");
    }
    feed(&[
        ("trips.txt", &format!("route_id,service_id,trip_id\n{trips}")),
        ("stop_times.txt", &format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{stop_times}")),
    ])
}

pub(crate) fn write_folder(files: &FeedFiles) -> TempDir {
    let folder = TempDir::with_prefix("linespeed-feed-").unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

pub(crate) fn write_zip(files: &FeedFiles) -> NamedTempFile {
    let file = NamedTempFile::with_suffix(".zip").unwrap();
    let mut zip = zip::ZipWriter::new(file.as_file());
    for (name, bytes) in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
    file
}
