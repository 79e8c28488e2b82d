//! One small feed in every layout that CSV files, folders and optional files may have: the answer stays the same.

use timetable::MemoryFiles;

use crate::{assert_answers, files, read};

const TRIPS: &str = "route_id,service_id,trip_id\nR1,S1,T1\n";
const STOP_TIMES: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
    T1,08:00:00,08:01:00,A,1\n\
    T1,08:10:00,08:10:30,B,2\n";
const ANSWER: &str = concat!(
    r#"[{"trip_id":"T1","service_id":"S1","route_id":"R1","schedules":["#,
    r#"{"stop_id":"A","arrival_time":"08:00:00","departure_time":"08:01:00"},"#,
    r#"{"stop_id":"B","arrival_time":"08:10:00","departure_time":"08:10:30"}]}]"#
);

/// Asserts that these two files are another way to write the small feed.
fn assert_same_feed(trips: &str, stop_times: &str) {
    assert_answers(&files(&[("trips.txt", trips), ("stop_times.txt", stop_times)]), &[("R1", ANSWER)]);
}

/// Asserts that these files beside the two indispensable ones change nothing.
fn assert_same_feed_with(others: &[(&str, &str)]) {
    let all: Vec<_> = [("trips.txt", TRIPS), ("stop_times.txt", STOP_TIMES)].iter().chain(others).copied().collect();
    assert_answers(&files(&all), &[("R1", ANSWER)]);
}

#[test]
fn trips_and_stop_times_are_all_that_a_feed_needs() {
    assert_same_feed(TRIPS, STOP_TIMES);
}

#[test]
fn columns_may_come_in_any_order() {
    assert_same_feed(
        "trip_id,service_id,route_id\nT1,S1,R1\n",
        "stop_sequence,departure_time,stop_id,arrival_time,trip_id\n1,08:01:00,A,08:00:00,T1\n2,08:10:30,B,08:10:00,T1\n",
    );
}

#[test]
fn unknown_columns_are_passed_over() {
    assert_same_feed(
        "x_colour,route_id,x_trip_id,service_id,trip_id,trip_id_x\nred,R1,T9,S1,T1,T8\n",
        "x1,trip_id,arrival_time,x2,departure_time,stop_id,stop_sequence,x3\n\
         \"a,b\",T1,08:00:00,,08:01:00,A,1,\"c\nd\"\n\
         ,T1,08:10:00,9,08:10:30,B,2,\n",
    );
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_first_column() {
    let (trips, stop_times) = (format!("\u{feff}{TRIPS}"), format!("\u{feff}{STOP_TIMES}"));
    assert_same_feed(&trips, &stop_times);
    println!("before a quoted header");
    assert_same_feed(
        "\u{feff}\"route_id\",service_id,trip_id\nR1,S1,T1\n",
        &stop_times.replacen("trip_id", "\"trip_id\"", 1),
    );
    println!("and in routes.txt");
    assert_same_feed_with(&[("routes.txt", "\u{feff}route_id,route_type\nR1,3\n")]);
}

#[test]
fn lines_end_with_crlf_or_lf_or_some_of_each() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    assert_same_feed(&crlf(TRIPS), &crlf(STOP_TIMES));
    assert_same_feed(TRIPS, &crlf(STOP_TIMES));
    assert_same_feed(&TRIPS.replacen('\n', "\r\n", 1), &STOP_TIMES.replacen('\n', "\r\n", 2));
}

#[test]
fn the_last_newline_may_be_missing() {
    assert_same_feed(TRIPS.trim_end(), STOP_TIMES.trim_end());
    println!("after CRLF lines");
    assert_same_feed(&TRIPS.trim_end().replace('\n', "\r\n"), &STOP_TIMES.trim_end().replace('\n', "\r\n"));
    println!("after a quoted field");
    assert_same_feed("route_id,service_id,trip_id\nR1,S1,\"T1\"", STOP_TIMES);
    println!("after an empty field");
    assert_same_feed("route_id,service_id,trip_id,block_id\nR1,S1,T1,", STOP_TIMES);
}

#[test]
fn blank_lines_are_skipped() {
    assert_same_feed(&format!("{TRIPS}\n\n\r\n"), &STOP_TIMES.replace("\nT1", "\n\n\r\nT1"));
}

#[test]
fn any_field_may_be_quoted_headers_too() {
    assert_same_feed(
        "\"route_id\",\"service_id\",trip_id\n\"R1\",S1,\"T1\"\n",
        "\"trip_id\",arrival_time,\"departure_time\",stop_id,\"stop_sequence\"\n\
         \"T1\",\"08:00:00\",08:01:00,\"A\",\"1\"\n\
         T1,08:10:00,\"08:10:30\",B,\"2\"\n",
    );
}

#[test]
fn doubled_quotes_are_one_quote_and_quoted_fields_may_hold_commas_and_newlines() {
    assert_same_feed(
        "trip_headsign,route_id,service_id,trip_id\n\"to \"\"The Mall\"\", then\nhome, at \"\"5\"\"\",R1,S1,T1\n",
        "stop_headsign,trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
         \"\"\"\",T1,08:00:00,08:01:00,A,1\n\
         \"\nT1,00:00:00,00:00:00,X,0\r\n\",T1,08:10:00,08:10:30,B,2\n",
    );
}

#[test]
fn padding_around_fields_and_headers_is_taken_off() {
    assert_same_feed(
        "route_id , service_id,\ttrip_id\n R1,S1 ,  T1\t\n",
        " trip_id,arrival_time ,\" departure_time \", stop_id\t, stop_sequence\n\
         T1 , 08:00:00,08:01:00 ,\tA, 1\n\
         \" T1\",\"08:10:00 \", 08:10:30 ,\" B \",2 \r\n",
    );
}

#[test]
fn a_row_may_be_shorter_or_longer_than_the_header() {
    assert_same_feed(
        "route_id,service_id,trip_id,block_id,shape_id\nR1,S1,T1\n",
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,timepoint\n\
         T1,08:00:00,08:01:00,A,1\n\
         T1,08:10:00,08:10:30,B,2,1,more,\"and more\"\n",
    );
}

#[test]
fn columns_that_the_answer_can_do_without_may_be_missing() {
    let feed = files(&[
        ("trips.txt", "route_id,trip_id\nR1,T1\n"),
        ("stop_times.txt", "trip_id,stop_id,stop_sequence,arrival_time\nT1,A,1,08:00:00\n"),
    ]);
    let answer = concat!(
        r#"[{"trip_id":"T1","service_id":"","route_id":"R1","schedules":["#,
        r#"{"stop_id":"A","arrival_time":"08:00:00","departure_time":""}]}]"#
    );
    assert_answers(&feed, &[("R1", answer)]);
}

#[test]
fn one_of_the_two_calendars_or_both_or_none_gives_the_same_schedules() {
    let calendar = (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
         S1,1,1,1,1,1,0,0,20260105,20261231\n",
    );
    let calendar_dates = ("calendar_dates.txt", "service_id,date,exception_type\nS1,20260704,2\nS1,20260705,1\n");
    println!("calendar.txt only");
    assert_same_feed_with(&[calendar]);
    println!("calendar_dates.txt only");
    assert_same_feed_with(&[calendar_dates]);
    println!("both");
    assert_same_feed_with(&[calendar, calendar_dates]);
}

/// Every file that is used now, with nothing to complain of.
const OTHERS: [(&str, &str); 8] = [
    (
        "agency.txt",
        "agency_id,agency_name,agency_url,agency_timezone\nX,Example,https://transit.example,America/New_York\n",
    ),
    ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\nA,First,42.30,-71.06\nB,Second,42.31,-71.07\n"),
    ("routes.txt", "route_id,agency_id,route_short_name,route_long_name,route_type\nR1,X,1,One,3\n"),
    (
        "calendar.txt",
        "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
         S1,1,1,1,1,1,0,0,20260105,20261231\n",
    ),
    ("calendar_dates.txt", "service_id,date,exception_type\nS1,20260706,2\n"),
    ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,22:00:00,600\n"),
    ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nP,42.30,-71.06,1\nP,42.31,-71.07,2\n"),
    (
        "feed_info.txt",
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_version\nExample,https://transit.example,en,v1\n",
    ),
];

#[test]
fn a_complete_clean_feed_has_no_problems_and_frequencies_multiply_no_trips() {
    assert_same_feed_with(&OTHERS);
    let clean: Vec<_> = [("trips.txt", TRIPS), ("stop_times.txt", STOP_TIMES)].into_iter().chain(OTHERS).collect();
    assert_eq!(read(&files(&clean), 2).report.problem_count(), 0);
}

#[test]
fn the_feed_may_lie_in_any_one_folder_beside_files_that_are_not_its_own() {
    for folder in ["gtfs/", "a/b c/", "../", "/abs/", "trips.txt/", "é/"] {
        println!("folder {folder:?}");
        let at = |name: &str, text: &str| (format!("{folder}{name}"), text.as_bytes().to_vec());
        let feed = MemoryFiles(vec![
            ("routes.txt".to_owned(), b"route_id\nelsewhere\n".to_vec()),
            ("old/trips.txt".to_owned(), b"route_id,service_id,trip_id\nR0,S0,T0\n".to_vec()),
            ("older/stop_times.txt".to_owned(), b"trip_id,stop_id,stop_sequence\nT0,A,1\n".to_vec()),
            at("stop_times.txt", STOP_TIMES),
            at("my_trips.txt", "route_id,service_id,trip_id\nR0,S0,T0\n"),
            at("routes.txt", "route_id,route_type\nR2,3\n"),
            at("trips.txt", TRIPS),
            at("notes.pdf", "%PDF"),
        ]);
        assert_answers(&feed, &[("R1", ANSWER), ("R2", "[]")]);
    }
}

#[test]
fn what_mac_archivers_add_is_ignored() {
    let feed = files(&[
        ("__MACOSX/trips.txt", "\0\u{5}\u{16}\u{7}"),
        ("__MACOSX/stop_times.txt", "\0\u{5}\u{16}\u{7}"),
        ("__MACOSX/gtfs/._trips.txt", "\0\u{5}\u{16}\u{7}"),
        ("gtfs/._trips.txt", "\0\u{5}\u{16}\u{7}"),
        ("gtfs/._stop_times.txt", "\0\u{5}\u{16}\u{7}"),
        ("gtfs/trips.txt", TRIPS),
        ("gtfs/stop_times.txt", STOP_TIMES),
    ]);
    assert_answers(&feed, &[("R1", ANSWER)]);
}
