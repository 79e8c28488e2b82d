//! `GET /feed`: what the feed holds, and how reading it went.

use std::collections::BTreeMap;

use serde::Serialize;
use timetable::Counts;

use super::answer::Answer;
use super::caching::Question;
use crate::feed::Loaded;

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
    loaded_at: String,
    load_time_seconds: f64,
    /// What the files have, inflated.
    file_bytes: u64,
    /// What the timetable takes in memory.
    memory_bytes: usize,
}

#[derive(Serialize)]
pub(crate) struct Period {
    pub(crate) first_date: String,
    pub(crate) last_date: String,
}

pub(super) fn answer(loaded: &Loaded) -> Answer {
    let timetable = &loaded.feed.timetable;
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
        loaded_at: jiff::Timestamp::try_from(loaded.loaded_at)
            .map(|instant| format!("{instant:.0}"))
            .unwrap_or_default(),
        load_time_seconds: loaded.load_time.as_secs_f64(),
        file_bytes: loaded.file_bytes,
        memory_bytes: timetable.heap_bytes().iter().map(|(_, bytes)| bytes).sum(),
    };
    Answer::json(&told, Question::Feed)
}

/// The first and the last day on which any service of the feed runs.
pub(crate) fn period(loaded: &Loaded) -> Option<Period> {
    let (first, last) = loaded.feed.timetable.service_period()?;
    Some(Period { first_date: first.to_string(), last_date: last.to_string() })
}
