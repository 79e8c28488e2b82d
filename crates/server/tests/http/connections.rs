//! Connections: kept, crowded, slow, broken off.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use crate::client::{Connection, assert_same_bytes, request, schedules_of};
use crate::feed_files::{feed_of_routes, feed_with_a_large_answer, small_feed, write_folder};
use crate::naive;
use crate::server::Server;

/// What a slow reader takes at a time.
const SIP_BYTES: usize = 4096;

#[test]
fn a_connection_serves_many_requests() {
    let files = small_feed();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let expected = naive::schedules(&files);
    let mut connection = Connection::open(&server);
    for round in 0..100 {
        for (route_id, body) in &expected {
            let response = connection.get(&schedules_of(route_id));
            assert_same_bytes(&response.body, body, &format!("round {round}, route {route_id}"));
        }
        assert_eq!(connection.get("/schedules/none").status, 404, "round {round}: an error does not end it");
    }
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let route_ids: Vec<String> = (0..200).map(|number| format!("route {number}")).collect();
    let files = feed_of_routes(&route_ids.iter().map(String::as_str).collect::<Vec<_>>());
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let expected = naive::schedules(&files);
    let mut connection = Connection::open(&server);
    let requests: Vec<_> = route_ids.iter().map(|route_id| request("GET", &schedules_of(route_id), &[])).collect();
    connection.send(&requests.concat());
    for route_id in &route_ids {
        assert_same_bytes(&connection.read_response("GET").body, &expected[route_id], route_id);
    }
}

#[test]
fn a_request_may_come_byte_by_byte() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for round in 0..3 {
        for byte in request("GET", "/schedules/Closed", &[]) {
            connection.send(&[byte]);
        }
        assert_eq!(connection.read_response("GET").text(), "[]", "round {round}");
    }
}

#[test]
fn a_connection_is_closed_after_the_answer_when_the_client_wants_it() {
    let files = small_feed();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    for request in
        [request("GET", "/schedules/Red", &[("Connection", "close")]), b"GET /schedules/Red HTTP/1.0\r\n\r\n".to_vec()]
    {
        let mut connection = Connection::open(&server);
        connection.send(&request);
        let response = connection.read_response("GET");
        assert_same_bytes(&response.body, &naive::schedules(&files)["Red"], "the answer");
        assert_eq!(connection.read_to_close(), b"", "nothing follows the bytes that Content-Length tells");
    }
}

#[test]
fn fifty_connections_are_served_at_once() {
    const CONNECTIONS: usize = 50;
    let route_ids: Vec<String> = (0..20).map(|number| format!("route {number} ").repeat(1 << (number / 2))).collect();
    let route_ids: Vec<&str> = route_ids.iter().map(|route_id| route_id.trim()).collect();
    let files = feed_of_routes(&route_ids);
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let expected = &naive::schedules(&files);
    let start = Barrier::new(CONNECTIONS);
    thread::scope(|scope| {
        for client in 0..CONNECTIONS {
            let (mut connection, start, route_ids) = (Connection::open(&server), &start, &route_ids);
            scope.spawn(move || {
                start.wait();
                for turn in 0..40 {
                    let route_id = route_ids[(client + turn) % route_ids.len()];
                    let coding = if turn % 3 == 0 { "gzip" } else { "identity" };
                    let response = connection.ask("GET", &schedules_of(route_id), &[("Accept-Encoding", coding)]);
                    let case = format!("client {client}, turn {turn}");
                    assert_same_bytes(&response.decoded(), &expected[route_id], &case);
                }
            });
        }
    });
}

#[test]
fn a_slow_reader_gets_all_of_a_large_answer_while_others_are_served() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let expected = naive::schedules(&files);
    let large = &expected["large"];
    let mut slow = Connection::open(&server);
    slow.send(&request("GET", "/schedules/large", &[]));
    assert_eq!(slow.read_head().content_length(), large.len());
    let mut body = vec![0; large.len()];
    for (turn, sip) in body.chunks_mut(SIP_BYTES).enumerate() {
        if turn % 64 == 0 {
            let case = format!("beside the slow reader, turn {turn}");
            assert_same_bytes(&Connection::open(&server).get("/schedules/small").body, &expected["small"], &case);
        }
        if turn == 1000 {
            assert_same_bytes(&Connection::open(&server).get("/schedules/large").body, large, "a fast reader");
        }
        slow.read_exact(sip);
    }
    assert_same_bytes(&body, large, "the slow reader");
    println!("the connection is still good");
    assert_eq!(slow.get("/schedules/small").status, 200);
}

#[test]
fn a_client_that_leaves_in_the_middle_of_an_answer_harms_nobody() {
    let files = feed_with_a_large_answer();
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let mut bystander = Connection::open(&server);
    for byte_count in [0, 1, 100, SIP_BYTES, 1 << 20] {
        println!("leaving after {byte_count} bytes");
        let mut leaving = Connection::open(&server);
        leaving.send(&request("GET", "/schedules/large", &[]));
        leaving.read_exact(&mut vec![0; byte_count]);
        drop(leaving);
        assert_eq!(bystander.get("/schedules/small").status, 200);
    }
    let response = bystander.get("/schedules/large");
    assert_same_bytes(&response.body, &naive::schedules(&files)["large"], "the bystander");
}

#[test]
fn connections_past_the_limit_wait_until_one_ends() {
    let folder = write_folder(&small_feed());
    let server = Server::start_with(["--connections-max".as_ref(), "2".as_ref(), folder.path()]);
    let mut taken = [Connection::open(&server), Connection::open(&server)];
    for connection in &mut taken {
        assert_eq!(connection.get("/healthz").status, 200);
    }
    let mut waiting = Connection::open(&server);
    waiting.send(&request("GET", "/healthz", &[]));
    assert!(waiting.is_silent_for(Duration::from_millis(200)), "a third one was taken");
    let [first, mut second] = taken;
    assert_eq!(second.get("/healthz").status, 200, "those that are taken are served");
    drop(first);
    assert_eq!(waiting.read_response("GET").status, 200);
}
