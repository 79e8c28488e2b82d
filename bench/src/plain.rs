//! The slow twin: the same job in plain Rust, as a good programmer writes it with the libraries at hand.
//!
//! `csv` and `serde` read the rows, a `HashMap` of vectors holds them, `serde_json` writes the answers and `axum` sends
//! them. It shares no code with the program, so its answers are what the program's are compared with, and its time is
//! what the program's is a multiple of.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use axum::extract::{self, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use csv::StringRecord;
use serde::{Deserialize, Serialize};

/// Loads the feed in `folder` and serves `/schedules/{route_id}` until the process is stopped.
///
/// Fails when trips.txt or stop_times.txt is missing or malformed, or the address cannot be listened on.
pub(crate) fn serve(folder: &Path, address: SocketAddr) -> anyhow::Result<()> {
    let timetable = Arc::new(Timetable::read(folder)?);
    let app = Router::new().route("/schedules/{route_id}", get(schedules)).with_state(timetable);
    tokio::runtime::Runtime::new()?.block_on(async {
        let listener =
            tokio::net::TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
        crate::announce(listener.local_addr()?);
        Ok(axum::serve(listener, app).await?)
    })
}

async fn schedules(
    State(timetable): State<Arc<Timetable>>,
    extract::Path(route_id): extract::Path<String>,
) -> Response {
    match timetable.find_schedules(&route_id) {
        Some(schedules) => Json(schedules).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

struct Trip {
    trip_id: String,
    service_id: String,
}

#[derive(Serialize)]
struct StopTime {
    stop_id: String,
    arrival_time: String,
    departure_time: String,
    #[serde(skip)]
    stop_sequence: u32,
}

struct Timetable {
    /// route_id -> its trips in the order of trips.txt.
    trips_by_route: HashMap<String, Vec<Trip>>,
    /// trip_id -> its stop times by stop_sequence.
    stop_times_by_trip: HashMap<String, Vec<StopTime>>,
}

/// One element of the answer of `/schedules/{route_id}`.
#[derive(Serialize)]
struct TripSchedule<'timetable> {
    trip_id: &'timetable str,
    service_id: &'timetable str,
    route_id: &'timetable str,
    schedules: &'timetable [StopTime],
}

#[derive(Deserialize)]
struct RouteRow<'row> {
    route_id: &'row str,
}

#[derive(Deserialize)]
struct TripRow<'row> {
    route_id: &'row str,
    service_id: &'row str,
    trip_id: &'row str,
}

#[derive(Deserialize)]
struct StopTimeRow<'row> {
    trip_id: &'row str,
    arrival_time: &'row str,
    departure_time: &'row str,
    stop_id: &'row str,
    stop_sequence: &'row str,
}

impl Timetable {
    fn read(folder: &Path) -> anyhow::Result<Self> {
        let mut trips_by_route: HashMap<String, Vec<Trip>> = HashMap::new();
        let routes = folder.join("routes.txt");
        if routes.is_file() {
            for_each_row(&routes, |record, headers| {
                let row: RouteRow<'_> = record.deserialize(Some(headers))?;
                trips_by_route.entry(row.route_id.trim().to_owned()).or_default();
                Ok(())
            })?;
        }

        let mut trip_ids = HashSet::new();
        for_each_row(&folder.join("trips.txt"), |record, headers| {
            let row: TripRow<'_> = record.deserialize(Some(headers))?;
            let trip_id = row.trip_id.trim().to_owned();
            // GTFS reference, trips.txt: trip_id is unique; of a duplicate the first row wins.
            if trip_ids.insert(trip_id.clone()) {
                let trip = Trip { trip_id, service_id: row.service_id.trim().to_owned() };
                trips_by_route.entry(row.route_id.trim().to_owned()).or_default().push(trip);
            }
            Ok(())
        })?;

        let mut stop_times_by_trip: HashMap<String, Vec<StopTime>> = HashMap::new();
        for_each_row(&folder.join("stop_times.txt"), |record, headers| {
            let row: StopTimeRow<'_> = record.deserialize(Some(headers))?;
            let stop_time = StopTime {
                stop_id: row.stop_id.trim().to_owned(),
                arrival_time: padded_time(row.arrival_time),
                departure_time: padded_time(row.departure_time),
                stop_sequence: row.stop_sequence.trim().parse()?,
            };
            let trip_id = row.trip_id.trim();
            match stop_times_by_trip.get_mut(trip_id) {
                Some(stop_times) => stop_times.push(stop_time),
                None => drop(stop_times_by_trip.insert(trip_id.to_owned(), vec![stop_time])),
            }
            Ok(())
        })?;
        for stop_times in stop_times_by_trip.values_mut() {
            stop_times.sort_by_key(|stop_time| stop_time.stop_sequence);
        }
        Ok(Self { trips_by_route, stop_times_by_trip })
    }

    fn find_schedules(&self, route_id: &str) -> Option<Vec<TripSchedule<'_>>> {
        let (route_id, trips) = self.trips_by_route.get_key_value(route_id)?;
        let schedule = |trip: &'_ Trip| self.stop_times_by_trip.get(&trip.trip_id).map_or(&[][..], Vec::as_slice);
        Some(
            trips
                .iter()
                .map(|trip| TripSchedule {
                    trip_id: &trip.trip_id,
                    service_id: &trip.service_id,
                    route_id,
                    schedules: schedule(trip),
                })
                .collect(),
        )
    }
}

/// Calls `on_row` with each record of the file and its headers; an error of it names file and line.
pub(crate) fn for_each_row(
    path: &Path,
    mut on_row: impl FnMut(&StringRecord, &StringRecord) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).buffer_capacity(64 * 1024).from_reader(file);
    let headers = reader.headers().with_context(|| format!("cannot read {}", path.display()))?.clone();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).with_context(|| format!("cannot read {}", path.display()))? {
        on_row(&record, &headers).with_context(|| {
            let line = record.position().map_or(0, csv::Position::line);
            format!("{}, line {line}", path.display())
        })?;
    }
    Ok(())
}

/// A time as the answers have it: without padding spaces, the hour with two digits at least.
fn padded_time(time: &str) -> String {
    let time = time.trim();
    if time.find(':') == Some(1) { format!("0{time}") } else { time.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_trimmed_and_padded() {
        assert_eq!(padded_time(" 6:05:00 "), "06:05:00");
        assert_eq!(padded_time("26:05:00"), "26:05:00");
        assert_eq!(padded_time(" "), "");
    }
}
