//! A stream that gives up on a peer that takes nothing.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes fail once the peer has taken none of its bytes for so long.
///
/// Without it a client that asks and never reads keeps its connection, and what waits to be sent, for as long as it
/// likes. One that takes a byte now and then may be as slow as it is: no limit of time can tell a telephone in a tunnel
/// from malice. What bounds it is that it has one of the few connections of its address, and with it at most hyper's
/// buffer of [`BUFFER_BYTES_MAX`](crate::door::BUFFER_BYTES_MAX); the answer itself is written only as it is taken.
#[derive(Debug)]
pub(crate) struct Impatient<S> {
    stream: S,
    write_time_max: Duration,
    /// When patience ends; meaningless while `is_waiting` is false. Boxed: most connections never need it.
    end: Option<Pin<Box<Sleep>>>,
    /// Whether the last write had to wait for the peer.
    is_waiting: bool,
    has_given_up: bool,
}

impl<S> Impatient<S> {
    pub(crate) fn new(stream: S, write_time_max: Duration) -> Self {
        Self { stream, write_time_max, end: None, is_waiting: false, has_given_up: false }
    }

    /// Whether a write has failed because the peer took nothing.
    pub(crate) fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    /// What a write that gave `written` comes to: an error where it has waited for too long.
    fn judge<T>(&mut self, written: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.is_waiting = false;
            return written;
        }
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(self.write_time_max)));
        if !self.is_waiting {
            end.as_mut().reset(Instant::now() + self.write_time_max);
            self.is_waiting = true;
        }
        ready!(end.as_mut().poll(context));
        self.has_given_up = true;
        let message = format!("the client took nothing for {:?}", self.write_time_max);
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

    use tokio::io::{AsyncReadExt, DuplexStream, duplex};
    use tokio::time::advance;

    use super::*;

    const WRITE_TIME_MAX: Duration = Duration::from_secs(30);

    /// Writes until that fails, and says with what.
    async fn write_until_error(mut stream: Impatient<DuplexStream>) -> io::Error {
        loop {
            let written = poll_fn(|context| Pin::new(&mut stream).poll_write(context, &[0; 100])).await;
            if let Err(error) = written {
                return error;
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_nothing_is_given_up() {
        let (stream, _peer) = duplex(1000);
        let begin = Instant::now();
        let error = write_until_error(Impatient::new(stream, WRITE_TIME_MAX)).await;
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(begin.elapsed() >= WRITE_TIME_MAX, "given up after {:?} of the paused clock", begin.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn a_peer_that_takes_a_little_now_and_then_is_borne_with() {
        let (stream, mut peer) = duplex(1000);
        let reader = async move {
            for sip in 0..6 {
                println!("sip {sip}");
                advance(WRITE_TIME_MAX / 2).await;
                peer.read_exact(&mut [0; 10]).await.unwrap();
            }
        };
        let (error, ()) = tokio::join!(write_until_error(Impatient::new(stream, WRITE_TIME_MAX)), reader);
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe, "only the end of the peer ends it: {error}");
    }
}
