//! Reads each file of a feed on its own; nothing is looked up from one file in another before `build` joins them.
//!
//! So any thread may read any file at any time: each takes whole files as long as there are any, the largest first,
//! and then helps with the blocks of stop_times.txt, whose rows make up nearly all of a feed.

mod places;
mod row;
mod services;
mod shapes;
mod stop_times;
mod tails;
mod trips;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::csv::{Block, BlockError, Blocks, FastRecords, Header, PlainRecords, Record};
use crate::folder::{FeedFile, Folder};
use crate::problem::{FeedError, Problems, Report, UnusedFile};
use crate::read::ReadOptions;
use crate::reference::{ReferenceFile, Usage};

pub(crate) use places::{AgencyRows, FeedInfoRow, RouteRows, StopRows};
pub(crate) use row::{Columns, Referred, Row};
pub(crate) use services::{CalendarDateRows, CalendarRows, FrequencyRows};
pub(crate) use shapes::ShapeRows;
pub(crate) use stop_times::{Piece, StopTimePieces, sort_by_sequence};
pub(crate) use trips::TripRows;

/// How many bytes the files of a feed may have together, so that every offset and count of them fits in `u32`.
///
/// The largest national feeds have some 3 GB.
pub(crate) const FEED_BYTES_MAX: u64 = u32::MAX as u64;

/// How many pieces stop_times.txt may fall into, so that memory is bounded where its rows are not together by trip.
///
/// Ten million pieces, each of a row of six bytes, were seen to take 740 MB, so these take from 2.5 GB on.
pub(crate) const PIECES_MAX: usize = 1 << 25;

/// The rows of one file, gathered one by one.
pub(crate) trait Table: Sized + Send {
    /// The file's name in the reference.
    const FILE: &'static str;

    /// Finds the columns; fails when one is missing without which the rows mean nothing.
    fn new(columns: Columns<'_>) -> Result<Self, FeedError>;

    /// Takes one row; what is wrong with it goes to the row's problems.
    fn add(&mut self, row: &mut Row<'_, '_>);

    /// Comes after the last row of each block.
    fn end_block(&mut self) {}

    /// Comes after the last block: what was of use only while reading can go.
    fn end_file(&mut self) {}
}

/// What is read from the files of a feed.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) agencies: AgencyRows,
    pub(crate) stops: StopRows,
    pub(crate) routes: RouteRows,
    pub(crate) trips: TripRows,
    pub(crate) calendar: CalendarRows,
    pub(crate) calendar_dates: CalendarDateRows,
    pub(crate) frequencies: FrequencyRows,
    pub(crate) shapes: ShapeRows,
    pub(crate) feed_info: FeedInfoRow,
    /// One for each thread that helped.
    pub(crate) stop_times: Vec<StopTimePieces>,
    pub(crate) report: Report,
}

/// What the threads share.
struct Scan<'f> {
    folder: &'f Folder<'f>,
    stop_times: Mutex<Option<SharedBlocks<'f>>>,
    tables: Mutex<Tables>,
    next_file: AtomicUsize,
    /// The bytes of all files so far, with those that replacing invalid UTF-8 has added.
    byte_count: AtomicU64,
    /// The pieces that stop_times.txt has fallen into so far.
    piece_count: AtomicUsize,
    /// Whoever shows progress looks here.
    bytes_read: Option<&'f AtomicU64>,
    /// Set with the first error, so that the other threads stop as well.
    is_stopped: AtomicBool,
}

/// stop_times.txt, opened, with its header read.
struct SharedBlocks<'f> {
    file: &'f FeedFile,
    blocks: Blocks<'f>,
    header: Header,
    /// The rows that share the first block with the header.
    first: Option<Block>,
}

/// Reads all files of `folder`, on as many threads as `options` say.
pub(crate) fn scan(folder: &Folder<'_>, options: &ReadOptions<'_>) -> Result<Tables, FeedError> {
    let scan = Scan {
        folder,
        stop_times: Mutex::new(None),
        tables: Mutex::default(),
        next_file: AtomicUsize::new(0),
        byte_count: AtomicU64::new(0),
        piece_count: AtomicUsize::new(0),
        bytes_read: options.bytes_read,
        is_stopped: AtomicBool::new(false),
    };
    let (files, stop_times) = scan.open()?;
    *lock(&scan.stop_times) = Some(stop_times);
    let results: Vec<Result<(), FeedError>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (1..options.threads.get()).map(|_| scope.spawn(|| scan.work(&files))).collect();
        let own = scan.work(&files);
        let join = |worker: std::thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        std::iter::once(own).chain(workers.into_iter().map(join)).collect()
    });
    results.into_iter().collect::<Result<(), _>>()?;
    let mut tables = scan.tables.into_inner().unwrap_or_else(PoisonError::into_inner);
    tables.report.unused_files.extend(folder.strangers().map(|name| UnusedFile { name: name.into(), row_count: None }));
    tables.report.unused_files.sort();
    tables.report.files.sort_unstable();
    tables.report.unknown_columns.sort();
    Ok(tables)
}

/// A lock whose holder panicked passes its panic on at the join, so what it guards does not matter any more.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'f> Scan<'f> {
    /// Opens stop_times.txt and lists the other files, those first that take longest.
    fn open(&self) -> Result<(Vec<&'f FeedFile>, SharedBlocks<'f>), FeedError> {
        const LARGE: [&str; 3] = ["trips.txt", "shapes.txt", "stops.txt"];
        let is_stop_times = |file: &&FeedFile| file.reference.name == StopTimePieces::FILE;
        let stop_times = self.folder.files().iter().find(is_stop_times).expect("a folder without it is no feed");
        let mut files: Vec<_> = self.folder.files().iter().filter(|file| !is_stop_times(file)).collect();
        files.sort_by_key(|file| LARGE.iter().position(|name| *name == file.reference.name).unwrap_or(LARGE.len()));
        let mut blocks = self.blocks(stop_times)?;
        let (header, first) = self.read_header(stop_times, &mut blocks)?;
        Ok((files, SharedBlocks { file: stop_times, blocks, header, first }))
    }

    fn blocks(&self, file: &'f FeedFile) -> Result<Blocks<'f>, FeedError> {
        Ok(Blocks::new(self.folder.open(file).map_err(|error| read_error(file, BlockError::Read(error)))?))
    }

    /// One thread's part: the first one to come begins with stop_times.txt, all others with the other files.
    fn work(&self, files: &[&'f FeedFile]) -> Result<(), FeedError> {
        let result = self.work_until_done(files);
        if result.is_err() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        result
    }

    fn work_until_done(&self, files: &[&'f FeedFile]) -> Result<(), FeedError> {
        loop {
            match self.next_file.fetch_add(1, Ordering::Relaxed) {
                0 => self.scan_stop_times()?,
                next => match files.get(next - 1) {
                    Some(file) => self.scan_file(file)?,
                    None => return self.scan_stop_times(),
                },
            }
        }
    }

    /// Takes blocks of stop_times.txt until there are none.
    fn scan_stop_times(&self) -> Result<(), FeedError> {
        let header = lock(&self.stop_times).as_ref().map(|shared| shared.header.clone()).unwrap_or_default();
        let mut problems = Problems::default();
        let mut pieces = StopTimePieces::new(Columns::new(StopTimePieces::FILE, &header))?;
        let mut block = Block::default();
        while !self.is_stopped.load(Ordering::Relaxed)
            && self.take_stop_times(&mut block, problems.take_replaced_bytes())?
        {
            let pieces_before = pieces.pieces.len();
            let mut record = Record::new(&block.bytes);
            let mut records = FastRecords::new(&block.bytes, block.line);
            loop {
                if let Some(byte_count) = pieces.add_recognised(&block.bytes[records.position()..]) {
                    records.skip(byte_count);
                } else if records.read(&mut record) {
                    let mut row = Row::new(StopTimePieces::FILE, &header, &record, &mut problems);
                    pieces.add(&mut row);
                    pieces.learn(&row, &block.bytes[..records.position()]);
                } else {
                    break;
                }
            }
            pieces.end_block();
            self.count_pieces(block.line, pieces.pieces.len() - pieces_before)?;
        }
        pieces.end_file();
        let mut tables = lock(&self.tables);
        tables.report.area_stop_time_count += pieces.area_row_count;
        tables.stop_times.push(pieces);
        tables.report.problems.merge(problems);
        if tables.stop_times.len() == 1 {
            tables.report.unknown_columns.extend(unknown_columns(StopTimePieces::FILE, &header));
        }
        Ok(())
    }

    /// Counts pieces up to the block that begins on `line`; fails once there are too many.
    fn count_pieces(&self, line: u64, piece_count: usize) -> Result<(), FeedError> {
        if self.piece_count.fetch_add(piece_count, Ordering::Relaxed) + piece_count > PIECES_MAX {
            return Err(FeedError::RowsApart { line, pieces_max: PIECES_MAX });
        }
        Ok(())
    }

    /// Takes the next block; `replaced_bytes` is what replacing invalid UTF-8 in the one before has added.
    fn take_stop_times(&self, block: &mut Block, replaced_bytes: u64) -> Result<bool, FeedError> {
        let mut shared = lock(&self.stop_times);
        let SharedBlocks { file, blocks, first, .. } = shared.as_mut().expect("opened before the first thread started");
        self.count(file, block.line, replaced_bytes)?;
        match first.take() {
            Some(first) => {
                *block = first;
                Ok(true)
            }
            // After an error there is no telling where the source stands: who waits for the lock must not read on.
            None if self.is_stopped.load(Ordering::Relaxed) => Ok(false),
            None => self.take(file, blocks, block).inspect_err(|_| self.is_stopped.store(true, Ordering::Relaxed)),
        }
    }

    /// Takes the next block of `file` and counts it; false when there is none. Fails once a feed is too large.
    fn take(&self, file: &FeedFile, blocks: &mut Blocks<'_>, block: &mut Block) -> Result<bool, FeedError> {
        let is_taken = blocks.take(block).map_err(|error| read_error(file, error))?;
        let byte_count = block.bytes.len() as u64;
        if let Some(bytes_read) = self.bytes_read {
            bytes_read.fetch_add(byte_count, Ordering::Relaxed);
        }
        self.count(file, block.line, byte_count)?;
        Ok(is_taken)
    }

    /// Counts bytes on lines from `line` on; fails once there are too many.
    fn count(&self, file: &FeedFile, line: u64, byte_count: u64) -> Result<(), FeedError> {
        if self.byte_count.fetch_add(byte_count, Ordering::Relaxed) + byte_count > FEED_BYTES_MAX {
            return Err(FeedError::TooLarge { name: file.name.clone(), line, bytes_max: FEED_BYTES_MAX });
        }
        Ok(())
    }

    /// Takes the header off its block; what remains of the block, if there is a header at all, is the second value.
    fn read_header(&self, file: &FeedFile, blocks: &mut Blocks<'_>) -> Result<(Header, Option<Block>), FeedError> {
        let mut block = Block::default();
        // Blank lines before the header may fill whole blocks.
        while self.take(file, blocks, &mut block)? {
            let (header, byte_count, line_count) = Header::read(&block.bytes);
            if !header.names().is_empty() {
                block.bytes.drain(..byte_count);
                block.line += line_count;
                return Ok((header, Some(block)));
            }
        }
        Ok((Header::default(), None))
    }

    fn scan_file(&self, file: &'f FeedFile) -> Result<(), FeedError> {
        match (file.reference.name, file.reference.usage) {
            (_, Usage::Counted) => {
                let row_count = match self.count_rows(file) {
                    // What stands in a file that is not used harms nothing.
                    Err(FeedError::LongRecord { .. }) => None,
                    counted => counted?,
                };
                let unused = UnusedFile { name: file.name.clone(), row_count };
                lock(&self.tables).report.unused_files.push(unused);
                Ok(())
            }
            (AgencyRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.agencies),
            (StopRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.stops),
            (RouteRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.routes),
            (TripRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.trips),
            (CalendarRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.calendar),
            (CalendarDateRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.calendar_dates),
            (FrequencyRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.frequencies),
            (ShapeRows::FILE, _) => self.scan_rows(file, |tables| &mut tables.shapes),
            (FeedInfoRow::FILE, _) => self.scan_rows(file, |tables| &mut tables.feed_info),
            (name, _) => unreachable!("the reference says that {name} is read"),
        }
    }

    /// Reads one file from its beginning to its end and puts its rows in their place.
    fn scan_rows<T: Table>(&self, file: &'f FeedFile, place: impl Fn(&mut Tables) -> &mut T) -> Result<(), FeedError> {
        let mut blocks = self.blocks(file)?;
        let (header, mut first) = self.read_header(file, &mut blocks)?;
        if header.names().is_empty() && file.reference.usage != Usage::Indispensable {
            // A file with nothing in it says as much as one that is missing.
            return Ok(());
        }
        let mut rows = T::new(Columns::new(T::FILE, &header))?;
        let mut problems = Problems::default();
        let mut block = Block::default();
        while !self.is_stopped.load(Ordering::Relaxed) {
            match first.take() {
                Some(first) => block = first,
                None if !self.take(file, &mut blocks, &mut block)? => break,
                None => {}
            }
            let mut record = Record::new(&block.bytes);
            // The two large files beside stop_times.txt are worth the fast scan.
            if matches!(T::FILE, TripRows::FILE | ShapeRows::FILE) {
                let mut records = FastRecords::new(&block.bytes, block.line);
                while records.read(&mut record) {
                    rows.add(&mut Row::new(T::FILE, &header, &record, &mut problems));
                }
            } else {
                let mut records = PlainRecords::new(&block.bytes, block.line);
                while records.read(&mut record) {
                    rows.add(&mut Row::new(T::FILE, &header, &record, &mut problems));
                }
            }
            rows.end_block();
            self.count(file, block.line, problems.take_replaced_bytes())?;
        }
        rows.end_file();
        let mut tables = lock(&self.tables);
        tables.report.files.push(T::FILE);
        *place(&mut tables) = rows;
        tables.report.problems.merge(problems);
        tables.report.unknown_columns.extend(unknown_columns(T::FILE, &header));
        Ok(())
    }

    /// How many rows a file has that is not used; `None` for one that is no table.
    fn count_rows(&self, file: &'f FeedFile) -> Result<Option<u64>, FeedError> {
        if file.reference.fields.is_empty() {
            return Ok(None);
        }
        let mut blocks = self.blocks(file)?;
        let (mut block, mut count) = (Block::default(), 0u64);
        while !self.is_stopped.load(Ordering::Relaxed) && self.take(file, &mut blocks, &mut block)? {
            let mut record = Record::new(&block.bytes);
            let mut records = FastRecords::new(&block.bytes, block.line);
            while records.read(&mut record) {
                count += 1;
            }
        }
        Ok(Some(count.saturating_sub(1)))
    }
}

fn read_error(file: &FeedFile, error: BlockError) -> FeedError {
    let name = file.name.clone();
    match error {
        BlockError::Read(error) => FeedError::Read { name, error },
        BlockError::LongRecord { line } => FeedError::LongRecord { name, line },
    }
}

fn unknown_columns(file: &'static str, header: &Header) -> Vec<(&'static str, String)> {
    let reference: &ReferenceFile =
        crate::reference::find_reference_file(file).expect("every file read is of the reference");
    let is_unknown = |name: &&String| !name.is_empty() && !reference.fields.contains(&name.as_str());
    header.names().iter().filter(is_unknown).map(|name| (file, name.clone())).collect()
}
