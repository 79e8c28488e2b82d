//! How large a request may be, and how many connections there may be: at, below and above each limit.

use std::net::Ipv4Addr;
use std::time::Instant;

use crate::client::{Connection, assert_problem, request};
use crate::feed_files::{small_feed, write_folder};
use crate::metrics::{limit_hits, value_of};
use crate::server::{DEADLINE, Server};

/// Asserts that requests of one less than the limit and of the limit are answered, and that one more is refused.
fn assert_limit(option: &str, limit: usize, label: &str, status: u16, request_of: impl Fn(usize) -> Vec<u8>) {
    let folder = write_folder(&small_feed());
    let server = Server::start_with([option.as_ref(), limit.to_string().as_ref(), folder.path()]);
    let mut connection = Connection::open(&server);
    for size in [limit - 1, limit] {
        connection.send(&request_of(size));
        let status = connection.read_response("GET").status;
        assert!([200, 404].contains(&status), "{option} {limit}, of {size}: {status}");
    }
    assert_eq!(limit_hits(&server, label), 0);
    connection.send(&request_of(limit + 1));
    let problem = assert_problem(&connection.read_response("GET"), status, option);
    assert!(problem["detail"].as_str().unwrap().contains(&limit.to_string()), "{problem}");
    assert_eq!(connection.read_to_close(), b"");
    assert_eq!(limit_hits(&server, label), 1, "{option}: the hit is counted");
}

#[test]
fn a_head_has_at_most_so_many_bytes() {
    let padded = |byte_count: usize| {
        let without = request("GET", "/schedules/Closed", &[("X", "")]).len();
        request("GET", "/schedules/Closed", &[("X", &"x".repeat(byte_count - without))])
    };
    for limit in [256, 16_384, 65_536] {
        assert_limit("--head-bytes-max", limit, "head_bytes", 431, padded);
    }
}

#[test]
fn a_target_has_at_most_so_many_bytes() {
    for limit in [16, 8192] {
        let with_target = |byte_count: usize| request("GET", &format!("/{}", "x".repeat(byte_count - 1)), &[]);
        assert_limit("--target-bytes-max", limit, "target_bytes", 414, with_target);
    }
}

#[test]
fn a_request_has_at_most_so_many_header_fields() {
    for limit in [2, 100, 300] {
        let with_fields = |count: usize| request("GET", "/healthz", &vec![("X", "y"); count - 1]);
        assert_limit("--header-fields-max", limit, "header_fields", 431, with_fields);
    }
}

#[test]
fn a_body_has_at_most_so_many_bytes() {
    for limit in [10, 65_536, 1 << 20] {
        assert_limit("--body-bytes-max", limit, "body_bytes", 413, |byte_count| {
            let head = request("GET", "/healthz", &[("Content-Length", &byte_count.to_string())]);
            [head, vec![b'x'; byte_count]].concat()
        });
    }
}

#[test]
fn an_address_has_at_most_so_many_connections() {
    let folder = write_folder(&small_feed());
    let server = Server::start_with(["--connections-per-address-max".as_ref(), "2".as_ref(), folder.path()]);
    let other = Ipv4Addr::new(127, 0, 0, 2);
    let mut taken = [Connection::open(&server), Connection::open(&server)];
    for connection in &mut taken {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    for round in 0..3 {
        println!("round {round}: it is told without having asked");
        let mut third = Connection::open(&server);
        let response = third.read_response("GET");
        let problem = assert_problem(&response, 429, "the third connection");
        assert!(problem["detail"].as_str().unwrap().contains("at most 2"), "{problem}");
        assert_eq!(response.header("connection"), Some("close"));
        assert_eq!(third.read_to_close(), b"");
        println!("another address is served, and so are those that were there before");
        assert_eq!(Connection::open_from(other, &server).get("/healthz").status, 200);
        assert_eq!(taken[1].get("/healthz").status, 200);
    }
    let mut elsewhere = Connection::open_from(other, &server);
    assert_eq!(
        value_of(&elsewhere.get("/metrics"), "linespeed_limit_hits_total{limit=\"connections_per_address\"}"),
        3
    );
    assert_eq!(value_of(&elsewhere.get("/metrics"), "linespeed_connections_refused_total"), 3);
    println!("once one of its connections has ended, the address may have another");
    let [first, _second] = taken;
    drop(first);
    let begin = Instant::now();
    while ask_for_health(&server) != 200 {
        assert!(begin.elapsed() < DEADLINE, "the place of a connection that ended is not free");
    }
}

/// The status that a new connection is told: that of its request, or the 429 that came before it.
fn ask_for_health(server: &Server) -> u16 {
    let mut connection = Connection::open(server);
    connection.send_all_that_is_taken(&request("GET", "/healthz", &[]));
    connection.read_response("GET").status
}

#[test]
fn that_all_connections_are_taken_is_counted() {
    let folder = write_folder(&small_feed());
    let server = Server::start_with(["--connections-max".as_ref(), "1".as_ref(), folder.path()]);
    let mut first = Connection::open(&server);
    let begin = Instant::now();
    let mut hits = || value_of(&first.get("/metrics"), "linespeed_limit_hits_total{limit=\"connections\"}");
    println!("the server may answer the first connection before it looks for the next");
    while hits() == 0 {
        assert!(begin.elapsed() < DEADLINE, "it is not counted");
    }
    assert_eq!(hits(), 1);
}
