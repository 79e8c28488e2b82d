//! Lists as JSON, NDJSON, CSV and GeoJSON: which one is chosen, and that they say the same.

use serde_json::Value;

use crate::client::{Connection, assert_problem};
use crate::feed_files::{FeedFiles, feed, write_folder};
use crate::lists::{LISTS, built_in_city};
use crate::server::Server;

/// Values that CSV must quote, or that JSON must escape.
fn nasty_files() -> FeedFiles {
    feed(&[
        (
            "routes.txt",
            "route_id,route_short_name,route_long_name,route_desc,route_type\n\
             \"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\"tab\there\",3\n\
             é,🚋,\"\"\"\",\"\r\n\",\n\
             plain,,,\"'=1+1\",1700\n\
             ,,,,\n",
        ),
        (
            "stops.txt",
            "stop_id,stop_name,stop_lat,stop_lon,parent_station\n\
             \"s,1\",\"Karl \"\"der Große\"\"\",52.5,13.25,\ns2,,,,\"s,1\"\ns3,-0,-0.000001,-179.999999,\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id,trip_headsign\n\"a,b\",w,\"t\"\"1\",\"x,\ny\"\né,w,t2,\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\"t\"\"1\",8:00:00,8:00:00,s2,1\n",
        ),
        ("calendar_dates.txt", "service_id,date,exception_type\nw,20260101,1\nw,20260102,1\nw,20260103,2\n"),
    ])
}

/// What a line of CSV must have for a field of a JSON object.
fn csv_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(is_so) => i32::from(*is_so).to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(csv_text).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn assert_formats_say_the_same(connection: &mut Connection, list: &str) {
    let json = connection.get(list);
    assert_eq!(json.status, 200, "{list}: {}", json.text());
    let objects = json.json();
    let objects = objects.as_array().unwrap();
    let ndjson = connection.ask("GET", list, &[("Accept", "application/x-ndjson")]);
    assert_eq!(ndjson.header("content-type"), Some("application/x-ndjson"));
    let lines: Vec<&str> = ndjson.text().split_terminator('\n').collect();
    assert_eq!(format!("[{}]", lines.join(",")), json.text(), "{list}");

    let csv = connection.ask("GET", list, &[("Accept", "text/csv")]);
    let mut reader = csv::Reader::from_reader(csv.text().as_bytes());
    let header = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), objects.len(), "{list}");
    for (record, object) in records.iter().zip(objects) {
        for name in object.as_object().unwrap().keys() {
            assert!(header.iter().any(|column| column == name), "{list}: no column {name} in {header:?}");
        }
        for (name, found) in header.iter().zip(record) {
            match object.get(name) {
                Some(Value::Number(number)) if number.is_f64() => {
                    assert_eq!(found.parse::<f64>().ok(), number.as_f64(), "{list}: {name} of {object}");
                }
                expected => assert_eq!(found, expected.map(csv_text).unwrap_or_default(), "{list}: {name} of {object}"),
            }
        }
    }
}

#[test]
fn json_ndjson_and_csv_say_the_same() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    for list in LISTS {
        assert_formats_say_the_same(&mut connection, list);
    }
    assert_formats_say_the_same(&mut connection, "/departures?stop_id=st-centl&at=2026-11-20T17:30&limit=300");
    assert_formats_say_the_same(&mut connection, "/trips?route_id=none");
}

#[test]
fn json_ndjson_and_csv_say_the_same_of_what_must_be_quoted() {
    let folder = write_folder(&nasty_files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for list in ["/routes", "/stops", "/trips", "/services", "/stops/s2/routes", "/stops?near=0,180&radius=1000"] {
        assert_formats_say_the_same(&mut connection, list);
    }
    let names: Vec<Value> = connection
        .get("/routes")
        .json()
        .as_array()
        .unwrap()
        .iter()
        .map(|route| route["route_long_name"].clone())
        .collect();
    assert_eq!(names[..2], ["two\nlines", "\""], "what was written is what is compared");
}

#[test]
fn accept_and_format_choose_and_format_wins() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    let (json, ndjson, csv) = ("application/json", "application/x-ndjson", "text/csv; charset=utf-8");
    let geojson = "application/geo+json";
    for (target, accept, expected) in [
        ("/stops?limit=1", "*/*", json),
        ("/stops?limit=1", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", json),
        ("/stops?limit=1", "text/csv", csv),
        ("/stops?limit=1", "Text/CSV", csv),
        ("/stops?limit=1", "text/*", csv),
        ("/stops?limit=1", "application/geo+json", geojson),
        ("/stops?limit=1", "application/geo+json, application/json;q=0.9", geojson),
        ("/stops?limit=1", "application/json;q=0.1, application/x-ndjson;q=0.2", ndjson),
        ("/stops?limit=1", "application/json;q=0, */*", ndjson),
        ("/stops?limit=1&format=csv", "application/json", csv),
        ("/stops?limit=1&format=geojson", "image/png", geojson),
        ("/stops?limit=1&format=json", "text/csv", json),
        ("/stops?limit=1&format=", "text/csv", csv),
        ("/routes?limit=1", "application/geo+json;q=1, text/csv;q=0.1", csv),
    ] {
        let response = connection.ask("GET", target, &[("Accept", accept)]);
        assert_eq!((response.status, response.header("content-type")), (200, Some(expected)), "{target} {accept}");
        let varies = response.header("vary").is_some_and(|vary| vary.split(", ").any(|name| name == "accept"));
        assert_eq!(varies, !target.contains("format=") || target.ends_with('='), "{target} {accept}");
    }
    for (target, accept) in [
        ("/stops", "image/png"),
        ("/stops", "application/json;q=0"),
        ("/routes", "application/geo+json"),
        ("/departures?stop_id=st-lindn", "text/html"),
        ("/services", "application/xml, text/html;q=0.5"),
    ] {
        let problem = assert_problem(&connection.ask("GET", target, &[("Accept", accept)]), 406, accept);
        assert!(problem["detail"].as_str().unwrap().contains("text/csv"), "{problem}");
    }
    for target in ["/stops?format=xml", "/stops?format=CSV", "/routes?format=geojson", "/trips?format=geojson"] {
        let problem = assert_problem(&connection.get(target), 400, target);
        assert!(problem["detail"].as_str().unwrap().contains("json, ndjson, csv"), "{problem}");
    }
}

#[test]
fn each_format_has_a_tag_of_its_own() {
    let server = built_in_city();
    let mut connection = Connection::open(&server);
    let tags = ["application/json", "application/x-ndjson", "text/csv", "application/geo+json"]
        .map(|accept| connection.ask("GET", "/stops", &[("Accept", accept)]).etag().to_owned());
    for (position, tag) in tags.iter().enumerate() {
        assert!(!tags[..position].contains(tag), "{tags:?}");
    }
    let known = connection.ask("GET", "/stops", &[("Accept", "text/csv"), ("If-None-Match", &tags[0])]);
    assert_eq!(known.status, 200, "who has it as JSON does not have it as CSV");
}
