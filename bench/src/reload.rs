//! Goals of reloading: how soon a new feed answers after SIGHUP, what clients see of many reloads, half of them of bad
//! feeds, and how much memory it takes.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::answers::Answers;
use crate::goals::{self, Unit};
use crate::load::megabytes;
use crate::process::Server;
use crate::procfs::{Memory, reset_peak};
use crate::report::Row;
use crate::request::{exchange, get_schedules};
use crate::response::Encoding;
use crate::serve::CONNECTIONS;
use crate::statistics::Summary;
use crate::witness::{FEEDS, Question, Seen, watch};
use crate::workshop::{Feed, Packing, Workshop};

/// A reload that has not ended by then is taken to hang.
const RELOAD_MAX: Duration = Duration::from_secs(60);

/// Between two questions whether a reload has ended: short beside what is measured, long beside what it costs.
const PAUSE: Duration = Duration::from_millis(2);

/// What is put in the place of the feed.
struct Feeds {
    /// The zip that is served, in a folder of its own.
    path: PathBuf,
    good: [PathBuf; FEEDS],
    /// One that ends too early, which shows at once, and one with a wrong byte, which shows late.
    bad: [PathBuf; 2],
}

impl Feeds {
    fn prepare(folder: &Path, good: [PathBuf; FEEDS]) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let mut bytes = fs::read(&good[0])?;
        let bad = [folder.join("short.zip"), folder.join("damaged.zip")];
        let middle = bytes.len() / 2;
        fs::write(&bad[0], &bytes[..middle])?;
        bytes[middle] ^= 0x55;
        fs::write(&bad[1], &bytes)?;
        let feeds = Self { path: folder.join("gtfs.zip"), good, bad };
        feeds.put(&feeds.good[0])?;
        Ok(feeds)
    }

    /// Puts a feed where it is served from, in one step.
    fn put(&self, feed: &Path) -> anyhow::Result<()> {
        let next = self.path.with_extension("next");
        let linked = match fs::remove_file(&next) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => fs::hard_link(feed, &next),
        };
        linked
            .and_then(|()| fs::rename(&next, &self.path))
            .with_context(|| format!("cannot put {}", feed.display()))?;
        // Two names of one file are not exchanged by a rename, and one of them is left (rename(2)).
        let _ = fs::remove_file(&next);
        Ok(())
    }
}

/// Many reloads under load.
pub(crate) fn under_load(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let kinds = [Feed::Mbta2022, Feed::OtherSeed];
    let answers = [workshop.verified(kinds[0])?, workshop.verified(kinds[1])?];
    let zips = [workshop.feed(kinds[0], Packing::Zip)?, workshop.feed(kinds[1], Packing::Zip)?];
    let feeds = Feeds::prepare(&workshop.data().join("reload"), zips)?;
    let program = workshop.linespeed(&feeds.path).argument("--refresh").argument("off");
    let mut server = program.serve(&workshop.cores, &workshop.logs())?;
    server.wait_until_ready()?;
    let questions = Question::all([&answers[0], &answers[1]], server.address())?;
    let probe = Probe::of([&answers[0], &answers[1]])?;

    reset_peak(server.process_id())?;
    let is_over = AtomicBool::new(false);
    let reload_count = workshop.effort.reloads();
    let (times, seen) = thread::scope(|scope| {
        let clients = scope.spawn(|| watch(server.address(), &questions, CONNECTIONS, &is_over));
        let times = (0..reload_count).filter_map(|number| reload(&server, &feeds, &probe, number).transpose());
        let times: anyhow::Result<Vec<f64>> = times.collect();
        is_over.store(true, Ordering::Relaxed);
        // What the clients say comes first: a server that fails them may fail the reloads too.
        let seen = clients.join().expect("the clients do not panic")?;
        anyhow::Ok((times?, seen))
    })?;
    let memory = Memory::of(server.process_id())?;
    server.stop()?;
    rows(&times, &seen, reload_count, &memory)
}

fn rows(times: &[f64], seen: &Seen, reload_count: usize, memory: &Memory) -> anyhow::Result<Vec<Row>> {
    let ready = Summary::of(times).context("no reload was timed")?;
    let Seen { answers, body_bytes, of_feed: [one, other] } = seen;
    if *one == 0 || *other == 0 {
        bail!("the clients saw {one} answers of one feed and {other} of the other, expected some of both");
    }
    Ok(vec![
        Row {
            what: format!("mbta-2022 from a zip: SIGHUP to the new feed's answer, under {CONNECTIONS} connections"),
            value: Some(ready.median),
            unit: Unit::Seconds,
            goal: goals::RELOAD,
            detail: format!("median of {}, {:.3} to {:.3} s", times.len(), ready.min, ready.max),
        },
        Row {
            what: format!("answers failed or mixed in {reload_count} reloads, half of them bad"),
            value: Some(0.0),
            unit: Unit::Answers,
            goal: goals::RELOAD_FAULTS,
            detail: format!(
                "of {answers}, {:.1} GB compared byte for byte; {one} of one feed, {other} of the other",
                *body_bytes as f64 / 1e9
            ),
        },
        Row {
            what: format!("peak memory while reloading under {CONNECTIONS} connections"),
            value: Some(megabytes(memory.peak)),
            unit: Unit::Megabytes,
            goal: goals::MEMORY_RELOADING,
            detail: format!("VmHWM of these reloads; {:.1} MB at their end", megabytes(memory.resident)),
        },
    ])
}

/// The route that tells which feed answers: the one of middle length.
struct Probe {
    segment: String,
    bodies: [Vec<u8>; FEEDS],
}

impl Probe {
    fn of(feeds: [&Answers; FEEDS]) -> anyhow::Result<Self> {
        let one = feeds[0].middle();
        let other = feeds[1].all.iter().find(|answer| answer.segment == one.segment);
        let other = other.with_context(|| format!("the other feed has no route {}", one.segment))?;
        let bodies = [feeds[0].body(one)?, feeds[1].body(other)?];
        if bodies[0] == bodies[1] {
            bail!("both feeds answer /schedules/{} the same", one.segment);
        }
        Ok(Self { segment: one.segment.clone(), bodies })
    }
}

/// Puts a feed in place and sends SIGHUP: the seconds until it answers, or none once a bad one was refused.
///
/// Every second feed is bad; the good ones take turns.
fn reload(server: &Server, feeds: &Feeds, probe: &Probe, number: usize) -> anyhow::Result<Option<f64>> {
    let address = server.address();
    let mut socket = TcpStream::connect(address)?;
    let turn = number / 2;
    let is_bad = number % 2 == 1;
    let failed_before = failed_count(&mut socket, address)?;
    feeds.put(if is_bad { &feeds.bad[turn % 2] } else { &feeds.good[(turn + 1) % FEEDS] })?;
    let begun = Instant::now();
    server.signal_to_reload()?;
    loop {
        if is_bad {
            if failed_count(&mut socket, address)? > failed_before {
                return Ok(None);
            }
        } else if get_schedules(&mut socket, address, &probe.segment, Encoding::Identity)?
            == probe.bodies[(turn + 1) % FEEDS]
        {
            return Ok(Some(begun.elapsed().as_secs_f64()));
        }
        if begun.elapsed() > RELOAD_MAX {
            bail!("reload {number} did not end within {} s", RELOAD_MAX.as_secs());
        }
        thread::sleep(PAUSE);
    }
}

/// How many reloads have failed, as `/feed` tells.
fn failed_count(socket: &mut TcpStream, address: SocketAddr) -> anyhow::Result<u64> {
    let request = format!("GET /feed HTTP/1.1\r\nHost: {address}\r\n\r\n");
    let (_, body) = exchange(socket, request.as_bytes()).context("GET /feed")?;
    let told: serde_json::Value = serde_json::from_slice(&body).context("GET /feed: expected JSON")?;
    told["reloads"]["failed"].as_u64().context("GET /feed: expected reloads.failed")
}
