//! What leaves the busiest stop of a feed, worked out by `csv` and plain maps: what the program's answers are held
//! against before they are timed.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anyhow::{Context, bail};
use jiff::ToSpan;
use jiff::civil::Date;
use serde::Deserialize;

use crate::plain::for_each_row;

/// Everything that leaves a stop, and when services run.
pub(crate) struct ExpectedDepartures {
    /// The stop with most stop times.
    pub(crate) stop_id: String,
    /// How many stop times it has.
    pub(crate) stop_time_count: usize,
    /// service_id, trip_id, seconds of the service day.
    departures: Vec<(String, String, i64)>,
    /// service_id -> days of the week from Monday, first and last date.
    weeks: HashMap<String, ([bool; 7], Date, Date)>,
    /// service_id, date -> whether it was added.
    exceptions: HashMap<(String, Date), bool>,
}

#[derive(Deserialize)]
struct StopTimeRow<'row> {
    trip_id: &'row str,
    stop_id: &'row str,
    stop_sequence: u32,
    departure_time: &'row str,
    pickup_type: &'row str,
}

#[derive(Deserialize)]
struct TripRow<'row> {
    trip_id: &'row str,
    service_id: &'row str,
}

/// A stop time: trip, stop_sequence, seconds of departure, whether one may get on.
type Visit = (String, u32, i64, bool);

impl ExpectedDepartures {
    /// Reads the feed in `folder`, whose stop times must all have a time, as those that the program generates have.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        let mut last_sequences: HashMap<String, u32> = HashMap::new();
        let stop_times = folder.join("stop_times.txt");
        for_each_row(&stop_times, |record, headers| {
            let row: StopTimeRow<'_> = record.deserialize(Some(headers))?;
            let last = last_sequences.entry(row.trip_id.to_owned()).or_default();
            *last = row.stop_sequence.max(*last);
            *counts.entry(row.stop_id.to_owned()).or_default() += 1;
            Ok(())
        })?;
        let busiest = counts.into_iter().max_by(|one, other| (one.1, &other.0).cmp(&(other.1, &one.0)));
        let (stop_id, stop_time_count) = busiest.context("the feed has no stop times")?;
        let mut visits: Vec<Visit> = Vec::new();
        for_each_row(&stop_times, |record, headers| {
            let row: StopTimeRow<'_> = record.deserialize(Some(headers))?;
            if row.stop_id == stop_id {
                let seconds = seconds(row.departure_time)?;
                visits.push((row.trip_id.to_owned(), row.stop_sequence, seconds, row.pickup_type != "1"));
            }
            Ok(())
        })?;
        let mut services: HashMap<String, String> = HashMap::new();
        for_each_row(&folder.join("trips.txt"), |record, headers| {
            let row: TripRow<'_> = record.deserialize(Some(headers))?;
            services.insert(row.trip_id.to_owned(), row.service_id.to_owned());
            Ok(())
        })?;
        let is_departure =
            |(trip_id, sequence, _, may_get_on): &Visit| *may_get_on && *sequence < last_sequences[trip_id];
        let departures = visits.into_iter().filter(is_departure);
        let departures = departures.map(|(trip_id, _, seconds, _)| (services[&trip_id].clone(), trip_id, seconds));
        let mut expected = Self {
            stop_id,
            stop_time_count,
            departures: departures.collect(),
            weeks: HashMap::new(),
            exceptions: HashMap::new(),
        };
        expected.read_calendars(folder)?;
        Ok(expected)
    }

    fn read_calendars(&mut self, folder: &Path) -> anyhow::Result<()> {
        const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
        let date = |text: &str| text.parse::<Date>().with_context(|| format!("{text:?} is no date"));
        for_each_row(&folder.join("calendar.txt"), |record, headers| {
            let row: HashMap<&str, &str> = record.deserialize(Some(headers))?;
            let week = (DAYS.map(|day| row[day] == "1"), date(row["start_date"])?, date(row["end_date"])?);
            self.weeks.insert(row["service_id"].to_owned(), week);
            Ok(())
        })?;
        for_each_row(&folder.join("calendar_dates.txt"), |record, headers| {
            let row: HashMap<&str, &str> = record.deserialize(Some(headers))?;
            self.exceptions.insert((row["service_id"].to_owned(), date(row["date"])?), row["exception_type"] == "1");
            Ok(())
        })
    }

    fn runs_on(&self, service_id: &str, date: Date) -> bool {
        let by_week = || {
            self.weeks.get(service_id).is_some_and(|(days, first, last)| {
                days[date.weekday().to_monday_zero_offset() as usize] && (*first..=*last).contains(&date)
            })
        };
        self.exceptions.get(&(service_id.to_owned(), date)).copied().unwrap_or_else(by_week)
    }

    /// A day with most departures among those on which services begin; on it, the day before and the day after, clocks
    /// must not change: then seconds of the day are seconds since midnight.
    pub(crate) fn busiest_date(&self) -> anyhow::Result<Date> {
        let starts: HashSet<Date> = self.weeks.values().map(|(_, first, _)| *first).collect();
        let dates =
            starts.into_iter().flat_map(|start| (1..8).filter_map(move |days| start.checked_add(days.days()).ok()));
        let count = |date: &Date| self.departures.iter().filter(|(service, ..)| self.runs_on(service, *date)).count();
        dates.max_by_key(|date| (count(date), *date)).context("the feed has no calendar.txt")
    }

    /// Holds an answer of up to `limit` departures from `seconds` of `date` on, within a day, against what is expected.
    pub(crate) fn verify(&self, date: Date, seconds: i64, limit: usize, answer: &[u8]) -> anyhow::Result<()> {
        const DAY: i64 = 86_400;
        let mut expected: Vec<(i64, &str)> = Vec::new();
        for days in -2..=1 {
            let service_date = date.checked_add(days.days())?;
            let running = self.departures.iter().filter(|(service, ..)| self.runs_on(service, service_date));
            let shifted = running.map(|(_, trip_id, seconds)| (seconds + days * DAY, trip_id.as_str()));
            expected.extend(shifted.filter(|(instant, _)| (seconds..seconds + DAY).contains(instant)));
        }
        expected.sort_unstable();
        let known: HashSet<(i64, &str)> = expected.iter().copied().collect();
        let told: Vec<HashMap<String, serde_json::Value>> = serde_json::from_slice(answer)?;
        let mut found = Vec::with_capacity(told.len());
        for departure in &told {
            let text = |name: &str| departure.get(name).and_then(serde_json::Value::as_str).unwrap_or_default();
            let service_date: Date = text("service_date").parse()?;
            let days = i64::from((service_date - date).get_days());
            let instant = self::seconds(text("departure_time"))? + days * DAY;
            if !known.contains(&(instant, text("trip_id"))) {
                bail!(
                    "trip {:?} is told at {} of {service_date}, when it does not leave",
                    text("trip_id"),
                    text("departure_time")
                );
            }
            found.push(instant);
        }
        let instants: Vec<i64> = expected.iter().take(limit).map(|(instant, _)| *instant).collect();
        if found != instants {
            bail!("from second {seconds} of {date} on: expected departures at {instants:?}, found {found:?}");
        }
        Ok(())
    }
}

/// `HH:MM:SS` in seconds.
fn seconds(text: &str) -> anyhow::Result<i64> {
    let parts: Vec<i64> = text.split(':').map(str::parse).collect::<Result<_, _>>()?;
    match parts[..] {
        [hours, minutes, seconds] => Ok(hours * 3600 + minutes * 60 + seconds),
        _ => bail!("{text:?} is no time"),
    }
}
