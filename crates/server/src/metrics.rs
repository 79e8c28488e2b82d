//! What the program counts of itself, as `GET /metrics` tells it.
//!
//! Each part of the program has its own struct, made with the registry that writes it, and shared through [`Metrics`].
//! Names follow Prometheus: base units, `_total` for what only grows. A label's value never comes from a client as it
//! is, so there are never more of them than are written in this source.

mod feed;
mod http;
mod limits;
mod process;

pub use http::{EndpointIdx, HttpMetrics};
pub use limits::{ConnectionMetrics, LimitMetrics, OpenConnection};

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::Registry;

use feed::FeedMetrics;
use process::ProcessMetrics;

/// What all names begin with.
const PREFIX: &str = "linespeed";

/// OpenMetrics 1.0, which Prometheus reads.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Everything that is counted.
#[derive(Debug)]
pub struct Metrics {
    /// Requests and their answers.
    pub http: HttpMetrics,
    /// Connections, whatever is said on them.
    pub connections: ConnectionMetrics,
    /// Limits that clients reach.
    pub limits: LimitMetrics,
    /// The feed and its reloads.
    pub(crate) feed: FeedMetrics,
    process: ProcessMetrics,
    registry: Registry,
}

impl Metrics {
    /// Nothing counted yet; `endpoints` are the names under which requests are counted, by [`EndpointIdx`].
    pub fn new(endpoints: Vec<&'static str>) -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        Self {
            http: HttpMetrics::new(endpoints, &mut registry),
            connections: ConnectionMetrics::new(&mut registry),
            limits: LimitMetrics::new(&mut registry),
            feed: FeedMetrics::new(&mut registry),
            process: ProcessMetrics::new(&mut registry),
            registry,
        }
    }

    /// All of it as text, see [`CONTENT_TYPE`].
    pub fn to_text(&self) -> String {
        self.process.look();
        let mut text = String::new();
        encode(&mut text, &self.registry).expect("writing to a string does not fail");
        text
    }
}
