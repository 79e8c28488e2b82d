//! Which pages of the web may read what is answered here (CORS, <https://fetch.spec.whatwg.org/#http-cors-protocol>).
//!
//! All of them, `*`: an agency's feed is public, nothing here can be changed, and nobody is known by a cookie or a
//! password, so a page of somebody else's learns what anyone learns who asks. A list of origins would only keep honest
//! pages out. With `*` browsers send no credentials, and as the answer is the same for every origin, none needs
//! `Vary: origin`. Who serves a feed that is not public must keep it from browsers that could be led to it, this
//! machine's included, as from any other client that reaches it.

use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request};

/// What a script may read beside what every script may: tags to ask with again, and where a list goes on.
const EXPOSED: HeaderValue = HeaderValue::from_static("etag, link, content-length");

/// What a request may have beside what every one may: anything, as nothing else is looked at. Browsers that take `*` for
/// a name know the others, which are those that make a difference.
const REQUEST_HEADERS: HeaderValue = HeaderValue::from_static("accept, cache-control, if-none-match, *");

/// How long a browser may remember that, in seconds: a day, of which most use two hours.
const MAX_AGE_S: HeaderValue = HeaderValue::from_static("86400");

/// Lets every page read a response with these `headers`.
pub(super) fn open(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}

/// Whether a browser asks on behalf of a page whether it may send another request.
pub(super) fn is_preflight<B>(request: &Request<B>) -> bool {
    request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// What a browser that asks so is told beside what [`open`] says, with the `methods` that there are.
///
/// It is the same for every target: to a page that asks for what is not there, the browser then shows the problem.
pub(super) fn preflight(methods: HeaderValue) -> [(HeaderName, HeaderValue); 3] {
    [
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS),
        (header::ACCESS_CONTROL_MAX_AGE, MAX_AGE_S),
    ]
}
