//! The board of a stop: all that leaves it on a day of service.

use std::ops::Range;

use jiff::civil::Date;

use crate::index::{Index, ServiceIdx, StopIdx, TripIdx};
use crate::run_times::RunTimes;
use crate::time::Time;
use crate::timetable::{Frequency, Timetable, Visit};

/// What leaves so late or later is no part of a board: a day would have to be looked at for each day that it lies after
/// its own, for the sake of a trip that is most likely a typing error.
pub(crate) const LATE: i32 = 4 * 24 * 60 * 60;

/// pickup_type of a stop at which nobody may get on (GTFS reference, stop_times.txt).
const NO_PICKUP: u8 = 1;

/// All that leaves a stop on a day of service, on that day or within the four after it.
///
/// Making one takes a look at every trip that ever visits the stop, so boards are worth keeping.
#[derive(Debug, Default)]
pub struct Board {
    /// By time, then by trip and position.
    rows: Vec<BoardRow>,
    /// What frequencies.txt repeats; how often it does has no bound, so each is reckoned when it is asked for.
    repeated: Vec<(Frequency, BoardRow)>,
}

/// A trip that leaves a stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardRow {
    /// When: seconds of the service day, or after the trip's start if it is repeated.
    seconds: i32,
    pub(crate) trip: TripIdx,
    /// The position in the trip's pattern.
    pub(crate) position: u32,
    /// Whether the feed has no time here, so that it was reckoned from those around.
    pub(crate) is_interpolated: bool,
}

impl Timetable {
    /// All that leaves `stop`, or a stop that is part of it, on `service_date`, but for what leaves four days later.
    pub fn board(&self, stop: StopIdx, service_date: Date) -> Board {
        let mut runs_on_date = vec![None; self.services.len()];
        let mut board = Board::default();
        let stops = self.stop_with_children(stop);
        for visit in stops.iter().flat_map(|stop| self.visits_of_stop(*stop)) {
            if !self.may_get_on(*visit) {
                continue;
            }
            for &trip in self.trips_of_pattern.row(visit.pattern) {
                let service = self.trip(trip).service;
                let runs = *runs_on_date[service.position()]
                    .get_or_insert_with(|| self.service(service).runs_on(service_date));
                if runs {
                    self.for_each_row(trip, *visit, |row, frequency| match frequency {
                        _ if row.latest(frequency.as_ref()) >= LATE.into() => {}
                        None => board.rows.push(row),
                        Some(frequency) => board.repeated.push((frequency, row)),
                    });
                }
            }
        }
        board.rows.sort_unstable_by_key(|row| (row.seconds, row.trip, row.position));
        board.rows.shrink_to_fit();
        board
    }

    /// What leaves `stop` so late that no board has it: rows with the services on whose days they leave.
    pub(crate) fn late_rows(&self, stop: StopIdx) -> Vec<(ServiceIdx, BoardRow, Option<Frequency>)> {
        let mut late = Vec::new();
        let stops = self.stop_with_children(stop);
        for visit in stops.iter().flat_map(|stop| self.visits_of_stop(*stop)) {
            let (_, latest) = self.times_of_pattern[visit.pattern.position()];
            if latest.seconds() < LATE || !self.may_get_on(*visit) {
                continue;
            }
            for &trip in self.trips_of_pattern.row(visit.pattern) {
                self.for_each_row(trip, *visit, |row, frequency| {
                    if row.latest(frequency.as_ref()) >= LATE.into() {
                        late.push((self.trip(trip).service, row, frequency));
                    }
                });
            }
        }
        late
    }

    /// Whether one gets on at a visit: not where a trip ends, and not where its pickup_type says so.
    fn may_get_on(&self, visit: Visit) -> bool {
        let (pattern, position) = (self.pattern(visit.pattern), visit.position as usize);
        position + 1 < pattern.len() && pattern[position].pickup_type != NO_PICKUP
    }

    /// Calls `add` with the row of `trip` at a visit, or with one for each row of frequencies.txt that repeats it.
    ///
    /// GTFS reference, frequencies.txt: of a trip with rows there, its own times only say how long it takes.
    fn for_each_row(&self, trip: TripIdx, visit: Visit, mut add: impl FnMut(BoardRow, Option<Frequency>)) {
        let of_trip = self.trip(trip);
        let Some((time, is_interpolated)) = find_departure(self.run_times(of_trip), visit.position as usize) else {
            return;
        };
        let row = BoardRow { seconds: time.seconds(), trip, position: visit.position, is_interpolated };
        let after_start = BoardRow { seconds: time.seconds() - of_trip.start.seconds(), ..row };
        let mut frequencies = self.frequencies(trip).peekable();
        if frequencies.peek().is_none() {
            add(row, None);
        }
        frequencies.for_each(|frequency| add(after_start, Some(*frequency)));
    }
}

impl BoardRow {
    /// The times within `window`, in seconds of the service day, at which it leaves: one, unless `frequency` repeats it.
    pub(crate) fn times(self, frequency: Option<&Frequency>, window: Range<i64>) -> impl Iterator<Item = Time> + use<> {
        let once = frequency.is_none() && window.contains(&self.seconds.into());
        let once = once.then(|| Time::from_seconds(self.seconds));
        let repeated = frequency.map(|frequency| repeated_times(frequency, self.seconds, window));
        once.into_iter().chain(repeated.into_iter().flatten())
    }

    /// A time before which it does not leave.
    pub(crate) fn first(self, frequency: Option<&Frequency>) -> i64 {
        i64::from(self.seconds) + frequency.map_or(0, |frequency| frequency.start_time.seconds().into())
    }

    /// A time after which it does not leave.
    pub(crate) fn latest(self, frequency: Option<&Frequency>) -> i64 {
        i64::from(self.seconds) + frequency.map_or(0, |frequency| frequency.end_time.seconds().into())
    }
}

impl Board {
    /// What leaves within `window`, in seconds of the service day, of trips that `is_wanted` wants: at least the first
    /// `limit` of it, in no order.
    pub(crate) fn departures(
        &self,
        window: Range<i64>,
        limit: usize,
        is_wanted: impl Fn(TripIdx) -> bool,
    ) -> impl Iterator<Item = (Time, BoardRow, Option<Frequency>)> {
        let first = self.rows.partition_point(|row| i64::from(row.seconds) < window.start);
        let end = window.end;
        let once = self.rows[first..]
            .iter()
            .take_while(move |row| i64::from(row.seconds) < end)
            .map(|row| (Time::from_seconds(row.seconds), *row, None));
        let is_wanted = move |row: &BoardRow| is_wanted(row.trip);
        // Two walks, for the one ends after `limit` rows and the other after as many of each repeated trip.
        let repeated: Vec<_> = self.repeated.iter().filter(|(_, row)| is_wanted(row)).collect();
        let repeated = repeated.into_iter().flat_map(move |(frequency, row)| {
            let times = row.times(Some(frequency), window.clone()).take(limit);
            times.map(move |time| (time, *row, Some(*frequency)))
        });
        once.filter(move |(_, row, _)| is_wanted(row)).take(limit).chain(repeated)
    }

    /// Bytes held on the heap.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(self.rows.as_slice()) + size_of_val(self.repeated.as_slice())
    }
}

/// The times within `window` at which a trip that `frequency` repeats leaves a stop `seconds` after its start.
///
/// GTFS reference, frequencies.txt: the first vehicle starts at start_time, and none at end_time or later.
fn repeated_times(frequency: &Frequency, seconds: i32, window: Range<i64>) -> impl Iterator<Item = Time> + use<> {
    let headway = i64::from(frequency.headway_secs);
    let first = i64::from(frequency.start_time.seconds()) + i64::from(seconds);
    let end = (i64::from(frequency.end_time.seconds()) + i64::from(seconds)).min(window.end);
    // div_ceil of signed numbers: a window that begins before the first vehicle passes over none.
    let passed_over = (window.start - first).max(0).unsigned_abs().div_ceil(headway.unsigned_abs());
    let from = first + passed_over as i64 * headway;
    let times = std::iter::successors(Some(from), move |time| Some(time + headway)).take_while(move |time| *time < end);
    times.map(|time| Time::from_seconds(i32::try_from(time).expect("end_time is within the bounds of a time")))
}

/// When a trip with these `times` leaves its stop at `position`, and whether that had to be interpolated.
///
/// Without a departure the arrival counts, as the reference has the same time in both where they do not differ. Without
/// either, the vehicle is taken to go evenly from stop to stop between the nearest ones with a time, and seconds are
/// rounded down, so that nobody comes too late. None where there are no such stops.
pub(crate) fn find_departure(times: RunTimes<'_>, position: usize) -> Option<(Time, bool)> {
    let mut before = None;
    for (at, (arrival, departure)) in times.iter().enumerate() {
        let (arrives, leaves) = (arrival.or(departure), departure.or(arrival));
        if at < position {
            before = leaves.map(|time| (at, time)).or(before);
        } else if at == position && leaves.is_some() {
            return leaves.map(|time| (time, false));
        } else if let Some(after) = arrives {
            let (from, time) = before?;
            let steps = (position - from) as i64;
            let seconds = i64::from(after.seconds()) - i64::from(time.seconds());
            let passed = (seconds * steps).div_euclid((at - from) as i64);
            let time = Time::from_seconds(time.seconds() + i32::try_from(passed).ok()?);
            return Some((time, true));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frequency(start_time: i32, end_time: i32, headway_secs: u32) -> Frequency {
        let [start_time, end_time] = [start_time, end_time].map(Time::from_seconds);
        Frequency { start_time, end_time, headway_secs, exact_times: 0 }
    }

    #[test]
    fn a_repeated_trip_leaves_from_start_to_end_but_not_at_the_end() {
        for (seconds, window, expected) in [
            (0, 0..1000, &[100, 130, 160, 190][..]),
            (0, 100..131, &[100, 130]),
            (0, 101..161, &[130, 160]),
            (0, 191..1000, &[]),
            (0, -50..100, &[]),
            (7, 0..1000, &[107, 137, 167, 197]),
            (-120, -100..20, &[-20, 10]),
        ] {
            let times: Vec<i32> =
                repeated_times(&frequency(100, 220, 30), seconds, window.clone()).map(Time::seconds).collect();
            assert_eq!(times, expected, "{seconds} {window:?}");
        }
    }
}
