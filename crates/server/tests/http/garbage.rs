//! What is no request gets a problem that says so, in its turn, and the next client is served.

use crate::client::{Connection, assert_problem, request};
use crate::feed_files::{small_feed, write_folder};
use crate::server::Server;

/// Asserts that the one thing that comes back on `connection` is this problem, after which the server closes it.
fn assert_told(connection: &mut Connection, status: u16, words: &str, case: &str) {
    let response = connection.read_response("GET");
    let problem = assert_problem(&response, status, case);
    let detail = problem["detail"].as_str().unwrap();
    for word in [words, "found", "expected"] {
        assert!(detail.contains(word), "{case}: {word:?} is not in {detail:?}");
    }
    assert_eq!(response.header("connection"), Some("close"), "{case}");
    assert_eq!(connection.read_to_close(), b"", "{case}: nothing follows");
}

/// Asserts that the bytes are refused, whether the client then ends its side or not, and that the next one is served.
fn assert_refused(server: &Server, bytes: &[u8], status: u16, words: &str, case: &str) {
    println!("{case}");
    let mut ending = Connection::open(server);
    ending.send_all_that_is_taken(bytes);
    assert_told(&mut ending, status, words, case);
    let mut waiting = Connection::open(server);
    waiting.send(bytes);
    assert_told(&mut waiting, status, words, case);
    assert_eq!(Connection::open(server).get("/schedules/Closed").text(), "[]", "{case}: the next client is served");
}

#[test]
fn what_is_no_request_line_is_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (line, status) in [
        ("x", 400),
        ("GET", 400),
        ("GET /", 400),
        ("GET  /", 400),
        ("GET / HTTP", 400),
        ("GET / HTTP/1", 400),
        ("GET / HTTP/1.2", 505),
        ("GET / HTTP/2.0", 505),
        ("PRI * HTTP/2.0", 505),
        ("GET / http/1.1", 400),
        ("GET / HTTP/1.1 x", 400),
        ("/ GET HTTP/1.1", 400),
        ("GET\t/\tHTTP/1.1", 400),
        ("GET schedules/Closed HTTP/1.1", 400),
        ("G@T / HTTP/1.1", 400),
        ("{\"method\":\"GET\"}", 400),
        ("SSH-2.0-OpenSSH_9.9", 400),
        ("GET /a b HTTP/1.1", 400),
        ("GET http:// HTTP/1.1", 400),
        ("GET * HTTP/1.1", 400),
        ("GET example.com:80 HTTP/1.1", 400),
        ("CONNECT example.com:80 HTTP/1.1", 405),
        ("GÉT / HTTP/1.1", 400),
        ("GET /schedules/\u{0}Closed HTTP/1.1", 400),
    ] {
        let bytes = format!("{line}\r\nHost: x\r\n\r\n");
        assert_refused(&server, bytes.as_bytes(), status, "found", &format!("the line {line:?}"));
    }
    assert_refused(&server, b"GET /\r\n", 400, "without a version", "HTTP/0.9");
}

#[test]
fn bytes_of_other_protocols_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
    assert_refused(&server, hello, 400, "TLS", "a TLS hello");
    let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    assert_refused(&server, preface, 505, "HTTP/2.0", "the preface of HTTP/2");
    assert_refused(&server, b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00", 400, "\\x10", "an MQTT connect");
    assert_refused(&server, &[0; 10_000], 400, "\\x00", "nothing but NUL");
    let all: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    assert_refused(&server, &all, 400, "\\x00", "every byte there is");
}

#[test]
fn wrong_header_fields_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (fields, status, words) in [
        ("no colon\r\n", 400, "NAME: VALUE"),
        (": no name\r\n", 400, "NAME: VALUE"),
        ("a b: c\r\n", 400, "a b"),
        ("X : y\r\n", 400, "before the colon"),
        ("X: y\r\n z\r\n", 400, "goes on"),
        ("X: y\n", 400, "LF alone"),
        ("X: \0\r\n", 400, "control"),
        ("Host: y\r\n", 400, "two Host"),
        ("Content-Length: -1\r\n", 400, "-1"),
        ("Content-Length: 99999999999999999999\r\n", 400, "99999999999999999999"),
        ("Content-Length: 1\r\nContent-Length: 2\r\n", 400, "two Content-Length"),
        ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400, "one of them"),
        ("Transfer-Encoding: gzip\r\n", 501, "gzip"),
        ("Expect: 100-continue\r\nContent-Length: 2\r\n", 417, "100-continue"),
    ] {
        let bytes = format!("POST / HTTP/1.1\r\nHost: x\r\n{fields}\r\n");
        assert_refused(&server, bytes.as_bytes(), status, words, &format!("{fields:?}"));
    }
    assert_refused(&server, b"GET / HTTP/1.1\r\n\r\n", 400, "no Host", "no Host");
    let chunked = b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    assert_refused(&server, chunked, 400, "HTTP/1.0", "chunks in HTTP/1.0");
}

#[test]
fn wrong_chunks_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (chunks, status, words) in [
        ("x\r\n", 400, "hexadecimal"),
        ("2\r\nabc\r\n", 400, "end of a chunk"),
        ("2\r\nab\n0\r\n\r\n", 400, "end of a chunk"),
        ("1\na\r\n", 400, "LF alone"),
        ("10000000000000000\r\n", 400, "hexadecimal"),
        ("fffff\r\n", 413, "1048575"),
        ("0\r\nTrailer\r\n\r\n", 400, "NAME: VALUE"),
    ] {
        let bytes = format!("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{chunks}");
        assert_refused(&server, bytes.as_bytes(), status, words, &format!("{chunks:?}"));
    }
}

#[test]
fn what_has_no_end_is_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let megabyte = "x".repeat(1 << 20);
    for (bytes, status, case) in [
        (format!("GET / HTTP/1.1\r\nX: {megabyte}"), 431, "a header"),
        (format!("GET / HTTP/1.1\r\n{megabyte}"), 431, "a header's name"),
        (format!("GET /{megabyte}"), 414, "a target"),
        (megabyte.clone(), 400, "a method"),
        (format!("GET / HTTP/1.1\r\n{}", "X-Header: x\r\n".repeat(100_000)), 431, "headers"),
        (format!("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n{megabyte}"), 413, "a body"),
        (
            format!("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{}", "1\r\nx\r\n".repeat(1 << 17)),
            413,
            "chunks",
        ),
        (
            format!("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;{megabyte}"),
            400,
            "a chunk's extension",
        ),
        (
            format!("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: {megabyte}"),
            431,
            "a trailer",
        ),
    ] {
        assert_refused(&server, bytes.as_bytes(), status, "expected", &format!("{case} without end"));
    }
}

#[test]
fn a_request_that_is_cut_off_is_refused_and_silence_is_not() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (bytes, words) in [
        ("G", "the request line"),
        ("GET / HTTP/1.1\r\n", "the head"),
        ("GET / HTTP/1.1\r\nHost: x\r\n", "the head"),
        ("GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n", "the body"),
        ("GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", "the body"),
    ] {
        drop(Connection::open(&server));
        let mut connection = Connection::open(&server);
        connection.send_all_that_is_taken(bytes.as_bytes());
        assert_told(&mut connection, 400, words, bytes);
    }
    let mut silent = Connection::open(&server);
    silent.send_all_that_is_taken(b"");
    assert_eq!(silent.read_to_close(), b"");
}

#[test]
fn answers_to_earlier_requests_come_before_the_refusal() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let good = request("GET", "/schedules/Closed", &[]);
    let post = [request("POST", "/routes", &[("Content-Length", "5")]), b"GET /".to_vec()].concat();
    for garbage in [&b"\0\0\0garbage\r\n\r\n"[..], b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: x\r\nX"] {
        println!("{:?}", garbage.escape_ascii().to_string());
        let mut connection = Connection::open(&server);
        connection.send_all_that_is_taken(&[&good, &post, &good, garbage, &good].concat());
        assert_eq!(connection.read_response("GET").text(), "[]");
        assert_problem(&connection.read_response("POST"), 405, "the body is no request");
        assert_eq!(connection.read_response("GET").text(), "[]");
        assert_told(&mut connection, 400, "found", "the fourth");
    }
}

#[test]
fn the_answer_to_a_head_that_is_refused_has_no_body() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (before, answer_count) in [("", 0), ("\r\n", 0), ("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\r\n", 1)] {
        println!("after {before:?}");
        let mut connection = Connection::open(&server);
        connection.send(format!("{before}HEAD / HTTP/1.1\r\n\r\n").as_bytes());
        (0..answer_count).for_each(|_| assert_eq!(connection.read_response("GET").status, 200));
        let head = connection.read_response("HEAD");
        assert_eq!((head.status, head.header("content-type")), (400, Some("application/problem+json")));
        assert_eq!(connection.read_to_close(), b"");
    }
}

#[test]
fn a_request_may_come_in_two_pieces_parted_anywhere() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let (mut connection, mut other) = (Connection::open(&server), Connection::open(&server));
    let chunked = request("GET", "/schedules/Closed", &[("Transfer-Encoding", "chunked")]);
    let whole = [&chunked[..], b"2;x\r\nab\r\n0\r\nT: u\r\n\r\n"].concat();
    for place in 1..whole.len() {
        connection.send(&whole[..place]);
        println!("what another client is told meanwhile gives the server the time to read the first {place} bytes");
        assert_eq!(other.get("/healthz").status, 200);
        connection.send(&whole[place..]);
        assert_eq!(connection.read_response("GET").text(), "[]", "parted after {place} bytes");
    }
}
