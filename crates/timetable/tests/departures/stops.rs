//! Which stop times are departures, and of which stops: loops, last stops, pickup types, stations and their children.

use timetable::MemoryFiles;

use crate::{Question, assert_departures, feed, stop_times};

/// Asserts what leaves on the 1st of June, as `HH:MM:SS | trip at stop sequence`.
fn assert_on_the_1st(files: &MemoryFiles, stop_id: &str, expected: &[&str]) {
    let lines: Vec<String> = expected
        .iter()
        .map(|departure| {
            let (time, stop_time) = departure.split_once(" | ").unwrap();
            format!("2026-06-01T{time}+00:00 | 2026-06-01 {time} | {stop_time}")
        })
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let question = Question::new(stop_id, "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z");
    assert_departures(files, &question, &lines);
}

#[test]
fn a_loop_leaves_a_stop_twice_and_its_last_stop_never() {
    let rows = "T1,08:00:00,08:00:00,A,1\nT1,08:05:00,08:05:00,B,2\nT1,08:10:00,08:11:00,A,3\n\
        T1,08:15:00,08:15:00,B,4\nT1,08:20:00,08:20:00,A,5\n";
    let files = feed("UTC", &[("stop_times.txt", &stop_times(rows))]);
    assert_on_the_1st(&files, "A", &["08:00:00 | T1 at A 1", "08:11:00 | T1 at A 3"]);
    assert_on_the_1st(&files, "B", &["08:05:00 | T1 at B 2", "08:15:00 | T1 at B 4"]);
}

#[test]
fn visits_at_one_instant_come_in_the_order_of_the_trip() {
    let rows = "T1,08:00:00,08:00:00,A,7\nT1,08:00:00,08:00:00,A,8\nT1,08:00:00,08:00:00,B,9\n";
    let files = feed("UTC", &[("stop_times.txt", &stop_times(rows))]);
    assert_on_the_1st(&files, "A", &["08:00:00 | T1 at A 7", "08:00:00 | T1 at A 8"]);
}

#[test]
fn the_last_stop_is_the_one_of_the_highest_sequence_not_of_the_last_row() {
    let rows = "T1,08:20:00,08:20:00,C,30\nT1,08:00:00,08:00:00,A,4\nT1,08:10:00,08:10:00,B,20\n";
    let files = feed("UTC", &[("stop_times.txt", &stop_times(rows))]);
    assert_on_the_1st(&files, "A", &["08:00:00 | T1 at A 4"]);
    assert_on_the_1st(&files, "B", &["08:10:00 | T1 at B 20"]);
    assert_on_the_1st(&files, "C", &[]);
    println!("of equal sequences the last row is the last stop");
    let rows = "T1,08:00:00,08:00:00,A,1\nT1,08:10:00,08:10:00,C,2\nT1,08:20:00,08:20:00,B,2\n";
    let files = feed("UTC", &[("stop_times.txt", &stop_times(rows))]);
    assert_on_the_1st(&files, "C", &["08:10:00 | T1 at C 2"]);
    assert_on_the_1st(&files, "B", &[]);
}

#[test]
fn a_trip_of_one_stop_has_no_departure() {
    let files = feed("UTC", &[("stop_times.txt", &stop_times("T1,08:00:00,08:00:00,A,1\n"))]);
    assert_on_the_1st(&files, "A", &[]);
}

#[test]
fn pickup_type_1_is_no_departure_and_every_other_is() {
    let rows = "T1,08:00:00,08:00:00,A,1,0\nT1,08:01:00,08:01:00,A,2,1\nT1,08:02:00,08:02:00,A,3,2\n\
        T1,08:03:00,08:03:00,A,4,3\nT1,08:04:00,08:04:00,A,5,\nT1,08:05:00,08:05:00,A,6,4\n\
        T1,08:06:00,08:06:00,A,7,no\nT1,08:07:00,08:07:00,A,8, 1 \nT1,08:08:00,08:08:00,B,9\n";
    let files = feed("UTC", &[("stop_times.txt", &stop_times(rows))]);
    assert_on_the_1st(
        &files,
        "A",
        &[
            "08:00:00 | T1 at A 1",
            "08:02:00 | T1 at A 3",
            "08:03:00 | T1 at A 4",
            "08:04:00 | T1 at A 5",
            "08:05:00 | T1 at A 6",
            "08:06:00 | T1 at A 7",
        ],
    );
}

/// Trips that leave a station itself, its two platforms, a boarding area of one, and a stop beside it.
fn station(stops: &str) -> MemoryFiles {
    let stops = format!("stop_id,location_type,parent_station\n{stops}");
    let rows = "T1,08:00:00,08:00:00,area,1\nT1,08:01:00,08:01:00,platform 2,2\nT1,08:02:00,08:02:00,platform 1,3\n\
        T1,08:03:00,08:03:00,beside,4\nT1,08:04:00,08:04:00,station,5\nT1,08:05:00,08:05:00,end,6\n";
    feed("UTC", &[("stops.txt", &stops), ("stop_times.txt", &stop_times(rows))])
}

const PLACES: &str = "area,4,platform 1\nplatform 1,0,station\nstation,1,\nplatform 2,0,station\nentrance,2,station\n\
    beside,0,\nend,0,\n";

#[test]
fn a_station_has_the_departures_of_its_platforms_and_of_their_boarding_areas() {
    let files = station(PLACES);
    assert_on_the_1st(
        &files,
        "station",
        &[
            "08:00:00 | T1 at area 1",
            "08:01:00 | T1 at platform 2 2",
            "08:02:00 | T1 at platform 1 3",
            "08:04:00 | T1 at station 5",
        ],
    );
}

#[test]
fn a_platform_has_its_own_and_its_boarding_areas_and_nothing_of_the_station() {
    let files = station(PLACES);
    assert_on_the_1st(&files, "platform 1", &["08:00:00 | T1 at area 1", "08:02:00 | T1 at platform 1 3"]);
    assert_on_the_1st(&files, "platform 2", &["08:01:00 | T1 at platform 2 2"]);
    assert_on_the_1st(&files, "area", &["08:00:00 | T1 at area 1"]);
    assert_on_the_1st(&files, "entrance", &[]);
    assert_on_the_1st(&files, "beside", &["08:03:00 | T1 at beside 4"]);
}

#[test]
fn a_cycle_of_parents_is_one_place() {
    let all = ["08:00:00 | T1 at area 1", "08:02:00 | T1 at platform 1 3", "08:04:00 | T1 at station 5"];
    let files = station("area,4,platform 1\nplatform 1,0,station\nstation,1,area\nplatform 2,0,platform 2\n");
    for stop_id in ["area", "platform 1", "station"] {
        assert_on_the_1st(&files, stop_id, &all);
    }
    assert_on_the_1st(&files, "platform 2", &["08:01:00 | T1 at platform 2 2"]);
}

#[test]
fn a_parent_that_stops_txt_does_not_have_is_none_and_of_a_duplicate_stop_the_first_row_wins() {
    // `beside` is known from stop_times.txt alone.
    let files = station("platform 1,0,beside\nstation,1,\nplatform 2,0,\nplatform 2,0,station\n");
    assert_on_the_1st(&files, "beside", &["08:03:00 | T1 at beside 4"]);
    assert_on_the_1st(&files, "station", &["08:04:00 | T1 at station 5"]);
}
