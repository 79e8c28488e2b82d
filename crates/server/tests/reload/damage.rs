//! Files that are cut off, replaced or deleted while they are read: the program lives, and no wrong feed is taken.

use std::fs;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::feed_files::{FeedFiles, feed, write_folder};
use crate::server::{Server, program};
use crate::{FAILED, REPLACED, UNCHANGED, assert_serves, put, told, zip_bytes};

/// How often a file is damaged.
const ROUNDS: u64 = 60;

/// A number for each seed and place, the same in every run.
fn random(seed: u64, place: &str) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one((seed, place))
}

/// Large enough that reading it takes some milliseconds, with a number of its own.
fn large_feed(number: u64) -> FeedFiles {
    let (mut trips, mut stop_times) = (String::new(), String::new());
    // Names of another length make a file of another size: older kernels tell times to a few milliseconds only.
    let name = "stop".repeat(number as usize);
    for trip in 0..2_000 {
        trips += &format!("R{},week,{trip}\n", trip % 7);
        for stop in 0..20 {
            let minute = (random(number, &format!("{trip} {stop}")) % 3) + 3 * stop;
            stop_times +=
                &format!("{trip},{}:{minute:02}:00,{}:{minute:02}:00,{name}{stop},{stop}\n", trip % 24, trip % 24);
        }
    }
    feed(&[
        ("trips.txt", &format!("route_id,service_id,trip_id\n{trips}")),
        ("stop_times.txt", &format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{stop_times}")),
    ])
}

/// Spends a part of the time that reading takes, to meet it at another place each time.
fn wait_for_a_random_moment(seed: u64, reading: Duration) {
    let until = Instant::now() + reading * u32::try_from(random(seed, "moment") % 120).unwrap() / 100;
    while Instant::now() < until {
        std::hint::spin_loop();
    }
}

/// Damages the file at `path` in one of the ways that there are.
fn damage(path: &Path, other: &[u8], seed: u64) {
    let length = fs::metadata(path).unwrap().len();
    let place = random(seed, "place") % length;
    let way = random(seed, "way") % 5;
    println!("round {seed}: way {way} at {place} of {length}");
    match way {
        0 => fs::File::options().write(true).open(path).unwrap().set_len(place).unwrap(),
        1 => fs::File::options().write(true).open(path).unwrap().set_len(0).unwrap(),
        2 => fs::remove_file(path).unwrap(),
        3 => put(path, other),
        _ => fs::write(path, other).unwrap(),
    }
}

/// The version of the feed that lies at `path`; none if it is none.
fn find_version(path: &Path) -> Option<serde_json::Value> {
    let output = program().args(["check", "--format", "json"]).arg(path).output().unwrap();
    serde_json::from_slice::<serde_json::Value>(&output.stdout).ok().map(|check| check["version"].clone())
}

/// How long a reload takes that nobody disturbs.
fn reading_time(server: &Server) -> Duration {
    let begun = Instant::now();
    server.signal("HUP");
    server.wait_for_line(UNCHANGED);
    begun.elapsed()
}

/// After what may have happened, the feed is one of the two, whole; then the first one again.
fn assert_whole_then_restore(
    server: &Server,
    [first, second]: [&FeedFiles; 2],
    versions: &[String; 2],
    restore: impl Fn(),
) {
    let version = told(server)["version"].as_str().unwrap().to_owned();
    println!("now {version}");
    if version == versions[0] {
        assert_serves(server, first);
    } else {
        assert_eq!(version, versions[1], "neither of the feeds");
        assert_serves(server, second);
    }
    restore();
    server.signal("HUP");
    server.wait_for_any_line(&[REPLACED, UNCHANGED]);
    assert_eq!(told(server)["version"].as_str(), Some(versions[0].as_str()));
}

#[test]
fn a_zip_that_is_damaged_while_it_is_read() {
    let (first, second) = (large_feed(1), large_feed(2));
    let (first_bytes, second_bytes) = (zip_bytes(&first), zip_bytes(&second));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let arguments = || ["--refresh".as_ref(), "off".as_ref(), path.as_os_str()];
    put(&path, &second_bytes);
    let second_version = told(&Server::start_with(arguments()))["version"].as_str().unwrap().to_owned();
    put(&path, &first_bytes);
    let server = Server::start_with(arguments());
    let versions = [told(&server)["version"].as_str().unwrap().to_owned(), second_version];
    let reading = reading_time(&server);
    for seed in 0..ROUNDS {
        server.signal("HUP");
        wait_for_a_random_moment(seed, reading);
        damage(&path, &second_bytes, seed);
        server.wait_for_any_line(&[REPLACED, UNCHANGED, FAILED]);
        assert_whole_then_restore(&server, [&first, &second], &versions, || put(&path, &first_bytes));
    }
}

#[test]
fn files_of_a_folder_that_are_damaged_while_they_are_read() {
    let (first, second) = (large_feed(1), large_feed(2));
    let folder = write_folder(&first);
    let server = Server::start_with(["--refresh".as_ref(), "off".as_ref(), folder.path().as_os_str()]);
    let whole = told(&server)["version"].clone();
    let reading = reading_time(&server);
    let restore = || first.iter().for_each(|(name, bytes)| put(&folder.path().join(name), bytes));
    for seed in 0..ROUNDS {
        server.signal("HUP");
        wait_for_a_random_moment(seed, reading);
        // Both feeds have the same trips, so the second one's stop times make it the second one.
        damage(&folder.path().join("stop_times.txt"), &second[1].1, seed);
        server.wait_for_any_line(&[REPLACED, UNCHANGED, FAILED]);
        let version = told(&server)["version"].clone();
        if version != whole {
            println!("taken is what lies there now");
            assert_eq!(Some(version), find_version(folder.path()));
        }
        restore();
        server.signal("HUP");
        server.wait_for_any_line(&[REPLACED, UNCHANGED]);
        assert_eq!(told(&server)["version"], whole);
    }
    assert_serves(&server, &first);
}
