//! The built-in city of `make run`: Port Linden, small enough to be made while the program starts.
//!
//! It has one of everything that a timetable may have: stations with platforms, trips past midnight, a loop that visits
//! a stop twice, stops without planned times, lines that run by frequency, holidays.

mod calendar;
mod tables;

use std::collections::BTreeMap;

use super::city::{City, Frequency, Mode, Pattern, Place, Route, Stop, StopKind, Times, TimesAt, Trip};
use super::random::Random;
use super::run_times::{DistinctRuns, hop_seconds};
use super::{PUBLISHER, RunningTimes};
use tables::{LINES, Line, ROADSIDE, RunsBy, STATIONS, Ways};

/// Bounds of the day's periods in minutes, and how long trips that start before each take in percent.
const PACES: [(u32, u32); 5] = [(390, 90), (540, 115), (900, 100), (1110, 120), (u32::MAX, 95)];

/// The whole feed.
pub(super) fn city(running_times: RunningTimes, seed: u64) -> City {
    let (stops, by_name) = stops();
    let mut city = City {
        agency: [
            "PL",
            "Port Linden Transit",
            "https://transit.example",
            "America/New_York",
            "en",
            "207-555-0100",
            "https://transit.example/fares",
        ],
        feed_info: [
            PUBLISHER,
            "https://transit.example",
            "en",
            &calendar::FIRST_DATE.to_string(),
            &calendar::LAST_DATE.to_string(),
            &format!("built-in city, seed {seed}"),
            "port-linden",
        ]
        .map(str::to_owned)
        .to_vec(),
        stops,
        routes: LINES.iter().map(route).collect(),
        services: calendar::services(),
        patterns: Vec::new(),
        runs: Vec::new(),
        own_times_seed: (running_times == RunningTimes::Random).then_some(seed),
        trips: Vec::new(),
        frequencies: Vec::new(),
        times_at: TimesAt::Checkpoints,
    };
    let mut distinct = DistinctRuns::default();
    for (position, line) in LINES.iter().enumerate() {
        let mut random = Random::new(seed, position as u64);
        add_line(&mut city, &by_name, position as u32, line, &mut distinct, &mut random);
    }
    city
}

fn route(line: &Line) -> Route {
    Route {
        id: line.id.to_owned(),
        short_name: line.short_name.to_owned(),
        long_name: line.long_name.to_owned(),
        description: String::new(),
        mode: line.mode,
        color: line.color,
        text_color: line.text_color,
        trip_id_prefix: format!("{}-", line.id),
        block_id_prefix: format!("{}-", line.id),
    }
}

/// All stops; and for each name the stop of direction 0 and that of direction 1.
fn stops() -> (Vec<Stop>, BTreeMap<&'static str, [u32; 2]>) {
    let mut stops: Vec<Stop> = Vec::new();
    let mut by_name = BTreeMap::new();
    for text in STATIONS.lines() {
        let (code, name, place) = read_row(text);
        let station = stops.len() as u32;
        stops.push(stop(format!("st-{code}"), name, place, ""));
        stops[station as usize].kind = StopKind::Station;
        for direction in 1..=2 {
            let shift = 150 - 100 * direction;
            let place = Place { lat: place.lat + shift, lon: place.lon - shift };
            let platform = stop(format!("{code}-{direction}"), name, place, code);
            stops.push(Stop { parent: Some(station), platform: format!("Platform {direction}"), ..platform });
        }
        by_name.insert(name, [station + 1, station + 2]);
    }
    for (position, text) in ROADSIDE.lines().enumerate() {
        let (code, name, place) = read_row(text);
        by_name.insert(name, [stops.len() as u32; 2]);
        stops.push(stop((1001 + 7 * position).to_string(), name, place, code));
    }
    (stops, by_name)
}

fn read_row(text: &'static str) -> (&'static str, &'static str, Place) {
    let [code, name, lat, lon] = text.split('|').collect::<Vec<_>>()[..] else {
        panic!("a stop has four fields: {text}")
    };
    let number = |text: &str| text.parse::<i32>().expect("the tables hold whole numbers here");
    (code, name, Place { lat: number(lat) * 100, lon: -number(lon) * 100 })
}

fn stop(id: String, name: &str, place: Place, checkpoint: &str) -> Stop {
    Stop {
        id,
        name: name.to_owned(),
        platform: String::new(),
        place,
        kind: StopKind::Platform,
        parent: None,
        mode: Mode::Bus,
        municipality: "Port Linden".to_owned(),
        on_street: String::new(),
        at_street: String::new(),
        checkpoint: checkpoint.to_owned(),
    }
}

fn add_line(
    city: &mut City,
    by_name: &BTreeMap<&'static str, [u32; 2]>,
    route: u32,
    line: &Line,
    distinct: &mut DistinctRuns,
    random: &mut Random,
) {
    let first_trip = city.trips.len();
    let directions = if line.ways == Ways::Both { 2 } else { 1 };
    for direction in 0..directions {
        let find = |name| by_name.get(name).expect("every stop of a line stands in the tables of stops");
        let mut stops: Vec<u32> = line.stops.split('|').map(|name| find(name)[direction as usize]).collect();
        if direction == 1 {
            stops.reverse();
        }
        for &stop in &stops {
            city.stops[stop as usize].mode = line.mode;
        }
        let headsign = match line.ways {
            Ways::Loop => line.long_name.to_owned(),
            Ways::Both => city.stops[stops[stops.len() - 1] as usize].name.clone(),
        };
        let hops_s = hop_seconds(&city.stops, &stops, line.mode);
        let first_run = city.runs.len() as u32;
        city.runs.extend(PACES.map(|(_, percent)| distinct.planned(&hops_s, line.mode, percent, random)));
        let shape_id = format!("{}-{direction}", line.id);
        let pattern = city.patterns.len() as u32;
        city.patterns.push(Pattern { route, direction, stops, headsign, via: String::new(), shape_id });
        for (service, &headway_minutes) in line.headway_minutes.iter().enumerate().filter(|(_, headway)| **headway > 0)
        {
            let trip = |minute: u32| {
                let period = PACES.iter().position(|&(end, _)| minute < end).unwrap_or_default() as u32;
                let (run, service, start_s) = (first_run + period, service as u32, minute * 60);
                Trip { pattern, run, service, start_s, number: 0, train: 0, block: 1 + u32::from(direction) }
            };
            // The other direction leaves in between.
            let first_minute = line.first_minute + u32::from(direction) * headway_minutes / 2;
            match line.runs_by {
                RunsBy::StopTimes => {
                    let minutes = (first_minute..=line.last_minute).step_by(headway_minutes as usize);
                    city.trips.extend(minutes.map(trip));
                }
                RunsBy::Frequencies(exact_times) => {
                    let trip_position = city.trips.len() as u32;
                    city.trips.push(trip(first_minute));
                    // By day as the table says, in the evening half as often.
                    let spans = [(first_minute, 1200, headway_minutes), (1200, line.last_minute, 2 * headway_minutes)];
                    city.frequencies.extend(spans.map(|(start, end, headway)| Frequency {
                        trip: trip_position,
                        start_s: start * 60,
                        end_s: end * 60,
                        headway_s: headway * 60,
                        exact_times,
                    }));
                }
            }
        }
    }
    for (position, trip) in city.trips[first_trip..].iter_mut().enumerate() {
        trip.number = 1001 + position as u32;
    }
    assign_vehicles(&mut city.trips[first_trip..], &city.runs, &city.patterns);
}

/// Gives each trip the first vehicle of its service that is free; none waits for another direction's passengers.
fn assign_vehicles(trips: &mut [Trip], runs: &[Vec<Times>], patterns: &[Pattern]) {
    let mut order: Vec<usize> = (0..trips.len()).collect();
    order.sort_by_key(|&trip| (trips[trip].service, trips[trip].start_s));
    let mut free_s: Vec<u32> = Vec::new();
    let mut service = 0;
    for position in order {
        let trip = &mut trips[position];
        if trip.service != service {
            service = trip.service;
            free_s.clear();
        }
        let vehicle = free_s.iter().position(|&free_s| free_s <= trip.start_s).unwrap_or(free_s.len());
        if vehicle == free_s.len() {
            free_s.push(0);
        }
        let duration_s = runs[trip.run as usize].last().map_or(0, |time| time.arrival_s);
        let stop_count = patterns[trip.pattern as usize].stops.len() as u32;
        // A minute for each stop covers the slowest trips of random running times.
        free_s[vehicle] = trip.start_s + duration_s + 60 * stop_count;
        trip.block = vehicle as u32 + 1;
    }
}
