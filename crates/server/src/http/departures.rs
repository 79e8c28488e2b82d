//! `GET /departures`: what leaves a stop next.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use timetable::{DepartureObject, DeparturesQuery};

use super::answer::Answer;
use super::caching::Caching;
use super::endpoints::Asked;
use super::lists::{List, WITHOUT_PLACES};
use super::problem::Problem;
use super::query::{read_duration, read_instant};
use super::stops::find_stop;

/// How many departures are told where nobody says otherwise, and how many at most.
const LIMIT_DEFAULT: usize = 20;
const LIMIT_MAX: usize = 1000;

/// How far ahead is looked where nobody says otherwise, and how far at most.
const DURATION_DEFAULT: SignedDuration = SignedDuration::from_hours(24);
const DURATION_MAX: SignedDuration = SignedDuration::from_hours(7 * 24);

/// For how long departures of a given instant may be kept: only another feed changes them.
const MAX_AGE_S: u32 = 60;

pub(super) fn answer(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let Asked { snapshot, query, .. } = asked;
    let timetable = snapshot.timetable();
    let list = List::read_with_limit(asked, WITHOUT_PLACES, LIMIT_DEFAULT, LIMIT_MAX)?;
    let stop_id = query.get("stop_id", "the id of a stop or station; /stops lists them")?;
    let stop = find_stop(timetable, stop_id)?;
    let time_zone = snapshot.time_zone()?;
    snapshot.need_calendar()?;
    let expected = "RFC 3339 such as 2026-11-21T17:30:00Z, or a local 2026-11-21T17:30";
    let at = query.find_as("at", expected, |text| read_instant(text, time_zone))?;
    let read = |text: &str| read_duration(text).filter(|duration| *duration <= DURATION_MAX);
    let duration = query.find_as("duration", "a duration up to 168h, such as 90m", read)?.unwrap_or(DURATION_DEFAULT);
    let direction_id = query.direction_id()?;
    let route_id = query.find("route_id");
    let route = route_id.and_then(|route_id| timetable.find_route(route_id));
    let from = at.unwrap_or_else(Timestamp::now);
    let until = from.checked_add(duration).unwrap_or(Timestamp::MAX);
    // A filter that matches nothing gives nothing.
    let limit = if route_id.is_some() && route.is_none() { 0 } else { list.limit };
    let find = {
        let (snapshot, time_zone) = (Arc::clone(snapshot), time_zone.clone());
        move || {
            let query = DeparturesQuery { stop, time_zone: &time_zone, from, until, limit, route, direction_id };
            snapshot.timetable().departures(&query, |date| snapshot.board(stop, date))
        }
    };
    let (for_writing, zone) = (Arc::clone(snapshot), time_zone.clone());
    let answer = list.answer(asked, move |format| {
        let timetable = for_writing.timetable();
        let found = find();
        format.write(found.iter().map(|departure| DepartureObject { timetable, time_zone: &zone, departure }))
    });
    let caching = if at.is_some() { Caching::Cacheable { max_age_s: MAX_AGE_S } } else { Caching::NoStore };
    Ok(answer.with_caching(caching).compressed_each_time())
}
