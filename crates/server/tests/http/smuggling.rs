//! Requests that a proxy before this server might understand otherwise: none lets a second request through with it.

use crate::client::{Connection, assert_problem, request};
use crate::feed_files::{small_feed, write_folder};
use crate::server::Server;

/// What must not be answered.
const HIDDEN: &str = "GET /schedules/Red HTTP/1.1\r\nHost: x\r\n\r\n";

#[test]
fn what_may_be_understood_in_two_ways_is_refused_with_all_that_follows() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (fields, body) in [
        ("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"),
        ("Content-Length: 0\r\nContent-Length: 44\r\n", ""),
        ("Content-Length: 0, 44\r\n", ""),
        ("Content-Length : 44\r\n", ""),
        ("Content-Length: \n44\r\n", ""),
        ("Content-Length: 4 4\r\n", ""),
        ("Content-Length: 0x2c\r\n", ""),
        ("X: y\rContent-Length: 44\r\n", ""),
        ("X: y\nContent-Length: 44\r\n", ""),
        ("X: y\r\n Content-Length: 44\r\n", ""),
        (" Content-Length: 44\r\n", ""),
        ("\u{b}Content-Length: 44\r\n", ""),
        ("Content-Length: \u{c}44\r\n", ""),
        ("Content\0-Length: 44\r\n", ""),
        ("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: \u{b}chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding:\r\n chunked\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\n", "0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0\r\n\n"),
        ("Transfer-Encoding: chunked\r\n", "00000000000000000\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "100000000\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "1\r\nZ0\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0;\n\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0;x\ry\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0_1\r\n\r\n"),
        ("Transfer-Encoding: chunked\r\n", "0 0\r\n\r\n"),
    ] {
        let case = format!("{fields:?} and {body:?}");
        println!("{case}");
        let mut connection = Connection::open(&server);
        let head = format!("POST /healthz HTTP/1.1\r\nHost: x\r\n{fields}\r\n{body}");
        connection.send_all_that_is_taken(format!("{head}{HIDDEN}").as_bytes());
        let response = connection.read_response("GET");
        assert!([400, 413, 501].contains(&response.status), "{case}: {}", response.text());
        assert_problem(&response, response.status, &case);
        assert_eq!(connection.read_to_close(), b"", "{case}: something else was answered");
    }
}

#[test]
fn a_body_is_never_taken_for_a_request() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for method in ["POST", "GET", "HEAD", "OPTIONS", "DELETE"] {
        let with_length = request(method, "/healthz", &[("Content-Length", &HIDDEN.len().to_string())]);
        let in_chunks = request(method, "/healthz", &[("Transfer-Encoding", "chunked")]);
        let chunk = format!("{:x}\r\n{HIDDEN}\r\n0\r\n\r\n", HIDDEN.len());
        connection.send(&[&with_length[..], HIDDEN.as_bytes(), &in_chunks, chunk.as_bytes()].concat());
        connection.send(&request("GET", "/schedules/Closed", &[]));
        let expected = match method {
            "GET" | "HEAD" => 200,
            "OPTIONS" => 204,
            _ => 405,
        };
        for _ in 0..2 {
            assert_eq!(connection.read_response(method).status, expected, "{method}");
        }
        assert_eq!(connection.read_response("GET").text(), "[]", "after {method} twice");
    }
}
