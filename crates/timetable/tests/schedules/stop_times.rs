//! Times, their forms and limits, and the order of the stop times of a trip.

use timetable::MemoryFiles;

use crate::{assert_answers, files, read};

const TRIPS: &str = "route_id,service_id,trip_id\nR1,S1,T1\n";

/// A feed of one trip with these rows of trip_id, arrival_time, departure_time, stop_id, stop_sequence.
fn feed(rows: &str) -> MemoryFiles {
    let stop_times = format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{rows}");
    files(&[("trips.txt", TRIPS), ("stop_times.txt", &stop_times)])
}

/// The answer of the one trip with these stop times: stop_id, arrival_time, departure_time.
fn answer(stop_times: &[[&str; 3]]) -> String {
    let mut body = String::from(r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":["#);
    for (position, [stop_id, arrival, departure]) in stop_times.iter().enumerate() {
        body += if position == 0 { "" } else { "," };
        body += &format!(r#"{{"stop_id":"{stop_id}","arrival_time":"{arrival}","departure_time":"{departure}"}}"#);
    }
    body + "]}]"
}

fn assert_stop_times(rows: &str, expected: &[[&str; 3]]) {
    assert_answers(&feed(rows), &[("R1", &answer(expected))]);
}

#[test]
fn an_hour_of_one_digit_gets_its_zero() {
    assert_stop_times(
        "T1,8:00:00,8:01:00,A,1\nT1, 9:59:59,\"9:59:59\",B,2\nT1,0:00:00,00:00:00,C,3\n",
        &[["A", "08:00:00", "08:01:00"], ["B", "09:59:59", "09:59:59"], ["C", "00:00:00", "00:00:00"]],
    );
}

#[test]
fn times_go_on_past_one_two_and_many_days() {
    assert_stop_times(
        "T1,23:59:59,24:00:00,A,1\nT1,24:00:01,25:30:00,B,2\nT1,47:59:59,48:00:00,C,3\n\
         T1,52:10:05,71:59:59,D,4\nT1,99:59:59,100:00:00,E,5\nT1,123:45:06,240:00:00,F,6\n",
        &[
            ["A", "23:59:59", "24:00:00"],
            ["B", "24:00:01", "25:30:00"],
            ["C", "47:59:59", "48:00:00"],
            ["D", "52:10:05", "71:59:59"],
            ["E", "99:59:59", "100:00:00"],
            ["F", "123:45:06", "240:00:00"],
        ],
    );
}

#[test]
fn empty_times_stay_empty_wherever_they_are() {
    assert_stop_times(
        "T1,,,A,1\nT1,08:00:00,,B,2\nT1,,08:05:00,C,3\nT1,  ,\" \",D,4\nT1,\"\",08:10:00,E,5\nT1,,,F,6\n",
        &[
            ["A", "", ""],
            ["B", "08:00:00", ""],
            ["C", "", "08:05:00"],
            ["D", "", ""],
            ["E", "", "08:10:00"],
            ["F", "", ""],
        ],
    );
}

#[test]
fn a_trip_may_have_no_time_at_all() {
    assert_stop_times("T1,,,A,1\nT1,,,B,2\n", &[["A", "", ""], ["B", "", ""]]);
}

#[test]
fn times_may_run_backwards_and_before_the_first_departure() {
    assert_stop_times(
        "T1,10:00:00,09:00:00,A,1\nT1,08:00:00,00:00:00,B,2\nT1,100:00:00,07:59:59,C,3\n",
        &[["A", "10:00:00", "09:00:00"], ["B", "08:00:00", "00:00:00"], ["C", "100:00:00", "07:59:59"]],
    );
}

#[test]
fn an_impossible_time_counts_as_empty_and_is_reported() {
    for impossible in
        ["12:61:00", "12:00:60", "abc", "-1:00:00", "08:00", "8", "08:00:00:00", "08:00:0x", "::", "１2:00:00"]
    {
        println!("time {impossible:?}");
        let rows = format!("T1,{impossible},08:01:00,A,1\nT1,08:10:00,{impossible},B,2\n");
        assert_stop_times(&rows, &[["A", "", "08:01:00"], ["B", "08:10:00", ""]]);
        assert_ne!(read(&feed(&rows), 2).report.problem_count(), 0);
    }
}

#[test]
fn stop_times_come_in_the_order_of_their_sequence_not_of_their_digits_or_rows() {
    assert_stop_times(
        "T1,08:10:00,08:10:00,J,10\nT1,08:02:00,08:02:00,B,2\nT1,08:00:00,08:00:00,Z,0\n\
         T1,08:50:00,08:50:00,M,100\nT1,08:09:00,08:09:00,I,009\n",
        &[
            ["Z", "08:00:00", "08:00:00"],
            ["B", "08:02:00", "08:02:00"],
            ["I", "08:09:00", "08:09:00"],
            ["J", "08:10:00", "08:10:00"],
            ["M", "08:50:00", "08:50:00"],
        ],
    );
}

#[test]
fn sequences_may_have_gaps_and_begin_anywhere() {
    assert_stop_times(
        "T1,,,F,2147483647\nT1,,,E,16777216\nT1,,,A,5\nT1,,,B,70\nT1,,,D,65536\nT1,,,C,256\n",
        &[["A", "", ""], ["B", "", ""], ["C", "", ""], ["D", "", ""], ["E", "", ""], ["F", "", ""]],
    );
}

#[test]
fn equal_sequences_stay_in_the_order_of_the_file() {
    assert_stop_times(
        "T1,,,C,2\nT1,,,A,1\nT1,,,B,2\nT1,,,E,1\nT1,,,D,2\n",
        &[["A", "", ""], ["E", "", ""], ["C", "", ""], ["B", "", ""], ["D", "", ""]],
    );
}

#[test]
fn a_loop_visits_a_stop_twice() {
    assert_stop_times(
        "T1,08:00:00,08:00:00,A,1\nT1,08:05:00,08:05:00,B,2\nT1,08:10:00,08:11:00,A,3\nT1,08:12:00,08:12:00,A,4\n",
        &[
            ["A", "08:00:00", "08:00:00"],
            ["B", "08:05:00", "08:05:00"],
            ["A", "08:10:00", "08:11:00"],
            ["A", "08:12:00", "08:12:00"],
        ],
    );
}

#[test]
fn a_row_that_has_no_usable_sequence_or_stop_or_trip_is_dropped_and_reported() {
    for row in
        ["T1,,,X,", "T1,,,X,one", "T1,,,X,-1", "T1,,,X,1.5", "T1,,,X", "T1,,,,3", "T1,,,\" \",3", ",,,X,3", " ,,,X,3"]
    {
        println!("row {row:?}");
        let rows = format!("T1,,,A,1\n{row}\nT1,,,B,2\n");
        assert_stop_times(&rows, &[["A", "", ""], ["B", "", ""]]);
        assert_ne!(read(&feed(&rows), 2).report.problem_count(), 0);
    }
}

#[test]
fn stop_times_of_a_trip_that_is_not_in_trips_are_dropped_and_reported() {
    let rows = "T0,,,X,1\nT1,,,A,1\nT9,,,Y,2\nt1,,,Z,3\n";
    assert_stop_times(rows, &[["A", "", ""]]);
    assert_ne!(read(&feed(rows), 2).report.problem_count(), 0);
}
