//! Where feeds come from: a zip, a folder, or the city that is built in.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use timetable::generate::{Like, Recipe, RunningTimes, generate};
use timetable::{Feed, Files, MemoryFiles, ReadAt, ReadOptions, Zip, ZipLimits, read_feed};

use crate::progress::with_bar;

/// A folder is searched no deeper than this, and no further than so many names.
const FOLDER_DEPTH_MAX: usize = 16;
const FOLDER_NAMES_MAX: usize = 100_000;

/// A feed that has been read, and how that went.
#[derive(Debug)]
pub struct Loaded {
    /// The feed.
    pub feed: Feed,
    /// A short number for everything that the timetable says, see [`timetable::Timetable::version`].
    pub version: u64,
    /// Where it came from, as the user said it.
    pub source: String,
    /// How long reading it took.
    pub load_time: Duration,
    /// When it had been read.
    pub loaded_at: SystemTime,
    /// How many bytes its files have, inflated.
    pub file_bytes: u64,
}

/// Reads the feed at `path`, or the built-in city.
pub fn load(path: Option<&Path>) -> anyhow::Result<Loaded> {
    let started = Instant::now();
    let source = path.map_or_else(|| "the built-in city".to_owned(), |path| path.display().to_string());
    let files = open(path)?;
    let (feed, file_bytes) = with_bar("reading the feed", None, |bytes_read: &AtomicU64| {
        let options = ReadOptions { bytes_read: Some(bytes_read), ..ReadOptions::default() };
        (read_feed(&*files, &options), bytes_read.load(Ordering::Relaxed))
    });
    let feed = feed.with_context(|| source.clone())?;
    let version = feed.timetable.version();
    Ok(Loaded { feed, version, source, load_time: started.elapsed(), loaded_at: SystemTime::now(), file_bytes })
}

fn open(path: Option<&Path>) -> anyhow::Result<Box<dyn Files>> {
    let Some(path) = path else {
        let recipe = Recipe { like: Like::Small, running_times: RunningTimes::ByPeriod, seed: 1 };
        let mut city = MemoryFiles::default();
        generate(&recipe, &mut city).context("the built-in city")?;
        return Ok(Box::new(city));
    };
    let shown = || path.display().to_string();
    let metadata = fs::metadata(path).with_context(|| format!("{}: expected a zip or a folder", shown()))?;
    if metadata.is_dir() {
        return Ok(Box::new(FolderFiles::list(path)?));
    }
    if !metadata.is_file() {
        bail!("{}: found neither a file nor a folder, expected a zip or a folder", shown());
    }
    let file = File::open(path).with_context(shown)?;
    let zip = Zip::open(ZipFile { file, byte_count: metadata.len() }, ZipLimits::default()).with_context(shown)?;
    Ok(Box::new(zip))
}

/// An open zip; reading it at a place moves nothing, so threads can share it.
struct ZipFile {
    file: File,
    byte_count: u64,
}

impl ReadAt for ZipFile {
    fn byte_count(&self) -> u64 {
        self.byte_count
    }

    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)
    }
}

/// The files of a folder and of the folders in it.
struct FolderFiles {
    root: PathBuf,
    /// Relative to the root, parted by `/`.
    names: Vec<String>,
}

impl FolderFiles {
    fn list(root: &Path) -> anyhow::Result<Self> {
        let mut files = Self { root: root.to_owned(), names: Vec::new() };
        files.list_below("", 0).with_context(|| root.display().to_string())?;
        files.names.sort();
        Ok(files)
    }

    fn list_below(&mut self, folder: &str, depth: usize) -> anyhow::Result<()> {
        for entry in fs::read_dir(self.root.join(folder))? {
            let entry = entry?;
            // A name that is no text is none that the GTFS reference knows.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let kind = entry.file_type()?;
            // A link to a file is followed, a link to a folder is not: it may lead round in a circle.
            if kind.is_dir() && depth < FOLDER_DEPTH_MAX {
                self.list_below(&name, depth + 1)?;
            } else if kind.is_file() || fs::metadata(entry.path()).is_ok_and(|target| target.is_file()) {
                self.names.push(name);
            }
            if self.names.len() > FOLDER_NAMES_MAX {
                bail!("found over {FOLDER_NAMES_MAX} files, expected the folder of a feed");
            }
        }
        Ok(())
    }
}

impl Files for FolderFiles {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(File::open(self.root.join(&self.names[position]))?))
    }
}
