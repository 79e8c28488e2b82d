//! `GET /metrics`: what is counted, and that it is written as Prometheus reads it.

use std::collections::{BTreeMap, BTreeSet};

use crate::client::{Connection, Response, request};
use crate::feed_files::{feed_of_routes, small_feed, write_folder};
use crate::server::Server;

/// The value of the sample that is called so, labels and all.
pub(crate) fn value_of(metrics: &Response, sample: &str) -> u64 {
    let mut lines = metrics.text().lines().filter_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
    let value = lines.next().unwrap_or_else(|| panic!("no {sample} in {}", metrics.text()));
    assert_eq!(lines.next(), None, "{sample} comes twice");
    value.parse::<f64>().unwrap() as u64
}

/// How often a limit was hit so far.
pub(crate) fn limit_hits(server: &Server, label: &str) -> u64 {
    value_of(&Connection::open(server).get("/metrics"), &format!("linespeed_limit_hits_total{{limit=\"{label}\"}}"))
}

/// What is said of a family of samples.
#[derive(Debug, Default)]
struct Family {
    kind: String,
    unit: Option<String>,
    has_help: bool,
    samples: BTreeSet<String>,
}

/// The families by name, each line held against OpenMetrics 1.0.
fn read_families(text: &str) -> BTreeMap<String, Family> {
    assert!(text.ends_with("\n# EOF\n"), "{text}");
    let mut families: BTreeMap<String, Family> = BTreeMap::new();
    let mut current = String::new();
    for line in text.lines().filter(|line| *line != "# EOF") {
        if let Some(comment) = line.strip_prefix("# ") {
            let [keyword, name, rest] = comment.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line:?}") };
            assert!(!rest.is_empty(), "{line:?}");
            if current != name {
                assert!(!families.contains_key(name), "{name} is in two places");
                current = name.to_owned();
            }
            let family = families.entry(name.to_owned()).or_default();
            match keyword {
                "HELP" => family.has_help = true,
                "TYPE" => family.kind = rest.to_owned(),
                "UNIT" => family.unit = Some(rest.to_owned()),
                _ => panic!("{line:?}"),
            }
            continue;
        }
        let (sample, value) = line.rsplit_once(' ').unwrap();
        value.parse::<f64>().unwrap_or_else(|error| panic!("{line:?}: {error}"));
        let (name, labels) = sample.split_once('{').unwrap_or((sample, "}"));
        assert!(labels.ends_with('}') && labels.matches('"').count() % 2 == 0, "{line:?}");
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{line:?}");
        let family = families.get_mut(&current).unwrap_or_else(|| panic!("nothing is said of {line:?}"));
        let suffix = name.strip_prefix(current.as_str()).unwrap_or_else(|| panic!("{line:?} is not of {current}"));
        let suffixes: &[&str] = match family.kind.as_str() {
            "counter" => &["_total"],
            "gauge" => &[""],
            "info" => &["_info"],
            "histogram" => &["_bucket", "_count", "_sum"],
            kind => panic!("{current} is a {kind}"),
        };
        assert!(suffixes.contains(&suffix), "{line:?}");
        assert!(family.samples.insert(sample.to_owned()), "{sample} comes twice");
    }
    families
}

#[test]
fn each_line_is_as_openmetrics_has_it_and_each_name_has_its_unit() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    assert_eq!(connection.get("/schedules/Red").status, 200);
    let response = connection.get("/metrics");
    assert_eq!(
        (response.status, response.header("content-type"), response.header("cache-control")),
        (200, Some("application/openmetrics-text; version=1.0.0; charset=utf-8"), Some("no-store"))
    );
    let head = connection.ask("HEAD", "/metrics", &[]);
    assert_eq!((head.status, head.header("content-type")), (200, response.header("content-type")));
    let families = read_families(response.text());
    for (name, family) in &families {
        println!("{name}: {family:?}");
        assert!(name.starts_with("linespeed_") && family.has_help && !family.samples.is_empty(), "{name}");
        match &family.unit {
            Some(unit) => assert!(["seconds", "bytes"].contains(&unit.as_str()) && name.ends_with(unit), "{name}"),
            None => assert!(!["seconds", "bytes", "time"].iter().any(|end| name.ends_with(end)), "{name} has a unit"),
        }
    }
    for (name, kind) in [
        ("linespeed_build", "info"),
        ("linespeed_connections_accepted", "counter"),
        ("linespeed_connections_open", "gauge"),
        ("linespeed_connections_refused", "counter"),
        ("linespeed_http_compressed_cache_bytes", "gauge"),
        ("linespeed_http_request_duration_seconds", "histogram"),
        ("linespeed_http_requests", "counter"),
        ("linespeed_http_response_bytes", "counter"),
        ("linespeed_limit_hits", "counter"),
        ("linespeed_process_resident_memory_bytes", "gauge"),
        ("linespeed_process_start_time_seconds", "gauge"),
    ] {
        assert_eq!(families.get(name).map(|family| family.kind.as_str()), Some(kind), "{name}");
    }
    let version = format!("linespeed_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(value_of(&response, &version), 1);
    assert!(value_of(&response, "linespeed_process_resident_memory_bytes") > 1 << 20);
    assert!(value_of(&response, "linespeed_process_start_time_seconds") > 1_700_000_000);
}

#[test]
fn requests_are_counted_by_endpoint_method_and_status_and_never_by_what_was_asked() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for number in 0..300 {
        connection.get(&format!("/schedules/unknown{number}"));
        connection.get(&format!("/nothing{number}"));
        connection.ask(&format!("BREW{number}"), "/schedules/Red", &[]);
    }
    connection.get("/schedules/Red");
    connection.ask("HEAD", "/schedules/Red", &[]);
    connection.ask("OPTIONS", "*", &[]);
    let mut refused = Connection::open(&server);
    refused.send(b"GET / HTTP/3.0\r\n");
    assert_eq!(refused.read_response("GET").status, 505);

    let metrics = connection.get("/metrics");
    let counted = |endpoint: &str, method: &str, status: u16| {
        let labels = format!("{{endpoint=\"{endpoint}\",method=\"{method}\",status=\"{status}\"}}");
        value_of(&metrics, &format!("linespeed_http_requests_total{labels}"))
    };
    assert_eq!(counted("/schedules/{route_id}", "GET", 404), 300);
    assert_eq!(counted("unknown", "GET", 404), 300);
    assert_eq!(counted("/schedules/{route_id}", "other", 405), 300);
    assert_eq!(counted("/schedules/{route_id}", "GET", 200), 1);
    assert_eq!(counted("/schedules/{route_id}", "HEAD", 200), 1);
    assert_eq!(counted("unknown", "OPTIONS", 204), 1);
    assert_eq!(counted("refused", "GET", 505), 1);
    let durations = "linespeed_http_request_duration_seconds_count{endpoint=\"/schedules/{route_id}\"}";
    assert_eq!(value_of(&metrics, durations), 602);
    let families = read_families(metrics.text());
    assert_eq!(families["linespeed_http_requests"].samples.len(), 7, "{families:#?}");
}

#[test]
fn what_is_sent_and_kept_is_counted_in_bytes() {
    let long = "a route that is long enough to be compressed ".repeat(100);
    let folder = write_folder(&feed_of_routes(&[long.trim()]));
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let target = format!("/schedules/{}", long.trim().replace(' ', "%20"));
    let before = connection.get("/metrics");
    assert_eq!(value_of(&before, "linespeed_http_compressed_cache_bytes"), 0);
    let plain = connection.get(&target);
    let packed = connection.ask("GET", &target, &[("Accept-Encoding", "gzip")]);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let after = connection.get("/metrics");
    let kept = value_of(&after, "linespeed_http_compressed_cache_bytes");
    let packed_bytes = packed.body.len() as u64;
    assert!((packed_bytes..packed_bytes + 1024).contains(&kept), "{kept} for {packed_bytes} and what finds them");
    let [before_bytes, after_bytes] =
        [&before, &after].map(|metrics| value_of(metrics, "linespeed_http_response_bytes_total"));
    let bodies = (before.body.len() + plain.body.len() + packed.body.len()) as u64;
    assert!((bodies..bodies + 4096).contains(&(after_bytes - before_bytes)), "{before_bytes}, {after_bytes}, {bodies}");
}

#[test]
fn connections_are_counted_while_they_are_open() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    let mut connections: Vec<_> = (0..5).map(|_| Connection::open(&server)).collect();
    for connection in &mut connections {
        connection.send(&request("GET", "/healthz", &[]));
        assert_eq!(connection.read_response("GET").status, 200);
    }
    let metrics = connections[0].get("/metrics");
    assert_eq!(value_of(&metrics, "linespeed_connections_open"), 5);
    assert_eq!(value_of(&metrics, "linespeed_connections_accepted_total"), 5);
}
