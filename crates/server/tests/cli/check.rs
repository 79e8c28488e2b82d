//! `linespeed check` of feeds that can be used.

use std::path::Path;

use serde_json::{Value, json};

use crate::feed_files::{FeedFiles, feed, write_folder, write_zip};
use crate::server::program;
use crate::{Said, run};

const STOPS: &str = "stop_id,stop_name,stop_lat,stop_lon\na,A,42.1,-71.1\nb,B,42.2,-71.2\n";
const CALENDAR: &str = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n\
                        week,1,1,1,1,1,0,0,20240226,20240301\n";

fn clean_feed() -> FeedFiles {
    feed(&[
        ("agency.txt", "agency_id,agency_name,agency_url,agency_timezone\nT,The T,http://t,America/New_York\n"),
        ("stops.txt", STOPS),
        ("routes.txt", "route_id,agency_id,route_type\nRed,T,1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nRed,week,t1\nRed,week,t2\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             t1,8:00:00,8:00:00,a,1\nt1,8:10:00,8:10:00,b,2\nt2,25:00:00,25:00:00,a,1\nt2,25:10:00,25:10:00,b,2\n",
        ),
        ("calendar.txt", CALENDAR),
    ])
}

/// Four problems of three kinds, two files that are not used and a column that nobody knows.
fn feed_with_problems() -> FeedFiles {
    feed(&[
        ("stops.txt", STOPS),
        ("routes.txt", "route_id,route_type,mood\nRed,1,good\nRed,3,\n"),
        ("trips.txt", "route_id,service_id,trip_id\nRed,week,t1\nRed,week,t1\n"),
        (
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n\
             t1,8:00:00,8:00:00,a,1\nt1,noon,8:10:00,b,2\nt1,8:20:00,8:20:00,b,third\n",
        ),
        ("calendar.txt", CALENDAR),
        ("transfers.txt", "from_stop_id,to_stop_id,transfer_type\na,b,0\nb,a,0\n"),
        ("licence.md", "free\n"),
    ])
}

fn check(path: &Path, format: &str) -> Said {
    run(["check".as_ref(), path.as_os_str(), "--format".as_ref(), format.as_ref()])
}

/// Standard output as one JSON value.
fn json_of(said: &Said) -> Value {
    assert_eq!(said.standard_error, "", "there is nothing else to say");
    serde_json::from_str(&said.standard_output).unwrap()
}

#[test]
fn a_clean_feed_is_exit_code_0() {
    let files = clean_feed();
    let (folder, zip) = (write_folder(&files), write_zip(&files));
    for path in [folder.path(), zip.path()] {
        let said = check(path, "text");
        said.assert_code(0);
        assert_eq!(said.standard_error, "");
        for words in [&format!("{}: read ", path.display()), "service from 2024-02-26 to 2024-03-01", "no problems"] {
            assert!(said.standard_output.contains(words), "{words:?} is not in the output");
        }
        let checked = check(path, "json");
        checked.assert_code(0);
        assert_eq!(json_of(&checked)["problem_count"], 0);
    }
}

#[test]
fn a_feed_with_problems_is_exit_code_1() {
    let folder = write_folder(&feed_with_problems());
    for format in ["text", "json"] {
        check(folder.path(), format).assert_code(1);
    }
}

#[test]
fn text_is_what_is_printed_unless_json_is_asked_for() {
    let folder = write_folder(&clean_feed());
    let said = run(["check".as_ref(), folder.path().as_os_str()]);
    said.assert_code(0);
    assert!(said.standard_output.contains("no problems"));
}

#[test]
fn the_text_tells_counts_memory_and_problems_by_kind() {
    let folder = write_folder(&feed_with_problems());
    let text = check(folder.path(), "text").standard_output;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    for expected in [
        "0 agencies",
        "2 stops",
        "1 routes",
        "1 services",
        "1 trips",
        "2 stop times",
        "1 patterns",
        "1 runs",
        "0 frequencies",
        "0 shapes",
        "in memory",
        "2 rows of transfers.txt",
        "licence.md",
        "routes.txt: mood",
        "2 duplicate_id",
        "routes.txt, line 3, route_id: found \"Red\", expected a route_id that no row before has",
        "1 invalid_time",
        "1 invalid_number",
        "4 problems",
    ] {
        assert!(lines.contains(&expected), "{expected:?} is no line of\n{text}");
    }
    assert!(lines.iter().any(|line| line.ends_with(" in all")), "{text}");
    let found = lines.iter().find(|line| line.starts_with("stop_times.txt, line 3, arrival_time: found \"noon\""));
    assert!(found.is_some_and(|line| line.contains(", expected ")), "{text}");
}

#[test]
fn json_tells_the_same_to_machines() {
    let files = feed_with_problems();
    let folder = write_folder(&files);
    let checked = json_of(&check(folder.path(), "json"));
    assert_eq!(checked["source"], folder.path().display().to_string());
    assert_eq!(checked["version"].as_str().map(str::len), Some(16));
    assert_eq!(checked["period"], json!({"first_date": "2024-02-26", "last_date": "2024-03-01"}));
    let expected = json!({
        "agencies": 0, "stops": 2, "routes": 1, "services": 1, "trips": 1, "stop_times": 2, "patterns": 1, "runs": 1,
        "frequencies": 0, "shapes": 0,
    });
    assert_eq!(checked["counts"], expected);
    assert!(checked["load_time_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0));
    let total: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(checked["file_bytes"].as_u64().is_some_and(|bytes| (1..=total as u64).contains(&bytes)));
    let parts = checked["memory_bytes"].as_object().unwrap();
    assert!(parts.len() > 3 && parts.values().all(Value::is_u64), "{parts:?}");
    let unused = json!([{"name": "licence.md", "row_count": null}, {"name": "transfers.txt", "row_count": 2}]);
    assert_eq!(checked["unused_files"], unused);
    assert_eq!(checked["unknown_columns"], json!([{"file": "routes.txt", "column": "mood"}]));
}

#[test]
fn json_tells_each_problem_by_kind_with_file_line_field_found_and_expected() {
    let folder = write_folder(&feed_with_problems());
    let checked = json_of(&check(folder.path(), "json"));
    assert_eq!(checked["problem_count"], 4);
    let kinds: Vec<&String> = checked["problems"].as_object().unwrap().keys().collect();
    assert_eq!(kinds, ["duplicate_id", "invalid_number", "invalid_time"]);
    for (kind, places) in [
        ("duplicate_id", &[("routes.txt", 3, "route_id", "Red"), ("trips.txt", 3, "trip_id", "t1")][..]),
        ("invalid_time", &[("stop_times.txt", 3, "arrival_time", "noon")]),
        ("invalid_number", &[("stop_times.txt", 4, "stop_sequence", "third")]),
    ] {
        let of_kind = &checked["problems"][kind];
        assert_eq!(of_kind["count"], places.len(), "{kind}");
        let first = of_kind["first"].as_array().unwrap();
        assert_eq!(first.len(), places.len(), "{kind}");
        for (problem, (file, line, field, found)) in first.iter().zip(places) {
            assert!(problem["expected"].as_str().is_some_and(|text| !text.is_empty()), "{problem}");
            let expected = &problem["expected"];
            let whole = json!({"file": file, "line": line, "field": field, "found": found, "expected": expected});
            assert_eq!(problem, &whole);
        }
    }
}

/// A feed in which this many times are none.
fn feed_with_wrong_times(count: usize) -> FeedFiles {
    let rows: String = (0..count).map(|number| format!("t1,wrong {number},,a,{number}\n")).collect();
    feed(&[
        ("stops.txt", STOPS),
        ("routes.txt", "route_id,route_type\nRed,1\n"),
        ("trips.txt", "route_id,service_id,trip_id\nRed,week,t1\n"),
        ("stop_times.txt", &format!("trip_id,arrival_time,departure_time,stop_id,stop_sequence\n{rows}")),
        ("calendar.txt", CALENDAR),
    ])
}

#[test]
fn text_shows_the_first_ten_of_a_kind_and_counts_the_rest() {
    for (count, more) in [(9, None), (10, None), (11, Some("and 1 more")), (3000, Some("and 2990 more"))] {
        let folder = write_folder(&feed_with_wrong_times(count));
        let text = check(folder.path(), "text").standard_output;
        assert_eq!(text.matches("found \"wrong ").count(), count.min(10), "{text}");
        assert_eq!(text.lines().map(str::trim).find(|line| line.starts_with("and ")), more, "{text}");
        assert!(text.contains(&format!("{count} invalid_time")), "{text}");
    }
}

#[test]
fn text_shows_ten_unused_files_and_ten_unknown_columns_and_counts_the_rest() {
    for (count, more_count) in [(10, 0), (11, 2)] {
        let columns: String = (0..count).map(|number| format!(",unknown{number}")).collect();
        let mut files = clean_feed();
        files.retain(|(name, _)| name != "routes.txt");
        files.extend(feed(&[("routes.txt", &format!("route_id,agency_id,route_type{columns}\nRed,T,1\n"))]));
        files.extend((0..count).map(|number| (format!("note{number}.md"), Vec::new())));
        let text = check(write_folder(&files).path(), "text").standard_output;
        assert_eq!((text.matches("note").count(), text.matches("unknown").count()), (10, 10), "{text}");
        assert_eq!(text.lines().filter(|line| line.trim() == "and 1 more").count(), more_count, "{text}");
        let checked = json_of(&check(write_folder(&files).path(), "json"));
        assert_eq!(checked["unused_files"].as_array().map(Vec::len), Some(count));
        assert_eq!(checked["unknown_columns"].as_array().map(Vec::len), Some(count));
    }
}

#[test]
fn one_problem_is_not_many() {
    for (count, line) in [(1, "1 problem"), (2, "2 problems")] {
        let text = check(write_folder(&feed_with_wrong_times(count)).path(), "text").standard_output;
        assert_eq!(text.lines().last(), Some(line), "{text}");
    }
}

#[test]
fn whoever_reads_no_further_gets_the_exit_code_of_the_check() {
    for (files, code) in [(clean_feed(), 0), (feed_with_wrong_times(3000), 1)] {
        let folder = write_folder(&files);
        for format in ["text", "json"] {
            let mut process = program().args(["check", "--format", format]).arg(folder.path()).spawn().unwrap();
            drop(process.stdout.take());
            let output = process.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{format}");
            assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{format}");
        }
    }
}

#[test]
fn json_keeps_a_thousand_of_a_kind_and_counts_all() {
    for count in [999, 1000, 1001, 3000] {
        let folder = write_folder(&feed_with_wrong_times(count));
        let checked = json_of(&check(folder.path(), "json"));
        let of_kind = &checked["problems"]["invalid_time"];
        assert_eq!(of_kind["count"], count);
        let first = of_kind["first"].as_array().unwrap();
        assert_eq!(first.len(), count.min(1000));
        println!("they are the first, in the order of the file");
        assert!(first.iter().zip(2..).all(|(problem, line)| problem["line"] == line), "{count}");
    }
}
