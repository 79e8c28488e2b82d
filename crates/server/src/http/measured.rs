//! Under which name a request is counted: the endpoint's path as the page shows it, never the one that was asked for.

use super::endpoints::ENDPOINTS;
use super::target::read_path;
use crate::metrics::EndpointIdx;

/// What is no request that is taken.
pub(crate) const REFUSED: EndpointIdx = EndpointIdx(0);

/// Where there is nothing.
const UNKNOWN: EndpointIdx = EndpointIdx(1);

/// The endpoints of [`ENDPOINTS`], in its order.
const FIRST: usize = 2;

/// The names by [`EndpointIdx`].
pub fn endpoint_names() -> Vec<&'static str> {
    ["refused", "unknown"].into_iter().chain(ENDPOINTS.iter().map(|endpoint| endpoint.path)).collect()
}

/// The endpoint at `path`.
pub(crate) fn endpoint_of(path: &str) -> EndpointIdx {
    let trimmed = path.strip_prefix('/').unwrap_or(path);
    let trimmed = trimmed.strip_suffix('/').unwrap_or(trimmed);
    match find(|| trimmed.split('/')) {
        None if path.contains('%') => {
            let parts = read_path(path).unwrap_or_default();
            find(|| parts.iter().map(String::as_str)).unwrap_or(UNKNOWN)
        }
        found => found.unwrap_or(UNKNOWN),
    }
}

/// The endpoint whose path has these parts, any part standing for one in braces.
fn find<'p, Parts: Iterator<Item = &'p str>>(parts: impl Fn() -> Parts) -> Option<EndpointIdx> {
    let place = ENDPOINTS.iter().position(|endpoint| {
        let mut parts = parts();
        let is_same = endpoint.path[1..].split('/').all(|expected| {
            parts.next().is_some_and(|part| part == expected || (expected.starts_with('{') && !part.is_empty()))
        });
        is_same && parts.next().is_none()
    });
    place.map(|place| EndpointIdx(FIRST + place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_counted_under_its_endpoint() {
        let names = endpoint_names();
        for (path, name) in [
            ("/", "/"),
            ("", "/"),
            ("/schedules/Red", "/schedules/{route_id}"),
            ("/schedules/a%2Fb/", "/schedules/{route_id}"),
            ("/routes", "/routes"),
            ("/%72outes", "/routes"),
            ("/metrics", "/metrics"),
            ("/schedules", "unknown"),
            ("/schedules/", "unknown"),
            ("/schedules/Red/now", "unknown"),
            ("/{route_id}", "unknown"),
            ("//routes", "unknown"),
            ("/%zz", "unknown"),
            ("/refused", "unknown"),
        ] {
            assert_eq!(names[endpoint_of(path).0], name, "{path}");
        }
        assert_eq!(names[REFUSED.0], "refused");
    }
}
