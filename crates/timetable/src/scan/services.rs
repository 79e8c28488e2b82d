//! calendar.txt, calendar_dates.txt and frequencies.txt: when trips run.

use std::collections::HashSet;

use jiff::civil::Date;

use super::row::{Column, Columns, Referred, Row};
use crate::calendar::{Exception, Week};
use crate::index::{ServiceIdx, TripIdx};
use crate::pools::StringPool;
use crate::problem::{FeedError, ProblemKind};
use crate::time::Time;
use crate::timetable::Frequency;

/// The rows of calendar.txt.
#[derive(Default)]
pub(crate) struct CalendarRows {
    pub(crate) ids: StringPool<ServiceIdx>,
    /// service -> its week.
    pub(crate) weeks: Vec<Week>,
    service_id: Column,
    days: [Column; 7],
    start_date: Column,
    end_date: Column,
}

impl super::Table for CalendarRows {
    const FILE: &'static str = "calendar.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
        Ok(Self {
            service_id: columns.get("service_id")?,
            days: days.map(|day| columns.find(day)),
            start_date: columns.get("start_date")?,
            end_date: columns.get("end_date")?,
            ..Self::default()
        })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Some(service_id) = row.id(self.service_id) else { return };
        let (Some(start_date), Some(end_date)) = (row.date(self.start_date), row.date(self.end_date)) else { return };
        if self.ids.try_intern(&service_id).is_err() {
            return row.report(ProblemKind::DuplicateId, self.service_id, "a service_id that no row before has");
        }
        if end_date < start_date {
            row.report(
                ProblemKind::InvalidDate,
                self.end_date,
                format_args!("a date not before start_date, {start_date}"),
            );
        }
        let days = self.days.map(|day| row.code(day, 1, 0) == 1);
        self.weeks.push(Week { days, start_date, end_date });
    }
}

/// The rows of calendar_dates.txt.
#[derive(Default)]
pub(crate) struct CalendarDateRows {
    pub(crate) ids: StringPool<ServiceIdx>,
    /// service, date, exception and line, in the order of the file.
    pub(crate) exceptions: Vec<(ServiceIdx, Date, Exception, u64)>,
    service_id: Column,
    date: Column,
    exception_type: Column,
}

impl super::Table for CalendarDateRows {
    const FILE: &'static str = "calendar_dates.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        Ok(Self {
            service_id: columns.get("service_id")?,
            date: columns.get("date")?,
            exception_type: columns.get("exception_type")?,
            ..Self::default()
        })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Some(service_id) = row.id(self.service_id) else { return };
        let Some(date) = row.date(self.date) else { return };
        let exception = match row.number(self.exception_type, 1..=2) {
            Some(1) => Exception::Added,
            Some(_) => Exception::Removed,
            None => return row.report_missing(self.exception_type, "1 or 2"),
        };
        self.exceptions.push((self.ids.intern(&service_id), date, exception, row.line()));
    }
}

/// The rows of frequencies.txt.
#[derive(Default)]
pub(crate) struct FrequencyRows {
    pub(crate) trips: Referred<TripIdx>,
    pub(crate) rows: Vec<(TripIdx, Frequency)>,
    /// What the rows are known by (GTFS reference, frequencies.txt: primary key).
    known: HashSet<(TripIdx, Time)>,
    trip_id: Column,
    start_time: Column,
    end_time: Column,
    headway_secs: Column,
    exact_times: Column,
}

impl super::Table for FrequencyRows {
    const FILE: &'static str = "frequencies.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        Ok(Self {
            trip_id: columns.get("trip_id")?,
            start_time: columns.get("start_time")?,
            end_time: columns.get("end_time")?,
            headway_secs: columns.get("headway_secs")?,
            exact_times: columns.find("exact_times"),
            ..Self::default()
        })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Some(trip) = self.trips.refer(row, self.trip_id).get() else {
            return row.report(ProblemKind::MissingValue, self.trip_id, "a trip_id");
        };
        let Some(start_time) = row.time(self.start_time).get() else {
            return row.report_missing(self.start_time, "HH:MM:SS");
        };
        let Some(end_time) = row.time(self.end_time).get() else {
            return row.report_missing(self.end_time, "HH:MM:SS");
        };
        if end_time <= start_time {
            row.report(ProblemKind::InvalidTime, self.end_time, format_args!("a time after start_time, {start_time}"));
        }
        let Some(headway_secs) = row.number(self.headway_secs, 1..=1_000_000) else {
            return row.report_missing(self.headway_secs, "seconds");
        };
        if !self.known.insert((trip, start_time)) {
            let expected = "a start_time that no row before has for this trip";
            return row.report(ProblemKind::DuplicateId, self.start_time, expected);
        }
        let exact_times = row.code(self.exact_times, 1, 0);
        self.rows.push((trip, Frequency { start_time, end_time, headway_secs, exact_times }));
    }
}
