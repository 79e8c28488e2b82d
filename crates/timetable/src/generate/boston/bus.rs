//! Bus routes become stops along the streets between their hubs.

use std::collections::BTreeMap;

use super::bus_routes::BUS_ROUTES;
use super::hubs::HUBS;
use super::network::{Days, Network, RoutePlan, Way, plain_stop, short_code, table_number, table_place};
use super::streets::{AVENUES, CROSSING_ENDINGS, CROSSINGS};
use crate::generate::city::{Mode, Place, Route, Stop};

/// Metres from stop to stop; it makes the mean trip 25.2 stops long, as MBTA's are.
const STOP_SPACING_METRES: u32 = 223;

/// From here on a way between two hubs is an express: it stops only near its ends.
const EXPRESS_METRES: u32 = 5_000;

/// Stops near each end of an express way.
const EXPRESS_STOPS: u32 = 4;

struct Hub {
    name: &'static str,
    municipality: &'static str,
    place: Place,
    code: &'static str,
}

/// Adds all bus routes.
pub(super) fn add_routes(network: &mut Network) {
    let mut streets = Streets {
        hubs: hubs(),
        avenues: AVENUES.split('|').collect(),
        crossings: CROSSINGS.split('|').collect(),
        endings: CROSSING_ENDINGS.split('|').collect(),
        ways: BTreeMap::new(),
        berths: BTreeMap::new(),
    };
    for (position, text) in BUS_ROUTES.lines().enumerate() {
        let words: Vec<&str> = text.split(' ').collect();
        let [id, garage, trips, days, ref path @ ..] = words[..] else { panic!("a bus route without hubs: {text}") };
        let days = match days {
            "a" => Days::All,
            "s" => Days::NoSundays,
            _ => Days::WeekdaysOnly,
        };
        let way = streets.way(network, path, position as u32);
        let (first, last) = (streets.hub(path[0]).name, streets.hub(path[path.len() - 1]).name);
        let long_name = if first == last {
            format!("{first} - {} Loop", streets.hub(path[1]).name)
        } else {
            format!("{first} - {last}")
        };
        let group = garage.chars().next().expect("a garage has a letter");
        network.plans.push(RoutePlan {
            route: route(id, group, &long_name),
            group,
            weekday_trips: table_number(trips) as u32,
            days,
            ways: vec![way],
        });
    }
}

fn route(id: &str, garage: char, long_name: &str) -> Route {
    let is_silver = ["741", "742", "743", "746", "749", "751"].contains(&id);
    let short_name = match id {
        "741" => "SL1",
        "742" => "SL2",
        "743" => "SL3",
        "746" => "SLW",
        "749" => "SL5",
        "751" => "SL4",
        "708" => "CT3",
        "747" => "CT2",
        "627" => "62/76",
        _ => id,
    };
    Route {
        id: id.to_owned(),
        short_name: short_name.to_owned(),
        long_name: long_name.to_owned(),
        description: if is_silver { "Rapid Transit" } else { "Local Bus" }.to_owned(),
        mode: Mode::Bus,
        color: if is_silver { "7C878E" } else { "FFC72C" },
        text_color: if is_silver { "FFFFFF" } else { "000000" },
        trip_id_prefix: String::new(),
        block_id_prefix: format!("{}{id}-", garage.to_ascii_uppercase()),
    }
}

fn hubs() -> BTreeMap<&'static str, Hub> {
    let mut hubs = BTreeMap::new();
    for text in HUBS.lines() {
        let [code, name, municipality, lat, lon] = text.split('|').collect::<Vec<_>>()[..] else {
            panic!("a hub has five fields: {text}")
        };
        let place = table_place(lat, lon);
        let place = Place { lat: place.lat * 100, lon: place.lon * 100 };
        hubs.insert(code, Hub { name, municipality, place, code });
    }
    hubs
}

/// The streets as far as they are built: routes that take the same way share its stops.
struct Streets {
    hubs: BTreeMap<&'static str, Hub>,
    avenues: Vec<&'static str>,
    crossings: Vec<&'static str>,
    endings: Vec<&'static str>,
    /// Two hubs -> the stops of both directions, the second in its own order.
    ways: BTreeMap<(String, String), [Vec<u32>; 2]>,
    /// Hub and berth -> stop.
    berths: BTreeMap<(String, u32), u32>,
}

impl Streets {
    fn hub(&self, code: &str) -> &Hub {
        self.hubs.get(code).expect("every hub of a route stands in the table of hubs")
    }

    /// The way along `path`; at its ends the route has its own berth, in between one on each side of the street.
    fn way(&mut self, network: &mut Network, path: &[&str], route: u32) -> Way {
        let last = path.len() - 1;
        let [mut outbound, mut inbound] = [Vec::new(), Vec::new()];
        for (position, &code) in path.iter().enumerate() {
            if position > 0 {
                let [there, _] = self.street(network, path[position - 1], code);
                outbound.extend(there);
                let [back, _] = self.street(network, path[last + 1 - position], path[last - position]);
                inbound.extend(back);
            }
            let is_end = position == 0 || position == last;
            let berth = |direction| if is_end { 2 + route % 3 } else { direction };
            outbound.push(self.berth(network, code, berth(0)));
            inbound.push(self.berth(network, path[last - position], berth(1)));
        }
        Way { outbound, inbound }
    }

    fn berth(&mut self, network: &mut Network, code: &str, berth: u32) -> u32 {
        if let Some(&stop) = self.berths.get(&(code.to_owned(), berth)) {
            return stop;
        }
        let id = network.next_bus_stop_id();
        let hub = self.hub(code);
        let shift = berth as i32 * 60 - 120;
        let place = Place { lat: hub.place.lat + shift, lon: hub.place.lon + shift };
        let stop = Stop {
            parent: network.stations.get(hub.name).copied(),
            platform: format!("Berth {}", berth + 1),
            checkpoint: hub.code.to_owned(),
            ..plain_stop(id, hub.name, place, Mode::Bus, hub.municipality)
        };
        let stop = network.add_stop(stop);
        self.berths.insert((code.to_owned(), berth), stop);
        stop
    }

    /// The stops between two hubs, there and back.
    fn street(&mut self, network: &mut Network, from: &str, to: &str) -> [Vec<u32>; 2] {
        let key = (from.min(to).to_owned(), from.max(to).to_owned());
        if !self.ways.contains_key(&key) {
            let built = self.build_street(network, &key.0, &key.1);
            self.ways.insert(key.clone(), built);
        }
        let [there, back] = self.ways[&key].clone();
        if from <= to { [there, back] } else { [back, there] }
    }

    fn build_street(&self, network: &mut Network, from: &str, to: &str) -> [Vec<u32>; 2] {
        let (from, to) = (self.hub(from), self.hub(to));
        let metres = from.place.metres_to(to.place);
        let places = stop_distances(metres);
        let bend = network.random.between(0, 160) as i32 - 80;
        let mut avenue = *network.random.pick(&self.avenues);
        let [mut there, mut back] = [Vec::new(), Vec::new()];
        for (position, &distance) in places.iter().enumerate() {
            if position % 6 == 5 {
                avenue = *network.random.pick(&self.avenues);
            }
            let ending = *network.random.pick(&self.endings);
            let crossing = format!("{} {ending}", network.random.pick(&self.crossings));
            let place = bent(from.place, to.place, distance, metres, bend);
            let municipality = if distance * 2 < metres { from.municipality } else { to.municipality };
            let is_checkpoint = position % 3 == 1;
            let mut add = |side: i32, word: &str| {
                let place = Place { lat: place.lat + side * 70, lon: place.lon - side * 70 };
                let id = network.next_bus_stop_id();
                let checkpoint = if is_checkpoint { short_code(&[avenue, &crossing]) } else { String::new() };
                network.add_stop(Stop {
                    on_street: avenue.to_owned(),
                    at_street: crossing.clone(),
                    checkpoint,
                    ..plain_stop(id, &format!("{avenue} {word} {crossing}"), place, Mode::Bus, municipality)
                })
            };
            there.push(add(1, "@"));
            back.push(add(-1, "opp"));
        }
        back.reverse();
        [there, back]
    }
}

/// Metres from the first hub to each stop between two hubs.
fn stop_distances(metres: u32) -> Vec<u32> {
    let count = metres / STOP_SPACING_METRES;
    if metres < EXPRESS_METRES {
        return (1..count).map(|stop| metres * stop / count).collect();
    }
    let near = (1..=EXPRESS_STOPS).map(|stop| stop * STOP_SPACING_METRES);
    let far = (1..=EXPRESS_STOPS).rev().map(|stop| metres - stop * STOP_SPACING_METRES);
    near.chain(far).collect()
}

/// A place on a street that bends to one side: streets are not straight.
fn bent(from: Place, to: Place, distance: u32, metres: u32, bend: i32) -> Place {
    let (part, whole) = (distance as i32, metres.max(1) as i32);
    let straight = from.toward(to, part, whole);
    let along = Place { lat: straight.lat + to.lat - from.lat, lon: straight.lon + to.lon - from.lon };
    let thousandths =
        i64::from(bend) * i64::from(part) * i64::from(whole - part) * 4 / (i64::from(whole) * i64::from(whole)).max(1);
    straight.beside(along, thousandths as i32)
}
