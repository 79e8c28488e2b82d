//! Trips with their stop times, frequencies and services.

use super::{Fields, Object};
use crate::calendar::Exception;
use crate::index::{ServiceIdx, TripIdx};
use crate::run_times::StopTime;
use crate::timetable::{Frequency, PatternStop, Timetable};

/// A row of trips.txt.
#[derive(Clone, Copy, Debug)]
pub struct TripObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The trip.
    pub trip: TripIdx,
}

impl Object for TripObject<'_> {
    const FIELDS: &'static [&'static str] = &[
        "trip_id",
        "route_id",
        "service_id",
        "trip_headsign",
        "trip_short_name",
        "direction_id",
        "block_id",
        "shape_id",
        "wheelchair_accessible",
        "bikes_allowed",
    ];

    fn write_fields(&self, out: &mut impl Fields) {
        let Self { timetable, trip } = *self;
        let row = timetable.trip(trip);
        out.text("trip_id", timetable.trip_id(trip));
        out.text("route_id", timetable.route_id(row.route));
        out.text("service_id", timetable.service_id(row.service));
        out.optional_text("trip_headsign", timetable.optional_text(row.trip_headsign));
        out.optional_text("trip_short_name", timetable.optional_text(row.trip_short_name));
        out.optional_number("direction_id", row.direction_id);
        out.optional_text("block_id", timetable.optional_text(row.block_id));
        out.optional_text("shape_id", row.shape.get().map(|shape| timetable.shape_id(shape)));
        out.number("wheelchair_accessible", row.wheelchair_accessible.into());
        out.number("bikes_allowed", row.bikes_allowed.into());
    }
}

/// A trip with its stop times and its rows of frequencies.txt.
#[derive(Clone, Copy, Debug)]
pub struct TripWithTimes<'t>(pub TripObject<'t>);

impl Object for TripWithTimes<'_> {
    const FIELDS: &'static [&'static str] = TripObject::FIELDS;

    fn write_fields(&self, out: &mut impl Fields) {
        let Self(TripObject { timetable, trip }) = *self;
        self.0.write_fields(out);
        let row = timetable.trip(trip);
        let stop_times = timetable.pattern(row.pattern).iter().zip(timetable.run_times(row).iter());
        out.objects("stop_times", stop_times.map(|(stop, times)| StopTimeObject { timetable, stop, times }));
        if timetable.frequencies(trip).next().is_some() {
            out.objects("frequencies", timetable.frequencies(trip).map(|row| FrequencyObject(*row)));
        }
    }
}

/// A row of stop_times.txt.
#[derive(Clone, Copy, Debug)]
pub struct StopTimeObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The stop.
    pub stop: &'t PatternStop,
    /// Arrival and departure.
    pub times: StopTime,
}

impl Object for StopTimeObject<'_> {
    const FIELDS: &'static [&'static str] = &[
        "stop_id",
        "stop_name",
        "stop_sequence",
        "arrival_time",
        "departure_time",
        "stop_headsign",
        "pickup_type",
        "drop_off_type",
        "timepoint",
    ];

    fn write_fields(&self, out: &mut impl Fields) {
        let Self { timetable, stop, times: (arrival, departure) } = *self;
        out.text("stop_id", timetable.stop_id(stop.stop));
        out.optional_text("stop_name", timetable.optional_text(timetable.stop(stop.stop).stop_name));
        out.number("stop_sequence", stop.stop_sequence.into());
        for (name, time) in [("arrival_time", arrival), ("departure_time", departure)] {
            out.optional_text(name, time.map(|time| time.to_string()).as_deref());
        }
        out.optional_text("stop_headsign", timetable.optional_text(stop.stop_headsign));
        out.number("pickup_type", stop.pickup_type.into());
        out.number("drop_off_type", stop.drop_off_type.into());
        out.number("timepoint", stop.timepoint.into());
    }
}

/// A row of frequencies.txt.
#[derive(Clone, Copy, Debug)]
pub struct FrequencyObject(pub Frequency);

impl Object for FrequencyObject {
    const FIELDS: &'static [&'static str] = &["start_time", "end_time", "headway_secs", "exact_times"];

    fn write_fields(&self, out: &mut impl Fields) {
        out.text("start_time", &self.0.start_time.to_string());
        out.text("end_time", &self.0.end_time.to_string());
        out.number("headway_secs", self.0.headway_secs.into());
        out.number("exact_times", self.0.exact_times.into());
    }
}

/// What calendar.txt and calendar_dates.txt say of a service.
#[derive(Clone, Copy, Debug)]
pub struct ServiceObject<'t> {
    /// The timetable.
    pub timetable: &'t Timetable,
    /// The service.
    pub service: ServiceIdx,
}

const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl Object for ServiceObject<'_> {
    const FIELDS: &'static [&'static str] = &[
        "service_id",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "start_date",
        "end_date",
        "added_dates",
        "removed_dates",
        "trip_count",
    ];

    fn write_fields(&self, out: &mut impl Fields) {
        let Self { timetable, service } = *self;
        let row = timetable.service(service);
        out.text("service_id", timetable.service_id(service));
        if let Some(week) = row.week {
            for (name, runs) in WEEKDAYS.into_iter().zip(week.days) {
                out.number(name, runs.into());
            }
            out.text("start_date", &week.start_date.to_string());
            out.text("end_date", &week.end_date.to_string());
        }
        for (name, wanted) in [("added_dates", Exception::Added), ("removed_dates", Exception::Removed)] {
            let of_kind = row.exceptions.iter().filter(|(_, exception)| *exception == wanted);
            out.texts(name, of_kind.map(|(date, _)| date.to_string()));
        }
        out.number("trip_count", timetable.trips_of_service(service).len() as i64);
    }
}
