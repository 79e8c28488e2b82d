//! Logs go to standard error; `LINESPEED_LOG` says how much of them.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

/// Where the environment says how much is logged.
const VARIABLE: &str = "LINESPEED_LOG";

/// Starts logging: from `info` on, unless `LINESPEED_LOG` says otherwise (such as `debug` or `linespeed=trace`).
///
/// A value that makes no sense is told on standard error, and is as good as none.
pub fn start() {
    let value = std::env::var_os(VARIABLE).unwrap_or_default();
    let filter = value.to_str().and_then(find_filter).unwrap_or_else(|| {
        let expected = "a level (error, warn, info, debug, trace) or target=level";
        eprintln!(
            "linespeed: {VARIABLE} is {value:?}, expected {expected}, such as {VARIABLE}=debug; logging from info on"
        );
        EnvFilter::new("info")
    });
    let subscriber =
        tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    // A second start, as tests may make, changes nothing.
    let _ = subscriber.with_target(false).try_init();
}

/// The filter that `value` describes; none when it makes no sense.
///
/// A word that is no level would be a target, all of which is shown and nothing else: more likely it is a typing error.
fn find_filter(value: &str) -> Option<EnvFilter> {
    if value.is_empty() {
        return Some(EnvFilter::new("info"));
    }
    let is_sound = |part: &str| part.contains(['=', '[']) || part.trim().parse::<LevelFilter>().is_ok();
    value.split(',').all(is_sound).then(|| EnvFilter::try_new(value).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_makes_no_sense_is_none() {
        for value in ["", "debug", "WARN", "off", "linespeed=trace", "warn,linespeed=debug", "hyper=info, warn"] {
            assert!(find_filter(value).is_some(), "{value:?}");
        }
        for value in ["debgu", "verbose", "linespeed=loud", "debug,lots", "="] {
            assert!(find_filter(value).is_none(), "{value:?}");
        }
    }
}
