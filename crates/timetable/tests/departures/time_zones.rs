//! Which time zone counts, and zones that have skipped a day or had one twice.

use jiff::tz::TimeZone;

use crate::daylight_saving::assert_instants;
use crate::{Question, assert_departures, feed, read, stop_times};

#[test]
fn a_skipped_day_coincides_with_the_day_after_it() {
    // Apia had no 30th of December 2011: 24:00 -10:00 of the 29th was 00:00 +14:00 of the 31st. By the clocks of before,
    // noon of the 30th is 22:00 Z, which is noon of the 31st.
    assert_instants(
        "Pacific/Apia",
        "2011-12-30",
        [
            "2011-12-31T00:00:00+14:00",
            "2011-12-31T00:30:00+14:00",
            "2011-12-31T01:30:00+14:00",
            "2011-12-31T02:30:00+14:00",
            "2011-12-31T03:30:00+14:00",
            "2011-12-31T12:00:00+14:00",
            "2012-01-01T01:10:00+14:00",
        ],
    );
    let calendar_dates =
        "service_id,date,exception_type\nonce,20111229,1\nonce,20111230,1\nonce,20111231,1\nonce,20120101,1\n";
    let files = feed(
        "Pacific/Apia",
        &[
            ("trips.txt", "route_id,service_id,trip_id\nR1,once,T1\n"),
            ("stop_times.txt", &stop_times("T1,08:00:00,08:00:00,A,1\nT1,32:00:00,32:00:00,B,2\nT1,40:00:00,,C,3\n")),
            ("calendar_dates.txt", calendar_dates),
        ],
    );
    assert_departures(
        &files,
        &Question::new("A", "2011-12-29T00:00:00-10:00", "2012-01-02T00:00:00+14:00"),
        &[
            "2011-12-29T08:00:00-10:00 | 2011-12-29 08:00:00 | T1 at A 1",
            "2011-12-31T08:00:00+14:00 | 2011-12-30 08:00:00 | T1 at A 1",
            "2011-12-31T08:00:00+14:00 | 2011-12-31 08:00:00 | T1 at A 1",
            "2012-01-01T08:00:00+14:00 | 2012-01-01 08:00:00 | T1 at A 1",
        ],
    );
    assert_departures(
        &files,
        &Question::new("B", "2011-12-29T00:00:00-10:00", "2012-01-02T00:00:00+14:00"),
        &[
            "2011-12-31T08:00:00+14:00 | 2011-12-29 32:00:00 | T1 at B 2",
            "2012-01-01T08:00:00+14:00 | 2011-12-30 32:00:00 | T1 at B 2",
            "2012-01-01T08:00:00+14:00 | 2011-12-31 32:00:00 | T1 at B 2",
        ],
    );
}

#[test]
fn of_a_noon_that_comes_twice_the_first_counts() {
    // Kwajalein went from +11:00 to -12:00 at 24:00 of the 30th of September 1969, and had that day's noon again.
    assert_instants(
        "Pacific/Kwajalein",
        "1969-09-30",
        [
            "1969-09-30T00:00:00+11:00",
            "1969-09-30T00:30:00+11:00",
            "1969-09-30T01:30:00+11:00",
            "1969-09-30T02:30:00+11:00",
            "1969-09-30T03:30:00+11:00",
            "1969-09-30T12:00:00+11:00",
            "1969-09-30T02:10:00-12:00",
        ],
    );
}

#[test]
fn the_time_zone_is_the_first_agency_s_whatever_the_stop_says() {
    let files = feed(
        "unused",
        &[
            (
                "agency.txt",
                "agency_id,agency_name,agency_url,agency_timezone\n\
                 2,East,https://east.example,America/Denver\n1,West,https://west.example,America/Los_Angeles\n",
            ),
            ("routes.txt", "route_id,agency_id,route_type\nR1,1,3\n"),
            ("stops.txt", "stop_id,stop_name,stop_timezone\nA,First,America/Chicago\nB,Second,America/New_York\n"),
            ("stop_times.txt", &stop_times("T1,08:00:00,08:00:00,A,1\nT1,09:00:00,,B,2\n")),
        ],
    );
    assert_departures(
        &files,
        &Question::new("A", "2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z"),
        &["2026-06-01T08:00:00-06:00 | 2026-06-01 08:00:00 | T1 at A 1"],
    );
}

#[test]
fn a_feed_without_an_agency_or_with_an_unknown_zone_has_no_time_zone() {
    let rows = stop_times("T1,08:00:00,08:00:00,A,1\nT1,09:00:00,,B,2\n");
    let header = "agency_id,agency_name,agency_url,agency_timezone\n";
    for agencies in [String::new(), format!("{header}X,Example,u,Mars/Olympus\n"), format!("{header}X,Example,u,\n")] {
        println!("agency.txt {agencies:?}");
        let timetable = read(&feed("unused", &[("agency.txt", &agencies), ("stop_times.txt", &rows)]), 1);
        assert_eq!(timetable.time_zone(), None);
    }
    let timetable = read(&feed("Asia/Kathmandu", &[("stop_times.txt", &rows)]), 1);
    assert_eq!(timetable.time_zone(), Some(TimeZone::get("Asia/Kathmandu").unwrap()));
}
