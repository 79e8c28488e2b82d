//! How the target of a request is read.

use crate::client::{Connection, assert_problem};
use crate::feed_files::{small_feed, write_folder};
use crate::server::Server;

#[test]
fn wrong_escapes_are_refused() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for part in ["%", "%2", "%zz", "%ff", "%C3", "%c3%28", "%c0%af", "%ed%a0%80", "Red%", "Red%2", "%%41", "%+1"] {
        let problem = assert_problem(&connection.get(&format!("/schedules/{part}")), 400, part);
        assert!(problem["detail"].as_str().unwrap().contains(part), "{problem}");
    }
    assert_problem(&connection.get("/%zz/Red"), 400, "in another part");
}

#[test]
fn at_an_unknown_path_is_nothing() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for path in [
        "/nothing",
        "/schedules",
        "/schedules/",
        "/schedules/Red/now",
        "/Routes",
        "/routes/Red/trips",
        "/schedules/../routes",
        "/.well-known/security.txt",
        "/index.html",
        "//routes",
        "/routes//",
        "/healthz/x",
        "/schedules%2FRed",
    ] {
        let problem = assert_problem(&connection.get(path), 404, path);
        assert!(problem["detail"].as_str().unwrap().contains(path), "{problem}");
    }
    assert_eq!(connection.get("/rotes").json()["nearest"][0], "/routes");
}

#[test]
fn one_slash_at_the_end_changes_nothing() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for path in ["/schedules/Red", "/routes", "/feed", "/healthz", "/readyz"] {
        let (without, with) = (connection.get(path), connection.get(&format!("{path}/")));
        assert_eq!((without.status, with.status), (200, 200), "{path}");
        assert_eq!(without.body, with.body, "{path}");
    }
}

#[test]
fn what_describes_the_program_takes_any_query() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for path in ["/", "/feed", "/healthz", "/readyz", "/openapi.json"] {
        let plain = connection.get(path);
        for query in ["?", "?a=b", "?a=%zz&b=%ff", "?/x/y", "?a?b", "?a=b+c&&="] {
            let response = connection.get(&format!("{path}{query}"));
            assert_eq!((response.status, &response.body), (200, &plain.body), "{path}{query}");
        }
    }
    println!("anything else refuses what it does not know");
    for path in ["/routes/Red", "/routes", "/schedules/Red", "/stops/a"] {
        assert_problem(&connection.get(&format!("{path}?a=b")), 400, path);
    }
}

#[test]
fn a_target_may_be_absolute() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for path in ["/schedules/Red", "/routes", "/schedules/Red?direction_id=0"] {
        let relative = connection.get(path);
        for origin in ["http://linespeed", "http://example.com:4000", "https://example.com", "HTTP://[::1]:80"] {
            let response = connection.get(&format!("{origin}{path}"));
            assert_eq!((response.status, &response.body), (200, &relative.body), "{origin}{path}");
        }
    }
    println!("without a path it is the page");
    assert_eq!(connection.get("http://linespeed").header("content-type"), Some("text/html; charset=utf-8"));
}
