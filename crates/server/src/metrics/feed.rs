//! The feed and what has become of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};

use crate::feed::Loaded;
use crate::reload::{Outcome, ReloadStatus};

type Labels = [(&'static str, &'static str); 1];
type Seconds = Gauge<f64, AtomicU64>;

/// What is told of the feed: it is looked up when somebody asks.
#[derive(Debug)]
pub(crate) struct FeedMetrics {
    reloads: Family<Labels, Counter>,
    last_reload_at: Seconds,
    last_reload_time: Seconds,
    loaded_at: Seconds,
    load_time: Seconds,
    rows: Family<Labels, Gauge>,
    problems: Gauge,
    memory: Gauge,
}

impl FeedMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let metrics = Self {
            reloads: Family::default(),
            last_reload_at: Seconds::default(),
            last_reload_time: Seconds::default(),
            loaded_at: Seconds::default(),
            load_time: Seconds::default(),
            rows: Family::default(),
            problems: Gauge::default(),
            memory: Gauge::default(),
        };
        let feed = registry.sub_registry_with_prefix("feed");
        feed.register("reloads", "Reloads that have ended, by outcome", metrics.reloads.clone());
        let of_seconds = [
            (
                "last_reload_timestamp",
                "When the last reload ended, in Unix time; 0 before the first",
                &metrics.last_reload_at,
            ),
            ("last_reload_duration", "How long the last reload took", &metrics.last_reload_time),
            ("loaded_timestamp", "When the feed that is served was loaded, in Unix time", &metrics.loaded_at),
            ("load_duration", "How long loading it took", &metrics.load_time),
        ];
        for (name, help, metric) in of_seconds {
            feed.register_with_unit(name, help, Unit::Seconds, metric.clone());
        }
        feed.register("rows", "What the feed holds, by kind", metrics.rows.clone());
        feed.register("problems", "What is wrong with the feed", metrics.problems.clone());
        feed.register_with_unit("memory", "What the timetable takes in memory", Unit::Bytes, metrics.memory.clone());
        metrics
    }

    /// Takes over what there is to tell of the feed that is served, and of its reloads.
    pub(crate) fn look(&self, loaded: &Loaded, reloads: &ReloadStatus) {
        for outcome in Outcome::ALL {
            let counter = self.reloads.get_or_create_owned(&[("outcome", outcome.name())]);
            counter.inner().store(reloads.count(outcome), Ordering::Relaxed);
        }
        if let Some(last) = &reloads.last {
            self.last_reload_at.set(unix_seconds(last.at));
            self.last_reload_time.set(last.time.as_secs_f64());
        }
        self.loaded_at.set(unix_seconds(loaded.loaded_at));
        self.load_time.set(loaded.load_time.as_secs_f64());
        let counts = loaded.feed.timetable.counts();
        for (kind, count) in [
            ("agencies", counts.agencies as i64),
            ("routes", counts.routes as i64),
            ("services", counts.services as i64),
            ("shapes", counts.shapes as i64),
            ("stop_times", counts.stop_times as i64),
            ("stops", counts.stops as i64),
            ("trips", counts.trips as i64),
        ] {
            self.rows.get_or_create_owned(&[("kind", kind)]).set(count);
        }
        self.problems.set(loaded.feed.report.problem_count() as i64);
        self.memory.set(loaded.feed.timetable.heap_bytes().iter().map(|(_, bytes)| *bytes as i64).sum());
    }
}

fn unix_seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs_f64()
}
