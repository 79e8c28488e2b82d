//! `GET /stops` with its filters, `/stops/{stop_id}` and the routes of a stop, by hand and against slow twins.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::client::{Connection, assert_problem};
use crate::feed_files::{FeedFiles, feed, write_folder};
use crate::real_feeds::{find_real_feed, unzipped};
use crate::server::Server;
use crate::tables::{Row, field, rows, rows_with_id};

const STOP_TIMES: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n";

/// The mean radius of the earth in metres (IUGG).
const EARTH_RADIUS_METERS: f64 = 6_371_008.8;

fn feed_of_stops(stops: &str) -> FeedFiles {
    feed(&[("stops.txt", stops), ("trips.txt", "route_id,service_id,trip_id\n"), ("stop_times.txt", STOP_TIMES)])
}

fn ids(connection: &mut Connection, target: &str) -> Vec<String> {
    let stops = connection.get_list(target);
    stops.iter().map(|stop| stop["stop_id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_stop_is_told_with_what_is_part_of_it() {
    let folder = write_folder(&feed_of_stops(
        "stop_id,stop_code,stop_name,stop_desc,stop_lat,stop_lon,location_type,parent_station,stop_timezone,\
         wheelchair_boarding,platform_code\n\
         area,,Area,,,,4,p1,,,\n\
         p1,11,Platform 1,By the stairs,42.1,-71.2,0,st,,2,1\n\
         st,1,Station,,42.0,-71.0,1,,America/Chicago,1,\n\
         door,,,,42,-71,2,st,,0,\n\
         alone,,Alone,,,,,nowhere,,,\n",
    ));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let p1 = concat!(
        r#"{"stop_id":"p1","stop_code":"11","stop_name":"Platform 1","stop_desc":"By the stairs","stop_lat":42.1,"#,
        r#""stop_lon":-71.2,"location_type":0,"parent_station":"st","wheelchair_boarding":2,"platform_code":"1""#
    );
    let area =
        r#"{"stop_id":"area","stop_name":"Area","location_type":4,"parent_station":"p1","wheelchair_boarding":0"#;
    let door = concat!(
        r#"{"stop_id":"door","stop_lat":42,"stop_lon":-71,"location_type":2,"parent_station":"st","#,
        r#""wheelchair_boarding":0"#
    );
    let st = concat!(
        r#"{"stop_id":"st","stop_code":"1","stop_name":"Station","stop_lat":42,"stop_lon":-71,"location_type":1,"#,
        r#""stop_timezone":"America/Chicago","wheelchair_boarding":1"#
    );
    for (stop_id, expected) in [
        ("st", format!(r#"{st},"children":[{p1}}},{door}}}]}}"#)),
        ("p1", format!(r#"{p1},"children":[{area}}}]}}"#)),
        ("area", format!(r#"{area},"children":[]}}"#)),
    ] {
        assert_eq!(connection.get(&format!("/stops/{stop_id}")).text(), expected);
    }
    println!("a station that is nowhere is none");
    let alone = json!({"stop_id": "alone", "stop_name": "Alone", "location_type": 0, "wheelchair_boarding": 0});
    assert_eq!(connection.get("/stops").json()[4], alone);
    assert_eq!(ids(&mut connection, "/stops"), ["area", "p1", "st", "door", "alone"]);
    let problem = assert_problem(&connection.get("/stops/p2"), 404, "an unknown stop");
    assert_eq!(problem["nearest"][0], "p1");
}

#[test]
fn words_of_a_name_are_found_without_accents_and_capitals() {
    let folder = write_folder(&feed_of_stops(
        "stop_id,stop_name\n1,Zürich HB\n2,Genève-Cornavin\n3,zurich oerlikon\n4,HB Genève\n5,\n6,ÎLE de la Cité\n",
    ));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (words, expected) in [
        ("zurich", &["1", "3"][..]),
        ("Z%C3%9CRICH", &["1", "3"]),
        ("hb+zur", &["1"]),
        ("%20hb%20%20", &["1", "4"]),
        ("ile+cite", &["6"]),
        ("geneve", &["2", "4"]),
        ("gen%C3%A8ve-c", &["2"]),
        ("geneve+zurich", &[]),
        ("nothing", &[]),
        ("", &["1", "2", "3", "4", "5", "6"]),
        ("+", &["1", "2", "3", "4", "5", "6"]),
    ] {
        assert_eq!(ids(&mut connection, &format!("/stops?q={words}")), expected, "{words}");
    }
}

#[test]
fn what_is_near_comes_first_with_its_distance() {
    // A thousandth of a degree of latitude is 111.19 m; on the equator, of longitude too.
    let folder = write_folder(&feed_of_stops(
        "stop_id,stop_lat,stop_lon\nfar,0.005,0\neast,0,0.002\nhere,0,0\nnowhere,,\nnorth,0.001,0\nsouth,-0.001,0\n\
         half,0.5,\nother side,0,-179.9995\n",
    ));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (query, expected) in [
        ("near=0,0", json!([["here", 0], ["north", 111], ["south", 111], ["east", 222]])),
        ("near=0,0&radius=600", json!([["here", 0], ["north", 111], ["south", 111], ["east", 222], ["far", 556]])),
        ("near=0,0&radius=111", json!([["here", 0]])),
        ("near=0,0&radius=111.2", json!([["here", 0], ["north", 111], ["south", 111]])),
        ("near=0,0&radius=0", json!([["here", 0]])),
        ("near=0.0010,0.0", json!([["north", 0], ["here", 111], ["south", 222], ["east", 249], ["far", 445]])),
        ("near=0.0010,+0.0&limit=2", json!([["north", 0], ["here", 111]])),
        ("near=0,180", json!([["other side", 56]])),
        ("near=89,0", json!([])),
    ] {
        let stops = connection.get(&format!("/stops?{query}")).json();
        let found: Vec<Value> =
            stops.as_array().unwrap().iter().map(|stop| json!([stop["stop_id"], stop["distance_meters"]])).collect();
        assert_eq!(Value::from(found), expected, "{query}");
    }
    println!("without a place there is no distance");
    assert_eq!(connection.get("/stops").json()[0].get("distance_meters"), None);
    for query in [
        "near=0",
        "near=0;0",
        "near=91,0",
        "near=0,181",
        "near=NaN,0",
        "near=0,inf",
        "near=0,0,0",
        "near=a,b",
        "radius=5",
        "near=0,0&radius=-1",
        "near=0,0&radius=100001",
        "near=0,0&radius=NaN",
        "near=0,0&radius=far",
    ] {
        assert_problem(&connection.get(&format!("/stops?{query}")), 400, query);
    }
    for radius in ["0", "100000", "1e5", "0.5"] {
        assert_eq!(connection.get(&format!("/stops?near=0,0&radius={radius}")).status, 200, "{radius}");
    }
}

/// The distance by the chord between both places: another formula than the program's.
fn chord_distance_meters(one: (f64, f64), other: (f64, f64)) -> f64 {
    let point = |(latitude, longitude): (f64, f64)| {
        let (latitude, longitude) = (latitude.to_radians(), longitude.to_radians());
        [latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()]
    };
    let (one, other) = (point(one), point(other));
    let chord = one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt();
    2.0 * EARTH_RADIUS_METERS * (chord / 2.0).asin()
}

fn place(row: &Row) -> Option<(f64, f64)> {
    Some((field(row, "stop_lat").parse().ok()?, field(row, "stop_lon").parse().ok()?))
}

/// Asserts that `/stops` finds near places, and by words, what a look at every row of stops.txt does.
fn assert_filters_like_the_twin(name: &str, test: &str) {
    let Some(path) = find_real_feed(name, test) else { return };
    let stops = rows_with_id(&unzipped(&path), "stops.txt", "stop_id");
    let server = Server::start(&path);
    let mut connection = Connection::open(&server);
    let mut found_count = 0;
    for row in stops.iter().step_by(stops.len().div_ceil(40)) {
        let Some((latitude, longitude)) = place(row) else { continue };
        for (shift, radius) in [(0.0, 0.0), (0.001, 150.0), (-0.002, 500.0), (0.01, 5_000.0), (0.3, 100_000.0)] {
            let here = (latitude + shift, longitude - shift / 2.0);
            let distance = |row: &Row| Some(chord_distance_meters(place(row)?, here));
            // A centimetre decides nothing between two formulas.
            let within = |radius: f64| -> BTreeSet<&str> {
                let near = stops.iter().filter(|row| distance(row).is_some_and(|distance| distance <= radius));
                near.map(|row| field(row, "stop_id")).collect()
            };
            let target = format!("/stops?near={},{}&radius={radius}", here.0, here.1);
            let answer = connection.get_list(&target);
            let found: BTreeSet<&str> = answer.iter().map(|stop| stop["stop_id"].as_str().unwrap()).collect();
            assert_eq!(found.len(), answer.len(), "{target}: none comes twice");
            assert!(found.is_superset(&within(radius - 0.01)), "{target}");
            assert!(found.is_subset(&within(radius + 0.01)), "{target}");
            let mut before = 0.0;
            for stop in &answer {
                let row = stops.iter().find(|row| field(row, "stop_id") == stop["stop_id"]).unwrap();
                let expected = distance(row).unwrap();
                assert!((stop["distance_meters"].as_f64().unwrap() - expected).abs() <= 0.51, "{target}: {stop}");
                assert!(expected >= before - 0.01, "{target}: {stop} comes too late");
                before = expected;
            }
            found_count += answer.len();
        }
        let name = field(row, "stop_name");
        for word in name.split_whitespace().filter(|word| word.is_ascii()) {
            let has_word = |row: &&Row| field(row, "stop_name").to_lowercase().contains(&word.to_lowercase());
            let expected: Vec<&str> = stops.iter().filter(has_word).map(|row| field(row, "stop_id")).collect();
            // Words with accents could be meant, too; the twin does not know.
            if stops.iter().all(|row| field(row, "stop_name").is_ascii()) {
                let word = percent_encoding::utf8_percent_encode(word, percent_encoding::NON_ALPHANUMERIC);
                assert_eq!(ids(&mut connection, &format!("/stops?q={word}")), expected, "{word}");
            }
        }
    }
    println!("{name}: {found_count} stops found");
    assert!(found_count > stops.len());
}

#[test]
fn stops_of_tampa_are_found_like_the_twin_finds_them() {
    assert_filters_like_the_twin("hart.zip", "stops_of_tampa_are_found_like_the_twin_finds_them");
}

#[test]
fn stops_of_caltrain_are_found_like_the_twin_finds_them() {
    assert_filters_like_the_twin("caltrain.zip", "stops_of_caltrain_are_found_like_the_twin_finds_them");
}

#[test]
fn stops_of_bart_are_found_like_the_twin_finds_them() {
    assert_filters_like_the_twin("bart.zip", "stops_of_bart_are_found_like_the_twin_finds_them");
}

#[test]
fn the_routes_of_a_stop_are_those_of_trips_that_visit_it() {
    let folder = write_folder(&feed(&[
        ("stops.txt", "stop_id,location_type,parent_station\nst,1,\np1,0,st\np2,0,st\nbay,4,p2\nlone,0,\nunused,0,\n"),
        ("routes.txt", "route_id,route_type\nC,3\nB,3\nA,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\nA,w,a\nA,w,a2\nB,w,b\nC,w,c\nD,w,d\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             a,8:00:00,8:00:00,p1,1\na,8:10:00,8:10:00,lone,2\na2,8:00:00,8:00:00,p1,1\na2,8:10:00,8:10:00,lone,2\n\
             b,8:00:00,8:00:00,lone,1\nb,8:10:00,8:10:00,p2,2\nc,8:00:00,8:00:00,bay,1\nd,8:00:00,8:00:00,lone,1\n",
        ),
    ]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (stop_id, expected) in [
        ("st", &["C", "B", "A"][..]),
        ("p1", &["A"]),
        ("p2", &["C", "B"]),
        ("bay", &["C"]),
        ("lone", &["B", "A", "D"]),
        ("unused", &[]),
    ] {
        let routes = connection.get(&format!("/stops/{stop_id}/routes")).json();
        let found: Vec<&str> =
            routes.as_array().unwrap().iter().map(|route| route["route_id"].as_str().unwrap()).collect();
        assert_eq!(found, expected, "{stop_id}");
    }
    assert_problem(&connection.get("/stops/st2/routes"), 404, "an unknown stop");
}

#[test]
fn the_routes_of_stops_of_real_feeds_are_those_of_the_twin() {
    for name in ["caltrain.zip", "bart.zip"] {
        let Some(path) = find_real_feed(name, "the_routes_of_stops_of_real_feeds_are_those_of_the_twin") else {
            return;
        };
        let files = unzipped(&path);
        let (stops, trips) =
            (rows_with_id(&files, "stops.txt", "stop_id"), rows_with_id(&files, "trips.txt", "trip_id"));
        let route_of: std::collections::HashMap<&str, &str> =
            trips.iter().map(|trip| (field(trip, "trip_id"), field(trip, "route_id"))).collect();
        let stop_times = rows(&files, "stop_times.txt");
        let parent = |stop_id: &str| {
            let row = stops.iter().find(|row| field(row, "stop_id") == stop_id);
            row.map_or("", |row| field(row, "parent_station"))
        };
        let pairs: BTreeSet<(&str, &str)> =
            stop_times.iter().map(|row| (field(row, "stop_id"), route_of[field(row, "trip_id")])).collect();
        let server = Server::start(&path);
        let mut connection = Connection::open(&server);
        for stop_id in stops.iter().map(|row| field(row, "stop_id")) {
            // Of station, platform and boarding area, in which each is part of the one before.
            let is_part = |visited: &str| {
                visited == stop_id
                    || parent(visited) == stop_id
                    || !parent(visited).is_empty() && parent(parent(visited)) == stop_id
            };
            let expected: BTreeSet<&str> =
                pairs.iter().filter(|(visited, _)| is_part(visited)).map(|(_, route)| *route).collect();
            let encoded = percent_encoding::utf8_percent_encode(stop_id, percent_encoding::NON_ALPHANUMERIC);
            let routes = connection.get(&format!("/stops/{encoded}/routes")).json();
            let found: BTreeSet<&str> =
                routes.as_array().unwrap().iter().map(|route| route["route_id"].as_str().unwrap()).collect();
            assert_eq!(found, expected, "{name}: {stop_id}");
        }
    }
}

#[test]
fn a_feed_without_stops_says_so() {
    let folder = write_folder(&feed(&[
        ("trips.txt", "route_id,service_id,trip_id\nR,w,t\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,8:00:00,8:00:00,s,1\n"),
    ]));
    let response = Connection::open(&Server::start(folder.path())).get("/stops");
    let problem = assert_problem(&response, 404, "no stops.txt");
    assert!(problem["detail"].as_str().unwrap().contains("stops.txt"), "{problem}");
}

#[test]
fn a_page_of_what_is_near_follows_something_near() {
    let folder =
        write_folder(&feed_of_stops("stop_id,stop_lat,stop_lon\na,40.0,-70.0\nb,40.001,-70.0\nfar,50.0,-70.0\n"));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let near = "/stops?near=40,-70&limit=1";
    assert_eq!(ids(&mut connection, near), ["a", "b"]);
    assert_problem(&connection.get(&format!("{near}&after=far")), 400, "a stop that is not near");
}

#[test]
fn a_name_is_looked_for_by_a_few_words() {
    let folder = write_folder(&feed_of_stops("stop_id,stop_name\na,One Two Three\n"));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    assert_eq!(ids(&mut connection, &format!("/stops?q={}", "t+".repeat(8))), ["a"]);
    for words in ["t+".repeat(9), "t".repeat(201)] {
        assert_problem(&connection.get(&format!("/stops?q={words}")), 400, &words);
    }
}

#[test]
fn a_stop_is_a_place_for_those_who_want_one() {
    let folder = write_folder(&feed_of_stops("stop_id,stop_lat,stop_lon\na,40.0,-70.0\n"));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let by_name = connection.get("/stops/a?format=geojson");
    let by_accept = connection.ask("GET", "/stops/a", &[("Accept", "application/geo+json")]);
    assert_eq!(by_name.json()["geometry"]["coordinates"], json!([-70, 40]));
    assert_eq!(by_name.body, by_accept.body);
    assert_eq!(by_accept.header("vary"), Some("accept, accept-encoding"));
}
