//! The slow obvious twin of the departures: every trip of every date that can matter, written out and sorted.
//!
//! Written from the GTFS reference and the issue alone. It shares no code with the crate that it judges; of `jiff` it
//! asks nothing but which offset a time zone has at an instant, and does the arithmetic of noon minus 12 h itself.

use std::collections::{BTreeSet, HashMap};

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::Question;
use crate::feed_tables::{FeedTables, Frequency, StopTime, Trip};

const DAY: i64 = 86_400;
/// Further than any offset of a time zone, and than the one day that a zone has skipped.
const DAYS_AROUND: i64 = 2;

/// A feed that can be asked for departures.
pub(crate) struct Oracle {
    tables: FeedTables,
    /// stop_id -> the positions of trips, and of stop times within them.
    visits: HashMap<String, Vec<(usize, usize)>>,
}

/// A departure; what decides the order comes first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Departure {
    pub(crate) instant: Timestamp,
    /// The place of the trip in trips.txt.
    trip: usize,
    pub(crate) service_date: Date,
    position: usize,
    pub(crate) frequency: Option<Frequency>,
    /// Seconds since noon minus 12 h.
    pub(crate) seconds: i64,
    pub(crate) is_interpolated: bool,
    pub(crate) trip_id: String,
    pub(crate) route_id: String,
    pub(crate) stop_id: String,
    pub(crate) stop_sequence: u32,
}

impl Oracle {
    /// Reads the files (name, bytes) of a feed.
    pub(crate) fn read(files: &[(String, Vec<u8>)]) -> Self {
        let tables = FeedTables::read(files);
        let mut visits: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
        for (number, trip) in tables.trips.iter().enumerate() {
            for (position, stop_time) in trip.stop_times.iter().enumerate() {
                visits.entry(stop_time.stop_id.clone()).or_default().push((number, position));
            }
        }
        Self { tables, visits }
    }

    /// The time zone of the first agency.
    pub(crate) fn time_zone(&self) -> Option<TimeZone> {
        TimeZone::get(self.tables.time_zone_name.as_deref()?).ok()
    }

    /// Every stop that a trip visits, with how often the rows of stop_times.txt name it or a descendant of it; and
    /// every station.
    pub(crate) fn visit_counts(&self) -> Vec<(usize, String)> {
        let stop_ids: BTreeSet<&String> = self.visits.keys().chain(self.tables.children.keys()).collect();
        let count = |stop_id: &str| {
            self.with_descendants(stop_id).iter().filter_map(|stop_id| self.visits.get(*stop_id)).map(Vec::len).sum()
        };
        stop_ids.into_iter().map(|stop_id| (count(stop_id), stop_id.clone())).collect()
    }

    /// The first and the last date that calendar.txt or calendar_dates.txt speaks of.
    pub(crate) fn period(&self) -> (Date, Date) {
        let weeks = self.tables.weeks.values().flat_map(|week| [week.start_date, week.end_date]);
        let dates: BTreeSet<Date> = weeks.chain(self.tables.exceptions.keys().map(|(_, date)| *date)).collect();
        (*dates.first().expect("some service has a date"), *dates.last().expect("some service has a date"))
    }

    /// What leaves, in order, cut at the limit.
    pub(crate) fn departures(&self, question: &Question<'_>, zone: &TimeZone) -> Vec<Departure> {
        let mut found = Vec::new();
        for stop_id in self.with_descendants(question.stop_id) {
            for (number, position) in self.visits.get(stop_id).into_iter().flatten() {
                let trip = &self.tables.trips[*number];
                let is_wanted = question.route_id.is_none_or(|route_id| route_id == trip.route_id)
                    && question.direction_id.is_none_or(|direction_id| Some(direction_id) == trip.direction_id);
                let departure = find_departure(&trip.stop_times, *position);
                if let (true, Some((seconds, is_interpolated))) = (is_wanted, departure) {
                    for (seconds, frequency) in seconds_of_day(trip, seconds) {
                        self.add_dates(
                            question,
                            zone,
                            &mut found,
                            |instant, service_date| Departure {
                                instant,
                                trip: *number,
                                service_date,
                                position: *position,
                                frequency,
                                seconds,
                                is_interpolated,
                                trip_id: trip.trip_id.clone(),
                                route_id: trip.route_id.clone(),
                                stop_id: trip.stop_times[*position].stop_id.clone(),
                                stop_sequence: trip.stop_times[*position].stop_sequence,
                            },
                            (&trip.service_id, seconds),
                        );
                    }
                }
            }
        }
        found.sort();
        found.truncate(question.limit);
        found
    }

    /// Adds a departure for each date on which the service runs and `seconds` fall into the window.
    fn add_dates(
        &self,
        question: &Question<'_>,
        zone: &TimeZone,
        found: &mut Vec<Departure>,
        departure: impl Fn(Timestamp, Date) -> Departure,
        (service_id, seconds): (&str, i64),
    ) {
        let day_of = |instant: Timestamp| (instant.as_second() - seconds).div_euclid(DAY);
        for day in day_of(question.from) - DAYS_AROUND..=day_of(question.until) + DAYS_AROUND {
            let Ok(service_date) = date(1970, 1, 1).checked_add(day.days()) else { continue };
            if self.runs_on(service_id, service_date) {
                let instant = Timestamp::from_second(noon(service_date, zone) - DAY / 2 + seconds);
                let is_in_window = |instant: &Timestamp| *instant >= question.from && *instant < question.until;
                found.extend(instant.ok().filter(is_in_window).map(|instant| departure(instant, service_date)));
            }
        }
    }

    fn runs_on(&self, service_id: &str, date: Date) -> bool {
        if let Some(is_added) = self.tables.exceptions.get(&(service_id.to_owned(), date)) {
            return *is_added;
        }
        self.tables.weeks.get(service_id).is_some_and(|week| {
            let is_within = week.start_date <= date && date <= week.end_date;
            is_within && week.days[date.weekday().to_monday_zero_offset() as usize]
        })
    }

    /// The stop, its children, theirs, and so on, each once.
    fn with_descendants<'o>(&'o self, stop_id: &'o str) -> BTreeSet<&'o str> {
        let mut stop_ids = BTreeSet::from([stop_id]);
        loop {
            let children: Vec<&String> =
                stop_ids.iter().filter_map(|stop_id| self.tables.children.get(*stop_id)).flatten().collect();
            let count = stop_ids.len();
            stop_ids.extend(children.into_iter().map(String::as_str));
            if stop_ids.len() == count {
                return stop_ids;
            }
        }
    }
}

/// The seconds at which a trip leaves its stop time `position`, and whether they are interpolated.
fn find_departure(stop_times: &[StopTime], position: usize) -> Option<(i64, bool)> {
    let stop_time = &stop_times[position];
    if position + 1 == stop_times.len() || stop_time.pickup_type == 1 {
        return None;
    }
    if let Some(seconds) = stop_time.departure.or(stop_time.arrival) {
        return Some((seconds, false));
    }
    let has_time =
        |position: &usize| stop_times[*position].departure.is_some() || stop_times[*position].arrival.is_some();
    let before = (0..position).rev().find(has_time)?;
    let after = (position + 1..stop_times.len()).find(has_time)?;
    let leaves_before = stop_times[before].departure.or(stop_times[before].arrival)?;
    let comes_after = stop_times[after].arrival.or(stop_times[after].departure)?;
    let (steps, steps_in_all) = ((position - before) as i64, (after - before) as i64);
    Some((leaves_before + ((comes_after - leaves_before) * steps).div_euclid(steps_in_all), true))
}

/// The times, on one service day, of what leaves at `seconds` by the trip's own times.
fn seconds_of_day(trip: &Trip, seconds: i64) -> Vec<(i64, Option<Frequency>)> {
    if trip.frequencies.is_empty() {
        return vec![(seconds, None)];
    }
    let departures = trip.stop_times.iter().filter_map(|stop_time| stop_time.departure);
    let arrivals = trip.stop_times.iter().filter_map(|stop_time| stop_time.arrival);
    let first = departures.chain(arrivals).next().expect("a trip with a departure has a time");
    let mut times = Vec::new();
    for frequency in &trip.frequencies {
        let mut start = frequency.start;
        while start < frequency.end {
            times.push((seconds - first + start, Some(*frequency)));
            start += frequency.headway;
        }
    }
    times
}

/// Noon of `date` in seconds since 1970. A noon that comes twice is the first; one that is left out comes as late as if
/// the clocks had not been changed yet.
fn noon(date: Date, zone: &TimeZone) -> i64 {
    let since_1970 = date.since(jiff::civil::date(1970, 1, 1)).expect("dates lie some days apart");
    let as_if_utc = i64::from(since_1970.get_days()) * DAY + DAY / 2;
    let offset_at = |second: i64| {
        let instant = Timestamp::new(second, 0).unwrap_or(if second < 0 { Timestamp::MIN } else { Timestamp::MAX });
        i64::from(zone.to_offset(instant).seconds())
    };
    let (before, after) = (offset_at(as_if_utc - DAY), offset_at(as_if_utc + DAY));
    let is_right = |offset: &&i64| offset_at(as_if_utc - **offset) == **offset;
    as_if_utc - [before, after].iter().find(is_right).unwrap_or(&before)
}
