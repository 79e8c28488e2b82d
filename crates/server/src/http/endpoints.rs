//! What can be asked for.

use std::sync::Arc;

use super::FixedAnswers;
use super::answer::Answer;
use super::problem::Problem;
use super::target::read_path;
use crate::feed::Loaded;

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Endpoint {
    /// `/`: a page that shows what can be asked for.
    Page,
    /// `/schedules/{route_id}`: the stop times of all trips of a route.
    Schedules(String),
    /// `/routes`: all routes.
    Routes,
    /// `/feed`: what the feed holds, its period and its problems.
    Feed,
    /// `/healthz`: whether the program runs.
    Healthz,
    /// `/readyz`: whether it has a feed to answer from.
    Readyz,
    /// `/metrics`: what the program counts of itself.
    Metrics,
}

/// Each endpoint's path, with what it gives, in the order in which the page shows them.
pub(super) const ENDPOINTS: &[(&str, &str)] = &[
    ("/schedules/{route_id}", "Every trip of a route with all its stop times."),
    ("/routes", "All routes with their names, types and colours."),
    ("/feed", "What the feed holds: version, period, counts, problems, load time."),
    ("/healthz", "200 while the program runs."),
    ("/readyz", "200 once a feed is loaded."),
    ("/metrics", "What the program counts of itself, for Prometheus."),
];

impl Endpoint {
    /// The endpoint at `path`.
    pub(super) fn find(path: &str) -> Result<Self, Problem> {
        let parts = read_path(path).map_err(|part| Problem::bad_path(&part))?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match parts[..] {
            [] => Ok(Self::Page),
            ["schedules", route_id] => Ok(Self::Schedules(route_id.to_owned())),
            ["routes"] => Ok(Self::Routes),
            ["feed"] => Ok(Self::Feed),
            ["healthz"] => Ok(Self::Healthz),
            ["readyz"] => Ok(Self::Readyz),
            ["metrics"] => Ok(Self::Metrics),
            _ => Err(Problem::unknown_path(path)),
        }
    }

    /// What `loaded`, whose fixed answers are `fixed`, has to say to a client that knows this program as `host`.
    pub(super) fn answer(&self, loaded: &Arc<Loaded>, fixed: &FixedAnswers, host: Option<&str>) -> Answer {
        match self {
            Self::Page => fixed.page.answer(host),
            Self::Schedules(route_id) => match loaded.feed.timetable.find_route(route_id) {
                Some(route) => Answer::schedules(loaded, route),
                None => Problem::unknown_route(route_id, &loaded.feed.timetable).answer(),
            },
            Self::Routes => fixed.routes.clone(),
            Self::Feed => fixed.feed.clone(),
            Self::Healthz | Self::Readyz => Answer::text("ok\n"),
            // Not of the feed: the handler has it.
            Self::Metrics => Answer::metrics(String::new()),
        }
    }
}
