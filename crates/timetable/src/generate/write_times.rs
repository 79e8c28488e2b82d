//! stop_times.txt, nine tenths of a feed: what trips of a pattern have in common is made text once.

use std::io;

use super::block::{BlockWriter, time_text, write_field};
use super::city::{City, Mode, Pattern, Times, TimesAt};
use super::random::Random;
use super::run_times::{DistinctRuns, hop_seconds};

const HEADER: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,\
                      drop_off_type,timepoint,checkpoint_id,continuous_pickup,continuous_drop_off";

/// Writes the stop times of all trips in the order of trips.txt.
pub(super) fn write_stop_times(city: &City, writer: &mut BlockWriter<'_>) -> io::Result<()> {
    writer.begin_file("stop_times.txt", HEADER)?;
    let mut distinct = DistinctRuns::default();
    let mut own_times = Vec::new();
    let mut tails: Vec<Option<Tails>> = city.patterns.iter().map(|_| None).collect();
    let mut left: Vec<u32> = vec![0; city.patterns.len()];
    for trip in &city.trips {
        left[trip.pattern as usize] += 1;
    }
    for (position, trip) in city.trips.iter().enumerate() {
        let at = trip.pattern as usize;
        let pattern = &city.patterns[at];
        let tails_of_pattern = tails[at].get_or_insert_with(|| Tails::new(city, pattern));
        let times = match city.own_times_seed {
            None => &city.runs[trip.run as usize],
            Some(seed) => {
                let mut random = Random::new(seed, (1 << 40) + position as u64);
                distinct.own(&tails_of_pattern.hops_s, &mut random, &mut own_times);
                &own_times
            }
        };
        write_trip(city.trip_id(trip).as_bytes(), trip.start_s, times, tails_of_pattern, writer);
        writer.flush_when_full()?;
        left[at] -= 1;
        if left[at] == 0 {
            tails[at] = None;
        }
    }
    Ok(())
}

/// What follows the times in each row of a pattern.
struct Tails {
    text: Vec<u8>,
    /// Where each visit's tail ends in `text`, and whether its times are written.
    ends: Vec<(usize, Written)>,
    hops_s: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Times,
    Nothing,
}

impl Tails {
    fn new(city: &City, pattern: &Pattern) -> Self {
        let mode = city.route(pattern).mode;
        let last = pattern.stops.len() - 1;
        let mut tails = Self {
            text: Vec::new(),
            ends: Vec::with_capacity(last + 1),
            hops_s: hop_seconds(&city.stops, &pattern.stops, mode),
        };
        for (position, &stop) in pattern.stops.iter().enumerate() {
            let stop = &city.stops[stop as usize];
            let is_end = position == 0 || position == last;
            // Trains and boats keep their times everywhere and have no checkpoints.
            let is_timepoint =
                is_end || !stop.checkpoint.is_empty() || matches!(mode, Mode::CommuterRail | Mode::Ferry);
            // MBTA counts the stops of buses one by one and leaves room between those of all others.
            let sequence = if mode == Mode::Bus || position == 0 { position + 1 } else { 10 * position };
            tails.text.extend_from_slice(format!(",{},{sequence},", stop.id).as_bytes());
            if position * 2 < pattern.stops.len() {
                write_field(&mut tails.text, &pattern.via);
            }
            // 1: nobody gets on at the last stop, nor off at the first.
            let (pickup, drop_off) = (u8::from(position == last), u8::from(position == 0));
            let timepoint = u8::from(is_timepoint);
            let tail = format!(",{pickup},{drop_off},{timepoint},{},,\n", stop.checkpoint);
            tails.text.extend_from_slice(tail.as_bytes());
            let is_written = is_timepoint || city.times_at == TimesAt::EveryStop;
            tails.ends.push((tails.text.len(), if is_written { Written::Times } else { Written::Nothing }));
        }
        tails
    }
}

fn write_trip(trip_id: &[u8], start_s: u32, times: &[Times], tails: &Tails, writer: &mut BlockWriter<'_>) {
    let mut first = 0;
    for (time, &(end, written)) in times.iter().zip(&tails.ends) {
        writer.bytes(trip_id);
        if written == Written::Times {
            let mut text = *b",00:00:00,00:00:00";
            text[1..9].copy_from_slice(&time_text(start_s + time.arrival_s));
            text[10..].copy_from_slice(&time_text(start_s + time.departure_s));
            writer.bytes(&text);
        } else {
            writer.bytes(b",,");
        }
        writer.bytes(&tails.text[first..end]);
        first = end;
    }
}
