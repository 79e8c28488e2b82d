//! What is no request gets a 4xx or a closed connection, and the next client is served.

use crate::client::{Connection, request};
use crate::feed_files::{small_feed, write_folder};
use crate::server::Server;

/// Asserts that what comes back is nothing or one error, and that others are served meanwhile and afterwards.
fn assert_refused(server: &Server, bytes: &[u8], case: &str) {
    println!("{case}");
    let mut connection = Connection::open(server);
    connection.send_all_that_is_taken(bytes);
    let answer = String::from_utf8(connection.read_to_close()).unwrap();
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{case}: {answer}");
    assert_eq!(answer.matches("HTTP/1.").count(), usize::from(!answer.is_empty()), "{case}: {answer}");
    assert_eq!(Connection::open(server).get("/schedules/Closed").text(), "[]", "{case}: the next client is served");
}

#[test]
fn what_is_no_request_line_is_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for line in [
        "",
        "x",
        "GET",
        "GET ",
        "GET /",
        "GET  /",
        "GET / ",
        "GET / HTTP",
        "GET / HTTP/",
        "GET / HTTP/1",
        "GET / HTTP/1.2",
        "GET / HTTP/2.0",
        "GET / HTTP/9.9",
        "GET / http/1.1",
        "GET / HTTP/1.1 x",
        "/ GET HTTP/1.1",
        "GET\t/\tHTTP/1.1",
        "GET schedules/Closed HTTP/1.1",
        "G@T / HTTP/1.1",
        "{\"method\":\"GET\"}",
        "SSH-2.0-OpenSSH_9.9",
        "EHLO linespeed",
        "GET /a b HTTP/1.1",
        "GET http:// HTTP/1.1",
        "GET http://[ HTTP/1.1",
        "GÉT / HTTP/1.1",
        "PRI * HTTP/2.0",
    ] {
        assert_refused(&server, format!("{line}\r\nHost: x\r\n\r\n").as_bytes(), &format!("the line {line:?}"));
    }
}

#[test]
fn http_0_9_is_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for bytes in ["GET /\r\n", "GET /schedules/Closed\r\n\r\n", "GET /\n"] {
        assert_refused(&server, bytes.as_bytes(), &format!("{bytes:?}"));
    }
}

#[test]
fn nul_bytes_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    assert_refused(&server, &[0; 10_000], "nothing but NUL");
    assert_refused(&server, b"\0GET / HTTP/1.1\r\nHost: x\r\n\r\n", "at the beginning");
    assert_refused(&server, b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", "in the target");
    assert_refused(&server, b"GET / HTTP/1.1\r\nHo\0st: x\r\n\r\n", "in a header's name");
    assert_refused(&server, b"GET / HTTP/1.1\r\nHost: \0\r\n\r\n", "in a header's value");
}

#[test]
fn bytes_of_other_protocols_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    assert_refused(&server, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "a TLS hello");
    assert_refused(&server, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "the preface of HTTP/2");
    assert_refused(&server, b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00", "an MQTT connect");
    assert_refused(&server, &(0..=255).cycle().take(100_000).collect::<Vec<u8>>(), "every byte there is");
}

#[test]
fn wrong_headers_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for header in [
        "no colon",
        ": no name",
        "a b: c",
        "Host : x",
        "Content-Length: -1",
        "Content-Length: +1",
        "Content-Length: x",
        "Content-Length: 99999999999999999999",
        "Content-Length: 1\r\nContent-Length: 2",
        "Transfer-Encoding: gzip",
    ] {
        assert_refused(&server, format!("GET / HTTP/1.1\r\n{header}\r\n\r\n").as_bytes(), &format!("{header:?}"));
    }
}

#[test]
fn a_head_without_end_is_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let megabyte = "x".repeat(1 << 20);
    assert_refused(&server, format!("GET / HTTP/1.1\r\nX: {megabyte}").as_bytes(), "a header without end");
    assert_refused(&server, format!("GET / HTTP/1.1\r\n{megabyte}").as_bytes(), "a header's name without end");
    assert_refused(&server, format!("GET /{megabyte}").as_bytes(), "a target without end");
    assert_refused(&server, megabyte.as_bytes(), "a method without end");
    let lines = "X-Header: x\r\n".repeat(100_000);
    assert_refused(&server, format!("GET / HTTP/1.1\r\n{lines}").as_bytes(), "headers without end");
}

#[test]
fn a_head_is_read_up_to_a_limit() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let padded = |byte_count: usize| {
        let without = request("GET", "/schedules/Closed", &[("X", "")]).len();
        request("GET", "/schedules/Closed", &[("X", &"x".repeat(byte_count - without))])
    };
    for byte_count in [8 << 10, 32 << 10, 60 << 10] {
        let mut connection = Connection::open(&server);
        connection.send(&padded(byte_count));
        assert_eq!(connection.read_response("GET").text(), "[]", "a head of {byte_count} bytes");
    }
    println!("a read may pass the limit, but not by as much again");
    for byte_count in [520 << 10, 1 << 20] {
        assert_refused(&server, &padded(byte_count), &format!("a head of {byte_count} bytes"));
    }
}

#[test]
fn a_client_that_says_nothing_and_leaves_harms_nobody() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for bytes in [&b""[..], b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: x\r\n"] {
        drop(Connection::open(&server));
        assert_refused(&server, bytes, &format!("{:?} and no more", String::from_utf8_lossy(bytes)));
    }
}

#[test]
fn garbage_after_a_request_does_not_harm_its_answer() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    connection.send(&[request("GET", "/schedules/Closed", &[]), b"\0\0\0garbage\r\n\r\n".to_vec()].concat());
    assert_eq!(connection.read_response("GET").text(), "[]");
    let rest = String::from_utf8(connection.read_to_close()).unwrap();
    assert!(rest.is_empty() || rest.starts_with("HTTP/1.1 4"), "{rest}");
}
