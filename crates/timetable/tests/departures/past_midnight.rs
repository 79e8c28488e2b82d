//! Trips of earlier days: past 24:00, 48:00 and 100:00 hours, and as many days back as the latest time asks for.

use crate::{Question, assert_departures, feed, stop_times};

/// Service `once` runs on Friday, the 5th of June 2026 alone.
const ON_THE_5TH: (&str, &str) = ("calendar_dates.txt", "service_id,date,exception_type\nonce,20260605,1\n");
const TRIPS: (&str, &str) = ("trips.txt", "route_id,service_id,trip_id\nR1,once,T1\n");

fn assert_one(times: &str, [from, until]: [&str; 2], expected: &[&str]) {
    let files = feed("America/New_York", &[TRIPS, ON_THE_5TH, ("stop_times.txt", &stop_times(times))]);
    assert_departures(&files, &Question::new("A", from, until), expected);
}

#[test]
fn a_trip_at_25_10_leaves_at_ten_past_one_on_the_next_day() {
    let rows = "T1,25:10:00,25:10:00,A,1\nT1,25:20:00,25:20:00,B,2\n";
    let line = "2026-06-06T01:10:00-04:00 | 2026-06-05 25:10:00 | T1 at A 1";
    assert_one(rows, ["2026-06-06T01:00:00-04:00", "2026-06-06T02:00:00-04:00"], &[line]);
    assert_one(rows, ["2026-06-05T00:00:00-04:00", "2026-06-06T01:10:00-04:00"], &[]);
    assert_one(rows, ["2026-06-05T00:00:00-04:00", "2026-06-06T01:10:01-04:00"], &[line]);
    assert_one(rows, ["2026-06-07T01:00:00-04:00", "2026-06-07T02:00:00-04:00"], &[]);
}

#[test]
fn a_trip_at_49_30_leaves_two_days_later() {
    let rows = "T1,49:30:00,49:30:00,A,1\nT1,50:00:00,50:00:00,B,2\n";
    let line = "2026-06-07T01:30:00-04:00 | 2026-06-05 49:30:00 | T1 at A 1";
    assert_one(rows, ["2026-06-07T01:00:00-04:00", "2026-06-07T02:00:00-04:00"], &[line]);
    assert_one(rows, ["2026-06-06T01:00:00-04:00", "2026-06-06T02:00:00-04:00"], &[]);
}

#[test]
fn times_past_a_hundred_hours_and_past_ten_thousand_are_found() {
    let rows = "T1,100:10:00,100:10:00,A,1\nT1,101:00:00,101:00:00,B,2\n";
    // 100 hours are four days and four hours.
    let line = "2026-06-09T04:10:00-04:00 | 2026-06-05 100:10:00 | T1 at A 1";
    assert_one(rows, ["2026-06-09T04:00:00-04:00", "2026-06-09T05:00:00-04:00"], &[line]);
    // 12,000 hours are 500 days; of the 18th of October 2027 the offset is -04:00 too.
    let rows = "T1,12000:00:01,12000:00:01,A,1\nT1,12001:00:00,12001:00:00,B,2\n";
    let line = "2027-10-18T00:00:01-04:00 | 2026-06-05 12000:00:01 | T1 at A 1";
    assert_one(rows, ["2027-10-18T00:00:00-04:00", "2027-10-18T00:01:00-04:00"], &[line]);
    // The latest time that can be read: 99,999 hours are 4,166 days and 15 hours, and the 31st of October still has summer's clocks.
    let rows = "T1,99999:59:59,99999:59:59,A,1\nT1,99999:59:59,99999:59:59,B,2\n";
    let line = "2037-10-31T15:59:59-04:00 | 2026-06-05 99999:59:59 | T1 at A 1";
    assert_one(rows, ["2037-10-31T15:00:00-04:00", "2037-10-31T16:00:00-04:00"], &[line]);
}

#[test]
fn trips_of_several_days_stand_beside_each_other_on_one_board() {
    let rows = "T3,01:00:00,01:00:00,A,1\nT3,02:00:00,02:00:00,B,2\n\
        T1,49:00:00,49:00:00,A,1\nT1,50:00:00,50:00:00,B,2\n\
        T2,25:00:00,25:00:00,A,1\nT2,26:00:00,26:00:00,B,2\n";
    let trips = "route_id,service_id,trip_id\nR1,daily,T3\nR1,daily,T1\nR1,daily,T2\n";
    let files = feed("America/New_York", &[("trips.txt", trips), ("stop_times.txt", &stop_times(rows))]);
    // All at once: the order is that of trips.txt.
    assert_departures(
        &files,
        &Question::new("A", "2026-06-10T00:00:00-04:00", "2026-06-11T00:00:00-04:00"),
        &[
            "2026-06-10T01:00:00-04:00 | 2026-06-10 01:00:00 | T3 at A 1",
            "2026-06-10T01:00:00-04:00 | 2026-06-08 49:00:00 | T1 at A 1",
            "2026-06-10T01:00:00-04:00 | 2026-06-09 25:00:00 | T2 at A 1",
        ],
    );
}

#[test]
fn one_trip_of_two_days_at_once_comes_by_its_service_date() {
    // At A in the first and the third night: 01:00:00 and 25:00:00 of the day before are the same instant.
    let rows = "T1,01:00:00,01:00:00,A,1\nT1,25:00:00,25:00:00,A,2\nT1,26:00:00,26:00:00,B,3\n";
    let files = feed("America/New_York", &[("stop_times.txt", &stop_times(rows))]);
    assert_departures(
        &files,
        &Question::new("A", "2026-06-10T01:00:00-04:00", "2026-06-10T01:00:01-04:00"),
        &[
            "2026-06-10T01:00:00-04:00 | 2026-06-09 25:00:00 | T1 at A 2",
            "2026-06-10T01:00:00-04:00 | 2026-06-10 01:00:00 | T1 at A 1",
        ],
    );
}

#[test]
fn what_began_on_the_last_service_day_still_leaves_after_it() {
    let rows = "T1,23:00:00,23:00:00,A,1\nT1,24:30:00,24:30:00,A,2\nT1,26:00:00,26:00:00,B,3\n";
    let files = feed("America/New_York", &[("stop_times.txt", &stop_times(rows))]);
    assert_departures(
        &files,
        &Question::new("A", "2026-12-31T12:00:00-05:00", "2027-01-08T00:00:00-05:00"),
        &[
            "2026-12-31T23:00:00-05:00 | 2026-12-31 23:00:00 | T1 at A 1",
            "2027-01-01T00:30:00-05:00 | 2026-12-31 24:30:00 | T1 at A 2",
        ],
    );
}
