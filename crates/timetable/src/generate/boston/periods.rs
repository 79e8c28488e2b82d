//! The periods of a day: how many trips run in each, and how fast.

use super::network::Days;
use super::services::DayKind::{self, Saturday, Sunday, Weekday};

/// A part of a day in which running times are alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Period {
    /// On which days.
    pub(super) day: DayKind,
    /// The first minute of the service day at which its trips start.
    pub(super) first_minute: u32,
    /// The minute after its last.
    pub(super) end_minute: u32,
    /// Running time in relation to a day without traffic.
    pub(super) pace_percent: u32,
    /// Trips of one service in it, in relation to other periods.
    pub(super) weight: u64,
}

const fn period(day: DayKind, first_minute: u32, end_minute: u32, pace_percent: u32, weight: u64) -> Period {
    Period { day, first_minute, end_minute, pace_percent, weight }
}

/// The busiest first: patterns with few runs have only these.
const PERIODS: [Period; 14] = [
    period(Weekday, 540, 900, 106, 26),
    period(Weekday, 900, 1110, 126, 24),
    period(Weekday, 390, 540, 118, 19),
    period(Saturday, 540, 1110, 108, 40),
    period(Weekday, 1110, 1320, 100, 15),
    period(Sunday, 540, 1110, 104, 34),
    period(Weekday, 285, 390, 88, 8),
    period(Saturday, 1110, 1320, 97, 16),
    period(Sunday, 1110, 1320, 94, 12),
    period(Weekday, 1320, 1510, 86, 8),
    period(Saturday, 300, 540, 90, 12),
    period(Sunday, 330, 540, 86, 9),
    period(Saturday, 1320, 1515, 87, 7),
    period(Sunday, 1320, 1490, 85, 5),
];

/// The periods in which a route runs.
pub(super) fn periods(days: Days) -> Vec<Period> {
    let runs_on = |day| match days {
        Days::All => true,
        Days::NoSundays => day != Sunday,
        Days::WeekdaysOnly => day == Weekday,
    };
    PERIODS.into_iter().filter(|period| runs_on(period.day)).collect()
}
