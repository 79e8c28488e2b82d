//! Routes, stops and shapes.

use std::io::Write;

use super::json_object::{JsonFields, MEMORY, write_array};
use super::{Fields, Object};
use crate::index::{RouteIdx, ShapeIdx, StopIdx};
use crate::timetable::Timetable;

/// A row of routes.txt.
#[derive(Clone, Copy, Debug)]
pub struct RouteObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The route.
    pub route: RouteIdx,
}

impl Object for RouteObject<'_> {
    const FIELDS: &'static [&'static str] = &[
        "route_id",
        "agency_id",
        "route_short_name",
        "route_long_name",
        "route_desc",
        "route_type",
        "route_url",
        "route_color",
        "route_text_color",
        "route_sort_order",
    ];

    fn write_fields(&self, out: &mut impl Fields) {
        let Self { timetable, route } = *self;
        let row = timetable.route(route);
        let agency_id = row.agency.get().map(|agency| timetable.agency_id(agency));
        out.text("route_id", timetable.route_id(route));
        out.optional_text("agency_id", agency_id.filter(|id| !id.is_empty()));
        out.optional_text("route_short_name", timetable.optional_text(row.route_short_name));
        out.optional_text("route_long_name", timetable.optional_text(row.route_long_name));
        out.optional_text("route_desc", timetable.optional_text(row.route_desc));
        out.optional_number("route_type", row.route_type);
        out.optional_text("route_url", timetable.optional_text(row.route_url));
        out.optional_text("route_color", timetable.optional_text(row.route_color));
        out.optional_text("route_text_color", timetable.optional_text(row.route_text_color));
        out.optional_number("route_sort_order", row.route_sort_order);
    }
}

/// A row of stops.txt, and how far away it is where that was asked for.
#[derive(Clone, Copy, Debug)]
pub struct StopObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The stop.
    pub stop: StopIdx,
    /// The distance in metres, rounded, from the place that was asked for.
    pub distance_meters: Option<u32>,
}

impl Object for StopObject<'_> {
    const FIELDS: &'static [&'static str] = &[
        "stop_id",
        "stop_code",
        "stop_name",
        "stop_desc",
        "stop_lat",
        "stop_lon",
        "location_type",
        "parent_station",
        "stop_timezone",
        "wheelchair_boarding",
        "platform_code",
        "distance_meters",
    ];

    fn write_fields(&self, out: &mut impl Fields) {
        let Self { timetable, stop, distance_meters } = *self;
        let row = timetable.stop(stop);
        out.text("stop_id", timetable.stop_id(stop));
        out.optional_text("stop_code", timetable.optional_text(row.stop_code));
        out.optional_text("stop_name", timetable.optional_text(row.stop_name));
        out.optional_text("stop_desc", timetable.optional_text(row.stop_desc));
        if let Some((latitude, longitude)) = row.place {
            out.decimal("stop_lat", latitude);
            out.decimal("stop_lon", longitude);
        }
        out.number("location_type", row.location_type.into());
        out.optional_text("parent_station", row.parent_station.get().map(|parent| timetable.stop_id(parent)));
        out.optional_text("stop_timezone", timetable.optional_text(row.stop_timezone));
        out.number("wheelchair_boarding", row.wheelchair_boarding.into());
        out.optional_text("platform_code", timetable.optional_text(row.platform_code));
        out.optional_number("distance_meters", distance_meters);
    }
}

/// A stop with the stops that are part of it.
#[derive(Clone, Copy, Debug)]
pub struct StopWithChildren<'t>(pub StopObject<'t>);

impl Object for StopWithChildren<'_> {
    const FIELDS: &'static [&'static str] = StopObject::FIELDS;

    fn write_fields(&self, out: &mut impl Fields) {
        let Self(StopObject { timetable, stop, .. }) = *self;
        self.0.write_fields(out);
        let children = timetable.children_of_stop(stop).iter();
        out.objects("children", children.map(|stop| StopObject { timetable, stop: *stop, distance_meters: None }));
    }
}

/// What is said of a shape beside its points.
#[derive(Clone, Copy, Debug)]
pub struct ShapeObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The shape.
    pub shape: ShapeIdx,
    /// The route that was asked for, and how many of its trips run along the shape.
    pub of_route: Option<(RouteIdx, u32)>,
}

impl Object for ShapeObject<'_> {
    const FIELDS: &'static [&'static str] = &["shape_id", "route_id", "trip_count"];

    fn write_fields(&self, out: &mut impl Fields) {
        out.text("shape_id", self.timetable.shape_id(self.shape));
        if let Some((route, trip_count)) = self.of_route {
            out.text("route_id", self.timetable.route_id(route));
            out.number("trip_count", trip_count.into());
        }
    }
}

/// Adds a stop to `out` as a GeoJSON feature (RFC 7946); without a place, its geometry is null.
pub fn write_geojson_stop(stop: &StopObject<'_>, out: &mut Vec<u8>) {
    write_feature(stop, out, |out| match stop.timetable.stop(stop.stop).place {
        Some(place) => {
            out.extend_from_slice(b"{\"type\":\"Point\",\"coordinates\":");
            write_position(place, out);
            out.push(b'}');
        }
        None => out.extend_from_slice(b"null"),
    });
}

/// Adds a shape to `out` as a GeoJSON feature; RFC 7946 wants two positions for a line, so one with fewer has none.
pub fn write_geojson_shape(shape: &ShapeObject<'_>, out: &mut Vec<u8>) {
    write_feature(shape, out, |out| {
        let points = || shape.timetable.shape(shape.shape);
        if points().nth(1).is_none() {
            return out.extend_from_slice(b"null");
        }
        out.extend_from_slice(b"{\"type\":\"LineString\",\"coordinates\":");
        write_array(points(), out, write_position);
        out.push(b'}');
    });
}

fn write_feature(properties: &impl Object, out: &mut Vec<u8>, write_geometry: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"type\":\"Feature\",\"geometry\":");
    write_geometry(out);
    out.extend_from_slice(b",\"properties\":");
    let mut fields = JsonFields::begin(out);
    properties.write_fields(&mut fields);
    fields.end();
    out.push(b'}');
}

/// RFC 7946, 3.1.1: longitude comes first.
fn write_position((latitude, longitude): (f64, f64), out: &mut Vec<u8>) {
    write!(out, "[{longitude},{latitude}]").expect(MEMORY);
}
