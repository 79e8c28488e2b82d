//! Every query of a timetable, asked of everything that it holds: a query has no error path, so none may panic.

use timetable::{Index, RouteIdx, ServiceIdx, ShapeIdx, StopIdx, Timetable, TripIdx};

/// Asks everything.
pub(crate) fn walk(timetable: &Timetable) {
    let counts = timetable.counts();
    assert!(timetable.heap_bytes().iter().map(|(_, bytes)| bytes).sum::<usize>() > 0);
    walk_trips(timetable, counts.trips);
    for route in (0..counts.routes).map(RouteIdx::new) {
        assert_eq!(timetable.find_route(timetable.route_id(route)), Some(route));
        timetable.optional_text(timetable.route(route).route_long_name);
        timetable.route(route).agency.get().map(|agency| timetable.agency_id(agency));
    }
    for stop in (0..counts.stops).map(StopIdx::new) {
        assert_eq!(timetable.find_stop(timetable.stop_id(stop)), Some(stop));
        timetable.stop(stop).parent_station.get().map(|station| timetable.stop(station));
        for visit in timetable.visits_of_stop(stop) {
            assert_eq!(timetable.pattern(visit.pattern)[visit.position as usize].stop, stop);
        }
    }
    for shape in (0..counts.shapes).map(ShapeIdx::new) {
        for (latitude, longitude) in timetable.shape(shape) {
            assert!(latitude.abs() <= 90.0 && longitude.abs() <= 180.0);
        }
    }
    walk_services(timetable, counts.services);
    for agency in timetable.agencies() {
        timetable.text(agency.agency_timezone);
    }
    timetable.optional_text(timetable.feed_info().feed_version);
}

fn walk_trips(timetable: &Timetable, trip_count: usize) {
    let mut stop_time_count = 0;
    for index in (0..trip_count).map(TripIdx::new) {
        let trip = timetable.trip(index);
        assert_eq!(timetable.find_trip(timetable.trip_id(index)), Some(index));
        assert!(timetable.trips_of_route(trip.route).contains(&index));
        assert!(timetable.trips_of_service(trip.service).contains(&index));
        let stops = timetable.pattern(trip.pattern);
        assert!(stops.is_sorted_by_key(|stop| stop.stop_sequence));
        assert_eq!(timetable.run_times(trip).iter().count(), stops.len());
        stop_time_count += stops.len() as u64;
        assert!(timetable.frequencies(index).all(|frequency| frequency.headway_secs > 0));
        timetable.optional_text(trip.trip_headsign);
        trip.shape.get().map(|shape| timetable.shape(shape).count());
    }
    assert_eq!(stop_time_count, timetable.counts().stop_times);
}

fn walk_services(timetable: &Timetable, service_count: usize) {
    let period = timetable.service_period();
    for index in (0..service_count).map(ServiceIdx::new) {
        assert_eq!(timetable.find_service(timetable.service_id(index)), Some(index));
        let service = timetable.service(index);
        let Some((first, last)) = service.period() else { continue };
        assert!(service.runs_on(first) && service.runs_on(last), "{first} to {last}");
        assert!(period.is_some_and(|(of_all_first, of_all_last)| of_all_first <= first && last <= of_all_last));
    }
}
