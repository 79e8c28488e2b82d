//! Content codings: each for those who like it best, and always the same answer.

use std::sync::Barrier;
use std::thread;

use crate::client::{Connection, Response, assert_same_bytes, schedules_of};
use crate::feed_files::{feed_of_routes, feed_with_a_large_answer, write_folder};
use crate::naive;
use crate::real_feeds::{find_real_feed, unzipped};
use crate::server::Server;

/// Answers of fewer bytes are sent as they are.
const COMPRESSED_BYTES_MIN: usize = 1024;

const CODINGS: [&str; 3] = ["zstd", "br", "gzip"];

/// Four times in the answer of a route of one trip that has the route's id: what makes its length grow.
fn id_for_an_answer_of(byte_count: usize) -> String {
    let empty = naive::schedules(&feed_of_routes(&["x"]))["x"].len() - 2;
    let length = (byte_count - empty) / 2;
    let tail = if (byte_count - empty) % 2 == 1 { "\"" } else { "" };
    println!("{byte_count} bytes by an id of {length} and {tail:?}");
    "i".repeat(length) + tail
}

fn ask(connection: &mut Connection, target: &str, accept_encoding: &str) -> Response {
    connection.ask("GET", target, &[("Accept-Encoding", accept_encoding)])
}

#[test]
fn a_compressed_answer_of_a_real_feed_decodes_to_the_plain_one() {
    let test = "a_compressed_answer_of_a_real_feed_decodes_to_the_plain_one";
    let Some(path) = find_real_feed("raba.zip", test) else { return };
    let server = Server::start(&path);
    let mut connection = Connection::open(&server);
    for (route_id, body) in naive::schedules(&unzipped(&path)) {
        for (coding, state) in CODINGS.into_iter().flat_map(|coding| [(coding, "cold"), (coding, "warm")]) {
            let case = format!("{state} route {route_id:?} in {coding}");
            let response = ask(&mut connection, &schedules_of(&route_id), coding);
            let expected = (body.len() >= COMPRESSED_BYTES_MIN).then_some(coding);
            assert_eq!((response.status, response.header("content-encoding")), (200, expected), "{case}");
            assert_eq!(response.header("content-type"), Some("application/json"), "{case}");
            assert_eq!(response.header("vary"), Some("accept-encoding"), "{case}");
            assert!(expected.is_none() || response.body.len() < body.len(), "{case}: compressed is smaller");
            assert_same_bytes(&response.decoded(), &body, &case);
        }
    }
}

#[test]
fn every_answer_of_the_built_in_city_decodes_to_the_plain_one_and_has_a_tag_for_each_coding() {
    let server = Server::start_with([""; 0]);
    let mut connection = Connection::open(&server);
    let routes = connection.get("/routes").json();
    let route_ids = routes.as_array().unwrap().iter().map(|route| route["route_id"].as_str().unwrap());
    let targets: Vec<String> =
        route_ids.map(schedules_of).chain(["/routes", "/feed", "/"].map(str::to_owned)).collect();
    let mut coded_count = 0;
    for target in targets {
        let plain = connection.get(&target);
        let mut tags = vec![plain.etag().to_owned()];
        for coding in CODINGS {
            let case = format!("{target} in {coding}");
            let response = ask(&mut connection, &target, coding);
            assert_same_bytes(&response.decoded(), &plain.body, &case);
            let expected = (plain.body.len() >= COMPRESSED_BYTES_MIN).then_some(coding);
            assert_eq!(response.header("content-encoding"), expected, "{case}");
            if expected.is_some() {
                assert!(!tags.contains(&response.etag().to_owned()), "{case}: {tags:?}");
                tags.push(response.etag().to_owned());
                coded_count += 1;
            } else {
                assert_eq!(response.etag(), plain.etag(), "{case}: the same bytes");
            }
        }
    }
    assert!(coded_count > 20, "{coded_count} answers were long enough");
}

#[test]
fn accept_encoding_decides() {
    let route_id = "a long id ".repeat(200).trim().to_owned();
    let folder = write_folder(&feed_of_routes(&[&route_id]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let target = schedules_of(&route_id);
    let plain = connection.get(&target);
    for (accepted, coding) in [
        (&["gzip"][..], Some("gzip")),
        (&["GZip"], Some("gzip")),
        (&["x-gzip"], Some("gzip")),
        (&["br"], Some("br")),
        (&["Zstd"], Some("zstd")),
        (&["deflate, gzip"], Some("gzip")),
        (&["gzip, deflate, br"], Some("br")),
        (&["gzip, deflate, br, zstd"], Some("zstd")),
        (&["gzip;q=1.0, br;q=0.9, zstd;q=0.8"], Some("gzip")),
        (&["gzip;q=0.001"], Some("gzip")),
        (&["gzip ; q=0.5 , br ; q=0.6"], Some("br")),
        (&["*"], Some("zstd")),
        (&["gzip, *;q=0.1"], Some("gzip")),
        (&["zstd;q=0, *"], Some("br")),
        (&["br;q=0.5", "gzip"], Some("gzip")),
        (&["identity, gzip"], Some("gzip")),
        (&["identity;q=0.5, gzip;q=0.4"], None),
        (&["identity;q=1, gzip;q=0.5"], None),
        (&["identity;q=0, br"], Some("br")),
        (&["gzip;q=0"], None),
        (&["gzip;q=0.000, br;q=0, zstd;q=0"], None),
        (&["gzip;Q=0"], None),
        (&["*;q=0"], None),
        (&["*;q=0, identity;q=0"], None),
        (&["identity"], None),
        (&["deflate, compress"], None),
        (&["gzipped, xgzip, brotli"], None),
        (&[""], None),
        (&[], None),
    ] {
        println!("Accept-Encoding: {accepted:?}");
        let headers: Vec<_> = accepted.iter().map(|value| ("Accept-Encoding", *value)).collect();
        let response = connection.ask("GET", &target, &headers);
        assert_eq!((response.status, response.header("content-encoding")), (200, coding));
        assert_same_bytes(&response.decoded(), &plain.body, "decoded");
    }
}

#[test]
fn small_answers_are_sent_as_they_are() {
    let lengths = [COMPRESSED_BYTES_MIN - 1, COMPRESSED_BYTES_MIN, COMPRESSED_BYTES_MIN + 1];
    let route_ids = lengths.map(id_for_an_answer_of);
    let files = feed_of_routes(&route_ids.each_ref().map(String::as_str));
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (route_id, body) in naive::schedules(&files) {
        for coding in CODINGS {
            let response = ask(&mut connection, &schedules_of(&route_id), coding);
            let expected = (body.len() >= COMPRESSED_BYTES_MIN).then_some(coding);
            assert_eq!(response.header("content-encoding"), expected, "{} bytes", body.len());
            assert_same_bytes(&response.decoded(), &body, &route_id);
            println!("but not to those who refuse that");
            let response = ask(&mut connection, &schedules_of(&route_id), &format!("{coding}, identity;q=0"));
            assert_eq!(response.header("content-encoding"), Some(coding), "{} bytes", body.len());
            assert_same_bytes(&response.decoded(), &body, &route_id);
        }
    }
}

#[test]
fn other_answers_are_compressed_too() {
    let route_ids: Vec<String> = (0..100).map(|number| format!("route {number}")).collect();
    let folder = write_folder(&feed_of_routes(&route_ids.iter().map(String::as_str).collect::<Vec<_>>()));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in ["/routes", "/"] {
        let plain = connection.get(target);
        for coding in CODINGS {
            let compressed = ask(&mut connection, target, coding);
            assert_eq!(compressed.header("content-encoding"), Some(coding), "{target}");
            assert_eq!(compressed.decoded(), plain.body, "{target}");
            assert_ne!(compressed.etag(), plain.etag(), "{target}");
        }
    }
    println!("problems and what tells of this moment are not");
    for (target, status) in [(format!("/schedules/{}", "x".repeat(5000)), 404), ("/healthz".to_owned(), 200)] {
        let response = ask(&mut connection, &target, "gzip, br, zstd, identity;q=0");
        assert_eq!((response.status, response.header("content-encoding")), (status, None));
        assert_eq!(response.header("vary"), None, "what is the same for all does not vary");
    }
}

#[test]
fn many_who_ask_at_once_for_what_is_not_compressed_yet_get_it_right() {
    const CLIENTS: usize = 24;
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let expected = &naive::schedules(&files)["large"];
    let start = Barrier::new(CLIENTS);
    thread::scope(|scope| {
        for (client, coding) in CODINGS.into_iter().cycle().take(CLIENTS).enumerate() {
            let (mut connection, start) = (Connection::open(&server), &start);
            scope.spawn(move || {
                start.wait();
                let response = ask(&mut connection, "/schedules/large", coding);
                assert_eq!(response.header("content-encoding"), Some(coding), "client {client}");
                assert_same_bytes(&response.decoded(), expected, &format!("client {client}"));
            });
        }
    });
}

#[test]
fn a_client_that_leaves_while_its_answer_is_compressed_harms_nobody() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    for client in 0..4 {
        println!("client {client} asks and leaves");
        let request = crate::client::request("GET", "/schedules/large", &[("Accept-Encoding", "gzip")]);
        Connection::open(&server).send(&request);
    }
    let response = Connection::open(&server).ask("GET", "/schedules/large", &[("Accept-Encoding", "gzip")]);
    assert_same_bytes(&response.decoded(), &naive::schedules(&files)["large"], "who stays");
}

#[test]
fn answers_that_find_no_room_in_the_cache_are_right() {
    let route_ids = ["a".repeat(2000), "b".repeat(2000), "c".repeat(2000)];
    let files = feed_of_routes(&route_ids.each_ref().map(String::as_str));
    let folder = write_folder(&files);
    let server = Server::start_with(["--compressed-cache-mib".as_ref(), "0".as_ref(), folder.path()]);
    let mut connection = Connection::open(&server);
    let expected = naive::schedules(&files);
    for round in 0..3 {
        for (route_id, body) in &expected {
            for coding in CODINGS {
                let response = ask(&mut connection, &schedules_of(route_id), coding);
                assert_eq!(response.header("content-encoding"), Some(coding), "round {round}");
                assert_same_bytes(&response.decoded(), body, &format!("round {round}"));
            }
        }
    }
}

#[test]
fn clients_that_leave_start_no_more_compressions_than_there_are_cores() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start_with(["--compressed-cache-mib".as_ref(), "0".as_ref(), folder.path()]);
    assert_eq!(Connection::open(&server).get("/healthz").status, 200);
    for _ in 0..60 {
        let request = crate::client::request("GET", "/schedules/large", &[("Accept-Encoding", "gzip")]);
        Connection::open(&server).send(&request);
    }
    let thread_count_max = 4 * thread::available_parallelism().unwrap().get() + 4;
    for _ in 0..20 {
        let thread_count = server.thread_count();
        assert!(thread_count <= thread_count_max, "{thread_count} threads, expected {thread_count_max} at most");
        assert_eq!(Connection::open(&server).get("/schedules/small").status, 200);
    }
}
