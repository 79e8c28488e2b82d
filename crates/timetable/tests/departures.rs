//! What leaves a stop: against departures worked out by hand, and against the slow twin in `departures/oracle.rs`.
//!
//! A departure is compared as a line such as
//! `2026-03-08T01:30:00-05:00 | 2026-03-08 02:30:00 | T1 at A 1`: the instant on the clocks of the time zone, the
//! service date and the time as GTFS has it, trip_id, stop_id and stop_sequence; then ` | interpolated` where it is, and
//! for a row of frequencies.txt ` | every 600 s from 06:00:00 until 07:00:00, exact_times 0`.
//! Each file of `departures/` has one theme; the checks that they share are here.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and what it prints shows only then")]

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use timetable::{Board, DeparturesQuery, MemoryFiles, ReadOptions, StopIdx, Timetable, read_feed};

use oracle::Oracle;

#[path = "departures/calendars.rs"]
mod calendars;
#[path = "departures/daylight_saving.rs"]
mod daylight_saving;
#[path = "departures/feed_tables.rs"]
mod feed_tables;
#[path = "departures/frequencies.rs"]
mod frequencies;
#[path = "departures/interpolation.rs"]
mod interpolation;
#[path = "departures/oracle.rs"]
mod oracle;
#[path = "departures/past_midnight.rs"]
mod past_midnight;
#[path = "departures/random_feeds.rs"]
mod random_feeds;
#[path = "departures/real_feeds.rs"]
mod real_feeds;
#[path = "departures/stops.rs"]
mod stops;
#[path = "departures/time_zones.rs"]
mod time_zones;
#[path = "departures/windows.rs"]
mod windows;

/// What is asked for, in the feed's own words.
#[derive(Clone, Copy, Debug)]
struct Question<'q> {
    stop_id: &'q str,
    /// Included.
    from: Timestamp,
    /// Not included.
    until: Timestamp,
    limit: usize,
    route_id: Option<&'q str>,
    direction_id: Option<u8>,
}

impl<'q> Question<'q> {
    /// All that leaves between two instants such as `2026-03-08T01:30:00-05:00`.
    fn new(stop_id: &'q str, from: &str, until: &str) -> Self {
        let [from, until] = [from, until].map(|instant| instant.parse().unwrap());
        Self { stop_id, from, until, limit: usize::MAX, route_id: None, direction_id: None }
    }
}

/// A timetable with the boards that it has been asked for, which other questions use again as a server would.
struct Boards<'t> {
    timetable: &'t Timetable,
    boards: HashMap<(StopIdx, Date), Arc<Board>>,
}

impl<'t> Boards<'t> {
    fn new(timetable: &'t Timetable) -> Self {
        Self { timetable, boards: HashMap::new() }
    }

    /// The lines that the timetable answers.
    fn departures(&mut self, question: &Question<'_>, time_zone: &TimeZone) -> Vec<String> {
        let Self { timetable, boards } = self;
        let stop = timetable.find_stop(question.stop_id).expect("the stop is known");
        let route = question.route_id.map(|route_id| timetable.find_route(route_id).expect("the route is known"));
        let &Question { from, until, limit, direction_id, .. } = question;
        let query = DeparturesQuery { stop, time_zone, from, until, limit, route, direction_id };
        let board_of =
            |date: Date| boards.entry((stop, date)).or_insert_with(|| Arc::new(timetable.board(stop, date))).clone();
        let departures = timetable.departures(&query, board_of);
        departures.iter().map(|departure| line_of_departure(timetable, departure, time_zone)).collect()
    }
}

fn line_of_departure(timetable: &Timetable, departure: &timetable::Departure, zone: &TimeZone) -> String {
    let timetable::Departure { instant, service_date, time, trip, position, is_interpolated, frequency } = departure;
    let stop = timetable.pattern(timetable.trip(*trip).pattern)[*position as usize];
    let stop_time = (timetable.trip_id(*trip), timetable.stop_id(stop.stop), stop.stop_sequence);
    let frequency = frequency.map(|frequency| {
        let timetable::Frequency { start_time, end_time, headway_secs, exact_times } = frequency;
        (start_time.to_string(), end_time.to_string(), i64::from(headway_secs), u32::from(exact_times))
    });
    line(zone, (*instant, *service_date, time.to_string()), stop_time, *is_interpolated, frequency)
}

fn line_of_oracle(departure: &oracle::Departure, zone: &TimeZone) -> String {
    let oracle::Departure { instant, service_date, seconds, is_interpolated, frequency, .. } = departure;
    let stop_time = (&*departure.trip_id, &*departure.stop_id, departure.stop_sequence);
    let frequency = frequency.map(|row| (time_text(row.start), time_text(row.end), row.headway, row.exact_times));
    line(zone, (*instant, *service_date, time_text(*seconds)), stop_time, *is_interpolated, frequency)
}

fn line(
    zone: &TimeZone,
    (instant, service_date, time): (Timestamp, Date, String),
    (trip_id, stop_id, stop_sequence): (&str, &str, u32),
    is_interpolated: bool,
    frequency: Option<(String, String, i64, u32)>,
) -> String {
    let instant = instant.display_with_offset(zone.to_offset(instant));
    let mut line = format!("{instant} | {service_date} {time} | {trip_id} at {stop_id} {stop_sequence}");
    if is_interpolated {
        line += " | interpolated";
    }
    if let Some((start, end, headway, exact_times)) = frequency {
        line += &format!(" | every {headway} s from {start} until {end}, exact_times {exact_times}");
    }
    line
}

/// `HH:MM:SS`, with a minus sign before noon minus 12 h.
fn time_text(seconds: i64) -> String {
    let (sign, seconds) = (if seconds < 0 { "-" } else { "" }, seconds.abs());
    format!("{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A feed with these files. Where they leave them out: one agency in `zone`; trip T1 of route R1; and service `daily`,
/// which runs on every day of 2026.
fn feed(zone: &str, files: &[(&str, &str)]) -> MemoryFiles {
    let agency =
        format!("agency_id,agency_name,agency_url,agency_timezone\nX,Example,https://transit.example,{zone}\n");
    let others = [
        ("agency.txt", &*agency),
        ("trips.txt", "route_id,service_id,trip_id\nR1,daily,T1\n"),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
             daily,1,1,1,1,1,1,1,20260101,20261231\n",
        ),
    ];
    let is_left_out = |other: &&(&str, &str)| files.iter().all(|(name, _)| *name != other.0);
    let all = others.iter().filter(is_left_out).chain(files);
    MemoryFiles(all.map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect())
}

/// stop_times.txt of these rows of trip_id, arrival_time, departure_time, stop_id, stop_sequence and, if it matters,
/// pickup_type.
fn stop_times(rows: &str) -> String {
    format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type\n{rows}")
}

fn read(files: &MemoryFiles, threads: usize) -> Timetable {
    #[allow(clippy::needless_update, reason = "an option that joins later keeps its default here")]
    let options = ReadOptions { threads: NonZeroUsize::new(threads).unwrap(), ..ReadOptions::default() };
    read_feed(files, &options).unwrap().timetable
}

/// Asserts that exactly these departures are found; the oracle must agree.
fn assert_departures(files: &MemoryFiles, question: &Question<'_>, expected: &[&str]) {
    let oracle = Oracle::read(&files.0);
    let zone = oracle.time_zone().expect("a feed of these tests has a time zone");
    let from_oracle = lines_of_oracle(&oracle, question, &zone);
    assert_eq!(from_oracle, expected, "the oracle is wrong, or the literal is");
    for threads in [1, 3] {
        let timetable = read(files, threads);
        assert_equal(&mut Boards::new(&timetable), &oracle, question, &format!("{threads} threads"));
    }
}

fn lines_of_oracle(oracle: &Oracle, question: &Question<'_>, zone: &TimeZone) -> Vec<String> {
    oracle.departures(question, zone).iter().map(|departure| line_of_oracle(departure, zone)).collect()
}

/// The time zone in which a feed is asked: its own if it has one.
fn zone_of(oracle: &Oracle) -> TimeZone {
    oracle.time_zone().unwrap_or_else(|| TimeZone::get("America/New_York").unwrap())
}

/// Asserts that the timetable answers as the oracle does, and that half a window and the other half make the whole.
fn assert_equal(boards: &mut Boards<'_>, oracle: &Oracle, question: &Question<'_>, case: &str) {
    assert_eq!(boards.timetable.time_zone(), oracle.time_zone(), "{case}: another time zone");
    let zone = zone_of(oracle);
    let expected = lines_of_oracle(oracle, question, &zone);
    assert_same_lines(&boards.departures(question, &zone), &expected, question, case);

    let middle = question.from + question.from.duration_until(question.until) / 2;
    let mut halves = boards.departures(&Question { until: middle, ..*question }, &zone);
    halves.extend(boards.departures(&Question { from: middle, ..*question }, &zone));
    halves.truncate(question.limit);
    assert_same_lines(&halves, &expected, question, &format!("{case}, by halves"));
}

/// Like `assert_eq!`, but shows only what stands around the first difference.
fn assert_same_lines(found: &[String], expected: &[String], question: &Question<'_>, case: &str) {
    if found != expected {
        let at = found.iter().zip(expected).take_while(|(ours, theirs)| ours == theirs).count();
        let around = |lines: &[String]| lines[at.saturating_sub(2)..lines.len().min(at + 3)].join("\n          ");
        panic!(
            "{case}: {question:?}\n{} departures found, {} expected, alike up to number {at}\n   found: {}\nexpected: {}",
            found.len(),
            expected.len(),
            around(found),
            around(expected)
        );
    }
}
