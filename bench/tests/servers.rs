//! The floor, the slow twin and the client as processes, over real sockets, on a feed of a few lines.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at its first surprise, and says how it came there"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const BENCH: &str = env!("CARGO_BIN_EXE_bench");

/// Rows out of order, padding, a loop, a trip without stop times, a duplicate trip, a route without trips, accents.
const FILES: [(&str, &str); 3] = [
    ("routes.txt", "\u{feff}route_id,route_short_name\nR1,1\nCafé/2,2\nempty,3\n"),
    (
        "trips.txt",
        "route_id,service_id,trip_id,trip_headsign\r\nR1,week,t2,\"North, then east\"\r\nR1,week,t1,\r\nCafé/2,end,t3,\r\nR1,week,t2,again\r\n",
    ),
    (
        "stop_times.txt",
        "trip_id, arrival_time ,departure_time,stop_id,stop_sequence\n\
         t1, 8:05:00,08:06:00,b,20\nt1,08:00:00,08:00:00,a,10\nt2,24:59:59,25:00:00,a,1\nt2,,,b,2\nt2,26:00:00,26:00:00,a,3\n",
    ),
];

/// Path segment -> the answer, written out by hand.
const ANSWERS: [(&str, &str); 2] = [
    (
        "R1",
        "[{\"trip_id\":\"t2\",\"service_id\":\"week\",\"route_id\":\"R1\",\"schedules\":[\
         {\"stop_id\":\"a\",\"arrival_time\":\"24:59:59\",\"departure_time\":\"25:00:00\"},\
         {\"stop_id\":\"b\",\"arrival_time\":\"\",\"departure_time\":\"\"},\
         {\"stop_id\":\"a\",\"arrival_time\":\"26:00:00\",\"departure_time\":\"26:00:00\"}]},\
         {\"trip_id\":\"t1\",\"service_id\":\"week\",\"route_id\":\"R1\",\"schedules\":[\
         {\"stop_id\":\"a\",\"arrival_time\":\"08:00:00\",\"departure_time\":\"08:00:00\"},\
         {\"stop_id\":\"b\",\"arrival_time\":\"08:05:00\",\"departure_time\":\"08:06:00\"}]}]",
    ),
    ("Caf%C3%A9%2F2", "[{\"trip_id\":\"t3\",\"service_id\":\"end\",\"route_id\":\"Café/2\",\"schedules\":[]}]"),
];

fn write_files(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// One of the bench's servers; it ends with the test.
struct Server {
    child: Child,
    address: SocketAddr,
}

impl Server {
    fn start(subcommand: &str, folder: &Path) -> Self {
        let mut child = Command::new(BENCH)
            .arg(subcommand)
            .arg(folder)
            .args(["--http", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("ready on http://").and_then(|address| address.parse().ok());
        println!("{subcommand}: {line}");
        Self { child, address: address.unwrap() }
    }

    /// The whole response, head and body.
    fn get(&self, target: &str) -> String {
        let mut socket = TcpStream::connect(self.address).unwrap();
        socket
            .write_all(format!("GET {target} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n").as_bytes())
            .unwrap();
        let mut response = String::new();
        socket.read_to_string(&mut response).unwrap();
        response
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn client(server: &Server, answers: &Path) -> Output {
    let process_id = server.child.id().to_string();
    Command::new(BENCH)
        .args(["client", &server.address.to_string()])
        .arg(answers)
        .args(["--connections", "7", "--requests", "500", "--server", &process_id])
        .output()
        .unwrap()
}

#[test]
fn the_slow_twin_answers_as_written_out_by_hand() {
    let feed = tempfile::tempdir().unwrap();
    write_files(feed.path(), &FILES);
    let plain = Server::start("plain", feed.path());
    for (segment, body) in ANSWERS.into_iter().chain([("empty", "[]")]) {
        let response = plain.get(&format!("/schedules/{segment}"));
        let (head, found) = response.split_once("\r\n\r\n").unwrap();
        println!("{segment}: {head}");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"));
        assert_eq!(found, body);
    }
    assert!(plain.get("/schedules/unknown").starts_with("HTTP/1.1 404 "));
}

#[test]
fn the_client_counts_the_same_answers_of_the_slow_twin_and_of_the_floor() {
    let (feed, answers) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_files(feed.path(), &FILES);
    write_files(answers.path(), &ANSWERS);
    for server in [Server::start("plain", feed.path()), Server::start("floor", answers.path())] {
        let output = client(&server, answers.path());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success());
        assert!(text.starts_with("500 requests of "));
        assert!(text.contains("CPU s/GB"));
    }
}

#[test]
fn the_client_refuses_an_answer_of_another_length() {
    let (answers, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write_files(answers.path(), &[("1", "[1]")]);
    write_files(others.path(), &[("1", "[1,2]")]);
    let floor = Server::start("floor", answers.path());
    let output = client(&floor, others.path());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("/schedules/1: expected (status, encoding, length) (200, Identity, 5), found"), "{text}");
}

#[test]
fn the_floor_answers_pipelined_requests_in_their_order_and_large_bodies_whole() {
    let answers = tempfile::tempdir().unwrap();
    // Larger than a socket's buffers, so that the answer goes out in many pieces.
    let large = "[1]".repeat(4_000_000);
    write_files(answers.path(), &[("small", "[2]"), ("large", &large)]);
    let floor = Server::start("floor", answers.path());
    let request = |name: &str| format!("GET /schedules/{name} HTTP/1.1\r\nHost: test\r\n\r\n");
    let mut socket = TcpStream::connect(floor.address).unwrap();
    socket.write_all([request("large"), request("small"), request("neither")].concat().as_bytes()).unwrap();
    socket.shutdown(Shutdown::Write).unwrap();
    let mut response = String::new();
    socket.read_to_string(&mut response).unwrap();
    let head = |length: usize| {
        format!("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n")
    };
    let expected = [&head(large.len()), &large, &head(3), "[2]", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"];
    assert!(
        response == expected.concat(),
        "{} bytes, ending with {:?}",
        response.len(),
        &response[response.len() - 80..]
    );
}

#[test]
fn a_folder_that_is_no_feed_is_refused_with_the_file_that_is_missing() {
    let empty = tempfile::tempdir().unwrap();
    for (subcommand, expected) in [("plain", "trips.txt"), ("floor", "holds no files")] {
        let output = Command::new(BENCH).arg(subcommand).arg(empty.path()).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn a_program_that_is_not_there_is_named_with_the_remedy() {
    let output = Command::new(BENCH).args(["all", "--linespeed", "nowhere/linespeed"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("nowhere/linespeed is missing: build it with `cargo build --release`"), "{text}");
}

/// Runs `bench load` on a stand-in for linespeed that gives these answers; the exit code, and the report.
fn bench_load(answers: &[(&str, &str)]) -> (Option<i32>, String) {
    let [feed, served, data] = std::array::from_fn(|_| tempfile::tempdir().unwrap());
    write_files(feed.path(), &FILES);
    write_files(served.path(), answers);
    let output = Command::new(BENCH)
        .args(["load", "--quick", "--linespeed", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/stand-in.sh"), "--data"])
        .arg(data.path())
        .envs([("STAND_IN_FEED", feed.path()), ("STAND_IN_ANSWERS", served.path()), ("STAND_IN_BENCH", BENCH.as_ref())])
        .output()
        .unwrap();
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    (output.status.code(), fs::read_to_string(data.path().join("report.md")).unwrap())
}

#[test]
fn a_program_whose_answers_are_right_is_timed_and_what_cannot_be_measured_is_said() {
    let (code, report) = bench_load(&ANSWERS);
    assert_eq!(code, Some(1));
    assert!(report.contains("| 2 routes | – | stated |"));
    assert!(report.contains("| mbta-2022: start to first right answer | 0."));
    assert!(report.contains("| mbta-2022: resident memory, loaded |"));
    // The stand-in makes a folder where a zip is asked for.
    assert!(report.contains("| start from a zip | – | – | NOT measured |"));
}

#[test]
fn a_program_with_one_wrong_byte_is_not_timed() {
    let [(segment, right), other] = ANSWERS;
    let wrong = right.replacen("24:59:59", "24:59:58", 1);
    let (code, report) = bench_load(&[(segment, wrong.as_str()), other]);
    assert_eq!(code, Some(1));
    assert!(report.contains("mbta-2022 is not timed: route R1: expected 469 bytes, found 469; they differ from byte"));
    assert!(!report.contains("| mbta-2022: start to first right answer |"));
}
