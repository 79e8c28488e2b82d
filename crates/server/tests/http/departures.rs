//! `GET /departures`: what leaves, told in full. Which departures there are on the hard days is worked out in the
//! tests of the crate `timetable`; what may be asked stands in `departure_windows`.

use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Connection, assert_problem};
use crate::feed_files::{FeedFiles, feed, write_folder};
use crate::server::Server;

pub(crate) const AGENCY: &str =
    "agency_id,agency_name,agency_url,agency_timezone\nX,Example,http://x,America/New_York\n";

pub(crate) const CALENDAR: &str = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
                        week,1,1,1,1,1,0,0,20260101,20261231\n";

const STOP_TIMES: &str = "\
trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type
a,8:00:00,8:00:30,north 1,1,Harbour via Park,0
a,,,park,2,,2
a,8:10:00,8:10:00,harbour,3,,0
b,8:05:00,8:05:00,harbour,10,,0
b,8:15:00,8:16:00,north 2,20,,3
b,8:20:00,8:20:00,depot,30,,0
b,8:30:00,8:30:00,park,40,,0
late,23:50:00,23:50:00,harbour,1,,0
late,25:10:00,25:10:00,north 2,2,,0
late,25:20:00,25:20:00,depot,3,,1
late,25:30:00,25:30:00,park,4,,0
often,6:00:00,6:00:00,pier,1,,0
often,6:10:00,6:10:00,island,2,,0
exact,6:00:00,6:00:00,pier,1,,0
exact,6:10:00,6:10:00,island,2,,0
";

/// A station with two platforms, a stop that is only interpolated, a ferry by frequencies of both kinds.
pub(crate) fn files() -> FeedFiles {
    feed(&[
        ("agency.txt", AGENCY),
        ("calendar.txt", CALENDAR),
        (
            "stops.txt",
            "stop_id,stop_name,location_type,parent_station,platform_code\n\
             north,North,1,,\nnorth 1,North,0,north,A\nnorth 2,North,0,north,B\n\
             park,Park,,,\nharbour,Harbour,,,\ndepot,Depot,,,\npier,Pier,,,\nisland,Island,,,\n",
        ),
        (
            "routes.txt",
            "route_id,route_short_name,route_long_name,route_type,route_color,route_text_color\n\
             tram,5,North - Harbour,0,00AA00,FFFFFF\nferry,,Pier - Island,4,,\nclosed,,Nothing,3,,\n",
        ),
        (
            "trips.txt",
            "route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,wheelchair_accessible,\
             bikes_allowed\n\
             tram,week,a,Harbour,T5,0,b1,1,2\ntram,week,b,Park,,1,,,\ntram,week,late,Park,,1,,,\n\
             ferry,week,often,,,,,,\nferry,week,exact,,,,,,\n",
        ),
        ("stop_times.txt", STOP_TIMES),
        (
            "frequencies.txt",
            "trip_id,start_time,end_time,headway_secs,exact_times\n\
             often,10:00:00,10:30:00,900,0\nexact,10:05:00,10:30:00,1200,1\n",
        ),
    ])
}

/// A server of these files; their folder stays for as long as it runs.
pub(crate) fn serve(files: &FeedFiles) -> (TempDir, Server) {
    let folder = write_folder(files);
    let server = Server::start(folder.path());
    (folder, server)
}

/// Each departure as `departure_time trip_id stop_id`.
pub(crate) fn told(connection: &mut Connection, target: &str) -> Vec<String> {
    let response = connection.get(target);
    assert_eq!(response.status, 200, "{target}: {}", response.text());
    let text = |departure: &Value| {
        let [time, trip, stop] = ["departure_time", "trip_id", "stop_id"].map(|name| departure[name].as_str().unwrap());
        format!("{time} {trip} {stop}")
    };
    response.json().as_array().unwrap().iter().map(text).collect()
}

#[test]
fn a_departure_is_told_with_its_stop_trip_and_route() {
    let (_folder, server) = serve(&files());
    let target = "/departures?stop_id=north%201&at=2026-11-20T08:00:00-05:00&limit=1";
    let response = Connection::open(&server).get(target);
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    let expected = concat!(
        r#"[{"scheduled":"2026-11-20T08:00:30-05:00","service_date":"2026-11-20","departure_time":"08:00:30","#,
        r#""interpolated":false,"stop_id":"north 1","stop_name":"North","platform_code":"A","stop_sequence":1,"#,
        r#""stop_headsign":"Harbour via Park","pickup_type":0,"route_id":"tram","route_short_name":"5","#,
        r#""route_long_name":"North - Harbour","route_type":0,"route_color":"00AA00","route_text_color":"FFFFFF","#,
        r#""trip_id":"a","service_id":"week","trip_headsign":"Harbour","trip_short_name":"T5","direction_id":0,"#,
        r#""block_id":"b1","wheelchair_accessible":1,"bikes_allowed":2}]"#
    );
    assert_eq!(response.text(), expected);
}

#[test]
fn a_station_has_the_departures_of_its_platforms_by_time() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    let at = "&at=2026-11-20T00:00&duration=48h";
    let of_station = told(&mut connection, &format!("/departures?stop_id=north{at}"));
    println!("the one of Thursday's service day comes first, and no service runs on Saturday");
    let expected = ["25:10:00 late north 2", "08:00:30 a north 1", "08:16:00 b north 2", "25:10:00 late north 2"];
    assert_eq!(of_station, expected);
    assert_eq!(told(&mut connection, &format!("/departures?stop_id=north%201{at}")), ["08:00:30 a north 1"]);
}

#[test]
fn a_trip_past_midnight_tells_its_service_day_and_its_instant() {
    let (_folder, server) = serve(&files());
    println!("on a Saturday, of Friday's service");
    let departures = Connection::open(&server).get("/departures?stop_id=north&at=2026-11-21T01:00").json();
    assert_eq!(departures.as_array().unwrap().len(), 1);
    assert_eq!(departures[0]["scheduled"], "2026-11-21T01:10:00-05:00");
    assert_eq!(departures[0]["service_date"], "2026-11-20");
    assert_eq!(departures[0]["departure_time"], "25:10:00");
}

#[test]
fn an_interpolated_departure_says_so_and_pickup_by_phone_too() {
    let (_folder, server) = serve(&files());
    let departures = Connection::open(&server).get("/departures?stop_id=park&at=2026-11-20T00:00").json();
    println!("halfway from 08:00:30 to 08:10:00; where the other trips end is no departure");
    assert_eq!(departures.as_array().unwrap().len(), 1);
    assert_eq!(departures[0]["departure_time"], "08:05:15");
    assert_eq!((&departures[0]["interpolated"], &departures[0]["pickup_type"]), (&json!(true), &json!(2)));
}

#[test]
fn nobody_leaves_where_nobody_may_get_on() {
    let (_folder, server) = serve(&files());
    let of_depot = told(&mut Connection::open(&server), "/departures?stop_id=depot&at=2026-11-20T00:00&duration=48h");
    assert_eq!(of_depot, ["08:20:00 b depot"]);
}

#[test]
fn frequencies_of_both_kinds_tell_their_headway() {
    let (_folder, server) = serve(&files());
    let departures = Connection::open(&server).get("/departures?stop_id=pier&at=2026-11-20T06:00").json();
    let told: Vec<Value> = departures
        .as_array()
        .unwrap()
        .iter()
        .map(|departure| {
            json!([
                departure["departure_time"],
                departure["trip_id"],
                departure["exact_times"],
                departure["headway_secs"]
            ])
        })
        .collect();
    let expected = json!([
        ["10:00:00", "often", 0, 900],
        ["10:05:00", "exact", 1, 1200],
        ["10:15:00", "often", 0, 900],
        ["10:25:00", "exact", 1, 1200],
    ]);
    assert_eq!(Value::from(told), expected);
    println!("a trip by its own times has neither");
    let by_times = Connection::open(&server).get("/departures?stop_id=north&at=2026-11-20T08:00&limit=1").json();
    assert_eq!((by_times[0].get("exact_times"), by_times[0].get("headway_secs")), (None, None));
}

#[test]
fn route_and_direction_narrow_and_those_that_match_nothing_leave_nothing() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    let start = "/departures?stop_id=north&at=2026-11-20T08:00&duration=1h";
    for (filter, expected) in [
        ("", &["08:00:30 a north 1", "08:16:00 b north 2"][..]),
        ("&route_id=tram", &["08:00:30 a north 1", "08:16:00 b north 2"]),
        ("&direction_id=0", &["08:00:30 a north 1"]),
        ("&direction_id=1", &["08:16:00 b north 2"]),
        ("&route_id=tram&direction_id=1", &["08:16:00 b north 2"]),
        ("&route_id=ferry", &[]),
        ("&route_id=closed", &[]),
        ("&route_id=no%20such%20route", &[]),
        ("&route_id=ferry&direction_id=0", &[]),
    ] {
        assert_eq!(told(&mut connection, &format!("{start}{filter}")), expected, "{filter}");
    }
    println!("a trip without direction_id is of neither");
    let of_pier = "/departures?stop_id=pier&at=2026-11-20T06:00";
    for direction_id in [0, 1] {
        assert_eq!(told(&mut connection, &format!("{of_pier}&direction_id={direction_id}")), [""; 0]);
    }
}

#[test]
fn what_depends_on_now_is_not_kept_and_what_does_not_is() {
    let files = feed(&[
        ("agency.txt", AGENCY),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
             ever,1,1,1,1,1,1,1,20000101,22001231\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id\nr,ever,t\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt,0:00:00,0:00:00,s,1\nt,0:10:00,0:10:00,e,2\n",
        ),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nt,00:00:00,25:00:00,60\n"),
    ]);
    let (_folder, server) = serve(&files);
    let mut connection = Connection::open(&server);
    let before = Timestamp::now();
    let now = connection.get("/departures?stop_id=s&limit=1");
    let after = Timestamp::now();
    assert_eq!((now.status, now.header("cache-control"), now.header("etag")), (200, Some("no-store"), None));
    let first: Timestamp = now.json()[0]["scheduled"].as_str().unwrap().parse().unwrap();
    println!("one leaves every minute, so the next one from {before} or {after} on is {first}");
    assert!(first >= before && first <= after + 60.seconds());
    println!("an empty at is none");
    assert_eq!(connection.get("/departures?stop_id=s&at=").header("cache-control"), Some("no-store"));
    println!("a tag that was never given out is not known");
    let known = connection.ask("GET", "/departures?stop_id=s", &[("If-None-Match", "*")]);
    assert_eq!(known.status, 200);

    let target = "/departures?stop_id=s&at=2026-11-20T08:00&limit=2";
    let then = connection.get(target);
    let cache_control = then.header("cache-control").unwrap();
    assert!(cache_control.contains("max-age=") && !cache_control.contains("no-store"), "{cache_control}");
    let tag = then.etag().to_owned();
    let known = connection.ask("GET", target, &[("If-None-Match", &tag)]);
    assert_eq!((known.status, known.header("etag"), known.body.len()), (304, Some(tag.as_str()), 0));
    println!("the same question in another order has the same tag, another question another one");
    assert_eq!(connection.get("/departures?limit=2&at=2026-11-20T08%3A00&stop_id=s").etag(), tag);
    for other in
        ["/departures?stop_id=s&at=2026-11-20T08:00&limit=3", "/departures?stop_id=s&at=2026-11-20T08:01&limit=2"]
    {
        assert_ne!(connection.get(other).etag(), tag, "{other}");
    }
}

#[test]
fn an_unknown_stop_is_not_found_and_a_missing_one_is_asked_for() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    let problem = assert_problem(&connection.get("/departures?stop_id=harbor"), 404, "an unknown stop");
    assert_eq!(problem["nearest"][0], "harbour");
    for target in ["/departures", "/departures?stop_id=", "/departures?at=2026-11-20T08:00"] {
        let problem = assert_problem(&connection.get(target), 400, target);
        assert!(problem["detail"].as_str().unwrap().contains("stop_id"), "{problem}");
    }
}

#[test]
fn a_feed_without_the_files_that_departures_need_names_them() {
    for (left_out, named) in [("agency.txt", "agency.txt"), ("calendar.txt", "calendar.txt or calendar_dates.txt")] {
        let mut files = files();
        files.retain(|(name, _)| name != left_out);
        let (_folder, server) = serve(&files);
        let response = Connection::open(&server).get("/departures?stop_id=north");
        let problem = assert_problem(&response, 404, left_out);
        assert!(problem["detail"].as_str().unwrap().contains(named), "{problem}");
    }
    println!("one of the calendars is enough");
    let mut files = files();
    files.retain(|(name, _)| name != "calendar.txt");
    files.push(("calendar_dates.txt".to_owned(), b"service_id,date,exception_type\nweek,20261120,1\n".to_vec()));
    let (_folder, server) = serve(&files);
    let mut connection = Connection::open(&server);
    let of_depot = told(&mut connection, "/departures?stop_id=depot&at=2026-11-19T08:00&duration=168h");
    assert_eq!(of_depot, ["08:20:00 b depot"]);
    println!("a time zone that nobody knows is no better than none");
    let mut files = self::files();
    files.retain(|(name, _)| name != "agency.txt");
    files.push(("agency.txt".to_owned(), AGENCY.replace("America/New_York", "Atlantis/City").into_bytes()));
    let (_folder, server) = serve(&files);
    let problem = assert_problem(&Connection::open(&server).get("/departures?stop_id=north"), 404, "no such zone");
    assert!(problem["detail"].as_str().unwrap().contains("agency.txt"), "{problem}");
}

#[test]
fn departures_come_as_csv_and_ndjson() {
    let (_folder, server) = serve(&files());
    let mut connection = Connection::open(&server);
    let target = "/departures?stop_id=pier&at=2026-11-20T06:00&limit=1";
    let json = connection.get(target);
    let ndjson = connection.get(&format!("{target}&format=ndjson"));
    assert_eq!(format!("[{}]", ndjson.text().trim_end()), json.text());
    let csv = connection.ask("GET", target, &[("Accept", "text/csv")]);
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(
        csv.text(),
        "scheduled,service_date,departure_time,interpolated,stop_id,stop_name,platform_code,stop_sequence,\
         stop_headsign,pickup_type,route_id,route_short_name,route_long_name,route_type,route_color,\
         route_text_color,trip_id,service_id,trip_headsign,trip_short_name,direction_id,block_id,\
         wheelchair_accessible,bikes_allowed,exact_times,headway_secs\n\
         2026-11-20T10:00:00-05:00,2026-11-20,10:00:00,0,pier,Pier,,1,,0,ferry,,Pier - Island,4,,,often,week,,,,,0,0,0,900\n"
    );
}
