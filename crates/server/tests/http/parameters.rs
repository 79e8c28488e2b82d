//! How parameters are read, whatever they are about, and `GET /schedules/{route_id}` with them.

use serde_json::Value;

use crate::client::{Connection, assert_problem};
use crate::feed_files::{feed, write_folder};
use crate::server::Server;

/// A target of every endpoint that has parameters, ready for one more.
const TARGETS: [&str; 7] = [
    "/departures?stop_id=st-lindn&",
    "/schedules/T1?",
    "/routes?",
    "/stops?",
    "/stops/st-lindn/routes?",
    "/trips?",
    "/services?",
];

#[test]
fn an_unknown_parameter_is_refused_with_those_that_are_nearly_it() {
    let server = Server::start_with([""; 0]);
    let mut connection = Connection::open(&server);
    for target in TARGETS {
        for parameter in ["x=1", "x", "=1", "Limit=1", "format%20=json", "stop-id=1"] {
            assert_problem(&connection.get(&format!("{target}{parameter}")), 400, &format!("{target}{parameter}"));
        }
    }
    for (target, nearest) in [
        ("/departures?stopid=st-lindn", "stop_id"),
        ("/departures?stop_id=st-lindn&direction=0", "direction_id"),
        ("/stops?raduis=5", "radius"),
        ("/trips?routeid=T1", "route_id"),
        ("/schedules/T1?dat=2026-11-20", "date"),
        ("/routes?limits=1", "limit"),
    ] {
        let problem = assert_problem(&connection.get(target), 400, target);
        assert_eq!(problem["nearest"][0], nearest, "{target}");
        assert!(problem["detail"].as_str().unwrap().contains(nearest), "{problem}");
    }
    println!("departures go on at a time and not after an id");
    assert_problem(&connection.get("/departures?stop_id=st-lindn&after=T1-1001"), 400, "after");
}

#[test]
fn a_parameter_comes_once() {
    let server = Server::start_with([""; 0]);
    let mut connection = Connection::open(&server);
    for (target, parameter) in [
        ("/departures?stop_id=st-lindn&stop_id=st-lindn", "stop_id"),
        ("/departures?stop_id=st-lindn&limit=1&limit=2", "limit"),
        ("/schedules/T1?direction_id=0&date=2026-11-20&direction_id=1", "direction_id"),
        ("/stops?q=a&%71=b", "q"),
        ("/routes?format=json&format=csv", "format"),
        ("/services?date=2026-11-20&date=2026-11-21", "date"),
    ] {
        let problem = assert_problem(&connection.get(target), 400, target);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(parameter) && detail.contains("once"), "{detail}");
    }
    println!("one without a value is none, as forms send it");
    assert_eq!(connection.get("/routes?limit=&limit=1&&format=").json().as_array().unwrap().len(), 1);
}

#[test]
fn names_and_values_are_percent_encoded_and_a_plus_is_a_space() {
    let folder = write_folder(&feed(&[
        ("stops.txt", "stop_id,stop_name\na b,Alpha\na+b,Beta\né/ü,\"50% & more\"\n"),
        ("routes.txt", "route_id\nR 1\nR+1\nR/1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nR 1,w,space\nR+1,w,plus\nR/1,w,slash\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nspace,8:00:00,8:00:00,a b,1\nplus,8:00:00,8:00:00,a+b,1\n",
        ),
    ]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (target, expected) in [
        ("/trips?route_id=R+1", "space"),
        ("/trips?route_id=R%201", "space"),
        ("/trips?route_id=R%2B1", "plus"),
        ("/trips?route%5Fid=R%2F1", "slash"),
        ("/trips?route_id=R/1", "slash"),
    ] {
        let trips = connection.get(target).json();
        assert_eq!((trips.as_array().unwrap().len(), &trips[0]["trip_id"]), (1, &Value::from(expected)), "{target}");
    }
    println!("in a path a plus is a plus");
    assert_eq!(connection.get("/routes/R+1").json()["route_id"], "R+1");
    assert_eq!(connection.get("/routes/R%201").json()["route_id"], "R 1");
    assert_eq!(connection.get("/routes/R%2F1").json()["route_id"], "R/1");
    assert_eq!(connection.get("/stops/%C3%A9%2F%C3%BC").json()["stop_name"], "50% & more");
    assert_eq!(connection.get("/stops?q=50%25+%26").json()[0]["stop_id"], "é/ü");
    assert_eq!(connection.get("/stops/a%20b/routes").json()[0]["route_id"], "R 1");
    assert_eq!(connection.get("/stops/a+b/routes").json()[0]["route_id"], "R+1");
    for query in ["q=%", "q=%2", "q=%zz", "q=%ff", "%=1", "q=%C3%28", "limit=%"] {
        let problem = assert_problem(&connection.get(&format!("/stops?{query}")), 400, query);
        assert!(problem["detail"].as_str().unwrap().contains("percent-encoded"), "{problem}");
    }
}

#[test]
fn schedules_are_narrowed_in_their_shape() {
    let server = Server::start_with([""; 0]);
    let mut connection = Connection::open(&server);
    for route_id in ["T1", "20", "N1", "FUN"] {
        let whole = connection.get(&format!("/schedules/{route_id}")).json();
        let mut left = whole.as_array().unwrap().clone();
        println!("each trip is in exactly one part");
        for service_id in ["WEEKDAY", "SATURDAY", "SUNDAY"] {
            for direction_id in ["0", "1"] {
                let part = format!("/schedules/{route_id}?service_id={service_id}&direction_id={direction_id}");
                let part = connection.get(&part).json();
                for trip in part.as_array().unwrap() {
                    let position = left.iter().position(|other| other == trip);
                    left.remove(position.unwrap_or_else(|| panic!("{trip} is not of {route_id}, or in two parts")));
                    assert_eq!(trip["service_id"], service_id);
                    let told = connection.get(&format!("/trips/{}", trip["trip_id"].as_str().unwrap())).json();
                    assert_eq!(told["direction_id"].to_string(), direction_id);
                }
            }
        }
        assert_eq!(left, [Value::Null; 0], "{route_id}");
        for (date, service_id) in [
            ("2026-11-20", "WEEKDAY"),
            ("20261121", "SATURDAY"),
            ("2026-11-22", "SUNDAY"),
            ("2026-12-25", "SUNDAY"),
            ("2026-07-04", "SUNDAY"),
        ] {
            let of_date = connection.get(&format!("/schedules/{route_id}?date={date}"));
            let of_service = connection.get(&format!("/schedules/{route_id}?service_id={service_id}"));
            assert_eq!(of_date.text(), of_service.text(), "{route_id} on {date}");
            assert_ne!(of_date.etag(), of_service.etag(), "two questions");
        }
    }
    for nothing in ["service_id=unknown", "date=1999-01-01", "date=2026-11-20&service_id=SUNDAY"] {
        assert_eq!(connection.get(&format!("/schedules/T1?{nothing}")).text(), "[]", "{nothing}");
    }
    println!("what is empty does not narrow");
    let whole = connection.get("/schedules/T1");
    let with_empty = connection.get("/schedules/T1?date=&service_id=&direction_id=");
    assert_eq!((with_empty.text(), with_empty.etag()), (whole.text(), whole.etag()));
    for wrong in ["date=2026-13-01", "direction_id=2", "direction_id=00", "limit=1", "format=csv"] {
        assert_problem(&connection.get(&format!("/schedules/T1?{wrong}")), 400, wrong);
    }
    assert_problem(&connection.get("/schedules/T3?date=2026-11-20"), 404, "an unknown route");
}
