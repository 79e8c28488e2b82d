//! Counts in sentences: "1 route", "2 routes".

use timetable::Counts;

/// `count` with the word that fits it.
pub(crate) fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// What a feed has of all that it is about.
pub(crate) fn routes_trips_and_stop_times(counts: &Counts) -> String {
    let routes = counted(counts.routes as u64, "route", "routes");
    let trips = counted(counts.trips as u64, "trip", "trips");
    format!("{routes}, {trips}, {}", counted(counts.stop_times, "stop time", "stop times"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        for (count, text) in [(0, "0 trips"), (1, "1 trip"), (2, "2 trips")] {
            assert_eq!(counted(count, "trip", "trips"), text);
        }
    }
}
