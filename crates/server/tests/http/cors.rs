//! What a browser is told for the pages of other origins: that they may read everything, and with what they may ask.

use crate::client::{Connection, Response};
use crate::feed_files::{small_feed, write_folder};
use crate::server::Server;

const TARGETS: [&str; 9] = [
    "/",
    "/schedules/Red",
    "/routes",
    "/feed",
    "/healthz",
    "/readyz",
    "/schedules/unknown",
    "/nothing",
    "/schedules/%",
];

fn assert_open(response: &Response, case: &str) {
    assert_eq!(response.header("access-control-allow-origin"), Some("*"), "{case}");
    assert_eq!(response.header("access-control-expose-headers"), Some("etag, link, content-length"), "{case}");
    assert_eq!(response.header("access-control-allow-credentials"), None, "{case}: there is nobody to be known");
}

#[test]
fn every_page_may_read_every_answer_and_every_problem() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in TARGETS {
        let alone = connection.get(target);
        for method in ["GET", "HEAD", "POST", "OPTIONS"] {
            for origin in ["https://transit.example", "http://localhost:5173", "null", "*", "\u{e9}"] {
                let case = format!("{method} {target} from {origin}");
                let response = connection.ask(method, target, &[("Origin", origin), ("Cookie", "session=1")]);
                assert_open(&response, &case);
                if method == "GET" {
                    assert_eq!(response.status, alone.status, "{case}");
                    assert_eq!(response.headers_but_date(), alone.headers_but_date(), "{case}: the same for all");
                }
            }
        }
    }
}

#[test]
fn a_page_may_read_that_it_has_the_answer_already() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let response = connection.ask("GET", "/routes", &[("Origin", "https://transit.example"), ("If-None-Match", "*")]);
    assert_eq!(response.status, 304);
    assert_open(&response, "304");
}

#[test]
fn a_preflight_is_told_what_may_be_asked_whatever_is_there() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in [&TARGETS[..], &["*"]].concat() {
        for (method, names) in [("GET", Some("if-none-match")), ("HEAD", None), ("DELETE", Some("x-y")), ("", Some(""))]
        {
            let case = format!("{method} {target} with {names:?}");
            let mut headers = vec![("Origin", "https://transit.example"), ("Access-Control-Request-Method", method)];
            headers.extend(names.map(|names| ("Access-Control-Request-Headers", names)));
            let response = connection.ask("OPTIONS", target, &headers);
            assert_eq!((response.status, response.header("content-length")), (204, None), "{case}");
            assert_eq!(response.header("access-control-allow-methods"), Some("GET, HEAD, OPTIONS"), "{case}");
            let allowed = response.header("access-control-allow-headers").unwrap();
            for name in ["if-none-match", "accept", "cache-control", "*"] {
                assert!(allowed.split(", ").any(|found| found == name), "{case}: {name} is not in {allowed}");
            }
            assert_eq!(response.header("access-control-max-age"), Some("86400"), "{case}");
            assert_eq!(response.header("access-control-allow-private-network"), None, "{case}");
            assert_open(&response, &case);
        }
    }
}

#[test]
fn what_a_preflight_asks_for_does_not_come_back() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let long = "x-long, ".repeat(1000);
    for names in [long.as_str(), "<script>", "\u{e9}", "a\tb"] {
        let headers = [
            ("Origin", "https://transit.example"),
            ("Access-Control-Request-Method", "GET"),
            ("Access-Control-Request-Headers", names),
        ];
        let response = connection.ask("OPTIONS", "/routes", &headers);
        assert_eq!(response.header("access-control-allow-headers"), Some("accept, cache-control, if-none-match, *"));
    }
}

#[test]
fn options_without_a_preflight_still_tell_what_is_there() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (target, status) in [("/routes", 204), ("/nothing", 404), ("/schedules/%", 400)] {
        let response = connection.ask("OPTIONS", target, &[("Origin", "https://transit.example")]);
        assert_eq!(response.status, status, "{target}");
        assert_eq!(response.header("access-control-allow-methods"), None, "{target}");
    }
    println!("only OPTIONS is a preflight");
    let response = connection.ask("GET", "/routes", &[("Access-Control-Request-Method", "GET")]);
    assert_eq!((response.status, response.header("access-control-allow-methods")), (200, None));
}
