//! Departures.

use jiff::tz::TimeZone;

use super::{Fields, Object, instant_text};
use crate::departures::Departure;
use crate::timetable::Timetable;

/// A vehicle that leaves a stop, with what a rider wants to know of its stop, trip and route.
#[derive(Clone, Copy, Debug)]
pub struct DepartureObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The time zone in which the instant is told.
    pub time_zone: &'t TimeZone,
    /// The departure.
    pub departure: &'t Departure,
}

impl Object for DepartureObject<'_> {
    const FIELDS: &'static [&'static str] = &[
        "scheduled",
        "service_date",
        "departure_time",
        "interpolated",
        "stop_id",
        "stop_name",
        "platform_code",
        "stop_sequence",
        "stop_headsign",
        "pickup_type",
        "route_id",
        "route_short_name",
        "route_long_name",
        "route_type",
        "route_color",
        "route_text_color",
        "trip_id",
        "service_id",
        "trip_headsign",
        "trip_short_name",
        "direction_id",
        "block_id",
        "wheelchair_accessible",
        "bikes_allowed",
        "exact_times",
        "headway_secs",
    ];

    fn write_fields(&self, out: &mut impl Fields) {
        let Self { timetable, time_zone, departure } = *self;
        let visit = timetable.stop_of(departure);
        let (stop, trip) = (timetable.stop(visit.stop), timetable.trip(departure.trip));
        let route = timetable.route(trip.route);
        let offset = time_zone.to_offset(departure.instant);
        out.text("scheduled", &instant_text(departure.instant, offset));
        out.optional_date("service_date", Some(departure.service_date));
        out.optional_time("departure_time", Some(departure.time));
        out.flag("interpolated", departure.is_interpolated.into());
        out.text("stop_id", timetable.stop_id(visit.stop));
        out.optional_text("stop_name", timetable.optional_text(stop.stop_name));
        out.optional_text("platform_code", timetable.optional_text(stop.platform_code));
        out.number("stop_sequence", visit.stop_sequence.into());
        out.optional_text("stop_headsign", timetable.optional_text(visit.stop_headsign));
        out.number("pickup_type", visit.pickup_type.into());
        out.text("route_id", timetable.route_id(trip.route));
        out.optional_text("route_short_name", timetable.optional_text(route.route_short_name));
        out.optional_text("route_long_name", timetable.optional_text(route.route_long_name));
        out.optional_number("route_type", route.route_type);
        out.optional_text("route_color", timetable.optional_text(route.route_color));
        out.optional_text("route_text_color", timetable.optional_text(route.route_text_color));
        out.text("trip_id", timetable.trip_id(departure.trip));
        out.text("service_id", timetable.service_id(trip.service));
        out.optional_text("trip_headsign", timetable.optional_text(trip.trip_headsign));
        out.optional_text("trip_short_name", timetable.optional_text(trip.trip_short_name));
        out.optional_number("direction_id", trip.direction_id);
        out.optional_text("block_id", timetable.optional_text(trip.block_id));
        out.number("wheelchair_accessible", trip.wheelchair_accessible.into());
        out.number("bikes_allowed", trip.bikes_allowed.into());
        out.optional_number("exact_times", departure.frequency.map(|row| row.exact_times));
        out.optional_number("headway_secs", departure.frequency.map(|row| row.headway_secs));
    }
}
