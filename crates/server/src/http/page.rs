//! `GET /`: a plain page of what can be asked for, with examples from the feed that is loaded.

use std::fmt::Write;

use timetable::RouteIdx;

use super::answer::Answer;
use super::endpoints::{ENDPOINTS, Endpoint};
use crate::feed::Loaded;
use crate::plural::routes_trips_and_stop_times;

/// How many routes are shown as examples.
const EXAMPLES: usize = 12;

const STYLE: &str = "\
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}\
body{max-width:46rem;margin:0 auto;padding:1.5rem}\
h1{margin:0}h2{margin:2rem 0 .5rem;font-size:1.1rem}\
p{margin:.25rem 0 1rem}\
code{font:0.95em ui-monospace,monospace}\
table{border-collapse:collapse;width:100%}\
td,th{padding:.35rem .75rem .35rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #8884}\
td.number{text-align:right;font-variant-numeric:tabular-nums}\
.routes{display:flex;flex-wrap:wrap;gap:.5rem;padding:0;list-style:none}\
.routes a{display:block;padding:.2rem .7rem;border-radius:.4rem;text-decoration:none}";

/// The page but for the name by which the client reaches this program.
#[derive(Debug)]
pub(super) struct Page {
    before_command: String,
    /// Asks for the schedules of a route; none when no route has trips.
    example: Option<String>,
    after_command: String,
}

impl Page {
    /// The page of the feed that is loaded.
    pub(super) fn new(loaded: &Loaded) -> Self {
        let examples = examples(loaded);
        let example = examples.first().map(|route| schedules_path(loaded, *route));
        Self { before_command: before_command(loaded, &examples), example, after_command: after_command(loaded) }
    }

    /// The page with a command that works for a client that reaches this program at `host`.
    pub(super) fn answer(&self, host: Option<&str>) -> Answer {
        let mut page = self.before_command.clone();
        if let Some(path) = &self.example {
            page.push_str("<h2>From a shell</h2><p><code>");
            match host {
                Some(host) => {
                    put(&mut page, format_args!("curl -s --compressed 'http://{}{path}'", escaped(host)));
                }
                None => page.push_str(path),
            }
            page.push_str("</code></p>");
        }
        page.push_str(&self.after_command);
        Answer::html(page)
    }
}

fn before_command(loaded: &Loaded, examples: &[RouteIdx]) -> String {
    let mut page = format!(
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>\
         <title>Linespeed</title><style>{STYLE}</style>\
         <h1>Linespeed</h1><p>{source}: {counts}, loaded in {milliseconds} ms.</p>\
         <h2>What can be asked</h2><table>",
        source = escaped(&loaded.source),
        counts = routes_trips_and_stop_times(&loaded.feed.timetable.counts()),
        milliseconds = loaded.load_time.as_millis(),
    );
    for Endpoint { path, what, .. } in ENDPOINTS {
        let link = example_target(loaded, path, examples.first().copied());
        let code = format!("<code>{path}</code>");
        let code = link.map(|link| format!("<a href='{link}'>{code}</a>")).unwrap_or(code);
        put(&mut page, format_args!("<tr><td>{code}<td>{what}"));
    }
    page.push_str("</table><p>Lists come as JSON, NDJSON or CSV, as Accept or <code>format=</code> says, and go on at the Link that they name. \
         All come compressed to those who accept that.</p>");
    if !examples.is_empty() {
        page.push_str("<h2>Schedules of some routes</h2><ul class=routes>");
        for route in examples {
            put(&mut page, format_args!("<li>{}", route_link(loaded, *route)));
        }
        page.push_str("</ul>");
    }
    page
}

fn after_command(loaded: &Loaded) -> String {
    let counts = loaded.feed.timetable.counts();
    let mut page = "<h2>The feed</h2><table>".to_owned();
    let period =
        super::feed_answer::period(loaded).map(|period| format!("{} to {}", period.first_date, period.last_date));
    put(
        &mut page,
        format_args!("<tr><td>service period<td class=number>{}", period.as_deref().unwrap_or("no service ever runs")),
    );
    for (name, count) in [
        ("agencies", counts.agencies as u64),
        ("stops", counts.stops as u64),
        ("services", counts.services as u64),
        ("patterns of stops", counts.patterns as u64),
        ("distinct runs", counts.runs as u64),
        ("shapes", counts.shapes as u64),
        ("problems", loaded.feed.report.problem_count()),
    ] {
        put(&mut page, format_args!("<tr><td>{name}<td class=number>{count}"));
    }
    page.push_str("</table></html>\n");
    page
}

/// A target of the endpoint at `path` that has an answer, with ids of `route`, its first trip and where that begins.
fn example_target(loaded: &Loaded, path: &str, route: Option<RouteIdx>) -> Option<String> {
    let timetable = &loaded.feed.timetable;
    let has = |file| loaded.feed.report.files.contains(&file);
    let has_calendar = has("calendar.txt") || has("calendar_dates.txt");
    let trip = || timetable.trips_of_route(route?).first().copied();
    let stop = || Some(timetable.stop_id(timetable.pattern(timetable.trip(trip()?).pattern).first()?.stop));
    let encoded = |id: &str| percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC).to_string();
    let with = |name: &str, id: &str| path.replace(name, &encoded(id));
    match path {
        "/departures" => {
            let is_answered = has_calendar && timetable.time_zone().is_some();
            is_answered.then(stop)?.map(|stop| format!("{path}?stop_id={}", encoded(stop)))
        }
        "/routes/{route_id}/shape" | "/shapes/{shape_id}" if !has("shapes.txt") => None,
        "/stops" if !has("stops.txt") => None,
        "/services" if !has_calendar => None,
        _ if path.contains("{route_id}") => Some(with("{route_id}", timetable.route_id(route?))),
        _ if path.contains("{trip_id}") => Some(with("{trip_id}", timetable.trip_id(trip()?))),
        _ if path.contains("{stop_id}") => Some(with("{stop_id}", stop()?)),
        _ if path.contains("{shape_id}") => {
            Some(with("{shape_id}", timetable.shape_id(timetable.trip(trip()?).shape.get()?)))
        }
        _ => Some(path.to_owned()),
    }
}

/// Some routes that have trips, spread over all of them.
fn examples(loaded: &Loaded) -> Vec<RouteIdx> {
    let timetable = &loaded.feed.timetable;
    let with_trips: Vec<_> = timetable.routes().filter(|route| !timetable.trips_of_route(*route).is_empty()).collect();
    let step = with_trips.len().div_ceil(EXAMPLES).max(1);
    with_trips.into_iter().step_by(step).collect()
}

fn schedules_path(loaded: &Loaded, route: RouteIdx) -> String {
    let id = loaded.feed.timetable.route_id(route);
    format!("/schedules/{}", percent_encoding::utf8_percent_encode(id, percent_encoding::NON_ALPHANUMERIC))
}

/// A link in the route's colours; what the feed leaves out is white with black letters (GTFS reference, routes.txt).
fn route_link(loaded: &Loaded, route: RouteIdx) -> String {
    let timetable = &loaded.feed.timetable;
    let (path, row) = (schedules_path(loaded, route), timetable.route(route));
    let name = timetable.optional_text(row.route_short_name).or(timetable.optional_text(row.route_long_name));
    let color = timetable.optional_text(row.route_color).unwrap_or("ffffff");
    let text_color = timetable.optional_text(row.route_text_color).unwrap_or("000000");
    let name = escaped(name.unwrap_or(timetable.route_id(route)));
    format!("<a href='{path}' style='background:#{color};color:#{text_color}'>{name}</a>")
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    page.write_fmt(text).expect("writing to a string does not fail");
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
