//! `GET /routes`: all routes, in the order of routes.txt.

use serde::Serialize;

use super::answer::Answer;
use super::caching::Question;
use crate::feed::Loaded;

/// A row of routes.txt with the reference's names; what the feed leaves empty is left out.
#[derive(Serialize)]
struct Route<'t> {
    route_id: &'t str,
    #[serde(skip_serializing_if = "Option::is_none")]
    agency_id: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_short_name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_long_name: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_desc: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_type: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_url: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_color: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_text_color: Option<&'t str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    route_sort_order: Option<u32>,
}

pub(super) fn answer(loaded: &Loaded) -> Answer {
    let timetable = &loaded.feed.timetable;
    let routes: Vec<Route<'_>> = timetable
        .routes()
        .map(|index| {
            let route = timetable.route(index);
            Route {
                route_id: timetable.route_id(index),
                agency_id: route.agency.get().map(|agency| timetable.agency_id(agency)).filter(|id| !id.is_empty()),
                route_short_name: timetable.optional_text(route.route_short_name),
                route_long_name: timetable.optional_text(route.route_long_name),
                route_desc: timetable.optional_text(route.route_desc),
                route_type: route.route_type,
                route_url: timetable.optional_text(route.route_url),
                route_color: timetable.optional_text(route.route_color),
                route_text_color: timetable.optional_text(route.route_text_color),
                route_sort_order: route.route_sort_order,
            }
        })
        .collect();
    Answer::json(&routes, Question::Routes)
}
