//! Times as they stand in arguments and in the environment.

use std::time::Duration;

use anyhow::bail;

use crate::feed::Source;

/// Longer times are a mistake in the unit, and some are past the end of the system's clock.
pub(super) const TIME_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// How often a path may be looked at: a look costs calls to the system, and a change is read only once it rests.
const REFRESH_MIN: Duration = Duration::from_millis(100);

/// How often a URL may be looked at: each look is a request to somebody's server.
const REFRESH_OF_URL_MIN: Duration = Duration::from_secs(1);

/// How often to look whether a feed has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refresh {
    /// Never.
    Off,
    /// Every so often: 100 ms to 24 h.
    Every(Duration),
}

impl Refresh {
    /// Fails when `source` is a URL that would be asked for more often than once a second.
    ///
    /// Apart from reading it, since an argument does not know of the others.
    pub(crate) fn hold_limit(self, source: &Source) -> anyhow::Result<()> {
        match (self, source) {
            (Self::Every(time), Source::Url(_)) if time < REFRESH_OF_URL_MIN => {
                bail!("found --refresh {time:?}, expected at least {REFRESH_OF_URL_MIN:?} for a URL")
            }
            _ => Ok(()),
        }
    }
}

/// A time such as `10s`, `300ms` or `1m30s`: longer than nothing, and at most [`TIME_MAX`].
pub(super) fn read_time(text: &str) -> Result<Duration, String> {
    read_time_from(Duration::from_nanos(1), text)
}

/// The same of at least `min`.
fn read_time_from(min: Duration, text: &str) -> Result<Duration, String> {
    let time = text.parse::<jiff::SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    time.filter(|time| (min..=TIME_MAX).contains(time))
        .ok_or_else(|| format!("expected a time from {min:?} to 24h, such as 60s, 300ms or 1m30s"))
}

/// A time, or a word for never.
pub(super) fn read_refresh(text: &str) -> Result<Refresh, String> {
    match text {
        "0" | "off" => Ok(Refresh::Off),
        text => read_time_from(REFRESH_MIN, text).map(Refresh::Every).map_err(|error| format!("{error}, or off")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_and_is_neither_nothing_nor_for_ever() {
        for (text, time) in [
            ("1ns", Duration::from_nanos(1)),
            ("10s", Duration::from_secs(10)),
            ("300ms", Duration::from_millis(300)),
            ("1m30s", Duration::from_secs(90)),
            ("1h 30m", Duration::from_secs(5400)),
            ("24h", TIME_MAX),
        ] {
            assert_eq!(read_time(text), Ok(time), "{text}");
        }
        for text in [
            "",
            "10",
            "0s",
            "-1s",
            "25h",
            "24h 1ns",
            "9223372036854775807s",
            "9223372036854775808s",
            "s",
            "10 parsecs",
            "1 month",
        ] {
            let error = read_time(text).unwrap_err();
            assert!(error.contains("from 1ns to 24h") && error.contains("such as 60s"), "{text}: {error}");
        }
    }

    #[test]
    fn a_feed_is_looked_at_every_so_often_or_never() {
        for (text, refresh) in [
            ("0", Refresh::Off),
            ("off", Refresh::Off),
            ("100ms", Refresh::Every(REFRESH_MIN)),
            ("5m", Refresh::Every(Duration::from_secs(300))),
            ("24h", Refresh::Every(TIME_MAX)),
        ] {
            assert_eq!(read_refresh(text), Ok(refresh), "{text}");
        }
        for text in ["", "5", "OFF", "0s", "1ns", "99ms", "25h", "-5m"] {
            let error = read_refresh(text).unwrap_err();
            assert!(error.contains("from 100ms to 24h") && error.ends_with("or off"), "{text}: {error}");
        }
    }

    #[test]
    fn a_url_is_looked_at_less_often_than_a_path_may_be() {
        let held = |text, source: &str| read_refresh(text).unwrap().hold_limit(&source.parse().unwrap());
        for text in ["off", "1s", "5m"] {
            assert!(held(text, "https://a.example/gtfs.zip").is_ok(), "{text}");
        }
        for text in ["100ms", "999ms"] {
            assert!(held(text, "gtfs.zip").is_ok(), "{text}");
            let error = held(text, "https://a.example/gtfs.zip").unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("at least 1s for a URL"), "{error}");
        }
    }
}
