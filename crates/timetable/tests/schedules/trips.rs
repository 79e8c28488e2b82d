//! Which trips a route has and in which order, and which routes are known.

use crate::{assert_answers, files, read};

const STOP_TIMES_HEADER: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n";

#[test]
fn trips_come_in_the_order_of_trips_txt_whatever_the_order_of_stop_times() {
    let stop_times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
        T3,09:01:00,09:01:00,B,2\n\
        T1,07:00:00,07:00:00,A,1\n\
        T2,08:01:00,08:01:00,B,2\n\
        T3,09:00:00,09:00:00,A,1\n\
        T2,08:00:00,08:00:00,A,1\n\
        T1,07:01:00,07:01:00,C,2\n";
    let feed = files(&[
        ("stop_times.txt", stop_times),
        ("trips.txt", "route_id,service_id,trip_id\nR2,S1,T2\nR1,S2,T3\nR2,S1,T1\n"),
    ]);
    let of_r1 = concat!(
        r#"[{"trip_id":"T3","service_id":"S2","route_id":"R1","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"09:00:00","departure_time":"09:00:00"},"#,
        r#"{"stop_id":"B","arrival_time":"09:01:00","departure_time":"09:01:00"}]}]"#
    );
    let of_r2 = concat!(
        r#"[{"trip_id":"T2","service_id":"S1","route_id":"R2","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"08:00:00","departure_time":"08:00:00"},"#,
        r#"{"stop_id":"B","arrival_time":"08:01:00","departure_time":"08:01:00"}]},"#,
        r#"{"trip_id":"T1","service_id":"S1","route_id":"R2","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"07:00:00","departure_time":"07:00:00"},"#,
        r#"{"stop_id":"C","arrival_time":"07:01:00","departure_time":"07:01:00"}]}]"#
    );
    assert_answers(&feed, &[("R1", of_r1), ("R2", of_r2)]);
}

#[test]
fn a_trip_without_stop_times_has_an_empty_list() {
    let trips = "route_id,service_id,trip_id\nR1,S1,T1\nR1,S1,T2\nR1,S1,T3\n";
    let answer = concat!(
        r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":[]},"#,
        r#"{"trip_id":"T2","service_id":"S1","route_id":"R1","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"","departure_time":""}]},"#,
        r#"{"trip_id":"T3","service_id":"S1","route_id":"R1","schedules":[]}]"#
    );
    let stop_times = format!("{STOP_TIMES_HEADER}T2,,,A,1\n");
    assert_answers(&files(&[("trips.txt", trips), ("stop_times.txt", &stop_times)]), &[("R1", answer)]);
}

#[test]
fn a_feed_without_a_single_stop_time_still_has_its_trips() {
    let feed =
        files(&[("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\n"), ("stop_times.txt", STOP_TIMES_HEADER)]);
    assert_answers(&feed, &[("R1", r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":[]}]"#)]);
}

#[test]
fn a_route_without_trips_is_an_empty_list_and_an_unknown_one_is_not_found() {
    let feed = files(&[
        ("routes.txt", "route_id,route_type\nR1,3\nR2,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\n"),
        ("stop_times.txt", STOP_TIMES_HEADER),
    ]);
    assert_answers(&feed, &[("R1", "[]"), ("R2", "[]")]);
    let timetable = read(&feed, 1).timetable;
    for unknown in ["R3", "", "r1", "R1 ", "R", "R11"] {
        println!("route {unknown:?}");
        assert!(timetable.find_route(unknown).is_none());
    }
}

#[test]
fn a_route_that_only_trips_refer_to_is_known() {
    let feed = files(&[
        ("routes.txt", "route_id,route_type\nR1,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\nR7,S1,T1\n"),
        ("stop_times.txt", STOP_TIMES_HEADER),
    ]);
    let of_r7 = r#"[{"trip_id":"T1","service_id":"S1","route_id":"R7","schedules":[]}]"#;
    assert_answers(&feed, &[("R1", "[]"), ("R7", of_r7)]);
}

#[test]
fn stops_and_services_that_no_other_file_has_are_known_by_id() {
    let feed = files(&[
        ("stops.txt", "stop_id,stop_name\nA,First\n"),
        ("calendar_dates.txt", "service_id,date,exception_type\nS1,20260704,1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nR1,S7,T1\n"),
        ("stop_times.txt", &format!("{STOP_TIMES_HEADER}T1,,,A,1\nT1,,,Q,2\n")),
    ]);
    let answer = concat!(
        r#"[{"trip_id":"T1","service_id":"S7","route_id":"R1","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"","departure_time":""},"#,
        r#"{"stop_id":"Q","arrival_time":"","departure_time":""}]}]"#
    );
    assert_answers(&feed, &[("R1", answer)]);
}

#[test]
fn of_a_duplicate_trip_id_the_first_row_wins_and_the_rest_are_reported() {
    let feed = files(&[
        ("routes.txt", "route_id,route_type\nR1,3\nR2,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\nR2,S2,T1\nR1,S3,T1\nR2,S2,T2\n"),
        ("stop_times.txt", &format!("{STOP_TIMES_HEADER}T1,,,A,1\n")),
    ]);
    let of_r1 = concat!(
        r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"","departure_time":""}]}]"#
    );
    let of_r2 = r#"[{"trip_id":"T2","service_id":"S2","route_id":"R2","schedules":[]}]"#;
    assert_answers(&feed, &[("R1", of_r1), ("R2", of_r2)]);
    assert!(read(&feed, 2).report.problem_count() >= 2);
}

#[test]
fn a_duplicate_route_is_one_route_and_is_reported() {
    let feed = files(&[
        ("routes.txt", "route_id,route_short_name,route_type\nR1,one,3\nR1,uno,3\n"),
        ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\n"),
        ("stop_times.txt", STOP_TIMES_HEADER),
    ]);
    assert_answers(&feed, &[("R1", r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":[]}]"#)]);
    assert_ne!(read(&feed, 2).report.problem_count(), 0);
}

#[test]
fn a_trip_that_has_no_id_or_no_route_is_dropped_and_reported() {
    for row in ["R1,S9,", "R1,S9", "R1,S9,\" \"", ",S9,T9", " ,S9,T9"] {
        println!("row {row:?}");
        let trips = format!("route_id,service_id,trip_id\n{row}\nR1,S1,T1\n");
        let feed =
            files(&[("trips.txt", &trips), ("stop_times.txt", &format!("{STOP_TIMES_HEADER}T9,,,A,1\n,,,B,1\n"))]);
        assert_answers(&feed, &[("R1", r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":[]}]"#)]);
        assert_ne!(read(&feed, 2).report.problem_count(), 0);
    }
}

#[test]
fn a_trip_without_a_service_keeps_its_place_with_an_empty_service() {
    let feed = files(&[
        ("trips.txt", "route_id,service_id,trip_id\nR1,,T2\nR1,S1,T1\n"),
        ("stop_times.txt", STOP_TIMES_HEADER),
    ]);
    let answer = concat!(
        r#"[{"trip_id":"T2","service_id":"","route_id":"R1","schedules":[]},"#,
        r#"{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":[]}]"#
    );
    assert_answers(&feed, &[("R1", answer)]);
}
