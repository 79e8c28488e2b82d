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
use hyper::{Method, Request, Response, header};

use crate::feed::Loaded;
use crate::reload::ReloadStatus;

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
    /// What has become of the feed until now.
    reloads: ReloadStatus,
    fixed: FixedAnswers,
    gzip_cache: Arc<GzipCache>,
}

/// Answers that are the same for as long as the feed is, so they are made once: making them takes as long as the feed
/// has routes, and would hold up whatever else the thread answers.
#[derive(Clone, Debug)]
struct FixedAnswers {
    page: Arc<Page>,
    routes: Answer,
    feed: Answer,
}

impl Snapshot {
    fn new(loaded: Loaded, reloads: ReloadStatus, gzip_cache: Arc<GzipCache>) -> Arc<Self> {
        let fixed = FixedAnswers {
            page: Arc::new(Page::new(&loaded)),
            routes: routes::answer(&loaded),
            feed: feed_answer::answer(&loaded, &reloads),
        };
        Arc::new(Self { loaded: Arc::new(loaded), reloads, fixed, gzip_cache })
    }
}

impl Handler {
    /// Answers from `loaded`; compressed answers are kept up to `compressed_bytes_max`.
    pub fn new(loaded: Loaded, compressed_bytes_max: usize) -> Self {
        let gzip_cache = Arc::new(GzipCache::new(compressed_bytes_max));
        let snapshot = ArcSwap::new(Snapshot::new(loaded, ReloadStatus::default(), gzip_cache));
        Self { snapshot, compressed_bytes_max }
    }

    /// Answers from `loaded` from now on; requests under way end on the feed that they began with.
    ///
    /// The compressed answers are kept if the timetable is the same.
    pub(crate) fn replace(&self, loaded: Loaded, reloads: ReloadStatus) {
        let former = self.snapshot.load_full();
        let gzip_cache = if loaded.version == former.loaded.version {
            Arc::clone(&former.gzip_cache)
        } else {
            Arc::new(GzipCache::new(self.compressed_bytes_max))
        };
        self.snapshot.store(Snapshot::new(loaded, reloads, gzip_cache));
    }

    /// Tells from now on what has become of the feed, which is the same as before.
    pub(crate) fn tell(&self, reloads: ReloadStatus) {
        let former = self.snapshot.load_full();
        let (loaded, gzip_cache) = (Arc::clone(&former.loaded), Arc::clone(&former.gzip_cache));
        let fixed = FixedAnswers { feed: feed_answer::answer(&loaded, &reloads), ..former.fixed.clone() };
        self.snapshot.store(Arc::new(Snapshot { loaded, reloads, fixed, gzip_cache }));
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
                snapshot.gzip_cache.negotiate(answer, request.headers()).await.into_response(request)
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
