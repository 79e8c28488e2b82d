//! Shapes: the ways that vehicles take, as GeoJSON (RFC 7946).

use std::collections::BTreeMap;
use std::sync::Arc;

use timetable::{ShapeIdx, ShapeObject, write_geojson_shape};

use super::answer::Answer;
use super::endpoints::Asked;
use super::lists::{Format, GEOJSON};
use super::problem::Problem;
use super::routes::find_route;

/// `GET /shapes/{shape_id}`: one line.
pub(super) fn one(asked: &Asked<'_>) -> Result<Answer, Problem> {
    asked.snapshot.need(&["shapes.txt"])?;
    let timetable = asked.snapshot.timetable();
    let shape = timetable.find_shape(&asked.id).ok_or_else(|| {
        Problem::unknown_id("shape", &asked.id, timetable.shapes().map(|shape| timetable.shape_id(shape)))
    })?;
    let snapshot = Arc::clone(asked.snapshot);
    Ok(Answer::of_request(asked, GEOJSON, move || {
        let mut out = Vec::new();
        write_geojson_shape(&ShapeObject { timetable: snapshot.timetable(), shape, of_route: None }, &mut out);
        out
    }))
}

/// `GET /routes/{route_id}/shape`: a line for each way that its trips take.
pub(super) fn of_route(asked: &Asked<'_>) -> Result<Answer, Problem> {
    asked.snapshot.need(&["shapes.txt"])?;
    let route = find_route(asked.snapshot.timetable(), &asked.id)?;
    let snapshot = Arc::clone(asked.snapshot);
    Ok(Answer::of_request(asked, GEOJSON, move || {
        let timetable = snapshot.timetable();
        let shapes = timetable.trips_of_route(route).iter().filter_map(|trip| timetable.trip(*trip).shape.get());
        let mut trip_counts: BTreeMap<ShapeIdx, u32> = BTreeMap::new();
        shapes.for_each(|shape| *trip_counts.entry(shape).or_default() += 1);
        let objects = trip_counts.into_iter().map(|(shape, trip_count)| ShapeObject {
            timetable,
            shape,
            of_route: Some((route, trip_count)),
        });
        Format::Geojson.write_places(objects, write_geojson_shape)
    }))
}
