//! Where connections come in, how many of them, and what answers them.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::{Body as _, Incoming};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tracing::{debug, info, warn};

use crate::guard::addresses::{AddressPlace, Addresses};
use crate::guard::limits::Limit;
use crate::guard::refusal::Refusal;
use crate::guard::stream::{Guarded, Next, RefusalSlot, Rules};
use crate::http::{self, Body, Handler, measured};
use crate::metrics::OpenConnection;

/// What hyper may buffer for a connection: a request, or a piece of an answer.
pub(crate) const BUFFER_BYTES_MAX: usize = 256 << 10;

/// As many header fields hyper takes if it is not told otherwise.
const HYPER_HEADER_FIELDS_MAX: usize = 100;

/// How many connections the system holds until they are accepted, if it lets us have so many. Whoever comes when there
/// is no room tries again after a second, and so would the next healthy client of a storm: the usual 128 are soon there.
pub(crate) const BACKLOG: u32 = 4096;

/// How long to wait when the system has no more sockets to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How many connections are still taken when the door closes, so that a stream of new ones does not keep it open.
const LAST_ARRIVALS_MAX: usize = BACKLOG as usize;

/// How many clients at a time are told that their address has too many connections; others are closed unanswered.
const FAREWELLS_MAX: usize = 64;

/// Where connections come in, as many at a time as there are permits, and as many of an address as it may have.
///
/// A permit is taken before a connection is, so those past the bound wait where they cost this program nothing.
pub(crate) struct Door {
    listener: TcpListener,
    rules: Arc<Rules>,
    permits: Arc<Semaphore>,
    addresses: Arc<Addresses>,
    farewells: Arc<Semaphore>,
    connections_max: u32,
    /// Whether all permits were taken when the last connection came.
    is_full: bool,
    /// Whether it was said that all permits are taken, which is said once.
    is_full_told: bool,
    /// Whether the system refused the last connection, so that only changes are said.
    is_failing: bool,
}

/// A connection that came in.
pub(crate) struct Arrival {
    stream: TcpStream,
    peer: SocketAddr,
    place: Place,
}

/// What a connection takes, given back when it is dropped.
enum Place {
    /// One of all connections, and one of its address.
    Taken { _permit: OwnedSemaphorePermit, _address: AddressPlace, _open: OpenConnection },
    /// Only long enough to be told why there is none.
    Farewell { refusal: Refusal, _farewell: OwnedSemaphorePermit },
}

/// The end of all connections: each ends what is under way, and begins nothing new.
///
/// Each connection holds receivers; none is left once all have ended.
pub(crate) struct Drain(watch::Sender<()>);

impl Door {
    pub(crate) fn new(
        listener: TcpListener,
        rules: Arc<Rules>,
        connections_max: u32,
        connections_per_address_max: u32,
    ) -> Self {
        Self {
            listener,
            rules,
            permits: Arc::new(Semaphore::new(connections_max as usize)),
            addresses: Addresses::new(connections_per_address_max),
            farewells: Arc::new(Semaphore::new(FAREWELLS_MAX)),
            connections_max,
            is_full: false,
            is_full_told: false,
            is_failing: false,
        }
    }

    /// The next connection; dropped while it waits, it loses none.
    pub(crate) async fn next(&mut self) -> Arrival {
        loop {
            let permit = self.permit().await;
            let (stream, peer) = self.accept().await;
            if let Some(arrival) = self.admit(permit, stream, peer) {
                return arrival;
            }
        }
    }

    /// Closes the door behind those who already stand before it, as far as there are places for them: closing alone
    /// would reset their connections, on which a request may have come. It waits for nobody.
    ///
    /// Fails when the system cannot tell who stands there.
    pub(crate) fn close(self) -> io::Result<Vec<Arrival>> {
        // Asked directly: the runtime may not have been told of them yet.
        let listener = std::net::TcpListener::from(self.listener.as_fd().try_clone_to_owned()?);
        let mut arrivals = Vec::new();
        for _ in 0..LAST_ARRIVALS_MAX {
            let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else { break };
            let accepted = listener.accept().and_then(|(stream, peer)| {
                stream.set_nonblocking(true)?;
                Ok((TcpStream::from_std(stream)?, peer))
            });
            match accepted {
                Ok((stream, peer)) => arrivals.extend(self.admit(permit, stream, peer)),
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => debug!("a connection: {error}"),
                // Nobody is left, or the system has no more sockets.
                Err(_) => break,
            }
        }
        Ok(arrivals)
    }

    /// What becomes of a connection that was accepted; none for one that is closed without a word.
    fn admit(&self, permit: OwnedSemaphorePermit, stream: TcpStream, peer: SocketAddr) -> Option<Arrival> {
        let place = match self.addresses.take(peer.ip()) {
            Some(address) => {
                let open = OpenConnection::count(&self.rules.metrics);
                Place::Taken { _permit: permit, _address: address, _open: open }
            }
            None => {
                let refusal = Refusal::too_many_connections(self.addresses.connections_max());
                self.rules.metrics.connections.refused.inc();
                match Arc::clone(&self.farewells).try_acquire_owned() {
                    Ok(farewell) => Place::Farewell { refusal, _farewell: farewell },
                    Err(_) => {
                        self.rules.metrics.limits.on_hit(Limit::ConnectionsPerAddress);
                        return None;
                    }
                }
            }
        };
        Some(Arrival { stream, peer, place })
    }

    /// Permission for one more connection, once there is any.
    async fn permit(&mut self) -> OwnedSemaphorePermit {
        if self.permits.available_permits() == 0 && !std::mem::replace(&mut self.is_full, true) {
            self.rules.metrics.limits.on_hit(Limit::Connections);
            if !std::mem::replace(&mut self.is_full_told, true) {
                let connections_max = self.connections_max;
                warn!("all {connections_max} connections are taken, others wait: --connections-max allows more");
            }
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        self.is_full = false;
        permit
    }

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            match self.listener.accept().await {
                Ok(accepted) => {
                    if std::mem::take(&mut self.is_failing) {
                        info!("connections can be taken again");
                    }
                    return accepted;
                }
                // The client left before its turn; the next may be there.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => debug!("a connection: {error}"),
                Err(error) => {
                    if !std::mem::replace(&mut self.is_failing, true) {
                        warn!("no connection can be taken, trying again until one can: {error}");
                    }
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

impl Drain {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(()))
    }

    /// Has every connection end, and waits until they have.
    pub(crate) async fn all(self) {
        self.0.send_replace(());
        self.0.closed().await;
    }
}

/// Answers the requests of a connection in a task of its own, until either side ends it.
pub(crate) fn answer_connection(arrival: Arrival, rules: &Arc<Rules>, handler: &Arc<Handler>, drain: &Drain) {
    let Arrival { stream, peer, place } = arrival;
    if let Err(error) = stream.set_nodelay(true) {
        debug!("{peer}: TCP_NODELAY: {error}");
    }
    let mut guarded = Guarded::new(stream, rules, drain.0.subscribe());
    if let Place::Farewell { refusal, .. } = &place {
        // With a body, also to what would be a HEAD: nothing is read of what it asks, and nothing follows that a client
        // could take the body for.
        guarded.refuse(refusal.clone());
    }
    let (rules, handler) = (Arc::clone(rules), Arc::clone(handler));
    // One is for waiting, which takes note of the drain; the other is for asking whether it has begun.
    let (mut drain, is_draining) = (drain.0.subscribe(), drain.0.subscribe());
    tokio::spawn(async move {
        let first = heeding(&mut drain, poll_fn(|context| guarded.poll_request(context))).await;
        match first {
            // What hyper needs is made only now: it takes a buffer before it reads anything. Boxed, since most of the time
            // a task that waits for its first request needs no room for it.
            Ok(Next::Request) => {
                let service = Service { rules, handler, refusal: guarded.refusal_slot(), is_draining };
                Box::pin(answer_requests(guarded, peer, Arc::new(service), drain)).await;
            }
            Ok(Next::End) => {}
            Err(error) => debug!("{peer}: {error}"),
        }
        drop(place);
    });
}

/// What answers the requests of one connection.
struct Service {
    rules: Arc<Rules>,
    handler: Arc<Handler>,
    refusal: RefusalSlot,
    is_draining: watch::Receiver<()>,
}

async fn answer_requests(
    mut guarded: Guarded<TcpStream>,
    peer: SocketAddr,
    service: Arc<Service>,
    mut drain: watch::Receiver<()>,
) {
    let header_fields_max = service.rules.requests.header_fields_max;
    let answer = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, Infallible>(service.answer(request).await) }
    });
    let mut builder = http1::Builder::new();
    // The guard hands over one whole request after the other, and says when there are no more.
    builder.half_close(true).header_read_timeout(None).max_buf_size(BUFFER_BYTES_MAX);
    // To set it costs an allocation for each request.
    if header_fields_max > HYPER_HEADER_FIELDS_MAX {
        builder.max_headers(header_fields_max);
    }
    let connection = builder.serve_connection(TokioIo::new(&mut guarded), answer);
    // Boxed, so that hyper's buffers are gone while the guard lingers: thousands of clients may be refused at once.
    match heeding(&mut drain, Box::pin(connection)).await {
        Ok(()) => guarded.linger().await,
        // With what led to it, which hyper leaves to the chain of sources.
        Err(error) => debug!("{peer}: {:#}", anyhow::Error::new(error)),
    }
}

impl Service {
    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let begun = Instant::now();
        let (head, mut body) = request.into_parts();
        // No endpoint wants a body. All of it is there, and only a connection whose requests are read to their ends can
        // be kept.
        while let Some(Ok(_)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {}
        let request = Request::from_parts(head, ());
        let is_substitute = request.uri().path() == "*" && request.method() != Method::OPTIONS;
        let refusal = if is_substitute { self.refusal.take() } else { None };
        let (endpoint, mut response) = match refusal {
            Some(refusal) => (measured::REFUSED, http::refuse(&request, refusal.status, &refusal.detail)),
            None => (measured::endpoint_of(request.uri().path()), self.handler.answer(&request).await),
        };
        // What began before may end, but the client is to know that nothing more will.
        if self.is_draining.has_changed().unwrap_or(true) {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        self.rules.metrics.http.on_answer(endpoint, request.method(), response.status(), begun.elapsed());
        response
    }
}

/// Runs `future` to its end, and has it look about it once the drain begins.
async fn heeding<F: Future>(drain: &mut watch::Receiver<()>, future: F) -> F::Output {
    let mut future = pin!(future);
    tokio::select! {
        output = &mut future => return output,
        _ = drain.changed() => {}
    }
    future.await
}
