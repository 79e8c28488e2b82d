//! What went wrong with a request, as RFC 9457 has it.

use hyper::{Method, StatusCode};
use serde::Serialize;

use super::answer::Answer;
use super::endpoints::ENDPOINTS;

/// How many ids that are nearly what was asked for are shown.
const NEAREST_SHOWN: usize = 5;

/// Longer ids are not worth the time that comparing takes.
const COMPARED_CHARS_MAX: usize = 64;

/// How many pairs of characters are compared for one answer, which takes some milliseconds at most.
const STEPS_MAX: usize = 1 << 20;

/// A problem to be told to the client.
#[derive(Debug, Serialize)]
pub(super) struct Problem {
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

    /// A part of the target that is not percent-encoded UTF-8.
    pub(super) fn bad_encoding(part: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("the target has {part:?}, expected percent-encoded UTF-8"))
    }

    /// A path at which there is nothing.
    pub(super) fn unknown_path(path: &str) -> Self {
        let paths = ENDPOINTS.iter().map(|endpoint| endpoint.path);
        let detail = format!("there is nothing at {path:?}; / shows what can be asked for");
        Self { nearest: Some(nearest(path, paths)), ..Self::new(StatusCode::NOT_FOUND, detail) }
    }

    /// An id that nothing of this `kind` has, though the feed has `ids`.
    pub(super) fn unknown_id<'a>(kind: &str, id: &str, ids: impl Iterator<Item = &'a str>) -> Self {
        let detail = format!("the feed has no {kind} {id:?}");
        Self { nearest: Some(nearest(id, ids)), ..Self::new(StatusCode::NOT_FOUND, detail) }
    }

    /// Files of which the feed has none, though the answer needs one.
    pub(super) fn missing_file(files: &[&str]) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("the feed has no {}, which this answer needs", files.join(" or ")))
    }

    /// A file of the feed that does not say what the answer needs.
    pub(super) fn unusable_file(file: &str, expected: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, format!("the feed's {file} does not have {expected}, which this answer needs"))
    }

    /// A parameter that the endpoint does not have, though it has `names`.
    pub(super) fn unknown_parameter(name: &str, names: &[&str]) -> Self {
        let expected = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let detail = format!("found the parameter {name:?}, expected {expected}");
        Self { nearest: Some(nearest(name, names.iter().copied())), ..Self::new(StatusCode::BAD_REQUEST, detail) }
    }

    /// A parameter whose value makes no sense.
    pub(super) fn bad_parameter(name: &str, found: &str, expected: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("the parameter {name} is {found:?}, expected {expected}"))
    }

    /// A parameter that must be there.
    pub(super) fn missing_parameter(name: &str, expected: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, format!("the parameter {name} is missing, expected {expected}"))
    }

    /// Accept lets nothing through that the endpoint has.
    pub(super) fn not_acceptable(media_types: &str) -> Self {
        let detail = format!("the request accepts none of {media_types}");
        Self::new(StatusCode::NOT_ACCEPTABLE, detail)
    }

    /// A method that no endpoint has.
    pub(super) fn method_not_allowed(method: &Method) -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, format!("found {method}, expected GET, HEAD or OPTIONS"))
    }

    /// What is no request that is taken.
    pub(super) fn refused(code: StatusCode, detail: &str) -> Self {
        Self::new(code, detail.to_owned())
    }

    /// The answer that says so.
    pub(super) fn answer(&self) -> Answer {
        Answer::problem(self.code, self)
    }
}

/// Of `known` those that are nearest to `wanted`, by the number of single edits, upper and lower case alike.
///
/// Only ids that may be among the nearest are compared, as their length tells, and no more than [`STEPS_MAX`] allow:
/// anyone can ask for what is not there, so it must not take long.
fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (mut wanted_small, mut id_small) = (String::new(), String::new());
    let wanted_chars = write_small(&mut wanted_small, wanted);
    let mut steps_left = STEPS_MAX;
    // distance, id; in this order
    let mut best: Vec<(usize, &str)> = Vec::with_capacity(NEAREST_SHOWN + 1);
    for id in known {
        let id_chars = write_small(&mut id_small, id);
        let worst = if best.len() == NEAREST_SHOWN { best[NEAREST_SHOWN - 1].0 } else { usize::MAX };
        // As many characters as one has more than the other must be put in.
        let is_near = id_chars.abs_diff(wanted_chars) <= worst;
        let steps = (id_chars + 1) * if is_near { wanted_chars + 1 } else { 1 };
        let Some(left) = steps_left.checked_sub(steps) else { break };
        steps_left = left;
        if !is_near {
            continue;
        }
        let found = (strsim::osa_distance(&wanted_small, &id_small), id);
        let position = best.partition_point(|kept| *kept <= found);
        best.insert(position, found);
        best.truncate(NEAREST_SHOWN);
    }
    best.into_iter().map(|(_, id)| id.to_owned()).collect()
}

/// Writes the beginning of `id` in small letters over `small`, and says how many characters that are.
fn write_small(small: &mut String, id: &str) -> usize {
    small.clear();
    small.extend(id.chars().take(COMPARED_CHARS_MAX).flat_map(char::to_lowercase));
    small.chars().count()
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

    #[test]
    fn the_nearest_are_those_of_comparing_and_sorting_all() {
        let ids: Vec<String> =
            (0..1500).map(|number| format!("R{}-{}", number % 997, "é".repeat(number % 7))).collect();
        for wanted in ["R12", "r-", "", "R996-ÉÉÉ", "something long that nothing here is like"] {
            let wanted_small = wanted.to_lowercase();
            let mut ranked: Vec<(usize, &str)> =
                ids.iter().map(|id| (strsim::osa_distance(&wanted_small, &id.to_lowercase()), id.as_str())).collect();
            ranked.sort();
            let expected: Vec<&str> = ranked[..NEAREST_SHOWN].iter().map(|(_, id)| *id).collect();
            assert_eq!(nearest(wanted, ids.iter().map(String::as_str)), expected, "{wanted:?}");
        }
    }

    #[test]
    fn comparing_ends_after_so_many_steps() {
        let id = "x".repeat(COMPARED_CHARS_MAX);
        let mut seen_count = 0;
        let known = std::iter::repeat_n(id.as_str(), 1 << 20).inspect(|_| seen_count += 1);
        assert_eq!(nearest(&"y".repeat(1000), known).len(), NEAREST_SHOWN);
        assert!(seen_count <= STEPS_MAX / (COMPARED_CHARS_MAX * COMPARED_CHARS_MAX) + 1, "{seen_count}");
    }
}
