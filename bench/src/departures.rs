//! Goals of departures: how many a second, how long each takes, and that a larger feed costs no more.

use std::net::TcpStream;

use anyhow::Context;

use crate::client::{self, Ask, Until};
use crate::expected_departures::ExpectedDepartures;
use crate::goals::{self, Goal, Unit};
use crate::process::Server;
use crate::report::Row;
use crate::request::{exchange, request};
use crate::response::Encoding;
use crate::serve::{CONNECTIONS, with_split_cores};
use crate::statistics::{Summary, percentile};
use crate::workshop::{Feed, Packing, Workshop};

/// How many departures each answer has.
const LIMIT: usize = 20;
/// From six in the morning to ten at night, in steps of ten minutes: while vehicles run.
const INSTANTS: std::ops::Range<i64> = 36..132;
const STEP_SECONDS: i64 = 600;

/// What rounds of load on one server came to.
#[derive(Default)]
struct Rounds {
    requests_per_s: Vec<f64>,
    cpu_us: Vec<f64>,
    p99_ms: Vec<f64>,
    client_share: Vec<f64>,
}

/// The feed's busiest stop, asked for all day long; its answers are compared first.
struct Questions {
    server: Server,
    asks: Vec<Ask>,
    what: String,
    rounds: Rounds,
}

impl Questions {
    fn prepare(workshop: &Workshop, feed: Feed, core: &crate::cores::Cores) -> anyhow::Result<Self> {
        let folder = workshop.feed(feed, Packing::Folder)?;
        eprintln!("comparing: departures from the busiest stop of {}", feed.name());
        let expected = ExpectedDepartures::read(&folder)?;
        let date = expected.busiest_date()?;
        let mut server = workshop.linespeed(&folder).serve(core, &workshop.logs())?;
        server.wait_until_ready()?;
        let mut socket = TcpStream::connect(server.address())?;
        let mut asks = Vec::new();
        for step in INSTANTS {
            let seconds = step * STEP_SECONDS;
            let stop_id = crate::request::path_segment(&expected.stop_id);
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
            let target = format!("/departures?stop_id={stop_id}&limit={LIMIT}&at={date}T{hours:02}:{minutes:02}");
            let (head, body) = exchange(&mut socket, &request(&target, server.address(), Encoding::Identity))?;
            expected.verify(date, seconds, LIMIT, &body).with_context(|| format!("{}: {target}", feed.name()))?;
            asks.push(Ask::for_target(&target, server.address(), Encoding::Identity, head.body_bytes));
        }
        let what = format!("stop {} of {} ({} stop times)", expected.stop_id, feed.name(), expected.stop_time_count);
        Ok(Self { server, asks, what, rounds: Rounds::default() })
    }

    fn round(&mut self, workshop: &Workshop) -> anyhow::Result<()> {
        let (address, length) = (self.server.address(), workshop.effort.round());
        let before_s = self.server.cpu_seconds()?;
        let load = client::run(address, &self.asks, CONNECTIONS, Until::Elapsed(length))?;
        let cpu_s = self.server.cpu_seconds()? - before_s;
        self.rounds.cpu_us.push(cpu_s * 1e6 / load.requests as f64);
        self.rounds.requests_per_s.push(load.requests_per_s());
        self.rounds.client_share.push(load.client_cpu_s / load.elapsed_s);
        // One after the other, so that what is timed is the answer and not the queue before it.
        let alone = client::run(address, &self.asks, 1, Until::Elapsed(length))?;
        self.rounds.p99_ms.push(1e3 * percentile(&alone.request_s, 0.99).context("no request was answered")?);
        Ok(())
    }
}

/// Departures of the busiest stop of two feeds, in turns, each by a server on one core.
pub(crate) fn of_the_busiest_stop(workshop: &mut Workshop) -> anyhow::Result<Vec<Row>> {
    let [small, large] = with_split_cores(&workshop.cores, |core| {
        let mut both =
            [Questions::prepare(workshop, Feed::Mbta2022, core)?, Questions::prepare(workshop, Feed::Mbta2026, core)?];
        for _ in 0..workshop.effort.rounds() {
            for questions in &mut both {
                questions.round(workshop)?;
            }
        }
        Ok(both)
    })?;
    let of = |values: &[f64]| Summary::of(values).context("no round was run");
    let (rate, cpu, p99) = (of(&small.rounds.requests_per_s)?, of(&small.rounds.cpu_us)?, of(&small.rounds.p99_ms)?);
    let (client, large_cpu) = (of(&small.rounds.client_share)?, of(&large.rounds.cpu_us)?);
    let row = |what: String, value: f64, unit: Unit, goal: Goal, detail: String| Row {
        what,
        value: Some(value),
        unit,
        goal,
        detail,
    };
    Ok(vec![
        row(
            format!("{LIMIT} departures from the busiest stop, by a server on one core"),
            rate.median,
            Unit::PerSecond,
            goals::DEPARTURES_RATE,
            format!(
                "{}; {:.1} µs of CPU each; client {:.0} % busy; spread {:.0} %",
                small.what,
                cpu.median,
                100.0 * client.median,
                100.0 * rate.spread()
            ),
        ),
        row(
            "99th percentile of the time to get them, one client".to_owned(),
            p99.median,
            Unit::Milliseconds,
            goals::DEPARTURES_P99_MS,
            format!("the way there and back included; worst round {:.3} ms", p99.max),
        ),
        row(
            "server CPU for the same of mbta-2026, as a multiple".to_owned(),
            large_cpu.median / cpu.median,
            Unit::Times,
            goals::DEPARTURES_GROWTH,
            format!("{}; {:.1} µs of CPU each", large.what, large_cpu.median),
        ),
    ])
}
