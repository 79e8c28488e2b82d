//! On which dates a trip runs: weeks, their first and last day, and exceptions, which go first.

use crate::{Question, assert_departures, feed, stop_times};

const ROWS: &str = "T1,08:00:00,08:00:00,A,1\nT1,09:00:00,09:00:00,B,2\n";
const CALENDAR: &str = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n";
const CALENDAR_DATES: &str = "service_id,date,exception_type\n";

/// Asserts on which days of June 2026, a month that begins on a Monday, T1 of service S1 runs.
fn assert_days(calendar: Option<&str>, calendar_dates: Option<&str>, days: &[u8]) {
    let (calendar, calendar_dates) = (
        format!("{CALENDAR}{}", calendar.unwrap_or_default()),
        calendar_dates.map(|rows| format!("{CALENDAR_DATES}{rows}")).unwrap_or_default(),
    );
    let rows = stop_times(ROWS);
    let files = feed(
        "America/New_York",
        &[
            ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\n"),
            ("stop_times.txt", &rows),
            ("calendar.txt", &calendar),
            ("calendar_dates.txt", &calendar_dates),
        ],
    );
    let lines: Vec<String> = days
        .iter()
        .map(|day| format!("2026-06-{day:02}T08:00:00-04:00 | 2026-06-{day:02} 08:00:00 | T1 at A 1"))
        .collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_departures(&files, &Question::new("A", "2026-06-01T00:00:00-04:00", "2026-07-01T00:00:00-04:00"), &lines);
}

#[test]
fn a_week_runs_from_its_start_date_to_its_end_date_both_included() {
    assert_days(Some("S1,1,1,1,1,1,1,1,20260603,20260606\n"), None, &[3, 4, 5, 6]);
    assert_days(Some("S1,1,1,1,1,1,1,1,20260603,20260603\n"), None, &[3]);
    assert_days(Some("S1,1,1,1,1,1,1,1,20260604,20260603\n"), None, &[]);
}

#[test]
fn each_day_of_the_week_has_its_column() {
    assert_days(Some("S1,1,0,0,0,0,0,0,20260601,20260614\n"), None, &[1, 8]);
    assert_days(Some("S1,0,1,0,0,0,0,0,20260601,20260614\n"), None, &[2, 9]);
    assert_days(Some("S1,0,0,1,0,0,0,0,20260601,20260614\n"), None, &[3, 10]);
    assert_days(Some("S1,0,0,0,1,0,0,0,20260601,20260614\n"), None, &[4, 11]);
    assert_days(Some("S1,0,0,0,0,1,0,0,20260601,20260614\n"), None, &[5, 12]);
    assert_days(Some("S1,0,0,0,0,0,1,0,20260601,20260614\n"), None, &[6, 13]);
    assert_days(Some("S1,0,0,0,0,0,0,1,20260601,20260614\n"), None, &[7, 14]);
}

#[test]
fn exceptions_add_and_remove_days_within_and_outside_of_the_week_s_dates() {
    // Monday to Wednesday of two weeks; not on Tuesday the 2nd, but on Sunday the 7th and on the 30th.
    assert_days(
        Some("S1,1,1,1,0,0,0,0,20260601,20260614\n"),
        Some("S1,20260602,2\nS1,20260607,1\nS1,20260630,1\nS1,20260629,2\nS1,20260608,1\n"),
        &[1, 3, 7, 8, 9, 10, 30],
    );
}

#[test]
fn calendar_dates_alone_are_a_calendar() {
    assert_days(None, Some("S1,20260612,1\nS1,20260605,1\nS2,20260606,1\nS1,20260607,2\n"), &[5, 12]);
}

#[test]
fn of_two_exceptions_for_a_date_the_first_row_wins() {
    let every_day = Some("S1,1,1,1,1,1,1,1,20260601,20260602\n");
    assert_days(every_day, Some("S1,20260601,2\nS1,20260601,1\n"), &[2]);
    assert_days(None, Some("S1,20260601,1\nS1,20260601,2\n"), &[1]);
    println!("a row that says nothing is not the first");
    assert_days(every_day, Some("S1,20260601,3\nS1,20260601,2\nS1,20260631,2\n"), &[2]);
}

#[test]
fn of_two_weeks_of_one_service_the_first_row_wins() {
    assert_days(Some("S1,1,1,1,1,1,1,1,20260603,20260604\nS1,1,1,1,1,1,1,1,20260601,20260630\n"), None, &[3, 4]);
}

#[test]
fn a_service_that_no_calendar_knows_never_runs() {
    assert_days(Some("S2,1,1,1,1,1,1,1,20260601,20260630\n"), Some("s1,20260601,1\n"), &[]);
    assert_days(None, None, &[]);
}

#[test]
fn the_service_date_counts_and_not_the_date_on_the_clock() {
    // Fridays only: what leaves at 25:00:00 does so on Saturdays, and on Fridays nothing of Thursday's.
    let files = feed(
        "America/New_York",
        &[
            ("trips.txt", "route_id,service_id,trip_id\nR1,S1,T1\n"),
            ("stop_times.txt", &stop_times("T1,25:00:00,25:00:00,A,1\nT1,26:00:00,26:00:00,B,2\n")),
            ("calendar.txt", &format!("{CALENDAR}S1,0,0,0,0,1,0,0,20260601,20260614\n")),
        ],
    );
    assert_departures(
        &files,
        &Question::new("A", "2026-06-01T00:00:00-04:00", "2026-07-01T00:00:00-04:00"),
        &[
            "2026-06-06T01:00:00-04:00 | 2026-06-05 25:00:00 | T1 at A 1",
            "2026-06-13T01:00:00-04:00 | 2026-06-12 25:00:00 | T1 at A 1",
        ],
    );
}

#[test]
fn of_two_trips_with_one_id_the_first_row_wins() {
    let files = feed(
        "America/New_York",
        &[
            ("trips.txt", "route_id,service_id,trip_id,direction_id\n,daily,T1,1\nR1,S1,T1,0\nR2,daily,T1,1\n"),
            ("stop_times.txt", &stop_times(ROWS)),
            ("calendar_dates.txt", "service_id,date,exception_type\nS1,20260605,1\n"),
        ],
    );
    let june = Question::new("A", "2026-06-01T00:00:00-04:00", "2026-07-01T00:00:00-04:00");
    let line = "2026-06-05T08:00:00-04:00 | 2026-06-05 08:00:00 | T1 at A 1";
    assert_departures(&files, &june, &[line]);
    assert_departures(&files, &Question { route_id: Some("R1"), direction_id: Some(0), ..june }, &[line]);
    assert_departures(&files, &Question { route_id: Some("R2"), ..june }, &[]);
}
