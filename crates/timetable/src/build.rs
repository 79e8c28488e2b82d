//! Joins what was read of each file into a timetable.
//!
//! Ids are looked up here and nowhere else; what is not found is reported. Everything is numbered in the order of the
//! files' rows, so the timetable is the same whatever the number of threads that read it.

mod stop_times;

use std::collections::BTreeSet;

use crate::calendar::Service;
use crate::index::{AgencyIdx, Index, OptionIdx, RouteIdx, RunIdx, ServiceIdx, StopIdx, TextIdx, TripIdx};
use crate::pools::StringPool;
use crate::problem::{ProblemKind, Problems, Report};
use crate::rows::Rows;
use crate::run_times::RunTimes;
use crate::scan::{
    CalendarDateRows, CalendarRows, FrequencyRows, Referred, RouteRows, ShapeRows, StopRows, Tables, TripRows,
};
use crate::schedules::JsonSizes;
use crate::time::Time;
use crate::timetable::{Agency, FeedInfo, Frequency, Route, Stop, Timetable, Trip, Visit};

/// What a problem of a reference names: the file and field that refer, and the file (or files) and field referred to.
struct Reference {
    file: &'static str,
    field: &'static str,
    to_file: &'static str,
    to_field: &'static str,
}

/// Makes the timetable and completes the report.
pub(crate) fn build(tables: Tables) -> (Timetable, Report) {
    let Tables { mut report, .. } = tables;
    let mut texts = StringPool::new();
    let mut join = Join { problems: Problems::default(), present: report.files.clone() };

    let agencies = tables.agencies;
    let (mut stop_ids, mut stops) = join.stops(tables.stops, &mut texts);
    let (mut route_ids, mut routes) = join.routes(tables.routes, &agencies.ids, &mut texts);
    let agencies = pooled_agencies(agencies.rows, &agencies.texts, &mut texts);
    let ShapeRows { ids: shape_ids, packed: shapes, .. } = tables.shapes;
    let (mut service_ids, mut services) = join.services(tables.calendar, tables.calendar_dates);
    let feed_info = pooled_feed_info(tables.feed_info.row, &tables.feed_info.texts, &mut texts);

    let TripRows {
        ids: mut trip_ids,
        rows: mut trips,
        routes: own_routes,
        services: own_services,
        shapes: own_shapes,
        texts: own_texts,
        ..
    } = tables.trips;
    let routes_of_trips = join.resolve(&own_routes, &ROUTES_OF_TRIPS, &mut route_ids);
    routes.resize(route_ids.len(), Route::default());
    let services_of_trips = join.resolve(&own_services, &SERVICES_OF_TRIPS, &mut service_ids);
    services.resize(service_ids.len(), Service::default());
    let shapes_of_trips = join.find(&own_shapes, &SHAPES_OF_TRIPS, &shape_ids);
    let texts_of_trips = TextMap::new(&own_texts, &mut texts);
    for trip in &mut trips {
        trip.route = routes_of_trips[trip.route.position()];
        trip.service = services_of_trips[trip.service.position()];
        trip.shape = trip.shape.get().map_or(OptionIdx::NONE, |shape| shapes_of_trips[shape.position()]);
        for text in [&mut trip.trip_headsign, &mut trip.trip_short_name, &mut trip.block_id] {
            *text = texts_of_trips.map(*text);
        }
    }
    drop(own_texts);
    let (patterns, runs) =
        stop_times::join(tables.stop_times, (&trip_ids, &mut trips), &mut stop_ids, &mut texts, &mut join);
    stops.resize(stop_ids.len(), Stop::default());
    let frequencies = join.frequencies(tables.frequencies, &trip_ids);

    trips.shrink_to_fit();
    let trips_with_index = || trips.iter().enumerate().map(|(position, trip)| (TripIdx::new(position), trip));
    let visits = patterns.iter().enumerate().flat_map(|(pattern, stops)| {
        stops.iter().zip(0..).map(move |(stop, position)| (stop.stop, Visit { pattern: Index::new(pattern), position }))
    });
    let children = stops.iter().enumerate();
    let children = children.filter_map(|(stop, row)| Some((row.parent_station.get()?, StopIdx::new(stop))));
    let json_sizes = JsonSizes::new(&stop_ids, &patterns, &runs, (&trip_ids, &service_ids, &route_ids));
    texts.shrink_to_fit();
    trip_ids.shrink_to_fit();
    let timetable = Timetable {
        trips_of_route: Rows::group(routes.len(), trips_with_index().map(|(index, trip)| (trip.route, index))),
        trips_of_service: Rows::group(services.len(), trips_with_index().map(|(index, trip)| (trip.service, index))),
        visits_of_stop: Rows::group(stops.len(), visits),
        children_of_stop: Rows::group(stops.len(), children),
        trips_of_pattern: Rows::group(patterns.len(), trips_with_index().map(|(index, trip)| (trip.pattern, index))),
        times_of_pattern: times_of_patterns(patterns.len(), &trips, (&runs, &json_sizes), &frequencies),
        json_sizes,
        stop_time_count: trips.iter().map(|trip| patterns.row(trip.pattern).len() as u64).sum(),
        agencies,
        stop_ids,
        stops,
        route_ids,
        routes,
        service_ids,
        services,
        trip_ids,
        trips,
        patterns,
        runs,
        frequencies,
        shape_ids,
        shapes,
        feed_info,
        texts,
    };
    report.problems.merge(join.problems);
    report.problems.finish();
    (timetable, report)
}

/// pattern -> the times of a service day between which its trips are under way; they may be further apart.
fn times_of_patterns(
    pattern_count: usize,
    trips: &[Trip],
    (runs, sizes): (&Rows<RunIdx, u32>, &JsonSizes),
    frequencies: &[(TripIdx, Frequency)],
) -> Vec<(Time, Time)> {
    let mut times = vec![(Time::from_seconds(0), Time::from_seconds(0)); pattern_count];
    let mut widen = |trip: &Trip, earliest: i32, latest: i32| {
        let of_pattern = &mut times[trip.pattern.position()];
        of_pattern.0 = of_pattern.0.min(Time::from_seconds(earliest));
        of_pattern.1 = of_pattern.1.max(Time::from_seconds(latest));
    };
    for trip in trips {
        widen(trip, 0, trip.start.seconds() + sizes.latest(trip.run));
    }
    for (trip, frequency) in frequencies {
        let trip = &trips[trip.position()];
        // A stop may have an arrival before the trip's first departure, which is what frequencies.txt repeats.
        let after_start = RunTimes::new(Time::from_seconds(0), runs.row(trip.run)).iter();
        let earliest = after_start.flat_map(|(arrival, departure)| [arrival, departure]).flatten().min();
        let earliest = earliest.map_or(0, Time::seconds);
        widen(trip, frequency.start_time.seconds() + earliest, frequency.end_time.seconds() + sizes.latest(trip.run));
    }
    times
}

const ROUTES_OF_TRIPS: Reference =
    Reference { file: "trips.txt", field: "route_id", to_file: "routes.txt", to_field: "route_id" };
const SERVICES_OF_TRIPS: Reference = Reference {
    file: "trips.txt",
    field: "service_id",
    to_file: "calendar.txt or calendar_dates.txt",
    to_field: "service_id",
};
const SHAPES_OF_TRIPS: Reference =
    Reference { file: "trips.txt", field: "shape_id", to_file: "shapes.txt", to_field: "shape_id" };
const STOPS_OF_STOP_TIMES: Reference =
    Reference { file: "stop_times.txt", field: "stop_id", to_file: "stops.txt", to_field: "stop_id" };
const PARENTS_OF_STOPS: Reference =
    Reference { file: "stops.txt", field: "parent_station", to_file: "stops.txt", to_field: "stop_id" };
const AGENCIES_OF_ROUTES: Reference =
    Reference { file: "routes.txt", field: "agency_id", to_file: "agency.txt", to_field: "agency_id" };
const TRIPS_OF_FREQUENCIES: Reference =
    Reference { file: "frequencies.txt", field: "trip_id", to_file: "trips.txt", to_field: "trip_id" };

/// What the steps of the join share: the problems that only it can find.
struct Join {
    problems: Problems,
    /// The files of the reference that the feed has: a reference into a file that is missing is no problem.
    present: Vec<&'static str>,
}

impl Join {
    /// Adds a reference that leads nowhere to `problems`, which are those of this reference alone: the lines of another
    /// one begin anew, and only then are the first of each kept.
    fn report_unknown(&self, problems: &mut Problems, reference: &Reference, line: u64, id: &str) {
        let Reference { file, field, to_file, to_field } = reference;
        let is_there = to_file.split(" or ").any(|file| self.present.contains(&file));
        if is_there && !id.is_empty() {
            let expected = format_args!("the {to_field} of a row of {to_file}");
            problems.add(ProblemKind::UnknownId, (file, line, field), id.as_bytes(), expected);
        }
    }

    /// id referred to -> its index in `known`; one that is not known is reported and becomes known by its id alone.
    fn resolve<K: Index>(
        &mut self,
        referred: &Referred<K>,
        reference: &Reference,
        known: &mut StringPool<K>,
    ) -> Vec<K> {
        let mut problems = Problems::default();
        let mut resolved = Vec::with_capacity(referred.ids.len());
        for ((_, id), line) in referred.ids.iter().zip(&referred.lines) {
            let index = known.try_intern(id).inspect(|_| self.report_unknown(&mut problems, reference, *line, id));
            resolved.push(index.unwrap_or_else(|index| index));
        }
        self.problems.merge(problems);
        resolved
    }

    /// id referred to -> its index in `known`; none, reported, for one that is not known.
    fn find<K: Index>(
        &mut self,
        referred: &Referred<K>,
        reference: &Reference,
        known: &StringPool<K>,
    ) -> Vec<OptionIdx<K>> {
        let mut problems = Problems::default();
        let mut found = Vec::with_capacity(referred.ids.len());
        for ((_, id), line) in referred.ids.iter().zip(&referred.lines) {
            let index = known.find(id);
            if index.is_none() {
                self.report_unknown(&mut problems, reference, *line, id);
            }
            found.push(index.into());
        }
        self.problems.merge(problems);
        found
    }

    fn stops(&mut self, table: StopRows, texts: &mut StringPool<TextIdx>) -> (StringPool<StopIdx>, Vec<Stop>) {
        let StopRows { ids, mut rows, parents, texts: own_texts, .. } = table;
        let parents = self.find(&parents, &PARENTS_OF_STOPS, &ids);
        let map = TextMap::new(&own_texts, texts);
        for stop in &mut rows {
            stop.parent_station =
                stop.parent_station.get().map_or(OptionIdx::NONE, |parent| parents[parent.position()]);
            for text in [
                &mut stop.stop_code,
                &mut stop.stop_name,
                &mut stop.stop_desc,
                &mut stop.stop_timezone,
                &mut stop.platform_code,
            ] {
                *text = map.map(*text);
            }
        }
        (ids, rows)
    }

    fn routes(
        &mut self,
        table: RouteRows,
        agency_ids: &StringPool<AgencyIdx>,
        texts: &mut StringPool<TextIdx>,
    ) -> (StringPool<RouteIdx>, Vec<Route>) {
        let RouteRows { ids, mut rows, agencies, texts: own_texts, .. } = table;
        let agencies = self.find(&agencies, &AGENCIES_OF_ROUTES, agency_ids);
        // In a feed of one agency, routes need not name it.
        let only = (agency_ids.len() == 1).then(|| AgencyIdx::new(0)).into();
        let map = TextMap::new(&own_texts, texts);
        for route in &mut rows {
            route.agency = route.agency.get().map_or(only, |agency| agencies[agency.position()]);
            for text in [
                &mut route.route_short_name,
                &mut route.route_long_name,
                &mut route.route_desc,
                &mut route.route_url,
                &mut route.route_color,
                &mut route.route_text_color,
            ] {
                *text = map.map(*text);
            }
        }
        (ids, rows)
    }

    fn services(&mut self, calendar: CalendarRows, dates: CalendarDateRows) -> (StringPool<ServiceIdx>, Vec<Service>) {
        let mut ids = calendar.ids;
        let mut services: Vec<Service> =
            calendar.weeks.into_iter().map(|week| Service { week: Some(week), exceptions: Vec::new() }).collect();
        let own: Vec<ServiceIdx> = dates.ids.iter().map(|(_, id)| ids.intern(id)).collect();
        services.resize(ids.len(), Service::default());
        let mut known = BTreeSet::new();
        for (service, date, exception, line) in dates.exceptions {
            let service = own[service.position()];
            // The first row wins, as with every id.
            if known.insert((service, date)) {
                services[service.position()].exceptions.push((date, exception));
            } else {
                let found = format!("{} {date}", ids.get(service));
                let place = ("calendar_dates.txt", line, "date");
                self.problems.add(
                    ProblemKind::DuplicateId,
                    place,
                    found.as_bytes(),
                    "one exception for each service and date",
                );
            }
        }
        for service in &mut services {
            service.exceptions.sort_unstable();
            service.exceptions.shrink_to_fit();
        }
        (ids, services)
    }

    fn frequencies(&mut self, table: FrequencyRows, trip_ids: &StringPool<TripIdx>) -> Vec<(TripIdx, Frequency)> {
        let trips = self.find(&table.trips, &TRIPS_OF_FREQUENCIES, trip_ids);
        let resolved =
            table.rows.into_iter().filter_map(|(trip, frequency)| Some((trips[trip.position()].get()?, frequency)));
        let mut frequencies: Vec<_> = resolved.collect();
        frequencies.sort_unstable();
        frequencies
    }
}

/// text of one file -> text of the timetable.
struct TextMap(Vec<TextIdx>);

impl TextMap {
    fn new(own: &StringPool<TextIdx>, texts: &mut StringPool<TextIdx>) -> Self {
        Self(own.iter().map(|(_, text)| texts.intern(text)).collect())
    }

    fn get(&self, text: TextIdx) -> TextIdx {
        self.0[text.position()]
    }

    fn map(&self, text: OptionIdx<TextIdx>) -> OptionIdx<TextIdx> {
        text.get().map(|text| self.get(text)).into()
    }
}

fn pooled_agencies(rows: Vec<Agency>, own: &StringPool<TextIdx>, texts: &mut StringPool<TextIdx>) -> Vec<Agency> {
    let map = TextMap::new(own, texts);
    let pooled = |agency: Agency| Agency {
        agency_id: map.get(agency.agency_id),
        agency_name: map.get(agency.agency_name),
        agency_url: map.get(agency.agency_url),
        agency_timezone: map.get(agency.agency_timezone),
        agency_lang: map.map(agency.agency_lang),
        agency_phone: map.map(agency.agency_phone),
    };
    rows.into_iter().map(pooled).collect()
}

fn pooled_feed_info(row: Option<FeedInfo>, own: &StringPool<TextIdx>, texts: &mut StringPool<TextIdx>) -> FeedInfo {
    let map = TextMap::new(own, texts);
    row.map_or_else(FeedInfo::default, |row| FeedInfo {
        feed_publisher_name: map.map(row.feed_publisher_name),
        feed_publisher_url: map.map(row.feed_publisher_url),
        feed_lang: map.map(row.feed_lang),
        feed_version: map.map(row.feed_version),
        ..row
    })
}
