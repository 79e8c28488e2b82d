//! A city's feed before it is text: what [`super::write`] writes.
//!
//! Positions of one list in another are `u32`, such as "stop -> its station"; the lists are frozen once they are built.

/// What runs on a route; the number is GTFS's `route_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// A tram.
    LightRail = 0,
    /// A metro.
    Subway = 1,
    /// A train.
    CommuterRail = 2,
    /// A bus.
    Bus = 3,
    /// A boat.
    Ferry = 4,
    /// Cars on a rope up a slope.
    Funicular = 7,
}

/// A place in millionths of a degree, north and east.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Millionths of a degree north.
    pub(super) lat: i32,
    /// Millionths of a degree east.
    pub(super) lon: i32,
}

impl Place {
    /// The place `part / whole` of the way to `other`.
    pub(super) fn toward(self, other: Self, part: i32, whole: i32) -> Self {
        let step = |from: i32, to: i32| from + (i64::from(to - from) * i64::from(part) / i64::from(whole)) as i32;
        Self { lat: step(self.lat, other.lat), lon: step(self.lon, other.lon) }
    }

    /// The place beside the way to `other`: `thousandths` of the whole way to its left, from here.
    pub(super) fn beside(self, other: Self, thousandths: i32) -> Self {
        let scale = |part: i32| (i64::from(part) * i64::from(thousandths) / 1000) as i32;
        Self { lat: self.lat + scale(other.lon - self.lon), lon: self.lon - scale(other.lat - self.lat) }
    }

    /// Metres to `other`, as on a plane; a degree east is three quarters of a degree north at 42°, near enough
    /// elsewhere. Integers only, because sines differ in their last digits from machine to machine.
    pub(super) fn metres_to(self, other: Self) -> u32 {
        let north = i64::from(other.lat - self.lat) * 111_195 / 1_000_000;
        let east = i64::from(other.lon - self.lon) * 82_600 / 1_000_000;
        (north * north + east * east).unsigned_abs().isqrt() as u32
    }
}

/// GTFS's `location_type`, as far as we use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StopKind {
    /// Where vehicles stop.
    Platform = 0,
    /// What holds platforms.
    Station = 1,
}

/// A row of stops.txt.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub(super) id: String,
    pub(super) name: String,
    /// Empty, or which platform of its station it is.
    pub(super) platform: String,
    pub(super) place: Place,
    pub(super) kind: StopKind,
    /// stop -> its station.
    pub(super) parent: Option<u32>,
    pub(super) mode: Mode,
    pub(super) municipality: String,
    pub(super) on_street: String,
    pub(super) at_street: String,
    /// MBTA's id of a place whose times are planned; empty where times are only reckoned.
    pub(super) checkpoint: String,
}

/// A row of routes.txt, and how its trips are named.
#[derive(Clone, Debug)]
pub(super) struct Route {
    pub(super) id: String,
    pub(super) short_name: String,
    pub(super) long_name: String,
    pub(super) description: String,
    pub(super) mode: Mode,
    pub(super) color: &'static str,
    pub(super) text_color: &'static str,
    /// What the ids of its trips begin with, before their number.
    pub(super) trip_id_prefix: String,
    /// What the ids of its blocks begin with, before their number.
    pub(super) block_id_prefix: String,
}

/// Whether a service runs on a date against its weekdays: the number is GTFS's `exception_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exception {
    /// It runs.
    Added = 1,
    /// It does not.
    Removed = 2,
}

/// A row of calendar.txt and its rows of calendar_dates.txt. Dates are `YYYYMMDD`.
#[derive(Clone, Debug)]
pub(super) struct Service {
    pub(super) id: String,
    /// Monday to Sunday as in calendar.txt, such as `1,1,1,1,1,0,0`.
    pub(super) days: &'static str,
    pub(super) first_date: u32,
    pub(super) last_date: u32,
    /// Date, what happens, and the holiday's name or nothing.
    pub(super) exceptions: Vec<(u32, Exception, &'static str)>,
}

/// A sequence of stops that trips of one route and direction share.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// pattern -> route.
    pub(super) route: u32,
    /// 0 or 1.
    pub(super) direction: u8,
    /// visit -> stop.
    pub(super) stops: Vec<u32>,
    pub(super) headsign: String,
    /// Empty, or the stop_headsign of the first half of its visits: what the trip passes on its way.
    pub(super) via: String,
    pub(super) shape_id: String,
}

/// Seconds since a trip's first departure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Times {
    pub(super) arrival_s: u32,
    pub(super) departure_s: u32,
}

/// A row of trips.txt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    /// trip -> pattern.
    pub(super) pattern: u32,
    /// trip -> run, its running times; without meaning when every trip has its own.
    pub(super) run: u32,
    /// trip -> service.
    pub(super) service: u32,
    /// The first departure, in seconds since noon minus 12 h.
    pub(super) start_s: u32,
    /// The number in its id.
    pub(super) number: u32,
    /// The train's number, 0 where riders know none.
    pub(super) train: u32,
    /// The vehicle's number of that route and service.
    pub(super) block: u32,
}

/// A row of frequencies.txt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frequency {
    /// frequency -> trip.
    pub(super) trip: u32,
    pub(super) start_s: u32,
    pub(super) end_s: u32,
    pub(super) headway_s: u32,
    pub(super) exact_times: ExactTimes,
}

/// GTFS's `exact_times`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExactTimes {
    /// Only the headway is promised.
    HeadwayOnly = 0,
    /// The trips depart on a schedule.
    Schedule = 1,
}

/// Which stops have times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimesAt {
    /// All of them, as in MBTA's feed.
    EveryStop,
    /// Only the first, the last and those with a checkpoint; the others' are left empty.
    Checkpoints,
}

/// The whole feed.
#[derive(Clone, Debug)]
pub(super) struct City {
    /// The row of agency.txt.
    pub(super) agency: [&'static str; 7],
    /// The row of feed_info.txt.
    pub(super) feed_info: Vec<String>,
    pub(super) stops: Vec<Stop>,
    pub(super) routes: Vec<Route>,
    pub(super) services: Vec<Service>,
    pub(super) patterns: Vec<Pattern>,
    /// run -> the times of each of its pattern's visits; empty when every trip has its own.
    pub(super) runs: Vec<Vec<Times>>,
    /// The seed of which every trip draws times of its own, if so.
    pub(super) own_times_seed: Option<u64>,
    /// Grouped by route, in the order of trips.txt.
    pub(super) trips: Vec<Trip>,
    pub(super) frequencies: Vec<Frequency>,
    pub(super) times_at: TimesAt,
}

impl City {
    /// The route of `pattern`.
    pub(super) fn route(&self, pattern: &Pattern) -> &Route {
        &self.routes[pattern.route as usize]
    }

    /// The id of `trip`.
    pub(super) fn trip_id(&self, trip: &Trip) -> String {
        let prefix = &self.route(&self.patterns[trip.pattern as usize]).trip_id_prefix;
        match trip.train {
            0 => format!("{prefix}{}", trip.number),
            train => format!("{prefix}{}-{train}", trip.number),
        }
    }
}
