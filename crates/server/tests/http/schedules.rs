//! The answers of `GET /schedules/{route_id}`, byte for byte.

use crate::client::{Connection, assert_problem, assert_same_bytes, schedules_of};
use crate::feed_files::{FeedFiles, feed, feed_of_routes, small_feed, write_folder, write_zip};
use crate::naive;
use crate::real_feeds::{find_real_feed, unzipped};
use crate::server::Server;

/// Asserts that the server answers every route of `files` as the twin does, and returns how many there are.
fn assert_like_the_twin(server: &Server, files: &FeedFiles) -> usize {
    let expected = naive::schedules(files);
    let mut connection = Connection::open(server);
    for (route_id, body) in &expected {
        let response = connection.get(&schedules_of(route_id));
        assert_eq!(response.status, 200, "route {route_id:?}");
        assert_eq!(response.header("content-type"), Some("application/json"), "route {route_id:?}");
        assert_eq!(response.header("content-encoding"), None, "route {route_id:?}");
        assert_same_bytes(&response.body, body, &format!("route {route_id:?}"));
    }
    expected.len()
}

fn assert_real_feed(name: &str, test: &str) {
    let Some(path) = find_real_feed(name, test) else { return };
    let route_count = assert_like_the_twin(&Server::start(&path), &unzipped(&path));
    println!("{name} has {route_count} routes");
    assert_ne!(route_count, 0);
}

#[test]
fn every_route_of_caltrain_is_answered_like_the_twin() {
    assert_real_feed("caltrain.zip", "every_route_of_caltrain_is_answered_like_the_twin");
}

#[test]
fn every_route_of_raba_with_its_quoted_fields_is_answered_like_the_twin() {
    assert_real_feed("raba.zip", "every_route_of_raba_with_its_quoted_fields_is_answered_like_the_twin");
}

#[test]
fn every_route_of_the_commuter_rail_of_boston_is_answered_like_the_twin() {
    let name = "mbta-commuter-rail.zip";
    assert_real_feed(name, "every_route_of_the_commuter_rail_of_boston_is_answered_like_the_twin");
}

#[test]
fn every_route_of_a_feed_two_folders_deep_is_answered_like_the_twin() {
    assert_real_feed("nested-dir.zip", "every_route_of_a_feed_two_folders_deep_is_answered_like_the_twin");
}

#[test]
fn an_answer_is_compact_json_in_the_shape_of_the_challenge() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let expected = concat!(
        r#"[{"trip_id":"r1","service_id":"week","route_id":"Red","schedules":["#,
        r#"{"stop_id":"park","arrival_time":"08:00:00","departure_time":"08:00:30"},"#,
        r#"{"stop_id":"kendall","arrival_time":"08:05:00","departure_time":""}]},"#,
        r#"{"trip_id":"r2","service_id":"week","route_id":"Red","schedules":[]}]"#
    );
    assert_eq!(Connection::open(&server).get("/schedules/Red").text(), expected);
}

#[test]
fn a_zip_and_a_folder_are_answered_alike() {
    let files = small_feed();
    let (folder, zip) = (write_folder(&files), write_zip(&files));
    for path in [folder.path(), zip.path()] {
        println!("serving {}", path.display());
        assert_eq!(assert_like_the_twin(&Server::start(path), &files), 4);
    }
}

#[test]
fn a_known_route_without_trips_is_an_empty_list() {
    let folder = write_folder(&small_feed());
    let response = Connection::open(&Server::start(folder.path())).get("/schedules/Closed");
    assert_eq!((response.status, response.text()), (200, "[]"));
}

#[test]
fn an_unknown_route_is_a_problem_with_the_nearest_ids() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (asked, nearest) in [("red", "Red"), ("Rd", "Red"), ("Orange Line", "Orange"), ("blue", "Blue")] {
        let problem = assert_problem(&connection.get(&schedules_of(asked)), 404, asked);
        assert_eq!(problem["nearest"][0], nearest, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(asked), "{problem}");
    }
    println!("of what is far from all, there are still some");
    let problem = assert_problem(&connection.get(&schedules_of(&"東京".repeat(400))), 404, "a long id");
    assert_eq!(problem["nearest"].as_array().map(Vec::len), Some(4), "{problem}");
}

#[test]
fn an_unknown_route_of_a_feed_without_routes_is_a_problem_without_ids() {
    let folder = write_folder(&feed(&[
        ("trips.txt", "route_id,service_id,trip_id\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"),
    ]));
    let problem = assert_problem(&Connection::open(&Server::start(folder.path())).get("/schedules/Red"), 404, "none");
    assert_eq!(problem["nearest"], serde_json::json!([]));
}

#[test]
fn hostile_ids_are_answered_like_the_twin() {
    let long = "long é".repeat(500);
    let route_ids = [
        "say \"hi\"",
        "\"",
        "\\",
        r"C:\new\u0041",
        "a/b",
        "/",
        "//",
        "..",
        ".",
        "../../etc/passwd",
        "a b",
        "Green  E",
        "Ñuñoa é",
        "E\u{301}",
        "東京🚋",
        "👩‍🚀",
        "%",
        "%41",
        "%2F",
        "100%",
        "%zz",
        "a+b",
        "+",
        "?",
        "a?b=c",
        "#",
        "a#b",
        "&amp;",
        "a=b&c",
        ";",
        ",",
        "*",
        "{route_id}",
        "<script>alert(1)</script>",
        "'",
        "a\tb",
        "a\nb",
        "a\r\nb",
        "a\0b",
        "\u{1}",
        "\u{1b}[31m",
        "\u{7f}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}x",
        "\u{a0}x\u{3000}",
        "\u{202e}abc",
        "schedules",
        "0",
        "null",
        "[]",
        &long,
    ];
    let files = feed_of_routes(&route_ids);
    let folder = write_folder(&files);
    assert_eq!(assert_like_the_twin(&Server::start(folder.path()), &files), route_ids.len());
}

#[test]
fn an_id_may_be_escaped_as_much_or_as_little_as_a_client_likes() {
    let files = feed_of_routes(&["Ligne é+1/a (b)"]);
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let (_, body) = naive::schedules(&files).pop_first().unwrap();
    let mut connection = Connection::open(&server);
    for target in [
        "/schedules/Ligne%20%C3%A9+1%2Fa%20(b)",
        "/schedules/ligne%20%c3%a9%2b1%2fa%20%28b%29".replace("ligne", "%4Cigne").as_str(),
        "/schedules/Ligne%20é+1%2Fa%20(b)",
        "/%73chedules/Ligne%20%C3%A9%2B1%2Fa%20%28b%29/",
    ] {
        let response = connection.get(target);
        assert_eq!(response.status, 200, "{target}: {}", response.text());
        assert_same_bytes(&response.body, &body, target);
    }
}

#[test]
fn the_built_in_city_is_served_when_there_is_no_feed() {
    let server = Server::start_with([""; 0]);
    assert!(server.ready_line.contains("the built-in city"), "{}", server.ready_line);
    let mut connection = Connection::open(&server);
    let routes = connection.get("/routes").json();
    let route_ids = routes.as_array().unwrap().iter().map(|route| route["route_id"].as_str().unwrap());
    let answers: Vec<_> = route_ids.map(|id| connection.get(&schedules_of(id))).collect();
    assert!(answers.iter().all(|response| response.status == 200));
    assert!(answers.iter().any(|response| response.text().starts_with(r#"[{"trip_id":"#)), "no route has a trip");
}
