//! SIGHUP reads the feed anew, whatever becomes of that.

use std::fs;

use crate::client::{Connection, assert_same_bytes, request};
use crate::feed_files::{feed, feed_of_routes, feed_with_a_large_answer, small_feed, write_folder};
use crate::server::Server;
use crate::{FAILED, REPLACED, UNCHANGED, assert_serves, naive, put, told, zip_bytes};

/// Serves what lies at `path` and looks at it only when told to.
fn start(path: &std::path::Path) -> Server {
    Server::start_with(["--refresh".as_ref(), "off".as_ref(), path.as_os_str()])
}

#[test]
fn sighup_replaces_the_feed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let (former, new) = (small_feed(), feed_of_routes(&["Red", "Green"]));
    put(&path, &zip_bytes(&former));
    let server = start(&path);
    assert_serves(&server, &former);
    let before = told(&server);
    assert_eq!(before["reloads"], serde_json::json!({"replaced": 0, "unchanged": 0, "failed": 0}));
    assert!(before["last_reload"].is_null() && before["next_look_at"].is_null(), "{before}");

    put(&path, &zip_bytes(&new));
    server.signal("HUP");
    server.wait_for_line(REPLACED);
    assert_serves(&server, &new);
    assert_eq!(Connection::open(&server).get("/schedules/Orange").status, 404, "the former feed's");
    let after = told(&server);
    assert_eq!(after["reloads"], serde_json::json!({"replaced": 1, "unchanged": 0, "failed": 0}));
    assert_eq!(after["last_reload"]["outcome"], "replaced");
    assert_eq!(after["last_reload"]["at"], after["loaded_at"]);
    assert!(after["last_reload"]["time_seconds"].as_f64().unwrap() > 0.0, "{after}");
    assert_eq!(after["counts"]["routes"], 2);
    assert_ne!(before["version"], after["version"]);
}

#[test]
fn a_feed_that_says_the_same_keeps_its_tags() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path());
    let mut connection = Connection::open(&server);
    let before = connection.get("/schedules/Red");
    server.signal("HUP");
    server.wait_for_line(UNCHANGED);
    let after = connection.get("/schedules/Red");
    assert_eq!((after.etag(), &after.body), (before.etag(), &before.body));
    let told = told(&server);
    assert_eq!(told["reloads"], serde_json::json!({"replaced": 0, "unchanged": 1, "failed": 0}));
    assert_eq!(told["last_reload"]["outcome"], "unchanged");
    assert_eq!(told["last_reload"]["at"], told["loaded_at"], "the times are those of the last reading");
}

#[test]
fn the_built_in_city_can_be_read_again() {
    let server = Server::start_with([] as [&str; 0]);
    server.signal("HUP");
    server.wait_for_line(UNCHANGED);
    assert_eq!(told(&server)["next_look_at"], serde_json::Value::Null, "nobody changes it");
}

#[test]
fn a_bad_feed_is_reported_and_the_good_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let good = small_feed();
    let whole = zip_bytes(&good);
    let without = |name: &str, header: &str| {
        let replace = |(found, bytes): (String, Vec<u8>)| {
            if found == name { (found, header.as_bytes().to_vec()) } else { (found, bytes) }
        };
        zip_bytes(&good.clone().into_iter().map(replace).collect())
    };
    put(&path, &whole);
    let server = start(&path);
    for (number, (bad, words)) in [
        (b"no zip".to_vec(), "expected"),
        (Vec::new(), "expected"),
        (whole[..whole.len() / 2].to_vec(), "expected"),
        (zip_bytes(&feed(&[("readme.txt", "")])), "no folder with trips.txt"),
        (without("trips.txt", "route_id\n"), "no column trip_id"),
        (without("trips.txt", "route_id,service_id,trip_id\n"), "found no trips, and the former feed has 4"),
        (
            without("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"),
            "found no stop times, and the former feed has 3",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        println!("{number}: {words}");
        put(&path, &bad);
        server.signal("HUP");
        let line = server.wait_for_any_line(&[FAILED]);
        assert!(line.contains(words) && line.contains(path.to_str().unwrap()), "{line}");
        assert_serves(&server, &good);
        let told = told(&server);
        assert_eq!(told["reloads"]["failed"], number + 1);
        assert_eq!(told["last_reload"]["outcome"], "failed");
        let error = told["last_reload"]["error"].as_str().unwrap();
        assert!(error.contains(words) && error.contains(path.to_str().unwrap()), "{error}");
    }
    fs::remove_file(&path).unwrap();
    server.signal("HUP");
    let line = server.wait_for_any_line(&[FAILED]);
    assert!(line.contains("No such file"), "{line}");
    put(&path, &whole);
    server.signal("HUP");
    server.wait_for_line(UNCHANGED);
    assert_eq!(told(&server)["last_reload"].get("error"), None);
}

#[test]
fn an_answer_under_way_ends_on_the_feed_that_it_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let (former, new) = (feed_with_a_large_answer(), feed_of_routes(&["large", "small"]));
    put(&path, &zip_bytes(&former));
    let server = start(&path);
    let large = &naive::schedules(&former)["large"];
    let mut slow = Connection::open(&server);
    slow.send(&request("GET", "/schedules/large", &[]));
    assert_eq!(slow.read_head().content_length(), large.len());
    let mut body = vec![0; large.len()];
    let (begin, rest) = body.split_at_mut(4096);
    slow.read_exact(begin);

    put(&path, &zip_bytes(&new));
    server.signal("HUP");
    server.wait_for_line(REPLACED);
    assert_serves(&server, &new);
    slow.read_exact(rest);
    assert_same_bytes(&body, large, "the answer under way");
    println!("the same connection then answers from the new feed");
    assert_same_bytes(&slow.get("/schedules/large").body, &naive::schedules(&new)["large"], "the next answer");
}

#[test]
fn instants_have_the_offset_of_the_first_agency() {
    let mut files = feed_of_routes(&["Red"]);
    let mut serve_with = |agencies: &str| {
        files.retain(|(name, _)| name != "agency.txt");
        files.push(("agency.txt".to_owned(), agencies.as_bytes().to_vec()));
        let folder = write_folder(&files);
        let server = Server::start(folder.path());
        server.signal("HUP");
        server.wait_for_any_line(&[UNCHANGED]);
        told(&server)
    };
    const HEADER: &str = "agency_id,agency_name,agency_url,agency_timezone\n";
    for (zone, offset) in [("Asia/Kathmandu", "+05:45"), ("Atlantis/Capital", "+00:00"), ("Asia/Tokyo", "+09:00")] {
        let told = serve_with(&format!("{HEADER}a,A,http://a,{zone}\nb,B,http://b,Asia/Kabul\n"));
        for instant in [&told["loaded_at"], &told["last_reload"]["at"], &told["next_look_at"]] {
            let instant = instant.as_str().unwrap();
            assert!(instant.ends_with(offset), "{zone}: {instant}");
            instant.parse::<jiff::Timestamp>().unwrap();
        }
    }
    assert!(serve_with(HEADER)["loaded_at"].as_str().unwrap().ends_with("+00:00"), "no agency");
}
