//! What leaves a stop next.
//!
//! A service day begins at noon minus 12 h in the agency's time zone (GTFS reference, "Time"), and its times may lie
//! days later. So the days that can matter are walked in order, each with its [`Board`], until no later day can have
//! anything earlier than what has been found.

use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};

use crate::board::Board;
use crate::index::{Index, RouteIdx, StopIdx, TripIdx};
use crate::time::Time;
use crate::timetable::{Frequency, PatternStop, Timetable};

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
    fn order(&self) -> Order {
        (self.instant, self.trip, self.service_date, self.position, self.frequency)
    }
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
        let mut found = Vec::new();
        let Some((earliest, latest)) = self.times_of_stop(query.stop) else { return found };
        let first_date = query.time_zone.to_datetime(query.from).date();
        // A day more than the times ask for: some days have 25 hours, and one or the other has been left out altogether.
        let days_back = i64::from(latest.seconds() / DAY_SECONDS) + 2;
        let mut date = first_date.checked_sub(days_back.days()).unwrap_or(Date::MIN);
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
                self.add_departures(&board(date), query, (date, begin), &mut found);
                found.sort_unstable_by_key(Departure::order);
                found.truncate(query.limit);
            }
            let Ok(next) = date.tomorrow() else { break };
            date = next;
        }
        found
    }

    /// Adds what of `board`, that of the day `date` which begins at `begin`, the query asks for.
    fn add_departures(
        &self,
        board: &Board,
        query: &DeparturesQuery<'_>,
        (service_date, begin): (Date, Timestamp),
        found: &mut Vec<Departure>,
    ) {
        let is_wanted = |trip: TripIdx| {
            let trip = self.trip(trip);
            query.route.is_none_or(|route| trip.route == route)
                && query.direction_id.is_none_or(|direction_id| trip.direction_id == Some(direction_id))
        };
        // Rounded up: what leaves at a whole second from an instant on leaves from the next whole second on.
        let whole_seconds = |instant: Timestamp| {
            let after = instant.duration_since(begin);
            after.as_secs() + i64::from(after.subsec_nanos() > 0)
        };
        let window = whole_seconds(query.from)..whole_seconds(query.until);
        let departures = board.departures(window, query.limit, is_wanted);
        found.extend(departures.map(|(time, row, frequency)| Departure {
            instant: begin + SignedDuration::from_secs(time.seconds().into()),
            service_date,
            time,
            trip: row.trip,
            position: row.position,
            is_interpolated: row.is_interpolated,
            frequency,
        }));
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
