//! `GET /routes` and `/feed`, and whether the program is well and ready.

use serde_json::json;

use crate::client::Connection;
use crate::feed_files::{feed, small_feed, write_folder, write_zip};
use crate::server::Server;

#[test]
fn routes_are_listed_by_the_names_of_the_reference_in_the_order_of_the_file() {
    let folder = write_folder(&feed(&[
        ("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nT,The T,http://t,America/New_York\n"),
        (
            "routes.txt",
            "route_sort_order,route_color,route_text_color,route_id,agency_id,route_short_name,route_long_name,\
             route_desc,route_type,route_url\n\
             20,DA291C,FFFFFF,Red,T,R,\"Red \"\"Line\"\"\",Rapid,1,http://t/red\n\
             ,,,bare,,,,,,\n\
             0,00ff00,000000,A,T,1,,,3,\n",
        ),
        ("trips.txt", "route_id,service_id,trip_id\nimplied 2,week,t1\nA,week,t2\nimplied 1,week,t3\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nt1,8:00:00,8:00:00,s,1\n"),
    ]));
    let server = Server::start(folder.path());
    println!("a row without an agency has the only one there is; what no row speaks of has none");
    let response = Connection::open(&server).get("/routes");
    assert_eq!((response.status, response.header("content-type")), (200, Some("application/json")));
    let expected = concat!(
        r#"[{"route_id":"Red","agency_id":"T","route_short_name":"R","route_long_name":"Red \"Line\"","#,
        r#""route_desc":"Rapid","route_type":1,"route_url":"http://t/red","route_color":"DA291C","#,
        r#""route_text_color":"FFFFFF","route_sort_order":20},"#,
        r#"{"route_id":"bare","agency_id":"T"},"#,
        r#"{"route_id":"A","agency_id":"T","route_short_name":"1","route_type":3,"route_color":"00ff00","#,
        r#""route_text_color":"000000","route_sort_order":0},"#,
        r#"{"route_id":"implied 2"},{"route_id":"implied 1"}]"#
    );
    assert_eq!(response.text(), expected);
}

#[test]
fn a_feed_without_routes_lists_none() {
    let folder = write_folder(&feed(&[
        ("trips.txt", "route_id,service_id,trip_id\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"),
    ]));
    assert_eq!(Connection::open(&Server::start(folder.path())).get("/routes").text(), "[]");
}

#[test]
fn the_feed_tells_its_version_period_counts_and_problems() {
    let files = feed(&[
        ("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nT,The T,http://t,America/New_York\n"),
        ("stops.txt", "stop_id,stop_name,stop_lat,stop_lon\na,A,42.1,-71.1\nb,B,42.2,-71.2\na,A again,42.1,-71.1\n"),
        ("routes.txt", "route_id,agency_id,route_type\nRed,T,1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nRed,week,t1\nRed,week,t2\nRed,week,t3\nRed,week,t1\nRed,week,t2\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             t1,8:00:00,8:00:00,a,1\nt1,8:10:00,8:10:00,b,2\nt2,9:00:00,9:00:00,a,1\nt2,9:10:00,9:10:00,b,2\n\
             t3,noon,12:00:00,a,1\n",
        ),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
             week,1,1,1,1,1,0,0,20240226,20240301\n",
        ),
        ("calendar_dates.txt", "service_id,date,exception_type\nweek,20240303,1\n"),
        (
            "feed_info.txt",
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version\n\
             The T,http://t,en,20240101,20241231,Spring 2024\n",
        ),
    ]);
    let file_bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    let (folder, zip) = (write_folder(&files), write_zip(&files));
    let mut versions = Vec::new();
    for path in [folder.path(), zip.path()] {
        println!("serving {}", path.display());
        let told = Connection::open(&Server::start(path)).get("/feed").json();
        assert_eq!(told["source"], path.display().to_string());
        assert_eq!(told["feed_publisher_name"], "The T");
        assert_eq!(told["feed_version"], "Spring 2024");
        assert_eq!((&told["feed_start_date"], &told["feed_end_date"]), (&json!("2024-01-01"), &json!("2024-12-31")));
        assert_eq!(told["period"], json!({"first_date": "2024-02-26", "last_date": "2024-03-03"}));
        let expected = json!({
            "agencies": 1, "stops": 2, "routes": 1, "services": 1, "trips": 3, "stop_times": 5, "patterns": 2,
            "runs": 2, "frequencies": 0, "shapes": 0,
        });
        assert_eq!(told["counts"], expected);
        assert_eq!(told["problems"], json!({"duplicate_id": 3, "invalid_time": 1}));
        assert_eq!(told["problem_count"], 4);
        let bytes_read = told["file_bytes"].as_u64().unwrap();
        assert!((1..=file_bytes as u64).contains(&bytes_read), "{bytes_read} of {file_bytes} bytes");
        assert!(told["memory_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{told}");
        assert!(told["load_time_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{told}");
        let loaded_at = told["loaded_at"].as_str().unwrap();
        loaded_at.parse::<jiff::Timestamp>().unwrap_or_else(|error| panic!("{loaded_at} is not RFC 3339: {error}"));
        versions.push(told["version"].as_str().unwrap().to_owned());
    }
    assert_eq!(versions[0], versions[1]);
}

#[test]
fn a_clean_feed_without_dates_has_no_period() {
    let folder = write_folder(&feed(&[
        ("trips.txt", "route_id,service_id,trip_id\n"),
        ("stop_times.txt", "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"),
    ]));
    let told = Connection::open(&Server::start(folder.path())).get("/feed").json();
    assert_eq!((&told["period"], &told["problems"], &told["problem_count"]), (&json!(null), &json!({}), &json!(0)));
    assert_eq!(told.get("feed_version"), None);
}

#[test]
fn a_server_with_a_feed_is_well_and_ready() {
    let folder = write_folder(&small_feed());
    let server = Server::start(folder.path());
    for path in ["/healthz", "/readyz"] {
        let response = Connection::open(&server).get(path);
        assert_eq!((response.status, response.text()), (200, "ok\n"), "{path}");
        assert_eq!(response.header("content-type"), Some("text/plain; charset=utf-8"), "{path}");
    }
}
