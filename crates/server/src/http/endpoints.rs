//! What can be asked for.

use std::sync::Arc;

use hyper::header::HeaderMap;

use super::answer::Answer;
use super::caching::Question;
use super::lists;
use super::problem::Problem;
use super::query::Query;
use super::snapshot::Snapshot;
use super::target::{decode, read_path};
use super::{departures, feed_answer, openapi, routes, schedules, services, shapes, stops, trips};
use crate::metrics::Metrics;

/// Something that can be asked for.
#[derive(Debug)]
pub(super) struct Endpoint {
    /// Its path; a part in braces stands for any id.
    pub(super) path: &'static str,
    /// What it gives.
    pub(super) what: &'static str,
    /// The parameters that may follow its path, beside those of all lists.
    pub(super) parameters: &'static [&'static str],
    kind: Kind,
    answer: fn(&Asked<'_>) -> Result<Answer, Problem>,
}

/// What parameters an endpoint takes beside its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// None.
    One,
    /// Those of all lists.
    List,
    /// Any, which change nothing.
    Plain,
}

/// A request for an endpoint, taken apart.
#[derive(Debug)]
pub(super) struct Asked<'r> {
    pub(super) snapshot: &'r Arc<Snapshot>,
    pub(super) metrics: &'r Metrics,
    /// The path as it came.
    pub(super) path: &'r str,
    /// The id in the path; empty where the endpoint has none.
    pub(super) id: String,
    pub(super) query: Query,
    pub(super) headers: &'r HeaderMap,
    /// The name by which the client reaches this program, if it is plain.
    pub(super) host: Option<&'r str>,
}

impl Asked<'_> {
    /// What is asked of the feed, in one spelling.
    pub(super) fn question(&self) -> Question {
        Question::Other(self.query.target(self.path).into())
    }
}

const fn one(
    path: &'static str,
    parameters: &'static [&'static str],
    what: &'static str,
    answer: fn(&Asked<'_>) -> Result<Answer, Problem>,
) -> Endpoint {
    Endpoint { path, what, parameters, kind: Kind::One, answer }
}

const fn list(
    path: &'static str,
    parameters: &'static [&'static str],
    what: &'static str,
    answer: fn(&Asked<'_>) -> Result<Answer, Problem>,
) -> Endpoint {
    Endpoint { path, what, parameters, kind: Kind::List, answer }
}

const fn plain(path: &'static str, what: &'static str, answer: fn(&Asked<'_>) -> Result<Answer, Problem>) -> Endpoint {
    Endpoint { path, what, parameters: &[], kind: Kind::Plain, answer }
}

/// All endpoints, in the order in which the page shows them; the page itself comes last.
pub(super) const ENDPOINTS: &[Endpoint] = &[
    list(
        "/departures",
        &["stop_id", "at", "duration", "route_id", "direction_id"],
        "What leaves a stop or station next.",
        departures::answer,
    ),
    one(
        "/schedules/{route_id}",
        &["date", "service_id", "direction_id"],
        "Every trip of a route with all its stop times.",
        schedules::answer,
    ),
    list("/routes", &[], "All routes with their names, types and colours.", routes::list),
    one("/routes/{route_id}", &[], "A route.", routes::one),
    one("/routes/{route_id}/shape", &[], "The ways that a route's vehicles take, as GeoJSON.", shapes::of_route),
    list(
        "/stops",
        &["near", "radius", "q"],
        "Stops and stations: all, those near a place, those by name.",
        stops::list,
    ),
    one("/stops/{stop_id}", &["format"], "A stop, and what is part of it.", stops::one),
    list("/stops/{stop_id}/routes", &[], "The routes that serve a stop or station.", routes::of_stop),
    list(
        "/trips",
        &["route_id", "service_id", "date", "direction_id"],
        "Trips, of a route, a service, a day.",
        trips::list,
    ),
    one("/trips/{trip_id}", &[], "A trip with its stop times.", trips::one),
    list("/services", &["date"], "Services, and the days on which they run.", services::list),
    one("/shapes/{shape_id}", &[], "A way that vehicles take, as GeoJSON.", shapes::one),
    plain("/feed", "What the feed holds: version, period, counts, problems, load time.", |asked| {
        Ok(feed_answer::answer(&asked.snapshot.loaded, &asked.snapshot.reloads))
    }),
    plain("/healthz", "200 while the program runs.", |_| Ok(Answer::text("ok\n"))),
    plain("/readyz", "200 once a feed is loaded.", |_| Ok(Answer::text("ok\n"))),
    plain("/metrics", "What the program counts of itself, for Prometheus.", |asked| {
        asked.metrics.feed.look(&asked.snapshot.loaded, &asked.snapshot.reloads);
        asked.metrics.http.compressed_cache_bytes.set(asked.snapshot.compressed.kept_bytes() as i64);
        Ok(Answer::metrics(asked.metrics.to_text()))
    }),
    plain("/openapi.json", "All of this for programs, as OpenAPI 3.1.", openapi::answer),
    plain("/", "This page.", |asked| Ok(asked.snapshot.page.answer(asked.host))),
];

/// Where in [`ENDPOINTS`] the endpoint at `path` stands, with one slash at the end or without.
pub(super) fn position(path: &str) -> Option<usize> {
    let plain = || trimmed(path).split('/');
    let decoded = || {
        let parts = read_path(path).ok().filter(|_| path.contains('%'))?;
        position_of(|| parts.iter().map(String::as_str))
    };
    position_of(plain).or_else(decoded)
}

/// The endpoint whose path has these parts, any part but an empty one standing for one in braces.
fn position_of<'p, Parts: Iterator<Item = &'p str>>(parts: impl Fn() -> Parts) -> Option<usize> {
    ENDPOINTS.iter().position(|endpoint| {
        let mut parts = parts();
        let is_same = trimmed(endpoint.path).split('/').all(|expected| {
            parts.next().is_some_and(|part| part == expected || (expected.starts_with('{') && !part.is_empty()))
        });
        is_same && parts.next().is_none()
    })
}

fn trimmed(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.strip_suffix('/').unwrap_or(path)
}

impl Endpoint {
    /// The endpoint at `path`, and the id that stands in its path; empty where there is none.
    pub(super) fn find(path: &str) -> Result<(&'static Self, String), Problem> {
        let bad_encoding = |part: String| Problem::bad_encoding(&part);
        let Some(position) = position(path) else {
            read_path(path).map_err(bad_encoding)?;
            return Err(Problem::unknown_path(path));
        };
        let endpoint = &ENDPOINTS[position];
        let place = trimmed(endpoint.path).split('/').position(|part| part.starts_with('{'));
        let id = place.and_then(|place| trimmed(path).split('/').nth(place)).unwrap_or_default();
        Ok((endpoint, decode(id).map_err(bad_encoding)?))
    }

    /// What of `query` narrows the answer.
    ///
    /// What watches the program or describes it takes whatever follows the question mark: it may pass by a cache.
    pub(super) fn read_query(&self, query: &str) -> Result<Query, Problem> {
        if self.kind == Kind::Plain { Ok(Query::default()) } else { Query::read(query, &self.all_parameters()) }
    }

    /// All parameters that may follow the path.
    pub(super) fn all_parameters(&self) -> Vec<&'static str> {
        let of_lists = if self.kind == Kind::List { lists::PARAMETERS.as_slice() } else { &[] };
        // Departures go on at a time and not after an id.
        let of_lists = of_lists.iter().filter(|name| !(self.path == "/departures" && **name == "after"));
        self.parameters.iter().chain(of_lists).copied().collect()
    }

    /// The answer to a request.
    pub(super) fn answer(&self, asked: &Asked<'_>) -> Result<Answer, Problem> {
        (self.answer)(asked)
    }
}
