//! gzip: for those who accept it, and always the same answer.

use std::sync::Barrier;
use std::thread;

use crate::client::{Connection, assert_same_bytes, schedules_of};
use crate::feed_files::{feed_of_routes, feed_with_a_large_answer, write_folder};
use crate::naive;
use crate::real_feeds::{find_real_feed, unzipped};
use crate::server::Server;

/// Answers of fewer bytes are sent as they are.
const COMPRESSED_BYTES_MIN: usize = 1024;

/// Four times in the answer of a route of one trip that has the route's id: what makes its length grow.
fn id_for_an_answer_of(byte_count: usize) -> String {
    let empty = naive::schedules(&feed_of_routes(&["x"]))["x"].len() - 2;
    let length = (byte_count - empty) / 2;
    let tail = if (byte_count - empty) % 2 == 1 { "\"" } else { "" };
    println!("{byte_count} bytes by an id of {length} and {tail:?}");
    "i".repeat(length) + tail
}

#[test]
fn a_compressed_answer_decodes_to_the_plain_one() {
    let Some(path) = find_real_feed("raba.zip", "a_compressed_answer_decodes_to_the_plain_one") else { return };
    let server = Server::start(&path);
    let mut connection = Connection::open(&server);
    for (route_id, body) in naive::schedules(&unzipped(&path)) {
        for state in ["cold", "warm"] {
            let case = format!("{state} route {route_id:?}");
            let response = connection.ask("GET", &schedules_of(&route_id), &[("Accept-Encoding", "gzip")]);
            let coding = (body.len() >= COMPRESSED_BYTES_MIN).then_some("gzip");
            assert_eq!((response.status, response.header("content-encoding")), (200, coding), "{case}");
            assert_eq!(response.header("content-type"), Some("application/json"), "{case}");
            assert_eq!(response.header("vary"), Some("accept-encoding"), "{case}");
            assert!(coding.is_none() || response.body.len() < body.len(), "{case}: compressed is smaller");
            assert_same_bytes(&response.decoded(), &body, &case);
        }
    }
}

#[test]
fn accept_encoding_decides() {
    let route_id = "a long id ".repeat(200).trim().to_owned();
    let folder = write_folder(&feed_of_routes(&[&route_id]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let target = schedules_of(&route_id);
    let plain = connection.get(&target);
    for (accepted, is_gzip) in [
        (&["gzip"][..], true),
        (&["GZip"], true),
        (&["deflate, gzip, br"], true),
        (&["gzip;q=1.0"], true),
        (&["gzip;q=0.001"], true),
        (&["gzip ; q=0.5"], true),
        (&["*"], true),
        (&["br, *;q=0.1"], true),
        (&["br", "gzip"], true),
        (&["gzip;q=0"], false),
        (&["gzip;q=0.000"], false),
        (&["gzip; q=0 , *"], false),
        (&["gzip;Q=0"], false),
        (&["*;q=0"], false),
        (&["identity"], false),
        (&["br, zstd, deflate"], false),
        (&["gzipped, xgzip"], false),
        (&[""], false),
        (&[], false),
    ] {
        println!("Accept-Encoding: {accepted:?}");
        let headers: Vec<_> = accepted.iter().map(|value| ("Accept-Encoding", *value)).collect();
        let response = connection.ask("GET", &target, &headers);
        assert_eq!(response.header("content-encoding"), is_gzip.then_some("gzip"));
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
        let response = connection.ask("GET", &schedules_of(&route_id), &[("Accept-Encoding", "gzip")]);
        let coding = (body.len() >= COMPRESSED_BYTES_MIN).then_some("gzip");
        assert_eq!(response.header("content-encoding"), coding, "{} bytes", body.len());
        assert_same_bytes(&response.decoded(), &body, &route_id);
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
        let compressed = connection.ask("GET", target, &[("Accept-Encoding", "gzip")]);
        assert_eq!(compressed.header("content-encoding"), Some("gzip"), "{target}");
        assert_eq!(compressed.decoded(), plain.body, "{target}");
        assert_ne!(compressed.etag(), plain.etag(), "{target}");
    }
    println!("problems are not");
    let problem = connection.ask("GET", &format!("/schedules/{}", "x".repeat(5000)), &[("Accept-Encoding", "gzip")]);
    assert_eq!((problem.status, problem.header("content-encoding")), (404, None));
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
        for client in 0..CLIENTS {
            let (mut connection, start) = (Connection::open(&server), &start);
            scope.spawn(move || {
                start.wait();
                let response = connection.ask("GET", "/schedules/large", &[("Accept-Encoding", "gzip")]);
                assert_eq!(response.header("content-encoding"), Some("gzip"), "client {client}");
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
    let server = Server::start_with(["--gzip-cache-mib".as_ref(), "0".as_ref(), folder.path()]);
    let mut connection = Connection::open(&server);
    let expected = naive::schedules(&files);
    for round in 0..3 {
        for (route_id, body) in &expected {
            let response = connection.ask("GET", &schedules_of(route_id), &[("Accept-Encoding", "gzip")]);
            assert_eq!(response.header("content-encoding"), Some("gzip"), "round {round}");
            assert_same_bytes(&response.decoded(), body, &format!("round {round}"));
        }
    }
}

#[test]
fn clients_that_leave_start_no_more_compressions_than_there_are_cores() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start_with(["--gzip-cache-mib".as_ref(), "0".as_ref(), folder.path()]);
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
