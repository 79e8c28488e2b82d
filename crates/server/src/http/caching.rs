//! How an answer may be kept, and how a client tells that it has it already.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use hyper::header::{self, HeaderMap, HeaderValue};
use timetable::RouteIdx;

use super::coding::Coding;

/// What our answers look like; to be raised with every change of it, so that no client keeps the former one.
const FORMAT: u32 = 1;

/// How an answer may be kept by those whom it was sent to (RFC 9111, 5.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caching {
    /// It may be kept, and is asked for anew each time: `no-cache`, with a tag. For what only another feed changes.
    Revalidate,
    /// It holds for so many seconds, for anyone, and is asked for anew after them: `public, max-age=…`, with a tag.
    Cacheable {
        /// For how long.
        max_age_s: u32,
    },
    /// It may not be kept: `no-store`, without a tag. For what depends on this moment.
    NoStore,
}

impl Caching {
    /// The value of Cache-Control.
    pub(super) fn cache_control(self) -> HeaderValue {
        match self {
            Self::Revalidate => HeaderValue::from_static("no-cache"),
            Self::Cacheable { max_age_s } => HeaderValue::try_from(format!("public, max-age={max_age_s}"))
                .expect("words and digits are fit for a header"),
            Self::NoStore => HeaderValue::from_static("no-store"),
        }
    }
}

/// What a request asks of a feed, in one spelling: the same question of the same feed has the same answer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// The schedules of a route.
    Schedules(RouteIdx),
    /// Whatever else: the path and what narrows it, in an order of its own.
    Other(Arc<str>),
}

impl Question {
    /// What it takes beside its own size.
    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::Other(text) => text.len(),
            Self::Schedules(_) => 0,
        }
    }
}

/// A number that changes whenever the answer that it is of does (but for one chance in 2^64).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Version(u64);

impl Version {
    /// Of an answer that is these bytes.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let mut hasher = release_hasher(FORMAT, env!("CARGO_PKG_VERSION"));
        hasher.write(bytes);
        Self(hasher.finish())
    }

    /// Of what a feed of `feed_version` has to say to `question` as `content_type`, which need not be written for it.
    pub(super) fn of_question(feed_version: u64, content_type: &str, question: &Question) -> Self {
        let mut hasher = release_hasher(FORMAT, env!("CARGO_PKG_VERSION"));
        (feed_version, content_type, question).hash(&mut hasher);
        Self(hasher.finish())
    }

    /// A strong tag (RFC 9110, 8.8.3): the same answer in another coding has other bytes, so the coding is part of it.
    pub(super) fn tag(self, coding: Coding) -> HeaderValue {
        let (version, suffix) = (self.0, coding.tag_suffix());
        HeaderValue::try_from(format!("\"{version:016x}{suffix}\"")).expect("hexadecimal digits are fit for a header")
    }
}

/// Hashes the version of an answer, which depends on who wrote it: another release may write the same timetable
/// otherwise, and compress the same bytes otherwise.
fn release_hasher(format: u32, release: &str) -> impl Hasher {
    let mut hasher = foldhash::quality::FixedState::with_seed(0).build_hasher();
    hasher.write_u32(format);
    hasher.write(release.as_bytes());
    hasher
}

/// Whether If-None-Match holds `*`, which is any answer that there is, or names `tag` (RFC 9110, 13.1.2).
pub(super) fn is_known_to_client(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    tags_known_to_client(headers).any(|known| known == "*") || is_named_by_client(headers, tag)
}

/// Whether If-None-Match names `tag` (RFC 9110, 13.1.2: weak comparison).
pub(super) fn is_named_by_client(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    tags_known_to_client(headers).any(|known| known.strip_prefix("W/").unwrap_or(known).as_bytes() == tag.as_bytes())
}

fn tags_known_to_client(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_or_a_format_of_its_own_has_tags_of_its_own() {
        let tag = |format, release| {
            let mut hasher = release_hasher(format, release);
            hasher.write_u64(7);
            Version(hasher.finish()).tag(Coding::Identity)
        };
        assert_eq!(tag(1, "0.1.0"), tag(1, "0.1.0"));
        assert_ne!(tag(1, "0.1.0"), tag(2, "0.1.0"));
        assert_ne!(tag(1, "0.1.0"), tag(1, "0.1.1"));
    }

    #[test]
    fn whatever_an_answer_depends_on_changes_its_version() {
        let other = |question: &str| Question::Other(question.into());
        let questions = [other("stops?limit=1"), other("stops?limit=2"), other("stops"), other("")];
        let mut versions = std::collections::HashMap::new();
        for feed_version in [0, 1, u64::MAX] {
            for content_type in ["application/json", "text/csv"] {
                for question in &questions {
                    let of = (feed_version, content_type, question);
                    let version = Version::of_question(feed_version, content_type, question);
                    assert_eq!(version, Version::of_question(feed_version, content_type, &question.clone()));
                    assert_eq!(versions.insert(version, of), None, "{of:?}");
                }
            }
        }
    }
}
