//! Trips: which services they belong to, when they start, how fast they run, which vehicle serves them.

use super::network::{Network, RoutePlan};
use super::periods::{Period, periods};
use super::services::Services;
use super::variants::{Draft, FULL_WAY_WEIGHT};
use crate::generate::RunningTimes;
use crate::generate::city::{Mode, Times, Trip};
use crate::generate::random::Random;
use crate::generate::run_times::{DistinctRuns, hop_seconds};
use crate::generate::share::{Claim, share};

/// A trip's first number: MBTA's have eight digits.
const FIRST_TRIP_NUMBER: u32 = 52_000_000;
/// Those of commuter rail have six.
const FIRST_TRAIN_TRIP_NUMBER: u32 = 553_000;

/// The trips of each route, `total` together: its trips of a weekday, over all services that it has.
pub(super) fn route_trips(plans: &[RoutePlan], services: &Services, total: u32) -> Vec<u32> {
    let claim = |plan: &RoutePlan| {
        let weight = |period: &Period| period.weight * services.of(plan.group, period.day).len() as u64;
        let weight: u64 = periods(plan.days).iter().map(weight).sum();
        Claim { weight: weight * u64::from(plan.weekday_trips), min: 8, max: u32::MAX }
    };
    share(total, &plans.iter().map(claim).collect::<Vec<_>>())
}

/// The runs (none when every trip has its own times), and all trips in the order of trips.txt.
pub(super) fn schedule(
    network: &Network,
    services: &Services,
    drafts: &[Draft],
    pattern_trips: &[u32],
    pattern_runs: &[u32],
    running_times: RunningTimes,
    seed: u64,
) -> (Vec<Vec<Times>>, Vec<Trip>) {
    let mut distinct = DistinctRuns::default();
    let mut runs = Vec::new();
    // What a slow trip of each pattern takes: a third longer than by day without traffic.
    let mut durations_s: Vec<u32> = Vec::with_capacity(drafts.len());
    let mut trips: Vec<Trip> = Vec::with_capacity(pattern_trips.iter().sum::<u32>() as usize);
    let mut first_of_route = 0;
    for (pattern, draft) in drafts.iter().enumerate() {
        let plan = &network.plans[draft.pattern.route as usize];
        let mut random = Random::new(seed, 10_000 + pattern as u64);
        let hops_s = hop_seconds(&network.stops, &draft.pattern.stops, plan.route.mode);
        durations_s.push(hops_s.iter().sum::<u32>() * 4 / 3);
        // Full ways run in the busiest periods at least; a rare variant may be one of a Sunday night.
        let first_period = if draft.weight >= FULL_WAY_WEIGHT { 0 } else { random.below(14) as usize };
        let periods = run_periods(plan, services, pattern_runs[pattern], first_period);
        let weight = |period: &Period| {
            let weight = period.weight * services.of(plan.group, period.day).len() as u64;
            Claim { weight: weight.max(1), min: 1, max: u32::MAX }
        };
        let counts = share(pattern_trips[pattern], &periods.iter().map(weight).collect::<Vec<_>>());
        for (period, count) in periods.iter().zip(counts) {
            let run = runs.len() as u32;
            if running_times == RunningTimes::ByPeriod {
                runs.push(distinct.planned(&hops_s, plan.route.mode, period.pace_percent, &mut random));
            }
            let of_day = services.of(plan.group, period.day);
            let starts = starts(period, count, of_day, running_times, &mut random);
            let pattern = pattern as u32;
            trips.extend(starts.into_iter().map(|(service, start_s)| Trip {
                pattern,
                run,
                service,
                start_s,
                number: 0,
                train: 0,
                block: 0,
            }));
        }
        let is_last_of_route = drafts.get(pattern + 1).is_none_or(|next| next.pattern.route != draft.pattern.route);
        if is_last_of_route {
            let direction = |trip: &Trip| drafts[trip.pattern as usize].pattern.direction;
            let mode = plan.route.mode;
            finish_route(&mut trips[first_of_route..], draft.pattern.route, mode, &durations_s, direction);
            first_of_route = trips.len();
        }
    }
    number_trips(&mut trips, network, drafts, services.all.len());
    (runs, trips)
}

/// The periods of a pattern's runs, from `first_period` of its route's days on. When there are more runs than periods,
/// a period is parted among them.
fn run_periods(plan: &RoutePlan, services: &Services, run_count: u32, first_period: usize) -> Vec<Period> {
    let mut of_route = periods(plan.days);
    of_route.retain(|period| !services.of(plan.group, period.day).is_empty());
    let period_count = of_route.len();
    of_route.rotate_left(first_period % period_count);
    let run_count = run_count as usize;
    let mut periods = Vec::with_capacity(run_count);
    for (position, period) in of_route.iter().enumerate().take(run_count) {
        let parts = ((run_count - position - 1) / of_route.len() + 1) as u32;
        let minutes = period.end_minute - period.first_minute;
        periods.extend((0..parts).map(|part| Period {
            first_minute: period.first_minute + minutes * part / parts,
            end_minute: period.first_minute + minutes * (part + 1) / parts,
            weight: (period.weight * 10 / u64::from(parts)).max(1),
            ..*period
        }));
    }
    periods
}

/// Service and start of `count` trips: evenly over the period, and alike in all services of those days.
fn starts(
    period: &Period,
    count: u32,
    of_day: &[u32],
    running_times: RunningTimes,
    random: &mut Random,
) -> Vec<(u32, u32)> {
    let service_count = of_day.len() as u32;
    let slots = count.div_ceil(service_count);
    let seconds = (period.end_minute - period.first_minute) * 60;
    let (phase_s, first_service) = (random.below(seconds / slots), random.below(service_count));
    (0..count)
        .map(|trip| {
            let start_s = period.first_minute * 60 + (trip / service_count) * seconds / slots + phase_s;
            let start_s = match running_times {
                RunningTimes::ByPeriod => start_s / 60 * 60,
                RunningTimes::Random => start_s / 60 * 60 + random.below(60),
            };
            (of_day[((trip + first_service) % service_count) as usize], start_s)
        })
        .collect()
}

/// Gives the trips of a route their vehicles and puts them in order: by service, direction and start.
fn finish_route(trips: &mut [Trip], route: u32, mode: Mode, durations_s: &[u32], direction: impl Fn(&Trip) -> u8) {
    trips.sort_by_key(|trip| (trip.service, trip.start_s, direction(trip), trip.pattern, trip.run));
    for of_service in trips.chunk_by_mut(|a, b| a.service == b.service) {
        // When each vehicle is free again.
        let mut free_s: Vec<u32> = Vec::new();
        for (position, trip) in of_service.iter_mut().enumerate() {
            let vehicle = free_s.iter().position(|&free_s| free_s <= trip.start_s).unwrap_or(free_s.len());
            if vehicle == free_s.len() {
                free_s.push(0);
            }
            // Five minutes are for the driver.
            free_s[vehicle] = trip.start_s + durations_s[trip.pattern as usize] + 300;
            trip.block = vehicle as u32 + 1;
            if mode == Mode::CommuterRail {
                trip.train = (route + 1) * 100 + 2 * position as u32 + u32::from(direction(trip));
            }
        }
    }
    trips.sort_by_key(|trip| (trip.service, direction(trip), trip.start_s));
}

/// Gives the trips their numbers: each service has a span of its own, with gaps, as in MBTA's feed.
fn number_trips(trips: &mut [Trip], network: &Network, drafts: &[Draft], service_count: usize) {
    let mut counts = vec![0u32; service_count];
    for trip in trips.iter() {
        counts[trip.service as usize] += 1;
    }
    let mut next: Vec<u32> = counts
        .iter()
        .scan(0, |first, count| {
            *first += count * 3 + 500;
            Some(*first - count * 3)
        })
        .collect();
    for trip in trips {
        let mode = network.plans[drafts[trip.pattern as usize].pattern.route as usize].route.mode;
        let first = match mode {
            Mode::CommuterRail => FIRST_TRAIN_TRIP_NUMBER,
            _ => FIRST_TRIP_NUMBER,
        };
        let number = &mut next[trip.service as usize];
        trip.number = first + *number;
        *number += 1 + trip.start_s / 60 % 3;
    }
}
