//! Measures the program `linespeed` from outside, against its goals, its slow twin and the floor.
//!
//! The bench knows nothing of the program but its command line and its answers. `workshop` has it generate feeds and
//! compares all its answers with those of `plain`; only then do `load`, `serve` and `reload` take figures, `goals` judges them and
//! `report` shows them. Programs run as processes of their own (`process`, `contained`), watched through `procfs`, and
//! under load by `client`, or by `witness`, which looks at every byte. Start reading at `load`.
#![allow(clippy::print_stdout, reason = "the table, and the address of a server that is ready, are for the terminal")]

mod answers;
mod client;
mod contained;
mod cores;
mod departures;
mod expected_departures;
mod floor;
mod goals;
mod inflate;
mod load;
mod machine;
mod plain;
mod process;
mod procfs;
mod reload;
mod report;
mod request;
mod response;
mod routes;
mod serve;
mod slow;
mod statistics;
mod witness;
mod workshop;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::answers::Answers;
use crate::client::{Ask, Until};
use crate::cores::Cores;
use crate::inflate::Inflater;
use crate::machine::Watch;
use crate::report::Report;
use crate::serve::Sizes;
use crate::workshop::{Effort, Feed, Workshop};

/// Measures linespeed against its goals, its slow twin and the floor, in one run on this machine.
///
/// Before anything is timed, every route's answer is compared byte for byte with that of the slow twin.
/// The exit code is 0 when every goal was reached, 1 when one was not, and 2 when the bench could not run.
#[derive(Parser)]
#[command(version, after_help = "Example:\n  cargo build --release && cargo run --release -p bench -- all --quick")]
struct Arguments {
    #[command(subcommand)]
    command: BenchCommand,
}

#[derive(Subcommand)]
enum BenchCommand {
    /// Measure every goal: loading, serving, departures, reloading and slow clients
    All(Settings),
    /// Measure loading: time to the first right answer, and memory
    Load(Settings),
    /// Measure serving: CPU against the floor, gzip, and memory under load
    Serve(Settings),
    /// Measure reloading: time until a new feed answers, and memory; half of the feeds are bad, and no answer may fail
    Reload(Settings),
    /// Measure departures: how many a second, how long each takes, and whether that grows with the feed
    Departures(Settings),
    /// Measure what thousands of slow clients cost the others
    Slow(Settings),
    /// Ask a server that runs already for all answers in a folder, and count them
    Client {
        /// Where the server listens
        address: SocketAddr,
        /// One file per route, named as in the path after /schedules/, with the answer to expect
        answers: PathBuf,
        /// How many connections to keep
        #[arg(long, default_value_t = serve::CONNECTIONS)]
        connections: usize,
        /// How many seconds to ask for
        #[arg(long, default_value_t = 5.0, conflicts_with = "requests")]
        seconds: f64,
        /// How many answers to ask for, in place of seconds
        #[arg(long)]
        requests: Option<u64>,
        /// Process id of the server, to state its CPU time per GB
        #[arg(long)]
        server: Option<u32>,
    },
    /// Serve a folder of prebuilt answers with the least work possible: each file NAME as /schedules/NAME
    Floor(ServerSettings),
    /// Serve a feed's schedules by the slow twin: csv, serde, HashMap of vectors, axum
    Plain(ServerSettings),
    /// Print the seconds in which an inflater unpacks a zipped feed: as the first thing it does, and once more
    Inflate {
        /// The zip
        zip: PathBuf,
        /// Which inflater
        #[arg(long)]
        with: Inflater,
    },
    /// Become another program that ends together with the bench
    #[command(hide = true)]
    Contained {
        #[arg(long)]
        parent: u32,
        #[arg(long)]
        cores: String,
        #[arg(last = true, required = true)]
        program: Vec<OsString>,
    },
}

#[derive(Args)]
struct Settings {
    /// The program to measure
    #[arg(long, default_value = "target/release/linespeed", value_name = "PATH")]
    linespeed: PathBuf,
    /// Where generated feeds, answers, logs and reports are kept; remove it to have the feeds generated anew
    #[arg(long, default_value = "target/bench-data", value_name = "FOLDER")]
    data: PathBuf,
    /// A few short runs in place of many: about two minutes, with more noise
    #[arg(long)]
    quick: bool,
}

#[derive(Args)]
struct ServerSettings {
    /// The folder to serve
    folder: PathBuf,
    /// Where to listen; port 0 takes a free one. The address is printed when the server is ready
    #[arg(long, default_value = "127.0.0.1:4000", value_name = "ADDRESS")]
    http: SocketAddr,
}

/// Which goals are measured.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parts {
    All,
    Load,
    Serve,
    Reload,
    Slow,
    Departures,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(command: BenchCommand) -> anyhow::Result<ExitCode> {
    match command {
        BenchCommand::All(settings) => return measure(&settings, Parts::All),
        BenchCommand::Load(settings) => return measure(&settings, Parts::Load),
        BenchCommand::Serve(settings) => return measure(&settings, Parts::Serve),
        BenchCommand::Reload(settings) => return measure(&settings, Parts::Reload),
        BenchCommand::Departures(settings) => return measure(&settings, Parts::Departures),
        BenchCommand::Slow(settings) => return measure(&settings, Parts::Slow),
        BenchCommand::Client { address, answers, connections, seconds, requests, server } => {
            let until = match requests {
                Some(count) => Until::Requests(count),
                None => Until::Elapsed(Duration::try_from_secs_f64(seconds)?),
            };
            ask_server(address, &Answers::open(&answers)?, connections, until, server)?;
        }
        BenchCommand::Floor(settings) => floor::serve(&settings.folder, settings.http)?,
        BenchCommand::Plain(settings) => plain::serve(&settings.folder, settings.http)?,
        BenchCommand::Inflate { zip, with } => {
            let passes = inflate::time(&zip, with)?;
            println!("{:.6} {:.6}", passes.first, passes.again);
        }
        BenchCommand::Contained { parent, cores, program } => {
            contained::become_program(parent, &Cores::parse(&cores)?, &program)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn measure(settings: &Settings, parts: Parts) -> anyhow::Result<ExitCode> {
    let effort = if settings.quick { Effort::Quick } else { Effort::Full };
    let mut workshop = Workshop::open(&settings.linespeed, &settings.data, effort)?;
    let watch = Watch::begin()?;
    let mut report = Report::default();
    let shop = &mut workshop;
    if matches!(parts, Parts::All | Parts::Load) {
        report.add("start from a folder", || load::start_from_folder(shop));
        report.add("start from a zip", || load::start_from_zip(shop));
        report.add("memory", || load::memory(shop, Feed::Mbta2022));
        report.add("start with mbta-2026", || load::start_of_the_large_feed(shop));
        report.add("memory with mbta-2026", || load::memory(shop, Feed::Mbta2026));
        report.add("start with random running times", || load::start_with_random_running_times(shop));
        report.add("memory with random running times", || load::memory(shop, Feed::RandomRunningTimes));
    }
    if matches!(parts, Parts::All | Parts::Serve) {
        report.add("CPU of large answers", || serve::cpu_against_floor(shop, Sizes::Large));
        report.add("CPU of small answers", || serve::cpu_against_floor(shop, Sizes::Small));
        report.add("memory under load", || serve::memory_under_load(shop));
        report.add("gzip", || serve::gzip(shop));
    }
    if matches!(parts, Parts::All | Parts::Departures) {
        report.add("departures", || departures::of_the_busiest_stop(shop));
    }
    if matches!(parts, Parts::All | Parts::Reload) {
        report.add("reloading under load", || reload::under_load(shop));
    }
    if matches!(parts, Parts::All | Parts::Slow) {
        report.add("slow heads", || slow::slow_heads(shop));
    }
    let machine = watch.finish(&workshop.cores)?;
    println!("{}", report.to_text(&machine));
    report.write(&machine, workshop.data())?;
    println!("Kept as report.md and report.jsonl in {}", workshop.data().display());
    Ok(if report.all_reached() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn ask_server(
    address: SocketAddr,
    answers: &Answers,
    connections: usize,
    until: Until,
    server: Option<u32>,
) -> anyhow::Result<()> {
    let cpu_seconds = || server.map(procfs::cpu_seconds).transpose();
    let before_s = cpu_seconds()?;
    let load = client::run(address, &Ask::for_json(&answers.all, address), connections, until)?;
    println!(
        "{} requests of {:.3} GB in {:.2} s: {:.0} requests/s; client {:.2} CPU s",
        load.requests,
        load.gigabytes(),
        load.elapsed_s,
        load.requests_per_s(),
        load.client_cpu_s
    );
    if let (Some(before_s), Some(after_s)) = (before_s, cpu_seconds()?) {
        println!("server {:.3} CPU s/GB", (after_s - before_s) / load.gigabytes());
    }
    Ok(())
}

/// Says on standard output that a server is ready, and where.
fn announce(address: SocketAddr) {
    println!("ready on http://{address}");
}
