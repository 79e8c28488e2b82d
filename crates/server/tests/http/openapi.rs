//! `GET /openapi.json`: every operation that it describes is called, and every answer is held against what it says.
//!
//! `document` takes it apart, `validation` holds a response against it, `shape.json` is a schema of what it may be made
//! of. That it has the endpoints and parameters that there are, and no others, is
//! tested beside the handlers.

use std::ffi::OsStr;
use std::fs;

use serde_json::{Value, json};

use crate::client::{Connection, Response};
use crate::feed_files::{small_feed, write_folder};
use crate::server::Server;
use document::{Document, Operation, Parameter};
use validation::{Validation, media_type};

#[path = "openapi/document.rs"]
mod document;
#[path = "openapi/parameters.rs"]
mod parameters;
#[path = "openapi/real_feeds.rs"]
mod real_feeds;
#[path = "openapi/validation.rs"]
mod validation;

/// What of an answer differs from start to start, from machine to machine or from release to release.
const VARYING: [&str; 4] = ["version", "loaded_at", "load_time_seconds", "memory_bytes"];

/// The built-in city, which the document's examples are of.
fn built_in_city() -> (Server, Connection, Document) {
    let server = Server::start_with([""; 0]);
    let mut connection = Connection::open(&server);
    let document = Document::get(&mut connection);
    (server, connection, document)
}

fn all(_: &Parameter<'_>) -> bool {
    true
}

fn required(parameter: &Parameter<'_>) -> bool {
    parameter.is_required
}

fn all_but_format(parameter: &Parameter<'_>) -> bool {
    parameter.name != "format"
}

/// The media type that a value of `format` names.
fn media_type_of_format(format: &str) -> &'static str {
    match format {
        "json" => "application/json",
        "ndjson" => "application/x-ndjson",
        "csv" => "text/csv",
        "geojson" => "application/geo+json",
        _ => panic!("a format that these tests do not know: {format}"),
    }
}

/// What `schema` lists as its values.
fn enumerated(schema: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    schema["enum"].as_array().into_iter().flatten().map(text).collect()
}

#[test]
fn the_document_is_openapi_3_1_and_its_schemas_are_json_schema() {
    let (_server, _, document) = built_in_city();
    let of_documents: Value = serde_json::from_str(include_str!("openapi/shape.json")).unwrap();
    let validator = jsonschema::draft202012::new(&of_documents).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&document.value).map(|error| format!("{:?}: {error}", error.instance_path())).collect();
    assert_eq!(errors, [""; 0]);
    for (name, schema) in document.value["components"]["schemas"].as_object().unwrap() {
        jsonschema::draft202012::meta::validate(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
        println!("and all that {name} refers to is there");
        document.validator(&json!({"$ref": format!("#/components/schemas/{name}")}));
    }
}

#[test]
fn the_schema_of_documents_refuses_what_is_none() {
    let of_documents: Value = serde_json::from_str(include_str!("openapi/shape.json")).unwrap();
    let validator = jsonschema::draft202012::new(&of_documents).unwrap();
    let document = json!({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}});
    assert!(validator.is_valid(&document));
    for (member, value) in [
        ("openapi", json!("3.0.3")),
        ("info", json!({})),
        ("path", json!({})),
        ("paths", json!({"/a": {"get": {"parameters": [{"name": "a", "in": "nowhere"}]}}})),
        ("paths", json!({"/a": {"get": {"responses": {"200": {"text": "no description"}}}}})),
    ] {
        let mut document = document.clone();
        document[member] = value;
        assert!(!validator.is_valid(&document), "{document}");
    }
}

#[test]
fn operations_and_components_have_names_of_their_own_and_are_all_used() {
    let (_server, _, document) = built_in_city();
    let mut ids: Vec<&str> = document.operations().iter().map(Operation::id).collect();
    ids.sort_unstable();
    ids.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1]));
    let text = document.value.to_string();
    for (kind, components) in document.value["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            let reference = format!("\"#/components/{kind}/{name}\"");
            assert!(text.contains(&reference), "nothing refers to {reference}");
        }
    }
}

#[test]
fn the_page_shows_each_path_and_links_to_the_document() {
    let (_server, mut connection, document) = built_in_city();
    let page = connection.get("/");
    for operation in document.operations() {
        assert!(page.text().contains(&format!("<code>{}</code>", operation.path)), "{}", operation.path);
    }
    assert!(page.text().contains("href='/openapi.json'"));
}

#[test]
fn every_operation_answers_in_every_media_type_as_documented() {
    let (_server, mut connection, document) = built_in_city();
    let mut validation = Validation::new(&document);
    for operation in document.operations() {
        let media_types = operation.media_types(200);
        let formats = operation.query_parameters().into_iter().find(|parameter| parameter.name == "format");
        let Some(formats) = formats else {
            assert_eq!(media_types.len(), 1, "{}: nothing says which of {media_types:?}", operation.path);
            let target = operation.target(all);
            assert_answer(&mut validation, &operation, &connection.get(&target), media_types[0], &target);
            continue;
        };
        let formats = enumerated(formats.schema);
        let named: Vec<&str> = formats.iter().map(|format| media_type_of_format(format)).collect();
        let (mut sorted_named, mut sorted_types) = (named.clone(), media_types.clone());
        sorted_named.sort_unstable();
        sorted_types.sort_unstable();
        assert_eq!(sorted_named, sorted_types, "{}: a format for each media type", operation.path);
        for (format, media_type) in formats.iter().zip(named) {
            for is_given in [required as fn(&Parameter<'_>) -> bool, all_but_format] {
                let target = operation.target(is_given);
                let separator = if target.contains('?') { '&' } else { '?' };
                let by_name = connection.get(&format!("{target}{separator}format={format}"));
                let by_accept = connection.ask("GET", &target, &[("Accept", media_type)]);
                assert_answer(&mut validation, &operation, &by_name, media_type, &format!("{target} as {format}"));
                assert_answer(
                    &mut validation,
                    &operation,
                    &by_accept,
                    media_type,
                    &format!("{target} as {media_type}"),
                );
                // Without `at` the two are of different moments.
                if operation.path != "/departures" || target.contains("at=") {
                    assert_eq!(by_name.text(), by_accept.text(), "{target} as {format}");
                }
            }
        }
    }
}

fn assert_answer<'d>(
    validation: &mut Validation<'d>,
    operation: &Operation<'d>,
    response: &Response,
    expected: &str,
    case: &str,
) {
    assert_eq!((response.status, media_type(response)), (200, expected), "{case}: {}", response.text());
    validation.assert_documented(operation, response, case);
}

#[test]
fn each_sample_answer_is_the_true_one() {
    let (_server, mut connection, document) = built_in_city();
    for operation in document.operations() {
        let target = operation.target(all);
        let Some((media_type, example)) = operation.example() else {
            let without = ["/metrics", "/openapi.json", "/"];
            assert!(without.contains(&operation.path), "{} has no sample answer", operation.path);
            continue;
        };
        let response = connection.ask("GET", &target, &[("Accept", media_type)]);
        let is_json = media_type.ends_with("json");
        let answer = if is_json { response.json() } else { Value::String(response.text().to_owned()) };
        assert_eq!(without_varying(answer), without_varying(example.clone()), "{target}");
        assert_ne!(example, &json!([]), "{target}: a sample shows something");
        if let Value::Array(objects) = example {
            assert!(objects.len() <= 3, "{target}: a sample is short");
        }
    }
}

/// The same with the members that vary there, but emptied.
fn without_varying(mut value: Value) -> Value {
    for name in VARYING {
        if let Some(member) = value.get_mut(name) {
            *member = Value::Null;
        }
    }
    value
}

#[test]
fn the_feed_is_as_documented_after_reloads_too() {
    let folder = write_folder(&small_feed());
    let server = Server::start_with([folder.path().as_os_str(), OsStr::new("--refresh"), OsStr::new("off")]);
    let mut connection = Connection::open(&server);
    let document = Document::get(&mut connection);
    let mut validation = Validation::new(&document);
    let feed = document.operations().into_iter().find(|operation| operation.path == "/feed").unwrap();
    for (trips, outcome, words) in [
        (None, "unchanged", "and unchanged"),
        (Some("route_id,service_id,trip_id\nRed,week,r1\n"), "replaced", "replaced after"),
        (Some("no,such,column\n"), "failed", "the former feed is served on"),
    ] {
        if let Some(trips) = trips {
            fs::write(folder.path().join("trips.txt"), trips).unwrap();
        }
        server.signal("HUP");
        server.wait_for_line(words);
        let response = connection.get("/feed");
        assert_eq!(response.json()["last_reload"]["outcome"], outcome);
        validation.assert_documented(&feed, &response, outcome);
    }
}

#[test]
fn head_has_the_headers_of_get_and_options_tells_the_methods() {
    let (_server, mut connection, document) = built_in_city();
    for operation in document.operations() {
        let target = operation.target(all);
        let (get, head) = (connection.get(&target), connection.ask("HEAD", &target, &[]));
        if operation.path != "/metrics" {
            assert_eq!((head.status, head.headers_but_date()), (get.status, get.headers_but_date()), "{target}");
        }
        let options = connection.ask("OPTIONS", &target, &[]);
        assert_eq!((options.status, options.header("allow")), (204, Some("GET, HEAD, OPTIONS")), "{target}");
    }
}

#[test]
fn who_has_an_answer_with_a_tag_is_not_sent_it_again() {
    let (_server, mut connection, document) = built_in_city();
    let mut validation = Validation::new(&document);
    for operation in document.operations() {
        let target = operation.target(all);
        let response = connection.get(&target);
        let is_documented = operation.response(304).is_some();
        assert_eq!(response.header("etag").is_some(), is_documented, "{target}");
        if let Some(tag) = response.header("etag") {
            let known = connection.ask("GET", &target, &[("If-None-Match", tag)]);
            assert_eq!((known.status, known.body.len()), (304, 0), "{target}");
            validation.assert_documented(&operation, &known, &target);
        }
    }
}

#[test]
fn a_field_that_the_document_lacks_is_seen() {
    let (_server, mut connection, document) = built_in_city();
    let schema = json!({"$ref": "#/components/schemas/StopWithChildren"});
    let validator = document.validator(&schema);
    let mut stop = connection.get("/stops/st-lindn").json();
    assert!(validator.is_valid(&stop));
    stop["level_id"] = json!("1");
    assert!(!validator.is_valid(&stop));
    let mut stop = connection.get("/stops/st-lindn").json();
    stop["children"][0]["location_type"] = json!(5);
    assert!(!validator.is_valid(&stop));
    stop["children"][0].as_object_mut().unwrap().remove("location_type");
    assert!(!validator.is_valid(&stop));
}
