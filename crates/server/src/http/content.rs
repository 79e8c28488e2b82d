//! What an answer says, as bytes: there from the start, made when somebody needs them, or written as they are sent.

use std::fmt::{self, Debug};
use std::sync::Arc;

use bytes::Bytes;

use super::body::{Body, ScheduledTrips, SchedulesBody};

/// What an answer says.
#[derive(Clone)]
pub(super) enum Content {
    /// It can be sent as it is.
    Ready(Ready),
    /// Bytes that are made once somebody needs them or their length.
    Made(Arc<dyn Fn() -> Vec<u8> + Send + Sync>),
}

/// What can be sent, and whose length is known.
#[derive(Clone)]
pub(super) enum Ready {
    /// Bytes that are there.
    Bytes(Bytes),
    /// The schedules of a route, written as they are sent.
    Schedules(ScheduledTrips),
}

impl Content {
    pub(super) fn of_bytes(bytes: Vec<u8>) -> Self {
        Self::Ready(Ready::Bytes(bytes.into()))
    }

    pub(super) fn of_schedules(trips: ScheduledTrips) -> Self {
        Self::Ready(Ready::Schedules(trips))
    }

    /// What can be sent, made now if it was not yet.
    pub(super) fn ready(self) -> Ready {
        match self {
            Self::Ready(ready) => ready,
            Self::Made(make) => Ready::Bytes(make().into()),
        }
    }
}

impl Ready {
    pub(super) fn byte_count(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Schedules(trips) => trips.schedules().byte_count(),
        }
    }

    /// All of it, piece by piece; `byte_count` is what [`Ready::byte_count`] says.
    pub(super) fn into_pieces(self, byte_count: u64) -> impl Iterator<Item = Bytes> {
        let mut body = self.into_body(byte_count);
        std::iter::from_fn(move || body.next_piece())
    }

    /// The body that sends it; `byte_count` is what [`Ready::byte_count`] says.
    pub(super) fn into_body(self, byte_count: u64) -> Body {
        match self {
            Self::Bytes(bytes) => Body::Bytes(bytes),
            Self::Schedules(trips) => Body::Schedules(SchedulesBody::new(trips, byte_count)),
        }
    }
}

impl Debug for Content {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ready(Ready::Bytes(bytes)) => write!(formatter, "{} bytes", bytes.len()),
            Self::Ready(Ready::Schedules(trips)) => write!(formatter, "schedules of {:?}", trips.route),
            Self::Made(_) => write!(formatter, "bytes to be made"),
        }
    }
}
