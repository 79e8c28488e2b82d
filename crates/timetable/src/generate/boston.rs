//! Boston as the MBTA's feed has it: its routes and their shares of the trips are real, the stops between are composed.
//!
//! The flow: `network` (stops, routes and their ways) -> `variants` (stop patterns) -> `counts` (how many trips and
//! runs each has) -> `schedule` (which services, when, how fast).

mod bus;
mod bus_routes;
mod counts;
mod hubs;
mod network;
mod periods;
mod rail;
mod rail_lines;
mod schedule;
mod services;
mod streets;
mod variants;

use counts::Totals;
use network::Network;
use services::Services;

use super::city::{City, TimesAt};
use super::{PUBLISHER, RunningTimes};

/// Which year's feed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Year {
    /// 1.8 million stop times.
    Y2022,
    /// 5.4 million.
    Y2026,
}

/// The figures of the real feed of 2022, of which patterns, runs and elements are the least, and ours stay within 3 %
/// above: 1,679 patterns, 5,549 runs with 168,209 elements.
const TOTALS_2022: Totals =
    Totals { trips: 71_091, stop_times: 1_790_905, patterns: 1_690, runs: 5_580, run_elements: 170_500 };

/// The same figures, grown as the stop times have: it repeats itself as much as the smaller feed.
const TOTALS_2026: Totals =
    Totals { trips: 214_355, stop_times: 5_400_000, patterns: 5_095, runs: 16_825, run_elements: 514_100 };

/// The whole feed.
pub(super) fn city(year: Year, running_times: RunningTimes, seed: u64) -> City {
    let (totals, seasons) = match year {
        Year::Y2022 => (TOTALS_2022, services::SEASONS_2022),
        Year::Y2026 => (TOTALS_2026, services::SEASONS_2026),
    };
    let mut network = Network::new(seed);
    rail::add_lines(&mut network);
    bus::add_routes(&mut network);
    let mut groups: Vec<char> = network.plans.iter().map(|plan| plan.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let services = Services::new(seasons, &groups);
    let route_trips = schedule::route_trips(&network.plans, &services, totals.trips);
    let drafts = variants::draft_patterns(&mut network, totals.patterns, &route_trips, seed);
    let pattern_trips = counts::pattern_trips(&drafts, &route_trips, totals);
    let pattern_runs = counts::pattern_runs(&drafts, &pattern_trips, totals);
    let (runs, trips) =
        schedule::schedule(&network, &services, &drafts, &pattern_trips, &pattern_runs, running_times, seed);
    let version = match year {
        Year::Y2022 => "Summer and Fall 2022",
        Year::Y2026 => "Fall 2025 to Winter 2027",
    };
    let (first_date, last_date) = services::period(seasons);
    City {
        agency: [
            "1",
            "MBTA",
            "https://www.mbta.com",
            "America/New_York",
            "EN",
            "617-222-3200",
            "https://www.mbta.com/fares",
        ],
        feed_info: vec![
            PUBLISHER.to_owned(),
            "https://www.mbta.com".to_owned(),
            "EN".to_owned(),
            first_date.to_string(),
            last_date.to_string(),
            format!("{version}, generated with seed {seed}"),
            "generated".to_owned(),
        ],
        stops: network.stops,
        routes: network.plans.into_iter().map(|plan| plan.route).collect(),
        services: services.all,
        patterns: drafts.into_iter().map(|draft| draft.pattern).collect(),
        runs,
        own_times_seed: match running_times {
            RunningTimes::ByPeriod => None,
            RunningTimes::Random => Some(seed),
        },
        trips,
        frequencies: Vec::new(),
        times_at: TimesAt::EveryStop,
    }
}
