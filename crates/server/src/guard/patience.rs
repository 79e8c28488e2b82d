//! A stream that gives up on a peer that takes nothing, or too little.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::limits::{Limit, TimeLimits};

/// A stream whose writes fail once the peer has taken none of its bytes for so long, or has taken too long for a whole
/// response.
///
/// Without the one, a client that asks and never reads keeps its connection, and what waits to be sent, for as long as it
/// likes; without the other, one that takes a byte now and then. A response holds more than its connection: the feed
/// that it is made from, also when another has long taken its place, and up to
/// [`BUFFER_BYTES_MAX`](crate::door::BUFFER_BYTES_MAX) of what was made of it. Schedules are made only as they are
/// taken; a list or a compressed answer is there from the start, in one buffer of at most a few MB.
///
/// A telephone in a tunnel is slow as well, so the time for a whole response is long. It is counted from when the client
/// is waited for at all: until then the system has taken every byte.
#[derive(Debug)]
pub(crate) struct Impatient<S> {
    stream: S,
    limits: TimeLimits,
    /// When patience ends; meaningless while nothing waits. Boxed: most connections never need it.
    end: Option<Pin<Box<Sleep>>>,
    /// The limit that the last write reaches when patience ends; none if it had not to wait for the peer.
    waits_for: Option<Limit>,
    /// When the response must have been taken; none while the peer was never waited for.
    response_end: Option<Instant>,
    given_up: Option<Limit>,
}

impl<S> Impatient<S> {
    pub(crate) fn new(stream: S, limits: TimeLimits) -> Self {
        Self { stream, limits, end: None, waits_for: None, response_end: None, given_up: None }
    }

    /// What is written from now on belongs to another response, which has time of its own.
    pub(crate) fn begin_response(&mut self) {
        self.response_end = None;
    }

    /// The limit for which a write has failed, if one has.
    pub(crate) fn given_up(&self) -> Option<Limit> {
        self.given_up
    }

    /// What a write that gave `written` comes to: an error where it has waited for too long.
    fn judge<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits_for = None;
            return written;
        }
        let TimeLimits { write_time_max, response_time_max, .. } = self.limits;
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(write_time_max)));
        let limit = *self.waits_for.get_or_insert_with(|| {
            let now = Instant::now();
            let write_end = now + write_time_max;
            let response_end = *self.response_end.get_or_insert(now + response_time_max);
            end.as_mut().reset(write_end.min(response_end));
            if response_end < write_end { Limit::ResponseTime } else { Limit::WriteTime }
        });
        ready!(end.as_mut().poll(context));
        let message = match limit {
            Limit::ResponseTime => format!("the client has not taken its response after {response_time_max:?}"),
            _ => format!("the client took nothing for {write_time_max:?}"),
        };
        self.given_up = Some(limit);
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
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
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, DuplexStream, duplex};
    use tokio::time::advance;

    use super::*;

    const WRITE_TIME_MAX: Duration = Duration::from_secs(30);
    const RESPONSE_TIME_MAX: Duration = Duration::from_secs(600);

    fn impatient(stream: DuplexStream) -> Impatient<DuplexStream> {
        let limits = TimeLimits {
            write_time_max: WRITE_TIME_MAX,
            response_time_max: RESPONSE_TIME_MAX,
            ..TimeLimits::default()
        };
        Impatient::new(stream, limits)
    }

    /// Writes until that fails, and says with what.
    async fn write_until_error(stream: &mut Impatient<DuplexStream>) -> io::Error {
        loop {
            let written = poll_fn(|context| Pin::new(&mut *stream).poll_write(context, &[0; 100])).await;
            if let Err(error) = written {
                return error;
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_nothing_is_given_up() {
        let (stream, _peer) = duplex(1000);
        let mut stream = impatient(stream);
        let begin = Instant::now();
        let error = write_until_error(&mut stream).await;
        assert_eq!((error.kind(), stream.given_up()), (io::ErrorKind::TimedOut, Some(Limit::WriteTime)));
        assert!(begin.elapsed() >= WRITE_TIME_MAX, "given up after {:?} of the paused clock", begin.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_a_little_now_and_then_is_borne_with() {
        let (stream, mut peer) = duplex(1000);
        let mut stream = impatient(stream);
        let reader = async move {
            for sip in 0..6 {
                println!("sip {sip}");
                advance(WRITE_TIME_MAX / 2).await;
                peer.read_exact(&mut [0; 10]).await.unwrap();
            }
        };
        let (error, ()) = tokio::join!(write_until_error(&mut stream), reader);
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe, "only the end of the peer ends it: {error}");
        assert_eq!(stream.given_up(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_a_byte_now_and_then_for_ever_is_given_up() {
        let (stream, mut peer) = duplex(1000);
        let mut stream = impatient(stream);
        let begin = Instant::now();
        let sipping = async {
            loop {
                sleep(WRITE_TIME_MAX - Duration::from_secs(1)).await;
                peer.read_u8().await.unwrap();
            }
        };
        let error = tokio::select! {
            error = write_until_error(&mut stream) => error,
            () = sipping => unreachable!("it sips for ever"),
        };
        assert_eq!((error.kind(), stream.given_up()), (io::ErrorKind::TimedOut, Some(Limit::ResponseTime)));
        assert_eq!(begin.elapsed().as_secs(), RESPONSE_TIME_MAX.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn each_response_has_time_of_its_own() {
        let (stream, mut peer) = duplex(1000);
        let mut stream = impatient(stream);
        for response in 0..5 {
            println!("response {response}");
            stream.begin_response();
            let begin = Instant::now();
            while begin.elapsed() < RESPONSE_TIME_MAX * 3 / 4 {
                let sip = async {
                    sleep(WRITE_TIME_MAX / 2).await;
                    peer.read_exact(&mut [0; 100]).await.unwrap();
                };
                let write = poll_fn(|context| Pin::new(&mut stream).poll_write(context, &[0; 1000]));
                let (written, ()) = tokio::join!(write, sip);
                written.unwrap();
            }
        }
        assert_eq!(stream.given_up(), None);
    }
}
