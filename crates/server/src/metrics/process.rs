//! The process: which release it is, since when it runs, and what it takes.

use std::sync::atomic::AtomicU64;
use std::time::{SystemTime, UNIX_EPOCH};

use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

/// What must be looked up whenever it is asked for.
#[derive(Debug)]
pub(super) struct ProcessMetrics {
    resident_bytes: Gauge<u64, AtomicU64>,
}

impl ProcessMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        registry.register(
            "build",
            "The release that runs",
            Info::new([("version", env!("CARGO_PKG_VERSION").to_owned())]),
        );
        let start_s = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        registry.register_with_unit(
            "process_start_time",
            "When the process started, since 1970",
            Unit::Seconds,
            ConstGauge::new(start_s),
        );
        let resident_bytes = Gauge::default();
        if read_resident_bytes().is_some() {
            registry.register_with_unit(
                "process_resident_memory",
                "Memory of the process that is not swapped out",
                Unit::Bytes,
                resident_bytes.clone(),
            );
        }
        Self { resident_bytes }
    }

    /// Looks up what changes by itself.
    pub(super) fn look(&self) {
        if let Some(bytes) = read_resident_bytes() {
            self.resident_bytes.set(bytes);
        }
    }
}

/// The second number of statm, in pages (proc_pid_statm(5)); none where there is no such file.
fn read_resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}
