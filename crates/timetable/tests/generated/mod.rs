//! A generated feed as a test reads it: by the `csv` crate, which is not ours.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use timetable::MemoryFiles;
use timetable::generate::{Recipe, generate};

/// The files of a feed.
pub(crate) struct Feed(MemoryFiles);

impl Feed {
    pub(crate) fn generate(recipe: &Recipe) -> Self {
        let mut files = MemoryFiles::default();
        generate(recipe, &mut files).unwrap();
        Self(files)
    }

    fn bytes(&self, file: &str) -> &[u8] {
        let found = self.0.0.iter().find(|(name, _)| name == file);
        &found.unwrap_or_else(|| panic!("there is no {file}")).1
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.0.iter().map(|(name, _)| name.as_str()).collect()
    }

    pub(crate) fn header(&self, file: &str) -> String {
        String::from_utf8(self.bytes(file).split(|&byte| byte == b'\n').next().unwrap().to_vec()).unwrap()
    }

    pub(crate) fn byte_count(&self, file: &str) -> u64 {
        self.bytes(file).len() as u64
    }

    pub(crate) fn total_bytes(&self) -> u64 {
        self.0.0.iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    pub(crate) fn row_count(&self, file: &str) -> usize {
        let mut record = csv::ByteRecord::new();
        let mut reader = csv::Reader::from_reader(self.bytes(file));
        std::iter::from_fn(|| reader.read_byte_record(&mut record).unwrap().then_some(())).count()
    }

    pub(crate) fn column(&self, file: &str, column: &str) -> Vec<String> {
        let mut reader = csv::Reader::from_reader(self.bytes(file));
        let position = reader.headers().unwrap().iter().position(|name| name == column).unwrap();
        reader.records().map(|record| record.unwrap()[position].to_owned()).collect()
    }

    /// FNV-1a (64 bits) over all names and bytes: the same on every machine, unlike the standard library's hashes.
    pub(crate) fn digest(&self) -> u64 {
        let bytes = self.0.0.iter().flat_map(|(name, bytes)| name.as_bytes().iter().chain(bytes));
        bytes.fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
    }
}

/// What one pass over trips.txt and stop_times.txt finds.
#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) trip_count: usize,
    pub(crate) stop_time_count: usize,
    /// Distinct sequences of stops, as positions among all platforms.
    pub(crate) patterns: HashSet<Vec<u32>>,
    /// Distinct sequences of (arrival, departure) since the trip's first departure; empty times are left out.
    pub(crate) runs: HashSet<Vec<(u32, u32)>>,
    /// Route -> bytes of its answer in the shape of the public challenge.
    pub(crate) answer_bytes: BTreeMap<String, u64>,
    pub(crate) empty_time_count: usize,
    pub(crate) latest_s: u32,
    /// How many different seconds of the minute there are.
    pub(crate) seconds_seen: usize,
    /// The first few.
    pub(crate) problems: Vec<String>,
}

struct TripRow {
    id: String,
    route: String,
    bytes: u64,
}

impl Facts {
    pub(crate) fn of(feed: &Feed) -> Self {
        let trips: Vec<TripRow> = csv::Reader::from_reader(feed.bytes("trips.txt"))
            .deserialize::<HashMap<String, String>>()
            .map(|row| {
                let row = row.unwrap();
                let column = |name: &str| row[name].clone();
                let (id, route, service) = (column("trip_id"), column("route_id"), column("service_id"));
                let frame = r#"{"trip_id":"","service_id":"","route_id":"","schedules":[]}"#;
                let bytes = (frame.len() + id.len() + route.len() + service.len()) as u64;
                TripRow { id, route, bytes }
            })
            .collect();
        let platforms: HashMap<String, u32> = {
            let ids = feed.column("stops.txt", "stop_id").into_iter();
            let kinds = feed.column("stops.txt", "location_type");
            let platforms = ids.zip(kinds).filter(|(_, kind)| kind == "0");
            platforms.enumerate().map(|(position, (id, _))| (id, position as u32)).collect()
        };
        let mut facts = Self { trip_count: trips.len(), ..Self::default() };
        let mut seconds_seen = HashSet::new();
        let mut reader = csv::Reader::from_reader(feed.bytes("stop_times.txt"));
        let mut record = csv::StringRecord::new();
        let mut more = reader.read_record(&mut record).unwrap();
        for trip in &trips {
            let (mut stops, mut run, mut bytes) = (Vec::new(), Vec::new(), trip.bytes);
            let (mut last_sequence, mut last_s, mut start_s) = (0, 0, None);
            // The rows of a trip stand together, in the order of trips.txt, so whatever else is there is left over.
            while more && record[0] == trip.id {
                facts.stop_time_count += 1;
                let frame = r#"{"stop_id":"","arrival_time":"","departure_time":""}"#;
                let between = u64::from(!stops.is_empty());
                bytes += between + (frame.len() + record[1].len() + record[2].len() + record[3].len()) as u64;
                match platforms.get(&record[3]) {
                    Some(&platform) => stops.push(platform),
                    None => facts.problem(format!("trip {}: no platform {}", trip.id, &record[3])),
                }
                let sequence: u32 = record[4].parse().unwrap();
                if sequence <= last_sequence {
                    facts.problem(format!("trip {}: stop_sequence {sequence} after {last_sequence}", trip.id));
                }
                last_sequence = sequence;
                match (read_time(&record[1]), read_time(&record[2])) {
                    (Some(arrival_s), Some(departure_s)) => {
                        if arrival_s < last_s || departure_s < arrival_s {
                            facts.problem(format!("trip {}: it goes back in time at {}", trip.id, &record[3]));
                        }
                        seconds_seen.insert(arrival_s % 60);
                        last_s = departure_s;
                        let start_s = *start_s.get_or_insert(departure_s);
                        run.push((arrival_s - start_s.min(arrival_s), departure_s - start_s));
                    }
                    (None, None) if start_s.is_some() && &record[8] == "0" => facts.empty_time_count += 2,
                    _ => facts.problem(format!("trip {}: times are missing at {}", trip.id, &record[3])),
                }
                more = reader.read_record(&mut record).unwrap();
            }
            if stops.len() < 2 {
                facts.problem(format!("trip {} has {} stop times", trip.id, stops.len()));
            }
            facts.latest_s = facts.latest_s.max(last_s);
            facts.patterns.insert(stops);
            facts.runs.insert(run);
            // `[` or `,` before each trip, and `]` at the end of the answer.
            *facts.answer_bytes.entry(trip.route.clone()).or_insert(1) += bytes + 1;
        }
        if more {
            facts.problem(format!("stop times of trip {} are not where its place is", &record[0]));
        }
        facts.seconds_seen = seconds_seen.len();
        facts
    }

    fn problem(&mut self, problem: String) {
        if self.problems.len() < 10 {
            self.problems.push(problem);
        }
    }

    pub(crate) fn run_elements(&self) -> usize {
        self.runs.iter().map(Vec::len).sum()
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answers: u64 = self.answer_bytes.values().sum();
        let (trips, stop_times, patterns) = (self.trip_count, self.stop_time_count, self.patterns.len());
        let (runs, elements) = (self.runs.len(), self.run_elements());
        write!(f, "{trips} trips, {stop_times} stop times, {patterns} patterns, {runs} runs of {elements} elements, ")?;
        write!(f, "{answers} bytes of answers")?;
        let mut by_size: Vec<(u64, &str)> =
            self.answer_bytes.iter().map(|(route, &bytes)| (bytes, route.as_str())).collect();
        by_size.sort_unstable();
        by_size.iter().try_for_each(|(bytes, route)| write!(f, ", {route} {bytes}"))
    }
}

/// Seconds of `HH:MM:SS`, or nothing for an empty field.
fn read_time(text: &str) -> Option<u32> {
    let [hours, minutes, seconds] = text.split(':').collect::<Vec<_>>()[..] else {
        assert!(text.is_empty(), "{text} is no time");
        return None;
    };
    let number = |text: &str| text.parse::<u32>().unwrap();
    assert!(text.len() == 8 && number(minutes) < 60 && number(seconds) < 60, "{text} is no time");
    Some(number(hours) * 3600 + number(minutes) * 60 + number(seconds))
}
