//! `linespeed check`: what a feed holds, and what is wrong with it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::Context;
use serde::Serialize;
use timetable::{Counts, Problems, Report, UnusedFile, printable};

use crate::cli::{CheckFormat, CheckOptions};
use crate::feed::{Loaded, Origin};
use crate::plural::counted;

/// How many of a kind are shown to people: problems, files, columns. Machines get all that are kept.
const SHOWN: usize = 10;

/// Checks the feed, prints what it finds to standard output, and gives the number of problems.
pub fn run(options: &CheckOptions) -> anyhow::Result<u64> {
    let loaded = Origin::new(options.feed.clone(), options.download).read_first()?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = match options.format {
        CheckFormat::Text => write_text(&loaded, &mut out),
        CheckFormat::Json => write_json(&loaded, &mut out),
    };
    match written.and_then(|()| out.flush()) {
        // Who reads the output has seen enough of it, as `head` has; the check is done all the same.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        written => written.context("writing to standard output")?,
    }
    Ok(loaded.feed.report.problem_count())
}

#[derive(Serialize)]
struct CheckJson<'l> {
    source: &'l str,
    version: String,
    period: Option<crate::http::feed_answer::Period>,
    counts: Counts,
    load_time_seconds: f64,
    file_bytes: u64,
    /// part -> bytes in memory.
    memory_bytes: BTreeMap<&'static str, usize>,
    problem_count: u64,
    problems: &'l Problems,
    files: &'l [&'static str],
    unused_files: &'l [UnusedFile],
    area_stop_time_count: u64,
    unknown_columns: Vec<UnknownColumn<'l>>,
}

#[derive(Serialize)]
struct UnknownColumn<'l> {
    file: &'l str,
    column: &'l str,
}

fn write_json(loaded: &Loaded, out: &mut impl Write) -> io::Result<()> {
    let (timetable, report) = (&loaded.feed.timetable, &loaded.feed.report);
    // Taken apart, so that what a report comes to hold cannot be left out unseen.
    let Report { problems, files, unused_files, area_stop_time_count, unknown_columns } = report;
    let check = CheckJson {
        source: &loaded.source,
        version: format!("{:016x}", loaded.version),
        period: crate::http::feed_answer::period(loaded),
        counts: timetable.counts(),
        load_time_seconds: loaded.load_time.as_secs_f64(),
        file_bytes: loaded.file_bytes,
        memory_bytes: timetable.heap_bytes().into_iter().collect(),
        problem_count: report.problem_count(),
        problems,
        files,
        unused_files,
        area_stop_time_count: *area_stop_time_count,
        unknown_columns: unknown_columns.iter().map(|(file, column)| UnknownColumn { file, column }).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &check)?;
    writeln!(out)
}

fn write_text(loaded: &Loaded, out: &mut impl Write) -> io::Result<()> {
    let timetable = &loaded.feed.timetable;
    let counts = timetable.counts();
    writeln!(out, "{}: read {} in {} ms", loaded.source, bytes_text(loaded.file_bytes), loaded.load_time.as_millis())?;
    match timetable.service_period() {
        Some((first, last)) => writeln!(out, "service from {first} to {last}")?,
        None => writeln!(out, "no service ever runs")?,
    }
    writeln!(out)?;
    for (name, count) in [
        ("agencies", counts.agencies as u64),
        ("stops", counts.stops as u64),
        ("routes", counts.routes as u64),
        ("services", counts.services as u64),
        ("trips", counts.trips as u64),
        ("stop times", counts.stop_times),
        ("patterns", counts.patterns as u64),
        ("runs", counts.runs as u64),
        ("frequencies", counts.frequencies as u64),
        ("shapes", counts.shapes as u64),
    ] {
        writeln!(out, "{count:>12} {name}")?;
    }
    writeln!(out, "\nin memory")?;
    let parts = timetable.heap_bytes();
    for (part, byte_count) in &parts {
        writeln!(out, "{:>12} {part}", bytes_text(*byte_count as u64))?;
    }
    let total: usize = parts.iter().map(|(_, byte_count)| byte_count).sum();
    writeln!(out, "{:>12} in all", bytes_text(total as u64))?;
    write_unused(&loaded.feed.report, out)?;
    write_problems(&loaded.feed.report, out)
}

fn write_unused(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if !report.unused_files.is_empty() {
        writeln!(out, "\nfiles not used")?;
    }
    for file in report.unused_files.iter().take(SHOWN) {
        match file.row_count {
            Some(row_count) => writeln!(out, "{row_count:>12} rows of {}", printable(&file.name))?,
            None => writeln!(out, "{:>12} {}", "", printable(&file.name))?,
        }
    }
    write_more(report.unused_files.len() as u64, out)?;
    if report.area_stop_time_count > 0 {
        writeln!(out, "\nstop times of areas instead of stops, not used\n{:>12}", report.area_stop_time_count)?;
    }
    if !report.unknown_columns.is_empty() {
        writeln!(out, "\ncolumns that the GTFS reference does not name")?;
    }
    for (file, column) in report.unknown_columns.iter().take(SHOWN) {
        writeln!(out, "{:>12} {file}: {}", "", printable(column))?;
    }
    write_more(report.unknown_columns.len() as u64, out)
}

/// Says how many of `count` are past those that are shown.
fn write_more(count: u64, out: &mut impl Write) -> io::Result<()> {
    match count.saturating_sub(SHOWN as u64) {
        0 => Ok(()),
        more => writeln!(out, "{:>12} and {more} more", ""),
    }
}

fn write_problems(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if report.problem_count() == 0 {
        return writeln!(out, "\nno problems");
    }
    for (kind, of_kind) in report.problems.iter() {
        writeln!(out, "\n{:>12} {kind}", of_kind.count)?;
        for problem in of_kind.first.iter().take(SHOWN) {
            writeln!(out, "{:>12} {problem}", "")?;
        }
        write_more(of_kind.count, out)?;
    }
    writeln!(out, "\n{}", counted(report.problem_count(), "problem", "problems"))
}

/// Bytes in the largest unit that leaves a whole number before the point.
fn bytes_text(byte_count: u64) -> String {
    match byte_count {
        0..1_000 => format!("{byte_count} B"),
        1_000..1_000_000 => format!("{:.1} kB", byte_count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", byte_count as f64 / 1e6),
        _ => format!("{:.2} GB", byte_count as f64 / 1e9),
    }
}
