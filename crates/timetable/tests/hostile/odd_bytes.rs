//! Bytes that are no text, or that few expect in one: NUL, lone carriage returns, invalid UTF-8.

use timetable::ProblemKind::{InvalidDate, InvalidNumber, InvalidTime, InvalidUtf8, UnknownId, UnknownTimeZone};

use crate::{
    ANSWER, STOP_TIMES, TRIPS, Wrong, assert_answer, assert_equals_the_twin, assert_problems, files, problems, read,
    refusal,
};

#[test]
fn nul_bytes_are_characters_like_any_other() {
    let with_nul = |text: &str| text.replace("T1", "\0T\x001\0").replace(",B,", ",\0,");
    let feed = files(&[("trips.txt", with_nul(TRIPS)), ("stop_times.txt", with_nul(STOP_TIMES))]);
    let expected = ANSWER.replace("T1", r"\u0000T\u00001\u0000").replace(r#":"B""#, r#":"\u0000""#);
    assert_answer(&assert_problems(&feed, &[]), &expected);
    println!("in a number or a time they are none");
    let stop_times = format!("{STOP_TIMES}T1,0\x008:00:00,,C,3\nT1,,,C,\x003\n");
    let number = "a whole number from 0 to 4294967295";
    let expected: [Wrong<'_>; 2] = [
        (InvalidTime, "stop_times.txt", 4, "arrival_time", "0\x008:00:00", "HH:MM:SS"),
        (InvalidNumber, "stop_times.txt", 5, "stop_sequence", "\x003", number),
    ];
    assert_problems(&files(&[("stop_times.txt", stop_times)]), &expected);
}

#[test]
fn a_file_of_nul_bytes_is_refused() {
    let message = refusal(&files(&[("trips.txt", [0; 1000])]));
    assert!(message.starts_with("trips.txt, line 1: found no column route_id, only "), "{message:?}");
}

#[test]
fn lone_carriage_returns_end_records() {
    let old_mac = |text: &str| text.replace('\n', "\r");
    let feed = files(&[("trips.txt", old_mac(TRIPS)), ("stop_times.txt", old_mac(STOP_TIMES))]);
    assert_answer(&assert_problems(&feed, &[]), ANSWER);
    println!("mixed with all other line ends, between and within quotes");
    let mixed =
        "trip_id,stop_id,stop_sequence,stop_headsign\r\r\n\rT1,A,1,\"\r\"\rT1,B,2,\"\n\r\"\n\r\nT1,\"C\r\",3,\r\n\r\r";
    let feed = files(&[("stop_times.txt", mixed)]);
    assert_equals_the_twin(&assert_problems(&feed, &[]), &feed);
}

#[test]
fn carriage_returns_in_blocks_of_any_size_part_the_same_records() {
    let rows: String = (0..30_000).map(|number| format!("T1,{number},{number}\r")).collect();
    let feed = files(&[("stop_times.txt", format!("trip_id,stop_id,stop_sequence\r{rows}"))]);
    assert_equals_the_twin(&assert_problems(&feed, &[]), &feed);
}

#[test]
fn quotes_where_none_belong_are_read_as_the_twin_reads_them() {
    let rows = "T1,A\"B\",1,\nT1,\"A\"B\"C\",2,\nT1, \"A\",3,\n\"T\"1,A,\"4\" ,\nT1,\"\"\"\",5,\"\"\"\n\"\n\"T1\",\"A\nB\",6,\"";
    let feed = files(&[("stop_times.txt", format!("trip_id,stop_id,stop_sequence,stop_headsign\n{rows}"))]);
    assert_equals_the_twin(&read(&feed), &feed);
}

/// A row with one field that is not UTF-8, alone in its file: (file, header, row, field, found).
fn assert_invalid(name: &'static str, header: &str, row: &[u8], expected: &[Wrong<'_>]) {
    let mut text = format!("{header}\n").into_bytes();
    text.extend_from_slice(row);
    println!("{name}: {}", row.escape_ascii());
    assert_answer(&assert_problems(&files(&[(name, text)]), expected), ANSWER);
}

#[test]
fn invalid_utf_8_is_reported_in_every_text_that_is_read() {
    for (name, id, fields) in [
        ("agency.txt", "agency_id", ["agency_name", "agency_url", "agency_lang", "agency_phone"].as_slice()),
        ("routes.txt", "route_id", &["route_short_name", "route_long_name", "route_desc", "route_url"]),
        ("feed_info.txt", "feed_version", &["feed_publisher_name", "feed_publisher_url", "feed_lang"]),
    ] {
        for field in fields {
            let invalid = (InvalidUtf8, name, 2, *field, "x\u{fffd}\u{fffd}y", "UTF-8");
            assert_invalid(name, &format!("{id},{field}"), b"R1,x\xff\xc3y", &[invalid]);
        }
    }
    let invalid = |kind, expected| (kind, "agency.txt", 2, "agency_timezone", "\u{fffd}", expected);
    let unknown = invalid(UnknownTimeZone, "one of the IANA database, such as Europe/Berlin");
    assert_invalid("agency.txt", "agency_id,agency_timezone", b"A,\xff", &[invalid(InvalidUtf8, "UTF-8"), unknown]);
    for field in ["stop_code", "stop_name", "stop_desc", "stop_timezone", "platform_code"] {
        let invalid = (InvalidUtf8, "stops.txt", 3, field, "\u{fffd}", "UTF-8");
        assert_invalid("stops.txt", &format!("stop_id,{field}"), b"A,\nB,\xff\n", &[invalid]);
    }
    for field in ["service_id", "trip_headsign", "trip_short_name", "block_id", "shape_id"] {
        let trips = [format!("route_id,trip_id,{field}\nR1,T1,").as_bytes(), b"\xe2\x82"].concat();
        let feed = files(&[("trips.txt", trips)]);
        let read = problems(&read(&feed));
        let invalid: Vec<_> = read.iter().filter(|(kind, _)| *kind == InvalidUtf8).collect();
        assert_eq!(invalid.len(), 1, "{field}");
        assert_eq!((invalid[0].1.line, invalid[0].1.field, invalid[0].1.found.as_str()), (2, field, "\u{fffd}"));
    }
    let stop_times = b"trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n\
        T1,08:00:00,08:01:00,A,1,\xff\nT1,08:10:00,08:10:30,B,2,\xfe\n";
    let invalid = |line| (InvalidUtf8, "stop_times.txt", line, "stop_headsign", "\u{fffd}", "UTF-8");
    let feed = files(&[("stop_times.txt", stop_times)]);
    assert_answer(&assert_problems(&feed, &[invalid(2), invalid(3)]), ANSWER);
}

#[test]
fn invalid_utf_8_in_a_value_that_is_no_text_is_a_wrong_value() {
    let number = "a whole number from 0 to 1799";
    let row: &[u8] = b"R1,\xff,\xff\xff\xff";
    assert_invalid(
        "routes.txt",
        "route_id,route_type,route_color",
        row,
        &[
            (
                InvalidNumber,
                "routes.txt",
                2,
                "route_color",
                "\u{fffd}\u{fffd}\u{fffd}",
                "a colour of six hexadecimal digits",
            ),
            (InvalidNumber, "routes.txt", 2, "route_type", "\u{fffd}", number),
        ],
    );
    assert_invalid(
        "stops.txt",
        "stop_id,stop_lat",
        b"A,4\xb0",
        &[
            (UnknownId, "stop_times.txt", 3, "stop_id", "B", "the stop_id of a row of stops.txt"),
            (InvalidNumber, "stops.txt", 2, "stop_lat", "4\u{fffd}", "degrees from -90 to 90"),
        ],
    );
    assert_invalid(
        "calendar_dates.txt",
        "service_id,date,exception_type",
        b"S1,2026070\xb9,1",
        &[
            (
                UnknownId,
                "trips.txt",
                2,
                "service_id",
                "S1",
                "the service_id of a row of calendar.txt or calendar_dates.txt",
            ),
            (InvalidDate, "calendar_dates.txt", 2, "date", "2026070\u{fffd}", "YYYYMMDD"),
        ],
    );
}

#[test]
fn invalid_utf_8_in_ids_still_joins_the_files() {
    let trips = b"route_id,service_id,trip_id\nR\xff,S\xff,T\xff\n".to_vec();
    let stop_times = b"trip_id,stop_id,stop_sequence\nT\xff,\xff,1\nT\xfe,\xff,2\nT\xff,\xfe,3\n".to_vec();
    let feed = files(&[("trips.txt", trips), ("stop_times.txt", stop_times)]);
    let invalid = |file, line, field, found| (InvalidUtf8, file, line, field, found, "UTF-8");
    let stop_id = |line| invalid("stop_times.txt", line, "stop_id", "\u{fffd}");
    let trip_id = |line| invalid("stop_times.txt", line, "trip_id", "T\u{fffd}");
    let of_trip = [("route_id", "R\u{fffd}"), ("service_id", "S\u{fffd}"), ("trip_id", "T\u{fffd}")]
        .map(|(field, found)| invalid("trips.txt", 2, field, found));
    let of_stop_times = [stop_id(2), trip_id(2), stop_id(3), trip_id(3), stop_id(4), trip_id(4)];
    let read = assert_problems(&feed, &[of_stop_times.as_slice(), &of_trip].concat());
    assert_equals_the_twin(&read, &feed);
    assert_eq!(read.timetable.counts().stop_times, 3);
}

#[test]
fn headers_that_are_no_text_or_come_twice_are_other_columns() {
    let trips = b"trip\xff_id,route_id,trip_id,trip_id,,service_id\nX,R1,T1,T9,,S1\n".to_vec();
    let read = assert_problems(&files(&[("trips.txt", trips)]), &[]);
    assert_answer(&read, ANSWER);
    assert_eq!(read.report.unknown_columns, [("trips.txt", "trip\u{fffd}_id".to_owned())]);
}

#[test]
fn lines_that_end_with_lone_carriage_returns_are_counted() {
    let stop_times = format!("{STOP_TIMES}T1,8,,C,3\n").replace('\n', "\r");
    let problem = (InvalidTime, "stop_times.txt", 4, "arrival_time", "8", "HH:MM:SS");
    assert_problems(&files(&[("stop_times.txt", stop_times)]), &[problem]);
}
