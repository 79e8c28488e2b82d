//! Which of the departures are answered: the window's ends, the limit, and the filters by route and direction.

use jiff::Timestamp;
use timetable::MemoryFiles;

use crate::{Question, assert_departures, feed, stop_times};

/// Six trips of two routes: T1, T2 and T3 leave A at 08:00:00, the others a second, two and an hour later.
fn six_trips() -> MemoryFiles {
    let trips = "route_id,service_id,trip_id,direction_id\n\
        R2,daily,T3,0\nR1,daily,T1,0\nR1,daily,T2,1\nR1,daily,T4,\nR2,daily,T5,1\nR1,daily,T6,0\n";
    let times = [
        ("T1", "08:00:00"),
        ("T2", "08:00:00"),
        ("T3", "08:00:00"),
        ("T4", "08:00:01"),
        ("T5", "08:00:02"),
        ("T6", "09:00:00"),
    ];
    let rows: String =
        times.iter().map(|(trip, time)| format!("{trip},{time},{time},A,1\n{trip},10:00:00,10:00:00,B,2\n")).collect();
    feed("UTC", &[("trips.txt", trips), ("stop_times.txt", &stop_times(&rows))])
}

const T1: &str = "2026-06-01T08:00:00+00:00 | 2026-06-01 08:00:00 | T1 at A 1";
const T2: &str = "2026-06-01T08:00:00+00:00 | 2026-06-01 08:00:00 | T2 at A 1";
const T3: &str = "2026-06-01T08:00:00+00:00 | 2026-06-01 08:00:00 | T3 at A 1";
const T4: &str = "2026-06-01T08:00:01+00:00 | 2026-06-01 08:00:01 | T4 at A 1";
const T5: &str = "2026-06-01T08:00:02+00:00 | 2026-06-01 08:00:02 | T5 at A 1";
const T6: &str = "2026-06-01T09:00:00+00:00 | 2026-06-01 09:00:00 | T6 at A 1";

fn on_the_1st() -> Question<'static> {
    Question::new("A", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")
}

#[test]
fn equal_instants_come_in_the_order_of_trips_txt() {
    assert_departures(&six_trips(), &on_the_1st(), &[T3, T1, T2, T4, T5, T6]);
}

#[test]
fn from_is_included_and_until_is_not() {
    let assert_window = |from: &str, until: &str, expected: &[&str]| {
        assert_departures(&six_trips(), &Question::new("A", from, until), expected)
    };
    assert_window("2026-06-01T08:00:00Z", "2026-06-01T08:00:01Z", &[T3, T1, T2]);
    assert_window("2026-06-01T08:00:01Z", "2026-06-01T09:00:00Z", &[T4, T5]);
    assert_window("2026-06-01T08:00:03Z", "2026-06-01T09:00:01Z", &[T6]);
    println!("parts of a second");
    assert_window("2026-06-01T08:00:00.000000001Z", "2026-06-01T08:00:01.5Z", &[T4]);
    assert_window("2026-06-01T08:00:00.5Z", "2026-06-01T08:00:01Z", &[]);
    assert_window("2026-06-01T07:59:59.9Z", "2026-06-01T08:00:00.000000001Z", &[T3, T1, T2]);
    println!("windows of no length, and back to front");
    assert_window("2026-06-01T08:00:00Z", "2026-06-01T08:00:00Z", &[]);
    assert_window("2026-06-01T09:00:00Z", "2026-06-01T08:00:00Z", &[]);
}

#[test]
fn the_limit_cuts_in_the_midst_of_equal_instants() {
    let all = [T3, T1, T2, T4, T5, T6];
    for limit in 0..=7 {
        assert_departures(&six_trips(), &Question { limit, ..on_the_1st() }, &all[..limit.min(6)]);
    }
}

#[test]
fn the_limit_counts_over_days() {
    let question = Question { limit: 8, until: "2026-07-01T00:00:00Z".parse().unwrap(), ..on_the_1st() };
    let [next_t3, next_t1] = [T3, T1].map(|line| line.replace("06-01", "06-02"));
    assert_departures(&six_trips(), &question, &[T3, T1, T2, T4, T5, T6, &next_t3, &next_t1]);
}

#[test]
fn the_filters_by_route_and_direction_come_before_the_limit() {
    let question = on_the_1st();
    let assert_filtered = |route_id, direction_id, limit, expected: &[&str]| {
        assert_departures(&six_trips(), &Question { route_id, direction_id, limit, ..question }, expected);
    };
    assert_filtered(Some("R1"), None, 10, &[T1, T2, T4, T6]);
    assert_filtered(Some("R2"), None, 10, &[T3, T5]);
    assert_filtered(None, Some(0), 10, &[T3, T1, T6]);
    assert_filtered(None, Some(1), 10, &[T2, T5]);
    assert_filtered(Some("R1"), Some(0), 10, &[T1, T6]);
    assert_filtered(Some("R1"), Some(0), 1, &[T1]);
    assert_filtered(Some("R2"), Some(1), 1, &[T5]);
    assert_filtered(Some("R2"), Some(2), 10, &[]);
}

#[test]
fn outside_of_the_service_period_nothing_leaves_however_far_away() {
    let far = |from, until| Question { from, until, ..on_the_1st() };
    let hour = jiff::SignedDuration::from_hours(1);
    assert_departures(&six_trips(), &Question::new("A", "2025-12-01T00:00:00Z", "2026-01-01T08:00:00Z"), &[]);
    assert_departures(&six_trips(), &Question::new("A", "2026-12-31T09:00:01Z", "2027-02-01T08:00:00Z"), &[]);
    assert_departures(&six_trips(), &far(Timestamp::MIN, Timestamp::MIN + hour), &[]);
    assert_departures(&six_trips(), &far(Timestamp::MAX - hour, Timestamp::MAX), &[]);
}
