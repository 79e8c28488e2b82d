//! Random small feeds around days on which clocks change, asked at random: ours equals the oracle.
//!
//! `LINESPEED_CASES` names how many feeds a run tries, `LINESPEED_SEED` the seed of the first; a failure prints its
//! seed, and the smallest feed that fails in full.

use std::fmt;
use std::hash::{BuildHasher, RandomState};

use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngSeed, TestRunner};
use timetable::MemoryFiles;

use crate::oracle::Oracle;
use crate::{Boards, Question, assert_equal, feed, read, time_text};

const CASES: u32 = 500;
const TRIP_COUNT: usize = 6;
const ROUTE_IDS: [&str; 2] = ["R1", "R2"];
const SERVICE_IDS: [&str; 2] = ["S1", "S2"];
/// The last is not in stops.txt.
const STOP_IDS: [&str; 7] = ["station", "platform 1", "platform 2", "area", "A", "B", "unlisted"];
/// The stops of trips and of questions: some so often that much leaves them at once.
const OFTEN: [&str; 9] = ["A", "A", "A", "station", "platform 1", "platform 2", "area", "B", "unlisted"];
/// The days around which all happens: each changes its clocks, but for UTC's.
const CHANGES: [(&str, Date); 15] = [
    ("America/New_York", date(2026, 3, 8)),
    ("America/New_York", date(2026, 11, 1)),
    ("Europe/Berlin", date(2026, 3, 29)),
    ("Europe/Berlin", date(2026, 10, 25)),
    ("Australia/Lord_Howe", date(2026, 4, 5)),
    ("Australia/Lord_Howe", date(2026, 10, 4)),
    ("America/Santiago", date(2026, 4, 4)),
    ("America/Santiago", date(2026, 9, 6)),
    ("Africa/Casablanca", date(2026, 2, 15)),
    ("Africa/Casablanca", date(2026, 3, 22)),
    ("Africa/Cairo", date(2026, 4, 24)),
    ("Pacific/Apia", date(2011, 12, 30)),
    ("Pacific/Kwajalein", date(1969, 9, 30)),
    ("Pacific/Kwajalein", date(1993, 8, 21)),
    ("UTC", date(2024, 2, 29)),
];

/// A feed, and what it is asked.
struct Case {
    zone: &'static str,
    change: Date,
    files: MemoryFiles,
    asked: Vec<Asked>,
}

/// A question; its instants are found once the feed is read.
#[derive(Clone, Debug)]
struct Asked {
    stop_id: &'static str,
    from: Moment,
    /// Seconds, or until a departure.
    until: Result<i64, Index>,
    limit: usize,
    route_id: Option<&'static str>,
    direction_id: Option<u8>,
}

/// When a window begins.
#[derive(Clone, Debug)]
enum Moment {
    /// Seconds after the midnight, in UTC, of the day on which clocks change.
    Anywhen(i64),
    /// Milliseconds after one of the departures, where there is one.
    NearDeparture(Index, i64),
}

/// The text of the files, as a failing case is read and written down as a test of its own.
impl fmt::Debug for Case {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in &self.files.0 {
            write!(formatter, "\n{name}:\n{}", String::from_utf8_lossy(text))?;
        }
        write!(formatter, "\naround {} in {}: {:#?}", self.change, self.zone, self.asked)
    }
}

/// Rows of a file of random length, one after the other.
fn rows(row: impl Strategy<Value = String>, counts: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(row, counts).prop_map(|rows| rows.concat())
}

fn stops() -> impl Strategy<Value = String> {
    // Mostly a station as it should be; otherwise anything, cycles among it.
    let usual = ["", "station", "station", "platform 1", "", ""];
    let odd = prop::collection::vec(select(&STOP_IDS[..]), usual.len());
    prop_oneof![3 => Just(usual.to_vec()), 1 => odd].prop_map(|parents| {
        let rows = STOP_IDS.iter().zip(parents).map(|(stop_id, parent)| format!("{stop_id},{parent}\n"));
        format!("stop_id,parent_station\n{}", rows.collect::<String>())
    })
}

fn near(change: Date, days: std::ops::Range<i64>) -> impl Strategy<Value = String> {
    days.prop_map(move |days| change.checked_add(days.days()).unwrap().strftime("%Y%m%d").to_string())
}

fn calendar(change: Date) -> impl Strategy<Value = String> {
    let days = prop_oneof![2 => Just([true; 7]), 1 => any::<[bool; 7]>()];
    let row = (select(&SERVICE_IDS[..]), days, near(change, -6..1), near(change, -1..6)).prop_map(
        |(service_id, days, start_date, end_date)| {
            let days: String = days.iter().map(|runs| format!("{},", u8::from(*runs))).collect();
            format!("{service_id},{days}{start_date},{end_date}\n")
        },
    );
    let header = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n";
    rows(row, 0..6).prop_map(move |rows| format!("{header}{rows}"))
}

fn calendar_dates(change: Date) -> impl Strategy<Value = String> {
    let row = (select(&SERVICE_IDS[..]), near(change, -4..5), 1..3u8);
    rows(row.prop_map(|(service_id, date, exception_type)| format!("{service_id},{date},{exception_type}\n")), 0..9)
        .prop_map(|rows| format!("service_id,date,exception_type\n{rows}"))
}

fn trip_id() -> impl Strategy<Value = String> {
    (0..TRIP_COUNT).prop_map(|number| format!("T{number}"))
}

fn trips() -> impl Strategy<Value = String> {
    let row = (trip_id(), select(&ROUTE_IDS[..]), select(&SERVICE_IDS[..]), select(vec!["", "0", "1", "1", "2"]));
    rows(row.prop_map(|(trip, route, service, direction)| format!("{trip},{route},{service},{direction}\n")), 4..16)
        .prop_map(|rows| format!("trip_id,route_id,service_id,direction_id\n{rows}"))
}

/// When a trip begins: early or late on its service day, a day or two after it, or far beyond; often at the same instant
/// as a trip of another day.
fn start_times() -> impl Strategy<Value = i64> {
    let hours = prop_oneof![4 => 0..5i64, 4 => 5..30i64, 2 => 46..52i64, 1 => 99..102i64, 1 => 130..200i64];
    let seconds = select(vec![0i64, 0, 1, 59, 600, 1800, 1802, 3599]);
    let anywhen = (hours, seconds).prop_map(|(hours, seconds)| hours * 3600 + seconds);
    prop_oneof![3 => anywhen, 2 => (0..4i64).prop_map(|days| (days * 24 + 6) * 3600)]
}

/// The stop times of one trip: from its start on in steps of some minutes, often to the minute, now and then back.
fn stop_times_of_trip(number: usize) -> impl Strategy<Value = String> {
    let minutes = (0..20i64).prop_map(|minutes| minutes * 60);
    let step = prop_oneof![6 => minutes, 2 => 0..4000i64, 2 => select(vec![0i64, 600, 86_400]), 1 => -600..0i64];
    let times = select(vec!["both", "both", "both", "arrival", "departure", "none", "none"]);
    let row = (select(&OFTEN[..]), step, select(vec![0i64, 0, 30, 60]), times, select(vec!["", "0", "1", "2", "3"]));
    let is_shuffled = prop::bool::weighted(0.2);
    (start_times(), prop::collection::vec((row, 0..100u32), 0..12), is_shuffled).prop_map(
        move |(start, rows, is_shuffled)| {
            let mut clock = start;
            let rows = (1..).zip(rows).map(|(position, ((stop_id, step, dwell, times, pickup_type), any_sequence))| {
                let arrival = (clock + step).max(0);
                clock = arrival + dwell;
                let arrival_text = if matches!(times, "both" | "arrival") { time_text(arrival) } else { String::new() };
                let departure_text =
                    if matches!(times, "both" | "departure") { time_text(clock) } else { String::new() };
                let sequence = if is_shuffled { any_sequence } else { position * 5 };
                format!("T{number},{arrival_text},{departure_text},{stop_id},{sequence},{pickup_type}\n")
            });
            rows.collect()
        },
    )
}

fn stop_times() -> impl Strategy<Value = String> {
    let trips: Vec<_> = (0..TRIP_COUNT).map(stop_times_of_trip).collect();
    trips.prop_map(|trips| crate::stop_times(&trips.concat()))
}

fn frequencies() -> impl Strategy<Value = String> {
    let headway = select(vec![1i64, 7, 60, 600, 601, 3600, 100_000]);
    // Trips often begin together.
    let start = prop_oneof![start_times(), select(vec![21_600i64, 22_200, 86_400])];
    let row = (trip_id(), start, headway, 0..5i64, -1..2i64, select(vec!["", "0", "1"]));
    prop_oneof![1 => Just(Vec::new()), 2 => prop::collection::vec(row, 1..5)].prop_map(|rows| {
        let rows = rows.iter().map(|(trip_id, start, headway, count, more, exact_times)| {
            // The end is at the start of a trip, a second before it or after it.
            let end = (start + headway * count + more).max(0);
            format!("{trip_id},{},{},{headway},{exact_times}\n", time_text(*start), time_text(end))
        });
        format!("trip_id,start_time,end_time,headway_secs,exact_times\n{}", rows.collect::<String>())
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    let day = 86_400i64;
    let near_departure = (any::<Index>(), select(vec![0i64, 0, 0, -1, 1, -1000, 1000, -90_000]));
    let from = prop_oneof![
        1 => (-6 * day..14 * day).prop_map(Moment::Anywhen),
        2 => near_departure.prop_map(|(index, after)| Moment::NearDeparture(index, after)),
    ];
    let until = prop_oneof![
        3 => (0..4 * day).prop_map(Ok),
        1 => (0..4000i64).prop_map(Ok),
        1 => any::<Index>().prop_map(Err),
    ];
    let limit = prop_oneof![3 => 0..50usize, 1 => Just(usize::MAX)];
    let filters = (prop::option::weighted(0.2, select(&ROUTE_IDS[..])), prop::option::weighted(0.2, 0..2u8));
    (select(&OFTEN[..]), from, until, limit, filters).prop_map(
        |(stop_id, from, until, limit, (route_id, direction_id))| Asked {
            stop_id,
            from,
            until,
            limit,
            route_id,
            direction_id,
        },
    )
}

fn cases() -> impl Strategy<Value = Case> {
    select(&CHANGES[..]).prop_flat_map(|(zone, change)| {
        let services = (calendar(change), calendar_dates(change));
        let asked = prop::collection::vec(asked(), 4..12);
        (stops(), services, trips(), stop_times(), frequencies(), asked).prop_map(
            move |(stops, (calendar, calendar_dates), trips, stop_times, frequencies, asked)| {
                let files = feed(
                    zone,
                    &[
                        ("stops.txt", &stops),
                        ("calendar.txt", &calendar),
                        ("calendar_dates.txt", &calendar_dates),
                        ("trips.txt", &trips),
                        ("stop_times.txt", &stop_times),
                        ("frequencies.txt", &frequencies),
                    ],
                );
                Case { zone, change, files, asked }
            },
        )
    })
}

impl Asked {
    /// The question, of which the feed must know the stop and the route; `departures` are all that there are.
    fn question(&self, change: Date, departures: &[Timestamp]) -> Question<'static> {
        let midnight = change.to_zoned(TimeZone::UTC).unwrap().timestamp();
        let near = |index: &Index| if departures.is_empty() { midnight } else { *index.get(departures) };
        let from = match &self.from {
            Moment::Anywhen(seconds) => midnight + SignedDuration::from_secs(*seconds),
            Moment::NearDeparture(index, after) => near(index) + SignedDuration::from_millis(*after),
        };
        let until = match &self.until {
            Ok(seconds) => from + SignedDuration::from_secs(*seconds),
            Err(index) => {
                let later: Vec<_> = departures.iter().filter(|instant| **instant >= from).collect();
                if later.is_empty() { from } else { **index.get(&later) }
            }
        };
        let &Self { stop_id, limit, route_id, direction_id, .. } = self;
        Question { stop_id, from, until, limit, route_id, direction_id }
    }
}

/// Asserts that the timetable answers all that is asked as the oracle does; counts the departures compared.
fn assert_case(case: &Case) -> usize {
    let (oracle, timetable) = (Oracle::read(&case.files.0), read(&case.files, 2));
    let (mut boards, mut departure_count) = (Boards::new(&timetable), 0);
    let zone = TimeZone::get(case.zone).unwrap();
    for asked in &case.asked {
        let knows = |route_id: &str| timetable.find_route(route_id).is_some();
        let asked = Asked { route_id: asked.route_id.filter(|route_id| knows(route_id)), ..asked.clone() };
        if timetable.find_stop(asked.stop_id).is_none() {
            continue;
        }
        let always =
            Asked { from: Moment::Anywhen(-20 * 86_400), until: Ok(40 * 86_400), limit: usize::MAX, ..asked.clone() };
        let all = oracle.departures(&always.question(case.change, &[]), &zone);
        let instants: Vec<Timestamp> = all.iter().map(|departure| departure.instant).collect();
        departure_count += oracle.departures(&asked.question(case.change, &instants), &zone).len();
        assert_equal(&mut boards, &oracle, &asked.question(case.change, &instants), "a random feed");
    }
    departure_count
}

#[test]
fn any_small_feed_asked_at_any_instant_equals_the_oracle() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().expect("a whole number"));
    let cases_max = number("LINESPEED_CASES").map_or(CASES, |cases| cases as u32);
    let seed = number("LINESPEED_SEED").unwrap_or_else(|| RandomState::new().hash_one(0));
    println!("{cases_max} feeds from LINESPEED_SEED={seed} on");
    let rng_seed = RngSeed::Fixed(seed);
    let config = ProptestConfig { failure_persistence: None, rng_seed, ..ProptestConfig::with_cases(cases_max) };
    let departure_count = std::cell::Cell::new(0);
    let result = TestRunner::new(config).run(&cases(), |case| {
        departure_count.set(departure_count.get() + assert_case(&case));
        Ok(())
    });
    println!("{} departures compared", departure_count.get());
    result.unwrap_or_else(|failure| panic!("LINESPEED_SEED={seed}: {failure}"));
    let is_telling = departure_count.get() > cases_max as usize * 3;
    assert!(is_telling || cases_max < CASES, "the feeds say too little to be a test");
}
