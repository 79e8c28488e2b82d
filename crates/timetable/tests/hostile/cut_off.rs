//! Files that end too soon, anywhere: what is there is read, as the twin reads it, and what is half there is reported.

use timetable::{MemoryFiles, ProblemKind, read_feed};

use crate::{ANSWER, STOP_TIMES, TRIPS, assert_answer, assert_equals_the_twin, assert_problems, files, read, refusal};

/// The small feed in the most difficult print: a byte-order mark, quotes, padding, letters of two to four bytes, CRLF.
const TRIPS_PRINTED: &str = "\u{feff}\"route_id\",service_id,trip_id,trip_headsign\r\n\
    R1,S1,T1,\"to \"\"Ñuñoa\"\", then\r\n東京 🚋\"\r\nR2,S2,\"T2\",é\r\n";
const STOP_TIMES_PRINTED: &str = "\u{feff}trip_id , stop_id,\"stop_sequence\",arrival_time,departure_time\r\n\
    \"T1\",\"A \"\"é\"\"\",1,8:00:00, 08:01:00\r\n\r\nT1,🚋,2,,\r\nT2,\"two\r\nlines\",1,09:00:00,09:00:00";

/// Every beginning of `text`, the whole of it included.
fn beginnings(text: &str) -> impl Iterator<Item = &[u8]> {
    (0..=text.len()).map(|end| &text.as_bytes()[..end])
}

/// Asserts that the feed is refused for want of a header, or answers as the twin does.
fn assert_read_or_refused(files: &MemoryFiles) {
    if read_feed(files, &Default::default()).is_ok() {
        assert_equals_the_twin(&read(files), files);
    } else {
        assert!(refusal(files).contains(", line 1: found no"));
    }
}

#[test]
fn the_indispensable_files_may_end_after_any_byte() {
    for text in [STOP_TIMES, STOP_TIMES_PRINTED] {
        beginnings(text).for_each(|text| assert_read_or_refused(&files(&[("stop_times.txt", text)])));
    }
    for trips in [TRIPS, TRIPS_PRINTED].iter().flat_map(|text| beginnings(text)) {
        let feed = [("trips.txt", trips), ("stop_times.txt", STOP_TIMES_PRINTED.as_bytes())];
        assert_read_or_refused(&files(&feed));
    }
}

#[test]
fn every_other_file_may_end_after_any_byte() {
    for (name, text) in [
        ("agency.txt", "agency_id,agency_name,agency_timezone\r\nX,\"É\",America/New_York\r\n"),
        ("stops.txt", "stop_id,stop_lat,stop_lon,parent_station\r\nA,42.3,-71.06,B\r\nB,42.3,-71.06,\r\n"),
        ("routes.txt", "route_id,route_type,route_color\r\nR1,3,FF00FF\r\nR2,3,\r\n"),
        ("calendar.txt", "service_id,start_date,end_date,monday\r\nS1,20260105,20261231,1\r\n"),
        ("calendar_dates.txt", "service_id,date,exception_type\r\nS1,20260706,2\r\n"),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\r\nT1,06:00:00,22:00:00,600\r\n"),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\r\nP,42.30,-71.06,1\r\n"),
        ("feed_info.txt", "feed_version,feed_start_date\r\nv1,20260105\r\n"),
        ("transfers.txt", "from_stop_id,to_stop_id\r\nA,B\r\n"),
    ] {
        println!("{name}");
        beginnings(text).for_each(|text| assert_read_or_refused(&files(&[(name, text)])));
    }
}

#[test]
fn a_record_that_is_cut_off_is_reported_with_what_is_missing() {
    let cut = |text: &str| files(&[("stop_times.txt", text)]);
    let field_count = |found| (ProblemKind::FieldCount, "stop_times.txt", 3, "", found, "5 as in the header");
    println!("in the stop's id: the row has one all the same");
    let without_sequence = (ProblemKind::MissingValue, "stop_times.txt", 3, "stop_sequence", "", "a whole number");
    assert_problems(&cut(&STOP_TIMES[..STOP_TIMES.len() - 3]), &[without_sequence, field_count("4 fields")]);
    println!("in a time");
    let cut_in_time = STOP_TIMES.strip_suffix(":10:30,B,2\n").unwrap();
    let without_stop = (ProblemKind::MissingValue, "stop_times.txt", 3, "stop_id", "", "a stop_id");
    assert_problems(&cut(cut_in_time), &[without_stop, field_count("3 fields")]);
    println!("before the line end: nothing is missing");
    assert_answer(&assert_problems(&cut(STOP_TIMES.trim_end()), &[]), ANSWER);
}

#[test]
fn a_character_that_is_cut_off_is_invalid_utf_8() {
    for (character, cut) in [("é", 1), ("東", 1), ("東", 2), ("🚋", 1), ("🚋", 2), ("🚋", 3)] {
        println!("{cut} bytes of {character:?}");
        let whole = format!("route_id,service_id,trip_id,block_id\nR1,S1,T1,{character}");
        let feed = files(&[("trips.txt", &whole.as_bytes()[..whole.len() - character.len() + cut])]);
        let problem = (ProblemKind::InvalidUtf8, "trips.txt", 2, "block_id", "\u{fffd}", "UTF-8");
        assert_answer(&assert_problems(&feed, &[problem]), ANSWER);
    }
}

#[test]
fn a_pair_of_carriage_return_and_line_feed_that_is_cut_off_ends_the_record() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let (trips, stop_times) = (crlf(TRIPS), crlf(STOP_TIMES));
    let feed = files(&[
        ("trips.txt", trips.strip_suffix('\n').unwrap()),
        ("stop_times.txt", stop_times.strip_suffix('\n').unwrap()),
    ]);
    assert_answer(&assert_problems(&feed, &[]), ANSWER);
}

#[test]
fn files_with_a_header_alone_are_a_feed_of_nothing() {
    let feed = files(&[
        ("agency.txt", "agency_id"),
        ("stops.txt", "stop_id"),
        ("routes.txt", "route_id"),
        ("trips.txt", "route_id,service_id,trip_id"),
        ("stop_times.txt", "trip_id,stop_id,stop_sequence"),
        ("calendar.txt", "service_id,start_date,end_date"),
        ("calendar_dates.txt", "service_id,date,exception_type"),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs"),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence"),
        ("feed_info.txt", "feed_version"),
    ]);
    let timetable = assert_problems(&feed, &[]).timetable;
    let counts = timetable.counts();
    assert_eq!((counts.agencies, counts.stops, counts.routes, counts.services, counts.trips), (0, 0, 0, 0, 0));
    assert_eq!((counts.stop_times, counts.frequencies, counts.shapes), (0, 0, 0));
    assert_eq!(timetable.service_period(), None);
}

#[test]
fn an_indispensable_file_without_even_a_header_is_refused_by_name() {
    for nothing in ["", "\u{feff}", "\n\r\n\r", "\u{feff}\n"] {
        println!("{nothing:?}");
        let message = refusal(&files(&[("trips.txt", nothing)]));
        assert_eq!(message, "trips.txt, line 1: found nothing, expected a header with a column route_id");
        let message = refusal(&files(&[("stop_times.txt", nothing)]));
        assert_eq!(message, "stop_times.txt, line 1: found nothing, expected a header with a column trip_id");
    }
}

#[test]
fn an_empty_file_that_is_not_indispensable_counts_as_a_missing_one() {
    for name in [
        "stops.txt",
        "routes.txt",
        "calendar.txt",
        "calendar_dates.txt",
        "frequencies.txt",
        "shapes.txt",
        "transfers.txt",
    ] {
        println!("{name}");
        assert_answer(&read(&files(&[(name, "")])), ANSWER);
    }
}
