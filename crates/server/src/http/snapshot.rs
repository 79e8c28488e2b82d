//! A feed and what has been made of it.

use std::sync::{Arc, OnceLock};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use timetable::{Board, Index, StopIdx, Timetable};

use super::compressed::CompressedAnswers;
use super::page::Page;
use super::problem::Problem;
use super::stops::folded;
use crate::feed::Loaded;
use crate::reload::ReloadStatus;

/// How many bytes of boards are kept, so that those of busy stops are made once a day.
const BOARD_BYTES_MAX: u64 = 8 << 20;

/// What a board takes beside its rows.
const BOARD_BYTES_MIN: u64 = 128;

/// A feed and what has been made of it. A request keeps the one that it began with, so no answer is of two feeds.
///
/// Copies share all but what has become of the feed.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    pub(super) loaded: Arc<Loaded>,
    /// What has become of the feed until now.
    pub(super) reloads: ReloadStatus,
    /// Made once: it takes as long as the feed has routes, and would hold up whatever else the thread answers.
    pub(super) page: Arc<Page>,
    pub(super) compressed: Arc<CompressedAnswers>,
    time_zone: Option<TimeZone>,
    /// stop -> its name as names are compared; made when a name is asked for first.
    folded_names: Arc<OnceLock<Vec<Box<str>>>>,
    boards: Arc<Cache<(StopIdx, Date), Arc<Board>, BoardWeight>>,
}

#[derive(Clone, Debug)]
struct BoardWeight;

impl Weighter<(StopIdx, Date), Arc<Board>> for BoardWeight {
    fn weight(&self, _: &(StopIdx, Date), board: &Arc<Board>) -> u64 {
        BOARD_BYTES_MIN + board.heap_bytes() as u64
    }
}

impl Snapshot {
    /// What is made of `loaded`.
    pub(super) fn new(loaded: Loaded, reloads: ReloadStatus, compressed: Arc<CompressedAnswers>) -> Self {
        // For how many boards the cache makes room at once; it grows past that.
        let boards_guessed = 256;
        Self {
            page: Arc::new(Page::new(&loaded)),
            time_zone: loaded.feed.timetable.time_zone(),
            loaded: Arc::new(loaded),
            reloads,
            compressed,
            folded_names: Arc::default(),
            boards: Arc::new(Cache::with_weighter(boards_guessed, BOARD_BYTES_MAX, BoardWeight)),
        }
    }

    pub(super) fn timetable(&self) -> &Timetable {
        &self.loaded.feed.timetable
    }

    /// All that leaves `stop` on `date`, kept from before or made now.
    pub(super) fn board(&self, stop: StopIdx, date: Date) -> Arc<Board> {
        if let Some(board) = self.boards.get(&(stop, date)) {
            return board;
        }
        let board = Arc::new(self.timetable().board(stop, date));
        self.boards.insert((stop, date), Arc::clone(&board));
        board
    }

    /// The name of `stop` in small letters without accents; empty where it has none.
    pub(super) fn folded_name(&self, stop: StopIdx) -> &str {
        let timetable = self.timetable();
        let name = |stop| timetable.optional_text(timetable.stop(stop).stop_name).unwrap_or_default();
        let names = || timetable.stops().map(|stop| folded(name(stop)).into()).collect();
        &self.folded_names.get_or_init(names)[stop.position()]
    }

    /// The time zone of the feed's times; a feed without agency.txt has none.
    pub(super) fn time_zone(&self) -> Result<&TimeZone, Problem> {
        self.need(&["agency.txt"])?;
        self.time_zone.as_ref().ok_or_else(|| Problem::unusable_file("agency.txt", "a known agency_timezone"))
    }

    /// The days on which services run; a feed with neither file that tells them has none.
    pub(super) fn need_calendar(&self) -> Result<(), Problem> {
        self.need(&["calendar.txt", "calendar_dates.txt"])
    }

    /// Fails when the feed has none of `files`, which an answer needs one of.
    pub(super) fn need(&self, files: &[&str]) -> Result<(), Problem> {
        let has_any = files.iter().any(|file| self.loaded.feed.report.files.contains(file));
        if has_any { Ok(()) } else { Err(Problem::missing_file(files)) }
    }
}
