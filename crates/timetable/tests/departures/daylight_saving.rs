//! Service days of 23, 23.5, 24.5 and 25 hours, and one without a midnight: a time counts from noon minus 12 h.

use crate::{Question, assert_departures, feed, stop_times};

/// The times of one trip each, in order: around midnight, around each change of the clocks, and past midnight.
const TIMES: [&str; 7] = ["00:00:00", "00:30:00", "01:30:00", "02:30:00", "03:30:00", "12:00:00", "25:10:00"];

/// Asserts at which instants trips of one service date leave that do so at `TIMES`.
pub(crate) fn assert_instants(zone: &str, service_date: &str, instants: [&str; 7]) {
    println!("{service_date} in {zone}");
    let mut trips = String::from("route_id,service_id,trip_id\n");
    let mut rows = String::new();
    for (number, time) in TIMES.iter().enumerate() {
        trips += &format!("R1,once,T{number}\n");
        rows += &format!("T{number},{time},{time},A,1\nT{number},200:00:00,200:00:00,B,2\n");
    }
    let calendar_dates = format!("service_id,date,exception_type\nonce,{},1\n", service_date.replace('-', ""));
    let files = feed(
        zone,
        &[("trips.txt", &trips), ("stop_times.txt", &stop_times(&rows)), ("calendar_dates.txt", &calendar_dates)],
    );
    let lines: Vec<String> = (0..)
        .zip(TIMES.iter().zip(instants))
        .map(|(number, (time, instant))| format!("{instant} | {service_date} {time} | T{number} at A 1"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let noon = format!("{service_date}T12:00:00Z").parse::<jiff::Timestamp>().unwrap();
    let days = |days: i64| jiff::SignedDuration::from_hours(24 * days);
    let around = Question::new("A", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z");
    assert_departures(&files, &Question { from: noon - days(3), until: noon + days(4), ..around }, &lines);
}

#[test]
fn on_the_day_of_23_hours_in_new_york_the_service_day_begins_at_23_00() {
    // Clocks go from 02:00 -05:00 to 03:00 -04:00. Noon is 16:00 Z, so the day counts from 04:00 Z.
    assert_instants(
        "America/New_York",
        "2026-03-08",
        [
            "2026-03-07T23:00:00-05:00",
            "2026-03-07T23:30:00-05:00",
            "2026-03-08T00:30:00-05:00",
            "2026-03-08T01:30:00-05:00",
            "2026-03-08T03:30:00-04:00",
            "2026-03-08T12:00:00-04:00",
            "2026-03-09T01:10:00-04:00",
        ],
    );
}

#[test]
fn on_the_day_of_25_hours_in_new_york_the_service_day_begins_at_01_00() {
    // Clocks go from 02:00 -04:00 to 01:00 -05:00. Noon is 17:00 Z, so the day counts from 05:00 Z.
    assert_instants(
        "America/New_York",
        "2026-11-01",
        [
            "2026-11-01T01:00:00-04:00",
            "2026-11-01T01:30:00-04:00",
            "2026-11-01T01:30:00-05:00",
            "2026-11-01T02:30:00-05:00",
            "2026-11-01T03:30:00-05:00",
            "2026-11-01T12:00:00-05:00",
            "2026-11-02T01:10:00-05:00",
        ],
    );
}

#[test]
fn the_day_before_a_change_runs_into_it_on_its_own_count() {
    // Of the 31st of October noon is 16:00 Z: the day counts from 04:00 Z, and 25:10:00 is 05:10 Z, still -04:00.
    assert_instants(
        "America/New_York",
        "2026-10-31",
        [
            "2026-10-31T00:00:00-04:00",
            "2026-10-31T00:30:00-04:00",
            "2026-10-31T01:30:00-04:00",
            "2026-10-31T02:30:00-04:00",
            "2026-10-31T03:30:00-04:00",
            "2026-10-31T12:00:00-04:00",
            "2026-11-01T01:10:00-04:00",
        ],
    );
}

#[test]
fn the_day_after_a_change_is_an_ordinary_one() {
    assert_instants(
        "America/New_York",
        "2026-03-09",
        [
            "2026-03-09T00:00:00-04:00",
            "2026-03-09T00:30:00-04:00",
            "2026-03-09T01:30:00-04:00",
            "2026-03-09T02:30:00-04:00",
            "2026-03-09T03:30:00-04:00",
            "2026-03-09T12:00:00-04:00",
            "2026-03-10T01:10:00-04:00",
        ],
    );
}

#[test]
fn berlin_changes_at_01_00_z_in_spring_and_in_autumn() {
    // Noon is 10:00 Z, so the day counts from 22:00 Z of the 28th; 03:30:00 is 01:30 Z.
    assert_instants(
        "Europe/Berlin",
        "2026-03-29",
        [
            "2026-03-28T23:00:00+01:00",
            "2026-03-28T23:30:00+01:00",
            "2026-03-29T00:30:00+01:00",
            "2026-03-29T01:30:00+01:00",
            "2026-03-29T03:30:00+02:00",
            "2026-03-29T12:00:00+02:00",
            "2026-03-30T01:10:00+02:00",
        ],
    );
    // Noon is 11:00 Z, so the day counts from 23:00 Z of the 24th; 02:30:00 is 01:30 Z, the second 02:30 of that night.
    assert_instants(
        "Europe/Berlin",
        "2026-10-25",
        [
            "2026-10-25T01:00:00+02:00",
            "2026-10-25T01:30:00+02:00",
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T02:30:00+01:00",
            "2026-10-25T03:30:00+01:00",
            "2026-10-25T12:00:00+01:00",
            "2026-10-26T01:10:00+01:00",
        ],
    );
}

#[test]
fn lord_howe_changes_by_half_an_hour() {
    // From 02:00 +10:30 to 02:30 +11:00. Noon is 01:00 Z, so the day counts from 13:00 Z of the 3rd; the change is at
    // 15:30 Z.
    assert_instants(
        "Australia/Lord_Howe",
        "2026-10-04",
        [
            "2026-10-03T23:30:00+10:30",
            "2026-10-04T00:00:00+10:30",
            "2026-10-04T01:00:00+10:30",
            "2026-10-04T02:30:00+11:00",
            "2026-10-04T03:30:00+11:00",
            "2026-10-04T12:00:00+11:00",
            "2026-10-05T01:10:00+11:00",
        ],
    );
    // From 02:00 +11:00 to 01:30 +10:30. Noon is 01:30 Z, so the day counts from 13:30 Z of the 4th; the change is at
    // 15:00 Z, which is 01:30:00.
    assert_instants(
        "Australia/Lord_Howe",
        "2026-04-05",
        [
            "2026-04-05T00:30:00+11:00",
            "2026-04-05T01:00:00+11:00",
            "2026-04-05T01:30:00+10:30",
            "2026-04-05T02:30:00+10:30",
            "2026-04-05T03:30:00+10:30",
            "2026-04-05T12:00:00+10:30",
            "2026-04-06T01:10:00+10:30",
        ],
    );
}

#[test]
fn in_santiago_a_day_has_no_midnight_and_another_has_two() {
    // On the 6th of September 00:00 -04:00 becomes 01:00 -03:00. Noon is 15:00 Z: the day counts from 03:00 Z.
    assert_instants(
        "America/Santiago",
        "2026-09-06",
        [
            "2026-09-05T23:00:00-04:00",
            "2026-09-05T23:30:00-04:00",
            "2026-09-06T01:30:00-03:00",
            "2026-09-06T02:30:00-03:00",
            "2026-09-06T03:30:00-03:00",
            "2026-09-06T12:00:00-03:00",
            "2026-09-07T01:10:00-03:00",
        ],
    );
    // On the 4th of April 24:00 -03:00 becomes 23:00 -04:00. Noon of it is 15:00 Z: 25:10:00 is 04:10 Z.
    assert_instants(
        "America/Santiago",
        "2026-04-04",
        [
            "2026-04-04T00:00:00-03:00",
            "2026-04-04T00:30:00-03:00",
            "2026-04-04T01:30:00-03:00",
            "2026-04-04T02:30:00-03:00",
            "2026-04-04T03:30:00-03:00",
            "2026-04-04T12:00:00-03:00",
            "2026-04-05T00:10:00-04:00",
        ],
    );
}

#[test]
fn a_window_around_the_change_has_what_leaves_by_the_clocks_of_both_sides() {
    let files = feed(
        "America/New_York",
        &[(
            "stop_times.txt",
            &stop_times(
                "T1,01:30:00,01:30:00,A,1\nT1,02:30:00,02:30:00,A,2\nT1,03:00:00,03:00:00,A,3\nT1,04:00:00,,B,4\n",
            ),
        )],
    );
    // The 8th of March counts from 04:00 Z; the hour from 06:30 Z to 07:30 Z is 01:30 -05:00 to 03:30 -04:00.
    assert_departures(
        &files,
        &Question::new("A", "2026-03-08T01:30:00-05:00", "2026-03-08T03:30:00-04:00"),
        &[
            "2026-03-08T01:30:00-05:00 | 2026-03-08 02:30:00 | T1 at A 2",
            "2026-03-08T03:00:00-04:00 | 2026-03-08 03:00:00 | T1 at A 3",
        ],
    );
    // The 1st of November counts from 05:00 Z, which is the first 01:00; 01:30:00 is the second 01:30.
    assert_departures(
        &files,
        &Question::new("A", "2026-11-01T01:00:00-04:00", "2026-11-01T02:00:00-05:00"),
        &["2026-11-01T01:30:00-05:00 | 2026-11-01 01:30:00 | T1 at A 1"],
    );
}
