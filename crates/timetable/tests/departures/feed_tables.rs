//! The files of a feed as the oracle takes them: the `csv` crate and plain maps, every row checked on its own.
//!
//! Written from the GTFS reference and from the rules for bad rows that the rest of this crate's tests hold; nothing
//! here calls the crate that is judged.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::civil::Date;

/// What the oracle wants to know of a feed.
#[derive(Default)]
pub(crate) struct FeedTables {
    /// agency_timezone of the first row of agency.txt.
    pub(crate) time_zone_name: Option<String>,
    /// stop_id -> the stops that name it as their parent_station.
    pub(crate) children: HashMap<String, Vec<String>>,
    pub(crate) weeks: HashMap<String, Week>,
    /// (service_id, date) -> whether the service is added.
    pub(crate) exceptions: BTreeMap<(String, Date), bool>,
    /// In the order of trips.txt.
    pub(crate) trips: Vec<Trip>,
}

/// A row of calendar.txt.
pub(crate) struct Week {
    /// Monday to Sunday.
    pub(crate) days: Vec<bool>,
    pub(crate) start_date: Date,
    pub(crate) end_date: Date,
}

/// A row of trips.txt with all that belongs to it.
pub(crate) struct Trip {
    pub(crate) trip_id: String,
    pub(crate) route_id: String,
    pub(crate) service_id: String,
    pub(crate) direction_id: Option<u8>,
    /// By stop_sequence.
    pub(crate) stop_times: Vec<StopTime>,
    pub(crate) frequencies: Vec<Frequency>,
}

/// A row of stop_times.txt; times in seconds.
pub(crate) struct StopTime {
    pub(crate) stop_sequence: u32,
    pub(crate) stop_id: String,
    pub(crate) arrival: Option<i64>,
    pub(crate) departure: Option<i64>,
    pub(crate) pickup_type: u32,
}

/// A row of frequencies.txt, in seconds; the order of the fields is that in which equal departures are put.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Frequency {
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) headway: i64,
    pub(crate) exact_times: u32,
}

impl FeedTables {
    /// Reads `files` (name, bytes), among which there is one stop_times.txt.
    pub(crate) fn read(files: &[(String, Vec<u8>)]) -> Self {
        let file = |name: &str| find_file(files, name);
        let zones = read_columns(file("agency.txt"), ["agency_timezone"]);
        let time_zone_name = zones.into_iter().map(|[name]| name).next();
        let mut tables = Self { time_zone_name, ..Self::default() };
        tables.add_stops(file("stops.txt"));
        tables.add_services(file("calendar.txt"), file("calendar_dates.txt"));
        tables.add_trips(file("trips.txt"));
        let position_of_trip: HashMap<String, usize> =
            tables.trips.iter().enumerate().map(|(position, trip)| (trip.trip_id.clone(), position)).collect();
        tables.add_stop_times(file("stop_times.txt"), &position_of_trip);
        tables.add_frequencies(file("frequencies.txt"), &position_of_trip);
        tables
    }

    fn add_stops(&mut self, stops: &[u8]) {
        let mut rows = read_columns(stops, ["stop_id", "parent_station"]);
        let mut seen = HashSet::new();
        // Of a duplicate id the first row counts.
        rows.retain(|[stop_id, _]| !stop_id.is_empty() && seen.insert(stop_id.clone()));
        for [stop_id, parent] in rows {
            // A parent that stops.txt does not have is none.
            if seen.contains(&parent) {
                self.children.entry(parent).or_default().push(stop_id);
            }
        }
    }

    fn add_services(&mut self, calendar: &[u8], calendar_dates: &[u8]) {
        let columns = [
            "service_id",
            "start_date",
            "end_date",
            "monday",
            "tuesday",
            "wednesday",
            "thursday",
            "friday",
            "saturday",
            "sunday",
        ];
        for [service_id, start_date, end_date, days @ ..] in read_columns(calendar, columns) {
            let (Some(start_date), Some(end_date)) = (find_date(&start_date), find_date(&end_date)) else { continue };
            if !service_id.is_empty() {
                let days = days.iter().map(|day| find_number(day) == Some(1)).collect();
                self.weeks.entry(service_id).or_insert(Week { days, start_date, end_date });
            }
        }
        for [service_id, date, exception_type] in read_columns(calendar_dates, ["service_id", "date", "exception_type"])
        {
            let is_added = match find_number(&exception_type) {
                Some(1) => true,
                Some(2) => false,
                _ => continue,
            };
            if let (false, Some(date)) = (service_id.is_empty(), find_date(&date)) {
                self.exceptions.entry((service_id, date)).or_insert(is_added);
            }
        }
    }

    fn add_trips(&mut self, trips: &[u8]) {
        let mut seen = HashSet::new();
        let columns = ["trip_id", "route_id", "service_id", "direction_id"];
        for [trip_id, route_id, service_id, direction_id] in read_columns(trips, columns) {
            if route_id.is_empty() || trip_id.is_empty() || !seen.insert(trip_id.clone()) {
                continue;
            }
            let direction_id = find_number(&direction_id).filter(|number| *number <= 1).map(|number| number as u8);
            let (stop_times, frequencies) = (Vec::new(), Vec::new());
            self.trips.push(Trip { trip_id, route_id, service_id, direction_id, stop_times, frequencies });
        }
    }

    fn add_stop_times(&mut self, stop_times: &[u8], position_of_trip: &HashMap<String, usize>) {
        let columns = ["trip_id", "stop_sequence", "stop_id", "arrival_time", "departure_time", "pickup_type"];
        for [trip_id, stop_sequence, stop_id, arrival, departure, pickup_type] in read_columns(stop_times, columns) {
            let Some(trip) = position_of_trip.get(&trip_id) else { continue };
            let Some(stop_sequence) = find_number(&stop_sequence) else { continue };
            if stop_id.is_empty() {
                continue;
            }
            self.trips[*trip].stop_times.push(StopTime {
                stop_sequence,
                stop_id,
                arrival: find_time(&arrival),
                departure: find_time(&departure),
                pickup_type: find_number(&pickup_type).filter(|number| *number <= 3).unwrap_or(0),
            });
        }
        for trip in &mut self.trips {
            // Equal stop_sequences stay in the order of the file.
            trip.stop_times.sort_by_key(|stop_time| stop_time.stop_sequence);
        }
    }

    fn add_frequencies(&mut self, frequencies: &[u8], position_of_trip: &HashMap<String, usize>) {
        let columns = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"];
        for [trip_id, start, end, headway, exact_times] in read_columns(frequencies, columns) {
            let Some(trip) = position_of_trip.get(&trip_id) else { continue };
            let (Some(start), Some(end)) = (find_time(&start), find_time(&end)) else { continue };
            let Some(headway) = find_number(&headway).filter(|headway| (1..=1_000_000).contains(headway)) else {
                continue;
            };
            let exact_times = find_number(&exact_times).filter(|number| *number <= 1).unwrap_or(0);
            let frequency = Frequency { start, end, headway: i64::from(headway), exact_times };
            let frequencies = &mut self.trips[*trip].frequencies;
            // Of two rows of a trip with one start_time the first wins, as with every key.
            if frequencies.iter().all(|known| known.start != frequency.start) {
                frequencies.push(frequency);
            }
        }
    }
}

/// A non-negative integer: digits only, so neither `-1` nor `+1` nor `1.0`.
fn find_number(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// The seconds of `H:MM:SS`, with one to five digits for the hours; none of a text that is no such time.
fn find_time(text: &str) -> Option<i64> {
    let is_sixtieth = |part: &str| part.len() == 2 && part < "60";
    match text.split(':').collect::<Vec<_>>()[..] {
        [hours, minutes, seconds] if hours.len() <= 5 && is_sixtieth(minutes) && is_sixtieth(seconds) => {
            let [hours, minutes, seconds] = [find_number(hours)?, find_number(minutes)?, find_number(seconds)?];
            Some(i64::from(hours) * 3600 + i64::from(minutes) * 60 + i64::from(seconds))
        }
        _ => None,
    }
}

/// The date of `YYYYMMDD`.
fn find_date(text: &str) -> Option<Date> {
    let is_date = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_date { Date::strptime("%Y%m%d", text).ok() } else { None }
}

/// The bytes of the file beside stop_times.txt, in whatever folder that is; none when there is no such file.
fn find_file<'f>(files: &'f [(String, Vec<u8>)], name: &str) -> &'f [u8] {
    let is_ignored = |path: &str| path.contains("__MACOSX/") || path.contains("._");
    let folder = files
        .iter()
        .filter(|(path, _)| !is_ignored(path))
        .find_map(|(path, _)| {
            path.strip_suffix("stop_times.txt").filter(|folder| folder.is_empty() || folder.ends_with('/'))
        })
        .expect("a feed has stop_times.txt");
    let wanted = format!("{folder}{name}");
    files.iter().find(|(path, _)| *path == wanted).map_or(&[], |(_, bytes)| bytes)
}

/// The named columns of a CSV file, row by row and trimmed; a column that is not there, or that a row ends before, is
/// empty.
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
