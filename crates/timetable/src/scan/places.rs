//! agency.txt, stops.txt, routes.txt and feed_info.txt: who runs, where, and what it is called.

use super::row::{Column, Columns, Referred, Row};
use crate::calendar::read_date;
use crate::departures::find_time_zone;
use crate::index::{AgencyIdx, OptionIdx, RouteIdx, StopIdx, TextIdx};
use crate::pools::StringPool;
use crate::problem::{FeedError, ProblemKind};
use crate::timetable::{Agency, FeedInfo, Route, Stop};

/// The rows of agency.txt; texts are indexes of `texts`.
#[derive(Default)]
pub(crate) struct AgencyRows {
    pub(crate) ids: StringPool<AgencyIdx>,
    pub(crate) rows: Vec<Agency>,
    pub(crate) texts: StringPool<TextIdx>,
    columns: [Column; 6],
}

impl super::Table for AgencyRows {
    const FILE: &'static str = "agency.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let names = ["agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang", "agency_phone"];
        Ok(Self { columns: names.map(|name| columns.find(name)), ..Self::default() })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Self {
            ids,
            rows,
            texts,
            columns: [agency_id, agency_name, agency_url, agency_timezone, agency_lang, agency_phone],
        } = self;
        // agency_id may be empty in a feed of one agency.
        if ids.try_intern(&row.text(*agency_id)).is_err() {
            return row.report(ProblemKind::DuplicateId, *agency_id, "an agency_id that no row before has");
        }
        let time_zone = row.text(*agency_timezone);
        let first = rows.first().map(|agency| texts.get(agency.agency_timezone));
        if !time_zone.is_empty() && find_time_zone(&time_zone).is_none() {
            row.report(
                ProblemKind::UnknownTimeZone,
                *agency_timezone,
                "one of the IANA database, such as Europe/Berlin",
            );
        } else if let Some(first) = first.filter(|first| *first != time_zone) {
            row.report(ProblemKind::UnknownTimeZone, *agency_timezone, format_args!("{first}, as the agencies before"));
        }
        rows.push(Agency {
            agency_id: texts.intern(&row.text(*agency_id)),
            agency_name: texts.intern(&row.text(*agency_name)),
            agency_url: texts.intern(&row.text(*agency_url)),
            agency_timezone: texts.intern(&time_zone),
            agency_lang: row.pooled(*agency_lang, texts),
            agency_phone: row.pooled(*agency_phone, texts),
        });
    }
}

/// The rows of stops.txt; `parent_station` is an index of `parents`.
#[derive(Default)]
pub(crate) struct StopRows {
    pub(crate) ids: StringPool<StopIdx>,
    pub(crate) rows: Vec<Stop>,
    pub(crate) parents: Referred<StopIdx>,
    pub(crate) texts: StringPool<TextIdx>,
    columns: StopColumns,
}

#[derive(Default)]
struct StopColumns {
    stop_id: Column,
    stop_code: Column,
    stop_name: Column,
    stop_desc: Column,
    stop_lat: Column,
    stop_lon: Column,
    location_type: Column,
    parent_station: Column,
    stop_timezone: Column,
    wheelchair_boarding: Column,
    platform_code: Column,
}

impl super::Table for StopRows {
    const FILE: &'static str = "stops.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let columns = StopColumns {
            stop_id: columns.get("stop_id")?,
            stop_code: columns.find("stop_code"),
            stop_name: columns.find("stop_name"),
            stop_desc: columns.find("stop_desc"),
            stop_lat: columns.find("stop_lat"),
            stop_lon: columns.find("stop_lon"),
            location_type: columns.find("location_type"),
            parent_station: columns.find("parent_station"),
            stop_timezone: columns.find("stop_timezone"),
            wheelchair_boarding: columns.find("wheelchair_boarding"),
            platform_code: columns.find("platform_code"),
        };
        Ok(Self { columns, ..Self::default() })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Self { ids, rows, parents, texts, columns } = self;
        let Some(stop_id) = row.id(columns.stop_id) else { return };
        if ids.try_intern(&stop_id).is_err() {
            return row.report(ProblemKind::DuplicateId, columns.stop_id, "a stop_id that no row before has");
        }
        let latitude = row.degrees(columns.stop_lat, 90.0);
        let longitude = row.degrees(columns.stop_lon, 180.0);
        rows.push(Stop {
            stop_code: row.pooled(columns.stop_code, texts),
            stop_name: row.pooled(columns.stop_name, texts),
            stop_desc: row.pooled(columns.stop_desc, texts),
            place: latitude.zip(longitude),
            location_type: row.code(columns.location_type, 4, 0),
            parent_station: parents.refer(row, columns.parent_station),
            stop_timezone: row.pooled(columns.stop_timezone, texts),
            wheelchair_boarding: row.code(columns.wheelchair_boarding, 2, 0),
            platform_code: row.pooled(columns.platform_code, texts),
        });
    }
}

/// The rows of routes.txt; `agency` is an index of `agencies`.
#[derive(Default)]
pub(crate) struct RouteRows {
    pub(crate) ids: StringPool<RouteIdx>,
    pub(crate) rows: Vec<Route>,
    pub(crate) agencies: Referred<AgencyIdx>,
    pub(crate) texts: StringPool<TextIdx>,
    columns: RouteColumns,
}

#[derive(Default)]
struct RouteColumns {
    route_id: Column,
    agency_id: Column,
    route_short_name: Column,
    route_long_name: Column,
    route_desc: Column,
    route_type: Column,
    route_url: Column,
    route_color: Column,
    route_text_color: Column,
    route_sort_order: Column,
}

impl super::Table for RouteRows {
    const FILE: &'static str = "routes.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let columns = RouteColumns {
            route_id: columns.get("route_id")?,
            agency_id: columns.find("agency_id"),
            route_short_name: columns.find("route_short_name"),
            route_long_name: columns.find("route_long_name"),
            route_desc: columns.find("route_desc"),
            route_type: columns.find("route_type"),
            route_url: columns.find("route_url"),
            route_color: columns.find("route_color"),
            route_text_color: columns.find("route_text_color"),
            route_sort_order: columns.find("route_sort_order"),
        };
        Ok(Self { columns, ..Self::default() })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        let Self { ids, rows, agencies, texts, columns } = self;
        let Some(route_id) = row.id(columns.route_id) else { return };
        if ids.try_intern(&route_id).is_err() {
            return row.report(ProblemKind::DuplicateId, columns.route_id, "a route_id that no row before has");
        }
        rows.push(Route {
            agency: agencies.refer(row, columns.agency_id),
            route_short_name: row.pooled(columns.route_short_name, texts),
            route_long_name: row.pooled(columns.route_long_name, texts),
            route_desc: row.pooled(columns.route_desc, texts),
            route_type: row.number(columns.route_type, 0..=1799).map(|route_type| route_type as u16),
            route_url: row.pooled(columns.route_url, texts),
            route_color: pooled_color(row, columns.route_color, texts),
            route_text_color: pooled_color(row, columns.route_text_color, texts),
            route_sort_order: row.number(columns.route_sort_order, 0..=u32::MAX),
        });
    }
}

/// A colour of six hexadecimal digits; none when it is empty or, reported, when it is not that.
fn pooled_color(row: &mut Row<'_, '_>, column: Column, texts: &mut StringPool<TextIdx>) -> OptionIdx<TextIdx> {
    let color = row.bytes(column);
    if !color.is_empty() && (color.len() != 6 || !color.iter().all(u8::is_ascii_hexdigit)) {
        row.report(ProblemKind::InvalidNumber, column, "a colour of six hexadecimal digits");
        return OptionIdx::NONE;
    }
    row.pooled(column, texts)
}

/// The first row of feed_info.txt.
#[derive(Default)]
pub(crate) struct FeedInfoRow {
    pub(crate) row: Option<FeedInfo>,
    pub(crate) texts: StringPool<TextIdx>,
    columns: [Column; 6],
}

impl super::Table for FeedInfoRow {
    const FILE: &'static str = "feed_info.txt";

    fn new(columns: Columns<'_>) -> Result<Self, FeedError> {
        let names = [
            "feed_publisher_name",
            "feed_publisher_url",
            "feed_lang",
            "feed_version",
            "feed_start_date",
            "feed_end_date",
        ];
        Ok(Self { columns: names.map(|name| columns.find(name)), ..Self::default() })
    }

    fn add(&mut self, row: &mut Row<'_, '_>) {
        if self.row.is_some() {
            return;
        }
        let [publisher_name, publisher_url, lang, version, start_date, end_date] = self.columns;
        let optional_date = |row: &mut Row<'_, '_>, column| {
            let text = row.bytes(column);
            if text.is_empty() { None } else { read_date(text).or_else(|| row.date(column)) }
        };
        self.row = Some(FeedInfo {
            feed_publisher_name: row.pooled(publisher_name, &mut self.texts),
            feed_publisher_url: row.pooled(publisher_url, &mut self.texts),
            feed_lang: row.pooled(lang, &mut self.texts),
            feed_version: row.pooled(version, &mut self.texts),
            feed_start_date: optional_date(row, start_date),
            feed_end_date: optional_date(row, end_date),
        });
    }
}
