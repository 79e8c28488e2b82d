//! Goals of serving: what an answer costs the server, with and without gzip, and how much memory it takes.

use std::collections::HashMap;
use std::io::Read;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::answers::{Answer, Answers};
use crate::client::{self, Ask, Until};
use crate::cores::Cores;
use crate::goals::{self, Goal, Unit};
use crate::load::megabytes;
use crate::process::{Program, Server};
use crate::procfs::{Memory, reset_peak};
use crate::report::Row;
use crate::request::get_schedules;
use crate::response::Encoding;
use crate::routes;
use crate::statistics::Summary;
use crate::workshop::{Feed, Packing, Workshop};

/// How many clients a server has at a time.
pub(crate) const CONNECTIONS: usize = 50;
/// How long a program has after a load to give its memory back.
const REST_MAX: Duration = Duration::from_secs(30);
/// Between two looks at a program that rests.
const REST_PAUSE: Duration = Duration::from_millis(500);
/// After the start, until memory counts as that of a loaded program.
const SETTLE: Duration = Duration::from_secs(1);

/// Which of the challenge's lists of routes is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sizes {
    /// The 99 routes of its main script.
    Large,
    /// The 23 routes of its script of small answers.
    Small,
}

impl Sizes {
    fn choose(self, answers: &Answers) -> anyhow::Result<(Vec<&Answer>, String)> {
        let (name, list) = match self {
            Self::Large => ("large", routes::LARGE),
            Self::Small => ("small", routes::SMALL),
        };
        let chosen = answers.choose(list);
        if chosen.present.is_empty() {
            bail!("the feed has none of the {name} routes: {list}");
        }
        let mut what = format!("the {} {name} routes", chosen.present.len());
        if !chosen.missing.is_empty() {
            what = format!("{what} (missing in the feed: {})", chosen.missing.join(" "));
        }
        Ok((chosen.present, what))
    }
}

/// Runs `measure` on the client's core, and gives the server's; afterwards all cores may be used again.
pub(crate) fn with_split_cores<T>(
    cores: &Cores,
    measure: impl FnOnce(&Cores) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let (server, client) = cores.split()?;
    client.pin_this_thread()?;
    let outcome = measure(&server);
    cores.pin_this_thread()?;
    outcome
}

/// What rounds of load on one server came to.
#[derive(Default)]
struct Rounds {
    cpu_s_per_gigabyte: Vec<f64>,
    requests_per_s: Vec<f64>,
    client_share: Vec<f64>,
}

impl Rounds {
    fn add(&mut self, server: &Server, asks: &[Ask], length: Duration) -> anyhow::Result<()> {
        let before_s = server.cpu_seconds()?;
        let load = client::run(server.address(), asks, CONNECTIONS, Until::Elapsed(length))?;
        self.cpu_s_per_gigabyte.push((server.cpu_seconds()? - before_s) / load.gigabytes());
        self.requests_per_s.push(load.requests_per_s());
        self.client_share.push(load.client_cpu_s / load.elapsed_s);
        Ok(())
    }

    fn cpu(&self) -> anyhow::Result<Summary> {
        Summary::of(&self.cpu_s_per_gigabyte).context("no round was run")
    }

    fn rate(&self) -> anyhow::Result<Summary> {
        Summary::of(&self.requests_per_s).context("no round was run")
    }

    /// The figures beside each other; a client near 100 % is what limited the requests, not the server.
    fn describe(&self, name: &str) -> anyhow::Result<String> {
        let cpu = self.cpu()?;
        let client = Summary::of(&self.client_share).context("no round was run")?;
        Ok(format!(
            "{name} {:.3} CPU s/GB (spread {:.0} %), {:.0} requests/s, client {:.0} % busy",
            cpu.median,
            100.0 * cpu.spread(),
            self.rate()?.median,
            100.0 * client.median
        ))
    }
}

/// CPU of the server per GB of JSON, in turns with the floor.
pub(crate) fn cpu_against_floor(workshop: &mut Workshop, sizes: Sizes) -> anyhow::Result<Vec<Row>> {
    let answers = workshop.verified(Feed::Mbta2022)?;
    let folder = workshop.feed(Feed::Mbta2022, Packing::Folder)?;
    let (chosen, what) = sizes.choose(&answers)?;
    let (linespeed, floor) = with_split_cores(&workshop.cores, |core| {
        let mut linespeed = workshop.linespeed(&folder).serve(core, &workshop.logs())?;
        let mut floor = Program::of_bench("floor")?.argument(answers.folder()).serve(core, &workshop.logs())?;
        let mut servers = [(&mut linespeed, Rounds::default()), (&mut floor, Rounds::default())];
        for (server, _) in &mut servers {
            server.wait_until_ready()?;
            answers.verify(server)?;
        }
        for _ in 0..workshop.effort.rounds() {
            for (server, rounds) in &mut servers {
                let asks = Ask::for_json(chosen.iter().copied(), server.address());
                rounds.add(server, &asks, workshop.effort.round())?;
            }
        }
        let [(_, linespeed), (_, floor)] = servers;
        Ok((linespeed, floor))
    })?;
    Ok(vec![Row {
        what: format!("{what}: server CPU per GB of JSON, as a multiple of the floor"),
        value: Some(linespeed.cpu()?.median / floor.cpu()?.median),
        unit: Unit::Times,
        goal: goals::CPU_AGAINST_FLOOR,
        detail: format!("{}; {}", linespeed.describe("linespeed")?, floor.describe("floor")?),
    }])
}

/// Gzip: what it costs the first time, and how many more requests it lets through after that.
pub(crate) fn gzip(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let answers = workshop.verified(Feed::Mbta2022)?;
    let folder = workshop.feed(Feed::Mbta2022, Packing::Folder)?;
    let (chosen, what) = Sizes::Large.choose(&answers)?;
    with_split_cores(&workshop.cores, |core| {
        let mut server = workshop.linespeed(&folder).serve(core, &workshop.logs())?;
        server.wait_until_ready()?;

        let before_s = server.cpu_seconds()?;
        let cold = get_all_gzipped(&server, &chosen)?;
        let cold_cpu_s = server.cpu_seconds()? - before_s;
        let warm = get_all_gzipped(&server, &chosen)?;
        for packed in [&cold, &warm] {
            for answer in &chosen {
                answers.compare(answer, &unpack(answer, &packed[answer.segment.as_str()])?)?;
            }
        }
        let json_bytes: u64 = chosen.iter().map(|answer| answer.body_bytes).sum();
        let gzip_bytes: u64 = warm.values().map(|body| body.len() as u64).sum();

        let identity_asks = Ask::for_json(chosen.iter().copied(), server.address());
        let gzip_ask = |answer: &&Answer| {
            let body_bytes = warm[answer.segment.as_str()].len() as u64;
            Ask::new(&answer.segment, server.address(), Encoding::Gzip, body_bytes)
        };
        let gzip_asks: Vec<Ask> = chosen.iter().map(gzip_ask).collect();
        let (mut identity, mut gzip) = (Rounds::default(), Rounds::default());
        for _ in 0..workshop.effort.rounds() {
            identity.add(&server, &identity_asks, workshop.effort.round())?;
            gzip.add(&server, &gzip_asks, workshop.effort.round())?;
        }
        let memory = Memory::of(server.process_id())?;
        Ok(vec![
            Row {
                what: format!("{what}: gzip requests per second once warm, as a multiple of identity"),
                value: Some(gzip.rate()?.median / identity.rate()?.median),
                unit: Unit::Times,
                goal: goals::GZIP_WARM,
                detail: format!("{}; {}", gzip.describe("gzip")?, identity.describe("identity")?),
            },
            Row {
                what: format!("{what}: gzip cold, server CPU per GB of JSON"),
                value: Some(cold_cpu_s / (json_bytes as f64 / 1e9)),
                unit: Unit::SecondsPerGigabyte,
                goal: Goal::Stated,
                detail: format!(
                    "{cold_cpu_s:.2} CPU s for {:.1} MB, packed {:.1}-fold",
                    megabytes(json_bytes),
                    json_bytes as f64 / gzip_bytes as f64
                ),
            },
            Row {
                what: format!("{what}: memory after identity and gzip, packed answers kept"),
                value: Some(megabytes(memory.resident)),
                unit: Unit::Megabytes,
                goal: Goal::Stated,
                detail: format!("VmHWM {:.1}, packed answers {:.1}", megabytes(memory.peak), megabytes(gzip_bytes)),
            },
        ])
    })
}

/// Route's path segment -> gzip body.
fn get_all_gzipped<'answers>(
    server: &Server,
    chosen: &[&'answers Answer],
) -> anyhow::Result<HashMap<&'answers str, Vec<u8>>> {
    let mut socket = TcpStream::connect(server.address())?;
    let mut bodies = HashMap::new();
    for answer in chosen {
        let body = get_schedules(&mut socket, server.address(), &answer.segment, Encoding::Gzip)?;
        bodies.insert(answer.segment.as_str(), body);
    }
    Ok(bodies)
}

fn unpack(answer: &Answer, packed: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    flate2::read::MultiGzDecoder::new(packed)
        .read_to_end(&mut body)
        .with_context(|| format!("route {}: the body is not gzip", answer.route_id))?;
    Ok(body)
}

/// Memory under 50 connections on all cores, and what is left of it afterwards.
pub(crate) fn memory_under_load(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let answers = workshop.verified(Feed::Mbta2022)?;
    let folder = workshop.feed(Feed::Mbta2022, Packing::Folder)?;
    let (chosen, what) = Sizes::Large.choose(&answers)?;
    let mut server = workshop.linespeed(&folder).serve(&workshop.cores, &workshop.logs())?;
    server.wait_until_ready()?;
    thread::sleep(SETTLE);
    let loaded = Memory::of(server.process_id())?;

    reset_peak(server.process_id())?;
    let asks = Ask::for_json(chosen.iter().copied(), server.address());
    let load = client::run(server.address(), &asks, CONNECTIONS, Until::Elapsed(workshop.effort.round()))?;
    let peak = Memory::of(server.process_id())?.peak;
    let (rested, rest_s) = rest(&server, &loaded)?;
    Ok(vec![
        Row {
            what: format!("{what}: peak memory under {CONNECTIONS} connections"),
            value: Some(megabytes(peak)),
            unit: Unit::Megabytes,
            goal: goals::MEMORY_UNDER_LOAD,
            detail: format!("VmHWM of the load alone, {} requests of {:.1} GB", load.requests, load.gigabytes()),
        },
        Row {
            what: format!("memory within {} s after that load, as a multiple of loaded", REST_MAX.as_secs()),
            value: Some(rested.resident as f64 / loaded.resident as f64),
            unit: Unit::Times,
            goal: goals::MEMORY_AFTER_LOAD,
            detail: format!(
                "{:.1} MB after {rest_s:.1} s, {:.1} MB loaded",
                megabytes(rested.resident),
                megabytes(loaded.resident)
            ),
        },
    ])
}

/// Waits until the program has given back what the load took, at most [`REST_MAX`]; the memory then, and the seconds.
fn rest(server: &Server, loaded: &Memory) -> anyhow::Result<(Memory, f64)> {
    let begun = Instant::now();
    loop {
        let memory = Memory::of(server.process_id())?;
        let outcome = goals::MEMORY_AFTER_LOAD.judge(memory.resident as f64 / loaded.resident as f64);
        if outcome == goals::Outcome::Reached || begun.elapsed() >= REST_MAX {
            return Ok((memory, begun.elapsed().as_secs_f64()));
        }
        thread::sleep(REST_PAUSE);
    }
}
