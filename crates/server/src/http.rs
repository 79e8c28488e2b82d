//! A request in, an answer out: no sockets here.
//!
//! `target` reads what is asked for, `endpoints` says what can be asked for, `answer` finds what is to be said and
//! how it is sent: whole, compressed, not at all because the client has it. `body` writes the large answers as they
//! are sent.

mod answer;
mod body;
mod caching;
mod coding;
mod departures;
mod endpoints;
pub(crate) mod feed_answer;
mod gzip;
mod lists;
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
use endpoints::{Asked, Endpoint};
use problem::Problem;
use query::Query;
use snapshot::Snapshot;

use std::sync::Arc;

use arc_swap::ArcSwap;
use hyper::{Method, Request, Response, header};

use crate::feed::Loaded;

/// A domain name (RFC 1035, 2.3.4) with a port is no longer.
const HOST_BYTES_MAX: usize = 255 + ":65535".len();

/// What all requests share.
#[derive(Debug)]
pub struct Handler {
    snapshot: ArcSwap<Snapshot>,
    compressed_bytes_max: usize,
}

impl Handler {
    /// Answers from `loaded`; compressed answers are kept up to `compressed_bytes_max`.
    pub fn new(loaded: Loaded, compressed_bytes_max: usize) -> Self {
        let snapshot = ArcSwap::new(Snapshot::new(loaded, compressed_bytes_max));
        Self { snapshot, compressed_bytes_max }
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
        let snapshot = self.snapshot.load_full();
        let answer = answer(&snapshot, request).unwrap_or_else(|problem| problem.answer());
        snapshot.gzip_cache.negotiate(answer, request.headers()).await.into_response(request)
    }
}

fn answer<B>(snapshot: &Arc<Snapshot>, request: &Request<B>) -> Result<Answer, Problem> {
    let path = request.uri().path();
    let (endpoint, id) = Endpoint::find(path)?;
    match *request.method() {
        Method::GET | Method::HEAD => {
            let parameters = endpoint.all_parameters();
            // Where there is nothing to narrow, what follows the question mark is only there to pass by a cache.
            let query = request.uri().query().filter(|_| !parameters.is_empty()).unwrap_or_default();
            let query = Query::read(query, &parameters)?;
            endpoint.answer(&Asked { snapshot, path, id, query, headers: request.headers(), host: host(request) })
        }
        Method::OPTIONS => Ok(Answer::options()),
        _ => Err(Problem::method_not_allowed(request.method())),
    }
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
