//! Stop patterns: the full ways of a route, and the variants that part of its trips take.

use std::collections::HashSet;

use super::network::{Network, plain_stop};
use super::streets::SIDE_TRIPS;
use crate::generate::city::{Mode, Pattern, Place};
use crate::generate::random::Random;
use crate::generate::share::{Claim, share};

/// How much of a route's trips take one of its full ways, in relation to its first variant.
pub(super) const FULL_WAY_WEIGHT: u64 = 1000;
const VARIANT_WEIGHT: u64 = 400;

/// Draws of a new variant before another route gets its turn instead: the shortest ways have hardly any variants.
const DRAWS_MAX: u32 = 40;

/// A pattern and what part of its route's trips take it.
pub(super) struct Draft {
    pub(super) pattern: Pattern,
    pub(super) weight: u64,
}

/// Exactly `pattern_count` patterns, all with stop sequences of their own, grouped by route.
///
/// `trip_counts` has the trips of each route, which are at least three for each pattern.
pub(super) fn draft_patterns(network: &mut Network, pattern_count: u32, trip_counts: &[u32], seed: u64) -> Vec<Draft> {
    let mut drafts: Vec<RouteDraft> = (0..network.plans.len()).map(|route| RouteDraft::new(network, route)).collect();
    let claims: Vec<Claim> = drafts
        .iter()
        .zip(trip_counts)
        .map(|(draft, &trips)| {
            let min = draft.patterns.len() as u32;
            Claim { weight: u64::from(trips).isqrt(), min, max: (trips / 3).max(min) }
        })
        .collect();
    let mut known: HashSet<Vec<u32>> = HashSet::new();
    for draft in &drafts {
        known.extend(draft.patterns.iter().map(|pattern| pattern.stops.clone()));
    }
    let mut missing = 0;
    for (route, count) in share(pattern_count, &claims).into_iter().enumerate() {
        let mut random = Random::new(seed, 1_000 + route as u64);
        while (drafts[route].patterns.len() as u32) < count {
            if !drafts[route].add_variant(network, &mut known, &mut random) {
                missing += count - drafts[route].patterns.len() as u32;
                break;
            }
        }
    }
    let mut random = Random::new(seed, 999);
    while missing > 0 {
        let route = random.below(drafts.len() as u32) as usize;
        let has_room = (drafts[route].patterns.len() as u32) < claims[route].max;
        if has_room && drafts[route].add_variant(network, &mut known, &mut random) {
            missing -= 1;
        }
    }
    drafts.into_iter().flat_map(|draft| draft.into_drafts(network)).collect()
}

/// The patterns of one route as they come to be.
struct RouteDraft {
    route: usize,
    full_count: usize,
    patterns: Vec<Pattern>,
    /// Places off the way that variants serve: where along the way, in thousandths, and their stops.
    side_trips: Vec<(usize, Vec<u32>)>,
}

impl RouteDraft {
    fn new(network: &Network, route: usize) -> Self {
        let mut draft = Self { route, full_count: 0, patterns: Vec::new(), side_trips: Vec::new() };
        for way in &network.plans[route].ways {
            draft.push(network, 0, way.outbound.clone(), String::new());
            draft.push(network, 1, way.inbound.clone(), String::new());
        }
        draft.full_count = draft.patterns.len();
        draft
    }

    fn push(&mut self, network: &Network, direction: u8, stops: Vec<u32>, via: String) {
        let headsign = network.headsign(*stops.last().expect("a way has stops"));
        let plan = &network.plans[self.route];
        let ordinal = self.patterns.len() + 1;
        let shape_id = match plan.route.mode {
            Mode::Bus => format!("{:0>2}{ordinal:04}", plan.route.id),
            _ => format!("98{:02}{ordinal:04}", self.route),
        };
        self.patterns.push(Pattern { route: self.route as u32, direction, stops, headsign, via, shape_id });
    }

    /// Adds a variant of one of the full ways; false when none was found that is not `known`.
    fn add_variant(&mut self, network: &mut Network, known: &mut HashSet<Vec<u32>>, random: &mut Random) -> bool {
        for _ in 0..DRAWS_MAX {
            let full = &self.patterns[random.below(self.full_count as u32) as usize];
            let (direction, mut stops) = (full.direction, full.stops.clone());
            let mut via = String::new();
            // One change in most variants, two in some.
            for _ in 0..=random.below(10) / 7 {
                match network.plans[self.route].route.mode {
                    Mode::Bus => match random.below(100) {
                        0..35 => turn_short(&mut stops, random),
                        35..75 => via = self.turn_aside(network, &mut stops, direction, random),
                        _ => skip_stretch(&mut stops, random),
                    },
                    Mode::Ferry => skip_one(&mut stops, random),
                    _ => match random.below(100) {
                        0..50 => change_track(network, &mut stops, random),
                        50..70 => turn_short(&mut stops, random),
                        _ => skip_one(&mut stops, random),
                    },
                }
            }
            if stops.len() >= 2 && known.insert(stops.clone()) {
                self.push(network, direction, stops, via);
                return true;
            }
        }
        false
    }

    /// Serves a place off the way, and gives its name.
    fn turn_aside(
        &mut self,
        network: &mut Network,
        stops: &mut Vec<u32>,
        direction: u8,
        random: &mut Random,
    ) -> String {
        let is_new = self.side_trips.len() < 6 && random.below(2) == 0;
        if is_new || self.side_trips.is_empty() {
            let thousandths = random.between(100, 900) as usize;
            let beside = self.patterns[0].stops[self.patterns[0].stops.len() * thousandths / 1000];
            self.side_trips.push((thousandths, side_stops(network, beside, random)));
        }
        let (thousandths, side) = random.pick(&self.side_trips);
        let along = if direction == 0 { *thousandths } else { 1000 - thousandths };
        let place = (stops.len() * along / 1000).clamp(1, stops.len() - 1);
        stops.splice(place..place, side.iter().copied());
        let headsign = network.headsign(stops[stops.len() - 1]);
        format!("{headsign} via {}", network.stops[side[0] as usize].name)
    }

    fn into_drafts(self, network: &Network) -> Vec<Draft> {
        let full_count = self.full_count;
        let is_rail = network.plans[self.route].route.mode != Mode::Bus;
        let weight = |ordinal: usize| match ordinal.checked_sub(full_count) {
            None => FULL_WAY_WEIGHT,
            // Rail variants are mostly tracks, of which none is much rarer than another.
            Some(_) if is_rail => VARIANT_WEIGHT / 2,
            Some(rank) => VARIANT_WEIGHT / (rank as u64 + 1),
        };
        let patterns = self.patterns.into_iter().enumerate();
        patterns.map(|(ordinal, pattern)| Draft { pattern, weight: weight(ordinal) }).collect()
    }
}

/// One to three new stops beside `beside`: the grounds of a school or a plaza.
fn side_stops(network: &mut Network, beside: u32, random: &mut Random) -> Vec<u32> {
    let near = network.stops[beside as usize].clone();
    let side_trips: Vec<&str> = SIDE_TRIPS.split('|').collect();
    let name = format!("{} {}", near.municipality, random.pick(&side_trips));
    (0..random.between(1, 3))
        .map(|count| {
            let shift = 900 * (count as i32 + 1);
            let place = Place { lat: near.place.lat + shift, lon: near.place.lon + shift / 2 };
            let name = match count {
                0 => name.clone(),
                1 => format!("{name} Rear Entrance"),
                _ => format!("{name} Driveway"),
            };
            let id = network.next_bus_stop_id();
            network.add_stop(plain_stop(id, &name, place, Mode::Bus, &near.municipality))
        })
        .collect()
}

/// Begins late or ends early, by at most a third of the way.
fn turn_short(stops: &mut Vec<u32>, random: &mut Random) {
    let cut = random.between(1, (stops.len() as u32 / 3).max(1)) as usize;
    if stops.len() < cut + 3 {
        return;
    }
    if random.below(2) == 0 {
        stops.drain(..cut);
    } else {
        stops.truncate(stops.len() - cut);
    }
}

/// Passes two to six stops one after another, as limited buses do.
fn skip_stretch(stops: &mut Vec<u32>, random: &mut Random) {
    let count = random.between(2, 6) as usize;
    if stops.len() > count + 3 {
        let first = random.between(1, (stops.len() - count - 1) as u32) as usize;
        stops.drain(first..first + count);
    }
}

/// Passes one stop between the ends.
fn skip_one(stops: &mut Vec<u32>, random: &mut Random) {
    if stops.len() > 3 {
        stops.remove(random.between(1, stops.len() as u32 - 2) as usize);
    }
}

/// Uses another track at the first, the last or a middle station that has several.
fn change_track(network: &Network, stops: &mut [u32], random: &mut Random) {
    let last = stops.len() - 1;
    let position = match random.below(3) {
        0 => 0,
        1 => last,
        _ => random.below(last as u32 + 1) as usize,
    };
    if let Some(tracks) = network.tracks.get(&stops[position]).filter(|tracks| !tracks.is_empty()) {
        stops[position] = *random.pick(tracks);
    }
}
