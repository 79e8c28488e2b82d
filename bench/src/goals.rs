//! The goals of the project in figures: one place to read what fast and small mean here.

use serde::Serialize;

/// What a figure is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Goal {
    /// Reached by this figure and any smaller one.
    AtMost(f64),
    /// Reached by this figure and any larger one.
    AtLeast(f64),
    /// No goal: the figure is stated.
    Stated,
}

/// The unit of a figure and of its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Seconds.
    Seconds,
    /// CPU seconds of the server per 10^9 bytes of JSON.
    SecondsPerGigabyte,
    /// 10^6 bytes.
    Megabytes,
    /// A ratio.
    Times,
    /// Thousandths of a second.
    Milliseconds,
    /// Requests per second.
    PerSecond,
    /// A number of routes.
    Routes,
    /// A number of answers.
    Answers,
    /// A number of connections.
    Connections,
}

/// How a figure stands to its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// As good as the goal, or better.
    Reached,
    /// Worse than the goal.
    NotReached,
    /// There is no goal.
    Stated,
    /// There is no figure.
    NotMeasured,
}

/// Start of the process to the first right answer, from a folder, on all cores.
pub(crate) const START: Goal = Goal::AtMost(0.12);
/// How many times the slow twin's time is of that.
pub(crate) const START_AGAINST_PLAIN: Goal = Goal::AtLeast(8.0);
/// The same from a zip, as a multiple of the fastest inflater's time.
pub(crate) const START_FROM_ZIP: Goal = Goal::AtMost(1.3);
/// Resident memory of the whole process, in MB, when loaded.
pub(crate) const MEMORY_LOADED: Goal = Goal::AtMost(20.0);
/// The most while loading, pages of mapped input apart.
pub(crate) const MEMORY_LOADING: Goal = Goal::AtMost(40.0);
/// The most under 50 connections.
pub(crate) const MEMORY_UNDER_LOAD: Goal = Goal::AtMost(64.0);
/// What is left within 30 s after that load, as a multiple of what was loaded.
pub(crate) const MEMORY_AFTER_LOAD: Goal = Goal::AtMost(1.3);
/// Start with `mbta-2026`.
pub(crate) const START_2026: Goal = Goal::AtMost(0.4);
/// Memory with `mbta-2026`, loaded and while loading.
pub(crate) const MEMORY_2026: Goal = Goal::AtMost(45.0);
/// Start with random running times, as a multiple of the start without.
pub(crate) const START_RANDOM: Goal = Goal::AtMost(2.0);
/// Memory with random running times, loaded and while loading.
pub(crate) const MEMORY_RANDOM: Goal = Goal::AtMost(40.0);
/// Server CPU per GB of JSON, as a multiple of the floor's.
pub(crate) const CPU_AGAINST_FLOOR: Goal = Goal::AtMost(2.0);
/// Requests per second with gzip once it is warm, as a multiple of those without.
pub(crate) const GZIP_WARM: Goal = Goal::AtLeast(5.0);
/// The 99th percentile of healthy requests' times beside slow heads, as a multiple of that without.
pub(crate) const SLOW_HEADS_P99: Goal = Goal::AtMost(2.0);
/// How many of the slow heads' connections are closed at the limit of time.
pub(crate) const SLOW_HEADS_CLOSED: Goal = Goal::AtLeast(5000.0);

/// SIGHUP to the first answer of the new feed, under 50 connections.
pub(crate) const RELOAD: Goal = Goal::AtMost(0.3);
/// Answers that failed or were of more than one feed while it was reloaded.
pub(crate) const RELOAD_FAULTS: Goal = Goal::AtMost(0.0);
/// The most while reloading under 50 connections.
pub(crate) const MEMORY_RELOADING: Goal = Goal::AtMost(80.0);

/// Departures per second of the busiest stop, by a server on one core.
pub(crate) const DEPARTURES_RATE: Goal = Goal::AtLeast(20_000.0);
/// The 99th percentile of the time that one of them takes the client to get, in milliseconds: more than the server's.
pub(crate) const DEPARTURES_P99_MS: Goal = Goal::AtMost(1.0);
/// CPU for departures from `mbta-2026`, as a multiple of that from `mbta-2022`, a third of its size.
pub(crate) const DEPARTURES_GROWTH: Goal = Goal::AtMost(1.2);

impl Goal {
    /// Holds a figure against the goal.
    pub(crate) fn judge(self, value: f64) -> Outcome {
        let reached = match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Stated => return Outcome::Stated,
        };
        if reached { Outcome::Reached } else { Outcome::NotReached }
    }

    /// The goal as a reader sees it.
    pub(crate) fn display(self, unit: Unit) -> String {
        match self {
            Self::AtMost(limit) => format!("≤ {}", unit.display_limit(limit)),
            Self::AtLeast(limit) => format!("≥ {}", unit.display_limit(limit)),
            Self::Stated => "–".to_owned(),
        }
    }
}

impl Unit {
    /// The unit's name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::SecondsPerGigabyte => "CPU s/GB",
            Self::Megabytes => "MB",
            Self::Times => "x",
            Self::Milliseconds => "ms",
            Self::PerSecond => "requests/s",
            Self::Routes => "routes",
            Self::Answers => "answers",
            Self::Connections => "connections",
        }
    }

    /// A figure with its unit, and with as many digits as it is good for.
    pub(crate) fn display(self, value: f64) -> String {
        match self {
            Self::Seconds | Self::SecondsPerGigabyte => format!("{value:.3} {}", self.name()),
            Self::Megabytes => format!("{value:.1} MB"),
            Self::Times => format!("{value:.2}x"),
            Self::Milliseconds => format!("{value:.3} ms"),
            Self::PerSecond => format!("{value:.0} requests/s"),
            Self::Routes | Self::Answers | Self::Connections => format!("{value:.0} {}", self.name()),
        }
    }

    fn display_limit(self, limit: f64) -> String {
        match self {
            Self::Times => format!("{limit}x"),
            _ => format!("{limit} {}", self.name()),
        }
    }
}

impl Outcome {
    /// The outcome as a reader sees it.
    pub(crate) fn display(self) -> &'static str {
        match self {
            Self::Reached => "reached",
            Self::NotReached => "NOT reached",
            Self::Stated => "stated",
            Self::NotMeasured => "NOT measured",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_at_its_goal_has_reached_it() {
        assert_eq!(Goal::AtMost(2.0).judge(2.0), Outcome::Reached);
        assert_eq!(Goal::AtMost(2.0).judge(2.001), Outcome::NotReached);
        assert_eq!(Goal::AtLeast(8.0).judge(8.0), Outcome::Reached);
        assert_eq!(Goal::AtLeast(8.0).judge(7.999), Outcome::NotReached);
        assert_eq!(Goal::AtMost(2.0).judge(f64::NAN), Outcome::NotReached);
        assert_eq!(Goal::Stated.judge(1.0), Outcome::Stated);
    }

    #[test]
    fn goals_and_figures_carry_their_unit() {
        assert_eq!(Goal::AtMost(0.12).display(Unit::Seconds), "≤ 0.12 s");
        assert_eq!(Goal::AtLeast(5.0).display(Unit::Times), "≥ 5x");
        assert_eq!(Unit::Times.display(1.256), "1.26x");
        assert_eq!(Unit::Megabytes.display(18.04), "18.0 MB");
    }
}
