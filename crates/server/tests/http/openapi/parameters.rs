//! What may be asked is taken, and all else is refused, as the document has it.

use serde_json::Value;

use super::document::{Operation, Parameter};
use super::validation::Validation;
use super::{all_but_format, built_in_city, enumerated};
use crate::client::assert_problem;

#[test]
fn every_documented_parameter_is_taken_alone_and_with_each_of_its_values() {
    let (_server, mut connection, document) = built_in_city();
    let mut validation = Validation::new(&document);
    for operation in document.operations() {
        for parameter in operation.query_parameters() {
            let mut values = enumerated(parameter.schema);
            values.push(parameter.example());
            values.extend(bounds(&parameter).map(|bound| bound.to_string()));
            values.extend(parameter.schema.get("default").map(|value| value.to_string().replace('"', "")));
            for value in values {
                let mut given = required_values(&operation, parameter.name);
                // The radius is that around a place.
                if parameter.name == "radius" {
                    given.push(("near", "44.118,-69.099".to_owned()));
                }
                given.push((parameter.name, value));
                let target = target_of(&operation, &given);
                let response = connection.get(&target);
                assert_eq!(response.status, 200, "{target}: {}", response.text());
                validation.assert_documented(&operation, &response, &target);
            }
        }
    }
}

/// The least and the greatest value of a parameter that has both.
fn bounds(parameter: &Parameter<'_>) -> impl Iterator<Item = i64> + use<> {
    let bound = |name: &str| parameter.schema.get(name).and_then(Value::as_i64);
    bound("minimum").into_iter().chain(bound("maximum"))
}

/// The required parameters of an operation, but for the one called `but`.
fn required_values<'d>(operation: &Operation<'d>, but: &str) -> Vec<(&'d str, String)> {
    let parameters = operation.query_parameters().into_iter();
    let others = parameters.filter(|parameter| parameter.is_required && parameter.name != but);
    others.map(|parameter| (parameter.name, parameter.example())).collect()
}

fn target_of(operation: &Operation<'_>, given: &[(&str, String)]) -> String {
    let given: Vec<(&str, &str)> = given.iter().map(|(name, value)| (*name, value.as_str())).collect();
    operation.target_with(&given)
}

#[test]
fn a_parameter_that_is_not_documented_or_out_of_its_bounds_or_twice_is_refused() {
    let (_server, mut connection, document) = built_in_city();
    let mut validation = Validation::new(&document);
    let mut names: Vec<&str> = document
        .operations()
        .iter()
        .flat_map(|operation| operation.query_parameters())
        .map(|parameter| parameter.name)
        .collect();
    names.push("unknown");
    for operation in document.operations() {
        let parameters = operation.query_parameters();
        if parameters.is_empty() {
            continue;
        }
        let mut refused = Vec::new();
        for name in names.iter().filter(|name| !operation.takes(name)) {
            let mut given = required_values(&operation, "");
            given.push((name, "1".to_owned()));
            refused.push(target_of(&operation, &given));
        }
        for parameter in &parameters {
            let required = required_values(&operation, parameter.name);
            let with = |values: &[String]| {
                let values = values.iter().map(|value| (parameter.name, value.clone()));
                target_of(&operation, &required.iter().cloned().chain(values).collect::<Vec<_>>())
            };
            refused.push(with(&[parameter.example(), parameter.example()]));
            let out_of_bounds = bounds(parameter).zip([-1, 1]).map(|(bound, step)| (bound + step).to_string());
            refused.extend(out_of_bounds.map(|value| with(&[value])));
            if !enumerated(parameter.schema).is_empty() {
                refused.extend(["2", "jsonn"].map(|value| with(&[value.to_owned()])));
            }
            if parameter.is_required {
                refused.push(with(&[]));
            }
        }
        for target in refused {
            let response = connection.get(&target);
            assert_problem(&response, 400, &target);
            validation.assert_documented(&operation, &response, &target);
        }
    }
}

#[test]
fn every_documented_problem_occurs() {
    let (_server, mut connection, document) = built_in_city();
    let mut validation = Validation::new(&document);
    for operation in document.operations() {
        let target = operation.target(all_but_format);
        let has_parameters = !operation.query_parameters().is_empty();
        for status in (400..600).filter(|status| operation.response(*status).is_some()) {
            let response = match status {
                400 if has_parameters => connection.get(&format!("{}?q=%zz", operation.target_with(&[]))),
                400 => connection.get(&operation.path.replace('{', "%").replace('}', "")),
                404 => {
                    let id = operation
                        .parameters()
                        .into_iter()
                        .find(|parameter| parameter.is_in_path || ["stop_id", "after"].contains(&parameter.name));
                    let id = id.unwrap_or_else(|| panic!("{target}: nothing there could be unknown"));
                    connection.get(&operation.target_with(&[(id.name, "no such id")]))
                }
                405 => connection.ask("POST", &target, &[("Content-Length", "0")]),
                406 => connection.ask("GET", &target, &[("Accept", "image/png")]),
                _ => panic!("{target}: {status} is documented, and these tests do not know how it comes about"),
            };
            println!("{target}: {status}");
            assert_problem(&response, status, &target);
            validation.assert_documented(&operation, &response, &target);
        }
    }
}

#[test]
fn each_sample_problem_is_the_true_one() {
    let (_server, mut connection, document) = built_in_city();
    for (name, method, target, accept) in [
        ("BadRequest", "GET", "/stops?limit=0", "*/*"),
        ("NotFound", "GET", "/routes/T3", "*/*"),
        ("MethodNotAllowed", "DELETE", "/routes", "*/*"),
        ("NotAcceptable", "GET", "/routes", "image/png"),
    ] {
        let content = &document.value["components"]["responses"][name]["content"]["application/problem+json"];
        assert_eq!(connection.ask(method, target, &[("Accept", accept)]).json(), content["example"], "{name}");
    }
}
