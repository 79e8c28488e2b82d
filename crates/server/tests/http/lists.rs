//! What all lists have: limits, and pages that follow each other.

use serde_json::Value;

use crate::client::{Connection, Response, assert_problem};
use crate::feed_files::{feed, write_folder};
use crate::server::Server;

/// Lists that go on after an id.
pub(crate) const LISTS: [&str; 11] = [
    "/routes",
    "/stops",
    "/stops?q=a",
    "/stops?near=44.1,-69.1&radius=3000",
    "/stops/st-centl/routes",
    "/trips",
    "/trips?route_id=T1",
    "/trips?service_id=SUNDAY&direction_id=1",
    "/trips?date=2026-11-21&route_id=20",
    "/services",
    "/services?date=2026-12-25",
];

pub(crate) fn built_in_city() -> Server {
    Server::start_with([""; 0])
}

fn with(target: &str, parameter: &str) -> String {
    format!("{target}{}{parameter}", if target.contains('?') { '&' } else { '?' })
}

#[test]
fn pages_lead_through_every_list_once() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    for list in LISTS {
        let whole = connection.get(&with(list, "limit=1000"));
        assert_eq!((whole.status, whole.header("link")), (200, None), "{list}: {}", whole.text());
        let expected = whole.json();
        let expected = expected.as_array().unwrap();
        assert!(!expected.is_empty(), "{list}");
        let count = expected.len();
        for limit in [1, 2, 7, count - 1, count, count + 1, 1000] {
            // Of a long list, pages of one would take long and say no more.
            if limit == 0 || count / limit > 200 {
                continue;
            }
            let mut found: Vec<Value> = Vec::new();
            let mut target = Some(with(list, &format!("limit={limit}")));
            while let Some(asked) = target {
                let page = connection.get(&asked);
                assert_eq!(page.status, 200, "{asked}: {}", page.text());
                let objects = page.json();
                let objects = objects.as_array().unwrap();
                target = page.next_page();
                let is_last = target.is_none();
                assert!(objects.len() == limit || is_last && objects.len() < limit, "{asked} has {}", objects.len());
                found.extend(objects.iter().cloned());
                assert_eq!(found.len() == count, is_last, "{asked} of {count}");
            }
            assert_eq!(&found, expected, "{list} by {limit}");
        }
    }
}

#[test]
fn a_page_in_another_format_leads_to_one_of_that_format() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    for format in ["csv", "ndjson", "geojson"] {
        let first = connection.get(&format!("/stops?limit=50&format={format}"));
        let second = connection.get(&first.next_page().unwrap());
        assert_eq!(second.header("content-type"), first.header("content-type"), "{format}");
        assert_eq!(second.next_page(), None, "94 stops are two pages");
        if format == "csv" {
            let (whole, header) = (connection.get("/stops?format=csv"), first.text().lines().next().unwrap());
            let rows = |page: &Response| page.text().strip_prefix(header).unwrap()[1..].to_owned();
            assert_eq!(format!("{header}\n{}{}", rows(&first), rows(&second)), whole.text());
        }
    }
}

#[test]
fn a_link_is_encoded_and_leads_on_whatever_ids_there_are() {
    let ids = ["a b", "é 🚋", "a&b=c", "50%", "x+y", "<>\"", "a/b?c#d", "last"];
    let rows: String = ids.iter().map(|id| format!("\"{}\"\n", id.replace('"', "\"\""))).collect();
    let folder = write_folder(&feed(&[
        ("routes.txt", &format!("route_id\n{rows}")),
        ("trips.txt", "route_id,service_id,trip_id\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"),
    ]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let (mut target, mut found) = (Some("/routes?limit=1".to_owned()), Vec::new());
    while let Some(asked) = target {
        assert!(asked.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"".contains(&byte)), "{asked}");
        let page = connection.get(&asked);
        found.push(page.json()[0]["route_id"].as_str().unwrap().to_owned());
        target = page.next_page();
    }
    assert_eq!(found, ids);
}

#[test]
fn after_the_last_is_nothing_and_after_an_unknown_id_is_not_found() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    for (list, last, wrong, nearest) in [
        ("/routes", "FUN", "T9", "T1"),
        ("/stops/st-lindn/routes", "T1", "T9", "T1"),
        ("/trips?route_id=FUN", "FUN-1006", "FUN-100", "FUN-1001"),
        ("/services", "SUNDAY", "MONDAY", "SUNDAY"),
        ("/stops?q=linden", "airpt-2", "st-lindm", "st-lindn"),
    ] {
        let after_last = connection.get(&with(list, &format!("after={last}")));
        assert_eq!((after_last.status, after_last.text(), after_last.header("link")), (200, "[]", None), "{list}");
        let problem = assert_problem(&connection.get(&with(list, &format!("after={wrong}"))), 404, list);
        let names = problem["nearest"].as_array().unwrap();
        assert!(names.iter().any(|name| name == nearest), "{list}: {problem}");
    }
}

#[test]
fn limits_of_lists_have_bounds() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    for list in LISTS {
        for limit in ["1", "1000", ""] {
            assert_eq!(connection.get(&with(list, &format!("limit={limit}"))).status, 200, "{list} {limit}");
        }
        for limit in ["0", "1001", "-1", "1.0", "1e3", "all"] {
            let problem = assert_problem(&connection.get(&with(list, &format!("limit={limit}"))), 400, list);
            assert!(problem["detail"].as_str().unwrap().contains("from 1 to 1000"), "{problem}");
        }
    }
    println!("1000 where nobody says otherwise; the city has 853 trips");
    assert_eq!(connection.get("/trips").json().as_array().unwrap().len(), 853);
}

#[test]
fn a_thousand_are_a_page_where_nobody_says_otherwise() {
    let rows: String = (0..1001).map(|number| format!("R{number}\n")).collect();
    let folder = write_folder(&feed(&[
        ("routes.txt", &format!("route_id\n{rows}")),
        ("trips.txt", "route_id,service_id,trip_id\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"),
    ]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let page = connection.get("/routes");
    assert_eq!(page.json().as_array().unwrap().len(), 1000);
    let rest = connection.get(&page.next_page().unwrap());
    assert_eq!(rest.json(), serde_json::json!([{"route_id": "R1000"}]));
}

#[test]
fn a_link_is_encoded_where_the_path_was_not() {
    let (mut trips, mut stop_times) = (String::new(), String::new());
    for (position, stop_id) in ["é", "a\x7f", "a\"b", "{a}"].iter().enumerate() {
        for route_id in ["R", "S"] {
            trips += &format!("{route_id},w,{route_id}{position}\n");
            let quoted = stop_id.replace('"', "\"\"");
            stop_times += &format!("{route_id}{position},8:00:00,8:00:00,\"{quoted}\",1\n");
        }
    }
    let folder = write_folder(&feed(&[
        ("trips.txt", &format!("route_id,service_id,trip_id\n{trips}")),
        ("stop_times.txt", &format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{stop_times}")),
    ]));
    let server = Server::start(folder.path());
    for stop_id in ["é", "a\x7f", "a\"b", "{a}", "%C3%A9", "a%7f", "a%22b", "%7Ba%7D"] {
        let mut connection = Connection::open(&server);
        let first = connection.get(&format!("/stops/{stop_id}/routes?limit=1"));
        println!("{stop_id:?}: {}", first.status);
        if first.status == 400 {
            println!("what must be encoded may be refused if it is not");
            assert!(!stop_id.contains('%'), "{stop_id}");
            continue;
        }
        assert_eq!(first.json()[0]["route_id"], "R", "{stop_id}");
        let next = first.next_page().unwrap();
        assert!(next.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}".contains(&byte)), "{next:?}");
        assert_eq!(connection.get(&next).json()[0]["route_id"], "S", "{next}");
    }
}
