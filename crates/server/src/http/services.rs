//! `GET /services`: services and the days on which they run.

use std::sync::Arc;

use timetable::ServiceObject;

use super::answer::Answer;
use super::endpoints::Asked;
use super::lists::{List, WITHOUT_PLACES};
use super::problem::Problem;

pub(super) fn list(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let Asked { snapshot, query, .. } = asked;
    snapshot.need_calendar()?;
    let timetable = snapshot.timetable();
    let list = List::read(asked, WITHOUT_PLACES)?;
    let date = query.date()?;
    let find = |service_id: &str| {
        let service_ids = timetable.services().map(|service| timetable.service_id(service));
        timetable.find_service(service_id).ok_or_else(|| Problem::unknown_id("service", service_id, service_ids))
    };
    let after = query.find("after").map(find).transpose()?;
    let runs = |service| date.is_none_or(|date| timetable.service(service).runs_on(date));
    // A trip may name none: that is no service that can be asked for, or gone on after.
    let named = timetable.services().filter(|service| !timetable.service_id(*service).is_empty());
    let rest = named.filter(|service| Some(*service) > after);
    let found = rest.filter(|service| runs(*service)).take(list.limit + 1).collect();
    let snapshot = Arc::clone(snapshot);
    Ok(list.page(
        asked,
        found,
        |timetable, service| timetable.service_id(*service),
        move |format, found| {
            let timetable = snapshot.timetable();
            format.write(found.iter().map(|service| ServiceObject { timetable, service: *service }))
        },
    ))
}
