//! trips.txt.

use super::row::{Column, Columns, Referred, Row};
use crate::index::{Index, PatternIdx, RouteIdx, RunIdx, ServiceIdx, ShapeIdx, TextIdx, TripIdx};
use crate::pools::StringPool;
use crate::problem::{FeedError, ProblemKind};
use crate::time::Time;
use crate::timetable::Trip;

/// The rows of trips.txt; they speak of routes, services, shapes and texts by the indexes here, and of stop times not
/// at all.
#[derive(Default)]
pub(crate) struct TripRows {
    pub(crate) ids: StringPool<TripIdx>,
    /// trip -> its row.
    pub(crate) rows: Vec<Trip>,
    pub(crate) routes: Referred<RouteIdx>,
    pub(crate) services: Referred<ServiceIdx>,
    pub(crate) shapes: Referred<ShapeIdx>,
    pub(crate) texts: StringPool<TextIdx>,
    columns: TripColumns,
}

#[derive(Default)]
struct TripColumns {
    route_id: Column,
    service_id: Column,
    trip_id: Column,
    trip_headsign: Column,
    trip_short_name: Column,
    direction_id: Column,
    block_id: Column,
    shape_id: Column,
    wheelchair_accessible: Column,
    bikes_allowed: Column,
}

impl super::Table for TripRows {
    const FILE: &'static str = "trips.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let columns = TripColumns {
            route_id: columns.get("route_id")?,
            service_id: columns.find("service_id"),
            trip_id: columns.get("trip_id")?,
            trip_headsign: columns.find("trip_headsign"),
            trip_short_name: columns.find("trip_short_name"),
            direction_id: columns.find("direction_id"),
            block_id: columns.find("block_id"),
            shape_id: columns.find("shape_id"),
            wheelchair_accessible: columns.find("wheelchair_accessible"),
            bikes_allowed: columns.find("bikes_allowed"),
        };
        Ok(Self { columns, ..Self::default() })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Self { ids, rows, routes, services, shapes, texts, columns } = self;
        // A route is known even if the row that refers to it is left out.
        let Some(route) = routes.refer(row, columns.route_id).get() else {
            return row.report(ProblemKind::MissingValue, columns.route_id, "a route_id");
        };
        let Some(trip_id) = row.id(columns.trip_id) else { return };
        if ids.try_intern(&trip_id).is_err() {
            return row.report(ProblemKind::DuplicateId, columns.trip_id, "a trip_id that no row before has");
        }
        // A trip without a service never runs, but its schedule can still be asked for.
        let service = services.refer(row, columns.service_id).get().unwrap_or_else(|| {
            row.report(ProblemKind::MissingValue, columns.service_id, "a service_id");
            services.refer_to_nothing(row.line())
        });
        let direction = row.code(columns.direction_id, 1, u8::MAX);
        rows.push(Trip {
            route,
            service,
            pattern: PatternIdx::new(0),
            run: RunIdx::new(0),
            start: Time::from_seconds(0),
            trip_headsign: row.pooled(columns.trip_headsign, texts),
            trip_short_name: row.pooled(columns.trip_short_name, texts),
            block_id: row.pooled(columns.block_id, texts),
            shape: shapes.refer(row, columns.shape_id),
            direction_id: (direction != u8::MAX).then_some(direction),
            wheelchair_accessible: row.code(columns.wheelchair_accessible, 2, 0),
            bikes_allowed: row.code(columns.bikes_allowed, 2, 0),
        });
    }
}
