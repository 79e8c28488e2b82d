//! A feed that is fetched over HTTP: into a file without a name, within bounds, and not at all when it is the same.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use anyhow::{Context, anyhow, bail};
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use ureq::{Body, Error, Timeout};

use super::source::FeedUrl;
use crate::progress::Progress;

/// How many times a server may send us elsewhere.
const REDIRECTS_MAX: u32 = 10;

/// What is read at a time.
const PIECE_BYTES: usize = 64 << 10;

/// How much a download may cost at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DownloadLimits {
    pub(crate) byte_count_max: u64,
    /// From the beginning until there is a connection, TLS and names included.
    pub(crate) connect_time_max: Duration,
    /// Without a byte coming or going.
    pub(crate) stall_time_max: Duration,
    /// In all.
    pub(crate) time_max: Duration,
}

/// By what a server tells whether a feed is still the one that it sent (RFC 9110, 8.8).
#[derive(Clone, Debug, Default)]
pub(super) struct Validators {
    etag: Option<HeaderValue>,
    last_modified: Option<HeaderValue>,
}

/// What a server has to say.
pub(super) enum Downloaded {
    /// A feed, in a file that is gone when it is closed.
    Feed(File, Validators),
    /// It is still what it was.
    NotModified,
}

/// Why there is no feed; the text names no URL.
#[derive(Debug)]
pub(super) struct DownloadError {
    pub(super) error: anyhow::Error,
    pub(super) again: Again,
}

/// Whether it is of use to try again soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    /// It would come to the same.
    No,
    /// What was wrong may pass; the server may have asked for so long a pause.
    Soon(Option<Duration>),
}

impl DownloadError {
    fn lasting(error: anyhow::Error) -> Self {
        Self { error, again: Again::No }
    }

    fn passing(error: anyhow::Error) -> Self {
        Self { error, again: Again::Soon(None) }
    }
}

/// Fetches what is at `url`, unless the server says that it is still what has these validators.
pub(super) fn download(
    url: &FeedUrl,
    known: &Validators,
    limits: &DownloadLimits,
    progress: Progress,
) -> Result<Downloaded, DownloadError> {
    const EXPECTED: &str = "expected a URL such as https://a.example/gtfs.zip, with a password's odd characters as %40";
    let uri = url.find_uri().ok_or_else(|| DownloadError::lasting(anyhow!(EXPECTED)))?;
    // An agent for one download only: what it holds for TLS is of no use until the next.
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        // Who asks for an encrypted way is not sent over an open one.
        .https_only(uri.scheme_str() == Some("https"))
        .max_redirects(REDIRECTS_MAX)
        .user_agent(concat!("linespeed/", env!("CARGO_PKG_VERSION")))
        .accept("application/zip, application/octet-stream;q=0.9, */*;q=0.5")
        .accept_encoding("identity")
        .timeout_connect(Some(limits.connect_time_max))
        .timeout_per_read(Some(limits.stall_time_max))
        .timeout_per_write(Some(limits.stall_time_max))
        .timeout_global(Some(limits.time_max))
        .build();
    let mut request = config.new_agent().get(uri);
    for (name, value) in [(header::IF_NONE_MATCH, &known.etag), (header::IF_MODIFIED_SINCE, &known.last_modified)] {
        if let Some(value) = value {
            request = request.header(name, value);
        }
    }
    let response = request.call().map_err(|error| failure(&error, limits))?;
    match response.status() {
        StatusCode::OK => receive(response, limits, progress),
        StatusCode::NOT_MODIFIED if known.etag.is_some() || known.last_modified.is_some() => {
            Ok(Downloaded::NotModified)
        }
        status => Err(refusal(status, response.headers())),
    }
}

/// What an answer without a feed means.
fn refusal(status: StatusCode, headers: &HeaderMap) -> DownloadError {
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

fn receive(response: Response<Body>, limits: &DownloadLimits, progress: Progress) -> Result<Downloaded, DownloadError> {
    let headers = response.headers();
    if let Some(coding) = headers.get(header::CONTENT_ENCODING).filter(|coding| *coding != "identity") {
        return Err(DownloadError::lasting(anyhow!("found the content coding {coding:?}, expected none")));
    }
    let kept = |name| headers.get(name).cloned();
    let validators = Validators { etag: kept(header::ETAG), last_modified: kept(header::LAST_MODIFIED) };
    let length = response.body().content_length();
    if let Some(length) = length.filter(|length| *length > limits.byte_count_max) {
        return Err(DownloadError::lasting(TooLarge { found: length, byte_count_max: limits.byte_count_max }.into()));
    }
    let unwritable = || format!("a temporary file in {} (TMPDIR names the folder)", std::env::temp_dir().display());
    let mut file = tempfile::tempfile().with_context(unwritable).map_err(DownloadError::passing)?;
    // The bound is ours, so that the last byte allowed is told from the first one too many.
    let mut body = response.into_body().into_with_config().limit(u64::MAX).reader();
    let copy = |bytes_done: &AtomicU64| copy(&mut body, &mut file, limits.byte_count_max, bytes_done);
    let byte_count = progress.show("downloading the feed", length, copy).map_err(|error| match error {
        CopyError::Read(error) => failure(&Error::from(error), limits),
        CopyError::Write(error) => DownloadError::passing(anyhow::Error::new(error).context(unwritable())),
        CopyError::TooLarge(error) => DownloadError::lasting(error.into()),
    })?;
    whole(byte_count, length).map_err(DownloadError::passing)?;
    Ok(Downloaded::Feed(file, validators))
}

fn whole(byte_count: u64, length: Option<u64>) -> anyhow::Result<()> {
    match length {
        Some(length) if length != byte_count => bail!("found {byte_count} bytes, expected {length}"),
        _ => Ok(()),
    }
}

/// Why bytes were not copied to their end.
#[derive(Debug)]
enum CopyError {
    Read(io::Error),
    Write(io::Error),
    TooLarge(TooLarge),
}

/// More bytes than are allowed.
#[derive(Debug)]
struct TooLarge {
    /// How many there are at least.
    found: u64,
    byte_count_max: u64,
}

impl std::error::Error for TooLarge {}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { found, byte_count_max } = self;
        let mib = byte_count_max >> 20;
        write!(f, "found {found} bytes and perhaps more, expected at most {mib} MiB: --download-mib-max allows more")
    }
}

/// Copies up to `byte_count_max` bytes and says how many there were.
fn copy(
    body: &mut impl Read,
    out: &mut impl Write,
    byte_count_max: u64,
    bytes_done: &AtomicU64,
) -> Result<u64, CopyError> {
    let mut piece = vec![0; PIECE_BYTES];
    let mut byte_count = 0;
    loop {
        let count = match body.read(&mut piece) {
            Ok(0) => return Ok(byte_count),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(CopyError::Read(error)),
        };
        byte_count += count as u64;
        if byte_count > byte_count_max {
            return Err(CopyError::TooLarge(TooLarge { found: byte_count, byte_count_max }));
        }
        out.write_all(&piece[..count]).map_err(CopyError::Write)?;
        bytes_done.store(byte_count, Ordering::Relaxed);
    }
}

/// What an error of the transfer means. The texts are ours: those of others may show a URL.
fn failure(error: &Error, limits: &DownloadLimits) -> DownloadError {
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
        Error::Protocol(error) => (format!("found no good HTTP: {error}"), again),
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
    fn the_last_byte_allowed_is_taken_and_the_next_is_not() {
        for (byte_count, byte_count_max, is_taken) in
            [(0, 0, true), (1, 0, false), (PIECE_BYTES, PIECE_BYTES, true), (PIECE_BYTES + 1, PIECE_BYTES, false)]
        {
            let mut out = Vec::new();
            let body = vec![7; byte_count];
            let copied = copy(&mut body.as_slice(), &mut out, byte_count_max as u64, &AtomicU64::new(0));
            assert_eq!(copied.is_ok(), is_taken, "{byte_count} of {byte_count_max}");
            assert!(out.len() <= byte_count_max);
        }
    }

    #[test]
    fn a_disk_that_becomes_full_is_told_from_a_server_that_fails() {
        struct Full(usize);
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                let count = bytes.len().min(self.0);
                self.0 -= count;
                if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
            }

            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let body = vec![7; 3 * PIECE_BYTES];
        for room in [0, 1, PIECE_BYTES, body.len() - 1] {
            let error = copy(&mut body.as_slice(), &mut Full(room), u64::MAX, &AtomicU64::new(0)).unwrap_err();
            assert!(
                matches!(&error, CopyError::Write(error) if error.kind() == io::ErrorKind::StorageFull),
                "{error:?}"
            );
        }
        assert!(copy(&mut body.as_slice(), &mut Full(body.len()), u64::MAX, &AtomicU64::new(0)).is_ok());
    }

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

    #[test]
    fn a_body_that_is_too_short_or_too_long_is_not_whole() {
        assert!(whole(3, Some(3)).is_ok() && whole(3, None).is_ok());
        assert!(whole(2, Some(3)).is_err() && whole(4, Some(3)).is_err());
    }
}
