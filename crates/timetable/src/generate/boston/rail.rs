//! Rail and water lines become stations, platforms and routes.

use std::collections::BTreeMap;

use super::network::{Days, Network, RoutePlan, Way, plain_stop, table_place};
use super::rail_lines::{LINES, Line};
use crate::generate::city::{Mode, Place, Route, Stop};

/// Which platforms of a station a line uses: those of its mode and colour, so that the branches of the Green Line
/// share theirs.
type PlatformKey = (u32, &'static str, u8);

/// Adds all lines.
pub(super) fn add_lines(network: &mut Network) {
    let mut platforms = BTreeMap::new();
    for line in LINES {
        let ways = line.branches.lines().map(|branch| way(network, line, branch, &mut platforms)).collect();
        network.plans.push(RoutePlan {
            route: route(line),
            group: line.group,
            weekday_trips: line.weekday_trips,
            days: Days::All,
            ways,
        });
    }
}

fn route(line: &Line) -> Route {
    let trip_id_prefix = match line.mode {
        Mode::CommuterRail => "CR-".to_owned(),
        Mode::Ferry => format!("{}-", line.id),
        _ => String::new(),
    };
    let short_name = match line.id.strip_prefix("Green-") {
        Some(branch) => branch.to_owned(),
        None => String::new(),
    };
    let description = match line.mode {
        Mode::CommuterRail => "Regional Rail",
        Mode::Ferry => "Ferry",
        _ => "Rapid Transit",
    };
    Route {
        id: line.id.to_owned(),
        short_name,
        long_name: line.name.to_owned(),
        description: description.to_owned(),
        mode: line.mode,
        color: line.color,
        text_color: "FFFFFF",
        trip_id_prefix,
        block_id_prefix: format!("{}-", line.id),
    }
}

fn way(network: &mut Network, line: &'static Line, branch: &str, platforms: &mut BTreeMap<PlatformKey, u32>) -> Way {
    let stations = stations(network, line, branch);
    let metres: Vec<u32> = stations
        .iter()
        .scan((network.place(stations[0]), 0), |(last, sum), &station| {
            *sum += last.metres_to(network.place(station));
            *last = network.place(station);
            Some(*sum)
        })
        .collect();
    let mut side = |direction: u8| -> Vec<u32> {
        let places = stations.iter().zip(&metres);
        places.map(|(&station, &metres)| platform(network, line, station, metres, direction, platforms)).collect()
    };
    let outbound = side(0);
    let inbound = side(1).into_iter().rev().collect();
    Way { outbound, inbound }
}

/// The stations of a branch; those without a place of their own lie evenly between their neighbours that have one.
fn stations(network: &mut Network, line: &Line, branch: &str) -> Vec<u32> {
    let known: Vec<(&str, Option<Place>)> = branch
        .split('|')
        .map(|text| match text.split_once('@') {
            Some((name, place)) => {
                let (lat, lon) = place.split_once(',').expect("a place has two numbers");
                let place = table_place(lat, lon);
                (name, Some(Place { lat: place.lat * 100, lon: place.lon * 100 }))
            }
            None => (text, network.stations.get(text).map(|&station| network.place(station))),
        })
        .collect();
    let place_at = |position: usize| {
        let before = (0..=position).rev().find_map(|at| known[at].1.map(|place| (at, place)));
        let after = (position..known.len()).find_map(|at| known[at].1.map(|place| (at, place)));
        let (before, after) = before.zip(after).expect("both ends of a branch have places");
        let whole = (after.0 - before.0).max(1);
        before.1.toward(after.1, (position - before.0) as i32, whole as i32)
    };
    (0..known.len()).map(|position| network.station(known[position].0, place_at(position), line.mode, "")).collect()
}

fn platform(
    network: &mut Network,
    line: &'static Line,
    station: u32,
    metres: u32,
    direction: u8,
    platforms: &mut BTreeMap<PlatformKey, u32>,
) -> u32 {
    // Single-tracked stations of the commuter rail and docks have one platform for both directions.
    let is_single =
        line.mode == Mode::Ferry || (line.mode == Mode::CommuterRail && metres > 0 && metres.is_multiple_of(3));
    let direction = if is_single { 0 } else { direction };
    let key = (station, if line.mode == Mode::CommuterRail { "CR" } else { line.color }, direction);
    if let Some(&platform) = platforms.get(&key) {
        return platform;
    }
    let name = network.stops[station as usize].name.clone();
    let hundredths_of_miles = metres * 100 / 1609;
    let base = match (line.mode, name.as_str()) {
        (Mode::CommuterRail, "South Station") => "NEC-2287".to_owned(),
        (Mode::CommuterRail, "North Station") => "BNT-0000".to_owned(),
        (Mode::CommuterRail, _) => format!("{}-{hundredths_of_miles:04}", line.platform_prefix),
        (Mode::Ferry, _) => format!("Boat-{}", name.split([',', ' ']).next().unwrap_or_default()),
        _ => network.next_platform_id(),
    };
    let mut id = match line.mode {
        Mode::CommuterRail if !is_single => format!("{base}-{:02}", direction + 1),
        _ => base.clone(),
    };
    if network.stops.iter().any(|stop| stop.id == id) {
        id = format!("{id}-{}", name.split(' ').next_back().unwrap_or_default());
    }
    let platform = add_platform(network, line, station, id, direction);
    // Where trains turn back they use whichever track is free.
    let track_count = match (line.mode, name.as_str()) {
        (Mode::CommuterRail, "South Station" | "North Station") => 10,
        (Mode::CommuterRail, _) if !is_single => 2,
        (Mode::Subway | Mode::LightRail, _) if metres == 0 => 1,
        _ => 0,
    };
    let others = (0..track_count).map(|track| {
        let id = match line.mode {
            Mode::CommuterRail => format!("{base}-{:02}", 3 + 2 * track + direction),
            _ => network.next_platform_id(),
        };
        add_platform(network, line, station, id, direction)
    });
    let others = others.collect();
    network.tracks.insert(platform, others);
    platforms.insert(key, platform);
    platform
}

fn add_platform(network: &mut Network, line: &Line, station: u32, id: String, direction: u8) -> u32 {
    let parent = network.stops[station as usize].clone();
    let shift = if direction == 0 { 40 } else { -40 };
    let place = Place { lat: parent.place.lat + shift, lon: parent.place.lon - shift };
    let checkpoint = match line.mode {
        Mode::Subway | Mode::LightRail => super::network::short_code(&[&parent.name]),
        _ => String::new(),
    };
    let platform = match line.mode {
        Mode::CommuterRail => id.rsplit('-').next().map(|track| format!("Track {track}")).unwrap_or_default(),
        _ => line.name.to_owned(),
    };
    network.add_stop(Stop {
        parent: Some(station),
        platform,
        checkpoint,
        ..plain_stop(id, &parent.name, place, line.mode, &parent.municipality)
    })
}
