//! The same over real feeds: what they say is as the document has it, for routes, stops and trips all over them.

use std::path::Path;

use super::document::{Document, Operation};
use super::validation::Validation;
use crate::client::Connection;
use crate::real_feeds::find_real_feed;
use crate::server::Server;

/// How many of each kind of thing are asked for, spread over all.
const SAMPLED: usize = 25;

#[test]
fn the_answers_of_large_real_feeds_are_as_documented() {
    assert_documented(&["hart.zip", "cdmx.zip"], "the_answers_of_large_real_feeds_are_as_documented");
}

#[test]
fn the_answers_of_railways_are_as_documented() {
    let names = ["amtrak.zip", "bart.zip", "caltrain.zip", "mbta-commuter-rail.zip"];
    assert_documented(&names, "the_answers_of_railways_are_as_documented");
}

#[test]
fn the_answers_of_small_real_feeds_are_as_documented() {
    let names = ["bullrunner.zip", "raba.zip", "macosx.zip", "nested-dir.zip", "sample-bom.zip"];
    assert_documented(&names, "the_answers_of_small_real_feeds_are_as_documented");
}

fn assert_documented(names: &[&str], test: &str) {
    for name in names {
        if let Some(path) = find_real_feed(name, test) {
            assert_feed_documented(&path);
        }
    }
}

/// Asserts that every operation answers as documented, with ids from all over the feed at `path`.
fn assert_feed_documented(path: &Path) {
    let server = Server::start(path);
    let mut connection = Connection::open(&server);
    let document = Document::get(&mut connection);
    let mut validation = Validation::new(&document);
    let route_ids = ids(&mut connection, "/routes", "route_id");
    let stop_ids = ids(&mut connection, "/stops", "stop_id");
    let trip_ids = ids(&mut connection, "/trips", "trip_id");
    let service_ids = ids(&mut connection, "/services", "service_id");
    let shape_ids = ids(&mut connection, "/trips", "shape_id");
    let period = connection.get("/feed").json()["period"].clone();
    let mut answer_count = 0;
    for operation in document.operations() {
        let id_name = operation.parameters().into_iter().find(|parameter| parameter.is_in_path);
        let id_name = id_name.map(|parameter| parameter.name);
        let of_path = match id_name {
            Some("route_id") => &route_ids,
            Some("stop_id") => &stop_ids,
            Some("trip_id") => &trip_ids,
            Some("shape_id") => &shape_ids,
            Some(other) => panic!("a parameter that these tests do not know: {other}"),
            None => &vec![String::new()],
        };
        let mut ask = |operation: &Operation<'_>, values: &[(&str, &str)]| {
            let mut values: Vec<(&str, &str)> =
                values.iter().copied().filter(|(name, _)| operation.takes(name)).collect();
            values.extend(id_name.filter(|name| !values.iter().any(|(given, _)| given == name)).map(|name| (name, "")));
            let target = operation.target_with(&values);
            (connection.get(&target), target)
        };
        for id in of_path {
            let mut questions: Vec<Vec<(&str, &str)>> =
                vec![id_name.map(|name| (name, id.as_str())).into_iter().collect()];
            if operation.path == "/departures" {
                let date = period["first_date"].as_str().unwrap_or("2024-01-01");
                let of_stop =
                    |stop_id| vec![("stop_id", stop_id), ("at", date), ("duration", "168h"), ("limit", "200")];
                questions = stop_ids.iter().map(|stop_id| of_stop(stop_id.as_str())).collect();
            }
            if operation.path == "/trips" {
                questions.extend(service_ids.iter().map(|service_id| vec![("service_id", service_id.as_str())]));
            }
            for question in questions {
                for format in ["json", "ndjson", "csv", "geojson"] {
                    let mut question = question.clone();
                    let is_offered = match format {
                        "json" => true,
                        "geojson" => ["/stops", "/stops/{stop_id}"].contains(&operation.path),
                        _ => operation.takes("format") && operation.path != "/stops/{stop_id}",
                    };
                    if !is_offered {
                        continue;
                    }
                    question.push(("format", format));
                    let (response, target) = ask(&operation, &question);
                    validation.assert_documented(&operation, &response, &format!("{} {target}", path.display()));
                    assert!([200, 404].contains(&response.status), "{target}: {}", response.text());
                    answer_count += usize::from(response.status == 200);
                }
            }
        }
    }
    println!("{}: {answer_count} answers", path.display());
    assert!(answer_count > 20, "{}: only {answer_count} answers", path.display());
}

/// Some of the values of `field` in a list, spread over all; none if the feed does not have what the list needs.
fn ids(connection: &mut Connection, list: &str, field: &str) -> Vec<String> {
    let response = connection.get(&format!("{list}?limit=1000"));
    if response.status == 404 {
        return Vec::new();
    }
    let list = response.json();
    let mut ids: Vec<String> =
        list.as_array().unwrap().iter().filter_map(|object| Some(object.get(field)?.as_str()?.to_owned())).collect();
    ids.dedup();
    let step = ids.len().div_ceil(SAMPLED).max(1);
    ids.into_iter().step_by(step).collect()
}
