//! The network under construction: stops, and routes with the ways that they take.

use std::collections::BTreeMap;

use crate::generate::city::{Mode, Place, Route, Stop, StopKind};
use crate::generate::random::Random;

/// On which days a route runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Days {
    /// Every day.
    All,
    /// Monday to Saturday.
    NoSundays,
    /// Monday to Friday.
    WeekdaysOnly,
}

/// One way of a route from end to end.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// Stops of direction 0.
    pub(super) outbound: Vec<u32>,
    /// Stops of direction 1.
    pub(super) inbound: Vec<u32>,
}

/// A route, its ways and its share of all trips.
#[derive(Clone, Debug)]
pub(super) struct RoutePlan {
    pub(super) route: Route,
    /// Whose services its trips belong to, see `services`.
    pub(super) group: char,
    pub(super) weekday_trips: u32,
    pub(super) days: Days,
    pub(super) ways: Vec<Way>,
}

/// Stops by what they are found by again, and all routes.
pub(super) struct Network {
    pub(super) stops: Vec<Stop>,
    pub(super) plans: Vec<RoutePlan>,
    /// Name -> station.
    pub(super) stations: BTreeMap<String, u32>,
    /// Stop -> others where a trip may stop in its place, such as another track.
    pub(super) tracks: BTreeMap<u32, Vec<u32>>,
    pub(super) random: Random,
    last_bus_stop: u32,
    last_platform: u32,
}

impl Network {
    /// No stops and no routes.
    pub(super) fn new(seed: u64) -> Self {
        Self {
            stops: Vec::new(),
            plans: Vec::new(),
            stations: BTreeMap::new(),
            tracks: BTreeMap::new(),
            random: Random::new(seed, 1),
            last_bus_stop: 0,
            last_platform: 70_000,
        }
    }

    /// Adds `stop`.
    pub(super) fn add_stop(&mut self, stop: Stop) -> u32 {
        self.stops.push(stop);
        self.stops.len() as u32 - 1
    }

    /// The station of that name, which is made at `place` when there is none yet.
    pub(super) fn station(&mut self, name: &str, place: Place, mode: Mode, municipality: &str) -> u32 {
        if let Some(&station) = self.stations.get(name) {
            return station;
        }
        let mut id = format!("place-{}", short_code(&[name]));
        while self.stops.iter().any(|stop| stop.id == id) {
            id.push('x');
        }
        let station = Stop {
            kind: StopKind::Station,
            checkpoint: String::new(),
            ..plain_stop(id, name, place, mode, municipality)
        };
        let station = self.add_stop(station);
        self.stations.insert(name.to_owned(), station);
        station
    }

    /// The next free number of a rapid transit platform, such as 70061.
    pub(super) fn next_platform_id(&mut self) -> String {
        self.last_platform += 1;
        self.last_platform.to_string()
    }

    /// The next free number of a bus stop; MBTA's have gaps.
    pub(super) fn next_bus_stop_id(&mut self) -> String {
        self.last_bus_stop += self.random.between(1, 3);
        self.last_bus_stop.to_string()
    }

    /// The place of `stop`.
    pub(super) fn place(&self, stop: u32) -> Place {
        self.stops[stop as usize].place
    }

    /// What signs say of a trip that ends at `stop`.
    pub(super) fn headsign(&self, stop: u32) -> String {
        let stop = &self.stops[stop as usize];
        let at = stop.parent.map_or(stop, |station| &self.stops[station as usize]);
        match at.on_street.as_str() {
            "" => at.name.replace(" Station", ""),
            street => format!("{street} & {}", at.at_street),
        }
    }
}

/// A platform that stands alone.
pub(super) fn plain_stop(id: String, name: &str, place: Place, mode: Mode, municipality: &str) -> Stop {
    Stop {
        id,
        name: name.to_owned(),
        platform: String::new(),
        place,
        kind: StopKind::Platform,
        parent: None,
        mode,
        municipality: municipality.to_owned(),
        on_street: String::new(),
        at_street: String::new(),
        checkpoint: short_code(&[name]),
    }
}

/// Five letters as MBTA makes them for places, such as `hrvrd`: of each name the first letter and what follows
/// without vowels, an equal part of each name, filled up with their vowels.
pub(super) fn short_code(names: &[&str]) -> String {
    let part = 5_usize.div_ceil(names.len());
    let mut code = String::new();
    for name in names {
        let letters = || name.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_lowercase());
        let is_vowel = |letter: &char| "aeiou".contains(*letter);
        let consonants = letters().skip(1).filter(|letter| !is_vowel(letter));
        let vowels = letters().skip(1).filter(is_vowel);
        code.extend(letters().take(1).chain(consonants).chain(vowels).take(part));
    }
    code.truncate(5);
    code
}

/// A number of a table; the tables are ours, so a bad one is our own mistake.
pub(super) fn table_number(text: &str) -> i32 {
    text.parse().expect("the tables hold whole numbers here")
}

/// A place of a table: ten-thousandths of a degree north and west.
pub(super) fn table_place(lat: &str, lon: &str) -> Place {
    Place { lat: table_number(lat), lon: -table_number(lon) }
}
