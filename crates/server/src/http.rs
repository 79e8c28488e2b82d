//! A request in, an answer out: no sockets here.
//!
//! [`target`] reads what is asked for, [`Endpoint`] says what can be asked for, [`answer`] finds what is to be said and
//! how it is sent: whole, compressed, not at all because the client has it. [`body`] writes the large answers as they
//! are sent.

pub mod answer;
mod body;
mod endpoints;
pub(crate) mod feed_answer;
mod gzip;
mod page;
mod problem;
mod routes;
pub mod target;

pub use body::Body;
pub use endpoints::Endpoint;
use gzip::GzipCache;

use std::sync::Arc;

use hyper::{Method, Request, Response};

use crate::feed::Loaded;

/// What all requests share.
#[derive(Debug)]
pub struct Handler {
    loaded: Arc<Loaded>,
    gzip_cache: Arc<GzipCache>,
}

impl Handler {
    /// Answers from `loaded`; compressed answers are kept up to `gzip_bytes_max`.
    pub fn new(loaded: Loaded, gzip_bytes_max: usize) -> Self {
        Self { loaded: Arc::new(loaded), gzip_cache: Arc::new(GzipCache::new(gzip_bytes_max)) }
    }

    /// The feed that is answered from.
    pub fn loaded(&self) -> &Loaded {
        &self.loaded
    }

    /// Answers a request, whose body, if any, is not looked at.
    pub async fn answer<B>(&self, request: &Request<B>) -> Response<Body> {
        // RFC 9110, 9.3.7: `*` is the server as a whole, and every endpoint has the same methods.
        if request.method() == Method::OPTIONS && request.uri().path() == "*" {
            return answer::Answer::options().into_response(request);
        }
        let endpoint = match Endpoint::find(request.uri().path()) {
            Ok(endpoint) => endpoint,
            Err(problem) => return problem.answer().into_response(request),
        };
        match *request.method() {
            Method::GET | Method::HEAD => {
                let answer = endpoint.answer(&self.loaded);
                self.gzip_cache.negotiate(answer, request.headers()).await.into_response(request)
            }
            Method::OPTIONS => answer::Answer::options().into_response(request),
            _ => problem::Problem::method_not_allowed(request.method()).answer().into_response(request),
        }
    }
}
