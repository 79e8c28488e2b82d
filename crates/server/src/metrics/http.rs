//! Requests and their answers.

use std::sync::OnceLock;
use std::time::Duration;

use hyper::{Method, StatusCode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The methods that are counted by name; any other is `other`.
const METHODS: [Method; 3] = [Method::GET, Method::HEAD, Method::OPTIONS];

/// The statuses that this server gives. Any other would be counted as 0, and is in none of its answers.
const STATUSES: [u16; 16] = [0, 200, 204, 304, 400, 404, 405, 406, 408, 413, 414, 417, 429, 431, 501, 505];

/// From what a health check takes to what no answer should.
const DURATION_BUCKETS_S: [f64; 17] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
];

type RequestLabels = [(&'static str, String); 3];
type EndpointLabels = [(&'static str, &'static str); 1];

/// An endpoint among the names that [`HttpMetrics`] was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndpointIdx(pub usize);

/// Requests, the time that their answers took, and what was sent.
#[derive(Debug)]
pub struct HttpMetrics {
    endpoints: Vec<&'static str>,
    requests: Family<RequestLabels, Counter>,
    durations: Family<EndpointLabels, Histogram, fn() -> Histogram>,
    /// endpoint, method, status -> its counter, looked up in `requests` once: that takes a lock and hashes the labels.
    found_requests: Vec<OnceLock<Counter>>,
    /// endpoint -> its histogram, looked up in `durations` once.
    found_durations: Vec<OnceLock<Histogram>>,
    /// Bytes that were written to clients, heads and bodies.
    pub response_bytes: Counter,
    /// What the compressed answers take that are kept.
    pub compressed_cache_bytes: Gauge,
}

impl HttpMetrics {
    pub(super) fn new(endpoints: Vec<&'static str>, registry: &mut Registry) -> Self {
        let request_kinds = endpoints.len() * (METHODS.len() + 1) * STATUSES.len();
        let metrics = Self {
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(DURATION_BUCKETS_S)),
            found_requests: (0..request_kinds).map(|_| OnceLock::new()).collect(),
            found_durations: endpoints.iter().map(|_| OnceLock::new()).collect(),
            endpoints,
            response_bytes: Counter::default(),
            compressed_cache_bytes: Gauge::default(),
        };
        registry.register(
            "http_requests",
            "Requests that were answered, by endpoint, method and status",
            metrics.requests.clone(),
        );
        registry.register_with_unit(
            "http_request_duration",
            "From a whole request to the head of its answer, by endpoint",
            Unit::Seconds,
            metrics.durations.clone(),
        );
        registry.register_with_unit(
            "http_response",
            "What was written to clients, heads and bodies",
            Unit::Bytes,
            metrics.response_bytes.clone(),
        );
        registry.register_with_unit(
            "http_compressed_cache",
            "Compressed answers that are kept",
            Unit::Bytes,
            metrics.compressed_cache_bytes.clone(),
        );
        metrics
    }

    /// Counts an answer whose head took `time` to produce.
    pub fn on_answer(&self, endpoint: EndpointIdx, method: &Method, status: StatusCode, time: Duration) {
        let name = self.endpoints[endpoint.0];
        let method_place = METHODS.iter().position(|known| known == method).unwrap_or(METHODS.len());
        let status_place = STATUSES.iter().position(|known| *known == status.as_u16()).unwrap_or(0);
        let place = (endpoint.0 * (METHODS.len() + 1) + method_place) * STATUSES.len() + status_place;
        let requests = self.found_requests[place].get_or_init(|| {
            let method = METHODS.get(method_place).map_or("other", Method::as_str);
            self.requests.get_or_create_owned(&[
                ("endpoint", name.to_owned()),
                ("method", method.to_owned()),
                ("status", STATUSES[status_place].to_string()),
            ])
        });
        requests.inc();
        let durations =
            self.found_durations[endpoint.0].get_or_init(|| self.durations.get_or_create_owned(&[("endpoint", name)]));
        durations.observe(time.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The constants of [`StatusCode`] that the sources in a folder name, but for those that are of other servers.
    fn add_named(folder: &Path, names: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("src/feed") {
                add_named(&path, names);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let ends = text.split("StatusCode::").skip(1);
                let name =
                    |rest: &str| rest.chars().take_while(|char| char.is_ascii_uppercase() || *char == '_').collect();
                names.extend(ends.map(name).filter(|name: &String| !name.is_empty()));
            }
        }
    }

    #[test]
    fn the_statuses_that_are_given_and_no_others_are_counted_by_themselves() {
        let mut named = BTreeSet::new();
        add_named(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut named);
        let name = |status: &u16| {
            let reason = StatusCode::from_u16(*status).unwrap().canonical_reason().unwrap();
            reason.to_ascii_uppercase().replace(' ', "_")
        };
        assert_eq!(STATUSES.iter().skip(1).map(name).collect::<BTreeSet<_>>(), named);
    }
}
