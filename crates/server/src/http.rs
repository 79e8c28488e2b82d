//! A request in, an answer out: no sockets here.
//!
//! `target` and `query` read what is asked for, `endpoints` says what can be asked for. A handler, such as `departures`,
//! makes the `answer`: what is said (`content`, in pages and formats by `lists`), how it may be kept (`caching`) and how
//! it is sent: whole, compressed, not at all because the client has it. `coding` says in which coding a client wants it,
//! and `compressed` has it in that: `encoder` makes it, `kept` keeps it. `cors` lets pages of the web read it. `body`
//! writes the large answers as they are sent.

mod answer;
mod body;
mod caching;
mod coding;
mod compressed;
mod content;
mod cors;
mod departures;
mod encoder;
mod endpoints;
pub(crate) mod feed_answer;
mod kept;
mod lists;
pub mod measured;
mod openapi;
mod page;
mod problem;
mod query;
mod routes;
mod schedules;
mod services;
mod shapes;
mod snapshot;
mod stops;
mod target;
mod trips;

use answer::Answer;
pub use body::Body;
use compressed::CompressedAnswers;
use endpoints::{Asked, Endpoint};
use problem::Problem;
use snapshot::Snapshot;

use std::sync::Arc;

use arc_swap::ArcSwap;
use hyper::header::HeaderValue;
use hyper::{Method, Request, Response, StatusCode, header};

use crate::feed::Loaded;
use crate::metrics::Metrics;
use crate::reload::ReloadStatus;

/// A domain name (RFC 1035, 2.3.4) with a port is no longer.
const HOST_BYTES_MAX: usize = 255 + ":65535".len();

/// What all requests share.
#[derive(Debug)]
pub struct Handler {
    snapshot: ArcSwap<Snapshot>,
    compressed_bytes_max: usize,
    metrics: Arc<Metrics>,
}

impl Handler {
    /// Answers from `loaded`, and tells what `metrics` have; compressed answers are kept up to `compressed_bytes_max`.
    pub fn new(loaded: Loaded, compressed_bytes_max: usize, metrics: Arc<Metrics>) -> Self {
        let compressed = Arc::new(CompressedAnswers::new(compressed_bytes_max));
        let snapshot = Snapshot::new(loaded, ReloadStatus::default(), compressed);
        Self { snapshot: ArcSwap::from_pointee(snapshot), compressed_bytes_max, metrics }
    }

    /// Answers from `loaded` from now on; requests under way end on the feed that they began with.
    ///
    /// The compressed answers are kept if the timetable is the same.
    pub(crate) fn replace(&self, loaded: Loaded, reloads: ReloadStatus) {
        let former = self.snapshot.load_full();
        let compressed = if loaded.version == former.loaded.version {
            Arc::clone(&former.compressed)
        } else {
            Arc::new(CompressedAnswers::new(self.compressed_bytes_max))
        };
        self.snapshot.store(Arc::new(Snapshot::new(loaded, reloads, compressed)));
    }

    /// Tells from now on what has become of the feed, which is the same as before.
    pub(crate) fn tell(&self, reloads: ReloadStatus) {
        let mut snapshot = Snapshot::clone(&self.snapshot.load_full());
        snapshot.reloads = reloads;
        self.snapshot.store(Arc::new(snapshot));
    }

    /// The feed that is answered from now.
    pub(crate) fn loaded(&self) -> Arc<Loaded> {
        Arc::clone(&self.snapshot.load().loaded)
    }

    /// What has become of the feed until now.
    pub(crate) fn reloads(&self) -> ReloadStatus {
        self.snapshot.load().reloads.clone()
    }

    /// Answers a request, whose body, if any, is not looked at.
    pub async fn answer<B>(&self, request: &Request<B>) -> Response<Body> {
        let mut response = if cors::is_preflight(request) {
            let mut allowed = Answer::options().into_response(request);
            allowed.headers_mut().extend(cors::preflight(answer::ALLOWED));
            allowed
        } else {
            self.respond(request).await
        };
        cors::open(response.headers_mut());
        response
    }

    async fn respond<B>(&self, request: &Request<B>) -> Response<Body> {
        // RFC 9110, 9.3.7: `*` is the server as a whole, and every endpoint has the same methods.
        if request.method() == Method::OPTIONS && request.uri().path() == "*" {
            return Answer::options().into_response(request);
        }
        let snapshot = self.snapshot.load_full();
        let answer = answer(&snapshot, &self.metrics, request).unwrap_or_else(|problem| problem.answer());
        snapshot.compressed.negotiate(answer, request.headers()).await.into_response(request)
    }
}

fn answer<B>(snapshot: &Arc<Snapshot>, metrics: &Metrics, request: &Request<B>) -> Result<Answer, Problem> {
    let path = request.uri().path();
    let (endpoint, id) = Endpoint::find(path)?;
    match *request.method() {
        Method::GET | Method::HEAD => {
            let query = endpoint.read_query(request.uri().query().unwrap_or_default())?;
            let (headers, host) = (request.headers(), host(request));
            endpoint.answer(&Asked { snapshot, metrics, path, id, query, headers, host })
        }
        Method::OPTIONS => Ok(Answer::options()),
        _ => Err(Problem::method_not_allowed(request.method())),
    }
}

/// The answer to what is no request that is taken, after which the connection is closed.
pub(crate) fn refuse<B>(request: &Request<B>, status: StatusCode, detail: &str) -> Response<Body> {
    let mut response = Problem::refused(status, detail).answer().into_response(request);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    cors::open(response.headers_mut());
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
