//! A signal lets what is under way end, and nothing new begin.

use std::io::ErrorKind;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use crate::client::{Connection, assert_same_bytes, request};
use crate::feed_files::{feed_with_a_large_answer, small_feed, write_folder};
use crate::naive;
use crate::server::{End, Server};

fn assert_good_end(end: &End) {
    println!("the server said: {:#?}", end.log);
    assert_eq!(end.status.code(), Some(0), "{}", end.status);
    assert_eq!(end.standard_output, "");
}

/// Whether nobody listens there.
///
/// Only a server that still listens takes all of some connections: one may meet a server of another test that was given
/// the port meanwhile, or itself, which TCP allows where both ends have the same port.
fn is_refused(address: SocketAddr) -> bool {
    let is_refused = |_| TcpStream::connect(address).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused);
    (0..5).any(is_refused)
}

#[test]
fn a_large_answer_under_way_ends_whole_after_sigterm() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let large = &naive::schedules(&files)["large"];
    let mut idle = Connection::open(&server);
    assert_eq!(idle.get("/healthz").status, 200);
    let mut slow = Connection::open(&server);
    slow.send(&request("GET", "/schedules/large", &[]));
    assert_eq!(slow.read_head().content_length(), large.len());
    let mut body = vec![0; large.len()];
    let (begin, rest) = body.split_at_mut(4096);
    slow.read_exact(begin);

    server.signal("TERM");
    println!("an idle connection is closed once the server listens no more");
    assert_eq!(idle.read_to_close(), b"");
    assert!(is_refused(server.address), "new connections are still taken");

    rest.chunks_mut(4096).for_each(|sip| slow.read_exact(sip));
    assert_same_bytes(&body, large, "the answer under way");
    assert_eq!(slow.read_to_close(), b"", "its connection is closed after it");
    assert_good_end(&server.wait_for_end());
}

#[test]
fn idle_connections_do_not_keep_the_program_running() {
    for signal in ["TERM", "INT"] {
        println!("SIG{signal}");
        let folder = write_folder(&small_feed());
        let server = Server::start(folder.path());
        let mut connections: Vec<_> = (0..10).map(|_| Connection::open(&server)).collect();
        println!("some have asked before, some never");
        for connection in connections.iter_mut().take(5) {
            assert_eq!(connection.get("/schedules/Red").status, 200);
        }
        server.signal(signal);
        for connection in &mut connections {
            assert_eq!(connection.read_to_close(), b"");
        }
        assert_good_end(&server.wait_for_end());
    }
}

#[test]
fn a_signal_right_after_the_ready_line_is_heeded() {
    let folder = write_folder(&small_feed());
    for round in 0..20 {
        println!("round {round}");
        let server = Server::start(folder.path());
        server.signal("TERM");
        assert_good_end(&server.wait_for_end());
    }
}

#[test]
fn an_answer_is_whole_or_not_begun_whenever_sigterm_comes() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let large = &naive::schedules(&files)["large"];
    for (coding, count) in [("gzip", 8), ("identity", 3)] {
        let server = Server::start(folder.path());
        let mut connections: Vec<_> = (0..count).map(|_| Connection::open(&server)).collect();
        for connection in &mut connections {
            connection.send(&request("GET", "/schedules/large", &[("Accept-Encoding", coding)]));
        }
        server.signal("TERM");
        for (number, connection) in connections.iter_mut().enumerate() {
            if connection.is_closed() {
                println!("{coding}, connection {number}: not begun");
                continue;
            }
            let response = connection.read_response("GET");
            assert_same_bytes(&response.decoded(), large, &format!("{coding}, connection {number}"));
        }
        assert_good_end(&server.wait_for_end());
    }
}

/// Connections with a request each that the server has not accepted when SIGTERM comes.
fn unaccepted(server: &Server, count: usize) -> Vec<Connection> {
    server.signal("STOP");
    let mut connections: Vec<_> = (0..count).map(|_| Connection::open(server)).collect();
    for connection in &mut connections {
        connection.send(&request("GET", "/schedules/Closed", &[]));
    }
    server.signal("TERM");
    server.signal("CONT");
    connections
}

#[test]
fn requests_that_wait_to_be_accepted_when_sigterm_comes_are_answered() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for (number, mut connection) in unaccepted(&server, 100).into_iter().enumerate() {
        assert_eq!(connection.read_response("GET").text(), "[]", "connection {number}");
        assert_eq!(connection.read_to_close(), b"", "connection {number}");
    }
    assert_good_end(&server.wait_for_end());
}

#[test]
fn those_that_wait_for_a_place_when_sigterm_comes_are_not_kept_waiting() {
    let folder = write_folder(&small_feed());
    let server = Server::start_with(["--connections-max".as_ref(), "5".as_ref(), folder.path()]);
    let is_answered = |mut connection: Connection| {
        if connection.is_closed() {
            return false;
        }
        assert_eq!(connection.read_response("GET").text(), "[]");
        true
    };
    let answered = unaccepted(&server, 100).into_iter().map(is_answered).filter(|is_answered| *is_answered).count();
    assert!(answered >= 5, "{answered} were answered");
    assert_good_end(&server.wait_for_end());
}

#[test]
fn a_second_signal_stops_at_once() {
    let folder = write_folder(&feed_with_a_large_answer());
    for second in ["TERM", "INT"] {
        let server = Server::start(folder.path());
        let mut stuck = Connection::open(&server);
        stuck.send(&request("GET", "/schedules/large", &[]));
        assert_eq!(stuck.read_head().status, 200);
        server.signal("TERM");
        server.wait_for_line("a second signal stops at once");
        let before = Instant::now();
        server.signal(second);
        let end = server.wait_for_end();
        assert_good_end(&end);
        assert!(end.log.iter().any(|line| line.contains("stopped at once")), "{:#?}", end.log);
        assert!(before.elapsed() < Duration::from_secs(5), "it waited for {:?}", before.elapsed());
    }
}
