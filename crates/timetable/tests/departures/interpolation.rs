//! Departures of stop times that have none of their own: the arrival, or evenly between the stops with times.

use crate::{Question, assert_departures, feed, stop_times};

/// Asserts at which times of the 1st of June T1 leaves A; every row of a stop is a stop time of T1.
///
/// An expected departure is its time, a space and the stop_sequence, and ` | interpolated` where it is.
fn assert_times(rows: &[&str], expected: &[&str]) {
    let rows: String = rows.iter().map(|row| format!("T1,{row}\n")).collect();
    let files = feed("UTC", &[("stop_times.txt", &stop_times(&rows))]);
    let lines: Vec<String> = expected
        .iter()
        .map(|departure| {
            let (time, sequence) = departure.split_once(' ').unwrap();
            format!("2026-06-01T{time}+00:00 | 2026-06-01 {time} | T1 at A {sequence}")
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_departures(&files, &Question::new("A", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"), &lines);
}

#[test]
fn a_stop_with_an_arrival_only_leaves_when_it_arrives_and_that_is_no_interpolation() {
    assert_times(
        &["08:00:00,,A,1", "08:10:00,,B,2", "08:20:00,08:21:00,A,3", ",08:30:00,B,4"],
        &["08:00:00 1", "08:21:00 3"],
    );
}

#[test]
fn stops_without_times_divide_the_gap_evenly_by_their_number_not_by_their_sequence() {
    // From the departure 08:02 to the arrival 08:12 there are four steps of 150 s.
    assert_times(
        &["08:00:00,08:02:00,B,1", ",,A,5", ",,A,6", ",,A,90", "08:12:00,08:15:00,B,91"],
        &["08:04:30 5 | interpolated", "08:07:00 6 | interpolated", "08:09:30 90 | interpolated"],
    );
}

#[test]
fn two_gaps_of_one_trip_are_each_on_their_own() {
    // 08:00 to 08:10 in two steps; 08:20 to 08:23 in three.
    assert_times(
        &["08:00:00,08:00:00,A,1", ",,A,2", "08:10:00,08:20:00,B,3", ",,A,4", ",,A,5", "08:23:00,08:30:00,B,6"],
        &["08:00:00 1", "08:05:00 2 | interpolated", "08:21:00 4 | interpolated", "08:22:00 5 | interpolated"],
    );
}

#[test]
fn a_gap_begins_at_an_arrival_and_ends_at_a_departure_where_there_is_nothing_else() {
    assert_times(&["08:00:00,,B,1", ",,A,2", ",08:10:00,B,3"], &["08:05:00 2 | interpolated"]);
}

#[test]
fn seconds_are_rounded_down() {
    // Ten seconds in three steps: 3 1/3 and 6 2/3.
    assert_times(
        &["08:00:00,08:00:00,B,1", ",,A,2", ",,A,3", "08:00:10,08:00:10,B,4"],
        &["08:00:03 2 | interpolated", "08:00:06 3 | interpolated"],
    );
    println!("down is earlier, even where a bad feed's times go back: 3 1/3 s before is in the fourth second before");
    assert_times(
        &["08:00:10,08:00:10,B,1", ",,A,2", ",,A,3", "08:00:00,08:00:00,B,4"],
        &["08:00:03 3 | interpolated", "08:00:06 2 | interpolated"],
    );
    println!("no time to go: all leave at once, in the order of the trip");
    assert_times(
        &["08:00:00,08:00:00,B,1", ",,A,2", ",,A,3", "08:00:00,08:00:00,B,4"],
        &["08:00:00 2 | interpolated", "08:00:00 3 | interpolated"],
    );
}

#[test]
fn at_the_ends_there_is_nothing_to_interpolate_between() {
    assert_times(&[",,A,1", ",,A,2", "08:00:00,08:00:00,B,3", ",,A,4", ",,A,5"], &[]);
    assert_times(&[",,A,1", ",,A,2"], &[]);
}

#[test]
fn only_the_gap_between_the_two_ends_is_filled() {
    assert_times(
        &[",,A,1", "08:00:00,08:00:00,B,2", ",,A,3", "08:01:00,08:01:00,B,4", ",,A,5", ",,B,6"],
        &["08:00:30 3 | interpolated"],
    );
}

#[test]
fn the_last_stop_of_a_trip_and_stops_without_pickup_bound_a_gap_like_all_others() {
    assert_times(
        &["08:00:00,08:00:00,B,1,1", ",,A,2", ",,A,3,1", ",,A,4", "08:04:00,,B,5"],
        &["08:01:00 2 | interpolated", "08:03:00 4 | interpolated"],
    );
}

#[test]
fn the_order_is_that_of_the_sequence_and_not_of_the_file() {
    assert_times(
        &["08:10:00,08:10:00,B,30", ",,A,20", "08:00:00,08:00:00,B,10", ",,A,15"],
        &["08:03:20 15 | interpolated", "08:06:40 20 | interpolated"],
    );
}

#[test]
fn times_that_are_no_times_count_as_empty() {
    assert_times(
        &["08:00:00,08:00:00,B,1", "abc,08:61:00,A,2", "08:10,08:05:00,A,3", "08:10:00,8,B,4", "9:00:00,,B,5"],
        &["08:02:30 2 | interpolated", "08:05:00 3"],
    );
}

#[test]
fn an_interpolated_time_may_lie_past_midnight() {
    let rows = "T1,23:50:00,23:50:00,B,1\nT1,,,A,2\nT1,24:30:00,24:30:00,B,3\n";
    let files = feed("America/New_York", &[("stop_times.txt", &stop_times(rows))]);
    assert_departures(
        &files,
        &Question::new("A", "2026-06-02T00:00:00-04:00", "2026-06-02T01:00:00-04:00"),
        &["2026-06-02T00:10:00-04:00 | 2026-06-01 24:10:00 | T1 at A 2 | interpolated"],
    );
}
