//! What is large without being wrong, or wrong by its size alone.

use timetable::ProblemKind::{FieldCount, InvalidNumber, InvalidTime, MissingValue};

use crate::{ANSWER, STOP_TIMES, TRIPS, Wrong, assert_answer, assert_equals_the_twin, assert_problems, files, refusal};

const MANY: usize = 100_000;

#[test]
fn a_header_of_a_hundred_thousand_columns() {
    let names: String = (0..MANY).map(|number| format!("c{number},")).collect();
    let header = format!("{names}trip_id,service_id,route_id");
    let trips = format!("{header}\n{}T1,S1,R1\n{}T2,S1,R1\n", ",".repeat(MANY), "x,".repeat(MANY));
    let read = assert_problems(&files(&[("trips.txt", &trips)]), &[]);
    assert_answer(
        &read,
        &ANSWER.replace("]}]", r#"]},{"trip_id":"T2","service_id":"S1","route_id":"R1","schedules":[]}]"#),
    );
    assert_eq!(read.report.unknown_columns.len(), MANY);
    println!("one too narrow for what it has");
    let message = refusal(&files(&[("trips.txt", names)]));
    assert!(message.ends_with(", c11 and 99989 more"), "{message}");
}

#[test]
fn a_row_of_a_hundred_thousand_fields() {
    let many = ",\"\"".repeat(MANY);
    let stop_times = STOP_TIMES.replace(",A,1", &format!(",A,1{many}"));
    let trips = format!("{TRIPS}{}\n", &many[1..]);
    let expected: [Wrong<'_>; 3] = [
        (MissingValue, "trips.txt", 3, "route_id", "", "a route_id"),
        (FieldCount, "stop_times.txt", 2, "", "100005 fields", "5 as in the header"),
        (FieldCount, "trips.txt", 3, "", "100000 fields", "3 as in the header"),
    ];
    assert_answer(&assert_problems(&files(&[("stop_times.txt", stop_times), ("trips.txt", trips)]), &expected), ANSWER);
}

#[test]
fn a_million_empty_lines_are_counted_and_passed_over() {
    let lines = "\n".repeat(1_000_000);
    let stop_times = format!("{}T1,8,,C,3\n", STOP_TIMES.replacen('\n', &lines, 1).replacen('\n', "\r\n", 1000));
    let trips = format!("{TRIPS}{lines}R1,S1,\n{lines}");
    let expected: [Wrong<'_>; 2] = [
        (MissingValue, "trips.txt", 1_000_003, "trip_id", "", "an id"),
        (InvalidTime, "stop_times.txt", 1_000_003, "arrival_time", "8", "HH:MM:SS"),
    ];
    let read = assert_problems(&files(&[("stop_times.txt", stop_times), ("trips.txt", trips)]), &expected);
    assert_answer(&read, &ANSWER.replace("]}]", r#",{"stop_id":"C","arrival_time":"","departure_time":""}]}]"#));
}

#[test]
fn a_header_may_come_after_a_million_empty_lines() {
    let lines = "\n\r\n".repeat(500_000);
    let routes = format!("{lines}route_id,route_type\nR1,x\n");
    let problem = (InvalidNumber, "routes.txt", 1_000_002, "route_type", "x", "a whole number from 0 to 1799");
    let feed = files(&[
        ("stop_times.txt", format!("{lines}{STOP_TIMES}")),
        ("trips.txt", format!("{lines}{TRIPS}")),
        ("routes.txt", routes),
    ]);
    assert_answer(&assert_problems(&feed, &[problem]), ANSWER);
}

#[test]
fn a_trip_of_three_hundred_thousand_stop_times() {
    const STOP_TIME_COUNT: usize = 300_000;
    let mut stop_times = String::from("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n");
    println!("from the last to the first, over many blocks");
    for sequence in (0..STOP_TIME_COUNT).rev() {
        let (hours, minutes, seconds) = (sequence / 3600, sequence / 60 % 60, sequence % 60);
        stop_times += &format!("T1,{hours}:{minutes:02}:{seconds:02},,{},{sequence}\n", sequence % 1000);
    }
    let feed = files(&[("stop_times.txt", stop_times)]);
    let read = assert_problems(&feed, &[]);
    assert_equals_the_twin(&read, &feed);
    assert_eq!(read.timetable.counts().stop_times, STOP_TIME_COUNT as u64);
}

#[test]
fn ids_of_a_hundred_kilobytes() {
    let long = |letter: &str| letter.repeat(MANY / letter.len());
    let (route, trip, stop, service) = (long("r"), long("\""), long("é"), long("\u{1}"));
    let quoted = |id: &str| format!("\"{}\"", id.replace('"', "\"\""));
    let trips = format!("route_id,service_id,trip_id\n{route},{service},{}\n{route},{service},T2\n", quoted(&trip));
    let mut stop_times = String::from("trip_id,stop_id,stop_sequence,arrival_time\n");
    for number in 0..5 {
        stop_times += &format!("{},{stop},{number},08:00:00\nT2,{stop}2,{number},\n", quoted(&trip));
    }
    let feed = files(&[("trips.txt", trips), ("stop_times.txt", stop_times)]);
    assert_equals_the_twin(&assert_problems(&feed, &[]), &feed);
}

#[test]
fn padding_of_a_megabyte() {
    // Nearly the longest record: a function that took a step of its own for each space would need a deep stack.
    let padding = " \t".repeat(500_000);
    let trips = TRIPS.replace("T1", &format!("T1{padding}")).replace("trip_id", &format!("{padding}trip_id"));
    let stop_times = STOP_TIMES.replacen("T1", &format!("{padding}T1"), 1).replace(",B,", &format!(",\"B{padding}\","));
    assert_answer(&assert_problems(&files(&[("trips.txt", trips), ("stop_times.txt", stop_times)]), &[]), ANSWER);
}

#[test]
fn a_stop_sequence_at_below_and_above_the_largest() {
    let rows = "T1,,,L,4294967295\nT1,,,K,4294967294\nT1,,,M,4294967296\nT1,,,N,04294967296\nT1,,,O,0000000000003\n";
    let number = "a whole number from 0 to 4294967295";
    let wrong = |line, found| (InvalidNumber, "stop_times.txt", line, "stop_sequence", found, number);
    let feed = files(&[("stop_times.txt", format!("{STOP_TIMES}{rows}"))]);
    let read = assert_problems(&feed, &[wrong(6, "4294967296"), wrong(7, "04294967296")]);
    let trip = read.timetable.trip(read.timetable.find_trip("T1").unwrap());
    let stops: Vec<_> = read
        .timetable
        .pattern(trip.pattern)
        .iter()
        .map(|stop| (read.timetable.stop_id(stop.stop), stop.stop_sequence))
        .collect();
    assert_eq!(stops, [("A", 1), ("B", 2), ("O", 3), ("K", 4_294_967_294), ("L", 4_294_967_295)]);
}

#[test]
fn times_at_below_and_above_the_latest() {
    let rows = "T1,99:59:59,100:00:00,C,3\nT1,99999:59:58,99999:59:59,D,4\n";
    let feed = files(&[("stop_times.txt", format!("{STOP_TIMES}{rows}"))]);
    assert_equals_the_twin(&assert_problems(&feed, &[]), &feed);
    let above = files(&[("stop_times.txt", format!("{STOP_TIMES}T1,100000:00:00,,C,3\n"))]);
    let problem = (InvalidTime, "stop_times.txt", 4, "arrival_time", "100000:00:00", "HH:MM:SS");
    assert_problems(&above, &[problem]);
}

#[test]
fn a_counter_of_bytes_counts_every_byte() {
    assert_eq!(bytes_counted_from(0), (173, 173));
}

#[test]
fn a_counter_of_bytes_may_have_counted_before() {
    bytes_counted_from(u64::from(u32::MAX));
}

/// How many bytes the counter counts of a feed, and how many it has.
fn bytes_counted_from(counted_before: u64) -> (u64, usize) {
    let bytes_read = std::sync::atomic::AtomicU64::new(counted_before);
    let feed = files(&[("transfers.txt", "from_stop_id,to_stop_id\nA,B\n")]);
    let options = timetable::ReadOptions { bytes_read: Some(&bytes_read), ..Default::default() };
    assert_answer(&timetable::read_feed(&feed, &options).unwrap(), ANSWER);
    (bytes_read.into_inner() - counted_before, feed.0.iter().map(|(_, bytes)| bytes.len()).sum())
}
