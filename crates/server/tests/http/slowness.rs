//! How long a client may take, and what a signal does to one that takes its time.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::client::{Connection, assert_problem, request};
use crate::feed_files::{feed_with_a_large_answer, small_feed, write_folder};
use crate::metrics::limit_hits;
use crate::server::{DEADLINE, Server};

/// Between two bytes of a client that dribbles.
const DRIBBLE: Duration = Duration::from_millis(20);

fn start(folder: &Path, options: &[&str]) -> Server {
    Server::start_with(options.iter().map(AsRef::as_ref).chain([folder.as_os_str()]))
}

#[test]
fn a_request_that_takes_too_long_to_arrive_is_told_so_wherever_it_stops() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &["--request-time-max", "300ms"]);
    let whole = [&request("GET", "/healthz", &[("Content-Length", "5")])[..], b"abcde"].concat();
    let mut connections: Vec<_> = (1..whole.len()).map(|_| Connection::open(&server)).collect();
    for (connection, byte_count) in connections.iter_mut().zip(1..) {
        connection.send(&whole[..byte_count]);
    }
    for (connection, byte_count) in connections.iter_mut().zip(1..) {
        let case = format!("after {byte_count} bytes");
        let problem = assert_problem(&connection.read_response("GET"), 408, &case);
        assert!(problem["detail"].as_str().unwrap().contains("300ms"), "{problem}");
        assert_eq!(connection.read_to_close(), b"", "{case}");
    }
    assert_eq!(limit_hits(&server, "request_time"), whole.len() as u64 - 1);
}

#[test]
fn a_request_after_another_is_timed_as_well() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &["--request-time-max", "300ms"]);
    let good = request("GET", "/healthz", &[]);
    let mut connection = Connection::open(&server);
    connection.send(&[&good[..], &good, b"GET /heal"].concat());
    for _ in 0..2 {
        assert_eq!(connection.read_response("GET").status, 200);
    }
    assert_problem(&connection.read_response("GET"), 408, "the third");
    assert_eq!(connection.read_to_close(), b"");
}

#[test]
fn a_client_that_dribbles_is_closed_at_the_limit() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &["--request-time-max", "300ms"]);
    let mut connection = Connection::open(&server);
    connection.send(b"GET / HTTP/1.1\r\nX: ");
    let begin = Instant::now();
    while connection.is_silent_for(DRIBBLE) {
        assert!(begin.elapsed() < DEADLINE, "it goes on for ever");
        connection.send(b"x");
    }
    assert_problem(&connection.read_response("GET"), 408, "it dribbles");
    assert_eq!(connection.read_to_close(), b"");
}

#[test]
fn a_connection_on_which_nothing_comes_is_closed_without_a_word() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &["--idle-time-max", "1s"]);
    let (mut silent, mut idle) = (Connection::open(&server), Connection::open(&server));
    idle.send(&request("GET", "/healthz", &[]).repeat(3));
    for _ in 0..3 {
        assert_eq!(idle.read_response("GET").status, 200);
    }
    for connection in [&mut silent, &mut idle] {
        assert_eq!(connection.read_to_close(), b"");
    }
    assert_eq!(limit_hits(&server, "idle_time"), 2);
}

#[test]
fn waiting_between_requests_does_not_count_as_a_slow_request() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &["--request-time-max", "100ms"]);
    let mut connection = Connection::open(&server);
    for round in 0..3 {
        assert!(connection.is_silent_for(Duration::from_millis(150)), "round {round}: closed, or told something");
        assert_eq!(connection.get("/healthz").status, 200, "round {round}");
    }
}

#[test]
fn a_client_that_takes_nothing_of_its_answer_is_given_up() {
    let folder = write_folder(&feed_with_a_large_answer());
    let server = start(folder.path(), &["--write-time-max", "300ms"]);
    let mut stuck = Connection::open(&server);
    stuck.send(&request("GET", "/schedules/large", &[]));
    let length = stuck.read_head().content_length();
    let begin = Instant::now();
    while limit_hits(&server, "write_time") == 0 {
        assert!(begin.elapsed() < DEADLINE, "it is waited for");
    }
    assert!(stuck.read_to_close().len() < length, "the rest is not sent");
}

#[test]
fn a_client_that_sips_for_ever_is_given_up() {
    let folder = write_folder(&feed_with_a_large_answer());
    let server = start(folder.path(), &["--response-time-max", "300ms"]);
    let mut sipping = Connection::open(&server);
    assert_eq!(sipping.get("/schedules/small").status, 200);
    sipping.send(&request("GET", "/schedules/large", &[]));
    let length = sipping.read_head().content_length();
    let (begin, mut sip_count) = (Instant::now(), 0);
    while limit_hits(&server, "response_time") == 0 {
        assert!(begin.elapsed() < DEADLINE, "it is waited for");
        sipping.read_exact(&mut [0]);
        sip_count += 1;
    }
    assert!(sip_count + sipping.read_to_close().len() < length, "the rest is not sent");
    assert_eq!(limit_hits(&server, "write_time"), 0);
}

#[test]
fn a_head_that_is_on_its_way_when_a_signal_comes_is_answered_if_it_arrives() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &[]);
    let whole = request("GET", "/schedules/Closed", &[]);
    let (begin, end) = whole.split_at(10);
    let (mut first, mut later, mut idle) =
        (Connection::open(&server), Connection::open(&server), Connection::open(&server));
    assert_eq!(later.get("/healthz").status, 200);
    for connection in [&mut first, &mut later] {
        connection.send(begin);
    }
    println!("another's answer says that the server has seen what came before it");
    assert_eq!(idle.get("/healthz").status, 200);
    server.signal("TERM");
    assert_eq!(idle.read_to_close(), b"", "an idle connection is closed at once");
    for connection in [&mut first, &mut later] {
        connection.send(end);
        let response = connection.read_response("GET");
        assert_eq!((response.text(), response.header("connection")), ("[]", Some("close")));
        assert_eq!(connection.read_to_close(), b"");
    }
    assert_eq!(server.wait_for_end().status.code(), Some(0));
}

#[test]
fn a_head_that_does_not_arrive_is_waited_for_no_longer_than_the_drain_takes() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path(), &["--drain-time", "300ms", "--request-time-max", "1h"]);
    let mut slow = Connection::open(&server);
    slow.send(b"GET / HTTP/1.1\r\n");
    assert_eq!(Connection::open(&server).get("/healthz").status, 200);
    server.signal("TERM");
    assert_eq!(slow.read_to_close(), b"");
    let end = server.wait_for_end();
    assert_eq!(end.status.code(), Some(0));
    assert!(end.log.iter().any(|line| line.contains("did not end within 300ms")), "{:#?}", end.log);
}
