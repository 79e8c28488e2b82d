//! Ids that come twice, and ids that nobody has.

use timetable::ProblemKind::{DuplicateId, DuplicateSequence, InvalidUtf8, MissingValue, UnknownId};

use crate::{ANSWER, STOP_TIMES, Wrong, assert_answer, assert_problems, files, problems, read};

#[test]
fn a_duplicate_of_every_kind_is_reported_and_the_first_row_wins() {
    let feed = files(&[
        ("agency.txt", "agency_id,agency_name\nX,First\nX,Second\n"),
        ("stops.txt", "stop_id,stop_name\nA,First\nB,Second\nA,Third\n"),
        ("routes.txt", "route_id,route_long_name\nR1,First\n\nR1,Second\nR1,Third\n"),
        ("trips.txt", "route_id,service_id,trip_id,trip_headsign\nR1,S1,T1,First\nR2,S2,T1,Second\n"),
        (
            "calendar.txt",
            "service_id,start_date,end_date\nS1,20260101,20261231\nS1,20270101,20271231\nS2,20260101,20260101\n",
        ),
        ("calendar_dates.txt", "service_id,date,exception_type\nS1,20260704,2\nS1,20260704,1\nS1,20260704,2\n"),
    ]);
    let expected: [Wrong<'_>; 7] = [
        (DuplicateId, "agency.txt", 3, "agency_id", "X", "an agency_id that no row before has"),
        (DuplicateId, "calendar.txt", 3, "service_id", "S1", "a service_id that no row before has"),
        (DuplicateId, "calendar_dates.txt", 3, "date", "S1 2026-07-04", "one exception for each service and date"),
        (DuplicateId, "calendar_dates.txt", 4, "date", "S1 2026-07-04", "one exception for each service and date"),
        (DuplicateId, "routes.txt", 4, "route_id", "R1", "a route_id that no row before has"),
        (DuplicateId, "routes.txt", 5, "route_id", "R1", "a route_id that no row before has"),
        (DuplicateId, "stops.txt", 4, "stop_id", "A", "a stop_id that no row before has"),
    ];
    let trip = (DuplicateId, "trips.txt", 3, "trip_id", "T1", "a trip_id that no row before has");
    // The row of R2 is left out, but it has told of R2, which routes.txt does not have.
    let route = (UnknownId, "trips.txt", 3, "route_id", "R2", "the route_id of a row of routes.txt");
    let read = assert_problems(&feed, &[expected.as_slice(), &[trip, route]].concat());
    assert_answer(&read, ANSWER);

    let timetable = &read.timetable;
    let text = |index| timetable.optional_text(index);
    assert_eq!(timetable.text(timetable.agencies()[0].agency_name), "First");
    assert_eq!(text(timetable.stop(timetable.find_stop("A").unwrap()).stop_name), Some("First"));
    assert_eq!(text(timetable.route(timetable.find_route("R1").unwrap()).route_long_name), Some("First"));
    assert_eq!(text(timetable.trip(timetable.find_trip("T1").unwrap()).trip_headsign), Some("First"));
    let service = timetable.service(timetable.find_service("S1").unwrap());
    assert_eq!(service.week.unwrap().end_date.year(), 2026);
    assert_eq!(service.exceptions.len(), 1);
}

#[test]
fn ids_that_become_the_same_text_are_duplicates() {
    let trips = b"route_id,service_id,trip_id\nR1,S1,T\xff\nR1,S1,T\xfe\nR1,S1,T\xef\xbf\xbd\n".as_slice();
    let feed = files(&[("trips.txt", trips), ("stop_times.txt", b"trip_id,stop_id,stop_sequence\n".as_slice())]);
    let invalid = |line| (InvalidUtf8, "trips.txt", line, "trip_id", "T\u{fffd}", "UTF-8");
    let duplicate = |line| (DuplicateId, "trips.txt", line, "trip_id", "T\u{fffd}", "a trip_id that no row before has");
    assert_problems(&feed, &[duplicate(3), duplicate(4), invalid(2), invalid(3)]);
}

#[test]
fn a_stop_sequence_that_comes_twice_in_a_trip_is_reported_where_the_trip_begins() {
    let rows = "T1,08:00:00,08:01:00,A,1\nT1,08:10:00,08:10:30,B,1\nT2,,,A,7\nT2,,,A,8\nT2,,,A,8\nT2,,,A,8\n";
    let feed = files(&[
        ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\nR2,S1,T2\n".to_owned()),
        ("stop_times.txt", format!("{}{rows}", &STOP_TIMES[..STOP_TIMES.find('\n').unwrap() + 1])),
    ]);
    let problem = |line, found| {
        (DuplicateSequence, "stop_times.txt", line, "stop_sequence", found, "each stop_sequence once in a trip")
    };
    let expected =
        [problem(2, "1 twice in the trip that begins here"), problem(4, "8 twice in the trip that begins here")];
    assert_answer(&assert_problems(&feed, &expected), ANSWER);
}

#[test]
fn a_reference_of_every_kind_that_leads_nowhere_is_reported() {
    let feed = files(&[
        ("agency.txt", "agency_id,agency_name\nX,Example\n"),
        ("stops.txt", "stop_id,parent_station\nA,\nB,nowhere\nC,nowhere\n"),
        ("routes.txt", "route_id,agency_id\nR1,X\nR2,nobody\n"),
        ("trips.txt", "route_id,service_id,trip_id,shape_id\nR1,S1,T1,P1\nR9,S9,T2,P9\nR9,S9,T3,P9\nR1,S8,T4,\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             T0,,,A,1\nT0,,,Z,2\n\
             T1,08:00:00,08:01:00,A,1\nT1,08:10:00,08:10:30,B,2\n\
             T2,,,Y,1\nT2,,,Z,2\nt1,,,A,1\nT0,,,A,3\n",
        ),
        ("calendar.txt", "service_id,start_date,end_date\nS1,20260105,20261231\n"),
        ("calendar_dates.txt", "service_id,date,exception_type\nS8,20260706,2\n"),
        (
            "frequencies.txt",
            "trip_id,start_time,end_time,headway_secs\nT1,06:00:00,22:00:00,600\nT9,06:00:00,22:00:00,600\n",
        ),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nP1,42.30,-71.06,1\n"),
    ]);
    let read = assert_problems(
        &feed,
        &[
            (UnknownId, "frequencies.txt", 3, "trip_id", "T9", "the trip_id of a row of trips.txt"),
            (UnknownId, "routes.txt", 3, "agency_id", "nobody", "the agency_id of a row of agency.txt"),
            (UnknownId, "stop_times.txt", 2, "trip_id", "T0", "the trip_id of a row of trips.txt"),
            (UnknownId, "stop_times.txt", 3, "stop_id", "Z", "the stop_id of a row of stops.txt"),
            (UnknownId, "stop_times.txt", 6, "stop_id", "Y", "the stop_id of a row of stops.txt"),
            (UnknownId, "stop_times.txt", 8, "trip_id", "t1", "the trip_id of a row of trips.txt"),
            (UnknownId, "stops.txt", 3, "parent_station", "nowhere", "the stop_id of a row of stops.txt"),
            (UnknownId, "trips.txt", 3, "route_id", "R9", "the route_id of a row of routes.txt"),
            (
                UnknownId,
                "trips.txt",
                3,
                "service_id",
                "S9",
                "the service_id of a row of calendar.txt or calendar_dates.txt",
            ),
            (UnknownId, "trips.txt", 3, "shape_id", "P9", "the shape_id of a row of shapes.txt"),
        ],
    );
    assert_answer(
        &read,
        &ANSWER.replace("]}]", r#"]},{"trip_id":"T4","service_id":"S8","route_id":"R1","schedules":[]}]"#),
    );
    let timetable = &read.timetable;
    println!("a route, service or stop that is only referred to is known by its id; a shape or agency is not");
    assert!(timetable.find_route("R9").is_some() && timetable.find_service("S9").is_some());
    assert!(timetable.find_stop("Z").is_some() && timetable.find_shape("P9").is_none());
    assert!(timetable.find_trip("T0").is_none() && timetable.find_trip("T9").is_none());
}

#[test]
fn a_reference_into_a_file_that_is_missing_is_no_problem() {
    let feed = files(&[
        ("routes.txt", "route_id,agency_id\nR1,X\n"),
        ("trips.txt", "route_id,service_id,trip_id,shape_id\nR1,S1,T1,P1\n"),
    ]);
    assert_answer(&assert_problems(&feed, &[]), ANSWER);
}

#[test]
fn stops_that_are_each_other_s_parents_or_their_own_are_read() {
    let feed = files(&[("stops.txt", "stop_id,parent_station\nA,B\nB,A\nC,C\n")]);
    let timetable = assert_problems(&feed, &[]).timetable;
    let parent = |stop_id: &str| timetable.stop(timetable.find_stop(stop_id).unwrap()).parent_station.get().unwrap();
    assert_eq!(["A", "B", "C"].map(|stop_id| timetable.stop_id(parent(stop_id))), ["B", "A", "C"]);
}

#[test]
fn a_stop_time_without_a_trip_is_reported_where_a_block_of_the_file_begins() {
    /// As many bytes as the reader takes at a time; only to aim with.
    const BLOCK_BYTES: usize = 256 << 10;
    let stop_time = |trip_id: &str, stop_id| format!("{trip_id},08:00:00,08:00:00,{stop_id}\n");
    let header = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n";
    let trip = |trip_id: &str| [stop_time(trip_id, "A,1"), stop_time(trip_id, "B,2")].concat();
    let (odd, even) = (trip("T1"), trip("T2"));
    println!("rows that follow each other again and again, up to the very end of a block");
    let row_bytes = BLOCK_BYTES - header.len();
    let first = stop_time(&"x".repeat(row_bytes % (odd.len() * 2)), "C,3");
    let trips = (odd + &even).repeat((row_bytes - first.len()) / (even.len() * 2));
    let first = stop_time(&"x".repeat(row_bytes - trips.len() - stop_time("", "C,3").len()), "C,3");
    let rows = [&first, &trips, &stop_time("", "A,1"), &even].map(String::as_str).concat();
    let feed = read(&files(&[
        ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\nR1,S1,T2\n".to_owned()),
        ("stop_times.txt", format!("{header}{rows}")),
    ]));
    let line = 1 + (first + &trips).lines().count() as u64 + 1;
    let missing: Vec<_> = problems(&feed)
        .into_iter()
        .filter(|(kind, _)| *kind == MissingValue)
        .map(|(_, problem)| problem.line)
        .collect();
    assert_eq!(missing, [line]);
    println!("beside it only the long id is unknown");
    assert_eq!(feed.report.problems.count_of(UnknownId), 1);
}
