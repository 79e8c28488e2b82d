//! The files and fields of the GTFS schedule reference, by name, and which files this crate reads.

/// A file that the GTFS schedule reference names.
#[derive(Debug)]
pub struct ReferenceFile {
    /// Its name, such as `stop_times.txt`.
    pub name: &'static str,
    /// The names of its fields in the reference's order; none for a file that is no table.
    pub fields: &'static [&'static str],
    /// Whether the timetable is made from it.
    pub usage: Usage,
}

/// Whether a file of the reference is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Without it there is no timetable.
    Indispensable,
    /// It is read where it is there.
    Read,
    /// Its rows are counted, and the report says that they are not used.
    Counted,
}

/// The file of the reference called `name`.
pub fn find_reference_file(name: &str) -> Option<&'static ReferenceFile> {
    REFERENCE.iter().find(|file| file.name == name)
}

const fn file(name: &'static str, usage: Usage, fields: &'static [&'static str]) -> ReferenceFile {
    ReferenceFile { name, fields, usage }
}

/// Every file of the reference (revision of 2025), in its order.
#[rustfmt::skip]
pub const REFERENCE: &[ReferenceFile] = &[
    file("agency.txt", Usage::Read, &["agency_id", "agency_name", "agency_url", "agency_timezone", "agency_lang", "agency_phone", "agency_fare_url", "agency_email", "cemv_support"]),
    file("stops.txt", Usage::Read, &["stop_id", "stop_code", "stop_name", "tts_stop_name", "stop_desc", "stop_lat", "stop_lon", "zone_id", "stop_url", "location_type", "parent_station", "stop_timezone", "wheelchair_boarding", "level_id", "platform_code", "stop_access"]),
    file("routes.txt", Usage::Read, &["route_id", "agency_id", "route_short_name", "route_long_name", "route_desc", "route_type", "route_url", "route_color", "route_text_color", "route_sort_order", "continuous_pickup", "continuous_drop_off", "network_id", "cemv_support"]),
    file("trips.txt", Usage::Indispensable, &["route_id", "service_id", "trip_id", "trip_headsign", "trip_short_name", "direction_id", "block_id", "shape_id", "wheelchair_accessible", "bikes_allowed", "cars_allowed"]),
    file("stop_times.txt", Usage::Indispensable, &["trip_id", "arrival_time", "departure_time", "stop_id", "location_group_id", "location_id", "stop_sequence", "stop_headsign", "start_pickup_drop_off_window", "end_pickup_drop_off_window", "pickup_type", "drop_off_type", "continuous_pickup", "continuous_drop_off", "shape_dist_traveled", "timepoint", "pickup_booking_rule_id", "drop_off_booking_rule_id"]),
    file("calendar.txt", Usage::Read, &["service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "start_date", "end_date"]),
    file("calendar_dates.txt", Usage::Read, &["service_id", "date", "exception_type"]),
    file("fare_attributes.txt", Usage::Counted, &["fare_id", "price", "currency_type", "payment_method", "transfers", "agency_id", "transfer_duration"]),
    file("fare_rules.txt", Usage::Counted, &["fare_id", "route_id", "origin_id", "destination_id", "contains_id"]),
    file("timeframes.txt", Usage::Counted, &["timeframe_group_id", "start_time", "end_time", "service_id"]),
    file("rider_categories.txt", Usage::Counted, &["rider_category_id", "rider_category_name", "is_default_fare_category", "eligibility_url"]),
    file("fare_media.txt", Usage::Counted, &["fare_media_id", "fare_media_name", "fare_media_type"]),
    file("fare_products.txt", Usage::Counted, &["fare_product_id", "fare_product_name", "rider_category_id", "fare_media_id", "amount", "currency"]),
    file("fare_leg_rules.txt", Usage::Counted, &["leg_group_id", "network_id", "from_area_id", "to_area_id", "from_timeframe_group_id", "to_timeframe_group_id", "fare_product_id", "rule_priority"]),
    file("fare_leg_join_rules.txt", Usage::Counted, &["from_network_id", "to_network_id", "from_stop_id", "to_stop_id"]),
    file("fare_transfer_rules.txt", Usage::Counted, &["from_leg_group_id", "to_leg_group_id", "transfer_count", "duration_limit", "duration_limit_type", "fare_transfer_type", "fare_product_id"]),
    file("areas.txt", Usage::Counted, &["area_id", "area_name"]),
    file("stop_areas.txt", Usage::Counted, &["area_id", "stop_id"]),
    file("networks.txt", Usage::Counted, &["network_id", "network_name"]),
    file("route_networks.txt", Usage::Counted, &["network_id", "route_id"]),
    file("shapes.txt", Usage::Read, &["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence", "shape_dist_traveled"]),
    file("frequencies.txt", Usage::Read, &["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]),
    file("transfers.txt", Usage::Counted, &["from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id", "transfer_type", "min_transfer_time"]),
    file("pathways.txt", Usage::Counted, &["pathway_id", "from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional", "length", "traversal_time", "stair_count", "max_slope", "min_width", "signposted_as", "reversed_signposted_as"]),
    file("levels.txt", Usage::Counted, &["level_id", "level_index", "level_name"]),
    file("location_groups.txt", Usage::Counted, &["location_group_id", "location_group_name"]),
    file("location_group_stops.txt", Usage::Counted, &["location_group_id", "stop_id"]),
    file("locations.geojson", Usage::Counted, &[]),
    file("booking_rules.txt", Usage::Counted, &["booking_rule_id", "booking_type", "prior_notice_duration_min", "prior_notice_duration_max", "prior_notice_last_day", "prior_notice_last_time", "prior_notice_start_day", "prior_notice_start_time", "prior_notice_service_id", "message", "pickup_message", "drop_off_message", "phone_number", "info_url", "booking_url"]),
    file("translations.txt", Usage::Counted, &["table_name", "field_name", "language", "translation", "record_id", "record_sub_id", "field_value"]),
    file("feed_info.txt", Usage::Read, &["feed_publisher_name", "feed_publisher_url", "feed_lang", "default_lang", "feed_start_date", "feed_end_date", "feed_version", "feed_contact_email", "feed_contact_url"]),
    file("attributions.txt", Usage::Counted, &["attribution_id", "agency_id", "route_id", "trip_id", "organization_name", "is_producer", "is_operator", "is_authority", "attribution_url", "attribution_email", "attribution_phone"]),
];
