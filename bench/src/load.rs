//! Goals of loading: how soon the first right answer comes, and how much memory it takes.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::answers::Answers;
use crate::goals::{self, Goal, Unit};
use crate::inflate::{Inflater, Passes};
use crate::process::Program;
use crate::procfs::{Mapped, Memory};
use crate::report::Row;
use crate::request::get_schedules;
use crate::response::Encoding;
use crate::statistics::Summary;
use crate::workshop::{Feed, Packing, Workshop};

/// After the first answer, until memory counts as that of a loaded program: freed pages go back meanwhile.
const SETTLE: Duration = Duration::from_secs(1);

/// The route whose answer ends the clock, and what it must be.
struct Probe {
    segment: String,
    body: Vec<u8>,
}

impl Probe {
    /// The route whose answer is of middle length.
    fn of(answers: &Answers) -> anyhow::Result<Self> {
        let answer = answers.middle();
        Ok(Self { segment: answer.segment.clone(), body: answers.body(answer)? })
    }
}

/// From the start of the process to the last byte of its first answer, in seconds. Fails when the answer is not right.
fn start_to_first_answer(workshop: &Workshop, program: &Program, probe: &Probe) -> anyhow::Result<f64> {
    let begun = Instant::now();
    let mut server = program.serve(&workshop.cores, &workshop.logs())?;
    let mut socket = server.connect(|_| Ok(()))?;
    let body = get_schedules(&mut socket, server.address(), &probe.segment, Encoding::Identity)?;
    let elapsed_s = begun.elapsed().as_secs_f64();
    if body != probe.body {
        bail!("{} answered /schedules/{} wrongly, so its start is not timed", program.name, probe.segment);
    }
    Ok(elapsed_s)
}

/// Times starts of several programs in turns, so that a disturbance meets all of them.
fn interleaved_starts(workshop: &Workshop, programs: &[(&Program, &Probe)]) -> anyhow::Result<Vec<Summary>> {
    let mut times = vec![Vec::new(); programs.len()];
    for _ in 0..workshop.effort.starts() {
        for ((program, probe), times) in programs.iter().zip(&mut times) {
            times.push(start_to_first_answer(workshop, program, probe)?);
        }
    }
    times.iter().map(|times| Summary::of(times).context("no start was timed")).collect()
}

fn describe(name: &str, summary: &Summary) -> String {
    format!("{name} {:.3} s ({:.3} to {:.3})", summary.median, summary.min, summary.max)
}

/// `mbta-2022` from a folder, against the slow twin.
pub(crate) fn start_from_folder(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let answers = workshop.verified(Feed::Mbta2022)?;
    let folder = workshop.feed(Feed::Mbta2022, Packing::Folder)?;
    let probe = Probe::of(&answers)?;
    let plain = Program::of_bench("plain")?.argument(&folder);
    let starts = interleaved_starts(workshop, &[(&workshop.linespeed(&folder), &probe), (&plain, &probe)])?;
    let [linespeed, plain] = starts[..] else { bail!("two programs were started") };
    Ok(vec![
        Row {
            what: "right answers, compared byte for byte with the slow twin's".to_owned(),
            value: Some(answers.all.len() as f64),
            unit: Unit::Routes,
            goal: Goal::Stated,
            detail: format!("of {}, before anything was timed", answers.all.len()),
        },
        Row {
            what: "mbta-2022: start to first right answer".to_owned(),
            value: Some(linespeed.median),
            unit: Unit::Seconds,
            goal: goals::START,
            detail: format!("{}; median of {}", describe("linespeed", &linespeed), workshop.effort.starts()),
        },
        Row {
            what: "mbta-2022: the slow twin's time as a multiple of it".to_owned(),
            value: Some(plain.median / linespeed.median),
            unit: Unit::Times,
            goal: goals::START_AGAINST_PLAIN,
            detail: describe("plain", &plain),
        },
    ])
}

/// `mbta-2022` from a zip, against the inflaters.
pub(crate) fn start_from_zip(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let answers = workshop.verified(Feed::Mbta2022)?;
    let zip = workshop.feed(Feed::Mbta2022, Packing::Zip)?;
    workshop.verify(&zip, &answers).with_context(|| format!("{} is not timed", zip.display()))?;
    let probe = Probe::of(&answers)?;
    let program = workshop.linespeed(&zip);
    let mut starts = Vec::new();
    let mut inflaters = Inflater::ALL.map(|inflater| (inflater, Vec::new(), Vec::new()));
    for _ in 0..workshop.effort.starts() {
        starts.push(start_to_first_answer(workshop, &program, &probe)?);
        for (inflater, first, again) in &mut inflaters {
            let passes = time_inflater(workshop, &zip, *inflater)?;
            first.push(passes.first);
            again.push(passes.again);
        }
    }
    let start = Summary::of(&starts).context("no start was timed")?;
    let mut fastest = f64::INFINITY;
    let mut detail = describe("linespeed", &start);
    for (inflater, first, again) in &inflaters {
        let first = Summary::of(first).context("no inflater was timed")?;
        let again = Summary::of(again).context("no inflater was timed")?;
        fastest = fastest.min(first.median);
        detail = format!("{detail}, {}, again {:.3} s", describe(inflater.name(), &first), again.median);
    }
    Ok(vec![Row {
        what: "mbta-2022 from a zip: start, as a multiple of the fastest inflater".to_owned(),
        value: Some(start.median / fastest),
        unit: Unit::Times,
        goal: goals::START_FROM_ZIP,
        detail,
    }])
}

fn time_inflater(workshop: &Workshop, zip: &Path, inflater: Inflater) -> anyhow::Result<Passes> {
    let program = Program::of_bench("inflate")?.argument(zip).argument("--with").argument(inflater.name());
    let output = program.run(&workshop.cores, &workshop.logs())?;
    let seconds = output
        .trim()
        .split_once(' ')
        .and_then(|(first, again)| Some(Passes { first: first.parse().ok()?, again: again.parse().ok()? }));
    seconds.with_context(|| format!("expected the seconds of two passes, found {output:?}"))
}

/// `mbta-2026` from a folder.
pub(crate) fn start_of_the_large_feed(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let answers = workshop.verified(Feed::Mbta2026)?;
    let folder = workshop.feed(Feed::Mbta2026, Packing::Folder)?;
    let probe = Probe::of(&answers)?;
    let starts = interleaved_starts(workshop, &[(&workshop.linespeed(&folder), &probe)])?;
    Ok(vec![Row {
        what: "mbta-2026: start to first right answer".to_owned(),
        value: Some(starts[0].median),
        unit: Unit::Seconds,
        goal: goals::START_2026,
        detail: describe("linespeed", &starts[0]),
    }])
}

/// Random running times against those that repeat.
pub(crate) fn start_with_random_running_times(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let mut programs = Vec::new();
    for feed in [Feed::Mbta2022, Feed::RandomRunningTimes] {
        let answers = workshop.verified(feed)?;
        let folder = workshop.feed(feed, Packing::Folder)?;
        programs.push((workshop.linespeed(&folder), Probe::of(&answers)?));
    }
    let starts = interleaved_starts(workshop, &programs.iter().map(|(a, b)| (a, b)).collect::<Vec<_>>())?;
    Ok(vec![Row {
        what: "random running times: start, as a multiple of mbta-2022".to_owned(),
        value: Some(starts[1].median / starts[0].median),
        unit: Unit::Times,
        goal: goals::START_RANDOM,
        detail: format!("{}, {}", describe("random", &starts[1]), describe("mbta-2022", &starts[0])),
    }])
}

/// Memory with one feed from a folder: while loading and once loaded.
pub(crate) fn memory(workshop: &mut Workshop, feed: Feed) -> anyhow::Result<Vec<Row>> {
    let (loaded_goal, loading_goal) = match feed {
        Feed::Mbta2022 | Feed::OtherSeed => (goals::MEMORY_LOADED, goals::MEMORY_LOADING),
        Feed::Mbta2026 => (goals::MEMORY_2026, goals::MEMORY_2026),
        Feed::RandomRunningTimes => (goals::MEMORY_RANDOM, goals::MEMORY_RANDOM),
    };
    let answers = workshop.verified(feed)?;
    let folder = workshop.feed(feed, Packing::Folder)?;
    let found = memory_of_a_start(workshop, &workshop.linespeed(&folder), &folder, &Probe::of(&answers)?)?;
    Ok(vec![
        Row {
            what: format!("{}: resident memory, loaded", feed.name()),
            value: Some(megabytes(found.loaded.resident)),
            unit: Unit::Megabytes,
            goal: loaded_goal,
            detail: format!(
                "{:.1} anonymous, {:.1} of files",
                megabytes(found.loaded.anonymous),
                megabytes(found.loaded.of_files)
            ),
        },
        Row {
            what: format!("{}: peak while loading, mapped input apart", feed.name()),
            value: Some(megabytes(found.peak_without_input())),
            unit: Unit::Megabytes,
            goal: loading_goal,
            detail: format!(
                "VmHWM {:.1}, of which mapped input at most {:.1}",
                megabytes(found.loaded.peak),
                megabytes(found.input_peak)
            ),
        },
    ])
}

/// Bytes in units of 10^6.
pub(crate) fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

struct MemoryOfAStart {
    /// Once loaded; its `peak` is that of the whole start, mapped input included.
    loaded: Memory,
    /// The most that was seen of the input's mapped pages.
    input_peak: u64,
    /// The most that was seen of all other pages.
    other_peak: u64,
}

impl MemoryOfAStart {
    /// The kernel's own peak where no input was mapped; else the highest sample, because the kernel does not tell them apart.
    fn peak_without_input(&self) -> u64 {
        if self.input_peak == 0 { self.loaded.peak } else { self.other_peak }
    }
}

fn memory_of_a_start(
    workshop: &Workshop,
    program: &Program,
    input: &Path,
    probe: &Probe,
) -> anyhow::Result<MemoryOfAStart> {
    let mut input_peak = 0;
    let mut other_peak = 0;
    let mut server = program.serve(&workshop.cores, &workshop.logs())?;
    let mut socket = server.connect(|process_id| {
        let mapped = Mapped::of(process_id, input)?;
        input_peak = input_peak.max(mapped.input);
        other_peak = other_peak.max(mapped.other);
        Ok(())
    })?;
    get_schedules(&mut socket, server.address(), &probe.segment, Encoding::Identity)?;
    drop(socket);
    thread::sleep(SETTLE);
    Ok(MemoryOfAStart { loaded: Memory::of(server.process_id())?, input_peak, other_peak })
}
