//! Where connections come in, and what answers them.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tracing::{debug, info, warn};

use crate::http::Handler;
use crate::patience::Impatient;

/// How long a client may take to send the head of a request.
pub(crate) const HEAD_TIME_MAX: Duration = Duration::from_secs(10);

/// What a connection may buffer: at most a request's head, or a piece of an answer.
const BUFFER_BYTES_MAX: usize = 256 << 10;

/// How long a client may take none of its answer's bytes, though some are there.
pub(crate) const WRITE_TIME_MAX: Duration = Duration::from_secs(30);

/// How long to wait when the system has no more sockets to give.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Where connections come in, as many at a time as there are permits.
///
/// A permit is taken before a connection is, so those past the bound wait where they cost this program nothing.
pub(crate) struct Door {
    listener: TcpListener,
    permits: Arc<Semaphore>,
    connections_max: u32,
    /// Whether it was said that all permits are taken, which is said once.
    is_full_told: bool,
    /// Whether the system refused the last connection, so that only changes are said.
    is_failing: bool,
}

impl Door {
    pub(crate) fn new(listener: TcpListener, connections_max: u32) -> Self {
        let permits = Arc::new(Semaphore::new(connections_max as usize));
        Self { listener, permits, connections_max, is_full_told: false, is_failing: false }
    }

    /// The next connection; dropped while it waits, it loses none.
    pub(crate) async fn next(&mut self) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
        if self.permits.available_permits() == 0 && !self.is_full_told {
            self.is_full_told = true;
            warn!("all {} connections are taken, others wait: --connections-max allows more", self.connections_max);
        }
        let permit = Arc::clone(&self.permits).acquire_owned().await.expect("the semaphore is never closed");
        loop {
            match self.listener.accept().await {
                Ok((stream, peer)) => {
                    if std::mem::take(&mut self.is_failing) {
                        info!("connections can be taken again");
                    }
                    return (stream, peer, permit);
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

/// Answers the requests of a connection in a task of its own, until either side ends it.
pub(crate) fn answer_connection(
    stream: TcpStream,
    peer: SocketAddr,
    permit: OwnedSemaphorePermit,
    handler: &Arc<Handler>,
    graceful: &GracefulShutdown,
) {
    if let Err(error) = stream.set_nodelay(true) {
        debug!("{peer}: TCP_NODELAY: {error}");
    }
    let handler = Arc::clone(handler);
    let answer = service_fn(move |request| {
        let handler = Arc::clone(&handler);
        async move { Ok::<_, Infallible>(handler.answer(&request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME_MAX)
        .max_buf_size(BUFFER_BYTES_MAX)
        .serve_connection(TokioIo::new(Impatient::new(stream, WRITE_TIME_MAX)), answer);
    let connection = graceful.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            // With what led to it, which hyper leaves to the chain of sources.
            debug!("{peer}: {:#}", anyhow::Error::new(error));
        }
        drop(permit);
    });
}
