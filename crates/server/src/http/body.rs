//! The body of a response; the large ones are written as they are sent.

use std::cell::RefCell;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use timetable::{Cursor, RouteIdx, Schedules, TripIdx};

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

/// Trips of a route, of the feed that was current when their schedules were asked for.
#[derive(Clone, Debug)]
pub(super) struct ScheduledTrips {
    pub(super) loaded: Arc<Loaded>,
    pub(super) route: RouteIdx,
    /// None for all of them.
    pub(super) trips: Option<Arc<[TripIdx]>>,
}

impl ScheduledTrips {
    pub(super) fn schedules(&self) -> Schedules<'_> {
        let timetable = &self.loaded.feed.timetable;
        match &self.trips {
            Some(trips) => timetable.schedules_of(self.route, trips),
            None => timetable.schedules(self.route),
        }
    }
}

/// The schedules of some trips.
#[derive(Debug)]
pub struct SchedulesBody {
    trips: ScheduledTrips,
    cursor: Cursor,
    bytes_left: u64,
}

impl SchedulesBody {
    /// The schedules of `trips`, which have `byte_count` bytes.
    pub(super) fn new(trips: ScheduledTrips, byte_count: u64) -> Self {
        Self { trips, cursor: Cursor::default(), bytes_left: byte_count }
    }

    /// The next piece; none at the end.
    fn next_piece(&mut self) -> Option<Bytes> {
        if self.bytes_left == 0 {
            return None;
        }
        let mut piece = Piece::spare();
        piece.byte_count = self.trips.schedules().write_piece(&mut self.cursor, &mut piece.buffer);
        let expected = (PIECE_BYTES as u64).min(self.bytes_left);
        assert_eq!(piece.byte_count as u64, expected, "the length of an answer is known before it is written");
        self.bytes_left -= expected;
        Some(Bytes::from_owner(piece))
    }
}

/// A buffer with a part of an answer; it is used again once the part has been sent.
struct Piece {
    buffer: Vec<u8>,
    byte_count: usize,
}

/// How many buffers a thread keeps for its next pieces.
const SPARE_BUFFERS_MAX: usize = 8;

thread_local! {
    /// Buffers that have been sent. The one sent last is taken first: it is still in the core's own cache.
    static SPARE_BUFFERS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

impl Piece {
    /// A piece with nothing in it yet; its buffer may hold what was sent before.
    fn spare() -> Self {
        let buffer = SPARE_BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_else(|| vec![0; PIECE_BYTES]);
        Self { buffer, byte_count: 0 }
    }
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.buffer[..self.byte_count]
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // A thread that is ending has no use for it, and no place either.
        let _ = SPARE_BUFFERS.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < SPARE_BUFFERS_MAX {
                spare.push(std::mem::take(&mut self.buffer));
            }
        });
    }
}

impl Body {
    /// The next piece; none at the end.
    pub(super) fn next_piece(&mut self) -> Option<Bytes> {
        match self {
            Self::Empty => None,
            Self::Bytes(bytes) => {
                let bytes = std::mem::take(bytes);
                (!bytes.is_empty()).then_some(bytes)
            }
            Self::Schedules(schedules) => schedules.next_piece(),
        }
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.next_piece().map(|piece| Ok(Frame::data(piece))))
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
