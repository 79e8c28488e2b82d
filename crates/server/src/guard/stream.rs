//! A socket of which hyper sees whole requests only.

use std::future::poll_fn;
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::StatusCode;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep_until};

use super::framing::{Framing, Verdict};
use super::limits::{Limit, RequestLimits, TimeLimits};
use super::patience::Impatient;
use super::refusal::Refusal;
use crate::metrics::Metrics;

/// How much is read at a time, into the stack: a connection on which nothing came has no buffer.
const READ_BYTES: usize = 4096;

/// A buffer that grew beyond this is given back once its request is handed on.
const KEPT_BYTES_MAX: usize = 4096;

/// How long, and for how many bytes, what a refused client still sends is read and dropped. Closing a socket that has
/// unread bytes resets the connection, which can take the answer away from the client that was about to read it.
const LINGER_TIME_MAX: Duration = Duration::from_secs(2);
const LINGER_BYTES_MAX: usize = 4 << 20;

/// How long bytes are waited for once the program is about to end. A request may have come of which nobody has been told
/// yet: the system tells of it and of the signal in any order.
const LAST_LOOK_TIME: Duration = Duration::from_millis(10);

/// Requests that only the guard can make, since it refuses `*` with any other method than OPTIONS.
const SUBSTITUTE_GET: &[u8] = b"GET * HTTP/1.1\r\nConnection: close\r\n\r\n";
const SUBSTITUTE_HEAD: &[u8] = b"HEAD * HTTP/1.1\r\nConnection: close\r\n\r\n";

/// What the guards of all connections share.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) requests: RequestLimits,
    pub(crate) times: TimeLimits,
    pub(crate) metrics: Arc<Metrics>,
}

/// Why the substitute stands where a request should be; whoever answers that takes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefusalSlot(Arc<Mutex<Option<Refusal>>>);

/// A stream that hands on whole requests, each once hyper is done with the one before.
///
/// Invariant: `handed <= whole <= buffer.len()`. The bytes before `whole` are a request that may be handed on, of which
/// those before `handed` have been; those from `whole` on have come after it. The buffer holds at most a head, a body
/// and what one read brings.
pub(crate) struct Guarded<S> {
    stream: Impatient<S>,
    rules: Arc<Rules>,
    /// Whether the program is about to end.
    drain: watch::Receiver<()>,
    refusal: RefusalSlot,
    state: State,
    framing: Framing,
    buffer: Vec<u8>,
    handed: usize,
    whole: usize,
    /// When the first byte of the request came, or, while there is none, when the waiting for it began.
    since: Instant,
    /// Until when a first byte is waited for at most, once the program is about to end.
    last_look_end: Option<Instant>,
    /// Made by the first wait, and moved as seldom as can be: it may ring early, never late.
    timer: Option<Pin<Box<Sleep>>>,
    /// Bytes dropped after the last answer.
    dropped_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    /// A refusal waits for its answer; nothing more is taken.
    Refused,
    /// There is nothing more to read.
    Ended,
}

/// What became of waiting for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// One is there, or a refusal in its place.
    Request,
    /// None will come.
    End,
}

impl RefusalSlot {
    /// The refusal that is to be answered, if there is one.
    pub(crate) fn take(&self) -> Option<Refusal> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, refusal: Refusal) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(refusal);
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Guarded<S> {
    pub(crate) fn new(stream: S, rules: &Arc<Rules>, drain: watch::Receiver<()>) -> Self {
        Self {
            stream: Impatient::new(stream, rules.times),
            rules: Arc::clone(rules),
            drain,
            refusal: RefusalSlot::default(),
            state: State::Open,
            framing: Framing::new(rules.requests),
            buffer: Vec::new(),
            handed: 0,
            whole: 0,
            since: Instant::now(),
            last_look_end: None,
            timer: None,
            dropped_bytes: 0,
        }
    }

    /// Where the refusal stands that the substitute is about.
    pub(crate) fn refusal_slot(&self) -> RefusalSlot {
        self.refusal.clone()
    }

    /// Takes no request, or no further one: has `refusal` answered in place of it.
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        if let Some(limit) = refusal.limit {
            self.rules.metrics.limits.on_hit(limit);
        }
        self.refusal.put(refusal);
        // An empty line may stand before a request (RFC 9112, 2.2).
        let request = self.buffer.strip_prefix(b"\r\n").unwrap_or(&self.buffer);
        let substitute = if request.starts_with(b"HEAD ") { SUBSTITUTE_HEAD } else { SUBSTITUTE_GET };
        self.buffer = substitute.to_vec();
        (self.handed, self.whole) = (0, self.buffer.len());
        self.state = State::Refused;
    }

    /// Waits until a request is there that may be handed on.
    pub(crate) fn poll_request(&mut self, context: &mut Context<'_>) -> Poll<io::Result<Next>> {
        loop {
            if self.handed < self.whole {
                return Poll::Ready(Ok(Next::Request));
            }
            if self.state != State::Open {
                return Poll::Ready(Ok(Next::End));
            }
            match self.framing.look(&self.buffer) {
                Verdict::Whole(byte_count) => self.whole = byte_count,
                Verdict::Refused(refusal) => self.refuse(refusal),
                Verdict::NeedMore => match self.poll_read_more(context) {
                    Poll::Ready(outcome) => outcome?,
                    Poll::Pending => ready!(self.poll_waiting(context)),
                },
            }
        }
    }

    /// Reads what has come of a request.
    fn poll_read_more(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut space = [MaybeUninit::uninit(); READ_BYTES];
        let mut space = ReadBuf::uninit(&mut space);
        ready!(Pin::new(&mut self.stream).poll_read(context, &mut space))?;
        match (space.filled(), self.buffer.is_empty()) {
            ([], true) => self.state = State::Ended,
            ([], false) => self.refuse(self.framing.cut_off()),
            (bytes, is_first) => {
                if is_first {
                    self.since = Instant::now();
                }
                self.buffer.extend_from_slice(bytes);
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Ends the waiting for bytes once it has taken too long, or is in vain.
    fn poll_waiting(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let TimeLimits { request_time_max, idle_time_max, .. } = self.rules.times;
        if !self.buffer.is_empty() {
            ready!(self.poll_timer(self.since + request_time_max, context));
            let detail = format!("found no whole request after {request_time_max:?}, expected one within that time");
            self.refuse(Refusal::over(Limit::RequestTime, StatusCode::REQUEST_TIMEOUT, detail));
            return Poll::Ready(());
        }
        // A sender that is gone drains as well.
        if self.drain.has_changed().unwrap_or(true) {
            let end = *self.last_look_end.get_or_insert_with(|| Instant::now() + LAST_LOOK_TIME);
            ready!(self.poll_timer(end, context));
        } else {
            ready!(self.poll_timer(self.since + idle_time_max, context));
            self.rules.metrics.limits.on_hit(Limit::IdleTime);
        }
        self.state = State::Ended;
        Poll::Ready(())
    }

    fn poll_timer(&mut self, deadline: Instant, context: &mut Context<'_>) -> Poll<()> {
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if timer.deadline() > deadline {
            timer.as_mut().reset(deadline);
        }
        while timer.as_mut().poll(context).is_ready() {
            if timer.deadline() >= deadline {
                return Poll::Ready(());
            }
            timer.as_mut().reset(deadline);
        }
        Poll::Pending
    }

    /// Makes room for the next request: hyper has all of this one.
    fn begin_next(&mut self) {
        self.buffer.drain(..self.whole);
        if self.buffer.is_empty() && self.buffer.capacity() > KEPT_BYTES_MAX {
            self.buffer = Vec::new();
        }
        (self.handed, self.whole) = (0, 0);
        self.framing = Framing::new(self.rules.requests);
        self.since = Instant::now();
    }

    /// Reads what the client still sends and drops it, once our side is shut down: until it ends its own where it was
    /// refused and may be sending, otherwise as far as something is there.
    pub(crate) async fn linger(&mut self) {
        let until = (self.state == State::Refused).then(|| Instant::now() + LINGER_TIME_MAX);
        poll_fn(|context| self.poll_linger(until, context)).await;
    }

    fn poll_linger(&mut self, until: Option<Instant>, context: &mut Context<'_>) -> Poll<()> {
        let mut space = [MaybeUninit::uninit(); READ_BYTES];
        while self.dropped_bytes < LINGER_BYTES_MAX {
            let mut space = ReadBuf::uninit(&mut space);
            match Pin::new(&mut self.stream).poll_read(context, &mut space) {
                Poll::Ready(Ok(())) if !space.filled().is_empty() => self.dropped_bytes += space.filled().len(),
                Poll::Ready(_) => return Poll::Ready(()),
                Poll::Pending => {
                    let Some(until) = until else { return Poll::Ready(()) };
                    return self.poll_timer(until, context);
                }
            }
        }
        Poll::Ready(())
    }

    /// Counts what was written, or that the client took too little.
    fn count(&self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(byte_count)) => {
                self.rules.metrics.http.response_bytes.inc_by(*byte_count as u64);
            }
            Poll::Ready(Err(_)) => {
                self.stream.given_up().into_iter().for_each(|limit| self.rules.metrics.limits.on_hit(limit));
            }
            Poll::Pending => {}
        }
        written
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Guarded<S> {
    /// hyper reads on only when it has answered the request before: it is told to bear with clients that have ended
    /// their side, so it does not look for that while it answers.
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let guard = &mut *self;
        if guard.whole > 0 && guard.handed == guard.whole {
            guard.begin_next();
        }
        if ready!(guard.poll_request(context))? == Next::Request {
            if guard.handed == 0 {
                guard.stream.begin_response();
            }
            let rest = &guard.buffer[guard.handed..guard.whole];
            let bytes = &rest[..rest.len().min(buffer.remaining())];
            buffer.put_slice(bytes);
            guard.handed += bytes.len();
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Guarded<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.count(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.count(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests;
