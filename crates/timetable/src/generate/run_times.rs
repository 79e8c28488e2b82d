//! Running times: how long a trip takes from stop to stop.

use std::collections::HashSet;

use super::city::{Mode, Stop, Times};
use super::random::{Random, mix};

/// Seconds from each stop to the next by day without traffic, from the distance between them.
pub(super) fn hop_seconds(stops: &[Stop], pattern_stops: &[u32], mode: Mode) -> Vec<u32> {
    let place = |stop: u32| stops[stop as usize].place;
    let hop = |pair: &[u32]| {
        let metres = place(pair[0]).metres_to(place(pair[1])).max(60);
        // Speed in tenths of a metre per second, and what slowing down and starting again cost.
        let (speed, stopping_s) = match (mode, metres) {
            (Mode::Bus, 0..2_000) => (62, 14),
            (Mode::Bus, _) => (135, 60),
            (Mode::LightRail, _) => (75, 25),
            (Mode::Subway, _) => (125, 30),
            (Mode::CommuterRail, _) => (190, 70),
            (Mode::Ferry, _) => (80, 300),
            (Mode::Funicular, _) => (30, 20),
        };
        metres * 10 / speed + stopping_s
    };
    pattern_stops.windows(2).map(hop).collect()
}

/// The runs so far, so that no two are alike in the whole feed.
///
/// It keeps 64-bit hashes: two of them differ only if the runs do, and when they agree by chance a run is drawn again
/// without need.
#[derive(Default)]
pub(super) struct DistinctRuns(HashSet<u64>);

impl DistinctRuns {
    /// A run as timetables have it that equals none before: minutes for buses, trains and boats, five seconds for rapid
    /// transit. `pace_percent` says how long it takes compared with the day without traffic.
    pub(super) fn planned(&mut self, hops_s: &[u32], mode: Mode, pace_percent: u32, random: &mut Random) -> Vec<Times> {
        let mut times = Vec::with_capacity(hops_s.len() + 1);
        for draw in 0.. {
            times.clear();
            draw_planned(hops_s, mode, pace_percent, draw, random, &mut times);
            if self.add(&times) {
                break;
            }
        }
        times
    }

    /// A run to the second that equals none before, into `times`.
    pub(super) fn own(&mut self, hops_s: &[u32], random: &mut Random, times: &mut Vec<Times>) {
        loop {
            draw_own(hops_s, random, times);
            if self.add(times) {
                return;
            }
        }
    }

    /// Whether the run is new.
    fn add(&mut self, times: &[Times]) -> bool {
        let hash = times.iter().fold(times.len() as u64, |hash, time| {
            mix(hash ^ (u64::from(time.arrival_s) << 32 | u64::from(time.departure_s)).wrapping_add(0x5851_F42D))
        });
        self.0.insert(hash)
    }
}

const FIRST: Times = Times { arrival_s: 0, departure_s: 0 };

/// `draw` counts from 0: short patterns have few runs in whole minutes, so later draws differ more and last longer.
fn draw_planned(hops_s: &[u32], mode: Mode, pace_percent: u32, draw: u32, random: &mut Random, times: &mut Vec<Times>) {
    times.push(FIRST);
    let spread_percent = (12 + 2 * draw).min(60);
    // Half of the spread is the whole run's, the other half each hop's.
    let whole_percent = pace_percent + random.below(spread_percent + 1) - spread_percent / 2;
    let step_s = if matches!(mode, Mode::Subway | Mode::LightRail | Mode::Funicular) { 5 } else { 60 };
    // Where a bus waits for its time, if it does; trains may wait anywhere.
    let hold = random.below(hops_s.len() as u32 * 8) as usize;
    let (mut exact_s, mut last_s) = (draw / 16 * step_s, 0);
    for (position, &hop_s) in hops_s.iter().enumerate() {
        let percent = whole_percent + random.below(spread_percent + 1) - spread_percent / 2;
        exact_s += hop_s * percent / 100;
        let arrival_s = (exact_s / step_s * step_s).max(last_s);
        let is_last = position + 1 == hops_s.len();
        let dwell_s = match mode {
            _ if is_last => 0,
            Mode::Subway | Mode::LightRail => 20 + 5 * random.below(4),
            Mode::CommuterRail if random.below(6) == 0 => 60,
            Mode::Ferry => 300,
            Mode::Bus if position == hold => 60,
            _ => 0,
        };
        last_s = arrival_s + dwell_s;
        exact_s += dwell_s;
        times.push(Times { arrival_s, departure_s: last_s });
    }
}

fn draw_own(hops_s: &[u32], random: &mut Random, times: &mut Vec<Times>) {
    times.clear();
    times.push(FIRST);
    let mut last_s = 0;
    for &hop_s in hops_s {
        let arrival_s = last_s + hop_s * random.between(70, 150) / 100 + random.below(10);
        last_s = arrival_s + random.below(45);
        times.push(Times { arrival_s, departure_s: last_s });
    }
}
