//! stop_times.txt, by several threads at once.
//!
//! Consecutive rows of one trip are a *piece*. Most feeds have each trip's rows together, so a piece is a trip but
//! where a block ends. A piece is packed at once into a pattern and a run, which nearly always exist already, so the
//! memory that a thread needs grows with what is distinct and not with the rows.

use super::row::{Column, Columns, Referred, Row};
use super::tails::{Recognised, Tails};
use crate::index::{OptionIdx, PatternIdx, RunIdx, StopIdx, TextIdx, TripIdx};
use crate::pools::{RowPool, StringPool};
use crate::problem::{FeedError, ProblemKind};
use crate::run_times::write_run;
use crate::time::{OptionTime, Time};
use crate::timetable::PatternStop;

/// What one thread has read of stop_times.txt; patterns speak of stops and texts by the indexes of this thread.
#[derive(Default)]
pub(crate) struct StopTimePieces {
    pub(crate) pieces: Vec<Piece>,
    /// The pieces' trip ids, end to end, as the file has them.
    trip_ids: Vec<u8>,
    pub(crate) patterns: RowPool<PatternIdx, PatternStop>,
    pub(crate) runs: RowPool<RunIdx, u32>,
    pub(crate) stops: Referred<StopIdx>,
    pub(crate) texts: StringPool<TextIdx>,
    columns: StopTimeColumns,
    /// How many rows speak of an area instead of a stop.
    pub(crate) area_row_count: u64,
    tails: Tails,
    /// Whether rows of the piece that is being read can be recognised by their tails.
    has_tails: bool,
    /// The piece that is being read: its stops and times in the order of the file.
    stops_of_piece: Vec<PatternStop>,
    times_of_piece: Vec<(OptionTime, OptionTime)>,
    words: Vec<u32>,
    line: u32,
    /// Where the trip id of the piece that is being read begins in `trip_ids`; it ends with them.
    trip_id_start: usize,
}

/// Consecutive rows of one trip, sorted by stop_sequence.
///
/// Offsets and lines fit in `u32`, since no feed of more than [`super::FEED_BYTES_MAX`] is read.
pub(crate) struct Piece {
    trip_id_end: u32,
    /// Its trip, once that has been looked up.
    pub(crate) trip: OptionIdx<TripIdx>,
    /// The line of its first row.
    pub(crate) line: u32,
    pub(crate) pattern: PatternIdx,
    pub(crate) run: RunIdx,
    pub(crate) start: Time,
}

#[derive(Default)]
struct StopTimeColumns {
    trip_id: Column,
    arrival_time: Column,
    departure_time: Column,
    stop_id: Column,
    location_group_id: Column,
    location_id: Column,
    stop_sequence: Column,
    stop_headsign: Column,
    pickup_type: Column,
    drop_off_type: Column,
    timepoint: Column,
}

impl StopTimePieces {
    /// The trip id of the piece at `position`, as the file has it.
    pub(crate) fn trip_id(&self, position: usize) -> &[u8] {
        let start = position.checked_sub(1).map_or(0, |before| self.pieces[before].trip_id_end);
        &self.trip_ids[start as usize..self.pieces[position].trip_id_end as usize]
    }

    /// Ends the piece that is being read and begins that of the row's trip; false for a row without a trip.
    #[cold]
    fn begin_piece(&mut self, row: &mut Row<'_, '_>) -> bool {
        self.end_piece();
        if row.id(self.columns.trip_id).is_none() {
            return false;
        }
        let trip_id = row.bytes(self.columns.trip_id);
        self.trip_ids.extend_from_slice(trip_id);
        self.line = row.line() as u32;
        let columns = [self.columns.trip_id, self.columns.arrival_time, self.columns.departure_time];
        self.has_tails = columns.map(|column| column.position) == [Some(0), Some(1), Some(2)]
            && !trip_id.iter().any(|byte| b",\"\r\n".contains(byte));
        true
    }

    /// Takes the row at the beginning of `rest` if it is recognised, and gives its length.
    #[inline]
    pub(crate) fn add_recognised(&mut self, rest: &[u8]) -> Option<usize> {
        if !self.has_tails {
            return None;
        }
        let recognised = self.tails.recognise(&self.trip_ids[self.trip_id_start..], rest)?;
        let Recognised { byte_count, stop, arrival, departure } = recognised;
        self.stops_of_piece.push(stop);
        self.times_of_piece.push((Some(arrival).into(), Some(departure).into()));
        Some(byte_count)
    }

    /// Remembers the row just added, if it is clean, so that rows like it are recognised; `read` ends with it.
    pub(crate) fn learn(&mut self, row: &Row<'_, '_>, read: &[u8]) {
        match (row.record.end_in_block(2), self.stops_of_piece.last()) {
            (Some(times_end), Some(stop)) if self.has_tails && !row.has_problem && !row.is_left_out => {
                self.tails.learn(&read[times_end..], *stop)
            }
            _ => self.tails.forget_last(),
        }
    }

    fn end_piece(&mut self) {
        // Without a piece there is no trip that a row could be recognised by.
        self.has_tails = false;
        if self.stops_of_piece.is_empty() {
            self.trip_ids.truncate(self.trip_id_start);
            return;
        }
        sort_by_sequence(&mut self.stops_of_piece, &mut self.times_of_piece);
        let start = write_run(&self.times_of_piece, &mut self.words);
        self.pieces.push(Piece {
            trip_id_end: self.trip_ids.len() as u32,
            trip: OptionIdx::NONE,
            line: self.line,
            pattern: self.patterns.intern(&self.stops_of_piece),
            run: self.runs.intern(&self.words),
            start,
        });
        self.trip_id_start = self.trip_ids.len();
        self.stops_of_piece.clear();
        self.times_of_piece.clear();
    }
}

/// Sorts stops and their times together, stably: rows of one stop_sequence keep their order.
pub(crate) fn sort_by_sequence(stops: &mut Vec<PatternStop>, times: &mut Vec<(OptionTime, OptionTime)>) {
    if stops.is_sorted_by_key(|stop| stop.stop_sequence) {
        return;
    }
    let mut rows: Vec<_> = stops.drain(..).zip(times.drain(..)).collect();
    rows.sort_by_key(|(stop, _)| stop.stop_sequence);
    for (stop, time) in rows {
        stops.push(stop);
        times.push(time);
    }
}

impl super::Table for StopTimePieces {
    const FILE: &'static str = "stop_times.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let columns = StopTimeColumns {
            trip_id: columns.get("trip_id")?,
            arrival_time: columns.find("arrival_time"),
            departure_time: columns.find("departure_time"),
            stop_id: columns.get("stop_id")?,
            location_group_id: columns.find("location_group_id"),
            location_id: columns.find("location_id"),
            stop_sequence: columns.get("stop_sequence")?,
            stop_headsign: columns.find("stop_headsign"),
            pickup_type: columns.find("pickup_type"),
            drop_off_type: columns.find("drop_off_type"),
            timepoint: columns.find("timepoint"),
        };
        Ok(Self { columns, ..Self::default() })
    }

    #[inline]
    fn add(&mut self, row: &mut Row<'_, '_>) {
        let is_same_trip = &self.trip_ids[self.trip_id_start..] == row.bytes(self.columns.trip_id);
        if (!is_same_trip || self.trip_id_start == self.trip_ids.len()) && !self.begin_piece(row) {
            return;
        }
        let columns = &self.columns;
        let Some(stop) = self.stops.refer(row, columns.stop_id).get() else {
            if row.bytes(columns.location_group_id).is_empty() && row.bytes(columns.location_id).is_empty() {
                return row.report(ProblemKind::MissingValue, columns.stop_id, "a stop_id");
            }
            // No stop, and rightly so: riders are picked up anywhere in an area (GTFS reference, stop_times.txt).
            self.area_row_count += 1;
            row.is_left_out = true;
            return;
        };
        let Some(stop_sequence) = row.number(columns.stop_sequence, 0..=u32::MAX) else {
            return row.report_missing(columns.stop_sequence, "a whole number");
        };
        self.stops_of_piece.push(PatternStop {
            stop,
            stop_sequence,
            stop_headsign: row.pooled(columns.stop_headsign, &mut self.texts),
            pickup_type: row.code(columns.pickup_type, 3, 0),
            drop_off_type: row.code(columns.drop_off_type, 3, 0),
            timepoint: row.code(columns.timepoint, 1, 1),
        });
        self.times_of_piece.push((row.time(columns.arrival_time), row.time(columns.departure_time)));
    }

    fn end_block(&mut self) {
        self.end_piece();
    }

    fn end_file(&mut self) {
        self.tails = Tails::default();
    }
}
