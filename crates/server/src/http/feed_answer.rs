//! `GET /feed`: what the feed holds, how reading it went, and what has become of it since.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use timetable::Counts;

use super::answer::Answer;
use crate::feed::Loaded;
use crate::reload::{Outcome, Reload, ReloadStatus};

#[derive(Serialize)]
struct FeedAnswer<'t> {
    source: &'t str,
    /// It changes with the timetable and with nothing else; the tags of schedules are made of it and of the release.
    version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_publisher_name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_version: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_start_date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_end_date: Option<String>,
    /// The first and the last day on which any service runs.
    period: Option<Period>,
    counts: Counts,
    problem_count: u64,
    /// kind -> how many there are.
    problems: BTreeMap<String, u64>,
    /// RFC 3339 with the offset of the first agency's time zone, as all instants here.
    loaded_at: String,
    load_time_seconds: f64,
    /// What the files have, inflated.
    file_bytes: u64,
    /// What the timetable takes in memory.
    memory_bytes: usize,
    /// outcome -> how many reloads ended so.
    reloads: BTreeMap<&'static str, u64>,
    /// None before the first.
    last_reload: Option<LastReload<'t>>,
    /// When the source is looked at next; none if only a signal makes it so.
    next_look_at: Option<String>,
}

#[derive(Serialize)]
struct LastReload<'t> {
    outcome: &'static str,
    /// When it ended.
    at: String,
    time_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'t str>,
}

#[derive(Serialize)]
pub(crate) struct Period {
    pub(crate) first_date: String,
    pub(crate) last_date: String,
}

pub(super) fn answer(loaded: &Loaded, status: &ReloadStatus) -> Answer {
    let timetable = &loaded.feed.timetable;
    // UTC where the feed has no time zone, or one that nobody knows.
    let zone = timetable.time_zone().unwrap_or(TimeZone::UTC);
    let last_reload = status.last.as_ref().map(|Reload { outcome, at, time, error }| LastReload {
        outcome: outcome.name(),
        at: instant_text(*at, &zone),
        time_seconds: time.as_secs_f64(),
        error: error.as_deref(),
    });
    let info = timetable.feed_info();
    let problems = &loaded.feed.report.problems;
    let told = FeedAnswer {
        source: &loaded.source,
        version: format!("{:016x}", loaded.version),
        feed_publisher_name: timetable.optional_text(info.feed_publisher_name),
        feed_version: timetable.optional_text(info.feed_version),
        feed_start_date: info.feed_start_date.map(|date| date.to_string()),
        feed_end_date: info.feed_end_date.map(|date| date.to_string()),
        period: period(loaded),
        counts: timetable.counts(),
        problem_count: problems.count(),
        problems: problems.iter().map(|(kind, of_kind)| (kind.to_string(), of_kind.count)).collect(),
        loaded_at: instant_text(loaded.loaded_at, &zone),
        load_time_seconds: loaded.load_time.as_secs_f64(),
        file_bytes: loaded.file_bytes,
        memory_bytes: timetable.heap_bytes().iter().map(|(_, bytes)| bytes).sum(),
        reloads: Outcome::ALL.map(|outcome| (outcome.name(), status.count(outcome))).into(),
        last_reload,
        next_look_at: status.next_look_at.map(|at| instant_text(at, &zone)),
    };
    Answer::json(&told)
}

/// To the second; nothing for what lies outside all calendars.
fn instant_text(instant: SystemTime, zone: &TimeZone) -> String {
    let Ok(instant) = Timestamp::try_from(instant) else { return String::new() };
    instant.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// The first and the last day on which any service of the feed runs.
pub(crate) fn period(loaded: &Loaded) -> Option<Period> {
    let (first, last) = loaded.feed.timetable.service_period()?;
    Some(Period { first_date: first.to_string(), last_date: last.to_string() })
}
