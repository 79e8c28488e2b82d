//! A feed that is fetched over HTTP: into a file without a name, within bounds, and not at all when it is the same.

mod failure;

pub(super) use failure::{Again, DownloadError};
use failure::{REDIRECTS_MAX, failure, refusal};

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use http::{HeaderValue, Response, StatusCode, header};
use ureq::config::RedirectAuthHeaders;
use ureq::{Body, Error};

use super::credentials;
use super::source::FeedUrl;
use crate::progress::Progress;

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

/// Fetches what is at `url`, unless the server says that it is still what has these validators.
pub(super) fn download(
    url: &FeedUrl,
    known: &Validators,
    limits: &DownloadLimits,
    progress: Progress,
) -> Result<Downloaded, DownloadError> {
    const EXPECTED: &str = "expected a URL such as https://user:password@a.example/gtfs.zip, in which odd characters of user \
        and password, and an @ after the host, stand as %40";
    let uri_and_user = url.find_uri().and_then(credentials::part);
    let (uri, authorization) = uri_and_user.ok_or_else(|| DownloadError::lasting(anyhow!(EXPECTED)))?;
    // An agent for one download only: what it holds for TLS is of no use until the next.
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        // Who asks for an encrypted way is not sent over an open one.
        .https_only(uri.scheme_str() == Some("https"))
        .max_redirects(REDIRECTS_MAX)
        // Another host is never told who asks.
        .redirect_auth_headers(RedirectAuthHeaders::SameHost)
        .user_agent(concat!("linespeed/", env!("CARGO_PKG_VERSION")))
        .accept("application/zip, application/octet-stream;q=0.9, */*;q=0.5")
        .accept_encoding("identity")
        .timeout_connect(Some(limits.connect_time_max))
        .timeout_per_read(Some(limits.stall_time_max))
        .timeout_per_write(Some(limits.stall_time_max))
        .timeout_global(Some(limits.time_max))
        .build();
    let mut request = config.new_agent().get(uri);
    for (name, value) in [
        (header::AUTHORIZATION, &authorization),
        (header::IF_NONE_MATCH, &known.etag),
        (header::IF_MODIFIED_SINCE, &known.last_modified),
    ] {
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
    fn a_body_that_is_too_short_or_too_long_is_not_whole() {
        assert!(whole(3, Some(3)).is_ok() && whole(3, None).is_ok());
        assert!(whole(2, Some(3)).is_err() && whole(4, Some(3)).is_err());
    }
}
