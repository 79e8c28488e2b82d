//! `GET /shapes/{shape_id}`, `/routes/{route_id}/shape` and `/stops?format=geojson`: GeoJSON as RFC 7946 has it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{Connection, assert_problem};
use crate::feed_files::{FeedFiles, feed, write_folder};
use crate::real_feeds::{find_real_feed, unzipped};
use crate::server::Server;
use crate::tables::{field, rows, rows_with_id};

const STOP_TIMES: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8:00:00,8:00:00,s,1\n";

fn files() -> FeedFiles {
    feed(&[
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\ns,\"Say \"\"S\"\"\",42.5,-71.25\nnowhere,,,\n"),
        ("routes.txt", "route_id\nR\nS\nwithout\n"),
        (
            "trips.txt",
            "route_id,service_id,trip_id,shape_id\nR,w,t1,there\nR,w,t2,back\nR,w,t3,there\nS,w,t4,point\nS,w,t5,\nwithout,w,t6,\n",
        ),
        ("stop_times.txt", STOP_TIMES),
        (
            "shapes.txt",
            "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\n\
             there,42.5,-71.25,10\nthere,42.75,-71.5,30\nthere,42.625,-71,20\nback,-1,179.5,1\nback,1.5,-179.5,2\npoint,1,2,1\n",
        ),
    ])
}

#[test]
fn a_shape_is_a_line_of_longitudes_and_latitudes_in_their_order() {
    let folder = write_folder(&files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let response = connection.get("/shapes/there");
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/geo+json")));
    let expected = concat!(
        r#"{"type":"Feature","geometry":{"type":"LineString","#,
        r#""coordinates":[[-71.25,42.5],[-71,42.625],[-71.5,42.75]]},"properties":{"shape_id":"there"}}"#
    );
    assert_eq!(response.text(), expected);
    println!("a line needs two positions (RFC 7946, 3.1.4), so of one there is no geometry (3.2)");
    let point = json!({"type": "Feature", "geometry": null, "properties": {"shape_id": "point"}});
    assert_eq!(connection.get("/shapes/point").json(), point);
    let problem = assert_problem(&connection.get("/shapes/their"), 404, "an unknown shape");
    assert_eq!(problem["nearest"][0], "there");
}

#[test]
fn the_shapes_of_a_route_are_those_of_its_trips_and_how_many_take_each() {
    let folder = write_folder(&files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let response = connection.get("/routes/R/shape");
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/geo+json")));
    let line = |coordinates: Value| json!({"type": "LineString", "coordinates": coordinates});
    let feature = |geometry: Value, shape_id: &str, route_id: &str, trip_count: u32| {
        json!({
            "type": "Feature", "geometry": geometry,
            "properties": {"shape_id": shape_id, "route_id": route_id, "trip_count": trip_count},
        })
    };
    let there = feature(line(json!([[-71.25, 42.5], [-71, 42.625], [-71.5, 42.75]])), "there", "R", 2);
    let back = feature(line(json!([[179.5, -1], [-179.5, 1.5]])), "back", "R", 1);
    assert_eq!(response.json(), json!({"type": "FeatureCollection", "features": [there, back]}));
    let point = feature(Value::Null, "point", "S", 1);
    assert_eq!(connection.get("/routes/S/shape").json(), json!({"type": "FeatureCollection", "features": [point]}));
    println!("a route whose trips have none");
    assert_eq!(connection.get("/routes/without/shape").json(), json!({"type": "FeatureCollection", "features": []}));
    assert_problem(&connection.get("/routes/T/shape"), 404, "an unknown route");
}

#[test]
fn a_feed_without_shapes_says_so() {
    let mut files = files();
    files.retain(|(name, _)| name != "shapes.txt");
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    for target in ["/shapes/there", "/routes/R/shape"] {
        let problem = assert_problem(&Connection::open(&server).get(target), 404, target);
        assert!(problem["detail"].as_str().unwrap().contains("shapes.txt"), "{problem}");
    }
}

#[test]
fn stops_are_points_and_those_without_a_place_are_nowhere() {
    let folder = write_folder(&files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let by_name = connection.get("/stops?format=geojson");
    assert_eq!((by_name.status, by_name.header("content-type")), (200, Some("application/geo+json")));
    let expected = concat!(
        r#"{"type":"FeatureCollection","features":["#,
        r#"{"type":"Feature","geometry":{"type":"Point","coordinates":[-71.25,42.5]},"#,
        r#""properties":{"stop_id":"s","stop_name":"Say \"S\"","stop_lat":42.5,"stop_lon":-71.25,"#,
        r#""location_type":0,"wheelchair_boarding":0}},"#,
        r#"{"type":"Feature","geometry":null,"properties":{"stop_id":"nowhere","location_type":0,"#,
        r#""wheelchair_boarding":0}}]}"#
    );
    assert_eq!(by_name.text(), expected);
    let by_accept = connection.ask("GET", "/stops", &[("Accept", "application/geo+json")]);
    assert_eq!(by_accept.text(), expected);
    let near = connection.get("/stops?near=42.5,-71.25&format=geojson").json();
    assert_eq!(near["features"].as_array().unwrap().len(), 1);
    assert_eq!(near["features"][0]["properties"]["distance_meters"], 0);
}

/// Asserts that a value is GeoJSON as far as our answers go, and returns how many positions it has.
fn assert_geojson(value: &Value, case: &str) -> usize {
    match value["type"].as_str() {
        Some("FeatureCollection") => {
            assert_members(value, &["features", "type"], case);
            value["features"].as_array().unwrap().iter().map(|feature| assert_geojson(feature, case)).sum()
        }
        Some("Feature") => {
            assert_members(value, &["geometry", "properties", "type"], case);
            assert!(value["properties"].is_object(), "{case}");
            if value["geometry"].is_null() { 0 } else { assert_geojson(&value["geometry"], case) }
        }
        Some("Point") => {
            assert_members(value, &["coordinates", "type"], case);
            assert_position(&value["coordinates"], case)
        }
        Some("LineString") => {
            assert_members(value, &["coordinates", "type"], case);
            let positions = value["coordinates"].as_array().unwrap();
            assert!(positions.len() >= 2, "{case}: RFC 7946, 3.1.4");
            positions.iter().map(|position| assert_position(position, case)).sum()
        }
        other => panic!("{case}: {other:?} is no type of GeoJSON that is given"),
    }
}

fn assert_members(value: &Value, expected: &[&str], case: &str) {
    let mut members: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, expected, "{case}");
}

fn assert_position(position: &Value, case: &str) -> usize {
    let [longitude, latitude] = &position.as_array().unwrap()[..] else { panic!("{case}: {position}") };
    let is_within = |value: &Value, bound: f64| value.as_f64().is_some_and(|degrees| degrees.abs() <= bound);
    assert!(is_within(longitude, 180.0) && is_within(latitude, 90.0), "{case}: {position}");
    1
}

#[test]
fn the_shapes_of_real_feeds_are_the_points_of_their_rows() {
    let test = "the_shapes_of_real_feeds_are_the_points_of_their_rows";
    for name in ["caltrain.zip", "bullrunner.zip", "hart.zip"] {
        let Some(path) = find_real_feed(name, test) else { return };
        let files = unzipped(&path);
        let mut points: BTreeMap<String, Vec<(u64, [f64; 2])>> = BTreeMap::new();
        for row in rows(&files, "shapes.txt") {
            let position = ["shape_pt_lon", "shape_pt_lat"].map(|name| field(&row, name).parse().unwrap());
            let sequence = field(&row, "shape_pt_sequence").parse().unwrap();
            points.entry(field(&row, "shape_id").to_owned()).or_default().push((sequence, position));
        }
        points.values_mut().for_each(|points| points.sort_by_key(|(sequence, _)| *sequence));
        let mut trip_counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for row in rows_with_id(&files, "trips.txt", "trip_id") {
            if points.contains_key(field(&row, "shape_id")) {
                let key = (field(&row, "route_id").to_owned(), field(&row, "shape_id").to_owned());
                *trip_counts.entry(key).or_default() += 1;
            }
        }
        let server = Server::start(&path);
        let mut connection = Connection::open(&server);
        let coordinates = |feature: &Value| -> Vec<[f64; 2]> {
            let positions = feature["geometry"]["coordinates"].as_array().cloned().unwrap_or_default();
            positions.iter().map(|position| [position[0].as_f64().unwrap(), position[1].as_f64().unwrap()]).collect()
        };
        let assert_same = |feature: &Value, shape_id: &str| {
            let (found, expected) = (coordinates(feature), &points[shape_id]);
            assert_eq!(found.len(), expected.len(), "{name}: {shape_id}");
            for (found, (_, expected)) in found.iter().zip(expected) {
                // A tenth of a metre: the program keeps no more digits than places need.
                let is_same = found.iter().zip(expected).all(|(one, other)| (one - other).abs() <= 1e-6);
                assert!(is_same, "{name}: {shape_id}: {found:?} instead of {expected:?}");
            }
        };
        for shape_id in points.keys().step_by(points.len().div_ceil(30)) {
            let shape = connection.get(&format!("/shapes/{shape_id}")).json();
            assert_geojson(&shape, name);
            assert_same(&shape, shape_id);
        }
        let mut found: BTreeMap<(String, String), u64> = BTreeMap::new();
        for row in rows_with_id(&files, "routes.txt", "route_id") {
            let route_id = field(&row, "route_id");
            let encoded = percent_encoding::utf8_percent_encode(route_id, percent_encoding::NON_ALPHANUMERIC);
            let shapes = connection.get(&format!("/routes/{encoded}/shape")).json();
            assert_geojson(&shapes, name);
            for feature in shapes["features"].as_array().unwrap() {
                let properties = &feature["properties"];
                assert_eq!(properties["route_id"], route_id, "{name}");
                let shape_id = properties["shape_id"].as_str().unwrap();
                assert_same(feature, shape_id);
                let trip_count = properties["trip_count"].as_u64().unwrap();
                assert_eq!(found.insert((route_id.to_owned(), shape_id.to_owned()), trip_count), None);
            }
        }
        assert_eq!(found, trip_counts, "{name}");
        let stops = connection.get("/stops?format=geojson&limit=1000").json();
        assert!(assert_geojson(&stops, name) > 0, "{name}");
    }
}
