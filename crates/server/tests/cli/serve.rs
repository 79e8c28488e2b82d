//! `linespeed serve`: what it says while it runs, and what keeps it from running.

use std::net::TcpListener;

use crate::feed_files::{feed_of_routes, small_feed, write_folder};
use crate::run;
use crate::server::Server;

#[test]
fn one_line_says_that_it_is_ready_where_how_fast_and_with_what() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let (address, ready_line) = (server.address, server.ready_line.clone());
    assert_ne!(address.port(), 0, "the port that was taken is told");
    let source = folder.path().display();
    let (start, rest) = ready_line.split_once(" after ").unwrap();
    assert_eq!(start, format!("Linespeed is ready at http://{address}"));
    let (milliseconds, rest) = rest.split_once(' ').unwrap();
    milliseconds.parse::<u64>().unwrap();
    assert_eq!(rest, format!("ms: {source}, 4 routes, 4 trips, 3 stop times"));

    server.signal("TERM");
    let end = server.wait_for_end();
    assert_eq!(end.status.code(), Some(0));
    assert_eq!(end.standard_output, "", "standard output stays empty");
    assert!(!end.log.iter().any(|line| line.contains("ready")), "it is said once: {:#?}", end.log);
}

#[test]
fn problems_of_the_feed_are_told_with_the_command_that_shows_them() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    server.signal("TERM");
    let log = server.wait_for_end().log.join("\n");
    assert!(
        log.contains("1 problem") && log.contains(&format!("linespeed check {}", folder.path().display())),
        "{log}"
    );
}

#[test]
fn a_port_that_is_taken_is_an_error_with_a_remedy() {
    let folder = write_folder(&feed_of_routes(&["Red"]));
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let said = run(["serve".as_ref(), folder.path().as_os_str(), "--http".as_ref(), address.as_ref()]);
    said.assert_error(&[&address, "stop it", "--http 127.0.0.1:0"]);
}

#[test]
fn a_port_that_is_taken_is_told_before_the_feed_is_read() {
    let other = TcpListener::bind("[::1]:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    run(["serve", "/no/such/feed.zip", "--http", &address]).assert_error(&[&address, "--http '[::1]:0'"]);
}

#[test]
fn a_feed_that_is_not_there_is_an_error() {
    run(["serve", "--http", "127.0.0.1:0", "/no/such/feed.zip"])
        .assert_error(&["/no/such/feed.zip", "a zip or a folder"]);
}

#[test]
fn a_url_is_not_to_be_looked_at_more_often_than_its_server_can_bear() {
    run(["serve", "--http", "127.0.0.1:0", "--refresh", "100ms", "http://a.example/gtfs.zip"])
        .assert_error(&["--refresh 100ms", "at least 1s for a URL"]);
}
