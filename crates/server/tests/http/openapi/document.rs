//! `/openapi.json` taken apart: its operations, what they take and what they answer.

use std::collections::BTreeMap;
use std::fmt;

use jsonschema::Validator;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};

use crate::client::Connection;

/// The document that a server has.
pub(crate) struct Document {
    pub(crate) value: Value,
    /// schema -> its own properties in the order of the document, and the schemas that it builds on.
    schemas: BTreeMap<String, SchemaOrder>,
}

/// A path with a method.
#[derive(Clone, Copy)]
pub(crate) struct Operation<'d> {
    document: &'d Document,
    pub(crate) path: &'d str,
    value: &'d Value,
}

/// Something that an operation may be asked with.
#[derive(Clone, Copy)]
pub(crate) struct Parameter<'d> {
    pub(crate) name: &'d str,
    pub(crate) is_in_path: bool,
    pub(crate) is_required: bool,
    pub(crate) schema: &'d Value,
    example: &'d Value,
}

#[derive(Deserialize)]
struct WithSchemas {
    components: Components,
}

#[derive(Deserialize)]
struct Components {
    schemas: BTreeMap<String, SchemaOrder>,
}

#[derive(Deserialize)]
struct SchemaOrder {
    #[serde(default)]
    properties: Names,
    #[serde(default, rename = "allOf")]
    all_of: Vec<Reference>,
}

#[derive(Deserialize)]
struct Reference {
    #[serde(rename = "$ref")]
    target: String,
}

/// The names of an object's members in their order, which a `Value` forgets.
#[derive(Default)]
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamesVisitor;
        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = Names;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry()? {
                    names.push(name);
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(NamesVisitor)
    }
}

impl Document {
    pub(crate) fn get(connection: &mut Connection) -> Self {
        let response = connection.get("/openapi.json");
        assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
        let schemas = serde_json::from_slice::<WithSchemas>(&response.body).unwrap().components.schemas;
        Self { value: response.json(), schemas }
    }

    pub(crate) fn operations<'d>(&'d self) -> Vec<Operation<'d>> {
        let paths = self.value["paths"].as_object().unwrap();
        let operation = |(path, item): (&'d String, &'d Value)| {
            let methods: Vec<&String> = item.as_object().unwrap().keys().collect();
            assert_eq!(methods, ["get"], "{path}: a method that these tests do not call");
            Operation { document: self, path, value: &item["get"] }
        };
        paths.iter().map(operation).collect()
    }

    /// `value`, or what it refers to.
    pub(crate) fn resolved<'d>(&'d self, value: &'d Value) -> &'d Value {
        match value["$ref"].as_str() {
            Some(reference) => self
                .value
                .pointer(reference.trim_start_matches('#'))
                .unwrap_or_else(|| panic!("{reference} leads nowhere")),
            None => value,
        }
    }

    /// What checks a value against `schema`, which may refer to the document's components.
    pub(crate) fn validator(&self, schema: &Value) -> Validator {
        let schema = json!({"allOf": [schema], "components": self.value["components"]});
        jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap()
    }

    /// The columns of a list of what `schema` describes: its properties in the order of the document.
    pub(crate) fn columns(&self, schema: &str) -> Vec<&str> {
        let schema = &self.schemas[schema];
        let built_on = schema.all_of.iter().filter_map(|reference| reference.target.rsplit('/').next());
        let of_others = built_on.flat_map(|name| self.columns(name));
        of_others.chain(schema.properties.0.iter().map(String::as_str)).collect()
    }
}

impl<'d> Operation<'d> {
    pub(crate) fn id(&self) -> &'d str {
        self.value["operationId"].as_str().unwrap_or_else(|| panic!("{} has no operationId", self.path))
    }

    pub(crate) fn parameters(&self) -> Vec<Parameter<'d>> {
        let parameters = self.value["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let read = |parameter: &'d Value| {
            let parameter = self.document.resolved(parameter);
            Parameter {
                name: parameter["name"].as_str().unwrap(),
                is_in_path: parameter["in"] == "path",
                is_required: parameter["required"] == true,
                schema: &parameter["schema"],
                example: &parameter["example"],
            }
        };
        parameters.iter().map(read).collect()
    }

    pub(crate) fn query_parameters(&self) -> Vec<Parameter<'d>> {
        self.parameters().into_iter().filter(|parameter| !parameter.is_in_path).collect()
    }

    pub(crate) fn takes(&self, name: &str) -> bool {
        self.parameters().iter().any(|parameter| parameter.name == name)
    }

    /// The response that is documented for a status.
    pub(crate) fn response(&self, status: u16) -> Option<&'d Value> {
        self.value["responses"].get(status.to_string()).map(|response| self.document.resolved(response))
    }

    /// The media types of the response with `status`.
    pub(crate) fn media_types(&self, status: u16) -> Vec<&'d str> {
        let response = self.response(status).unwrap_or_else(|| panic!("{} has no {status}", self.path));
        response["content"].as_object().into_iter().flat_map(|content| content.keys().map(String::as_str)).collect()
    }

    /// The sample answer, with its media type.
    pub(crate) fn example(&self) -> Option<(&'d str, &'d Value)> {
        let content = self.response(200)?["content"].as_object().unwrap();
        content.iter().find_map(|(media_type, content)| Some((media_type.as_str(), content.get("example")?)))
    }

    /// The target with the example of every parameter that `is_given`.
    pub(crate) fn target(&self, is_given: impl Fn(&Parameter<'_>) -> bool) -> String {
        let given = self.query_parameters().into_iter().filter(|parameter| is_given(parameter));
        let values: Vec<(&str, String)> = given.map(|parameter| (parameter.name, parameter.example())).collect();
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.target_with(&values)
    }

    /// The target with these values and no others; what stands in the path is the example if it is not among them.
    pub(crate) fn target_with(&self, values: &[(&str, &str)]) -> String {
        let mut target = self.path.to_owned();
        for parameter in self.parameters().into_iter().filter(|parameter| parameter.is_in_path) {
            let value = values.iter().find(|(name, _)| *name == parameter.name);
            let value = value.map_or_else(|| parameter.example(), |(_, value)| (*value).to_owned());
            target = target.replace(&format!("{{{}}}", parameter.name), &encoded(&value));
        }
        let in_query = |name: &str| !self.parameters().iter().any(|known| known.is_in_path && known.name == name);
        for (position, (name, value)) in values.iter().filter(|(name, _)| in_query(name)).enumerate() {
            let separator = if position == 0 { '?' } else { '&' };
            target += &format!("{separator}{name}={}", encoded(value));
        }
        target
    }
}

impl Parameter<'_> {
    pub(crate) fn example(&self) -> String {
        match self.example {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => panic!("{} has the example {other}", self.name),
        }
    }
}

pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}
