//! ETags, and what is not sent to a client that has it.

use crate::client::Connection;
use crate::feed_files::{FeedFiles, feed_of_routes, small_feed, write_folder, write_zip};
use crate::server::Server;

/// A route id that makes an answer long enough to be compressed.
fn long_id() -> String {
    "long".repeat(300)
}

#[test]
fn an_answer_has_a_strong_etag_and_is_asked_for_anew_each_time() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in ["/schedules/Red", "/schedules/Closed", "/routes", "/feed", "/"] {
        let response = connection.get(target);
        let tag = response.etag();
        assert!(tag.len() > 2 && tag.starts_with('"') && tag.ends_with('"'), "{target}: {tag}");
        assert_eq!(response.header("cache-control"), Some("no-cache"), "{target}");
        let vary = if target == "/routes" { "accept, accept-encoding" } else { "accept-encoding" };
        assert_eq!(response.header("vary"), Some(vary), "{target}");
        assert_eq!(connection.get(target).etag(), tag, "{target}");
    }
}

#[test]
fn different_answers_have_different_tags() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let targets =
        ["/schedules/Red", "/schedules/Orange", "/schedules/Blue", "/schedules/Closed", "/routes", "/feed", "/"];
    let mut tags = std::collections::HashMap::new();
    for target in targets {
        assert_eq!(tags.insert(connection.get(target).etag().to_owned(), target), None, "{target}: {tags:?}");
    }
    println!("another way to write a target asks for the same");
    assert_eq!(tags.get(connection.get("/schedules/%52ed/").etag()), Some(&"/schedules/Red"));
}

#[test]
fn if_none_match_spares_those_who_have_the_answer() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in ["/schedules/Red", "/routes"] {
        let full = connection.get(target);
        let tag = full.etag();
        for (known, status) in [
            (tag.to_owned(), 304),
            (format!("W/{tag}"), 304),
            (format!("\"x\", {tag}"), 304),
            (format!("\"x\",W/{tag} , \"y\""), 304),
            (format!("{tag},"), 304),
            ("*".to_owned(), 304),
            ("\"x\"".to_owned(), 200),
            ("W/\"x\", \"y\"".to_owned(), 200),
            (String::new(), 200),
            (tag.trim_matches('"').to_owned(), 200),
            (tag.to_uppercase() + "x", 200),
        ] {
            for method in ["GET", "HEAD"] {
                println!("{method} {target} with If-None-Match: {known}");
                let response = connection.ask(method, target, &[("If-None-Match", &known)]);
                assert_eq!(response.status, status);
                assert_eq!(response.etag(), tag);
                assert_eq!(response.body.is_empty(), status == 304 || method == "HEAD");
            }
        }
        println!("more tags may come in a second header");
        assert_eq!(connection.ask("GET", target, &[("If-None-Match", "\"x\""), ("If-None-Match", tag)]).status, 304);
    }
}

#[test]
fn a_304_has_no_body_and_tells_nothing_of_its_length() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let full = connection.get("/schedules/Red");
    connection.send(&crate::client::request(
        "GET",
        "/schedules/Red",
        &[("If-None-Match", "*"), ("Connection", "close")],
    ));
    let head = connection.read_head();
    assert_eq!(head.status, 304);
    for name in ["etag", "vary", "cache-control"] {
        assert_eq!(head.header(name), full.header(name), "{name} would be the same in a 200 (RFC 9110, 15.4.5)");
    }
    for name in ["content-length", "content-type", "transfer-encoding"] {
        assert_eq!(head.header(name), None, "{name}");
    }
    assert_eq!(connection.read_to_close(), b"");
}

#[test]
fn the_compressed_answer_has_a_tag_of_its_own() {
    let long_id = long_id();
    let folder = write_folder(&feed_of_routes(&[&long_id]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let target = format!("/schedules/{long_id}");
    let gzip = ("Accept-Encoding", "gzip");
    println!("a client that knows the tag from elsewhere needs no answer that was never made");
    let plain = connection.get(&target).etag().to_owned();
    let compressed = connection.ask("HEAD", &target, &[gzip]).etag().to_owned();
    assert_ne!(plain, compressed);
    for (tag, headers, status) in
        [(&plain, None, 304), (&compressed, None, 200), (&plain, Some(gzip), 200), (&compressed, Some(gzip), 304)]
    {
        let headers: Vec<_> = headers.into_iter().chain([("If-None-Match", tag.as_str())]).collect();
        let response = connection.ask("GET", &target, &headers);
        assert_eq!(response.status, status, "{headers:?}");
        assert_eq!(response.etag(), if headers.contains(&gzip) { &compressed } else { &plain }, "{headers:?}");
    }
}

#[test]
fn what_is_no_answer_of_the_feed_is_not_kept() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (target, status) in [("/healthz", 200), ("/readyz", 200), ("/schedules/x", 404), ("/x", 404), ("/%", 400)] {
        let response = connection.ask("GET", target, &[("If-None-Match", "*")]);
        assert_eq!((response.status, response.header("etag")), (status, None), "{target}");
        assert_eq!(response.header("cache-control"), Some("no-store"), "{target}");
    }
}

/// The tags of an answer of schedules: plain, compressed; and of the routes.
fn tags(server: &Server) -> [String; 3] {
    let target = format!("/schedules/{}", long_id());
    let mut connection = Connection::open(server);
    [(target.as_str(), "identity"), (&target, "gzip"), ("/routes", "identity")]
        .map(|(target, coding)| connection.ask("GET", target, &[("Accept-Encoding", coding)]).etag().to_owned())
}

#[test]
fn tags_outlive_a_restart_and_are_the_same_for_a_zip() {
    let files = feed_of_routes(&[&long_id(), "Red"]);
    let (folder, zip) = (write_folder(&files), write_zip(&files));
    let before = tags(&Server::start(folder.path()));
    assert_eq!(tags(&Server::start(folder.path())), before);
    assert_eq!(tags(&Server::start(zip.path())), before);
    println!("a rewritten feed that says the same is the same");
    assert_eq!(tags(&Server::start(write_folder(&files).path())), before);
}

#[test]
fn another_feed_has_other_tags() {
    let files = feed_of_routes(&[&long_id(), "Red"]);
    let folder = write_folder(&files);
    let before = tags(&Server::start(folder.path()));
    let stop_times = replaced(&files, "stop_times.txt", "8:10:00", "8:10:01");
    let stops = replaced(&files, "stop_times.txt", ",b,2", ",c,2");
    let services = replaced(&files, "trips.txt", "week", "weak");
    for (what, changed) in [("a time", stop_times), ("a stop", stops), ("a service", services)] {
        println!("{what} changes");
        let folder = write_folder(&changed);
        let after = tags(&Server::start(folder.path()));
        assert!(before[0] != after[0] && before[1] != after[1], "{what}: {before:?} {after:?}");
        let server = Server::start(folder.path());
        let response = Connection::open(&server).ask("GET", "/schedules/Red", &[("If-None-Match", &before[0])]);
        assert_eq!(response.status, 200, "{what}: a client that has the former answer gets the present one");
    }
}

fn replaced(files: &FeedFiles, file: &str, from: &str, to: &str) -> FeedFiles {
    let mut files = files.clone();
    let (_, bytes) = files.iter_mut().find(|(name, _)| name == file).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    *bytes = text.replacen(from, to, 1).into_bytes();
    files
}
