//! Reloads over and over, half of them of bad feeds, while many clients ask: every answer is that of one feed, whole.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::client::{Connection, assert_same_bytes, schedules_of};
use crate::feed_files::{FeedFiles, feed, small_feed};
use crate::server::Server;
use crate::{FAILED, REPLACED, naive, put, told, zip_bytes};

/// How many clients ask at the same time, each for the next as soon as it has the last.
const CLIENTS: usize = 24;

/// How many reloads there are; `LINESPEED_TEST_RELOADS` asks for more.
const RELOADS: usize = 100;

/// What is looked up on a board, at an instant at which each of the feeds has departures.
const DEPARTURES: &str = "/departures?stop_id=hub&at=2026-11-21T07:00:00Z";

/// What is asked for compressed as well; it is compressed once for each feed, and kept.
const COMPRESSED: &str = "/schedules/R1";

/// A target and the coding in which it is wanted.
type Question = (String, &'static str);

/// A feed and all that may be answered from it.
struct Served {
    zip: Vec<u8>,
    /// question -> body without its coding.
    bodies: BTreeMap<Question, Vec<u8>>,
    version: serde_json::Value,
    counts: serde_json::Value,
}

/// A feed with this many trips, all of whose answers differ from those of another number. All trips leave from the stop
/// `hub`.
fn feed_of(trip_count: usize) -> FeedFiles {
    let (mut trips, mut stop_times) = (String::new(), String::new());
    for trip in 0..trip_count {
        trips += &format!("R{},week,{trip_count}-{trip}\n", trip % 3);
        for stop in 0..30 {
            let stop_id = if stop == 0 { "hub".to_owned() } else { format!("{trip_count}-{stop}") };
            stop_times += &format!("{trip_count}-{trip},8:{stop:02}:00,8:{stop:02}:00,{stop_id},{stop}\n");
        }
    }
    feed(&[
        ("agency.txt", "agency_name,agency_url,agency_timezone\nA,http://a.example,Etc/UTC\n"),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
             week,1,1,1,1,1,1,1,20260101,20271231\n",
        ),
        ("stops.txt", &format!("stop_id,stop_name\nhub,{trip_count}\n")),
        ("routes.txt", &format!("route_id,route_long_name\nR0,{trip_count}\nR1,{trip_count}\nR2,{trip_count}\n")),
        ("trips.txt", &format!("route_id,service_id,trip_id\n{trips}")),
        ("stop_times.txt", &format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{stop_times}")),
    ])
}

impl Served {
    /// What a server of its own answers from these files; its schedules are compared with the slow twin's.
    fn of(files: &FeedFiles, path: &Path) -> Self {
        let zip = zip_bytes(files);
        put(path, &zip);
        let server = Server::start(path);
        let told = told(&server);
        let mut connection = Connection::open(&server);
        let mut bodies = BTreeMap::new();
        for target in ["/routes", DEPARTURES] {
            let body = connection.get(target).body;
            bodies.insert((target.to_owned(), "identity"), body);
        }
        for (route_id, expected) in naive::schedules(files) {
            let target = schedules_of(&route_id);
            assert_same_bytes(&connection.get(&target).body, &expected, &target);
            bodies.insert((target, "identity"), expected);
        }
        for coding in ["gzip", "zstd"] {
            let expected = bodies[&(COMPRESSED.to_owned(), "identity")].clone();
            bodies.insert((COMPRESSED.to_owned(), coding), expected);
        }
        Self { zip, bodies, version: told["version"].clone(), counts: told["counts"].clone() }
    }
}

/// Asks for everything in turn until the campaign is over; how many answers there were.
fn ask(address: SocketAddr, feeds: &[Served; 2], is_over: &AtomicBool) -> usize {
    let mut connection = Connection::open_at(address);
    let questions: Vec<&Question> = feeds[0].bodies.keys().collect();
    // Tag of the answer to a question -> which feed's it is.
    let mut tags: BTreeMap<(Question, String), usize> = BTreeMap::new();
    let mut answer_count = 0;
    while !is_over.load(Ordering::Relaxed) {
        for question in &questions {
            let (target, coding) = question;
            let response = connection.ask("GET", target, &[("Accept-Encoding", coding)]);
            assert_eq!(response.status, 200, "{question:?}: {}", String::from_utf8_lossy(&response.body));
            assert_eq!(response.header("content-encoding").unwrap_or("identity"), *coding, "{question:?}");
            let body = response.decoded();
            let found = feeds.iter().position(|feed| feed.bodies[*question] == body);
            let found = found.unwrap_or_else(|| panic!("{question:?}: neither of the feeds: {response:?}"));
            let tag = ((*question).clone(), response.etag().to_owned());
            assert_eq!(*tags.entry(tag).or_insert(found), found, "{question:?}: one tag for two feeds");
            answer_count += 1;
        }
        let response = connection.get("/feed");
        assert_eq!(response.status, 200);
        let told = response.json();
        let feed = feeds.iter().find(|feed| feed.version == told["version"]).expect("neither of the feeds");
        assert_eq!(feed.counts, told["counts"], "a mix of feeds");
        answer_count += 1;
    }
    assert_eq!(tags.len(), 2 * questions.len(), "a client saw too little: {tags:?}");
    answer_count
}

/// Tells the clients that it is over, also when a test fails.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn no_answer_fails_or_is_mixed_through_many_reloads() {
    let reload_count = std::env::var("LINESPEED_TEST_RELOADS").map_or(RELOADS, |count| count.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let feeds = [feed_of(30), feed_of(70)].map(|files| Served::of(&files, &path));
    assert_ne!(feeds[0].version, feeds[1].version);
    for question in feeds[0].bodies.keys() {
        assert_ne!(feeds[0].bodies[question], feeds[1].bodies[question], "{question:?} cannot tell the feeds apart");
    }
    let departures: serde_json::Value =
        serde_json::from_slice(&feeds[0].bodies[&(DEPARTURES.to_owned(), "identity")]).unwrap();
    assert_eq!(departures.as_array().map(Vec::len), Some(20), "{departures}");
    let lost = small_feed().into_iter().map(|(name, bytes)| {
        let header = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        (name, bytes[..=header].to_vec())
    });
    let bad = [
        feeds[0].zip[..feeds[0].zip.len() / 2].to_vec(),
        Vec::new(),
        zip_bytes(&lost.collect()),
        b"<html>Not found</html>".to_vec(),
    ];
    let server = Server::start_with(["--refresh".as_ref(), "off".as_ref(), path.as_os_str()]);
    let (address, is_over) = (server.address, AtomicBool::new(false));
    let answer_count: usize = thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(|| ask(address, &feeds, &is_over))).collect();
        let over = Over(&is_over);
        for number in 0..reload_count {
            let (bytes, outcome) = if number % 2 == 0 {
                (&feeds[number / 2 % 2].zip, REPLACED)
            } else {
                (&bad[number / 2 % bad.len()], FAILED)
            };
            put(&path, bytes);
            server.signal("HUP");
            let line = server.wait_for_any_line(&[REPLACED, crate::UNCHANGED, FAILED]);
            assert!(line.contains(outcome), "{number}: {line}");
        }
        drop(over);
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    println!("{answer_count} answers");
    let told = told(&server);
    let half = reload_count / 2;
    assert_eq!(
        (&told["reloads"]["replaced"], &told["reloads"]["failed"]),
        (&(reload_count - half).into(), &half.into())
    );
}
