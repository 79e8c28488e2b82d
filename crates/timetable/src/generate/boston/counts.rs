//! How many: trips for each pattern and runs for each pattern, so that the feed's totals are exact.

use std::ops::RangeInclusive;

use super::variants::Draft;
use crate::generate::share::{Claim, share};

/// The size of a feed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Totals {
    pub(super) trips: u32,
    pub(super) stop_times: u32,
    pub(super) patterns: u32,
    pub(super) runs: u32,
    pub(super) run_elements: u32,
}

/// Runs that one pattern has at most.
const RUNS_MAX: u32 = 40;

/// A pattern this short has few runs in whole minutes that differ.
const SHORT_PATTERN: usize = 6;
const SHORT_PATTERN_RUNS_MAX: u32 = 4;

/// Trips of each pattern: the trips of its route by weight, then moved between patterns of one route until all stop
/// times together are exactly `totals.stop_times`.
pub(super) fn pattern_trips(drafts: &[Draft], route_trips: &[u32], totals: Totals) -> Vec<u32> {
    let mut counts = Vec::with_capacity(drafts.len());
    for of_route in drafts.chunk_by(|a, b| a.pattern.route == b.pattern.route) {
        let claims: Vec<Claim> =
            of_route.iter().map(|draft| Claim { weight: draft.weight, min: 1, max: u32::MAX }).collect();
        counts.extend(share(route_trips[of_route[0].pattern.route as usize], &claims));
    }
    let lengths: Vec<usize> = drafts.iter().map(|draft| draft.pattern.stops.len()).collect();
    let spans: Vec<(usize, usize)> = drafts
        .chunk_by(|a, b| a.pattern.route == b.pattern.route)
        .scan(0, |first, of_route| {
            *first += of_route.len();
            Some((*first - of_route.len(), *first))
        })
        .collect();
    let sum: i64 = counts.iter().zip(&lengths).map(|(&trips, &length)| i64::from(trips) * length as i64).sum();
    let mut missing = i64::from(totals.stop_times) - sum;
    while missing != 0 {
        let before = missing;
        for &(first, end) in &spans {
            if let Some((from, to, gain)) = best_move(&lengths[first..end], &counts[first..end], missing) {
                counts[first + from] -= 1;
                counts[first + to] += 1;
                missing -= gain;
            }
        }
        assert!(missing != before, "{missing} stop times are left over and no trip can make up for them");
    }
    counts
}

/// Which pattern of a route can give a trip to which other, and what that changes: as much of `missing` as is possible,
/// but a few stops only, so that no pattern is used up.
fn best_move(lengths: &[usize], counts: &[u32], missing: i64) -> Option<(usize, usize, i64)> {
    let most = missing.abs().min(9);
    let pairs = (0..lengths.len()).flat_map(|from| (0..lengths.len()).map(move |to| (from, to)));
    pairs
        .filter(|&(from, _)| counts[from] > 3)
        .map(|(from, to)| (from, to, lengths[to] as i64 - lengths[from] as i64))
        .filter(|&(_, _, gain)| gain.signum() == missing.signum() && gain.abs() <= most)
        .max_by_key(|&(from, _, gain)| (gain.abs(), counts[from]))
}

/// Runs of each pattern: more for those with more trips, then moved from short patterns to long ones or back until
/// the elements of all runs are near `totals.run_elements`.
pub(super) fn pattern_runs(drafts: &[Draft], trips: &[u32], totals: Totals) -> Vec<u32> {
    let max = |pattern: usize| {
        let is_short = drafts[pattern].pattern.stops.len() < SHORT_PATTERN;
        trips[pattern].min(if is_short { SHORT_PATTERN_RUNS_MAX } else { RUNS_MAX })
    };
    let claims: Vec<Claim> = trips
        .iter()
        .enumerate()
        .map(|(pattern, &trips)| Claim { weight: u64::from(trips).isqrt(), min: 1, max: max(pattern) })
        .collect();
    let mut runs = share(totals.runs, &claims);
    let length = |pattern: usize| drafts[pattern].pattern.stops.len() as u32;
    let mut by_length: Vec<usize> = (0..drafts.len()).collect();
    by_length.sort_by_key(|&pattern| length(pattern));
    let near = near(totals.run_elements);
    let mut elements: u32 = runs.iter().enumerate().map(|(pattern, &runs)| runs * length(pattern)).sum();
    while !near.contains(&elements) {
        if elements > *near.end() {
            by_length.reverse();
        }
        let giver = by_length.iter().copied().find(|&pattern| runs[pattern] > 1);
        let taker = by_length.iter().rev().copied().find(|&pattern| runs[pattern] < max(pattern));
        let (giver, taker) = giver.zip(taker).expect("long patterns have room for more runs");
        assert!(length(giver) != length(taker), "all runs that can move have the same length");
        runs[giver] -= 1;
        runs[taker] += 1;
        elements = elements + length(taker) - length(giver);
        by_length.sort_by_key(|&pattern| length(pattern));
    }
    runs
}

/// What is near enough: within half a percent, which is wider than one move reaches.
fn near(elements: u32) -> RangeInclusive<u32> {
    elements - elements / 200..=elements + elements / 200
}
