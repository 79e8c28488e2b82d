//! Joins the pieces of stop_times.txt into trips with patterns and runs.

use std::collections::HashSet;

use super::{Join, STOPS_OF_STOP_TIMES};
use crate::index::{Index, OptionIdx, PatternIdx, RunIdx, StopIdx, TextIdx, TripIdx};
use crate::pools::{RowPool, StringPool};
use crate::problem::{ProblemKind, Problems};
use crate::rows::Rows;
use crate::run_times::{RunTimes, write_run};
use crate::scan::{Piece, StopTimePieces, sort_by_sequence};
use crate::time::Time;
use crate::timetable::{PatternStop, Trip};

/// One thread's pieces, and what its indexes are in the timetable; patterns and runs are added when a trip needs them.
struct Thread {
    pieces: StopTimePieces,
    stops: Vec<StopIdx>,
    texts: Vec<OptionIdx<TextIdx>>,
    patterns: Vec<OptionIdx<PatternIdx>>,
    runs: Vec<OptionIdx<RunIdx>>,
}

/// Which piece of which thread.
#[derive(Clone, Copy)]
struct PieceKey {
    thread: u32,
    piece: u32,
}

/// Something wrong with a trip as a whole, found when all its stop times are together.
struct TripProblem {
    /// The line of the trip's first row.
    line: u32,
    fault: Fault,
}

enum Fault {
    /// A stop_sequence comes twice.
    DuplicateSequence(u32),
    /// A time of this field comes before the time before it.
    DecreasingTime { field: &'static str, time: Time, before: Time },
}

impl TripProblem {
    fn report(&self, problems: &mut Problems) {
        let line = u64::from(self.line);
        match self.fault {
            Fault::DuplicateSequence(sequence) => {
                let found = format!("{sequence} twice in the trip that begins here");
                let place = (STOPS_OF_STOP_TIMES.file, line, "stop_sequence");
                problems.add(
                    ProblemKind::DuplicateSequence,
                    place,
                    found.as_bytes(),
                    "each stop_sequence once in a trip",
                );
            }
            Fault::DecreasingTime { field, time, before } => {
                let found = format!("{time} in the trip that begins here");
                let place = (STOPS_OF_STOP_TIMES.file, line, field);
                let expected = format_args!("{before}, the time before it, or later");
                problems.add(ProblemKind::DecreasingTime, place, found.as_bytes(), expected);
            }
        }
    }
}

/// Gives each trip its pattern, run and start; stops and texts that are new become known.
pub(super) fn join(
    pieces: Vec<StopTimePieces>,
    (trip_ids, trips): (&StringPool<TripIdx>, &mut [Trip]),
    stop_ids: &mut StringPool<StopIdx>,
    texts: &mut StringPool<TextIdx>,
    join: &mut Join,
) -> (Rows<PatternIdx, PatternStop>, Rows<RunIdx, u32>) {
    resolve_stops(&pieces, stop_ids, join);
    let mut threads: Vec<Thread> = pieces.into_iter().map(|pieces| Thread::new(pieces, stop_ids)).collect();
    let pieces_of_trip = pieces_by_trip(&mut threads, trip_ids, join);
    let mut joined = Joined::default();
    for (trip, keys) in trips.iter_mut().zip(pieces_of_trip.iter()) {
        (trip.pattern, trip.run, trip.start) = match keys {
            [] => joined.trip_without_stop_times(),
            [key] => joined.whole_trip(&mut threads[key.thread as usize], key.piece, texts),
            keys => joined.trip_of_pieces(&mut threads, keys, texts),
        };
    }
    joined.problems.sort_by_key(|problem| problem.line);
    let mut problems = Problems::default();
    joined.problems.iter().for_each(|problem| problem.report(&mut problems));
    join.problems.merge(problems);
    (joined.patterns.into_rows(), joined.runs.into_rows())
}

/// Makes every stop known that a stop time refers to, in the order in which the file first does.
fn resolve_stops(pieces: &[StopTimePieces], stop_ids: &mut StringPool<StopIdx>, join: &mut Join) {
    let referred = pieces.iter().flat_map(|pieces| pieces.stops.ids.iter().zip(&pieces.stops.lines));
    let mut unknown: Vec<_> =
        referred.filter(|((_, id), _)| stop_ids.find(id).is_none()).map(|((_, id), line)| (*line, id)).collect();
    unknown.sort_unstable();
    let mut problems = Problems::default();
    for (line, id) in unknown {
        if stop_ids.try_intern(id).is_ok() {
            join.report_unknown(&mut problems, &STOPS_OF_STOP_TIMES, line, id);
        }
    }
    join.problems.merge(problems);
}

/// trip -> its pieces; pieces of trips that nobody knows are reported.
fn pieces_by_trip(threads: &mut [Thread], trip_ids: &StringPool<TripIdx>, join: &mut Join) -> Rows<TripIdx, PieceKey> {
    let mut unknown = Vec::new();
    for (thread, of_thread) in threads.iter_mut().enumerate() {
        for piece in 0..of_thread.pieces.pieces.len() {
            let trip_id = of_thread.pieces.trip_id(piece);
            let trip = trip_ids.find_bytes(trip_id).or_else(|| trip_ids.find(&String::from_utf8_lossy(trip_id)));
            let of_piece = &mut of_thread.pieces.pieces[piece];
            of_piece.trip = trip.into();
            if trip.is_none() {
                unknown.push((of_piece.line, PieceKey { thread: thread as u32, piece: piece as u32 }));
            }
        }
    }
    unknown.sort_unstable_by_key(|(line, _)| *line);
    let (mut problems, mut reported) = (Problems::default(), HashSet::new());
    for (line, key) in unknown {
        let trip_id = threads[key.thread as usize].pieces.trip_id(key.piece as usize);
        if reported.insert(trip_id) {
            let place = (STOPS_OF_STOP_TIMES.file, u64::from(line), "trip_id");
            problems.add(ProblemKind::UnknownId, place, trip_id, "the trip_id of a row of trips.txt");
        }
    }
    join.problems.merge(problems);
    let keys = threads.iter().enumerate().flat_map(|(thread, of_thread)| {
        let pieces = of_thread.pieces.pieces.iter().enumerate();
        let key = move |piece| PieceKey { thread: thread as u32, piece: piece as u32 };
        pieces.filter_map(move |(piece, of_piece)| Some((of_piece.trip.get()?, key(piece))))
    });
    Rows::group(trip_ids.len(), keys)
}

impl Thread {
    fn new(pieces: StopTimePieces, stop_ids: &StringPool<StopIdx>) -> Self {
        let stop = |id: &str| stop_ids.find(id).expect("resolve_stops has made every stop known");
        Self {
            stops: pieces.stops.ids.iter().map(|(_, id)| stop(id)).collect(),
            texts: vec![OptionIdx::NONE; pieces.texts.len()],
            patterns: vec![OptionIdx::NONE; pieces.patterns.rows().len()],
            runs: vec![OptionIdx::NONE; pieces.runs.rows().len()],
            pieces,
        }
    }

    fn piece(&self, piece: u32) -> &Piece {
        &self.pieces.pieces[piece as usize]
    }

    /// Adds the stops of a piece, with the timetable's indexes.
    fn translate(&mut self, pattern: PatternIdx, texts: &mut StringPool<TextIdx>, stops: &mut Vec<PatternStop>) {
        for stop in self.pieces.patterns.rows().row(pattern) {
            let headsign = stop.stop_headsign.get().map(|text| {
                let known = &mut self.texts[text.position()];
                known.get().unwrap_or_else(|| {
                    let index = texts.intern(self.pieces.texts.get(text));
                    *known = Some(index).into();
                    index
                })
            });
            stops.push(PatternStop { stop: self.stops[stop.stop.position()], stop_headsign: headsign.into(), ..*stop });
        }
    }
}

/// The patterns and runs of the trips joined so far, numbered in the order of the trips.
#[derive(Default)]
struct Joined {
    patterns: RowPool<PatternIdx, PatternStop>,
    /// pattern -> a stop_sequence that it has twice.
    duplicate_sequences: Vec<Option<u32>>,
    runs: RowPool<RunIdx, u32>,
    stops: Vec<PatternStop>,
    problems: Vec<TripProblem>,
}

impl Joined {
    fn trip_without_stop_times(&mut self) -> (PatternIdx, RunIdx, Time) {
        self.stops.clear();
        (self.intern_stops(), self.runs.intern(&[]), Time::from_seconds(0))
    }

    /// A trip whose rows were all together: its pattern and run are those of its piece.
    fn whole_trip(
        &mut self,
        thread: &mut Thread,
        piece: u32,
        texts: &mut StringPool<TextIdx>,
    ) -> (PatternIdx, RunIdx, Time) {
        let &Piece { pattern: of_thread, run, start, line, .. } = thread.piece(piece);
        let pattern = thread.patterns[of_thread.position()].get().unwrap_or_else(|| {
            self.stops.clear();
            thread.translate(of_thread, texts, &mut self.stops);
            let pattern = self.intern_stops();
            thread.patterns[of_thread.position()] = Some(pattern).into();
            pattern
        });
        let known_run = &mut thread.runs[run.position()];
        let run = known_run.get().unwrap_or_else(|| {
            let index = self.runs.intern(thread.pieces.runs.rows().row(run));
            *known_run = Some(index).into();
            index
        });
        self.check((pattern, run, start), line);
        (pattern, run, start)
    }

    /// A trip whose rows lay apart, or across the end of a block: they are sorted together.
    fn trip_of_pieces(
        &mut self,
        threads: &mut [Thread],
        keys: &[PieceKey],
        texts: &mut StringPool<TextIdx>,
    ) -> (PatternIdx, RunIdx, Time) {
        let mut keys = keys.to_vec();
        keys.sort_unstable_by_key(|key| threads[key.thread as usize].piece(key.piece).line);
        let mut times = Vec::new();
        self.stops.clear();
        for key in &keys {
            let thread = &mut threads[key.thread as usize];
            let &Piece { pattern, run, start, .. } = thread.piece(key.piece);
            thread.translate(pattern, texts, &mut self.stops);
            let run_times = RunTimes::new(start, thread.pieces.runs.rows().row(run));
            times.extend(run_times.iter().map(|(arrival, departure)| (arrival.into(), departure.into())));
        }
        sort_by_sequence(&mut self.stops, &mut times);
        let mut words = Vec::new();
        let start = write_run(&times, &mut words);
        let trip = (self.intern_stops(), self.runs.intern(&words), start);
        self.check(trip, threads[keys[0].thread as usize].piece(keys[0].piece).line);
        trip
    }

    fn intern_stops(&mut self) -> PatternIdx {
        self.patterns.try_intern(&self.stops).map_or_else(
            |known| known,
            |index| {
                let twice = self.stops.windows(2).find(|pair| pair[0].stop_sequence == pair[1].stop_sequence);
                self.duplicate_sequences.push(twice.map(|pair| pair[0].stop_sequence));
                index
            },
        )
    }

    /// Looks for what only shows when a trip's stop times are together and in order; `line` is that of the first.
    fn check(&mut self, (pattern, run, start): (PatternIdx, RunIdx, Time), line: u32) {
        if let Some(sequence) = self.duplicate_sequences[pattern.position()] {
            self.problems.push(TripProblem { line, fault: Fault::DuplicateSequence(sequence) });
        }
        let run = RunTimes::new(start, self.runs.rows().row(run));
        // The times of a narrow run never go back.
        if run.is_wide() {
            let times = run.iter().flat_map(|(arrival, departure)| {
                [arrival.map(|time| ("arrival_time", time)), departure.map(|time| ("departure_time", time))]
            });
            let mut latest = Time::from_seconds(0);
            for (field, time) in times.flatten() {
                if time < latest {
                    let fault = Fault::DecreasingTime { field, time, before: latest };
                    return self.problems.push(TripProblem { line, fault });
                }
                latest = time;
            }
        }
    }
}
