//! The timetable: built once, never changed, never wrong.

use jiff::civil::Date;

use crate::calendar::Service;
use crate::index::{
    AgencyIdx, Index, OptionIdx, PatternIdx, RouteIdx, RunIdx, ServiceIdx, ShapeIdx, StopIdx, TextIdx, TripIdx,
};
use crate::pools::StringPool;
use crate::rows::Rows;
use crate::run_times::RunTimes;
use crate::shape::Points;
use crate::time::Time;

/// Everything a feed says, with every reference resolved.
///
/// Invariants, made by `build` and asserted nowhere else: every index is in the bounds of its column; every run fits
/// the pattern of every trip that has it; stop times stand in the order of their stop_sequence.
#[derive(Debug, Default, PartialEq, Hash)]
pub struct Timetable {
    pub(crate) agencies: Vec<Agency>,
    pub(crate) stop_ids: StringPool<StopIdx>,
    /// stop -> its row of stops.txt; without one, a row with nothing in it.
    pub(crate) stops: Vec<Stop>,
    pub(crate) route_ids: StringPool<RouteIdx>,
    /// route -> its row of routes.txt; without one, a row with nothing in it.
    pub(crate) routes: Vec<Route>,
    pub(crate) service_ids: StringPool<ServiceIdx>,
    /// service -> the days on which it runs.
    pub(crate) services: Vec<Service>,
    pub(crate) trip_ids: StringPool<TripIdx>,
    /// trip -> its row of trips.txt with its pattern and run.
    pub(crate) trips: Vec<Trip>,
    /// pattern -> its stops in order.
    pub(crate) patterns: Rows<PatternIdx, PatternStop>,
    /// run -> the words of its times, see [`RunTimes`].
    pub(crate) runs: Rows<RunIdx, u32>,
    /// Sorted by trip and start.
    pub(crate) frequencies: Vec<(TripIdx, Frequency)>,
    pub(crate) shape_ids: StringPool<ShapeIdx>,
    /// shape -> its points, packed, see [`Points`].
    pub(crate) shapes: Rows<ShapeIdx, u8>,
    pub(crate) feed_info: FeedInfo,
    pub(crate) texts: StringPool<TextIdx>,
    /// route -> its trips in the order of trips.txt.
    pub(crate) trips_of_route: Rows<RouteIdx, TripIdx>,
    /// service -> its trips in the order of trips.txt.
    pub(crate) trips_of_service: Rows<ServiceIdx, TripIdx>,
    /// stop -> where patterns visit it.
    pub(crate) visits_of_stop: Rows<StopIdx, Visit>,
    /// stop -> the stops whose parent_station it is.
    pub(crate) children_of_stop: Rows<StopIdx, StopIdx>,
    /// pattern -> its trips in the order of trips.txt.
    pub(crate) trips_of_pattern: Rows<PatternIdx, TripIdx>,
    /// pattern -> the times between which its trips are under way, repeated ones too.
    pub(crate) times_of_pattern: Vec<(Time, Time)>,
    /// What the answer of schedules needs of each run and pattern.
    pub(crate) json_sizes: crate::schedules::JsonSizes,
    /// How many stop times all trips have together.
    pub(crate) stop_time_count: u64,
}

/// A row of agency.txt.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Agency {
    /// agency_id; empty where a feed has one agency only.
    pub agency_id: TextIdx,
    /// agency_name.
    pub agency_name: TextIdx,
    /// agency_url.
    pub agency_url: TextIdx,
    /// agency_timezone, such as `America/New_York`, as the feed has it.
    pub agency_timezone: TextIdx,
    /// agency_lang.
    pub agency_lang: OptionIdx<TextIdx>,
    /// agency_phone.
    pub agency_phone: OptionIdx<TextIdx>,
}

/// A row of stops.txt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stop {
    /// stop_code, which riders see.
    pub stop_code: OptionIdx<TextIdx>,
    /// stop_name.
    pub stop_name: OptionIdx<TextIdx>,
    /// stop_desc.
    pub stop_desc: OptionIdx<TextIdx>,
    /// stop_lat and stop_lon in degrees, WGS 84.
    pub place: Option<(f64, f64)>,
    /// location_type: 0 stop or platform, 1 station, 2 entrance, 3 node, 4 boarding area.
    pub location_type: u8,
    /// stop -> the station it belongs to.
    pub parent_station: OptionIdx<StopIdx>,
    /// stop_timezone.
    pub stop_timezone: OptionIdx<TextIdx>,
    /// wheelchair_boarding: 0 unknown, 1 possible, 2 not possible.
    pub wheelchair_boarding: u8,
    /// platform_code.
    pub platform_code: OptionIdx<TextIdx>,
}

impl std::hash::Hash for Stop {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let place = self.place.map(|(latitude, longitude)| (latitude.to_bits(), longitude.to_bits()));
        let texts = (self.stop_code, self.stop_name, self.stop_desc, self.stop_timezone, self.platform_code);
        (place, texts, self.location_type, self.parent_station, self.wheelchair_boarding).hash(state);
    }
}

/// A row of routes.txt.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct Route {
    /// route -> its agency.
    pub agency: OptionIdx<AgencyIdx>,
    /// route_short_name.
    pub route_short_name: OptionIdx<TextIdx>,
    /// route_long_name.
    pub route_long_name: OptionIdx<TextIdx>,
    /// route_desc.
    pub route_desc: OptionIdx<TextIdx>,
    /// route_type: 0 tram, 1 subway, 2 rail, 3 bus, 4 ferry and so on.
    pub route_type: Option<u16>,
    /// route_url.
    pub route_url: OptionIdx<TextIdx>,
    /// route_color, six hexadecimal digits.
    pub route_color: OptionIdx<TextIdx>,
    /// route_text_color, six hexadecimal digits.
    pub route_text_color: OptionIdx<TextIdx>,
    /// route_sort_order.
    pub route_sort_order: Option<u32>,
}

/// A row of trips.txt, with what stop_times.txt says of the trip.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Trip {
    /// trip -> its route.
    pub route: RouteIdx,
    /// trip -> its service.
    pub service: ServiceIdx,
    /// trip -> its stops; the empty pattern for a trip without stop times.
    pub pattern: PatternIdx,
    /// trip -> its times after `start`.
    pub run: RunIdx,
    /// The first departure.
    pub start: Time,
    /// trip_headsign.
    pub trip_headsign: OptionIdx<TextIdx>,
    /// trip_short_name.
    pub trip_short_name: OptionIdx<TextIdx>,
    /// block_id: trips that one vehicle runs one after the other.
    pub block_id: OptionIdx<TextIdx>,
    /// trip -> its shape.
    pub shape: OptionIdx<ShapeIdx>,
    /// direction_id, 0 or 1.
    pub direction_id: Option<u8>,
    /// wheelchair_accessible: 0 unknown, 1 yes, 2 no.
    pub wheelchair_accessible: u8,
    /// bikes_allowed: 0 unknown, 1 yes, 2 no.
    pub bikes_allowed: u8,
}

/// A stop of a pattern: what stop_times.txt says of it beside the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternStop {
    /// The stop.
    pub stop: StopIdx,
    /// stop_sequence, as the feed has it: it rises along the pattern, with gaps or not.
    pub stop_sequence: u32,
    /// stop_headsign, where it differs from the trip's.
    pub stop_headsign: OptionIdx<TextIdx>,
    /// pickup_type: 0 usual, 1 none, 2 by phone, 3 by the driver.
    pub pickup_type: u8,
    /// drop_off_type, likewise.
    pub drop_off_type: u8,
    /// timepoint: 1 if the times are exact, 0 if they are about right.
    pub timepoint: u8,
}

/// Two words instead of six fields: whole patterns are hashed for every trip that is read.
impl std::hash::Hash for PatternStop {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        let codes = u32::from_le_bytes([self.pickup_type, self.drop_off_type, self.timepoint, 0]);
        state.write_u64(u64::from(self.stop.number()) << 32 | u64::from(self.stop_sequence));
        state.write_u64(u64::from(self.stop_headsign.number()) << 32 | u64::from(codes));
    }
}

/// A row of frequencies.txt: a trip that runs again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frequency {
    /// start_time: when the first vehicle leaves the first stop.
    pub start_time: Time,
    /// end_time: none leaves at or after it.
    pub end_time: Time,
    /// Seconds from one departure to the next, never 0.
    pub headway_secs: u32,
    /// exact_times: 1 if they leave to the second, 0 if about so.
    pub exact_times: u8,
}

/// A place where a pattern visits a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visit {
    /// The pattern.
    pub pattern: PatternIdx,
    /// The position in the pattern, from 0.
    pub position: u32,
}

/// The row of feed_info.txt.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct FeedInfo {
    /// feed_publisher_name.
    pub feed_publisher_name: OptionIdx<TextIdx>,
    /// feed_publisher_url.
    pub feed_publisher_url: OptionIdx<TextIdx>,
    /// feed_lang.
    pub feed_lang: OptionIdx<TextIdx>,
    /// feed_version.
    pub feed_version: OptionIdx<TextIdx>,
    /// feed_start_date.
    pub feed_start_date: Option<Date>,
    /// feed_end_date.
    pub feed_end_date: Option<Date>,
}

/// How many rows of each kind a timetable has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Agencies.
    pub agencies: usize,
    /// Stops, stations and other places, those only referred to among them.
    pub stops: usize,
    /// Routes, those only referred to among them.
    pub routes: usize,
    /// Services.
    pub services: usize,
    /// Trips.
    pub trips: usize,
    /// Stop times.
    pub stop_times: u64,
    /// Distinct sequences of stops.
    pub patterns: usize,
    /// Distinct sequences of running times.
    pub runs: usize,
    /// Rows of frequencies.txt.
    pub frequencies: usize,
    /// Shapes.
    pub shapes: usize,
}

impl Timetable {
    /// A number that any change of the timetable changes (but for one chance in 2^64), the same in every process.
    pub fn version(&self) -> u64 {
        use std::hash::BuildHasher;
        foldhash::quality::FixedState::with_seed(0x6c69_6e65_7370_6565).hash_one(self)
    }

    /// How many rows of each kind there are.
    pub fn counts(&self) -> Counts {
        Counts {
            agencies: self.agencies.len(),
            stops: self.stops.len(),
            routes: self.routes.len(),
            services: self.services.len(),
            trips: self.trips.len(),
            stop_times: self.stop_time_count,
            patterns: self.patterns.len(),
            runs: self.runs.len(),
            frequencies: self.frequencies.len(),
            shapes: self.shapes.len(),
        }
    }

    /// Bytes held in memory by part: name, bytes.
    pub fn heap_bytes(&self) -> Vec<(&'static str, usize)> {
        let indexes = self.trips_of_route.heap_bytes()
            + self.trips_of_service.heap_bytes()
            + self.trips_of_pattern.heap_bytes()
            + size_of_val(self.times_of_pattern.as_slice())
            + self.visits_of_stop.heap_bytes()
            + self.children_of_stop.heap_bytes();
        let services = size_of_val(self.services.as_slice())
            + self.services.iter().map(|service| size_of_val(service.exceptions.as_slice())).sum::<usize>();
        vec![
            ("trips", size_of_val(self.trips.as_slice())),
            ("trip ids", self.trip_ids.heap_bytes()),
            ("patterns", self.patterns.heap_bytes()),
            ("runs", self.runs.heap_bytes()),
            ("stops", size_of_val(self.stops.as_slice()) + self.stop_ids.heap_bytes()),
            ("routes", size_of_val(self.routes.as_slice()) + self.route_ids.heap_bytes()),
            ("services", services + self.service_ids.heap_bytes()),
            ("shapes", self.shapes.heap_bytes() + self.shape_ids.heap_bytes()),
            ("frequencies", size_of_val(self.frequencies.as_slice())),
            ("texts", self.texts.heap_bytes() + size_of_val(self.agencies.as_slice())),
            ("indexes", indexes),
            ("answers' sizes", self.json_sizes.heap_bytes()),
        ]
    }

    /// The first and the last day on which any service runs; `None` if none ever does.
    pub fn service_period(&self) -> Option<(Date, Date)> {
        let periods = || self.services.iter().filter_map(Service::period);
        Some((periods().map(|(first, _)| first).min()?, periods().map(|(_, last)| last).max()?))
    }

    /// All routes, those of routes.txt first and in its order.
    pub fn routes(&self) -> impl Iterator<Item = RouteIdx> + use<> {
        (0..self.routes.len()).map(RouteIdx::new)
    }

    /// The route called `route_id`.
    pub fn find_route(&self, route_id: &str) -> Option<RouteIdx> {
        self.route_ids.find(route_id)
    }

    /// The id of `route`.
    pub fn route_id(&self, route: RouteIdx) -> &str {
        self.route_ids.get(route)
    }

    /// What routes.txt says of `route`.
    pub fn route(&self, route: RouteIdx) -> &Route {
        &self.routes[route.position()]
    }

    /// The trips of `route` in the order of trips.txt.
    pub fn trips_of_route(&self, route: RouteIdx) -> &[TripIdx] {
        self.trips_of_route.row(route)
    }

    /// The trips of `service` in the order of trips.txt.
    pub fn trips_of_service(&self, service: ServiceIdx) -> &[TripIdx] {
        self.trips_of_service.row(service)
    }

    /// Where patterns visit `stop`.
    pub fn visits_of_stop(&self, stop: StopIdx) -> &[Visit] {
        self.visits_of_stop.row(stop)
    }

    /// `stop` and all that is part of it: the platforms of a station, the boarding areas of a platform.
    pub fn stop_with_children(&self, stop: StopIdx) -> Vec<StopIdx> {
        let mut stops = vec![stop];
        let mut next = 0;
        while let Some(&parent) = stops.get(next) {
            // Every stop has one parent, so only the first could come again, where stations are part of each other.
            stops.extend(self.children_of_stop.row(parent).iter().filter(|child| **child != stop));
            next += 1;
        }
        stops
    }

    /// All stops, those of stops.txt first and in its order.
    pub fn stops(&self) -> impl Iterator<Item = StopIdx> + use<> {
        (0..self.stops.len()).map(StopIdx::new)
    }

    /// All trips in the order of trips.txt.
    pub fn trips(&self) -> impl Iterator<Item = TripIdx> + use<> {
        (0..self.trips.len()).map(TripIdx::new)
    }

    /// All services: those of calendar.txt, then those of calendar_dates.txt, then those that trips refer to.
    pub fn services(&self) -> impl Iterator<Item = ServiceIdx> + use<> {
        (0..self.services.len()).map(ServiceIdx::new)
    }

    /// All shapes in the order in which shapes.txt first names them.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeIdx> + use<> {
        (0..self.shape_ids.len()).map(ShapeIdx::new)
    }

    /// The trips of `pattern` in the order of trips.txt.
    pub fn trips_of_pattern(&self, pattern: PatternIdx) -> &[TripIdx] {
        self.trips_of_pattern.row(pattern)
    }

    /// The stops whose parent_station is `stop`.
    pub fn children_of_stop(&self, stop: StopIdx) -> &[StopIdx] {
        self.children_of_stop.row(stop)
    }

    /// The trip called `trip_id`.
    pub fn find_trip(&self, trip_id: &str) -> Option<TripIdx> {
        self.trip_ids.find(trip_id)
    }

    /// What the feed says of `trip`.
    pub fn trip(&self, trip: TripIdx) -> &Trip {
        &self.trips[trip.position()]
    }

    /// The id of `trip`.
    pub fn trip_id(&self, trip: TripIdx) -> &str {
        self.trip_ids.get(trip)
    }

    /// The stops of `pattern` in order.
    pub fn pattern(&self, pattern: PatternIdx) -> &[PatternStop] {
        self.patterns.row(pattern)
    }

    /// The times of `trip` at the stops of its pattern.
    pub fn run_times(&self, trip: &Trip) -> RunTimes<'_> {
        RunTimes::new(trip.start, self.runs.row(trip.run))
    }

    /// The stop called `stop_id`.
    pub fn find_stop(&self, stop_id: &str) -> Option<StopIdx> {
        self.stop_ids.find(stop_id)
    }

    /// What stops.txt says of `stop`.
    pub fn stop(&self, stop: StopIdx) -> &Stop {
        &self.stops[stop.position()]
    }

    /// The id of `stop`.
    pub fn stop_id(&self, stop: StopIdx) -> &str {
        self.stop_ids.get(stop)
    }

    /// The service called `service_id`.
    pub fn find_service(&self, service_id: &str) -> Option<ServiceIdx> {
        self.service_ids.find(service_id)
    }

    /// The days on which `service` runs.
    pub fn service(&self, service: ServiceIdx) -> &Service {
        &self.services[service.position()]
    }

    /// The id of `service`.
    pub fn service_id(&self, service: ServiceIdx) -> &str {
        self.service_ids.get(service)
    }

    /// The rows of frequencies.txt for `trip`, by their start.
    pub fn frequencies(&self, trip: TripIdx) -> impl Iterator<Item = &Frequency> {
        let first = self.frequencies.partition_point(|(of_trip, _)| *of_trip < trip);
        self.frequencies[first..]
            .iter()
            .take_while(move |(of_trip, _)| *of_trip == trip)
            .map(|(_, frequency)| frequency)
    }

    /// The shape called `shape_id`.
    pub fn find_shape(&self, shape_id: &str) -> Option<ShapeIdx> {
        self.shape_ids.find(shape_id)
    }

    /// The id of `shape`.
    pub fn shape_id(&self, shape: ShapeIdx) -> &str {
        self.shape_ids.get(shape)
    }

    /// The points of `shape` in order.
    pub fn shape(&self, shape: ShapeIdx) -> Points<'_> {
        Points::new(self.shapes.row(shape))
    }

    /// The rows of agency.txt.
    pub fn agencies(&self) -> &[Agency] {
        &self.agencies
    }

    /// The id of `agency`; empty where a feed has one agency only.
    pub fn agency_id(&self, agency: AgencyIdx) -> &str {
        self.text(self.agencies[agency.position()].agency_id)
    }

    /// The row of feed_info.txt; without one, a row with nothing in it.
    pub fn feed_info(&self) -> &FeedInfo {
        &self.feed_info
    }

    /// The text of `index`.
    pub fn text(&self, index: TextIdx) -> &str {
        self.texts.get(index)
    }

    /// The text of `index`, if there is one.
    pub fn optional_text(&self, index: OptionIdx<TextIdx>) -> Option<&str> {
        index.get().map(|index| self.text(index))
    }
}
