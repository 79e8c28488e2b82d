//! A changed file or folder is noticed without a signal.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::feed_files::{feed_of_routes, small_feed, write_folder};
use crate::server::{Server, program};
use crate::{FAILED, REPLACED, UNCHANGED, assert_serves, put, told, zip_bytes};

fn start(path: &Path) -> Server {
    let mut command = program();
    command.env("LINESPEED_REFRESH", "100ms").env("LINESPEED_LOG", "debug");
    Server::start_by(command, [path])
}

#[test]
fn a_changed_zip_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let (former, new) = (small_feed(), feed_of_routes(&["Red", "Green"]));
    put(&path, &zip_bytes(&former));
    let server = start(&path);
    assert_serves(&server, &former);
    assert!(told(&server)["next_look_at"].is_string());
    for files in [&new, &former] {
        put(&path, &zip_bytes(files));
        server.wait_for_line("has changed");
        server.wait_for_line(REPLACED);
        assert_serves(&server, files);
    }
    println!("touched, it says what it said");
    fs::File::options().append(true).open(&path).unwrap().set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    server.wait_for_line(UNCHANGED);
}

#[test]
fn a_changed_folder_is_noticed() {
    let (former, new) = (feed_of_routes(&["Red", "Orange"]), feed_of_routes(&["Red", "Orange", "Green"]));
    let folder = write_folder(&former);
    let server = start(folder.path());
    assert_serves(&server, &former);
    for (name, bytes) in &new {
        put(&folder.path().join(name), bytes);
    }
    // Two files, one after the other: the first may have been taken for all of the change.
    while server.wait_for_any_line(&[REPLACED, UNCHANGED, FAILED]).contains("2 routes") {}
    while told(&server)["counts"]["stop_times"] != 6 {
        server.wait_for_any_line(&[REPLACED, UNCHANGED, FAILED]);
    }
    assert_serves(&server, &new);
}

#[test]
fn a_half_written_zip_is_not_taken_and_a_whole_one_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let (former, new) = (small_feed(), feed_of_routes(&["Red", "Green"]));
    put(&path, &zip_bytes(&former));
    let server = start(&path);
    let whole = zip_bytes(&new);
    let mut file = fs::File::create(&path).unwrap();
    for half in whole.chunks(whole.len().div_ceil(2)) {
        assert_serves(&server, &former);
        file.write_all(half).unwrap();
        server.wait_for_line("has changed");
    }
    server.wait_for_line(REPLACED);
    assert_serves(&server, &new);
    assert_eq!(told(&server)["reloads"]["replaced"], 1);
}

#[test]
fn a_zip_that_is_gone_is_reported_once_and_taken_when_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gtfs.zip");
    let (former, new) = (small_feed(), feed_of_routes(&["Red", "Green"]));
    put(&path, &zip_bytes(&former));
    let server = start(&path);
    fs::remove_file(&path).unwrap();
    let line = server.wait_for_any_line(&[FAILED]);
    assert!(line.contains("No such file"), "{line}");
    assert_serves(&server, &former);
    put(&path, &zip_bytes(&new));
    server.wait_for_line(REPLACED);
    assert_serves(&server, &new);
    let told = told(&server);
    assert_eq!((&told["reloads"]["failed"], &told["reloads"]["replaced"]), (&1.into(), &1.into()), "{told}");
}

#[test]
fn a_feed_that_stays_the_same_is_not_read() {
    let folder = write_folder(&small_feed());
    let server = start(folder.path());
    let first = told(&server);
    println!("some looks later");
    let mut looks = std::collections::HashSet::new();
    while looks.len() < 2 {
        looks.insert(told(&server)["next_look_at"].to_string());
    }
    let later = told(&server);
    assert_eq!((&later["loaded_at"], &later["reloads"]), (&first["loaded_at"], &first["reloads"]));
    server.signal("TERM");
    let end = server.wait_for_end();
    assert!(!end.log.iter().any(|line| line.contains("has changed") || line.contains(FAILED)), "{:#?}", end.log);
}
