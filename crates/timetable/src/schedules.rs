//! The answer of `GET /schedules/{route_id}`, written from the timetable as it is sent.
//!
//! Nothing of an answer is kept: its length follows from what is known of each pattern and run, and its bytes are made
//! in pieces of the size that the socket takes. The inner loop copies a template for each stop and puts two times in.

use crate::index::{Index, OptionIdx, PatternIdx, RouteIdx, RunIdx, ServiceIdx, StopIdx, TripIdx};
use crate::json::{COPIED_BYTES, JsonStrings, are_plain, escaped_byte_count, write_escaped};
use crate::pools::StringPool;
use crate::rows::Rows;
use crate::run_times::{RunTimes, StopTime};
use crate::time::{HUNDRED_HOURS, Time};
use crate::timetable::{PatternStop, Timetable, Trip};

/// What stands before a stop's id; the first byte is `[` for the first stop of a trip.
const BEFORE_STOP: &[u8; 13] = b",{\"stop_id\":\"";

/// What follows a stop's id, with places for the times.
const AFTER_STOP: &[u8; 56] = b"\",\"arrival_time\":\"00:00:00\",\"departure_time\":\"00:00:00\"}";

/// Where in [`AFTER_STOP`] the arrival and the departure stand.
const ARRIVAL_AT: usize = 18;
const DEPARTURE_AT: usize = 46;

/// The bytes of a stop time without its id and its times.
const STOP_TIME_BYTES: usize = BEFORE_STOP.len() + AFTER_STOP.len() - 16;

/// How many bytes the fast way may touch for one stop.
const FAST_STOP_BYTES: usize = BEFORE_STOP.len() + COPIED_BYTES + AFTER_STOP.len();

/// What is needed to know the length of an answer before it is written.
#[derive(Debug, Default, PartialEq, Hash)]
pub(crate) struct JsonSizes {
    /// stop -> its id as it stands in JSON.
    stop_ids: JsonStrings,
    /// pattern -> the bytes of its stop times without the times.
    patterns: Vec<u64>,
    /// run -> what its times take.
    runs: Vec<RunSize>,
    /// Whether ids of trips, services and routes stand in JSON as they are.
    ids_are_plain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Hash)]
struct RunSize {
    /// How many times are not empty.
    time_count: u32,
    /// The latest time, in seconds after the start.
    latest: i32,
}

impl JsonSizes {
    pub(crate) fn new(
        stop_ids: &StringPool<StopIdx>,
        patterns: &Rows<PatternIdx, PatternStop>,
        runs: &Rows<RunIdx, u32>,
        (trip_ids, service_ids, route_ids): (&StringPool<TripIdx>, &StringPool<ServiceIdx>, &StringPool<RouteIdx>),
    ) -> Self {
        let stop_ids = JsonStrings::new(stop_ids);
        let ids_are_plain = are_plain(trip_ids) && are_plain(service_ids) && are_plain(route_ids);
        let pattern_bytes = |stops: &[PatternStop]| {
            stops.iter().map(|stop| (STOP_TIME_BYTES + stop_ids.get(stop.stop.position()).len()) as u64).sum()
        };
        let run_size = |words: &[u32]| {
            let times = RunTimes::new(Time::from_seconds(0), words)
                .iter()
                .flat_map(|(arrival, departure)| [arrival, departure]);
            times.flatten().fold(RunSize { time_count: 0, latest: 0 }, |size, time| RunSize {
                time_count: size.time_count + 1,
                latest: size.latest.max(time.seconds()),
            })
        };
        let (patterns, runs) = (patterns.iter().map(pattern_bytes).collect(), runs.iter().map(run_size).collect());
        Self { stop_ids, patterns, runs, ids_are_plain }
    }

    /// The latest time of `run`, in seconds after the start.
    pub(crate) fn latest(&self, run: RunIdx) -> i32 {
        self.runs[run.position()].latest
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.stop_ids.heap_bytes() + size_of_val(self.patterns.as_slice()) + size_of_val(self.runs.as_slice())
    }
}

impl Timetable {
    /// The schedules of all trips of `route`.
    pub fn schedules(&self, route: RouteIdx) -> Schedules<'_> {
        self.schedules_of(route, self.trips_of_route(route))
    }

    /// The schedules of these trips, which must be of `route`.
    pub fn schedules_of<'t>(&'t self, route: RouteIdx, trips: &'t [TripIdx]) -> Schedules<'t> {
        Schedules { timetable: self, route, trips }
    }
}

/// The answer `[{"trip_id","service_id","route_id","schedules":[{"stop_id","arrival_time","departure_time"}]}]`:
/// compact, trips in the order of trips.txt, stop times in that of stop_sequence, an empty time as `""`.
#[derive(Clone, Copy, Debug)]
pub struct Schedules<'t> {
    timetable: &'t Timetable,
    route: RouteIdx,
    trips: &'t [TripIdx],
}

/// How far an answer has been written.
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    /// The trip to go on with.
    trip: usize,
    part: Part,
    /// The stop to go on with, and the departure before it, see [`RunTimes::at`].
    stop: usize,
    clock: i32,
    /// What did not fit in the piece before, and how much of it has been sent since.
    rest: Vec<u8>,
    rest_sent: usize,
    /// What stands between a trip's id and its stop times, and the service that it names: it is mostly that of the trip
    /// before.
    after_trip_id: Vec<u8>,
    service: OptionIdx<ServiceIdx>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    TripBegin,
    StopTimes,
    End,
}

impl Schedules<'_> {
    /// How many bytes the answer has.
    pub fn byte_count(&self) -> u64 {
        let commas = self.trips.len().saturating_sub(1) as u64;
        2 + commas + self.trips.iter().map(|trip| self.trip_byte_count(*trip)).sum::<u64>()
    }

    fn trip_byte_count(&self, trip: TripIdx) -> u64 {
        const WITHOUT_VALUES: usize = r#"{"trip_id":"","service_id":"","route_id":"","schedules":[]}"#.len();
        let timetable = self.timetable;
        let of_trip = timetable.trip(trip);
        let ids = self.ids(trip, of_trip.service);
        let id_byte_count =
            |id: &[u8]| if timetable.json_sizes.ids_are_plain { id.len() } else { escaped_byte_count(id) };
        let id_bytes: usize = ids.map(id_byte_count).iter().sum();
        let size = timetable.json_sizes.runs[of_trip.run.position()];
        let time_bytes = if of_trip.start.seconds() + size.latest < HUNDRED_HOURS {
            8 * u64::from(size.time_count)
        } else {
            let times = timetable.run_times(of_trip).iter().flat_map(|(arrival, departure)| [arrival, departure]);
            times.flatten().map(|time| time.to_string().len() as u64).sum()
        };
        // Each stop time counts the byte before it: `[` or a comma; so a trip with any counts its `[` twice.
        let stop_times_bytes = timetable.json_sizes.patterns[of_trip.pattern.position()];
        (WITHOUT_VALUES + id_bytes) as u64 + time_bytes + stop_times_bytes - u64::from(stop_times_bytes > 0)
    }

    /// The ids that stand before a trip's stop times.
    fn ids(&self, trip: TripIdx, service: ServiceIdx) -> [&[u8]; 3] {
        let Timetable { trip_ids, service_ids, route_ids, .. } = self.timetable;
        [trip_ids.get_bytes(trip), service_ids.get_bytes(service), route_ids.get_bytes(self.route)]
    }

    /// Fills `out` with what comes next and gives the number of bytes; fewer than `out` has only at the end.
    pub fn write_piece(&self, cursor: &mut Cursor, out: &mut [u8]) -> usize {
        let mut at = 0;
        loop {
            let rest = &cursor.rest[cursor.rest_sent..];
            let count = rest.len().min(out.len() - at);
            out[at..at + count].copy_from_slice(&rest[..count]);
            at += count;
            cursor.rest_sent += count;
            if at == out.len() {
                return at;
            }
            cursor.rest.clear();
            cursor.rest_sent = 0;
            match cursor.part {
                Part::TripBegin => self.begin_trip(cursor),
                Part::StopTimes => self.write_stop_times(cursor, out, &mut at),
                Part::End => return at,
            }
        }
    }

    /// Puts what stands before a trip's stop times in the rest, or the end of the answer when there is no trip.
    fn begin_trip(&self, cursor: &mut Cursor) {
        let timetable = self.timetable;
        let Some(&trip) = self.trips.get(cursor.trip) else {
            cursor.rest.extend_from_slice(if self.trips.is_empty() { b"[]" } else { b"]" });
            cursor.part = Part::End;
            return;
        };
        let of_trip = timetable.trip(trip);
        let [trip_id, service_id, route_id] = self.ids(trip, of_trip.service);
        let write_id = |id: &[u8], out: &mut Vec<u8>| {
            if timetable.json_sizes.ids_are_plain { out.extend_from_slice(id) } else { write_escaped(id, out) }
        };
        if cursor.service.get() != Some(of_trip.service) {
            cursor.service = Some(of_trip.service).into();
            let out = &mut cursor.after_trip_id;
            out.clear();
            out.extend_from_slice(b"\",\"service_id\":\"");
            write_id(service_id, out);
            out.extend_from_slice(b"\",\"route_id\":\"");
            write_id(route_id, out);
            out.extend_from_slice(b"\",\"schedules\":");
        }
        cursor.rest.extend_from_slice(if cursor.trip == 0 { b"[{\"trip_id\":\"" } else { b",{\"trip_id\":\"" });
        write_id(trip_id, &mut cursor.rest);
        cursor.rest.extend_from_slice(&cursor.after_trip_id);
        cursor.part = Part::StopTimes;
        cursor.stop = 0;
        cursor.clock = timetable.run_times(of_trip).first_clock();
    }

    /// Writes stop times the fast way as long as that can be; the next one, or the end of the trip, goes to the rest.
    fn write_stop_times(&self, cursor: &mut Cursor, out: &mut [u8], at: &mut usize) {
        let timetable = self.timetable;
        let trip = timetable.trip(self.trips[cursor.trip]);
        let stops = timetable.pattern(trip.pattern);
        self.write_fast(trip, cursor, out, at);
        match stops.get(cursor.stop) {
            Some(stop) => {
                let stop_times = timetable.run_times(trip).at(cursor.stop, &mut cursor.clock);
                let first_byte = if cursor.stop == 0 { b'[' } else { b',' };
                cursor.stop += 1;
                self.write_plain(first_byte, stop, stop_times, &mut cursor.rest);
            }
            None => {
                cursor.rest.extend_from_slice(if stops.is_empty() { b"[]}" } else { b"]}" });
                cursor.trip += 1;
                self.begin_trip(cursor);
            }
        }
    }

    /// Writes stop times until the room ends or one comes that is not usual: with an empty time, with one that has not
    /// eight bytes, or with a long id. Then the plain way writes one.
    #[inline]
    fn write_fast(&self, trip: &Trip, cursor: &mut Cursor, out: &mut [u8], at: &mut usize) {
        let Timetable { json_sizes: sizes, .. } = self.timetable;
        let has_eight_bytes = trip.start.seconds() + sizes.latest(trip.run) < HUNDRED_HOURS;
        let Some(words) = self.timetable.run_times(trip).narrow_words().filter(|_| has_eight_bytes) else { return };
        let stops = self.timetable.pattern(trip.pattern);
        for (stop, word) in stops[cursor.stop..].iter().zip(&words[cursor.stop..]) {
            let mut clock = cursor.clock;
            let Some((arrival, departure)) = RunTimes::narrow_times(*word, &mut clock) else { return };
            let Some((id, id_bytes)) = sizes.stop_ids.copied(stop.stop.position()) else { return };
            let Some(room) = out[*at..].first_chunk_mut::<FAST_STOP_BYTES>() else { return };
            room[..BEFORE_STOP.len()].copy_from_slice(BEFORE_STOP);
            room[0] = if cursor.stop == 0 { b'[' } else { b',' };
            room[BEFORE_STOP.len()..BEFORE_STOP.len() + COPIED_BYTES].copy_from_slice(id);
            let after = room[BEFORE_STOP.len() + id_bytes..].first_chunk_mut::<{ AFTER_STOP.len() }>();
            let after = after.expect("an id that is copied has at most as many bytes as are copied");
            *after = *AFTER_STOP;
            let arrival_text = arrival.to_eight_bytes();
            // Most vehicles leave when they come, and a text costs more than a comparison.
            let departure_text = if departure == arrival { arrival_text } else { departure.to_eight_bytes() };
            after[ARRIVAL_AT..ARRIVAL_AT + 8].copy_from_slice(&arrival_text);
            after[DEPARTURE_AT..DEPARTURE_AT + 8].copy_from_slice(&departure_text);
            *at += BEFORE_STOP.len() + id_bytes + AFTER_STOP.len();
            cursor.stop += 1;
            cursor.clock = clock;
        }
    }

    /// Writes any stop time.
    fn write_plain(&self, first_byte: u8, stop: &PatternStop, (arrival, departure): StopTime, out: &mut Vec<u8>) {
        let text = |time: Option<Time>| time.map(|time| time.to_string()).unwrap_or_default();
        out.push(first_byte);
        out.extend_from_slice(&BEFORE_STOP[1..]);
        out.extend_from_slice(self.timetable.json_sizes.stop_ids.get(stop.stop.position()));
        out.extend_from_slice(&AFTER_STOP[..ARRIVAL_AT]);
        out.extend_from_slice(text(arrival).as_bytes());
        out.extend_from_slice(&AFTER_STOP[ARRIVAL_AT + 8..DEPARTURE_AT]);
        out.extend_from_slice(text(departure).as_bytes());
        out.extend_from_slice(&AFTER_STOP[DEPARTURE_AT + 8..]);
    }

    /// The answer in pieces of `piece_bytes`, the last one shorter.
    pub fn pieces(&self, piece_bytes: usize) -> impl Iterator<Item = Vec<u8>> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || {
            let mut piece = vec![0; piece_bytes];
            let count = self.write_piece(&mut cursor, &mut piece);
            piece.truncate(count);
            (count > 0).then_some(piece)
        })
    }

    /// The whole answer.
    pub fn to_vec(&self) -> Vec<u8> {
        let byte_count = usize::try_from(self.byte_count()).expect("an answer fits in memory");
        let mut answer = vec![0; byte_count];
        let count = self.write_piece(&mut Cursor::default(), &mut answer);
        assert_eq!(count, byte_count, "the length of an answer is known before it is written");
        answer
    }
}
