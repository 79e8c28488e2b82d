//! Rows of stop_times.txt that are recognised instead of being taken apart.
//!
//! With the columns in the reference's order, a row is a trip_id, two times and a *tail*: the bytes from the comma after
//! the times to the end of the line. Trips of one pattern have the same tails in the same order, so most rows are read
//! by comparing their tail with the one that followed the tail before the last time. Equal bytes that begin at a comma
//! are equal fields, so nothing is assumed; a row that is not recognised is read as any other.

use memchr::memchr;

use crate::index::{Index, OptionIdx, TailIdx};
use crate::pools::RowPool;
use crate::time::Time;
use crate::timetable::PatternStop;

/// How many tails are remembered: more than a large feed has distinct ones, and few enough to bound the memory.
const TAILS_MAX: usize = 1 << 16;

/// How long a tail may be that is remembered: several times the usual one, since the number alone bounds no memory.
const TAIL_BYTES_MAX: usize = 256;

/// The tails that have been read, and which came after which.
#[derive(Default)]
pub(super) struct Tails {
    tails: RowPool<TailIdx, u8>,
    /// tail -> what it says.
    stops: Vec<PatternStop>,
    /// tail -> the tail that came after it the last time.
    followers: Vec<OptionIdx<TailIdx>>,
    /// The tail of the row before.
    last: OptionIdx<TailIdx>,
}

/// A row that has been recognised.
pub(super) struct Recognised {
    pub(super) byte_count: usize,
    pub(super) stop: PatternStop,
    pub(super) arrival: Time,
    pub(super) departure: Time,
}

impl Tails {
    /// Recognises the row at the beginning of `rest`, if it is of trip `trip_id`, which has neither commas nor quotes.
    #[inline]
    pub(super) fn recognise(&mut self, trip_id: &[u8], rest: &[u8]) -> Option<Recognised> {
        let tail = self.followers[self.last.get()?.position()].get()?;
        let times: &[u8; 19] = rest.get(trip_id.len()..)?.first_chunk()?;
        if times[0] != b',' || times[9] != b',' || !rest.starts_with(trip_id) {
            return None;
        }
        let arrival = Time::read_eight(*times[1..].first_chunk()?)?;
        let departure = Time::read_eight(*times[10..].first_chunk()?)?;
        let tail_start = trip_id.len() + 18;
        let bytes = self.tails.rows().row(tail);
        if !rest[tail_start..].starts_with(bytes) {
            return None;
        }
        self.last = Some(tail).into();
        Some(Recognised { byte_count: tail_start + bytes.len(), stop: self.stops[tail.position()], arrival, departure })
    }

    /// Remembers the tail of a row that was taken apart without a problem, and what it says.
    pub(super) fn learn(&mut self, tail: &[u8], stop: PatternStop) {
        // One line each, so that lines can be counted without looking for them.
        let is_whole = tail.starts_with(b",") && memchr(b'\n', tail) == Some(tail.len() - 1);
        if !is_whole || tail.len() > TAIL_BYTES_MAX || self.stops.len() == TAILS_MAX {
            return self.forget_last();
        }
        let index = match self.tails.try_intern(tail) {
            Ok(new) => {
                self.stops.push(stop);
                self.followers.push(OptionIdx::NONE);
                new
            }
            Err(known) => known,
        };
        if let Some(last) = self.last.get() {
            self.followers[last.position()] = Some(index).into();
        }
        self.last = Some(index).into();
    }

    /// Says that the row before has no tail that is known.
    pub(super) fn forget_last(&mut self) {
        self.last = OptionIdx::NONE;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::StopIdx;

    /// Whether a row with a tail of so many bytes is recognised after it was read twice.
    fn is_recognised(tail_bytes: usize) -> bool {
        let tail = format!(",{:x<1$}\n", "", tail_bytes - 2);
        let stop = PatternStop {
            stop: StopIdx::new(0),
            stop_sequence: 1,
            stop_headsign: OptionIdx::NONE,
            pickup_type: 0,
            drop_off_type: 0,
            timepoint: 1,
        };
        let mut tails = Tails::default();
        tails.learn(tail.as_bytes(), stop);
        tails.learn(tail.as_bytes(), stop);
        tails.recognise(b"T1", format!("T1,08:00:00,08:01:00{tail}").as_bytes()).is_some()
    }

    #[test]
    fn a_tail_at_the_limit_is_remembered_and_one_over_it_is_not() {
        assert_eq!([2, TAIL_BYTES_MAX, TAIL_BYTES_MAX + 1].map(is_recognised), [true, true, false]);
    }
}
