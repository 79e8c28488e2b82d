//! The slow obvious twin of the schedules answer: the `csv` crate, plain maps and `serde_json`.
//!
//! Written from the specification alone and sharing no code with the crate that it judges, so a shared mistake is
//! unlikely. It knows no limits, reports nothing and panics where a feed is refused (no folder that holds trips.txt
//! and stop_times.txt, or two): such feeds are not for it.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

/// One element of the answer; the order of the fields is the order in the JSON.
#[derive(Serialize)]
struct Trip {
    trip_id: String,
    service_id: String,
    route_id: String,
    schedules: Vec<StopTime>,
}

#[derive(Serialize)]
struct StopTime {
    #[serde(skip)]
    stop_sequence: u64,
    stop_id: String,
    arrival_time: String,
    departure_time: String,
}

/// route_id -> the body of `GET /schedules/{route_id}`, for every route that `files` (name, bytes) know of.
pub(crate) fn schedules(files: &[(String, Vec<u8>)]) -> BTreeMap<String, Vec<u8>> {
    let folder = feed_folder(files);
    let mut stop_times = stop_times_by_trip(find_file(files, &folder, "stop_times.txt"));
    let mut answers: BTreeMap<String, Vec<Trip>> = BTreeMap::new();
    for [route_id] in read_columns(find_file(files, &folder, "routes.txt"), ["route_id"]) {
        if !route_id.is_empty() {
            answers.entry(route_id).or_default();
        }
    }
    let mut trip_ids_seen = HashSet::new();
    let columns = ["trip_id", "service_id", "route_id"];
    for [trip_id, service_id, route_id] in read_columns(find_file(files, &folder, "trips.txt"), columns) {
        if route_id.is_empty() {
            continue;
        }
        // A row that is dropped still refers to its route, so the route is known.
        let trips = answers.entry(route_id.clone()).or_default();
        if trip_id.is_empty() || !trip_ids_seen.insert(trip_id.clone()) {
            continue;
        }
        let mut schedules = stop_times.remove(&trip_id).unwrap_or_default();
        schedules.sort_by_key(|stop_time| stop_time.stop_sequence);
        trips.push(Trip { trip_id, service_id, route_id, schedules });
    }
    let body = |trips: &Vec<Trip>| serde_json::to_vec(trips).expect("strings in vectors always serialise");
    answers.iter().map(|(route_id, trips)| (route_id.clone(), body(trips))).collect()
}

/// trip_id -> its stop times in the order of the file.
fn stop_times_by_trip(bytes: &[u8]) -> HashMap<String, Vec<StopTime>> {
    let mut by_trip: HashMap<String, Vec<StopTime>> = HashMap::new();
    let columns = ["trip_id", "stop_sequence", "stop_id", "arrival_time", "departure_time"];
    for [trip_id, stop_sequence, stop_id, arrival, departure] in read_columns(bytes, columns) {
        let Some(stop_sequence) = find_number(&stop_sequence) else { continue };
        if trip_id.is_empty() || stop_id.is_empty() {
            continue;
        }
        let (arrival_time, departure_time) = (padded_time(&arrival), padded_time(&departure));
        by_trip.entry(trip_id).or_default().push(StopTime { stop_sequence, stop_id, arrival_time, departure_time });
    }
    by_trip
}

/// A non-negative integer: digits only, so neither `-1` nor `+1` nor `1.0`.
fn find_number(text: &str) -> Option<u64> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// `H:MM:SS` as `0H:MM:SS`, more hour digits as they are; a text that is no such time counts as empty.
fn padded_time(text: &str) -> String {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_sixtieth = |part: &str| part.len() == 2 && is_digits(part) && part < "60";
    match text.split(':').collect::<Vec<_>>()[..] {
        [hours, minutes, seconds] if is_digits(hours) && is_sixtieth(minutes) && is_sixtieth(seconds) => {
            format!("{hours:0>2}:{minutes}:{seconds}")
        }
        _ => String::new(),
    }
}

/// The one folder, at any depth, that holds both of the indispensable files; "" or with its last `/`.
fn feed_folder(files: &[(String, Vec<u8>)]) -> String {
    let folders_of = |file_name: &str| -> HashSet<&str> {
        files
            .iter()
            .filter(|(path, _)| !is_ignored(path))
            .filter_map(|(path, _)| folder_before(path, file_name))
            .collect()
    };
    let (with_trips, with_stop_times) = (folders_of("trips.txt"), folders_of("stop_times.txt"));
    let both: Vec<&str> = with_trips.intersection(&with_stop_times).copied().collect();
    let [folder] = both[..] else { panic!("the twin reads feeds of one folder, found {both:?}") };
    folder.to_owned()
}

/// What Mac archivers add beside the files.
fn is_ignored(path: &str) -> bool {
    path.split('/').any(|part| part == "__MACOSX") || path.rsplit('/').next().is_some_and(|last| last.starts_with("._"))
}

/// The folder of `path` with its last `/`, when the last part of `path` is `file_name`.
fn folder_before<'a>(path: &'a str, file_name: &str) -> Option<&'a str> {
    path.strip_suffix(file_name).filter(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// The bytes of a file of the feed; none when it is missing, which only an optional file may be.
fn find_file<'a>(files: &'a [(String, Vec<u8>)], folder: &str, file_name: &str) -> &'a [u8] {
    let found = files.iter().find(|(path, _)| folder_before(path, file_name) == Some(folder));
    found.map_or(&[], |(_, bytes)| bytes)
}

/// The named columns of a CSV file, row by row and trimmed; a column that is not there, or that a row ends before, is empty.
fn read_columns<const COUNT: usize>(bytes: &[u8], names: [&str; COUNT]) -> Vec<[String; COUNT]> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(bytes);
    let mut records = reader.byte_records().map(|record| record.expect("bytes in memory are always readable"));
    let Some(header) = records.next() else { return Vec::new() };
    let places = names.map(|name| header.iter().position(|field| trimmed(field) == name));
    let row = |record: csv::ByteRecord| {
        places.map(|place| place.and_then(|at| record.get(at)).map(trimmed).unwrap_or_default())
    };
    records.map(row).collect()
}

/// A field as text without the spaces and tabs around it.
fn trimmed(field: &[u8]) -> String {
    String::from_utf8_lossy(field).trim_matches([' ', '\t']).to_owned()
}
