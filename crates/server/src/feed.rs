//! Where feeds come from: a zip, a folder, or the city that is built in.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, bail};
use timetable::generate::{Like, Recipe, RunningTimes, generate};
use timetable::{Feed, Files, MemoryFiles, ReadAt, ReadOptions, Zip, ZipLimits, read_feed};
use tracing::debug;

use crate::progress::with_bar;

/// A folder is searched no deeper than this, and no further than so many entries, whatever they are.
const FOLDER_DEPTH_MAX: usize = 16;
const FOLDER_ENTRIES_MAX: usize = 100_000;

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
        return Ok(Box::new(FolderFiles::list(path, FOLDER_ENTRIES_MAX)?));
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

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buffer, offset)
    }
}

/// The files of a folder and of the folders in it.
struct FolderFiles {
    root: PathBuf,
    /// Relative to the root, parted by `/`.
    names: Vec<String>,
}

impl FolderFiles {
    fn list(root: &Path, entries_max: usize) -> anyhow::Result<Self> {
        let mut files = Self { root: root.to_owned(), names: Vec::new() };
        let mut entries_left = entries_max;
        if !files.list_below("", 0, &mut entries_left)? {
            bail!("{}: found over {entries_max} files and folders, expected the folder of a feed", root.display());
        }
        files.names.sort();
        Ok(files)
    }

    /// Adds the names in a folder and in those below it; whether there were no more entries than are left.
    fn list_below(&mut self, folder: &str, depth: usize, entries_left: &mut usize) -> anyhow::Result<bool> {
        let path = self.root.join(folder);
        let unreadable = || format!("{}: the folder cannot be read", path.display());
        let entries = match fs::read_dir(&path) {
            // Such as lost+found: what its owner keeps to himself is no part of the feed.
            Err(error) if depth > 0 && error.kind() == io::ErrorKind::PermissionDenied => {
                debug!("{}: passed over: {error}", path.display());
                return Ok(true);
            }
            entries => entries.with_context(unreadable)?,
        };
        for entry in entries {
            let entry = entry.with_context(unreadable)?;
            let Some(left) = entries_left.checked_sub(1) else { return Ok(false) };
            *entries_left = left;
            // A name that is no text is none that the GTFS reference knows.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let kind = entry.file_type().with_context(unreadable)?;
            // A link to a file is followed, a link to a folder is not: it may lead round in a circle.
            if kind.is_dir() {
                if depth < FOLDER_DEPTH_MAX && !self.list_below(&name, depth + 1, entries_left)? {
                    return Ok(false);
                }
            } else if kind.is_file() || fs::metadata(entry.path()).is_ok_and(|target| target.is_file()) {
                self.names.push(name);
            }
        }
        Ok(true)
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn every_entry_of_a_folder_counts() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("a/b")).unwrap();
        fs::write(root.path().join("a/b/trips.txt"), "").unwrap();
        assert_eq!(FolderFiles::list(root.path(), 3).unwrap().names, ["a/b/trips.txt"]);
        let error = FolderFiles::list(root.path(), 2).err().unwrap().to_string();
        assert!(error.contains(root.path().to_str().unwrap()) && error.contains("over 2"), "{error}");
    }

    #[test]
    fn a_folder_that_may_not_be_read_is_named_or_passed_over() {
        let root = tempfile::tempdir().unwrap();
        let closed = root.path().join("lost+found");
        fs::create_dir(&closed).unwrap();
        fs::write(root.path().join("trips.txt"), "").unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read_dir(&closed).is_err() {
            let error = format!("{:#}", FolderFiles::list(&closed, 9).err().unwrap());
            assert!(error.contains("lost+found: the folder cannot be read"), "{error}");
        }
        assert_eq!(FolderFiles::list(root.path(), 9).unwrap().names, ["trips.txt"]);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    }
}
