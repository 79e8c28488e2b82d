//! What each method does: GET and HEAD answer, OPTIONS says what is allowed, others are not.

use crate::client::{Connection, assert_problem, request};
use crate::feed_files::{feed_of_routes, small_feed, write_folder};
use crate::server::Server;

const TARGETS: [&str; 7] = ["/", "/schedules/Red", "/routes", "/feed", "/healthz", "/readyz", "/metrics"];

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let long = "a route that is long enough to be compressed ".repeat(20);
    let folder = write_folder(&feed_of_routes(&["Red", long.trim()]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let target_of_long = format!("/schedules/{}", long.trim().replace(' ', "%20"));
    // What is counted differs from one request to the next.
    let fixed = TARGETS.iter().copied().filter(|target| *target != "/metrics").collect::<Vec<_>>();
    for target in [&fixed[..], &[&target_of_long, "/schedules/unknown", "/nothing", "/schedules/%"]].concat() {
        for headers in [
            &[][..],
            &[("Accept-Encoding", "gzip")],
            &[("Accept-Encoding", "br")],
            &[("Accept-Encoding", "zstd")],
            &[("If-None-Match", "*")],
            &[("Accept-Encoding", "zstd"), ("If-None-Match", "*")],
        ] {
            println!("{target} with {headers:?}");
            let get = connection.ask("GET", target, headers);
            let head = connection.ask("HEAD", target, headers);
            assert_eq!((head.status, head.headers_but_date()), (get.status, get.headers_but_date()));
        }
    }
    println!("the last one was compressed, so HEAD told the length of the compressed answer");
    let head = connection.ask("HEAD", &target_of_long, &[("Accept-Encoding", "gzip")]);
    assert_eq!(head.header("content-encoding"), Some("gzip"));
}

#[test]
fn options_says_what_is_allowed_and_has_no_body() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in [&TARGETS[..], &["*"]].concat() {
        let response = connection.ask("OPTIONS", target, &[]);
        assert_eq!((response.status, response.header("allow")), (204, Some("GET, HEAD, OPTIONS")), "{target}");
        assert_eq!(response.header("content-length"), None, "{target}: RFC 9110, 8.6 forbids it with 204");
    }
}

#[test]
fn options_of_an_unknown_path_is_a_problem() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    assert_problem(&Connection::open(&server).ask("OPTIONS", "/nothing", &[]), 404, "/nothing");
}

#[test]
fn other_methods_are_refused_with_what_is_allowed() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in TARGETS {
        for method in ["POST", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get"] {
            let case = format!("{method} {target}");
            let response = connection.ask(method, target, &[("Content-Length", "0")]);
            let problem = assert_problem(&response, 405, &case);
            assert_eq!(response.header("allow"), Some("GET, HEAD, OPTIONS"), "{case}");
            assert!(problem["detail"].as_str().unwrap().contains(method), "{problem}");
        }
    }
}

#[test]
fn a_body_that_nobody_wants_is_read_and_the_connection_kept() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let large = "x".repeat(64 << 10);
    for (method, status) in [("POST", 405), ("GET", 200)] {
        for (header, body) in [
            (("Content-Length", "0"), ""),
            (("Content-Length", "2"), "{}"),
            (("Content-Length", "65536"), large.as_str()),
            (("Transfer-Encoding", "chunked"), "2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n"),
        ] {
            connection.send(&[&request(method, "/healthz", &[header])[..], body.as_bytes()].concat());
            assert_eq!(connection.read_response(method).status, status, "{method} with {header:?}");
        }
    }
}
