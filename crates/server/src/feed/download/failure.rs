//! What goes wrong with downloads, said in our words, and whether it may pass.

use std::io;
use std::time::{Duration, SystemTime};

use anyhow::anyhow;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use ureq::{Error, Timeout};

use super::DownloadLimits;

/// How many times a server may send us elsewhere.
pub(super) const REDIRECTS_MAX: u32 = 10;

/// Why there is no feed; the text names no URL.
#[derive(Debug)]
pub(in crate::feed) struct DownloadError {
    pub(in crate::feed) error: anyhow::Error,
    pub(in crate::feed) again: Again,
}

/// Whether it is of use to try again soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::feed) enum Again {
    /// It would come to the same.
    No,
    /// What was wrong may pass; the server may have asked for so long a pause.
    Soon(Option<Duration>),
}

impl DownloadError {
    pub(super) fn lasting(error: anyhow::Error) -> Self {
        Self { error, again: Again::No }
    }

    pub(super) fn passing(error: anyhow::Error) -> Self {
        Self { error, again: Again::Soon(None) }
    }
}

/// What an answer without a feed means.
pub(super) fn refusal(status: StatusCode, headers: &HeaderMap) -> DownloadError {
    let error = anyhow!("found status {status}, expected a feed");
    let may_pass = status.is_server_error()
        || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_EARLY | StatusCode::TOO_MANY_REQUESTS);
    let asked = headers.get(header::RETRY_AFTER).and_then(|value| pause_asked(value, SystemTime::now()));
    DownloadError { error, again: if may_pass { Again::Soon(asked) } else { Again::No } }
}

/// What Retry-After asks for: seconds, or until a date (RFC 9110, 10.2.3).
fn pause_asked(value: &HeaderValue, now: SystemTime) -> Option<Duration> {
    let value = value.to_str().ok()?;
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(value).ok()?;
    SystemTime::from(date).duration_since(now).ok()
}

/// What an error of the transfer means. The texts are ours: those of others may show a URL.
pub(super) fn failure(error: &Error, limits: &DownloadLimits) -> DownloadError {
    let seconds = |time: Duration| time.as_secs_f64();
    let again = Again::Soon(None);
    let (text, again) = match error {
        Error::Timeout(Timeout::PerRead | Timeout::PerWrite) => {
            (format!("nothing came for {} s (--download-stall-max)", seconds(limits.stall_time_max)), again)
        }
        Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
            (format!("no connection within {} s (--download-connect-max)", seconds(limits.connect_time_max)), again)
        }
        Error::Timeout(_) => {
            (format!("it was not done within {} s (--download-time-max)", seconds(limits.time_max)), again)
        }
        Error::HostNotFound => ("the host was not found".to_owned(), again),
        Error::ConnectionFailed => ("no connection".to_owned(), again),
        Error::ConnectProxyFailed(_) => ("the proxy of the environment made no connection".to_owned(), again),
        Error::InvalidProxyUrl => ("the proxy of the environment has no valid URL".to_owned(), Again::No),
        Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            ("the server closed the connection before the end".to_owned(), again)
        }
        Error::Io(error) => (error.to_string(), again),
        // Its own words may hold a redirect's URL as the server sent it.
        Error::Protocol(_) => ("found an answer or a redirect that is no good HTTP".to_owned(), again),
        Error::Rustls(error) => (format!("TLS: {error}"), Again::No),
        Error::Tls(error) => (format!("TLS: {error}"), Again::No),
        Error::TooManyRedirects => (format!("found over {REDIRECTS_MAX} redirects in a row"), Again::No),
        Error::RedirectFailed => ("found a redirect that leads nowhere".to_owned(), Again::No),
        Error::RequireHttpsOnly(_) => ("found a redirect from https to http".to_owned(), Again::No),
        Error::BadUri(_) => ("found no good URL, there or in a redirect".to_owned(), Again::No),
        Error::LargeResponseHeader(..) => ("found a head that is too large".to_owned(), Again::No),
        _ => ("the transfer failed".to_owned(), again),
    };
    DownloadError { error: anyhow!(text), again }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_tried_again_and_what_will_not_is_not() {
        for (status, is_tried_again) in [
            (408, true),
            (425, true),
            (429, true),
            (500, true),
            (503, true),
            (400, false),
            (401, false),
            (404, false),
            (410, false),
            (206, false),
        ] {
            let refusal = refusal(StatusCode::from_u16(status).unwrap(), &HeaderMap::new());
            assert_eq!(refusal.again != Again::No, is_tried_again, "{status}");
            assert!(refusal.error.to_string().contains(&status.to_string()), "{}", refusal.error);
        }
    }

    #[test]
    fn a_pause_may_be_asked_for_in_seconds_or_by_a_date() {
        // RFC 9110, 5.6.7: this is 784,111,777 seconds after 1970.
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_700);
        for (value, seconds) in [
            ("120", Some(120)),
            ("0", Some(0)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(77)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", None),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            let asked = pause_asked(&HeaderValue::from_static(value), now);
            assert_eq!(asked, seconds.map(Duration::from_secs), "{value:?}");
        }
    }
}
