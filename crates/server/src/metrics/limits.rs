//! Connections, and the limits that clients reach.

use std::sync::Arc;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::Metrics;
use crate::guard::limits::Limit;

/// Connections, whatever is said on them.
#[derive(Debug, Default)]
pub struct ConnectionMetrics {
    open: Gauge,
    accepted: Counter,
    /// Those that were answered with a 429 only, or not at all.
    pub refused: Counter,
}

/// A connection that is counted as open until this is dropped.
#[derive(Debug)]
pub struct OpenConnection(Arc<Metrics>);

/// How often each limit was reached.
#[derive(Debug)]
pub struct LimitMetrics {
    /// In the order of [`Limit::ALL`].
    hits: [Counter; Limit::ALL.len()],
}

impl ConnectionMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register("connections_open", "Connections that are open now", metrics.open.clone());
        registry.register("connections_accepted", "Connections that were accepted", metrics.accepted.clone());
        registry.register(
            "connections_refused",
            "Connections that were closed at once because their address had too many",
            metrics.refused.clone(),
        );
        metrics
    }

    /// How many are open.
    pub fn open_count(&self) -> u64 {
        u64::try_from(self.open.get()).unwrap_or_default()
    }
}

impl OpenConnection {
    /// Counts a connection.
    pub fn count(metrics: &Arc<Metrics>) -> Self {
        metrics.connections.open.inc();
        metrics.connections.accepted.inc();
        Self(Arc::clone(metrics))
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.connections.open.dec();
    }
}

impl LimitMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let family = Family::<[(&'static str, &'static str); 1], Counter>::default();
        // All from the start, so that a first hit is seen to grow from 0.
        let hits = Limit::ALL.map(|limit| family.get_or_create_owned(&[("limit", limit.label())]));
        registry.register("limit_hits", "How often a client reached a limit, by limit", family);
        Self { hits }
    }

    /// Counts that a client has reached `limit`.
    pub fn on_hit(&self, limit: Limit) {
        self.hits[limit as usize].inc();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_has_a_counter_of_its_own() {
        let mut registry = Registry::default();
        let metrics = LimitMetrics::new(&mut registry);
        for (place, limit) in Limit::ALL.into_iter().enumerate() {
            (0..=place).for_each(|_| metrics.on_hit(limit));
        }
        let mut text = String::new();
        prometheus_client::encoding::text::encode(&mut text, &registry).unwrap();
        for (place, limit) in Limit::ALL.into_iter().enumerate() {
            let line = format!("limit_hits_total{{limit=\"{}\"}} {}", limit.label(), place + 1);
            assert!(text.contains(&line), "{line} is not in {text}");
        }
    }
}
