//! Too many feeds, none, or one that lacks what it cannot do without: the refusal tells what was found.

use timetable::{FeedError, MemoryFiles};

use crate::{STOP_TIMES, TRIPS, files, read, read_by, refusal};

fn named(names: &[&str]) -> MemoryFiles {
    MemoryFiles(names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect())
}

#[test]
fn two_feeds_are_refused_by_the_names_of_both() {
    let both = ["trips.txt", "stop_times.txt"];
    let under = |folders: [&str; 2]| {
        let names = folders.iter().flat_map(|folder| both.map(|file| format!("{folder}{file}")));
        MemoryFiles(names.map(|name| (name, Vec::new())).collect())
    };
    for (folders, first, second) in
        [(["new/", "old/"], "new", "old"), (["", "a/b/"], ".", "a/b"), (["../", "x\\"], "..", "x")]
    {
        let expected =
            format!("found two feeds, expected one: both {first:?} and {second:?} hold trips.txt and stop_times.txt");
        assert_eq!(refusal(&under(folders)), expected);
    }
}

#[test]
fn without_a_feed_the_refusal_tells_what_is_there() {
    assert_eq!(refusal(&named(&[])), "found no file, expected trips.txt and stop_times.txt");
    let found = "found no folder with trips.txt and stop_times.txt, only ";
    assert_eq!(refusal(&named(&["readme.txt", "a/trips.txt"])), format!("{found}readme.txt, a/trips.txt"));
    println!("names that are nearly right");
    for name in ["Trips.txt", "trips.txt ", "trips.csv", "._trips.txt", "__MACOSX/stop_times.txt", "trips.txt/"] {
        assert_eq!(refusal(&named(&["stop_times.txt", name])), format!("{found}stop_times.txt, {name}"));
    }
    println!("as many as fit in a line");
    let many: Vec<String> = (0..70_000).map(|number| format!("folder/{number}.txt")).collect();
    let message = refusal(&named(&many.iter().map(String::as_str).collect::<Vec<_>>()));
    assert!(message.ends_with("folder/10.txt, folder/11.txt and 69988 more"), "{message}");
    let long = "x".repeat(60_000);
    assert_eq!(refusal(&named(&[&long])), format!("{found}{}…", "x".repeat(80)));
}

#[test]
fn one_file_twice_is_refused() {
    let twice = MemoryFiles([files::<&str>(&[]).0, vec![("trips.txt".to_owned(), TRIPS.into())]].concat());
    assert_eq!(refusal(&twice), "found one file twice, expected it once: \"trips.txt\" and \"trips.txt\"");
    println!("what is no file of the reference may be there twice");
    let twice = files(&[("notes.pdf", "%PDF"), ("notes.pdf", "%PDF")]);
    assert_eq!(read(&twice).report.unused_files.len(), 2);
}

#[test]
fn a_file_without_a_column_that_it_needs_is_refused_by_file_and_column_and_what_it_has() {
    for (name, header, missing) in [
        ("trips.txt", "service_id,trip_id", "route_id"),
        ("trips.txt", "route_id,service_id", "trip_id"),
        ("stop_times.txt", "stop_id,stop_sequence", "trip_id"),
        ("stop_times.txt", "trip_id,stop_sequence", "stop_id"),
        ("stop_times.txt", "trip_id,stop_id", "stop_sequence"),
        ("stops.txt", "stop_name,stop_lat", "stop_id"),
        ("routes.txt", "route_type,route_color", "route_id"),
        ("calendar.txt", "start_date,end_date", "service_id"),
        ("calendar.txt", "service_id,end_date", "start_date"),
        ("calendar_dates.txt", "service_id,exception_type", "date"),
        ("frequencies.txt", "trip_id,start_time,end_time", "headway_secs"),
        ("shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon", "shape_pt_sequence"),
    ] {
        let message = refusal(&files(&[(name, format!("{header}\n1,2\n"))]));
        let names = header.replace(',', ", ");
        assert_eq!(message, format!("{name}, line 1: found no column {missing}, only {names}"));
    }
    println!("names are compared byte by byte");
    for header in ["Route_id,trip_id", "route id,trip_id", "route_id\u{a0},trip_id", "route_id;trip_id"] {
        let error = read_by(&files(&[("trips.txt", header)]), 2).unwrap_err();
        assert!(matches!(error, FeedError::MissingColumn { file: "trips.txt", .. }), "{error}");
    }
}

#[test]
fn a_header_of_other_columns_shows_the_first_of_them() {
    let header: Vec<String> = (0..1000).map(|number| format!("column_{number}")).collect();
    let message = refusal(&files(&[("trips.txt", header.join(","))]));
    assert!(message.starts_with("trips.txt, line 1: found no column route_id, only column_0, column_1, "), "{message}");
    assert!(message.ends_with(", column_11 and 988 more"), "{message}");
    println!("a zip of another kind under the name of a file");
    let message = refusal(&files(&[
        ("trips.txt", b"PK\x03\x04\x14\0\0\0\x08\0".as_slice()),
        ("stop_times.txt", STOP_TIMES.as_bytes()),
    ]));
    assert!(message.starts_with("trips.txt, line 1: found no column route_id, only PK"), "{message:?}");
}

#[test]
fn control_characters_in_names_that_strangers_chose_are_escaped() {
    let message = refusal(&named(&["\u{1b}[2Jclear.txt"]));
    assert!(!message.contains('\u{1b}'), "{message:?}");
    println!("the name of a file");
    let message = refusal(&MemoryFiles(vec![
        ("\u{1b}[2J/trips.txt".to_owned(), vec![b'x'; 2 << 20]),
        ("\u{1b}[2J/stop_times.txt".to_owned(), STOP_TIMES.into()),
    ]));
    assert!(!message.contains('\u{1b}'), "{message:?}");
    println!("and of a column");
    let message = refusal(&files(&[("trips.txt", "\u{1b}[2J")]));
    assert!(!message.contains('\u{1b}'), "{message:?}");
}
