//! What went wrong with a request, as RFC 9457 has it.

use hyper::{Method, StatusCode};
use serde::Serialize;
use timetable::Timetable;

use super::answer::Answer;
use super::endpoints::ENDPOINTS;

/// How many ids that are nearly what was asked for are shown.
const NEAREST_SHOWN: usize = 5;

/// Longer ids are not worth the time that comparing takes.
const COMPARED_CHARS_MAX: usize = 64;

/// A problem to be told to the client.
#[derive(Debug, Serialize)]
pub struct Problem {
    #[serde(skip)]
    code: StatusCode,
    status: u16,
    title: &'static str,
    detail: String,
    /// Ids or paths that are nearly what was asked for, the nearest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<Vec<String>>,
}

impl Problem {
    fn new(code: StatusCode, detail: String) -> Self {
        Self { code, status: code.as_u16(), title: code.canonical_reason().unwrap_or_default(), detail, nearest: None }
    }

    /// A part of the path that is not percent-encoded UTF-8.
    pub(super) fn bad_path(part: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("the path has {part:?}, expected percent-encoded UTF-8"))
    }

    /// A path at which there is nothing.
    pub(super) fn unknown_path(path: &str) -> Self {
        let paths = ENDPOINTS.iter().map(|(path, _)| *path);
        let detail = format!("there is nothing at {path:?}; / shows what can be asked for");
        Self { nearest: Some(nearest(path, paths)), ..Self::new(StatusCode::NOT_FOUND, detail) }
    }

    /// A route that the feed does not have.
    pub(super) fn unknown_route(route_id: &str, timetable: &Timetable) -> Self {
        let route_ids = timetable.routes().map(|route| timetable.route_id(route));
        let detail = format!("the feed has no route {route_id:?}; /routes lists all");
        Self { nearest: Some(nearest(route_id, route_ids)), ..Self::new(StatusCode::NOT_FOUND, detail) }
    }

    /// A method that no endpoint has.
    pub(super) fn method_not_allowed(method: &Method) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, format!("found {method}, expected GET, HEAD or OPTIONS"))
    }

    /// The answer that says so.
    pub fn answer(&self) -> Answer {
        Answer::problem(self.code, self)
    }
}

/// Of `known` those that are nearest to `wanted`, by the number of single edits, upper and lower case alike.
fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let wanted: String = wanted.chars().take(COMPARED_CHARS_MAX).collect::<String>().to_lowercase();
    let distance = |id: &str| {
        let id: String = id.chars().take(COMPARED_CHARS_MAX).collect::<String>().to_lowercase();
        strsim::osa_distance(&wanted, &id)
    };
    let mut ranked: Vec<(usize, &str)> = known.map(|id| (distance(id), id)).collect();
    ranked.sort();
    ranked.truncate(NEAREST_SHOWN);
    ranked.into_iter().map(|(_, id)| id.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_ids_come_first() {
        let known = ["Red", "Orange", "Blue", "Green-B", "Green-C", "Mattapan", "CR-Foxboro"];
        assert_eq!(nearest("red", known.into_iter())[0], "Red");
        assert_eq!(nearest("Green", known.into_iter())[..2], ["Green-B", "Green-C"]);
        assert_eq!(nearest("", [].into_iter()), [""; 0]);
    }
}
