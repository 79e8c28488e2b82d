//! Where the bench works: the program under test, the feeds it is tested with, and their right answers.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, bail};

use crate::answers::Answers;
use crate::cores::Cores;
use crate::process::{Program, Server};

/// A feed that the program generates, deterministically.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Feed {
    /// The size and make of MBTA's feed of 2022, which the public challenge is about.
    Mbta2022,
    /// The same after four years of growth.
    Mbta2026,
    /// As of 2022 from another seed: the same routes with other trips.
    OtherSeed,
    /// As of 2022, with every trip's times its own: the case in which nothing repeats.
    RandomRunningTimes,
}

/// How a feed lies on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// A folder of its files.
    Folder,
    /// One zip.
    Zip,
}

/// How much time the bench may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Enough runs for figures to publish.
    Full,
    /// A few short runs, to see the order of magnitude.
    Quick,
}

impl Effort {
    /// How often a start is timed.
    pub(crate) fn starts(self) -> usize {
        match self {
            Self::Full => 11,
            Self::Quick => 3,
        }
    }

    /// How often the program and what it is held against take turns under load.
    pub(crate) fn rounds(self) -> usize {
        match self {
            Self::Full => 7,
            Self::Quick => 3,
        }
    }

    /// How many times a feed is reloaded.
    pub(crate) fn reloads(self) -> usize {
        match self {
            Self::Full => 1_000,
            Self::Quick => 40,
        }
    }

    /// How long such a turn lasts.
    pub(crate) fn round(self) -> Duration {
        match self {
            Self::Full => Duration::from_secs(3),
            Self::Quick => Duration::from_secs(1),
        }
    }
}

impl Feed {
    /// The feed's name in the report and on the disk.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mbta2022 => "mbta-2022",
            Self::Mbta2026 => "mbta-2026",
            Self::OtherSeed => "mbta-2022-other",
            Self::RandomRunningTimes => "mbta-2022-random",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Mbta2022 => &["--like", "mbta-2022", "--seed", "1"],
            Self::Mbta2026 => &["--like", "mbta-2026", "--seed", "1"],
            Self::OtherSeed => &["--like", "mbta-2022", "--seed", "2"],
            Self::RandomRunningTimes => &["--like", "mbta-2022", "--running-times", "random", "--seed", "1"],
        }
    }
}

/// The program under test, a folder for feeds, answers and logs, and how much time there is.
pub(crate) struct Workshop {
    linespeed: PathBuf,
    data: PathBuf,
    /// The cores that the bench may use.
    pub(crate) cores: Cores,
    /// How much time there is.
    pub(crate) effort: Effort,
    /// Feeds whose answers were all compared in this run.
    verified: BTreeMap<Feed, Rc<Answers>>,
}

impl Workshop {
    /// Measures the program `linespeed` and keeps its things in `data`. Fails when there is no such program.
    pub(crate) fn open(linespeed: &Path, data: &Path, effort: Effort) -> anyhow::Result<Self> {
        if !linespeed.is_file() {
            bail!(
                "{} is missing: build it with `cargo build --release`, or name the program with --linespeed",
                linespeed.display()
            );
        }
        fs::create_dir_all(data).with_context(|| format!("cannot make the folder {}", data.display()))?;
        Ok(Self {
            linespeed: linespeed.canonicalize()?,
            data: data.canonicalize()?,
            cores: Cores::allowed()?,
            effort,
            verified: BTreeMap::new(),
        })
    }

    /// Where feeds, answers, logs and reports lie.
    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    /// Where the programs' output goes.
    pub(crate) fn logs(&self) -> PathBuf {
        self.data.join("logs")
    }

    /// `linespeed serve` with this input.
    pub(crate) fn linespeed(&self, input: &Path) -> Program {
        Program::new("linespeed", &self.linespeed).argument("serve").argument(input)
    }

    /// The feed on the disk: generated when it is not there yet, and read once so that it is in the page cache.
    pub(crate) fn feed(&self, feed: Feed, packing: Packing) -> anyhow::Result<PathBuf> {
        let (path, unfinished) = match packing {
            Packing::Folder => (self.data.join(feed.name()), self.data.join(format!("{}.unfinished", feed.name()))),
            Packing::Zip => (
                self.data.join(format!("{}.zip", feed.name())),
                self.data.join(format!("{}.unfinished.zip", feed.name())),
            ),
        };
        if !path.exists() {
            eprintln!("generating: {}", path.display());
            remove(&unfinished)?;
            let mut generate =
                Program::new("linespeed generate", &self.linespeed).argument("generate").argument("feed");
            for argument in feed.arguments() {
                generate = generate.argument(argument);
            }
            generate.argument(&unfinished).run(&self.cores, &self.logs())?;
            fs::rename(&unfinished, &path)
                .with_context(|| format!("linespeed generate did not make {}", unfinished.display()))?;
        }
        read_once(&path)?;
        Ok(path)
    }

    /// The right answers of the feed, after every answer of the program was found to be the same.
    ///
    /// Fails when the slow twin or the program does not start, or an answer differs.
    pub(crate) fn verified(&mut self, feed: Feed) -> anyhow::Result<Rc<Answers>> {
        if let Some(answers) = self.verified.get(&feed) {
            return Ok(Rc::clone(answers));
        }
        let folder = self.feed(feed, Packing::Folder)?;
        eprintln!("comparing: every answer of {} with the slow twin's", feed.name());
        let mut plain = Program::of_bench("plain")?.argument(&folder).serve(&self.cores, &self.logs())?;
        plain.wait_until_ready()?;
        let answers = Answers::collect(&plain, &folder, &self.data.join("answers").join(feed.name()))?;
        drop(plain);
        self.verify(&folder, &answers).with_context(|| format!("{} is not timed", feed.name()))?;
        let answers = Rc::new(answers);
        self.verified.insert(feed, Rc::clone(&answers));
        Ok(answers)
    }

    /// Starts the program with `input`, compares all its answers, and stops it by SIGTERM.
    pub(crate) fn verify(&self, input: &Path, answers: &Answers) -> anyhow::Result<()> {
        let mut server: Server = self.linespeed(input).serve(&self.cores, &self.logs())?;
        server.wait_until_ready()?;
        answers.verify(&server)?;
        server.stop()
    }
}

fn remove(path: &Path) -> anyhow::Result<()> {
    let outcome = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    match outcome {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Reads a file, or the files of a folder, so that the page cache has them.
fn read_once(path: &Path) -> anyhow::Result<()> {
    let context = || format!("cannot read {}", path.display());
    if path.is_dir() {
        for entry in fs::read_dir(path).with_context(context)? {
            read_once(&entry?.path())?;
        }
    } else {
        io::copy(&mut fs::File::open(path).with_context(context)?, &mut io::sink()).with_context(context)?;
    }
    Ok(())
}
