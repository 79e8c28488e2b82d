//! `GET /trips`, `/trips/{trip_id}` and `/services`, by hand and against a slow twin.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use serde_json::{Value, json};

use crate::client::{Connection, assert_problem};
use crate::feed_files::{FeedFiles, feed, write_folder};
use crate::real_feeds::{find_real_feed, unzipped};
use crate::server::Server;
use crate::tables::{Row, field, rows, rows_with_id};

/// Trips of two routes and of services by week, by dates alone and by both.
fn files() -> FeedFiles {
    feed(&[
        ("stops.txt", "stop_id,stop_name\na,Alpha\nb,\n"),
        (
            "trips.txt",
            "route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,\
             wheelchair_accessible,bikes_allowed\n\
             R,week,t3,North,N3,0,k,way,1,2\nS,week,t1,,,1,,,,\nR,days,t2,,,0,,,,\nR,both,t4,,,,,,2,1\nS,none,t5,,,1,,,,\n",
        ),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nway,1,2,1\nway,3,4,2\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,timepoint\n\
             t3,25:00:00,25:01:00,b,20,South,2,3,0\nt3,8:00:00,8:00:00,a,3,,0,1,1\nt3,,,a,7,,,,\n",
        ),
        (
            "frequencies.txt",
            "trip_id,start_time,end_time,headway_secs,exact_times\nt4,6:00:00,24:30:00,600,1\nt4,24:30:00,25:00:00,1200,0\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
             week,1,1,1,1,1,0,0,20260105,20260116\nboth,0,0,0,0,0,1,1,20260105,20260116\n",
        ),
        (
            "calendar_dates.txt",
            "service_id,date,exception_type\ndays,20260110,1\ndays,20260301,1\nboth,20260111,2\nboth,20260112,1\nweek,20260112,2\n",
        ),
    ])
}

fn ids(connection: &mut Connection, target: &str, name: &str) -> Vec<String> {
    let objects = connection.get_list(target);
    objects.iter().map(|object| object[name].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_trip_is_told_with_its_stop_times() {
    let folder = write_folder(&files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let trip = concat!(
        r#"{"trip_id":"t3","route_id":"R","service_id":"week","trip_headsign":"North","trip_short_name":"N3","#,
        r#""direction_id":0,"block_id":"k","shape_id":"way","wheelchair_accessible":1,"bikes_allowed":2"#
    );
    let stop_times = concat!(
        r#"{"stop_id":"a","stop_name":"Alpha","stop_sequence":3,"arrival_time":"08:00:00","#,
        r#""departure_time":"08:00:00","pickup_type":0,"drop_off_type":1,"timepoint":1},"#,
        r#"{"stop_id":"a","stop_name":"Alpha","stop_sequence":7,"pickup_type":0,"drop_off_type":0,"timepoint":1},"#,
        r#"{"stop_id":"b","stop_sequence":20,"arrival_time":"25:00:00","departure_time":"25:01:00","#,
        r#""stop_headsign":"South","pickup_type":2,"drop_off_type":3,"timepoint":0}"#
    );
    assert_eq!(connection.get("/trips/t3").text(), format!(r#"{trip},"stop_times":[{stop_times}]}}"#));
    println!("one that is repeated has its frequencies, one without stop times none");
    let expected = json!({
        "trip_id": "t4", "route_id": "R", "service_id": "both", "wheelchair_accessible": 2, "bikes_allowed": 1,
        "stop_times": [],
        "frequencies": [
            {"start_time": "06:00:00", "end_time": "24:30:00", "headway_secs": 600, "exact_times": 1},
            {"start_time": "24:30:00", "end_time": "25:00:00", "headway_secs": 1200, "exact_times": 0},
        ],
    });
    assert_eq!(connection.get("/trips/t4").json(), expected);
    println!("a list has the same without the times");
    assert_eq!(connection.get("/trips?limit=1").text(), format!("[{trip}}}]"));
    let problem = assert_problem(&connection.get("/trips/t6"), 404, "an unknown trip");
    assert_eq!(problem["nearest"].as_array().unwrap().len(), 5);
}

#[test]
fn trips_are_narrowed_by_route_service_day_and_direction() {
    let folder = write_folder(&files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for (query, expected) in [
        ("", &["t3", "t1", "t2", "t4", "t5"][..]),
        ("route_id=R", &["t3", "t2", "t4"]),
        ("route_id=R&direction_id=0", &["t3", "t2"]),
        ("direction_id=1", &["t1", "t5"]),
        ("service_id=week", &["t3", "t1"]),
        ("service_id=week&route_id=S", &["t1"]),
        ("service_id=none", &["t5"]),
        ("service_id=unknown", &[]),
        ("route_id=unknown", &[]),
        ("route_id=unknown&service_id=unknown", &[]),
        ("date=2026-01-09", &["t3", "t1"]),
        ("date=20260109", &["t3", "t1"]),
        ("date=2026-01-10", &["t2", "t4"]),
        ("date=2026-01-11", &[]),
        ("date=2026-01-12", &["t4"]),
        ("date=2026-01-12&service_id=week", &[]),
        ("date=2026-03-01", &["t2"]),
        ("date=2026-01-10&route_id=R&direction_id=0", &["t2"]),
        ("date=1999-01-01", &[]),
        ("route_id=R&after=t2", &["t4"]),
        ("after=t1&direction_id=0", &["t2"]),
    ] {
        assert_eq!(ids(&mut connection, &format!("/trips?{query}"), "trip_id"), expected, "{query}");
    }
}

#[test]
fn services_tell_their_days_and_are_narrowed_by_one() {
    let folder = write_folder(&files());
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    let services = connection.get("/services").json();
    let find = |service_id: &str| {
        let mut of_id = services.as_array().unwrap().iter().filter(|service| service["service_id"] == service_id);
        let service = of_id.next().unwrap().clone();
        assert_eq!(of_id.next(), None);
        service
    };
    assert_eq!(
        find("both"),
        json!({
            "service_id": "both", "monday": 0, "tuesday": 0, "wednesday": 0, "thursday": 0, "friday": 0, "saturday": 1,
            "sunday": 1, "start_date": "2026-01-05", "end_date": "2026-01-16", "added_dates": ["2026-01-12"],
            "removed_dates": ["2026-01-11"], "trip_count": 1,
        })
    );
    let days = json!({
        "service_id": "days", "added_dates": ["2026-01-10", "2026-03-01"], "removed_dates": [], "trip_count": 1
    });
    assert_eq!(find("days"), days);
    for (date, expected) in [
        ("2026-01-04", &[][..]),
        ("2026-01-05", &["week"]),
        ("2026-01-16", &["week"]),
        ("2026-01-17", &[]),
        ("2026-01-10", &["both", "days"]),
        ("2026-01-11", &[]),
        ("2026-01-12", &["both"]),
        ("20260301", &["days"]),
    ] {
        let mut found = ids(&mut connection, &format!("/services?date={date}"), "service_id");
        found.sort();
        assert_eq!(found, expected, "{date}");
    }
    for date in ["2026-02-30", "today", "2026-1-5", "2026-01-05T00:00", "05.01.2026", "20260105Z"] {
        let problem = assert_problem(&connection.get(&format!("/services?date={date}")), 400, date);
        assert!(problem["detail"].as_str().unwrap().contains("YYYY-MM-DD"), "{problem}");
    }
}

#[test]
fn a_feed_without_calendars_says_so_where_days_matter() {
    let mut files = files();
    files.retain(|(name, _)| !name.starts_with("calendar"));
    let folder = write_folder(&files);
    let server = Server::start(folder.path());
    let mut connection = Connection::open(&server);
    for target in ["/services", "/services?date=2026-01-05", "/trips?date=2026-01-05", "/schedules/R?date=2026-01-05"] {
        let problem = assert_problem(&connection.get(target), 404, target);
        assert!(problem["detail"].as_str().unwrap().contains("calendar.txt or calendar_dates.txt"), "{problem}");
    }
    println!("the others do not need them");
    assert_eq!(ids(&mut connection, "/trips?service_id=week", "trip_id"), ["t3", "t1"]);
}

/// The services that run on `date`, from every row of both calendars.
fn services_on(files: &FeedFiles, date: Date) -> BTreeSet<String> {
    let number = date.strftime("%Y%m%d").to_string();
    let weekday = date.strftime("%A").to_string().to_lowercase();
    let mut running = BTreeSet::new();
    for row in rows_with_id(files, "calendar.txt", "service_id") {
        let is_within = field(&row, "start_date") <= number.as_str() && number.as_str() <= field(&row, "end_date");
        if is_within && field(&row, &weekday) == "1" {
            running.insert(field(&row, "service_id").to_owned());
        }
    }
    for row in rows(files, "calendar_dates.txt").iter().filter(|row| field(row, "date") == number) {
        match field(row, "exception_type") {
            "1" => running.insert(field(row, "service_id").to_owned()),
            _ => running.remove(field(row, "service_id")),
        };
    }
    running
}

/// Asserts that days, trips and schedules of a real feed are what a look at every row says.
fn assert_filters_like_the_twin(name: &str, test: &str) {
    let Some(path) = find_real_feed(name, test) else { return };
    let files = unzipped(&path);
    let trips = rows_with_id(&files, "trips.txt", "trip_id");
    let server = Server::start(&path);
    let mut connection = Connection::open(&server);
    let period = connection.get("/feed").json()["period"].clone();
    let [first, last] = ["first_date", "last_date"].map(|name| period[name].as_str().unwrap().parse::<Date>().unwrap());
    let mut found_count = 0;
    let days = first.series(jiff::Span::new().days(1)).take_while(|day| *day <= last);
    let days: Vec<Date> = days.collect();
    let mut by_route: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    trips.iter().for_each(|trip| by_route.entry(field(trip, "route_id")).or_default().push(trip));
    for (position, date) in days.iter().step_by(days.len().div_ceil(25)).enumerate() {
        let running = services_on(&files, *date);
        let found: BTreeSet<String> =
            ids(&mut connection, &format!("/services?date={date}"), "service_id").into_iter().collect();
        assert_eq!(found, running, "{name} on {date}");
        let (route_id, of_route) = by_route.iter().nth(position % by_route.len()).unwrap();
        let service_id = of_route.get(position % of_route.len()).map_or("", |trip| field(trip, "service_id"));
        for direction_id in ["", "0", "1"] {
            for service_id in ["", service_id] {
                let is_wanted = |trip: &&&Row| {
                    running.contains(field(trip, "service_id"))
                        && (direction_id.is_empty() || field(trip, "direction_id") == direction_id)
                        && (service_id.is_empty() || field(trip, "service_id") == service_id)
                };
                let expected: Vec<&str> =
                    of_route.iter().filter(is_wanted).map(|trip| field(trip, "trip_id")).collect();
                let [route, service] = [route_id, service_id].map(|id| {
                    percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC).to_string()
                });
                let filter = format!("date={date}&service_id={service}&direction_id={direction_id}");
                let list = format!("/trips?route_id={route}&{filter}");
                assert_eq!(ids(&mut connection, &list, "trip_id"), expected, "{name}: {list}");
                let of_all: Vec<Value> =
                    connection.get(&format!("/schedules/{route}")).json().as_array().unwrap().clone();
                let of_all: Vec<Value> =
                    of_all.into_iter().filter(|trip| expected.contains(&trip["trip_id"].as_str().unwrap())).collect();
                let narrowed = connection.get(&format!("/schedules/{route}?{filter}"));
                assert_eq!(narrowed.json(), Value::from(of_all), "{name}: {route_id} {filter}");
                assert_eq!(narrowed.body.len(), narrowed.content_length());
                found_count += expected.len();
            }
        }
    }
    println!("{name}: {found_count} trips found");
    assert!(found_count > 50);
}

#[test]
fn trips_and_schedules_of_caltrain_are_narrowed_like_the_twin_does() {
    assert_filters_like_the_twin("caltrain.zip", "trips_and_schedules_of_caltrain_are_narrowed_like_the_twin_does");
}

#[test]
fn trips_and_schedules_of_raba_are_narrowed_like_the_twin_does() {
    assert_filters_like_the_twin("raba.zip", "trips_and_schedules_of_raba_are_narrowed_like_the_twin_does");
}

#[test]
fn trips_and_schedules_of_bart_are_narrowed_like_the_twin_does() {
    assert_filters_like_the_twin("bart.zip", "trips_and_schedules_of_bart_are_narrowed_like_the_twin_does");
}
