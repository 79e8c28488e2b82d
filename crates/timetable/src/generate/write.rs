//! The files of a city, in the column layout of MBTA's feed.

use std::collections::BTreeSet;
use std::io;

use super::block::BlockWriter;
use super::city::{City, Mode, Place, Route};
use super::write_times::write_stop_times;

/// Writes all files; stop_times.txt comes last but for the few after it, so that a reader of a zip meets it late, as
/// in MBTA's feed.
pub(super) fn write_city(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    write_agency(city, writer)?;
    write_calendar(city, writer)?;
    write_calendar_dates(city, writer)?;
    write_checkpoints(city, writer)?;
    write_feed_info(city, writer)?;
    write_routes(city, writer)?;
    write_lines(city, writer)?;
    write_route_patterns(city, writer)?;
    write_stops(city, writer)?;
    write_shapes(city, writer)?;
    write_trips(city, writer)?;
    write_stop_times(city, writer)?;
    if !city.frequencies.is_empty() {
        write_frequencies(city, writer)?;
    }
    writer.flush()
}

fn write_agency(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "agency_id,agency_name,agency_url,agency_timezone,agency_lang,agency_phone,agency_fare_url";
    writer.begin_file("agency.txt", header)?;
    writer.row(&city.agency)
}

fn write_calendar(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date";
    writer.begin_file("calendar.txt", header)?;
    for service in &city.services {
        let row = format!("{},{},{},{}", service.id, service.days, service.first_date, service.last_date);
        writer.bytes(row.as_bytes());
        writer.end_row()?;
    }
    Ok(())
}

fn write_calendar_dates(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    writer.begin_file("calendar_dates.txt", "service_id,date,exception_type,holiday_name")?;
    for service in &city.services {
        for &(date, exception, holiday) in &service.exceptions {
            writer.row(&[&service.id, &date.to_string(), &(exception as u8).to_string(), holiday])?;
        }
    }
    Ok(())
}

fn write_checkpoints(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    writer.begin_file("checkpoints.txt", "checkpoint_id,checkpoint_name")?;
    let mut known = BTreeSet::new();
    for stop in city.stops.iter().filter(|stop| !stop.checkpoint.is_empty()) {
        if known.insert(&stop.checkpoint) {
            writer.row(&[&stop.checkpoint, &stop.name])?;
        }
    }
    Ok(())
}

fn write_feed_info(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_id";
    writer.begin_file("feed_info.txt", header)?;
    let fields: Vec<&str> = city.feed_info.iter().map(String::as_str).collect();
    writer.row(&fields)
}

fn write_routes(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "route_id,agency_id,route_short_name,route_long_name,route_desc,route_type,route_url,route_color,\
                  route_text_color,route_sort_order,route_fare_class,line_id,listed_route,network_id";
    writer.begin_file("routes.txt", header)?;
    for (position, route) in city.routes.iter().enumerate() {
        let url = format!("{}/schedules/{}", city.agency[2], route.id);
        let sort_order = (10_000 * (route.mode as usize + 1) + 10 * position).to_string();
        let (fare_class, network) = match route.mode {
            Mode::LightRail | Mode::Subway | Mode::Funicular => ("Rapid Transit", "rapid_transit"),
            Mode::CommuterRail => ("Commuter Rail", "commuter_rail"),
            Mode::Bus => ("Local Bus", "bus_local"),
            Mode::Ferry => ("Ferry", "ferry"),
        };
        writer.row(&[
            &route.id,
            city.agency[0],
            &route.short_name,
            &route.long_name,
            &route.description,
            &(route.mode as u8).to_string(),
            &url,
            route.color,
            route.text_color,
            &sort_order,
            fare_class,
            &line_id(route),
            "",
            network,
        ])?;
    }
    Ok(())
}

fn line_id(route: &Route) -> String {
    format!("line-{}", route.id.trim_start_matches("CR-"))
}

fn write_lines(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "line_id,line_short_name,line_long_name,line_desc,line_url,line_color,line_text_color,line_sort_order";
    writer.begin_file("lines.txt", header)?;
    for (position, route) in city.routes.iter().enumerate() {
        writer.row(&[
            &line_id(route),
            &route.short_name,
            &route.long_name,
            "",
            "",
            route.color,
            route.text_color,
            &position.to_string(),
        ])?;
    }
    Ok(())
}

/// MBTA's id of a pattern, by its position among all of them.
fn route_pattern_id(city: &City, position: u32) -> String {
    let pattern = &city.patterns[position as usize];
    format!("{}-{position}-{}", city.route(pattern).id, pattern.direction)
}

fn write_route_patterns(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "route_pattern_id,route_id,direction_id,route_pattern_name,route_pattern_time_desc,\
                  route_pattern_typicality,route_pattern_sort_order,representative_trip_id,canonical_route_pattern";
    writer.begin_file("route_patterns.txt", header)?;
    let mut trip_of = vec![None; city.patterns.len()];
    for trip in &city.trips {
        trip_of[trip.pattern as usize].get_or_insert(trip);
    }
    for (position, pattern) in city.patterns.iter().enumerate() {
        let first = &city.stops[pattern.stops[0] as usize].name;
        writer.row(&[
            &route_pattern_id(city, position as u32),
            &city.route(pattern).id,
            &pattern.direction.to_string(),
            &format!("{first} - {}", pattern.headsign),
            "",
            "1",
            &position.to_string(),
            &trip_of[position].map(|trip| city.trip_id(trip)).unwrap_or_default(),
            "0",
        ])?;
    }
    Ok(())
}

fn write_stops(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "stop_id,stop_code,stop_name,stop_desc,platform_code,platform_name,stop_lat,stop_lon,zone_id,\
                  stop_address,stop_url,level_id,location_type,parent_station,wheelchair_boarding,municipality,\
                  on_street,at_street,vehicle_type";
    writer.begin_file("stops.txt", header)?;
    for stop in &city.stops {
        let is_station = stop.kind as u8 == 1;
        let is_bus = stop.mode == Mode::Bus && !is_station;
        let description = match stop.platform.as_str() {
            "" => String::new(),
            platform => format!("{} - {platform}", stop.name),
        };
        writer.row(&[
            &stop.id,
            if is_station { "" } else { &stop.id },
            &stop.name,
            &description,
            "",
            &stop.platform,
            &degrees(stop.place.lat),
            &degrees(stop.place.lon),
            match (is_bus, is_station) {
                (true, _) => "LocalBus",
                (_, true) => "",
                _ => "RapidTransit",
            },
            "",
            &format!("{}/stops/{}", city.agency[2], stop.id),
            "",
            &(stop.kind as u8).to_string(),
            stop.parent.map_or("", |station| &city.stops[station as usize].id),
            "1",
            &stop.municipality,
            &stop.on_street,
            &stop.at_street,
            &if is_station { String::new() } else { (stop.mode as u8).to_string() },
        ])?;
    }
    Ok(())
}

/// Millionths of a degree as a decimal number.
fn degrees(millionths: i32) -> String {
    let sign = if millionths < 0 { "-" } else { "" };
    let millionths = millionths.unsigned_abs();
    format!("{sign}{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

fn write_shapes(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled";
    writer.begin_file("shapes.txt", header)?;
    for pattern in &city.patterns {
        let places: Vec<Place> = pattern.stops.iter().map(|&stop| city.stops[stop as usize].place).collect();
        for (position, point) in course(&places).iter().enumerate() {
            let (lat, lon) = (degrees(point.lat), degrees(point.lon));
            let row = format!("{},{lat},{lon},{},", pattern.shape_id, position + 1);
            writer.bytes(row.as_bytes());
            writer.end_row()?;
        }
    }
    Ok(())
}

/// The stops' places and between two of them a point a little to the side, as streets have bends.
fn course(places: &[Place]) -> Vec<Place> {
    let mut points = Vec::with_capacity(2 * places.len());
    for pair in places.windows(2) {
        let bend = (pair[0].lat ^ pair[1].lon) % 7 * 12;
        let middle = pair[0].toward(pair[1], 1, 2);
        let ahead = Place { lat: middle.lat + pair[1].lat - pair[0].lat, lon: middle.lon + pair[1].lon - pair[0].lon };
        points.extend([pair[0], middle.beside(ahead, bend)]);
    }
    points.extend(places.last());
    points
}

fn write_trips(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    let header = "route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,\
                  wheelchair_accessible,trip_route_type,route_pattern_id,bikes_allowed";
    writer.begin_file("trips.txt", header)?;
    for trip in &city.trips {
        let pattern = &city.patterns[trip.pattern as usize];
        let route = city.route(pattern);
        // Bicycles find a rack on buses; trains and boats take them, the underground does not in the peak.
        let bikes_allowed = if matches!(route.mode, Mode::LightRail | Mode::Subway) { "2" } else { "1" };
        writer.row(&[
            &route.id,
            &city.services[trip.service as usize].id,
            &city.trip_id(trip),
            &pattern.headsign,
            &if trip.train == 0 { String::new() } else { trip.train.to_string() },
            &pattern.direction.to_string(),
            &format!("{}{}", route.block_id_prefix, trip.block),
            &pattern.shape_id,
            "1",
            "",
            &route_pattern_id(city, trip.pattern),
            bikes_allowed,
        ])?;
    }
    Ok(())
}

fn write_frequencies(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    writer.begin_file("frequencies.txt", "trip_id,start_time,end_time,headway_secs,exact_times")?;
    for frequency in &city.frequencies {
        writer.bytes(city.trip_id(&city.trips[frequency.trip as usize]).as_bytes());
        for time_s in [frequency.start_s, frequency.end_s] {
            writer.bytes(b",");
            writer.bytes(&super::block::time_text(time_s));
        }
        writer.bytes(format!(",{},{}", frequency.headway_s, frequency.exact_times as u8).as_bytes());
        writer.end_row()?;
    }
    Ok(())
}
