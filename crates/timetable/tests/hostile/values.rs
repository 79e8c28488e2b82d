//! Values that cannot be: each is reported with what was found and what was expected, and the rest of the feed is read.

use timetable::ProblemKind::{
    DecreasingTime, FieldCount, InvalidDate, InvalidNumber, InvalidTime, MissingValue, UnknownId,
};

use crate::{ANSWER, STOP_TIMES, TRIPS, Wrong, assert_answer, assert_problems, files, problems, read};

const STOP_TIMES_HEADER: &str =
    "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type,timepoint\n";
/// The small feed's stop times with the columns above, on lines 2 and 3.
const STOP_TIMES_ROWS: &str = "T1,08:00:00,08:01:00,A,1,,,\nT1,08:10:00,08:10:30,B,2,,,\n";

/// Asserts the problems of these rows, the first of which is on line 4; none of them may show in the answer.
fn assert_stop_times(rows: &str, expected: &[Wrong<'_>]) {
    let feed = files(&[("stop_times.txt", format!("{STOP_TIMES_HEADER}{STOP_TIMES_ROWS}{rows}"))]);
    assert_answer(&assert_problems(&feed, expected), ANSWER);
}

#[test]
fn impossible_times() {
    let times = [
        "24:60:00",
        "12:00:60",
        "-1:00:00",
        "08:00",
        "8",
        "::",
        "100000:00:00",
        "08:00:00:00",
        "8am",
        "08.00.00",
        "0８:00:00",
        "+8:00:00",
        "08 :00:00",
    ];
    let mut rows = String::new();
    let mut expected = Vec::new();
    for (line, time) in (4..).zip(times) {
        rows += &format!("T2, {time},{time},A,{line},,,\n");
        let wrong = |field| (InvalidTime, "stop_times.txt", line, field, time, "HH:MM:SS");
        expected.extend(["arrival_time", "departure_time"].map(wrong));
    }
    let stop_times = format!("{STOP_TIMES_HEADER}{STOP_TIMES_ROWS}{rows}");
    let feed = files(&[("trips.txt", format!("{TRIPS}R2,S1,T2\n")), ("stop_times.txt", stop_times)]);
    assert_answer(&assert_problems(&feed, &expected), ANSWER);
}

#[test]
fn a_stop_time_without_what_it_needs_is_left_out() {
    let file = "stop_times.txt";
    let number = "a whole number from 0 to 4294967295";
    assert_stop_times(
        ",,,A,3,,,\nT1,,,,3,,,\nT1,,,A,,,,\nT1,,,A,-1,,,\nT1,,,A,1.5,,,\nT1,,,A,4294967296,,,\nT1,,,A,99999999999999999999,,,\n",
        &[
            (MissingValue, file, 4, "trip_id", "", "an id"),
            (MissingValue, file, 5, "stop_id", "", "a stop_id"),
            (MissingValue, file, 6, "stop_sequence", "", "a whole number"),
            (InvalidNumber, file, 7, "stop_sequence", "-1", number),
            (InvalidNumber, file, 8, "stop_sequence", "1.5", number),
            (InvalidNumber, file, 9, "stop_sequence", "4294967296", number),
            (InvalidNumber, file, 10, "stop_sequence", "99999999999999999999", number),
        ],
    );
}

#[test]
fn impossible_codes_count_as_empty() {
    let trips = "route_id,service_id,trip_id,direction_id,wheelchair_accessible,bikes_allowed\nR1,S1,T1,2,3,yes\n";
    let stop_times = format!("{STOP_TIMES_HEADER}T1,08:00:00,08:01:00,A,1,4,-1,2\nT1,08:10:00,08:10:30,B,2,,,\n");
    let code = |file, field, found, expected| (InvalidNumber, file, 2, field, found, expected);
    let feed = files(&[("trips.txt", trips), ("stop_times.txt", &stop_times)]);
    let read = assert_problems(
        &feed,
        &[
            code("stop_times.txt", "drop_off_type", "-1", "a whole number from 0 to 3"),
            code("stop_times.txt", "pickup_type", "4", "a whole number from 0 to 3"),
            code("stop_times.txt", "timepoint", "2", "a whole number from 0 to 1"),
            code("trips.txt", "bikes_allowed", "yes", "a whole number from 0 to 2"),
            code("trips.txt", "direction_id", "2", "a whole number from 0 to 1"),
            code("trips.txt", "wheelchair_accessible", "3", "a whole number from 0 to 2"),
        ],
    );
    assert_answer(&read, ANSWER);
    let trip = read.timetable.trip(read.timetable.find_trip("T1").unwrap());
    assert_eq!((trip.direction_id, trip.wheelchair_accessible, trip.bikes_allowed), (None, 0, 0));
    let stop = read.timetable.pattern(trip.pattern)[0];
    assert_eq!((stop.pickup_type, stop.drop_off_type, stop.timepoint), (0, 0, 1));
}

#[test]
fn impossible_dates() {
    let feed = files(&[
        (
            "calendar.txt",
            "service_id,start_date,end_date,monday\nS1,20260105,20261231,1\nS2,20260231,20261231,1\n\
             S3,20260105,2026-12-31,1\nS4,20261231,20260105,1\nS5,20260105,20261231,2\n",
        ),
        (
            "calendar_dates.txt",
            "service_id,date,exception_type\nS1,20250229,1\nS1,00000000,1\nS1,20261301,1\nS1,20260706,3\nS1,20260707,\n",
        ),
        ("feed_info.txt", "feed_start_date,feed_end_date\n2026,20269999\n"),
    ]);
    let date = |file, line, field, found| (InvalidDate, file, line, field, found, "YYYYMMDD");
    let backwards = "a date not before start_date, 2026-12-31";
    let read = assert_problems(
        &feed,
        &[
            (MissingValue, "calendar_dates.txt", 6, "exception_type", "", "1 or 2"),
            date("calendar.txt", 3, "start_date", "20260231"),
            date("calendar.txt", 4, "end_date", "2026-12-31"),
            (InvalidDate, "calendar.txt", 5, "end_date", "20260105", backwards),
            date("calendar_dates.txt", 2, "date", "20250229"),
            date("calendar_dates.txt", 3, "date", "00000000"),
            date("calendar_dates.txt", 4, "date", "20261301"),
            date("feed_info.txt", 2, "feed_end_date", "20269999"),
            date("feed_info.txt", 2, "feed_start_date", "2026"),
            (InvalidNumber, "calendar.txt", 6, "monday", "2", "a whole number from 0 to 1"),
            (InvalidNumber, "calendar_dates.txt", 5, "exception_type", "3", "a whole number from 1 to 2"),
        ],
    );
    let services = |service_id| read.timetable.find_service(service_id);
    assert!(services("S2").is_none() && services("S3").is_none());
    let backwards = read.timetable.service(services("S4").unwrap());
    assert_eq!(backwards.period(), None);
}

#[test]
fn impossible_places() {
    let feed = files(&[
        (
            "stops.txt",
            "stop_id,stop_lat,stop_lon,location_type\nA,90.0000001,0,0\nB,0,-180.1,5\nC,north,NaN,0\nD,inf,1e309,0\n\
             E,,71,0\nF,\"42,3\",\"71°\",0\nG,90,-180,4\n",
        ),
        (
            "shapes.txt",
            "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nP,91,0,1\nP,0,181,2\nP,,0,3\nP,0,0,-1\nP,0,0,\n,0,0,1\n\
             P,42.3,-71.06,4294967295\n",
        ),
    ]);
    let latitude = |file, line, field, found| (InvalidNumber, file, line, field, found, "degrees from -90 to 90");
    let longitude = |file, line, field, found| (InvalidNumber, file, line, field, found, "degrees from -180 to 180");
    let read = assert_problems(
        &feed,
        &[
            (MissingValue, "shapes.txt", 4, "shape_pt_lat", "", "degrees"),
            (MissingValue, "shapes.txt", 6, "shape_pt_sequence", "", "a whole number"),
            (MissingValue, "shapes.txt", 7, "shape_id", "", "an id"),
            latitude("shapes.txt", 2, "shape_pt_lat", "91"),
            longitude("shapes.txt", 3, "shape_pt_lon", "181"),
            (InvalidNumber, "shapes.txt", 5, "shape_pt_sequence", "-1", "a whole number from 0 to 4294967295"),
            latitude("stops.txt", 2, "stop_lat", "90.0000001"),
            (InvalidNumber, "stops.txt", 3, "location_type", "5", "a whole number from 0 to 4"),
            longitude("stops.txt", 3, "stop_lon", "-180.1"),
            latitude("stops.txt", 4, "stop_lat", "north"),
            longitude("stops.txt", 4, "stop_lon", "NaN"),
            latitude("stops.txt", 5, "stop_lat", "inf"),
            longitude("stops.txt", 5, "stop_lon", "1e309"),
            latitude("stops.txt", 7, "stop_lat", "42,3"),
            longitude("stops.txt", 7, "stop_lon", "71°"),
        ],
    );
    let timetable = &read.timetable;
    let place = |stop_id: &str| timetable.stop(timetable.find_stop(stop_id).unwrap()).place;
    assert!(["A", "B", "C", "D", "E", "F"].iter().all(|stop_id| place(stop_id).is_none()));
    assert_eq!(place("G"), Some((90.0, -180.0)));
    let points: Vec<_> = timetable.shape(timetable.find_shape("P").unwrap()).collect();
    assert_eq!(points, [(42.3, -71.06)]);
}

#[test]
fn impossible_routes() {
    let header = "route_id,route_type,route_color,route_text_color,route_sort_order\n";
    let feed = files(&[("routes.txt", format!("{header}R1,1800,red,#FFFFFF,-1\n,3,,,\nR2,tram,GGGGGG,FFFFFFF,1e3\n"))]);
    let colour = "a colour of six hexadecimal digits";
    let number = "a whole number from 0 to 4294967295";
    let invalid = |line, field, found, expected| (InvalidNumber, "routes.txt", line, field, found, expected);
    let read = assert_problems(
        &feed,
        &[
            (MissingValue, "routes.txt", 3, "route_id", "", "an id"),
            invalid(2, "route_color", "red", colour),
            invalid(2, "route_sort_order", "-1", number),
            invalid(2, "route_text_color", "#FFFFFF", colour),
            invalid(2, "route_type", "1800", "a whole number from 0 to 1799"),
            invalid(4, "route_color", "GGGGGG", colour),
            invalid(4, "route_sort_order", "1e3", number),
            invalid(4, "route_text_color", "FFFFFFF", colour),
            invalid(4, "route_type", "tram", "a whole number from 0 to 1799"),
        ],
    );
    let route = read.timetable.route(read.timetable.find_route("R1").unwrap());
    assert_eq!((route.route_type, route.route_sort_order, route.route_color.get()), (None, None, None));
}

#[test]
fn impossible_frequencies() {
    let header = "trip_id,start_time,end_time,headway_secs,exact_times\n";
    let rows = "T1,06:00:00,07:00:00,0,0\nT1,06:00:00,07:00:00,1000001,0\nT1,6,07:00:00,600,0\nT1,06:00:00,,600,0\n\
        T1,06:00:00,07:00:00,,0\n,06:00:00,07:00:00,600,0\nT1,06:00:00,07:00:00,600,2\n";
    let feed = files(&[("frequencies.txt", format!("{header}{rows}"))]);
    let file = "frequencies.txt";
    let headway = "a whole number from 1 to 1000000";
    let read = assert_problems(
        &feed,
        &[
            (MissingValue, file, 5, "end_time", "", "HH:MM:SS"),
            (MissingValue, file, 6, "headway_secs", "", "seconds"),
            (MissingValue, file, 7, "trip_id", "", "a trip_id"),
            (InvalidTime, file, 4, "start_time", "6", "HH:MM:SS"),
            (InvalidNumber, file, 2, "headway_secs", "0", headway),
            (InvalidNumber, file, 3, "headway_secs", "1000001", headway),
            (InvalidNumber, file, 8, "exact_times", "2", "a whole number from 0 to 1"),
        ],
    );
    let frequencies: Vec<_> = read.timetable.frequencies(read.timetable.find_trip("T1").unwrap()).collect();
    assert_eq!(frequencies.iter().map(|row| (row.headway_secs, row.exact_times)).collect::<Vec<_>>(), [(600, 0)]);
}

#[test]
fn a_trip_that_arrives_before_it_left_is_reported_where_it_begins() {
    let rows = "T1,10:00:00,10:00:00,A,1\nT1,09:59:59,10:00:00,B,2\nT2,10:00:00,09:00:00,A,1\nT3,9:00:00,,A,1\nT3,,8:00:00,B,2\n";
    let feed = files(&[
        ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\nR1,S1,T2\nR1,S1,T3\n".to_owned()),
        ("stop_times.txt", format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{rows}")),
    ]);
    let problem = |line, field, found, expected| (DecreasingTime, "stop_times.txt", line, field, found, expected);
    assert_problems(
        &feed,
        &[
            problem(
                2,
                "arrival_time",
                "09:59:59 in the trip that begins here",
                "10:00:00, the time before it, or later",
            ),
            problem(
                4,
                "departure_time",
                "09:00:00 in the trip that begins here",
                "10:00:00, the time before it, or later",
            ),
            problem(
                5,
                "departure_time",
                "08:00:00 in the trip that begins here",
                "09:00:00, the time before it, or later",
            ),
        ],
    );
}

#[test]
fn rows_of_another_width_than_the_header_are_reported_and_read() {
    let feed = files(&[
        ("trips.txt", "route_id,service_id,trip_id,block_id\nR1,S1,T1\n"),
        (
            "stop_times.txt",
            "trip_id,stop_id,stop_sequence,arrival_time,departure_time\nT1,A,1,08:00:00,08:01:00,,,\n\
             T1,B,2,08:10:00,08:10:30\nT1\n",
        ),
    ]);
    let wrong = |file, line, found, expected| (FieldCount, file, line, "", found, expected);
    let read = assert_problems(
        &feed,
        &[
            (MissingValue, "stop_times.txt", 4, "stop_id", "", "a stop_id"),
            wrong("stop_times.txt", 2, "8 fields", "5 as in the header"),
            wrong("stop_times.txt", 4, "1 fields", "5 as in the header"),
            wrong("trips.txt", 2, "3 fields", "4 as in the header"),
        ],
    );
    assert_answer(&read, ANSWER);
}

#[test]
fn a_long_value_is_shown_by_its_beginning() {
    let found = |value: &str| {
        let feed = files(&[("feed_info.txt", format!("feed_start_date\n\"{value}\"\n"))]);
        problems(&read(&feed)).remove(0).1.found
    };
    for letter in ["x", "é", "東", "🚋"] {
        assert_eq!(found(&letter.repeat(80)), letter.repeat(80));
        assert_eq!(found(&letter.repeat(81)), format!("{}…", letter.repeat(80)));
        assert_eq!(found(&letter.repeat(100_000)), format!("{}…", letter.repeat(80)));
    }
}

#[test]
fn an_empty_date_is_a_missing_value_and_no_wrong_one() {
    let calendar = "service_id,start_date,end_date\nS1,,20261231\nS1,20260105,20261231\n";
    let dates = "service_id,date,exception_type\nS1,,1\n";
    let missing = |file, field| (MissingValue, file, 2, field, "", "YYYYMMDD");
    let feed = files(&[("calendar.txt", calendar), ("calendar_dates.txt", dates)]);
    assert_problems(&feed, &[missing("calendar.txt", "start_date"), missing("calendar_dates.txt", "date")]);
}

#[test]
fn stop_times_at_areas_instead_of_stops_are_counted_and_no_problem() {
    let stop_times = "trip_id,stop_id,location_id,location_group_id,stop_sequence\n\
                      T1,A,,,1\nT1,,area,,2\nT1,,,group,3\nT1,B,,,4\n";
    let read = read(&files(&[("stop_times.txt", stop_times)]));
    assert_eq!((read.report.problem_count(), read.report.area_stop_time_count), (0, 2));
    assert_eq!(read.timetable.counts().stop_times, 2);
}

#[test]
fn a_trip_that_nobody_knows_is_told_once_however_many_rows_it_has() {
    let rows: String = (0..60_000).map(|row| format!("T9,,,A,{row}\n")).collect();
    let feed = files(&[("stop_times.txt", format!("{STOP_TIMES}{rows}"))]);
    assert_problems(&feed, &[(UnknownId, "stop_times.txt", 4, "trip_id", "T9", "the trip_id of a row of trips.txt")]);
}
