//! A source that is read again and again: what was read from it last, and whether it is another by now.

use std::fs::{self, File};
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, anyhow, bail};
use timetable::generate::{Like, Recipe, RunningTimes, generate};
use timetable::{FeedError, Files, MemoryFiles, ReadOptions, Zip, ZipLimits, read_feed};
use tracing::warn;

use super::Loaded;
use super::backoff::Backoff;
use super::download::{Again, Downloaded, Validators, download};
use super::folder::{FOLDER_ENTRIES_MAX, FolderFiles};
use super::source::Source;
use super::stamp::{Stamp, Verdict, Watch};
use super::zip_file::ZipFile;
use crate::cli::DownloadOptions;
use crate::plural::counted;
use crate::progress::Progress;

/// A source, and what is known of the feed that was last read from it.
#[derive(Debug)]
pub(crate) struct Origin {
    source: Source,
    options: DownloadOptions,
    /// For a path: whether it is another by now.
    watch: Watch,
    /// For a URL: by what the server tells whether its feed is another by now.
    validators: Validators,
    progress: Progress,
}

/// Why there is no feed.
#[derive(Debug)]
pub(crate) struct ReadError {
    /// What was found and expected, and where.
    pub(crate) error: anyhow::Error,
    /// What it takes for another outcome.
    pub(crate) remedy: Remedy,
}

/// What it takes until a feed that could not be read may be of use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    /// Another feed.
    Change,
    /// It was written to while it was read, and must rest.
    Rest,
    /// Some time; the server may have asked for so long a pause.
    Pause(Option<Duration>),
}

/// What a look at a source comes to.
#[derive(Debug)]
pub(crate) enum Looked {
    /// It is what it was.
    Same,
    /// It is another, and may still change: it should be looked at again soon.
    Settling,
    /// It is another, and was read.
    Read(Box<Loaded>),
}

impl From<anyhow::Error> for ReadError {
    fn from(error: anyhow::Error) -> Self {
        Self { error, remedy: Remedy::Change }
    }
}

impl Origin {
    /// A source of which nothing has been read yet.
    pub(crate) fn new(source: Source, options: DownloadOptions) -> Self {
        let (watch, validators) = (Watch::default(), Validators::default());
        Self { source, options, watch, validators, progress: Progress::Bar }
    }

    /// Where the feed comes from.
    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    /// From now on nothing is drawn while a feed is read, and more threads read it: the program does something else
    /// beside it.
    pub(crate) fn be_silent(&mut self) {
        self.progress = Progress::Silent;
    }

    /// How long to wait between attempts.
    pub(crate) fn backoff(&self) -> Backoff {
        Backoff::new(self.options.download_pause, self.options.download_attempts_max)
    }

    /// Reads the feed for the first time. What may pass is tried again, which takes as long as the options say.
    pub(crate) fn read_first(&mut self) -> anyhow::Result<Loaded> {
        let mut backoff = self.backoff();
        loop {
            let ReadError { error, remedy } = match self.read() {
                Ok(loaded) => return Ok(loaded),
                Err(error) => error,
            };
            let pause = match remedy {
                Remedy::Change => return Err(error),
                Remedy::Rest => backoff.on_failure(None),
                Remedy::Pause(asked) => backoff.on_failure(asked),
            };
            let Some(pause) = pause else {
                let attempts = counted(u64::from(backoff.failed()), "attempt", "attempts");
                return Err(anyhow!("{error:#}, after {attempts}"));
            };
            warn!("{error:#}: trying again in {:.1} s", pause.as_secs_f64());
            std::thread::sleep(pause);
        }
    }

    /// Reads the feed, whether it has changed or not.
    pub(crate) fn read(&mut self) -> Result<Loaded, ReadError> {
        let loaded = self.fetch(&Validators::default())?;
        Ok(loaded.with_context(|| format!("{}: found nothing new, though nothing was known", self.source))?)
    }

    /// Reads the feed if it is another by now.
    pub(crate) fn look(&mut self) -> Result<Looked, ReadError> {
        let loaded = match &self.source {
            Source::City => None,
            Source::Path(path) => match self.watch.on_look(Stamp::of_path(path)) {
                Verdict::Same => None,
                Verdict::Settling => return Ok(Looked::Settling),
                Verdict::Due => Some(self.read()?),
            },
            Source::Url(_) => self.fetch(&self.validators.clone())?,
        };
        Ok(loaded.map_or(Looked::Same, |loaded| Looked::Read(Box::new(loaded))))
    }

    /// The feed; none when a server says that it is still what has the validators that are known.
    fn fetch(&mut self, known: &Validators) -> Result<Option<Loaded>, ReadError> {
        let started = Instant::now();
        match &self.source {
            Source::City => Ok(Some(built_in_city()?)),
            Source::Path(path) => {
                let path = path.clone();
                self.read_path(&path, started).map(Some)
            }
            Source::Url(url) => {
                let downloaded = download(url, known, &self.options.limits(), self.progress);
                let (file, validators) = match downloaded {
                    Ok(Downloaded::Feed(file, validators)) => (file, validators),
                    Ok(Downloaded::NotModified) => return Ok(None),
                    Err(failed) => {
                        let remedy = match failed.again {
                            Again::No => Remedy::Change,
                            Again::Soon(asked) => Remedy::Pause(asked),
                        };
                        return Err(ReadError { error: failed.error.context(self.source.to_string()), remedy });
                    }
                };
                // Kept even if the feed is of no use: the same bytes would be of no use again.
                self.validators = validators;
                let file = ZipFile::new(file).context("the downloaded feed")?;
                Ok(Some(self.load_zip(&file, started)?))
            }
        }
    }

    /// Reads what lies at `path`, and throws it away if it changed meanwhile.
    ///
    /// An open zip stays what it is when another one takes its place, so its own stamp counts; the files of a folder are
    /// opened one by one.
    fn read_path(&mut self, path: &Path, started: Instant) -> Result<Loaded, ReadError> {
        let (stamp, read, stamp_after) = match Opened::open(path) {
            Ok(Opened::Folder(files)) => (files.stamp(), self.load(&files, started), Stamp::of_path(path)),
            Ok(Opened::Zip(file)) => (file.stamp(), self.load_zip(&file, started), file.stamp()),
            Err(error) => {
                let stamp = Stamp::of_path(path);
                (stamp, Err(error), stamp)
            }
        };
        if stamp != stamp_after {
            self.watch.on_change(stamp_after);
            let error = anyhow!("{}: it changed while it was read", path.display());
            return Err(ReadError { error, remedy: Remedy::Rest });
        }
        match &read {
            Err(error) if may_pass(error) => self.watch.on_passing_failure(stamp),
            _ => self.watch.on_read(stamp),
        }
        Ok(read?)
    }

    fn load_zip(&self, file: &ZipFile, started: Instant) -> anyhow::Result<Loaded> {
        let zip = Zip::open(file, ZipLimits::default()).with_context(|| self.source.to_string())?;
        self.load(&zip, started)
    }

    fn load(&self, files: &dyn Files, started: Instant) -> anyhow::Result<Loaded> {
        load(files, &self.source, self.progress, started)
    }
}

/// The city that is made when no feed is named, the same each time.
pub fn built_in_city() -> anyhow::Result<Loaded> {
    let started = Instant::now();
    let recipe = Recipe { like: Like::Small, running_times: RunningTimes::ByPeriod, seed: 1 };
    let mut city = MemoryFiles::default();
    generate(&recipe, &mut city).context("the built-in city")?;
    load(&city, &Source::City, Progress::Silent, started)
}

fn load(files: &dyn Files, source: &Source, progress: Progress, started: Instant) -> anyhow::Result<Loaded> {
    let source = source.to_string();
    let (feed, file_bytes) = progress.show("reading the feed", None, |bytes_read| {
        let options = ReadOptions { threads: thread_count(progress), bytes_read: Some(bytes_read) };
        (read_feed(files, &options), bytes_read.load(Ordering::Relaxed))
    });
    let feed = feed.with_context(|| source.clone())?;
    let version = feed.timetable.version();
    Ok(Loaded { feed, version, source, load_time: started.elapsed(), loaded_at: SystemTime::now(), file_bytes })
}

/// How many threads read a feed for each core, while the cores answer requests as well.
///
/// The system shares a core evenly among the threads that want it. With one for each, a reload under load gets half of
/// every core at best; with two, up to two thirds. Reading is short, and requests go on meanwhile.
const THREADS_PER_CORE_BESIDE_REQUESTS: NonZeroUsize = NonZeroUsize::new(2).expect("two is not zero");

fn thread_count(progress: Progress) -> NonZeroUsize {
    let core_count = ReadOptions::default().threads;
    match progress {
        Progress::Bar => core_count,
        Progress::Silent => core_count.saturating_mul(THREADS_PER_CORE_BESIDE_REQUESTS),
    }
}

/// What lies at a path.
enum Opened {
    Folder(FolderFiles),
    Zip(ZipFile),
}

impl Opened {
    fn open(path: &Path) -> anyhow::Result<Self> {
        let shown = || path.display().to_string();
        let metadata = fs::metadata(path).with_context(|| format!("{}: expected a zip or a folder", shown()))?;
        if metadata.is_dir() {
            return Ok(Self::Folder(FolderFiles::list(path, FOLDER_ENTRIES_MAX)?));
        }
        if !metadata.is_file() {
            bail!("{}: found neither a file nor a folder, expected a zip or a folder", shown());
        }
        let file = File::open(path).with_context(shown)?;
        Ok(Self::Zip(ZipFile::new(file).with_context(shown)?))
    }
}

/// Whether the system could not do what was asked, which may be another matter later; not so when there is nothing, or
/// when the bytes make no sense.
fn may_pass(error: &anyhow::Error) -> bool {
    let of_feed = match error.downcast_ref() {
        Some(FeedError::Read { error, .. }) => Some(error),
        _ => None,
    };
    let of_system = of_feed.or_else(|| error.chain().find_map(|cause| cause.downcast_ref::<io::Error>()));
    of_system.is_some_and(|error| {
        use io::ErrorKind::{InvalidData, NotFound, UnexpectedEof};
        !matches!(error.kind(), InvalidData | NotFound | UnexpectedEof)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_refuses_may_pass_and_what_a_feed_lacks_does_not() {
        let read = |kind: io::ErrorKind| FeedError::Read { name: "trips.txt".to_owned(), error: kind.into() };
        for (kind, passes) in [
            (io::ErrorKind::PermissionDenied, true),
            (io::ErrorKind::OutOfMemory, true),
            (io::ErrorKind::InvalidData, false),
            (io::ErrorKind::NotFound, false),
            (io::ErrorKind::UnexpectedEof, false),
        ] {
            assert_eq!(may_pass(&anyhow::Error::new(read(kind)).context("gtfs.zip")), passes, "{kind:?}");
            assert_eq!(may_pass(&anyhow::Error::new(io::Error::from(kind)).context("gtfs.zip")), passes, "{kind:?}");
        }
        assert!(!may_pass(&anyhow::Error::new(FeedError::NoFeed(Vec::new())).context("gtfs.zip")));
    }
}
