//! Under which name a request is counted: the endpoint's path as the page shows it, never the one that was asked for.

use super::endpoints::{ENDPOINTS, position};
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
    position(path).map_or(UNKNOWN, |position| EndpointIdx(FIRST + position))
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
