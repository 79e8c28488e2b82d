//! What leaves a stop next.
//!
//! A service day begins at noon minus 12 h in the agency's time zone (GTFS reference, "Time"), and its times may lie
//! days later. So the days that can matter are walked in order, each with its [`Board`], until no later day can have
//! anything earlier than what has been found.

use std::ops::Range;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::board::{Board, BoardRow, LATE};
use crate::index::{Index, RouteIdx, StopIdx, TripIdx};
use crate::time::Time;
use crate::timetable::{Frequency, PatternStop, Timetable, Trip};

/// Seconds of a day without a change of clocks.
const DAY_SECONDS: i32 = 24 * 60 * 60;

/// What to look for.
#[derive(Clone, Debug)]
pub struct DeparturesQuery<'q> {
    /// The stop; the platforms of a station and the boarding areas of a platform count as it.
    pub stop: StopIdx,
    /// The time zone of the feed, see [`Timetable::time_zone`].
    pub time_zone: &'q TimeZone,
    /// The first instant.
    pub from: Timestamp,
    /// The end; what leaves then is left out.
    pub until: Timestamp,
    /// How many departures at most.
    pub limit: usize,
    /// Only those of this route.
    pub route: Option<RouteIdx>,
    /// Only those of this direction.
    pub direction_id: Option<u8>,
}

/// A vehicle that leaves a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// When.
    pub instant: Timestamp,
    /// The day of service to which `time` belongs.
    pub service_date: Date,
    /// When, as seconds of that day.
    pub time: Time,
    /// The trip.
    pub trip: TripIdx,
    /// The position in the trip's pattern, from 0.
    pub position: u32,
    /// Whether the feed has no time here, so that it was reckoned from those around.
    pub is_interpolated: bool,
    /// The row of frequencies.txt that has the trip run at this time.
    pub frequency: Option<Frequency>,
}

/// The order of an answer: by instant, then as the feed has it.
type Order = (Timestamp, TripIdx, Date, u32, Option<Frequency>);

impl Departure {
    /// A row of a board that leaves at `time` of `service_date`, which begins at `begin`.
    fn new(begin: Timestamp, service_date: Date, time: Time, row: BoardRow, frequency: Option<Frequency>) -> Self {
        let BoardRow { trip, position, is_interpolated, .. } = row;
        let instant = begin + SignedDuration::from_secs(time.seconds().into());
        Self { instant, service_date, time, trip, position, is_interpolated, frequency }
    }

    fn order(&self) -> Order {
        (self.instant, self.trip, self.service_date, self.position, self.frequency)
    }
}

impl DeparturesQuery<'_> {
    /// What the calendar shows at `instant`.
    fn date_of(&self, instant: Timestamp) -> Date {
        self.time_zone.to_datetime(instant).date()
    }

    /// From when to when is looked, in seconds after `begin`.
    fn window_after(&self, begin: Timestamp) -> Range<i64> {
        // Rounded up: what leaves at a whole second from an instant on leaves from the next whole second on.
        let whole_seconds = |instant: Timestamp| {
            let after = instant.duration_since(begin);
            after.as_secs() + i64::from(after.subsec_nanos() > 0)
        };
        whole_seconds(self.from)..whole_seconds(self.until)
    }

    fn is_wanted(&self, trip: &Trip) -> bool {
        self.route.is_none_or(|route| trip.route == route)
            && self.direction_id.is_none_or(|direction_id| trip.direction_id == Some(direction_id))
    }
}

/// Puts departures in their order and keeps the first of them.
fn keep_first(found: &mut Vec<Departure>, limit: usize) {
    found.sort_unstable_by_key(Departure::order);
    found.truncate(limit);
}

impl Timetable {
    /// The time zone in which the feed's times are, that of its first agency; none if that is missing or unknown.
    ///
    /// GTFS reference, agency.txt: all agencies of a feed have the same one.
    pub fn time_zone(&self) -> Option<TimeZone> {
        find_time_zone(self.text(self.agencies.first()?.agency_timezone))
    }

    /// What leaves, by time and then in the order of trips.txt.
    ///
    /// `board` gives the board of the query's stop on a day, made by [`Timetable::board`] now or kept from before.
    pub fn departures(&self, query: &DeparturesQuery<'_>, mut board: impl FnMut(Date) -> Arc<Board>) -> Vec<Departure> {
        let Some((earliest, latest)) = self.times_of_stop(query.stop) else { return Vec::new() };
        let mut found = if latest.seconds() < LATE { Vec::new() } else { self.late_departures(query) };
        let latest = latest.min(Time::from_seconds(LATE));
        // A day more than the times ask for: some days have 25 hours, and one or the other has been left out altogether.
        let days_back = i64::from(latest.seconds() / DAY_SECONDS) + 2;
        let mut date = query.date_of(query.from).checked_sub(days_back.days()).unwrap_or(Date::MIN);
        while let Some(begin) = begin_of_service_day(date, query.time_zone) {
            let instant = |time: Time| begin.checked_add(SignedDuration::from_secs(time.seconds().into()));
            let Ok(first) = instant(earliest) else { break };
            // What leaves on this day or later leaves from `first` on.
            let is_complete =
                found.len() == query.limit && found.last().is_none_or(|last: &Departure| last.instant < first);
            if first >= query.until || is_complete {
                break;
            }
            // What is past the end of all time is not before `from`.
            if !instant(latest).is_ok_and(|last| last < query.from) {
                let is_wanted = |trip| query.is_wanted(self.trip(trip));
                let board = board(date);
                let departures = board.departures(query.window_after(begin), query.limit, is_wanted);
                found
                    .extend(departures.map(|(time, row, frequency)| Departure::new(begin, date, time, row, frequency)));
                keep_first(&mut found, query.limit);
            }
            let Ok(next) = date.tomorrow() else { break };
            date = next;
        }
        found
    }

    /// What leaves so long after its service day that no board has it.
    fn late_departures(&self, query: &DeparturesQuery<'_>) -> Vec<Departure> {
        let mut found = Vec::new();
        for (service, row, frequency) in self.late_rows(query.stop) {
            if !query.is_wanted(self.trip(row.trip)) {
                continue;
            }
            let days = |seconds: i64| (seconds / i64::from(DAY_SECONDS)).days();
            let (first, latest) = (row.first(frequency.as_ref()), row.latest(frequency.as_ref()));
            // Two days more for the same reason as above.
            let begin = query.date_of(query.from).checked_sub(days(latest)).and_then(|date| date.checked_sub(2.days()));
            let end = query.date_of(query.until).checked_sub(days(first)).and_then(|date| date.checked_add(2.days()));
            let (begin, end) = (begin.unwrap_or(Date::MIN), end.unwrap_or(Date::MAX));
            for date in begin.series(1.day()).take_while(|date| *date <= end) {
                if !self.service(service).runs_on(date) {
                    continue;
                }
                let Some(begin) = begin_of_service_day(date, query.time_zone) else { continue };
                let times = row.times(frequency.as_ref(), query.window_after(begin)).take(query.limit);
                found.extend(times.map(|time| Departure::new(begin, date, time, row, frequency)));
                if found.len() / 2 > query.limit {
                    keep_first(&mut found, query.limit);
                }
            }
        }
        keep_first(&mut found, query.limit);
        found
    }

    /// Between which times of a service day anything leaves `stop`, if anything ever does; they may be further apart.
    fn times_of_stop(&self, stop: StopIdx) -> Option<(Time, Time)> {
        let stops = self.stop_with_children(stop);
        let visits = stops.iter().flat_map(|stop| self.visits_of_stop(*stop));
        let times = visits.map(|visit| self.times_of_pattern[visit.pattern.position()]);
        times.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// What the pattern of `departure` says of the stop.
    pub fn stop_of(&self, departure: &Departure) -> &PatternStop {
        &self.pattern(self.trip(departure.trip).pattern)[departure.position as usize]
    }
}

/// The time zone that the IANA database calls `name`.
pub(crate) fn find_time_zone(name: &str) -> Option<TimeZone> {
    TimeZone::get(name).ok()
}

/// When the service day of `date` begins: at noon minus 12 h (GTFS reference, "Time"), which is midnight but for days
/// on which clocks change; none at the end of all time.
fn begin_of_service_day(date: Date, time_zone: &TimeZone) -> Option<Timestamp> {
    let noon = time_zone.to_timestamp(date.at(12, 0, 0, 0)).ok()?;
    noon.checked_sub(SignedDuration::from_hours(12)).ok()
}
