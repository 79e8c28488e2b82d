//! Routes.

use std::collections::BTreeSet;
use std::sync::Arc;

use timetable::{Object, RouteIdx, RouteObject, Timetable};

use super::answer::Answer;
use super::endpoints::Asked;
use super::lists::{List, WITHOUT_PLACES};
use super::problem::Problem;
use super::stops::find_stop;

/// `GET /routes`: all routes in the order of routes.txt.
pub(super) fn list(asked: &Asked<'_>) -> Result<Answer, Problem> {
    page(asked, asked.snapshot.timetable().routes())
}

/// `GET /stops/{stop_id}/routes`: those of trips that visit a stop or what is part of it, in the order of routes.txt.
pub(super) fn of_stop(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let timetable = asked.snapshot.timetable();
    let stops = timetable.stop_with_children(find_stop(timetable, &asked.id)?);
    let patterns: BTreeSet<_> =
        stops.iter().flat_map(|stop| timetable.visits_of_stop(*stop)).map(|visit| visit.pattern).collect();
    let trips = patterns.iter().flat_map(|pattern| timetable.trips_of_pattern(*pattern));
    let routes: BTreeSet<RouteIdx> = trips.map(|trip| timetable.trip(*trip).route).collect();
    page(asked, routes.into_iter())
}

fn page(asked: &Asked<'_>, routes: impl Iterator<Item = RouteIdx>) -> Result<Answer, Problem> {
    let timetable = asked.snapshot.timetable();
    let list = List::read(asked, WITHOUT_PLACES)?;
    let after = asked.query.find("after").map(|id| find_route(timetable, id)).transpose()?;
    let found: Vec<_> = routes.filter(|route| Some(*route) > after).take(list.limit + 1).collect();
    let snapshot = Arc::clone(asked.snapshot);
    Ok(list.page(
        asked,
        found,
        |timetable, route| timetable.route_id(*route),
        move |format, found| {
            let timetable = snapshot.timetable();
            format.write(found.iter().map(|route| RouteObject { timetable, route: *route }))
        },
    ))
}

/// `GET /routes/{route_id}`.
pub(super) fn one(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let route = find_route(asked.snapshot.timetable(), &asked.id)?;
    let snapshot = Arc::clone(asked.snapshot);
    Ok(Answer::object(asked, move || RouteObject { timetable: snapshot.timetable(), route }.to_json()))
}

/// The route called `route_id`.
pub(super) fn find_route(timetable: &Timetable, route_id: &str) -> Result<RouteIdx, Problem> {
    timetable.find_route(route_id).ok_or_else(|| {
        Problem::unknown_id("route", route_id, timetable.routes().map(|route| timetable.route_id(route)))
    })
}
