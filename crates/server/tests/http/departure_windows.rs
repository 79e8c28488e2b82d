//! From when on, how far ahead and how many: the parameters of `GET /departures` that say so, and their bounds.

use crate::client::{Connection, assert_problem};
use crate::departures::{AGENCY, CALENDAR, files, serve, told};
use crate::feed_files::feed;

#[test]
fn the_window_begins_at_its_instant_and_ends_before_its_end() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    for (at, duration, expected) in [
        ("2026-11-20T08:00:30", "1s", &["08:00:30 a north 1"][..]),
        ("2026-11-20T08:00:31", "1h", &["08:16:00 b north 2"]),
        ("2026-11-20T08:00:30", "15m 30s", &["08:00:30 a north 1"]),
        ("2026-11-20T08:00:30", "PT15M31S", &["08:00:30 a north 1", "08:16:00 b north 2"]),
        ("2026-11-20T07:00", "1h", &[]),
        ("2026-11-20T07:00", "61m", &["08:00:30 a north 1"]),
    ] {
        let query = format!("at={at}&duration={}", duration.replace(' ', "%20"));
        assert_eq!(told(&mut connection, &format!("/departures?stop_id=north&{query}")), expected, "{query}");
    }
    println!("a day, where nobody says otherwise");
    assert_eq!(told(&mut connection, "/departures?stop_id=depot&at=2026-11-19T08:20:01"), ["08:20:00 b depot"]);
    assert_eq!(told(&mut connection, "/departures?stop_id=depot&at=2026-11-20T08:20:01"), [""; 0], "then Saturday");
    println!("a week at most: from Friday past the weekend to Thursday");
    let week = told(&mut connection, "/departures?stop_id=depot&at=2026-11-20T08:20:01&duration=168h");
    assert_eq!(week, ["08:20:00 b depot"; 5]);
    println!("whatever else there is, the next Friday at the same time is past the end");
    assert_eq!(told(&mut connection, "/departures?stop_id=depot&at=2026-11-20T08:20:00&duration=168h").len(), 5);
}

#[test]
fn an_instant_is_rfc_3339_or_local() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    for at in [
        "2026-11-20T08:16:00-05:00",
        "2026-11-20T13:16:00Z",
        "2026-11-20t13:16:00z",
        "2026-11-20T13:16:00.000Z",
        "2026-11-20T08:16",
        "2026-11-20T08:16:00",
        "2026-11-20%2008:16",
        "2026-11-20+08:16",
        "2026-11-20T14:16:00%2B01:00",
        "2026-11-20T14:16:00+01:00",
        "2026%2D11%2D20T08%3A16",
    ] {
        let target = format!("/departures?stop_id=north&duration=1m&at={at}");
        assert_eq!(told(&mut connection, &target), ["08:16:00 b north 2"], "{at}");
    }
    println!("to the second");
    for at in
        ["2026-11-20T13:16:01Z", "2026-11-20T08:16:01", "2026-11-20T14:16:01+01:00", "2026-11-20T08:16:00.5-05:00"]
    {
        assert_eq!(told(&mut connection, &format!("/departures?stop_id=north&duration=1m&at={at}")), [""; 0], "{at}");
    }
    for at in ["now", "08:16", "2026-11-20T25:00", "2026-02-30", "1795184160", "%00"] {
        let problem = assert_problem(&connection.get(&format!("/departures?stop_id=north&at={at}")), 400, at);
        assert!(problem["detail"].as_str().unwrap().contains("RFC 3339"), "{problem}");
    }
}

#[test]
fn of_a_time_that_clocks_show_twice_the_first_is_meant() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    println!("Sunday the 1st of November 2026; the next departure is on Monday");
    let first = connection.get("/departures?stop_id=depot&at=2026-11-01T01:30&duration=31h");
    let offset = connection.get("/departures?stop_id=depot&at=2026-11-01T01:30:00-04:00&duration=31h");
    let second = connection.get("/departures?stop_id=depot&at=2026-11-01T01:30:00-05:00&duration=31h");
    assert_eq!((first.text(), offset.text()), ("[]", "[]"));
    assert_eq!(second.json().as_array().unwrap().len(), 1, "08:20 on Monday is 30 hours and 50 minutes later");
}

#[test]
fn limits_are_kept_and_bounds_are_told() {
    let files = feed(&[
        ("agency.txt", AGENCY),
        ("calendar.txt", CALENDAR),
        ("trips.txt", "route_id,service_id,trip_id\nr,week,t\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,0:00:00,0:00:00,s,1\nt,0:10:00,0:10:00,e,2\n",
        ),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nt,00:00:00,24:00:00,60\n"),
    ]);
    let (_folder, server) = serve(&files);
    let mut connection = Connection::open(&server);
    let start = "/departures?stop_id=s&at=2026-11-20T00:00";
    for (limit, count) in [("", 20), ("&limit=1", 1), ("&limit=999", 999), ("&limit=1000", 1000), ("&limit=", 20)] {
        assert_eq!(told(&mut connection, &format!("{start}{limit}")).len(), count, "{limit}");
    }
    assert_eq!(told(&mut connection, &format!("{start}&limit=1000&duration=2h")).len(), 120);
    for (parameter, expected) in [
        ("limit=0", "1 to 1000"),
        ("limit=1001", "1 to 1000"),
        ("limit=-1", "1 to 1000"),
        ("limit=1.5", "1 to 1000"),
        ("limit=ten", "1 to 1000"),
        ("limit=99999999999999999999", "1 to 1000"),
        ("duration=0s", "168h"),
        ("duration=-1h", "168h"),
        ("duration=168h%201s", "168h"),
        ("duration=90", "168h"),
        ("duration=99999999999h", "168h"),
        ("direction_id=2", "0 or 1"),
        ("direction_id=true", "0 or 1"),
    ] {
        let problem = assert_problem(&connection.get(&format!("{start}&{parameter}")), 400, parameter);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(expected) && detail.contains(parameter.split('=').next().unwrap()), "{detail}");
    }
    assert_eq!(connection.get(&format!("{start}&duration=168h")).status, 200);
}

#[test]
fn the_ends_of_all_time_are_no_trouble() {
    let days = "service_id,date,exception_type\nw,99991230,1\nw,99991231,1\nw,00010101,1\n";
    let (_folder, server) = serve(&feed(&[
        ("agency.txt", AGENCY),
        ("calendar_dates.txt", days),
        ("trips.txt", "route_id,service_id,trip_id\nr,w,t\nr,w,often\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             t,0:00:00,0:00:00,s,1\nt,99999:00:00,99999:00:00,s,2\nt,99999:59:59,99999:59:59,e,3\n\
             often,0:00:00,0:00:00,s,1\noften,0:10:00,0:10:00,e,2\n",
        ),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\noften,00:00:00,99999:00:00,1\n"),
    ]));
    let mut connection = Connection::open(&server);
    for at in [
        "9999-12-30T21:59:59Z",
        "9999-12-30T22:00:00Z",
        "9999-12-30T00:00",
        "9999-12-31T23:59:59",
        "9999-12-31T23:59:59%2B23:00",
        "0001-01-01T00:00",
        "0001-01-01T00:00Z",
        "-009999-01-02T01:59:59Z",
        "-009999-01-01T00:00",
    ] {
        for duration in ["1s", "168h"] {
            let target = format!("/departures?stop_id=s&limit=1000&duration={duration}&at={at}");
            let response = connection.get(&target);
            println!("{target}: {}, {} bytes", response.status, response.body.len());
            assert!([200, 400].contains(&response.status), "{target}: {}", response.text());
        }
    }
    let last_day = told(&mut connection, "/departures?stop_id=s&at=9999-12-30T00:00&limit=2");
    assert_eq!(last_day, ["00:00:00 t s", "00:00:00 often s"]);
}
