//! An answer before it is sent: what it says, how it may be kept, and how it may be compressed.

use std::sync::Arc;

use bytes::Bytes;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use serde::Serialize;
use timetable::{RouteIdx, TripIdx};

use super::body::{Body, ScheduledTrips};
use super::caching::{Caching, Question, Version, is_known_to_client, is_named_by_client};
use super::coding::Coding;
use super::content::{Content, Ready};
use super::endpoints::Asked;
use crate::feed::Loaded;
use crate::metrics::CONTENT_TYPE;

/// The methods that every endpoint has.
pub(super) const ALLOWED: HeaderValue = HeaderValue::from_static("GET, HEAD, OPTIONS");

/// An answer. Copies of it share its bytes.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    status: StatusCode,
    content_type: Option<&'static str>,
    content: Content,
    caching: Caching,
    /// What its tags are made of; none for what never has one, which is then [`Caching::NoStore`].
    version: Option<Version>,
    compression: Compression,
    coding: Coding,
    /// Whether Accept chose the content type, so that another client may get another.
    is_by_accept: bool,
    /// The value of Link (RFC 8288).
    link: Option<HeaderValue>,
}

/// Whether an answer is compressed for those who accept that.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Compression {
    /// Never.
    Never,
    /// For each request anew.
    EachTime,
    /// Once, and then kept for all who have the same question.
    Kept(Question),
}

/// What a compressed answer is kept by, beside its coding.
///
/// The version is in it in case an answer changes while its question stays; the others are, since who knows how
/// versions are hashed could find another question with the same version, and so put one answer in another's place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct AnswerKey {
    version: Version,
    content_type: &'static str,
    question: Question,
}

impl AnswerKey {
    /// What it takes beside its own size.
    pub(super) fn heap_bytes(&self) -> usize {
        self.question.heap_bytes()
    }
}

impl Answer {
    /// Bytes of a version of their own, which are compressed each time.
    fn bytes(content_type: &'static str, bytes: Vec<u8>) -> Self {
        Self {
            status: StatusCode::OK,
            content_type: Some(content_type),
            version: Some(Version::of_bytes(&bytes)),
            content: Content::of_bytes(bytes),
            caching: Caching::Revalidate,
            compression: Compression::EachTime,
            coding: Coding::Identity,
            is_by_accept: false,
            link: None,
        }
    }

    /// Bytes that nobody should keep, neither here nor there.
    fn unkept(status: StatusCode, content_type: Option<&'static str>, bytes: Vec<u8>) -> Self {
        Self {
            status,
            content_type,
            version: None,
            content: Content::of_bytes(bytes),
            caching: Caching::NoStore,
            compression: Compression::Never,
            coding: Coding::Identity,
            is_by_accept: false,
            link: None,
        }
    }

    /// `value` as JSON.
    pub(super) fn json(value: &impl Serialize) -> Self {
        Self::bytes("application/json", to_json(value))
    }

    /// A page.
    pub(super) fn html(page: String) -> Self {
        Self::bytes("text/html; charset=utf-8", page.into_bytes())
    }

    /// A plain text about this moment, which nobody should keep.
    pub(super) fn text(text: &'static str) -> Self {
        Self::unkept(StatusCode::OK, Some("text/plain; charset=utf-8"), text.into())
    }

    /// What the feed that is loaded has to say to `question`, as `content_type`; compressed once and kept so.
    ///
    /// `make` is only called for who needs the bytes or their length: not for a client that has the answer, nor where
    /// it is kept compressed. It must give the same bytes for the same feed, content type and question, since its tags
    /// are made of these; where it looks at the clock as well, [`Caching::NoStore`] leaves the tags out.
    pub(super) fn of_feed(
        loaded: &Loaded,
        content_type: &'static str,
        question: Question,
        make: impl Fn() -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        Self::of_question(loaded.version, content_type, question, Content::Made(Arc::new(make)))
    }

    /// What `make` says to a request, as `content_type`; see [`Answer::of_feed`].
    pub(super) fn of_request(
        asked: &Asked<'_>,
        content_type: &'static str,
        make: impl Fn() -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        Self::of_feed(&asked.snapshot.loaded, content_type, asked.question(), make)
    }

    /// The object that `make` says to a request as JSON.
    pub(super) fn object(asked: &Asked<'_>, make: impl Fn() -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::of_request(asked, "application/json", make).compressed_each_time()
    }

    /// The schedules of these trips, which are of `route`.
    pub(super) fn schedules_of(asked: &Asked<'_>, route: RouteIdx, trips: Arc<[TripIdx]>) -> Self {
        let loaded = &asked.snapshot.loaded;
        let content = Content::of_schedules(ScheduledTrips { loaded: Arc::clone(loaded), route, trips: Some(trips) });
        Self::of_question(loaded.version, "application/json", asked.question(), content)
    }

    /// What the program counts, now.
    pub(super) fn metrics(text: String) -> Self {
        Self::unkept(StatusCode::OK, Some(CONTENT_TYPE), text.into_bytes())
    }

    /// The schedules of `route`.
    pub(super) fn schedules(loaded: &Arc<Loaded>, route: RouteIdx) -> Self {
        let content = Content::of_schedules(ScheduledTrips { loaded: Arc::clone(loaded), route, trips: None });
        Self::of_question(loaded.version, "application/json", Question::Schedules(route), content)
    }

    fn of_question(feed_version: u64, content_type: &'static str, question: Question, content: Content) -> Self {
        Self {
            status: StatusCode::OK,
            content_type: Some(content_type),
            version: Some(Version::of_question(feed_version, content_type, &question)),
            content,
            caching: Caching::Revalidate,
            compression: Compression::Kept(question),
            coding: Coding::Identity,
            is_by_accept: false,
            link: None,
        }
    }

    /// A problem with the request.
    pub(super) fn problem(status: StatusCode, problem: &impl Serialize) -> Self {
        Self::unkept(status, Some("application/problem+json"), to_json(problem))
    }

    /// What can be done here.
    pub(super) fn options() -> Self {
        Self::unkept(StatusCode::NO_CONTENT, None, Vec::new())
    }

    /// The same, to be kept as `caching` has it; what may not be kept there is not kept here either.
    pub(super) fn with_caching(self, caching: Caching) -> Self {
        let answer = Self { caching, ..self };
        if caching == Caching::NoStore { answer.compressed_each_time() } else { answer }
    }

    /// The same, compressed anew each time: for what is small, or so rarely asked for twice that keeping it would only
    /// drive out what is not.
    pub(super) fn compressed_each_time(self) -> Self {
        Self { compression: Compression::EachTime, ..self }
    }

    /// The same, whose content type Accept has chosen.
    pub(super) fn chosen_by_accept(self) -> Self {
        Self { is_by_accept: true, ..self }
    }

    /// The same, followed by what is at `target`, which must be percent-encoded (RFC 8288, 3).
    pub(super) fn with_next(self, target: &str) -> Self {
        let link =
            HeaderValue::try_from(format!("<{target}>; rel=\"next\"")).expect("an encoded target has no controls");
        Self { link: Some(link), ..self }
    }

    /// Whether it may be sent compressed.
    pub(super) fn is_compressible(&self) -> bool {
        self.compression != Compression::Never
    }

    /// What it is kept by once it is compressed; none for what is compressed each time.
    pub(super) fn key(&self) -> Option<AnswerKey> {
        let Compression::Kept(question) = &self.compression else { return None };
        Some(AnswerKey { version: self.version?, content_type: self.content_type?, question: question.clone() })
    }

    /// What is to be said.
    pub(super) fn content(&self) -> &Content {
        &self.content
    }

    /// The same with its content made, if it was not yet, so that it is made once.
    pub(super) fn made(self) -> Self {
        Self { content: Content::Ready(self.content.ready()), ..self }
    }

    /// Whether a client with these `headers` names the answer in `coding`, which then need not be made.
    pub(super) fn is_named_by_client(&self, headers: &HeaderMap, coding: Coding) -> bool {
        // Most clients name none, and the tags of all codings are not worth writing for nothing.
        headers.contains_key(header::IF_NONE_MATCH)
            && self.tag(coding).is_some_and(|tag| is_named_by_client(headers, &tag))
    }

    /// The same with its content in `coding`, which are these `bytes`.
    pub(super) fn coded(self, coding: Coding, bytes: Bytes) -> Self {
        Self { content: Content::Ready(Ready::Bytes(bytes)), coding, ..self }
    }

    fn tag(&self, coding: Coding) -> Option<HeaderValue> {
        self.version.filter(|_| self.caching != Caching::NoStore).map(|version| version.tag(coding))
    }

    /// The response to `request`: without a body if that was a HEAD, or if the client has the content already.
    pub(super) fn into_response<B>(self, request: &Request<B>) -> Response<Body> {
        let mut headers = HeaderMap::with_capacity(8);
        let tag = self.tag(self.coding);
        let is_known = tag.as_ref().is_some_and(|tag| is_known_to_client(request.headers(), tag));
        headers.insert(header::CACHE_CONTROL, self.caching.cache_control());
        if let Some(tag) = tag {
            headers.insert(header::ETAG, tag);
        }
        if let Some(vary) = self.vary() {
            headers.insert(header::VARY, vary);
        }
        // RFC 9110, 15.4.5: with what a client needs to keep what it has, and nothing else about it.
        if self.status == StatusCode::OK && is_known {
            return respond(StatusCode::NOT_MODIFIED, headers, Body::Empty);
        }
        if matches!(self.status, StatusCode::METHOD_NOT_ALLOWED | StatusCode::NO_CONTENT) {
            headers.insert(header::ALLOW, ALLOWED);
        }
        if let Some(link) = self.link {
            headers.insert(header::LINK, link);
        }
        if let Some(coding) = self.coding.content_encoding() {
            headers.insert(header::CONTENT_ENCODING, coding);
        }
        let content = self.content.ready();
        let byte_count = content.byte_count();
        if let Some(content_type) = self.content_type {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
            headers.insert(header::CONTENT_LENGTH, HeaderValue::from(byte_count));
        }
        let body = if request.method() == Method::HEAD { Body::Empty } else { content.into_body(byte_count) };
        respond(self.status, headers, body)
    }

    /// Which headers of a request have chosen among answers (RFC 9110, 12.5.5).
    fn vary(&self) -> Option<HeaderValue> {
        match (self.is_by_accept, self.is_compressible()) {
            (true, true) => Some(HeaderValue::from_static("accept, accept-encoding")),
            (true, false) => Some(HeaderValue::from_static("accept")),
            (false, true) => Some(HeaderValue::from_static("accept-encoding")),
            (false, false) => None,
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// An answer of eleven bytes, and how often it was made.
    fn counted() -> (Answer, Arc<AtomicU32>) {
        let loaded = crate::feed::built_in_city().unwrap();
        let count = Arc::new(AtomicU32::new(0));
        let counter = Arc::clone(&count);
        let make = move || {
            counter.fetch_add(1, Ordering::Relaxed);
            b"hello world".to_vec()
        };
        (Answer::of_feed(&loaded, "text/csv", Question::Other("stops".into()), make), count)
    }

    fn respond_to(answer: &Answer, method: &str, if_none_match: &str) -> Response<Body> {
        let request = Request::builder().method(method).header(header::IF_NONE_MATCH, if_none_match);
        answer.clone().into_response(&request.body(()).unwrap())
    }

    fn header(response: &Response<Body>, name: header::HeaderName) -> Option<&str> {
        response.headers().get(name).map(|value| value.to_str().unwrap())
    }

    #[test]
    fn an_answer_is_not_made_for_a_client_that_has_it() {
        let (answer, count) = counted();
        let full = respond_to(&answer, "GET", "");
        assert_eq!((full.status(), count.load(Ordering::Relaxed)), (StatusCode::OK, 1));
        assert_eq!(header(&full, header::CONTENT_LENGTH), Some("11"));
        let tag = header(&full, header::ETAG).unwrap();
        for method in ["GET", "HEAD"] {
            assert_eq!(respond_to(&answer, method, tag).status(), StatusCode::NOT_MODIFIED);
        }
        assert_eq!(count.load(Ordering::Relaxed), 1, "once, for who had it not");
        let head = respond_to(&answer, "HEAD", "");
        assert_eq!((head.headers(), count.load(Ordering::Relaxed)), (full.headers(), 2), "to tell its length");
    }

    #[test]
    fn each_way_to_be_kept_says_so() {
        let (answer, _) = counted();
        for (caching, cache_control, has_tag) in [
            (Caching::Revalidate, "no-cache", true),
            (Caching::Cacheable { max_age_s: 90 }, "public, max-age=90", true),
            (Caching::NoStore, "no-store", false),
        ] {
            let answer = answer.clone().with_caching(caching);
            let response = respond_to(&answer, "GET", "");
            assert_eq!(header(&response, header::CACHE_CONTROL), Some(cache_control));
            assert_eq!(header(&response, header::ETAG).is_some(), has_tag, "{cache_control}");
            assert_eq!(answer.key().is_some(), has_tag, "{cache_control}: who may not keep it asks that we do not");
            let conditional = respond_to(&answer, "GET", "*");
            assert_eq!(conditional.status() == StatusCode::NOT_MODIFIED, has_tag, "{cache_control}");
            assert_eq!(header(&conditional, header::CACHE_CONTROL), Some(cache_control));
        }
    }

    #[test]
    fn who_pages_is_told_what_comes_next_and_what_chose_the_answer() {
        let (answer, _) = counted();
        assert_eq!(header(&respond_to(&answer, "GET", ""), header::VARY), Some("accept-encoding"));
        let answer = answer.chosen_by_accept().with_next("/stops?after=7");
        let full = respond_to(&answer, "GET", "");
        assert_eq!(header(&full, header::VARY), Some("accept, accept-encoding"));
        assert_eq!(header(&full, header::LINK), Some("</stops?after=7>; rel=\"next\""));
        let known = respond_to(&answer, "GET", header(&full, header::ETAG).unwrap());
        assert_eq!(header(&known, header::VARY), Some("accept, accept-encoding"));
        assert_eq!(header(&known, header::LINK), None, "RFC 9110, 15.4.5: only what caches need");
    }
}
