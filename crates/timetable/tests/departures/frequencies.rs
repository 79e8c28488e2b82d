//! frequencies.txt: a trip that runs again and again, exactly or about so (GTFS reference, frequencies.txt).

use timetable::MemoryFiles;

use crate::{Question, assert_departures, feed, stop_times};

/// T1 by its own times: it leaves A at 08:00:00, B six minutes later and C, by interpolation, another five later.
const ROWS: &str = "T1,07:59:00,08:00:00,A,1\nT1,08:05:00,08:06:00,B,2\nT1,,,C,3\nT1,08:16:00,08:16:00,D,4\n";

/// A feed of T1 with these rows of start_time, end_time, headway_secs and exact_times.
fn frequent(stop_time_rows: &str, frequency_rows: &[&str]) -> MemoryFiles {
    let mut frequencies = String::from("trip_id,start_time,end_time,headway_secs,exact_times\n");
    for row in frequency_rows {
        frequencies += &format!("T1,{row}\n");
    }
    feed("UTC", &[("stop_times.txt", &stop_times(stop_time_rows)), ("frequencies.txt", &frequencies)])
}

/// The whole of the 1st of June and no more.
fn on_the_1st(stop_id: &str) -> Question<'_> {
    Question::new(stop_id, "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z")
}

#[test]
fn the_start_is_included_and_the_end_is_not() {
    for exact_times in ["0", "1"] {
        // 06:00, 06:10, 06:20; 06:30 is the end.
        let files = frequent(ROWS, &[&format!("06:00:00,06:30:00,600,{exact_times}")]);
        let expected = ["06:00:00", "06:10:00", "06:20:00"].map(|time| {
            format!(
                "2026-06-01T{time}+00:00 | 2026-06-01 {time} | T1 at A 1 \
                 | every 600 s from 06:00:00 until 06:30:00, exact_times {exact_times}"
            )
        });
        assert_departures(&files, &on_the_1st("A"), &expected.each_ref().map(String::as_str));
    }
}

#[test]
fn a_second_more_before_the_end_lets_another_one_leave() {
    let files = frequent(ROWS, &["06:00:00,06:10:01,600,1"]);
    assert_departures(
        &files,
        &on_the_1st("A"),
        &[
            "2026-06-01T06:00:00+00:00 | 2026-06-01 06:00:00 | T1 at A 1 | every 600 s from 06:00:00 until 06:10:01, exact_times 1",
            "2026-06-01T06:10:00+00:00 | 2026-06-01 06:10:00 | T1 at A 1 | every 600 s from 06:00:00 until 06:10:01, exact_times 1",
        ],
    );
}

#[test]
fn a_headway_need_not_divide_the_span() {
    // 06:00:00, 06:07:00, 06:14:00; 06:21:00 is past the end.
    let files = frequent(ROWS, &["06:00:00,06:20:00,420,0"]);
    assert_departures(
        &files,
        &on_the_1st("B"),
        &[
            "2026-06-01T06:06:00+00:00 | 2026-06-01 06:06:00 | T1 at B 2 | every 420 s from 06:00:00 until 06:20:00, exact_times 0",
            "2026-06-01T06:13:00+00:00 | 2026-06-01 06:13:00 | T1 at B 2 | every 420 s from 06:00:00 until 06:20:00, exact_times 0",
            "2026-06-01T06:20:00+00:00 | 2026-06-01 06:20:00 | T1 at B 2 | every 420 s from 06:00:00 until 06:20:00, exact_times 0",
        ],
    );
}

#[test]
fn a_headway_longer_than_the_span_gives_one_trip_and_an_empty_span_none() {
    assert_departures(
        &frequent(ROWS, &["06:00:00,06:20:00,86400,1"]),
        &on_the_1st("A"),
        &[
            "2026-06-01T06:00:00+00:00 | 2026-06-01 06:00:00 | T1 at A 1 | every 86400 s from 06:00:00 until 06:20:00, exact_times 1",
        ],
    );
    println!("a row that gives no trip keeps the trip from its own times all the same");
    assert_departures(&frequent(ROWS, &["06:00:00,06:00:00,600,1"]), &on_the_1st("A"), &[]);
    assert_departures(&frequent(ROWS, &["06:00:00,05:00:00,600,1"]), &on_the_1st("A"), &[]);
}

#[test]
fn a_stop_without_times_is_interpolated_first_and_shifted_then() {
    // C lies halfway from 08:06:00 to 08:16:00, so 08:11:00: eleven minutes after the start.
    let files = frequent(ROWS, &["05:30:00,06:30:00,1800,1"]);
    assert_departures(
        &files,
        &on_the_1st("C"),
        &[
            "2026-06-01T05:41:00+00:00 | 2026-06-01 05:41:00 | T1 at C 3 | interpolated | every 1800 s from 05:30:00 until 06:30:00, exact_times 1",
            "2026-06-01T06:11:00+00:00 | 2026-06-01 06:11:00 | T1 at C 3 | interpolated | every 1800 s from 05:30:00 until 06:30:00, exact_times 1",
        ],
    );
}

#[test]
fn the_last_stop_of_a_trip_is_no_departure_here_either() {
    assert_departures(&frequent(ROWS, &["05:30:00,06:30:00,1800,1"]), &on_the_1st("D"), &[]);
}

#[test]
fn rows_of_one_trip_follow_and_overlap_each_other() {
    let files = frequent(ROWS, &["06:10:00,06:30:00,600,1", "06:00:00,06:20:00,600,0"]);
    assert_departures(
        &files,
        &on_the_1st("A"),
        &[
            "2026-06-01T06:00:00+00:00 | 2026-06-01 06:00:00 | T1 at A 1 | every 600 s from 06:00:00 until 06:20:00, exact_times 0",
            "2026-06-01T06:10:00+00:00 | 2026-06-01 06:10:00 | T1 at A 1 | every 600 s from 06:00:00 until 06:20:00, exact_times 0",
            "2026-06-01T06:10:00+00:00 | 2026-06-01 06:10:00 | T1 at A 1 | every 600 s from 06:10:00 until 06:30:00, exact_times 1",
            "2026-06-01T06:20:00+00:00 | 2026-06-01 06:20:00 | T1 at A 1 | every 600 s from 06:10:00 until 06:30:00, exact_times 1",
        ],
    );
}

#[test]
fn at_one_instant_the_place_in_the_trip_goes_before_the_start() {
    // A second time at A ten minutes after the first: at 06:10 one vehicle is there again, and the next one starts.
    let rows = "T1,08:00:00,08:00:00,A,1\nT1,08:10:00,08:10:00,A,2\nT1,08:20:00,08:20:00,B,3\n";
    let files = frequent(rows, &["06:00:00,06:00:01,60,1", "06:10:00,06:10:01,60,1"]);
    let [early, late] = ["06:00:00 until 06:00:01", "06:10:00 until 06:10:01"];
    assert_departures(
        &files,
        &on_the_1st("A"),
        &[
            &format!(
                "2026-06-01T06:00:00+00:00 | 2026-06-01 06:00:00 | T1 at A 1 | every 60 s from {early}, exact_times 1"
            ),
            &format!(
                "2026-06-01T06:10:00+00:00 | 2026-06-01 06:10:00 | T1 at A 1 | every 60 s from {late}, exact_times 1"
            ),
            &format!(
                "2026-06-01T06:10:00+00:00 | 2026-06-01 06:10:00 | T1 at A 2 | every 60 s from {early}, exact_times 1"
            ),
            &format!(
                "2026-06-01T06:20:00+00:00 | 2026-06-01 06:20:00 | T1 at A 2 | every 60 s from {late}, exact_times 1"
            ),
        ],
    );
}

#[test]
fn the_start_is_the_first_departure_even_where_a_stop_before_has_an_arrival_only() {
    // The first departure is that of B, 08:10:00, so A is left ten minutes before the start: on the day before.
    let rows = "T1,08:00:00,,A,1\nT1,08:09:00,08:10:00,B,2\nT1,08:20:00,08:20:00,C,3\n";
    let files = frequent(rows, &["00:05:00,00:06:00,600,1"]);
    let row = "every 600 s from 00:05:00 until 00:06:00, exact_times 1";
    assert_departures(
        &files,
        &on_the_1st("B"),
        &[&format!("2026-06-01T00:05:00+00:00 | 2026-06-01 00:05:00 | T1 at B 2 | {row}")],
    );
    assert_departures(
        &files,
        &on_the_1st("A"),
        &[&format!("2026-06-01T23:55:00+00:00 | 2026-06-02 -00:05:00 | T1 at A 1 | {row}")],
    );
    println!("also in the night before the service begins");
    assert_departures(
        &files,
        &Question::new("A", "2025-12-31T23:50:00Z", "2026-01-01T00:00:00Z"),
        &[&format!("2025-12-31T23:55:00+00:00 | 2026-01-01 -00:05:00 | T1 at A 1 | {row}")],
    );
}

#[test]
fn a_trip_of_arrivals_alone_starts_with_the_first_of_them() {
    let rows = "T1,08:00:00,,A,1\nT1,08:09:00,,B,2\nT1,08:20:00,,C,3\n";
    let files = frequent(rows, &["10:00:00,10:01:00,600,0"]);
    assert_departures(
        &files,
        &on_the_1st("B"),
        &[
            "2026-06-01T10:09:00+00:00 | 2026-06-01 10:09:00 | T1 at B 2 | every 600 s from 10:00:00 until 10:01:00, exact_times 0",
        ],
    );
}

#[test]
fn frequencies_go_on_past_midnight_and_past_48_hours() {
    let files = frequent(ROWS, &["23:50:00,24:11:00,600,0", "49:00:00,49:00:01,60,1"]);
    let early = "every 600 s from 23:50:00 until 24:11:00, exact_times 0";
    assert_departures(
        &files,
        &Question::new("A", "2026-06-03T00:00:00Z", "2026-06-03T12:00:00Z"),
        &[
            &format!("2026-06-03T00:00:00+00:00 | 2026-06-02 24:00:00 | T1 at A 1 | {early}"),
            &format!("2026-06-03T00:10:00+00:00 | 2026-06-02 24:10:00 | T1 at A 1 | {early}"),
            "2026-06-03T01:00:00+00:00 | 2026-06-01 49:00:00 | T1 at A 1 | every 60 s from 49:00:00 until 49:00:01, exact_times 1",
        ],
    );
}

#[test]
fn rows_that_say_nothing_usable_are_as_if_they_were_not_there() {
    let own = "2026-06-01T08:00:00+00:00 | 2026-06-01 08:00:00 | T1 at A 1";
    for row in
        ["06:00:00,07:00:00,0,1", "06:00:00,07:00:00,,1", "06:00:00,07:00:00,-60,1", "6,07:00:00,600,1", ",,600,1"]
    {
        println!("row {row:?}");
        assert_departures(&frequent(ROWS, &[row]), &on_the_1st("A"), &[own]);
    }
}

#[test]
fn of_rows_that_begin_together_the_first_wins() {
    let files = frequent(ROWS, &["06:00:00,07:00:00,60,0", "06:00:00,06:05:00,60,1", "06:00:00,07:00:00,60,0"]);
    let (oracle, timetable) = (crate::Oracle::read(&files.0), crate::read(&files, 1));
    crate::assert_equal(&mut crate::Boards::new(&timetable), &oracle, &on_the_1st("A"), "three rows at 06:00:00");
}
