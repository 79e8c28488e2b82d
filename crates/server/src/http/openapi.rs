//! `GET /openapi.json`: what can be asked for and what is answered, as OpenAPI 3.1.
//!
//! The document is written by hand. Tests hold it against the endpoints here, and against what they answer in
//! `tests/http/openapi.rs`.

use std::sync::LazyLock;

use super::answer::Answer;
use super::endpoints::Asked;
use super::problem::Problem;

/// What stands in the file in place of the release.
const NO_VERSION: &str = r#""version": "0.0.0""#;

static DOCUMENT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let version = format!(r#""version": "{}""#, env!("CARGO_PKG_VERSION"));
    include_str!("openapi.json").replacen(NO_VERSION, &version, 1).into_bytes()
});

pub(super) fn answer(asked: &Asked<'_>) -> Result<Answer, Problem> {
    Ok(Answer::of_request(asked, "application/json", || DOCUMENT.clone()))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde_json::Value;

    use super::super::endpoints::ENDPOINTS;
    use super::*;

    /// What the document says of the parameters `location` of an operation.
    fn parameters<'d>(document: &'d Value, operation: &'d Value, location: &str) -> BTreeSet<&'d str> {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let resolved = parameters.map(|parameter| match parameter["$ref"].as_str() {
            Some(reference) => document.pointer(&reference[1..]).expect("a reference leads to something"),
            None => parameter,
        });
        resolved
            .filter(|parameter| parameter["in"] == location)
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect()
    }

    #[test]
    fn the_document_has_the_endpoints_and_their_parameters_and_no_others() {
        let document: Value = serde_json::from_slice(&DOCUMENT).unwrap();
        let paths = document["paths"].as_object().unwrap();
        let documented: BTreeMap<&str, BTreeSet<&str>> =
            paths.iter().map(|(path, item)| (path.as_str(), parameters(&document, &item["get"], "query"))).collect();
        let existing: BTreeMap<&str, BTreeSet<&str>> =
            ENDPOINTS.iter().map(|endpoint| (endpoint.path, endpoint.all_parameters().into_iter().collect())).collect();
        assert_eq!(documented, existing);
        for (path, item) in paths {
            let in_path: BTreeSet<&str> =
                path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
            assert_eq!(parameters(&document, &item["get"], "path"), in_path, "{path}");
        }
    }

    #[test]
    fn the_document_names_this_release() {
        let document: Value = serde_json::from_slice(&DOCUMENT).unwrap();
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    }
}
