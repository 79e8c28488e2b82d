//! `GET /schedules/{route_id}`: every trip of a route with all its stop times.

use super::answer::Answer;
use super::endpoints::Asked;
use super::problem::Problem;
use super::routes::find_route;
use super::trips::TripFilter;

pub(super) fn answer(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let timetable = asked.snapshot.timetable();
    let route = find_route(timetable, &asked.id)?;
    let filter = TripFilter::read(asked)?;
    if filter.is_empty() {
        return Ok(Answer::schedules(&asked.snapshot.loaded, route));
    }
    let trips = filter.filter(timetable, timetable.trips_of_route(route).iter().copied()).collect();
    Ok(Answer::schedules_of(asked, route, trips))
}
