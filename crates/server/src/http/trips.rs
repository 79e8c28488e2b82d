//! Trips.

use std::sync::Arc;

use jiff::civil::Date;
use timetable::{Index, Object, ServiceIdx, Timetable, TripIdx, TripObject, TripWithTimes};

use super::answer::Answer;
use super::endpoints::Asked;
use super::lists::{List, WITHOUT_PLACES};
use super::problem::Problem;

/// Which trips are meant: all, or those of a service, a day, a direction.
#[derive(Debug, Default)]
pub(super) struct TripFilter {
    service: Option<Option<ServiceIdx>>,
    date: Option<Date>,
    direction_id: Option<u8>,
}

impl TripFilter {
    /// What the parameters `service_id`, `date` and `direction_id` say.
    pub(super) fn read(asked: &Asked<'_>) -> Result<Self, Problem> {
        let Asked { snapshot, query, .. } = asked;
        let (date, direction_id) = (query.date()?, query.direction_id()?);
        if date.is_some() {
            snapshot.need_calendar()?;
        }
        let service = query.find("service_id").map(|service_id| snapshot.timetable().find_service(service_id));
        Ok(Self { service, date, direction_id })
    }

    /// Whether every trip is meant.
    pub(super) fn is_empty(&self) -> bool {
        self.service.is_none() && self.date.is_none() && self.direction_id.is_none()
    }

    /// Those of `trips` that are meant.
    pub(super) fn filter<'t>(
        &'t self,
        timetable: &'t Timetable,
        trips: impl Iterator<Item = TripIdx> + 't,
    ) -> impl Iterator<Item = TripIdx> + 't {
        let mut runs_on_date = vec![None; timetable.counts().services];
        let mut runs = move |service: ServiceIdx| {
            self.date.is_none_or(|date| {
                *runs_on_date[service.position()].get_or_insert_with(|| timetable.service(service).runs_on(date))
            })
        };
        trips.filter(move |trip| {
            let row = timetable.trip(*trip);
            self.service.is_none_or(|service| service == Some(row.service))
                && self.direction_id.is_none_or(|direction_id| row.direction_id == Some(direction_id))
                && runs(row.service)
        })
    }
}

/// `GET /trips`: in the order of trips.txt.
pub(super) fn list(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let Asked { snapshot, query, .. } = asked;
    let timetable = snapshot.timetable();
    let list = List::read(asked, WITHOUT_PLACES)?;
    let filter = TripFilter::read(asked)?;
    let after = query.find("after").map(|id| find_trip(timetable, id)).transpose()?;
    let trips: Box<dyn Iterator<Item = TripIdx>> = match (query.find("route_id"), filter.service) {
        (Some(route_id), _) => match timetable.find_route(route_id) {
            Some(route) => Box::new(timetable.trips_of_route(route).iter().copied()),
            None => Box::new(std::iter::empty()),
        },
        (None, Some(Some(service))) => Box::new(timetable.trips_of_service(service).iter().copied()),
        (None, Some(None)) => Box::new(std::iter::empty()),
        (None, None) => Box::new(timetable.trips()),
    };
    let found = filter.filter(timetable, trips.filter(|trip| Some(*trip) > after)).take(list.limit + 1).collect();
    let snapshot = Arc::clone(snapshot);
    Ok(list.page(
        asked,
        found,
        |timetable, trip| timetable.trip_id(*trip),
        move |format, found| {
            let timetable = snapshot.timetable();
            format.write(found.iter().map(|trip| TripObject { timetable, trip: *trip }))
        },
    ))
}

/// `GET /trips/{trip_id}`.
pub(super) fn one(asked: &Asked<'_>) -> Result<Answer, Problem> {
    let trip = find_trip(asked.snapshot.timetable(), &asked.id)?;
    let snapshot = Arc::clone(asked.snapshot);
    Ok(Answer::object(asked, move || TripWithTimes(TripObject { timetable: snapshot.timetable(), trip }).to_json()))
}

fn find_trip(timetable: &Timetable, trip_id: &str) -> Result<TripIdx, Problem> {
    timetable
        .find_trip(trip_id)
        .ok_or_else(|| Problem::unknown_id("trip", trip_id, timetable.trips().map(|trip| timetable.trip_id(trip))))
}
