//! The body of a response; the large ones are written as they are sent.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use timetable::{Cursor, RouteIdx};

use crate::feed::Loaded;

/// How much of a large answer is written at a time: enough that a call to the system costs little beside it, and few
/// enough that it is still in the core's own cache when the system copies it.
pub(super) const PIECE_BYTES: usize = 64 << 10;

/// The body of a response.
#[derive(Debug)]
pub enum Body {
    /// Nothing.
    Empty,
    /// Bytes that are there.
    Bytes(Bytes),
    /// The schedules of a route.
    Schedules(SchedulesBody),
}

/// The schedules of a route, from the feed that was current when they were asked for.
#[derive(Debug)]
pub struct SchedulesBody {
    loaded: Arc<Loaded>,
    route: RouteIdx,
    cursor: Cursor,
    bytes_left: u64,
}

impl SchedulesBody {
    /// The schedules of `route`, which have `byte_count` bytes.
    pub(super) fn new(loaded: Arc<Loaded>, route: RouteIdx, byte_count: u64) -> Self {
        Self { loaded, route, cursor: Cursor::default(), bytes_left: byte_count }
    }

    /// The next piece; none at the end.
    pub(super) fn next_piece(&mut self) -> Option<Bytes> {
        if self.bytes_left == 0 {
            return None;
        }
        let mut piece = vec![0; PIECE_BYTES.min(usize::try_from(self.bytes_left).unwrap_or(PIECE_BYTES))];
        let count = self.loaded.feed.timetable.schedules(self.route).write_piece(&mut self.cursor, &mut piece);
        assert_eq!(count, piece.len(), "the length of an answer is known before it is written");
        self.bytes_left -= count as u64;
        Some(piece.into())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let piece = match &mut *self {
            Self::Empty => None,
            Self::Bytes(bytes) => {
                let bytes = std::mem::take(bytes);
                (!bytes.is_empty()).then_some(bytes)
            }
            Self::Schedules(schedules) => schedules.next_piece(),
        };
        Poll::Ready(piece.map(|piece| Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.size_hint().exact() == Some(0)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match self {
            Self::Empty => 0,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Schedules(schedules) => schedules.bytes_left,
        })
    }
}
