//! Logs go to standard error; `LINESPEED_LOG` says how much of them.

use tracing_subscriber::EnvFilter;

/// Starts logging: from `info` on, unless `LINESPEED_LOG` says otherwise (such as `debug` or `linespeed=trace`).
pub fn start() {
    let filter = EnvFilter::try_from_env("LINESPEED_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    let is_terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(is_terminal);
    // A second start, as tests may make, changes nothing.
    let _ = subscriber.with_target(false).try_init();
}
