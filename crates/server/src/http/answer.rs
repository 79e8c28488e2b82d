//! An answer before it is sent: what it says, how long it is, and how a client can tell that it has it already.

use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde::Serialize;
use timetable::RouteIdx;

use super::body::{Body, SchedulesBody};
use super::gzip::GzipKey;
use crate::feed::Loaded;
use crate::metrics::CONTENT_TYPE;

/// The methods that every endpoint has.
const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");

/// What our JSON looks like; to be raised with every change of it, so that no client keeps the former one.
const FORMAT: u32 = 1;

/// An answer. Copies of it share its bytes.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    status: StatusCode,
    content_type: Option<&'static str>,
    content: Content,
    /// A number that changes whenever the content does; none for what must not be kept.
    version: Option<u64>,
    coding: Coding,
    /// What the compressed content is kept by; none for what is not worth keeping.
    gzip_key: Option<GzipKey>,
}

/// What is said.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Bytes that are there.
    Bytes(Bytes),
    /// The schedules of a route, written as they are sent.
    Schedules(Arc<Loaded>, RouteIdx),
}

/// How the content is coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    /// As it is; whoever asks for gzip may get it.
    Identity,
    Gzip,
    /// As it is, whoever asks.
    IdentityAlways,
}

impl Answer {
    fn bytes(content_type: &'static str, bytes: Vec<u8>) -> Self {
        let mut hasher = release_hasher(FORMAT, env!("CARGO_PKG_VERSION"));
        hasher.write(&bytes);
        Self {
            status: StatusCode::OK,
            content_type: Some(content_type),
            content: Content::Bytes(bytes.into()),
            version: Some(hasher.finish()),
            coding: Coding::Identity,
            gzip_key: None,
        }
    }

    /// `value` as JSON, whose compressed form is kept by `gzip_key`.
    pub(super) fn json(value: &impl Serialize, gzip_key: GzipKey) -> Self {
        Self { gzip_key: Some(gzip_key), ..Self::bytes("application/json", to_json(value)) }
    }

    /// A page.
    pub(super) fn html(page: String) -> Self {
        Self::bytes("text/html; charset=utf-8", page.into_bytes())
    }

    /// A plain text about this moment, which nobody should keep.
    pub(super) fn text(text: &'static str) -> Self {
        let content_type = Some("text/plain; charset=utf-8");
        Self { content_type, version: None, ..Self::bytes("", text.into()) }
    }

    /// What the program counts, now.
    pub(super) fn metrics(text: String) -> Self {
        Self { version: None, coding: Coding::IdentityAlways, ..Self::bytes(CONTENT_TYPE, text.into_bytes()) }
    }

    /// The schedules of `route`.
    pub(super) fn schedules(loaded: &Arc<Loaded>, route: RouteIdx) -> Self {
        let mut hasher = release_hasher(FORMAT, env!("CARGO_PKG_VERSION"));
        hasher.write_u64(loaded.version);
        Self {
            status: StatusCode::OK,
            content_type: Some("application/json"),
            content: Content::Schedules(Arc::clone(loaded), route),
            version: Some(hasher.finish()),
            coding: Coding::Identity,
            gzip_key: Some(GzipKey::Schedules(route)),
        }
    }

    /// A problem with the request.
    pub(super) fn problem(status: StatusCode, problem: &impl Serialize) -> Self {
        Self {
            status,
            version: None,
            coding: Coding::IdentityAlways,
            ..Self::bytes("application/problem+json", to_json(problem))
        }
    }

    /// What can be done here.
    pub(super) fn options() -> Self {
        let status = StatusCode::NO_CONTENT;
        Self {
            status,
            content_type: None,
            version: None,
            coding: Coding::IdentityAlways,
            ..Self::bytes("", Vec::new())
        }
    }

    /// The content, if it may be sent compressed, and what it is then kept by.
    pub(super) fn compressible(&self) -> Option<(Option<GzipKey>, &Content)> {
        (self.coding == Coding::Identity && self.version.is_some()).then_some((self.gzip_key, &self.content))
    }

    /// Whether a client with these `headers` has the compressed content, which then need not be made.
    pub(super) fn is_known_compressed(&self, headers: &HeaderMap) -> bool {
        self.version.is_some_and(|version| is_known_to_client(headers, &entity_tag(version, Coding::Gzip)))
    }

    /// The same answer with its content compressed to `bytes`.
    pub(super) fn gzipped(self, bytes: Bytes) -> Self {
        Self { content: Content::Bytes(bytes), coding: Coding::Gzip, ..self }
    }

    /// The response to `request`: without a body if that was a HEAD, or if the client has the content already.
    pub(super) fn into_response<B>(self, request: &Request<B>) -> Response<Body> {
        let mut headers = HeaderMap::with_capacity(8);
        if let Some(version) = self.version {
            headers.insert(header::ETAG, entity_tag(version, self.coding));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        } else {
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        if self.coding != Coding::IdentityAlways {
            headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if matches!(self.status, StatusCode::METHOD_NOT_ALLOWED | StatusCode::NO_CONTENT) {
            headers.insert(header::ALLOW, ALLOWED);
        }
        let tag = headers.get(header::ETAG);
        if self.status == StatusCode::OK && tag.is_some_and(|tag| is_known_to_client(request.headers(), tag)) {
            return respond(StatusCode::NOT_MODIFIED, headers, Body::Empty);
        }
        let byte_count = self.content.byte_count();
        if let Some(content_type) = self.content_type {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(byte_count));
        }
        if self.coding == Coding::Gzip {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        let body = if request.method() == Method::HEAD { Body::Empty } else { self.content.into_body(byte_count) };
        respond(self.status, headers, body)
    }
}

impl Content {
    pub(super) fn byte_count(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Schedules(loaded, route) => loaded.feed.timetable.schedules(*route).byte_count(),
        }
    }

    /// All of it, piece by piece.
    pub(super) fn into_pieces(self) -> impl Iterator<Item = Bytes> {
        let byte_count = self.byte_count();
        let mut body = self.into_body(byte_count);
        std::iter::from_fn(move || body.next_piece())
    }

    fn into_body(self, byte_count: u64) -> Body {
        match self {
            Self::Bytes(bytes) => Body::Bytes(bytes),
            Self::Schedules(loaded, route) => Body::Schedules(SchedulesBody::new(loaded, route, byte_count)),
        }
    }
}

fn respond(status: StatusCode, headers: HeaderMap, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

fn to_json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("what we answer has string keys only and no error of its own")
}

/// Hashes the version of an answer, which depends on who wrote it: another release may write the same timetable
/// otherwise, and compress the same bytes otherwise.
fn release_hasher(format: u32, release: &str) -> impl Hasher {
    let mut hasher = foldhash::quality::FixedState::with_seed(0).build_hasher();
    hasher.write_u32(format);
    hasher.write(release.as_bytes());
    hasher
}

/// A strong tag (RFC 9110, 8.8.3): the content's version and its coding; the target is part of what it tags anyway.
fn entity_tag(version: u64, coding: Coding) -> HeaderValue {
    let suffix = if coding == Coding::Gzip { "-gzip" } else { "" };
    HeaderValue::try_from(format!("\"{version:016x}{suffix}\"")).expect("hexadecimal digits are fit for a header")
}

/// Whether If-None-Match names `tag` (RFC 9110, 13.1.2: weak comparison).
fn is_known_to_client(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let values = headers.get_all(header::IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    let mut tags = values.flat_map(|value| value.split(',')).map(str::trim);
    tags.any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known).as_bytes() == tag.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_or_a_format_of_its_own_has_tags_of_its_own() {
        let tag = |format, release| {
            let mut hasher = release_hasher(format, release);
            hasher.write_u64(7);
            entity_tag(hasher.finish(), Coding::Identity)
        };
        assert_eq!(tag(1, "0.1.0"), tag(1, "0.1.0"));
        assert_ne!(tag(1, "0.1.0"), tag(2, "0.1.0"));
        assert_ne!(tag(1, "0.1.0"), tag(1, "0.1.1"));
    }
}
