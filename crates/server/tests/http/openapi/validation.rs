//! Whether a response is what the document says of it.

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::Value;

use super::document::{Document, Operation};
use crate::client::Response;

/// Headers of an answer that an operation must speak of if it sends them.
const DOCUMENTED_HEADERS: [&str; 2] = ["etag", "link"];

/// Validates responses; a schema is compiled once.
pub(crate) struct Validation<'d> {
    document: &'d Document,
    /// schema as text -> what validates against it.
    validators: HashMap<String, Validator>,
}

impl<'d> Validation<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        Self { document, validators: HashMap::new() }
    }

    /// Asserts that the response is documented for the operation: status, headers, media type and content.
    pub(crate) fn assert_documented(&mut self, operation: &Operation<'d>, response: &Response, case: &str) {
        let status = response.status;
        let documented = operation.response(status);
        let documented = documented.unwrap_or_else(|| panic!("{case}: {status} is not documented: {response:?}"));
        self.assert_headers(documented, response, case);
        let Some(content) = documented["content"].as_object() else {
            assert_eq!(response.body, b"", "{case}: {status} has no content");
            return;
        };
        let media_type = media_type(response);
        let media = content.get(media_type);
        let media = media.unwrap_or_else(|| panic!("{case}: {status} has no {media_type}, but {:?}", content.keys()));
        match media_type {
            "text/csv" => {
                let items = content["application/json"]["schema"]["items"]["$ref"].as_str().unwrap();
                self.assert_csv(items.rsplit('/').next().unwrap(), response.text(), case);
            }
            "application/x-ndjson" => {
                let text = response.text();
                assert!(text.is_empty() || text.ends_with('\n'), "{case}: the last line has no end");
                for line in text.lines() {
                    let object = serde_json::from_str(line).unwrap_or_else(|error| panic!("{case}: {error}: {line}"));
                    self.assert_valid(&media["schema"], &object, case);
                }
            }
            _ if media_type.ends_with("json") => self.assert_valid(&media["schema"], &response.json(), case),
            _ => self.assert_valid(&media["schema"], &Value::String(response.text().to_owned()), case),
        }
    }

    fn assert_headers(&mut self, documented: &'d Value, response: &Response, case: &str) {
        let none = serde_json::Map::new();
        let headers = documented["headers"].as_object().unwrap_or(&none);
        for (name, header) in headers {
            let header = self.document.resolved(header);
            match response.header(&name.to_ascii_lowercase()) {
                Some(value) => self.assert_valid(&header["schema"], &Value::String(value.to_owned()), case),
                None => assert_ne!(header["required"], true, "{case}: {name} is missing: {response:?}"),
            }
        }
        for name in DOCUMENTED_HEADERS.iter().filter(|_| response.status == 200) {
            let is_documented = headers.keys().any(|documented| documented.eq_ignore_ascii_case(name));
            assert!(is_documented || response.header(name).is_none(), "{case}: {name} is not documented: {response:?}");
        }
    }

    fn assert_csv(&self, schema: &str, text: &str, case: &str) {
        let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let header = reader.headers().unwrap().clone();
        assert_eq!(header.iter().collect::<Vec<_>>(), self.document.columns(schema), "{case}");
        for record in reader.records() {
            record.unwrap_or_else(|error| panic!("{case}: {error}"));
        }
    }

    /// Asserts that `value` is as `schema` has it.
    pub(crate) fn assert_valid(&mut self, schema: &Value, value: &Value, case: &str) {
        let validator = self.validators.entry(schema.to_string()).or_insert_with(|| self.document.validator(schema));
        if let Some(error) = validator.iter_errors(value).next() {
            let shown: String = value.to_string().chars().take(2000).collect();
            panic!("{case}: {} at {:?}: {error}\n{shown}", error.schema_path(), error.instance_path());
        }
    }
}

/// The media type of a response, without its parameters.
pub(crate) fn media_type(response: &Response) -> &str {
    let content_type = response.header("content-type").unwrap_or_else(|| panic!("no content type: {response:?}"));
    content_type.split(';').next().unwrap()
}
