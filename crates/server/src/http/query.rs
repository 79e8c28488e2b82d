//! The parameters of a request: what follows the question mark of its target.

use std::str::FromStr;

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};

use super::problem::Problem;
use super::target::decode;

/// What a path may not have as it is (RFC 3986, 3.3), though clients send it; a percent sign begins what is encoded
/// already.
const NOT_OF_A_PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The parameters of a request, decoded; each comes once, and none is empty.
#[derive(Debug, Default)]
pub(super) struct Query {
    pairs: Vec<(&'static str, String)>,
}

impl Query {
    /// Reads `name=value&…`; a parameter without a value is as good as none, as forms send those that are not filled in.
    ///
    /// Fails for a name that is not among `names`, and for one that comes twice.
    pub(super) fn read(text: &str, names: &[&'static str]) -> Result<Self, Problem> {
        let mut query = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let decoded = |part: &str| decode(&part.replace('+', " ")).map_err(|part| Problem::bad_encoding(&part));
            let (name, value) = (decoded(name)?, decoded(value)?);
            let Some(name) = names.iter().find(|known| **known == name) else {
                return Err(Problem::unknown_parameter(&name, names));
            };
            if value.is_empty() {
                continue;
            }
            if query.find(name).is_some() {
                return Err(Problem::bad_parameter(name, &value, "the parameter once"));
            }
            query.pairs.push((name, value));
        }
        // In one order, so that the same question has one spelling.
        query.pairs.sort_unstable();
        Ok(query)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The value of `name`.
    pub(super) fn find(&self, name: &str) -> Option<&str> {
        self.pairs.iter().find(|(found, _)| *found == name).map(|(_, value)| value.as_str())
    }

    /// The value of `name`, without which the request makes no sense.
    pub(super) fn get(&self, name: &'static str, expected: &str) -> Result<&str, Problem> {
        self.find(name).ok_or_else(|| Problem::missing_parameter(name, expected))
    }

    /// The value of `name` as `read` understands it, if it is given.
    pub(super) fn find_as<T>(
        &self,
        name: &'static str,
        expected: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        let Some(value) = self.find(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| Problem::bad_parameter(name, value, expected))
    }

    /// direction_id, which is 0 or 1.
    pub(super) fn direction_id(&self) -> Result<Option<u8>, Problem> {
        self.find_as("direction_id", "0 or 1", |value| match value {
            "0" => Some(0),
            "1" => Some(1),
            _ => None,
        })
    }

    /// date, a day of service.
    pub(super) fn date(&self) -> Result<Option<Date>, Problem> {
        self.find_as("date", "a date as YYYY-MM-DD", read_date)
    }

    /// The target of the same request with another value for `name`.
    pub(super) fn target_with(&self, path: &str, name: &'static str, value: &str) -> String {
        let others = self.pairs.iter().filter(|(found, _)| *found != name);
        let pairs = others.map(|(name, value)| (*name, value.as_str())).chain([(name, value)]);
        target(path, pairs)
    }

    /// The request as text, in one spelling.
    pub(super) fn target(&self, path: &str) -> String {
        target(path, self.pairs.iter().map(|(name, value)| (*name, value.as_str())))
    }
}

fn target<'q>(path: &str, pairs: impl Iterator<Item = (&'static str, &'q str)>) -> String {
    let mut target = utf8_percent_encode(path, NOT_OF_A_PATH).to_string();
    for (position, (name, value)) in pairs.enumerate() {
        target.push(if position == 0 { '?' } else { '&' });
        target.push_str(name);
        target.push('=');
        target.extend(utf8_percent_encode(value, NON_ALPHANUMERIC));
    }
    target
}

/// A date as `YYYY-MM-DD` or as GTFS has it, `YYYYMMDD`.
fn read_date(text: &str) -> Option<Date> {
    let is_date = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') && text.len() <= 10;
    Date::from_str(text).ok().filter(|_| is_date(text))
}

/// An instant: RFC 3339, or a date and time of `time_zone`.
///
/// A time that clocks pass over counts as if they had not been changed, one that they show twice as the first.
pub(super) fn read_instant(text: &str, time_zone: &TimeZone) -> Option<Timestamp> {
    // The library passes over a zone in brackets where it reads a local time, and RFC 3339 has none.
    if text.contains('[') {
        return None;
    }
    // In a query a plus sign stands for a space, and few think of it when they write an offset.
    let with_plus = text.replace(' ', "+");
    let instant = Timestamp::from_str(text).or_else(|_| Timestamp::from_str(&with_plus)).ok();
    instant.or_else(|| time_zone.to_timestamp(DateTime::from_str(text).ok()?).ok())
}

/// A duration: ISO 8601 such as `PT90M`, or `90m`, `2h`, `1h 30m`.
pub(super) fn read_duration(text: &str) -> Option<SignedDuration> {
    SignedDuration::from_str(text).ok().filter(|duration| duration.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_put_in_order() {
        let query = Query::read("q=north+station&&limit=%32&after=", &["limit", "q", "after"]).unwrap();
        assert_eq!(
            (query.find("q"), query.find("limit"), query.find("after")),
            (Some("north station"), Some("2"), None)
        );
        assert_eq!(query.target("/stops"), "/stops?limit=2&q=north%20station");
        assert_eq!(query.target_with("/stops", "after", "ä"), "/stops?limit=2&q=north%20station&after=%C3%A4");
        assert_eq!(Query::default().target("/stops/%C3%A4ä+\x7f\"/routes"), "/stops/%C3%A4%C3%A4+%7F%22/routes");
    }

    #[test]
    fn what_is_unknown_or_twice_or_no_text_is_refused() {
        for text in ["limmit=2", "limit=1&limit=2", "limit=%zz", "limit=%ff", "=1", "LIMIT=1"] {
            assert!(Query::read(text, &["limit"]).is_err(), "{text}");
        }
    }

    #[test]
    fn instants_are_read_with_an_offset_or_in_the_zone_of_the_agency() {
        let time_zone = TimeZone::get("America/New_York").unwrap();
        for (text, instant) in [
            ("2026-11-21T10:00:00-05:00", "2026-11-21T15:00:00Z"),
            ("2026-11-21T10:00:00 01:00", "2026-11-21T09:00:00Z"),
            ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
            ("2026-11-21T10:00", "2026-11-21T15:00:00Z"),
            ("2026-11-21 10:00:30", "2026-11-21T15:00:30Z"),
            ("2026-11-21", "2026-11-21T05:00:00Z"),
            // Shown twice, passed over.
            ("2026-11-01T01:30", "2026-11-01T05:30:00Z"),
            ("2026-03-08T02:30", "2026-03-08T07:30:00Z"),
        ] {
            assert_eq!(read_instant(text, &time_zone), Some(instant.parse().unwrap()), "{text}");
        }
        for text in [
            "",
            "now",
            "10:00",
            "2026-13-01T00:00",
            "2026-11-21T25:00",
            "20261121T100000+99:00",
            "2026-11-21T10:00[Europe/Berlin]",
        ] {
            assert_eq!(read_instant(text, &time_zone), None, "{text}");
        }
    }

    #[test]
    fn dates_and_durations_are_read_or_refused() {
        assert_eq!(read_date("2026-11-21"), read_date("20261121"));
        assert!(read_date("2026-11-21").is_some());
        for text in ["2026-02-30", "2026-11-21T00:00", "21.11.2026", "", "-002026-11-21"] {
            assert_eq!(read_date(text), None, "{text}");
        }
        for text in ["90m", "PT90M", "1h 30m", "5400s"] {
            assert_eq!(read_duration(text), Some(SignedDuration::from_mins(90)), "{text}");
        }
        for text in ["", "90", "-1h", "0s", "2 fortnights"] {
            assert_eq!(read_duration(text), None, "{text}");
        }
    }
}
