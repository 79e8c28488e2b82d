//! A feed from a URL: fetched, fetched again when it has changed, and what servers do wrong.

use std::fs;

use crate::feed_files::{feed_of_routes, small_feed};
use crate::feed_server::{FeedServer, Reply};
use crate::server::{End, Server, program};
use crate::{FAILED, REPLACED, UNCHANGED, assert_serves, told, zip_bytes};

/// Attempts follow each other at once; the pauses themselves are tested by a clock of their own.
const AT_ONCE: [&str; 4] = ["--download-pause", "1ms", "--download-attempts-max", "3"];

fn start(url: &str, more: &[&str]) -> Server {
    Server::start_with([&AT_ONCE, more, &[url]].concat())
}

fn good(bytes: &[u8]) -> Reply {
    Reply::Body(bytes.to_vec(), "")
}

fn status(status: u16) -> Reply {
    Reply::Status(status, String::new())
}

/// What `check` says of a URL that needs these replies.
fn check(server: &FeedServer, path: &str, replies: impl IntoIterator<Item = Reply>, more: &[&str]) -> (i32, String) {
    replies.into_iter().for_each(|reply| server.reply(reply));
    let output = program().arg("check").args(AT_ONCE).args(more).arg(server.url(path)).output().unwrap();
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    println!("{text}");
    (output.status.code().unwrap(), text)
}

#[test]
fn a_feed_is_fetched_and_again_when_it_has_changed() {
    let (former, new) = (small_feed(), feed_of_routes(&["Red", "Green"]));
    let feeds = FeedServer::start();
    let headers = "ETag: \"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    feeds.reply(Reply::Body(zip_bytes(&former), headers));
    let server = start(&feeds.url("/feeds/gtfs.zip?key=secret"), &["--refresh", "1s"]);
    let asked = feeds.next_asked();
    assert_eq!(asked[0], "/feeds/gtfs.zip?key=secret");
    assert!(!asked.iter().any(|header| header.starts_with("if-")), "{asked:?}");
    assert_serves(&server, &former);
    println!("304 changes nothing, and the next look has the same conditions");
    for _ in 0..3 {
        let asked = feeds.next_asked();
        assert!(asked.contains(&"if-none-match: \"1\"".to_owned()), "{asked:?}");
        assert!(asked.contains(&"if-modified-since: Sun, 06 Nov 1994 08:49:37 GMT".to_owned()), "{asked:?}");
        feeds.reply(status(304));
    }
    assert_eq!(told(&server)["reloads"], serde_json::json!({"replaced": 0, "unchanged": 0, "failed": 0}));
    feeds.next_asked();
    feeds.reply(Reply::Body(zip_bytes(&new), "ETag: \"2\"\r\n"));
    server.wait_for_line(REPLACED);
    assert_serves(&server, &new);
    let asked = feeds.next_asked();
    assert!(asked.contains(&"if-none-match: \"2\"".to_owned()), "{asked:?}");
    assert!(!asked.iter().any(|header| header.starts_with("if-modified-since")), "{asked:?}");
    feeds.reply(status(304));
}

#[test]
fn sighup_fetches_without_conditions() {
    let feeds = FeedServer::start();
    let bytes = zip_bytes(&small_feed());
    for _ in 0..2 {
        feeds.reply(Reply::Body(bytes.clone(), "ETag: \"1\"\r\n"));
    }
    let server = start(&feeds.url("/gtfs.zip"), &["--refresh", "off"]);
    feeds.next_asked();
    server.signal("HUP");
    let asked = feeds.next_asked();
    assert!(!asked.iter().any(|header| header.starts_with("if-")), "{asked:?}");
    server.wait_for_line(UNCHANGED);
}

#[test]
fn passwords_and_keys_are_sent_and_never_shown() {
    let feeds = FeedServer::start();
    feeds.reply(good(&zip_bytes(&small_feed())));
    let url = feeds.url("/gtfs.zip?key=topsecret").replace("://", "://user:topsecret@");
    let mut command = program();
    command.env("LINESPEED_LOG", "trace");
    let server = Server::start_by(command, ["--refresh", "off", &url]);
    let asked = feeds.next_asked();
    assert!(asked.contains(&"authorization: Basic dXNlcjp0b3BzZWNyZXQ=".to_owned()), "{asked:?}");
    assert_eq!(told(&server)["source"], feeds.url("/gtfs.zip"));
    feeds.reply(status(404));
    server.signal("HUP");
    server.wait_for_line(FAILED);
    assert!(!told(&server).to_string().contains("secret"));
    assert!(!server.ready_line.contains("secret"), "{}", server.ready_line);
    server.signal("TERM");
    let End { log, .. } = server.wait_for_end();
    assert!(!log.iter().any(|line| line.contains("secret")), "{log:#?}");
}

#[test]
fn a_password_is_decoded_and_follows_a_redirect_to_the_same_host_only() {
    let (feeds, others) = (FeedServer::start(), FeedServer::start());
    let url = feeds.url("/gtfs.zip").replace("://", "://user:p%40ss%2Fw@");
    let elsewhere = others.url("/b.zip").replace("127.0.0.1", "localhost");
    feeds.reply(Reply::Status(302, "Location: /a.zip\r\n".to_owned()));
    feeds.reply(Reply::Status(302, format!("Location: {elsewhere}\r\n")));
    others.reply(good(&zip_bytes(&feed_of_routes(&["Red"]))));
    let output = program().arg("check").arg(url).output().unwrap();
    assert!(output.status.code() < Some(2), "{output:?}");
    for _ in 0..2 {
        let asked = feeds.next_asked();
        assert!(asked.contains(&"authorization: Basic dXNlcjpwQHNzL3c=".to_owned()), "{asked:?}");
    }
    let asked = others.next_asked();
    assert!(!asked.iter().any(|header| header.starts_with("authorization")), "{asked:?}");
}

#[test]
fn check_takes_a_url() {
    let feeds = FeedServer::start();
    let (code, text) = check(&feeds, "/gtfs.zip?key=secret", [good(&zip_bytes(&feed_of_routes(&["Red"])))], &[]);
    assert!(code < 2 && text.contains(&format!("{}: read", feeds.url("/gtfs.zip"))), "{text}");
    assert!(!text.contains("secret"), "{text}");
}

#[test]
fn redirects_are_followed_but_not_for_ever() {
    let feeds = FeedServer::start();
    let to = |place: &str| Reply::Status(302, format!("Location: {place}\r\n"));
    let moved = [to("/b?token=secret"), to("/c"), good(&zip_bytes(&small_feed()))];
    assert!(check(&feeds, "/a", moved, &[]).0 < 2);
    let places: Vec<_> = (0..3).map(|_| feeds.next_asked()[0].clone()).collect();
    assert_eq!(places, ["/a", "/b?token=secret", "/c"]);
    let (code, text) = check(&feeds, "/a", (0..11).map(|_| to("/a?token=secret")), &[]);
    assert!(code == 2 && text.contains("redirect") && !text.contains("secret"), "{text}");
    assert_eq!(feeds.more_asked(), 11, "it is not tried again");
}

#[test]
fn a_redirect_that_makes_no_sense_is_told_without_what_it_says() {
    for place in ["//[secret", "/a b?token=secret", "a b?token=secret"] {
        let feeds = FeedServer::start();
        let moved = Reply::Status(302, format!("Location: {place}\r\n"));
        let (code, text) = check(&feeds, "/a", vec![moved; 3], &[]);
        assert!(code == 2 && text.contains(&feeds.url("/a")) && !text.contains("secret"), "{place}: {text}");
    }
}

#[test]
fn what_will_not_pass_is_an_error_at_once() {
    let feeds = FeedServer::start();
    let large = vec![7; (1 << 20) + 1];
    let endless = [b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".to_vec(), large.clone()].concat();
    for (reply, words) in [
        (status(404), "status 404"),
        (status(403), "status 403"),
        (status(304), "status 304"),
        (status(204), "status 204"),
        (good(b"<html>"), "zip"),
        (good(&large), "at most 1 MiB"),
        (Reply::Raw(endless), "at most 1 MiB"),
        (Reply::Body(zip_bytes(&small_feed()), "Content-Encoding: gzip\r\n"), "content coding"),
    ] {
        let (code, text) = check(&feeds, "/gtfs.zip?key=secret", [reply], &["--download-mib-max", "1"]);
        assert_eq!(code, 2, "{words}");
        assert!(text.contains(words) && text.contains(&feeds.url("/gtfs.zip")), "{text}");
        assert!(!text.contains("secret") && !text.contains("attempt"), "{text}");
        feeds.next_asked();
        assert_eq!(feeds.more_asked(), 0, "{words}: it is not tried again");
    }
    for url in ["http://", "https://a b/", "http://user:pass/word@a/", "http://user:p@pass/word@a/", "http://a:port/"] {
        let output = program().args(["check", url]).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{url}");
        assert!(
            text.contains("expected a URL") && !text.contains("pass/") && !text.contains("word@a/"),
            "{url}: {text}"
        );
    }
}

#[test]
fn what_may_pass_is_tried_again_a_few_times() {
    let feeds = FeedServer::start();
    let bytes = zip_bytes(&feed_of_routes(&["Red"]));
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", bytes.len()).into_bytes();
    let short = [head, bytes[..bytes.len() - 1].to_vec()].concat();
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nPK\x03".to_vec();
    let stalled = short[..short.len() - 50].to_vec();
    for (reply, words) in [
        (status(500), "status 500"),
        (status(429), "status 429"),
        (Reply::Status(503, "Retry-After: 0\r\n".to_owned()), "status 503"),
        (Reply::Raw(short), "before the end"),
        (Reply::Raw(chunked), "before the end"),
        (Reply::Raw(Vec::new()), "before the end"),
        (Reply::Stall(stalled), "--download-stall-max"),
        (Reply::Stall(Vec::new()), "--download-stall-max"),
    ] {
        println!("{words}: twice, and then a feed");
        let more = ["--download-stall-max", "300ms"];
        let (code, text) = check(&feeds, "/gtfs.zip", [reply.clone(), reply.clone(), good(&bytes)], &more);
        assert!(code < 2 && text.contains(words), "{text}");
        println!("{words}: three times");
        let (code, text) = check(&feeds, "/gtfs.zip", vec![reply; 3], &more);
        assert_eq!(code, 2);
        assert!(text.contains(&feeds.url("/gtfs.zip")) && text.contains("after 3 attempts"), "{text}");
        assert_eq!(feeds.more_asked(), 6);
    }
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let output = program().arg("check").args(AT_ONCE).arg(format!("http://{nobody}/gtfs.zip")).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("refused") && text.contains("3 attempts"), "{text}");
}

#[test]
fn a_download_may_take_no_longer_than_it_may() {
    let feeds = FeedServer::start();
    let more = ["--download-time-max", "300ms", "--download-attempts-max", "1"];
    let attempts = &[&more[..], &["--download-stall-max", "1h"]].concat();
    feeds.reply(Reply::Stall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nPK".to_vec()));
    let output = program().arg("check").args(attempts).arg(feeds.url("/gtfs.zip")).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && text.contains("--download-time-max"), "{text}");
}

#[test]
fn while_it_serves_failures_keep_the_good_feed() {
    let (former, new) = (small_feed(), feed_of_routes(&["Red", "Green"]));
    let feeds = FeedServer::start();
    feeds.reply(good(&zip_bytes(&former)));
    let server = start(&feeds.url("/gtfs.zip"), &["--refresh", "off"]);
    for (replies, words) in
        [(vec![status(404)], "status 404"), (vec![status(503); 3], "status 503"), (vec![good(b"no zip")], "zip")]
    {
        replies.into_iter().for_each(|reply| feeds.reply(reply));
        server.signal("HUP");
        let line = server.wait_for_any_line(&[FAILED]);
        assert!(line.contains(words), "{line}");
        assert_serves(&server, &former);
        assert!(told(&server)["last_reload"]["error"].as_str().unwrap().contains(words));
    }
    println!("it passes in the second attempt");
    [status(503), good(&zip_bytes(&new))].into_iter().for_each(|reply| feeds.reply(reply));
    server.signal("HUP");
    server.wait_for_line(REPLACED);
    assert_serves(&server, &new);
    assert_eq!(told(&server)["reloads"], serde_json::json!({"replaced": 1, "unchanged": 0, "failed": 3}));
}

#[test]
fn signals_during_a_reload_lead_to_exactly_one_more() {
    let feeds = FeedServer::start();
    let bytes = zip_bytes(&small_feed());
    feeds.reply(good(&bytes));
    let server = start(&feeds.url("/gtfs.zip"), &["--refresh", "off"]);
    feeds.next_asked();
    server.signal("HUP");
    feeds.next_asked();
    for _ in 0..5 {
        server.signal("HUP");
        assert_serves(&server, &small_feed());
    }
    for _ in 0..2 {
        feeds.reply(good(&bytes));
        server.wait_for_line(UNCHANGED);
    }
    assert_eq!(told(&server)["reloads"]["unchanged"], 2);
    feeds.next_asked();
    server.signal("TERM");
    assert_eq!(server.wait_for_end().status.code(), Some(0));
    assert_eq!(feeds.more_asked(), 0, "there was a third");
}

#[test]
fn sigterm_during_a_reload_ends_the_program() {
    let feeds = FeedServer::start();
    feeds.reply(good(&zip_bytes(&small_feed())));
    let server = start(&feeds.url("/gtfs.zip"), &["--refresh", "off"]);
    feeds.next_asked();
    server.signal("HUP");
    feeds.next_asked();
    println!("the download waits for its reply, which never comes");
    server.signal("TERM");
    assert_eq!(server.wait_for_end().status.code(), Some(0));
}

#[test]
fn a_place_without_room_is_told_and_the_good_feed_stays() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let feeds = FeedServer::start();
    feeds.reply(good(&zip_bytes(&small_feed())));
    let mut command = program();
    command.env("TMPDIR", &temporary);
    let url = feeds.url("/gtfs.zip");
    let server = Server::start_by(command, [&AT_ONCE[..], &["--refresh", "off", &url]].concat());
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0, "the download has no name");
    fs::remove_dir(&temporary).unwrap();
    (0..3).for_each(|_| feeds.reply(good(&zip_bytes(&feed_of_routes(&["Red"])))));
    server.signal("HUP");
    let line = server.wait_for_any_line(&[FAILED]);
    assert!(line.contains(temporary.to_str().unwrap()) && line.contains("TMPDIR"), "{line}");
    assert_serves(&server, &small_feed());
}
