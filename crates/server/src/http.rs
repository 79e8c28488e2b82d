//! A request in, an answer out: no sockets here.
//!
//! `target` reads what is asked for, `endpoints` says what can be asked for, `answer` finds what is to be said and
//! how it is sent: whole, compressed, not at all because the client has it. `body` writes the large answers as they
//! are sent.

mod answer;
mod body;
mod endpoints;
pub(crate) mod feed_answer;
mod gzip;
pub mod measured;
mod page;
mod problem;
mod routes;
mod target;

use answer::Answer;
pub use body::Body;
use endpoints::Endpoint;
use gzip::GzipCache;
use page::Page;

use std::sync::Arc;

use arc_swap::ArcSwap;
use hyper::header::HeaderValue;
use hyper::{Method, Request, Response, StatusCode, header};

use crate::feed::Loaded;
use crate::metrics::Metrics;

/// A domain name (RFC 1035, 2.3.4) with a port is no longer.
const HOST_BYTES_MAX: usize = 255 + ":65535".len();

/// What all requests share.
#[derive(Debug)]
pub struct Handler {
    snapshot: ArcSwap<Snapshot>,
    compressed_bytes_max: usize,
    metrics: Arc<Metrics>,
}

/// A feed and what has been made of it. A request keeps the one that it began with, so no answer is of two feeds.
#[derive(Debug)]
struct Snapshot {
    loaded: Arc<Loaded>,
    fixed: FixedAnswers,
    gzip_cache: Arc<GzipCache>,
}

/// Answers that are the same for as long as the feed is, so they are made once: making them takes as long as the feed
/// has routes, and would hold up whatever else the thread answers.
#[derive(Debug)]
struct FixedAnswers {
    page: Page,
    routes: Answer,
    feed: Answer,
}

impl Snapshot {
    fn new(loaded: Loaded, compressed_bytes_max: usize) -> Arc<Self> {
        let fixed = FixedAnswers {
            page: Page::new(&loaded),
            routes: routes::answer(&loaded),
            feed: feed_answer::answer(&loaded),
        };
        let gzip_cache = Arc::new(GzipCache::new(compressed_bytes_max));
        Arc::new(Self { loaded: Arc::new(loaded), fixed, gzip_cache })
    }
}

impl Handler {
    /// Answers from `loaded`, and tells what `metrics` have; compressed answers are kept up to `compressed_bytes_max`.
    pub fn new(loaded: Loaded, compressed_bytes_max: usize, metrics: Arc<Metrics>) -> Self {
        let snapshot = ArcSwap::new(Snapshot::new(loaded, compressed_bytes_max));
        Self { snapshot, compressed_bytes_max, metrics }
    }

    /// Answers from `loaded` from now on; requests under way end on the feed that they began with.
    pub fn replace(&self, loaded: Loaded) {
        self.snapshot.store(Snapshot::new(loaded, self.compressed_bytes_max));
    }

    /// Answers a request, whose body, if any, is not looked at.
    pub async fn answer<B>(&self, request: &Request<B>) -> Response<Body> {
        // RFC 9110, 9.3.7: `*` is the server as a whole, and every endpoint has the same methods.
        if request.method() == Method::OPTIONS && request.uri().path() == "*" {
            return Answer::options().into_response(request);
        }
        let endpoint = match Endpoint::find(request.uri().path()) {
            Ok(endpoint) => endpoint,
            Err(problem) => return problem.answer().into_response(request),
        };
        match *request.method() {
            Method::GET | Method::HEAD => {
                let snapshot = self.snapshot.load_full();
                if endpoint == Endpoint::Metrics {
                    let kept_bytes = snapshot.gzip_cache.kept_bytes();
                    self.metrics.http.compressed_cache_bytes.set(kept_bytes as i64);
                    return Answer::metrics(self.metrics.to_text()).into_response(request);
                }
                let answer = endpoint.answer(&snapshot.loaded, &snapshot.fixed, host(request));
                snapshot.gzip_cache.negotiate(answer, request.headers()).await.into_response(request)
            }
            Method::OPTIONS => Answer::options().into_response(request),
            _ => problem::Problem::method_not_allowed(request.method()).answer().into_response(request),
        }
    }
}

/// The answer to what is no request that is taken, after which the connection is closed.
pub(crate) fn refuse<B>(request: &Request<B>, status: StatusCode, detail: &str) -> Response<Body> {
    let mut response = problem::Problem::refused(status, detail).answer().into_response(request);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// The name by which the client reaches this program: in the target, otherwise in Host (RFC 9112, 3.2.2).
///
/// None for what is no plain name or address with a port: it is shown within a command for a shell.
fn host<B>(request: &Request<B>) -> Option<&str> {
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let host = authority.or_else(|| request.headers().get(header::HOST)?.to_str().ok())?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    (!host.is_empty() && host.len() <= HOST_BYTES_MAX && host.bytes().all(is_plain)).then_some(host)
}
