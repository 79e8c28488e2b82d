//! A request in, an answer out: no sockets here.
//!
//! `target` reads what is asked for, `endpoints` says what can be asked for, `answer` finds what is to be said and
//! how it is sent: whole, compressed, not at all because the client has it. `caching` says how it may be kept, `coding`
//! in which coding a client wants it, and `compressed` has it in that: `encoder` makes it, `kept` keeps it. `cors` lets
//! pages of the web read it. `body` writes the large answers as they are sent.

mod answer;
mod body;
mod caching;
mod coding;
mod compressed;
mod cors;
mod encoder;
mod endpoints;
pub(crate) mod feed_answer;
mod kept;
mod page;
mod problem;
mod routes;
mod target;

use answer::Answer;
pub use body::Body;
use compressed::CompressedAnswers;
use endpoints::Endpoint;
use page::Page;

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

/// A feed and what has been made of it. A request keeps the one that it began with, so no answer is of two feeds.
#[derive(Debug)]
struct Snapshot {
    loaded: Arc<Loaded>,
    fixed: FixedAnswers,
    compressed: Arc<CompressedAnswers>,
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
        let compressed = Arc::new(CompressedAnswers::new(compressed_bytes_max));
        Arc::new(Self { loaded: Arc::new(loaded), fixed, compressed })
    }
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
        let endpoint = match Endpoint::find(request.uri().path()) {
            Ok(endpoint) => endpoint,
            Err(problem) => return problem.answer().into_response(request),
        };
        match *request.method() {
            Method::GET | Method::HEAD => {
                let snapshot = self.snapshot.load_full();
                let answer = endpoint.answer(&snapshot.loaded, &snapshot.fixed, host(request));
                snapshot.compressed.negotiate(answer, request.headers()).await.into_response(request)
            }
            Method::OPTIONS => Answer::options().into_response(request),
            _ => problem::Problem::method_not_allowed(request.method()).answer().into_response(request),
        }
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
