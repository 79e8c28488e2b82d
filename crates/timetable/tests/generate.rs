//! Generated feeds hold what they promise: exact totals, the challenge's routes, no dangling references, same bytes for
//! the same seed.

#![allow(clippy::unwrap_used, reason = "clippy knows test functions, but not the helpers beside them")]

mod generated;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use generated::{Facts, Feed};
use timetable::generate::{FILE_NAMES, Like, Recipe, RunningTimes};

fn recipe(like: Like, running_times: RunningTimes, seed: u64) -> Recipe {
    Recipe { like, running_times, seed }
}

static MBTA_2022: LazyLock<Feed> = LazyLock::new(|| Feed::generate(&recipe(Like::Mbta2022, RunningTimes::ByPeriod, 1)));
static MBTA_2022_FACTS: LazyLock<Facts> = LazyLock::new(|| Facts::of(&MBTA_2022));

const MB: u64 = 1_000_000;

/// Every route id of the public challenge's load scripts.
const CHALLENGE_ROUTES: &str = "Mattapan Orange Green-B Green-C Green-D Green-E Blue Red 741 742 743 746 747 749 751 \
    708 CR-Fairmount CR-Fitchburg CR-Worcester CR-Franklin CR-Greenbush CR-Haverhill CR-Kingston CR-Lowell \
    CR-Middleborough CR-Needham CR-Newburyport CR-Providence CR-Foxboro Boat-F1 Boat-F4 Boat-EastBoston 1 4 5 7 8 9 10 \
    11 14 15 16 17 18 19 21 22 23 24 26 28 29 30 31 32 33 34 34E 35 36 37 38 39 40 41 42 43 44 45 47 50 51 52 55 57 59 \
    60 61 62 64 65 66 67 68 69 70 70A 71 72 73 74 75 76 77 78 79 80 83 84 85 627 121 201 202 210 245 351 354";

#[test]
fn mbta_2022_has_exactly_as_many_rows_as_the_real_feed() {
    println!("{}", *MBTA_2022_FACTS);
    assert_eq!(MBTA_2022.row_count("trips.txt"), 71_091);
    assert_eq!(MBTA_2022.row_count("stop_times.txt"), 1_790_905);
    assert_eq!(MBTA_2022.row_count("routes.txt"), 168);
    assert_eq!(MBTA_2022_FACTS.answer_bytes.len(), 168, "a route has no trips");
}

#[test]
fn mbta_2022_has_every_route_of_the_challenge() {
    let routes: BTreeSet<String> = MBTA_2022.column("routes.txt", "route_id").into_iter().collect();
    let missing: Vec<&str> = CHALLENGE_ROUTES.split(' ').filter(|&id| !routes.contains(id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn mbta_2022_repeats_itself_no_more_than_the_real_feed() {
    let within_three_percent_above = |least: usize| least..=least + least * 3 / 100;
    let facts = &*MBTA_2022_FACTS;
    assert_within(facts.patterns.len(), within_three_percent_above(1_650), "patterns");
    assert_within(facts.runs.len(), within_three_percent_above(5_500), "runs");
    assert_within(facts.run_elements(), within_three_percent_above(168_000), "elements of runs");
}

#[test]
fn mbta_2022_is_as_big_as_the_real_feed() {
    let facts = &*MBTA_2022_FACTS;
    assert_within(MBTA_2022.byte_count("stop_times.txt"), 87 * MB..=93 * MB, "bytes of stop_times.txt");
    assert_within(facts.answer_bytes.values().sum(), 132 * MB..=146 * MB, "bytes of all answers");
    let (least, most) = (facts.answer_bytes.values().min(), facts.answer_bytes.values().max());
    assert_within(*least.unwrap(), 9_000..=12_000, "bytes of the smallest answer");
    assert_within(*most.unwrap(), 7_500_000..=7_950_000, "bytes of the largest answer");
}

#[test]
fn mbta_2022_refers_to_nothing_that_is_not_there() {
    assert_clean(&MBTA_2022, &MBTA_2022_FACTS);
    let headers =
        ["trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,\
        timepoint,checkpoint_id,continuous_pickup,continuous_drop_off"];
    assert_eq!(headers, [MBTA_2022.header("stop_times.txt")]);
    assert!(MBTA_2022_FACTS.latest_s > 25 * 3600, "no trip passes midnight");
    let exceptions: BTreeSet<String> = MBTA_2022.column("calendar_dates.txt", "exception_type").into_iter().collect();
    assert_eq!(exceptions, ["1", "2"].map(str::to_owned).into());
}

/// The totals must not be luck of one seed, and neither must the bounds.
#[test]
fn other_seeds_keep_the_figures() {
    for seed in [0, u64::MAX] {
        let feed = Feed::generate(&recipe(Like::Mbta2022, RunningTimes::ByPeriod, seed));
        let facts = Facts::of(&feed);
        println!("seed {seed}: {facts}");
        assert_eq!((facts.trip_count, facts.stop_time_count), (71_091, 1_790_905));
        assert!(facts.patterns.len() >= 1_650 && facts.runs.len() >= 5_500 && facts.run_elements() >= 168_000);
        assert_within(feed.byte_count("stop_times.txt"), 87 * MB..=93 * MB, "bytes of stop_times.txt");
        assert_within(facts.answer_bytes.values().sum(), 132 * MB..=146 * MB, "bytes of all answers");
        assert_eq!(facts.problems, [""; 0]);
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    for (like, running_times) in [
        (Like::Small, RunningTimes::ByPeriod),
        (Like::Small, RunningTimes::Random),
        (Like::Mbta2022, RunningTimes::ByPeriod),
    ] {
        let [first, again, other] = [7, 7, 8].map(|seed| Feed::generate(&recipe(like, running_times, seed)).digest());
        assert_eq!(first, again, "{like:?} {running_times:?}");
        assert_ne!(first, other, "{like:?} {running_times:?}");
    }
}

#[test]
fn random_running_times_are_each_trips_own() {
    for like in [Like::Small, Like::Mbta2022] {
        let facts = Facts::of(&Feed::generate(&recipe(like, RunningTimes::Random, 3)));
        assert_eq!(facts.runs.len(), facts.trip_count, "{like:?}");
        assert!(facts.seconds_seen == 60, "{like:?}: times are rounded");
        assert_eq!(facts.problems, [""; 0]);
    }
}

#[test]
fn mbta_2026_has_5_400_000_stop_times_and_as_much_variety() {
    let feed = Feed::generate(&recipe(Like::Mbta2026, RunningTimes::ByPeriod, 1));
    let facts = Facts::of(&feed);
    println!("{facts}");
    assert_eq!(facts.stop_time_count, 5_400_000);
    assert_eq!(feed.row_count("routes.txt"), 168);
    assert!(facts.stop_time_count < facts.run_elements() * 11, "it repeats itself more than the feed of 2022");
    assert_clean(&feed, &facts);
}

#[test]
fn the_byte_estimate_is_near() {
    for like in [Like::Small, Like::Mbta2022, Like::Mbta2026] {
        let recipe = recipe(like, RunningTimes::ByPeriod, 5);
        let written: u64 = Feed::generate(&recipe).total_bytes();
        let estimate = recipe.byte_estimate();
        assert!(written.abs_diff(estimate) < estimate / 20, "{like:?}: {written} bytes, estimated {estimate}");
    }
}

#[test]
fn the_built_in_city_has_every_file_and_boston_all_but_frequencies() {
    let small = Feed::generate(&recipe(Like::Small, RunningTimes::ByPeriod, 1));
    let mut names = small.names();
    names.sort_unstable();
    assert_eq!(names, FILE_NAMES);
    names.retain(|name| *name != "frequencies.txt");
    let mut of_boston = MBTA_2022.names();
    of_boston.sort_unstable();
    assert_eq!(of_boston, names);
}

/// If this fails on one machine only, the generator depends on something that it must not.
#[test]
fn the_built_in_city_is_the_same_on_every_machine() {
    assert_eq!(Feed::generate(&recipe(Like::Small, RunningTimes::ByPeriod, 1)).digest(), 4_502_197_069_501_873_901);
}

#[test]
fn the_built_in_city_has_one_of_everything() {
    let feed = Feed::generate(&recipe(Like::Small, RunningTimes::ByPeriod, 1));
    let facts = Facts::of(&feed);
    println!("{facts}");
    assert_clean(&feed, &facts);
    assert_within(facts.stop_time_count, 2_000..=9_999, "stop times");
    assert_within(feed.row_count("routes.txt"), 6..=9, "routes");
    assert_within(feed.row_count("stops.txt"), 60..=100, "stops");
    assert!(facts.latest_s > 25 * 3600, "no trip passes midnight");
    assert!(facts.empty_time_count > 100, "every stop has times");
    assert!(facts.patterns.iter().any(|stops| stops.first() == stops.last()), "no loop visits a stop twice");
    let exact_times: BTreeSet<String> = feed.column("frequencies.txt", "exact_times").into_iter().collect();
    assert_eq!(exact_times, ["0", "1"].map(str::to_owned).into());
    let modes: BTreeSet<String> = feed.column("routes.txt", "route_type").into_iter().collect();
    assert_eq!(modes, ["0", "3", "4", "7"].map(str::to_owned).into());
    assert_eq!(feed.column("feed_info.txt", "feed_publisher_name"), ["Linespeed"]);
    assert!(!feed.column("feed_info.txt", "feed_version")[0].is_empty());
    assert_eq!(feed.column("calendar.txt", "end_date"), ["20351231"; 3]);
    let exceptions: BTreeSet<String> = feed.column("calendar_dates.txt", "exception_type").into_iter().collect();
    assert_eq!(exceptions, ["1", "2"].map(str::to_owned).into());
}

#[track_caller]
fn assert_within<T: PartialOrd + std::fmt::Debug>(value: T, bounds: RangeInclusive<T>, what: &str) {
    assert!(bounds.contains(&value), "{value:?} {what}, expected {bounds:?}");
}

/// What `linespeed check` would ask: every reference is to something, every id is there once.
#[track_caller]
fn assert_clean(feed: &Feed, facts: &Facts) {
    assert_eq!(facts.problems, [""; 0]);
    for (file, column) in [
        ("stops.txt", "stop_id"),
        ("routes.txt", "route_id"),
        ("trips.txt", "trip_id"),
        ("calendar.txt", "service_id"),
        ("checkpoints.txt", "checkpoint_id"),
        ("route_patterns.txt", "route_pattern_id"),
    ] {
        let ids = feed.column(file, column);
        let count = ids.len();
        assert_eq!(ids.into_iter().collect::<BTreeSet<_>>().len(), count, "{file} {column} is not unique");
    }
    for (file, column, to_file, to_column) in [
        ("trips.txt", "route_id", "routes.txt", "route_id"),
        ("trips.txt", "service_id", "calendar.txt", "service_id"),
        ("trips.txt", "shape_id", "shapes.txt", "shape_id"),
        ("trips.txt", "route_pattern_id", "route_patterns.txt", "route_pattern_id"),
        ("route_patterns.txt", "representative_trip_id", "trips.txt", "trip_id"),
        ("calendar_dates.txt", "service_id", "calendar.txt", "service_id"),
        ("routes.txt", "agency_id", "agency.txt", "agency_id"),
        ("routes.txt", "line_id", "lines.txt", "line_id"),
        ("stops.txt", "parent_station", "stops.txt", "stop_id"),
    ] {
        let known: BTreeSet<String> = feed.column(to_file, to_column).into_iter().collect();
        let may_be_empty = column == "parent_station";
        let is_missing = |id: &String| if id.is_empty() { !may_be_empty } else { !known.contains(id) };
        let dangling = feed.column(file, column).into_iter().find(is_missing);
        assert_eq!(dangling, None, "{file} {column}");
    }
    assert!(feed.column("stops.txt", "parent_station").iter().any(|id| !id.is_empty()), "no stop has a station");
}
