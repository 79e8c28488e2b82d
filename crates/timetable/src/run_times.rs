//! Runs: the running times that trips share, four bytes for a stop.

use crate::time::{OptionTime, Time};

/// The arrival and departure at one stop; either may be empty.
pub type StopTime = (Option<Time>, Option<Time>);

/// In a narrow run, a stop without times.
const NO_TIMES: u32 = u32::MAX;

/// In a wide run, an empty time: further from the start than any two times lie apart.
const NO_TIME: u32 = i32::MIN as u32;

/// The first word of a wide run; no word of a narrow one looks like it.
const WIDE: u32 = u32::MAX - 1;

/// The times of a trip at the stops of its pattern, in order: a run put on the trip's start.
///
/// A run is stored as words:
/// - narrow, a word a stop: the seconds since the departure before (upper half) and those from arrival to departure
///   (lower half), or `NO_TIMES` at a stop without times; this serves nearly all trips;
/// - wide, `WIDE` and then two words a stop: arrival and departure in seconds after the start, each possibly
///   `NO_TIME`; for times that go back, stand alone or lie more than eighteen hours apart.
///
/// The start is the trip's first departure, so trips that differ in nothing else share their run.
#[derive(Clone, Copy, Debug)]
pub struct RunTimes<'t> {
    start: Time,
    words: &'t [u32],
}

impl<'t> RunTimes<'t> {
    /// The run `words` begun at `start`.
    pub(crate) fn new(start: Time, words: &'t [u32]) -> Self {
        Self { start, words }
    }

    /// Arrival and departure at each stop.
    pub fn iter(self) -> impl Iterator<Item = StopTime> + 't {
        let mut clock = self.first_clock();
        let stop_count = if self.is_wide() { self.words.len() / 2 } else { self.words.len() };
        (0..stop_count).map(move |position| self.at(position, &mut clock))
    }

    /// The times at stop `position`; `clock` is [`RunTimes::first_clock`] for the first stop and goes on from there.
    #[inline]
    pub(crate) fn at(self, position: usize, clock: &mut i32) -> StopTime {
        if self.is_wide() {
            let time = |word: u32| (word != NO_TIME).then(|| Time::from_seconds(self.start.seconds() + word as i32));
            return (time(self.words[1 + 2 * position]), time(self.words[2 + 2 * position]));
        }
        Self::narrow_times(self.words[position], clock).unzip()
    }

    /// The words of a narrow run, one for each stop; `None` for a wide one.
    pub(crate) fn narrow_words(self) -> Option<&'t [u32]> {
        (!self.is_wide()).then_some(self.words)
    }

    /// The times that a word of a narrow run stands for; `clock` is as for [`RunTimes::at`].
    #[inline]
    pub(crate) fn narrow_times(word: u32, clock: &mut i32) -> Option<(Time, Time)> {
        if word == NO_TIMES {
            return None;
        }
        let arrival = *clock + (word >> 16) as i32;
        *clock = arrival + (word & 0xffff) as i32;
        Some((Time::from_seconds(arrival), Time::from_seconds(*clock)))
    }

    /// The departure before the first stop, as it were: the first arrival.
    pub(crate) fn first_clock(self) -> i32 {
        let first = self.words.iter().find(|word| **word != NO_TIMES);
        self.start.seconds() - first.map_or(0, |word| (word & 0xffff) as i32)
    }

    /// Whether two words stand for a stop.
    pub(crate) fn is_wide(self) -> bool {
        self.words.first() == Some(&WIDE)
    }
}

/// Takes the start off `times` and puts what remains in `words`; a trip without any time starts at 0.
pub(crate) fn write_run(times: &[(OptionTime, OptionTime)], words: &mut Vec<u32>) -> Time {
    let departure = times.iter().find_map(|(_, departure)| departure.get());
    let start =
        departure.or_else(|| times.iter().find_map(|(arrival, _)| arrival.get())).unwrap_or(Time::from_seconds(0));
    words.clear();
    let mut clock = None;
    for &(arrival, departure) in times {
        let word = match (arrival.get(), departure.get()) {
            (None, None) => Some(NO_TIMES),
            (Some(arrival), Some(departure)) => {
                let travel = arrival.seconds() - clock.replace(departure.seconds()).unwrap_or(arrival.seconds());
                let dwell = departure.seconds() - arrival.seconds();
                // Below 0xffff each, so that no pair looks like an empty one.
                let halves = (0..0xffff).contains(&travel) && (0..0xffff).contains(&dwell);
                halves.then_some((travel as u32) << 16 | dwell as u32)
            }
            _ => None,
        };
        let Some(word) = word else {
            write_wide(start, times, words);
            return start;
        };
        words.push(word);
    }
    start
}

fn write_wide(start: Time, times: &[(OptionTime, OptionTime)], words: &mut Vec<u32>) {
    let word = |time: OptionTime| time.get().map_or(NO_TIME, |time| (time.seconds() - start.seconds()) as u32);
    words.clear();
    words.push(WIDE);
    words.extend(times.iter().flat_map(|&(arrival, departure)| [word(arrival), word(departure)]));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(times: &[StopTime]) -> (usize, Vec<StopTime>) {
        let packed: Vec<_> = times.iter().map(|&(arrival, departure)| (arrival.into(), departure.into())).collect();
        let mut words = Vec::new();
        let start = write_run(&packed, &mut words);
        (words.len(), RunTimes::new(start, &words).iter().collect())
    }

    fn times(texts: &[(&str, &str)]) -> Vec<StopTime> {
        texts
            .iter()
            .map(|(arrival, departure)| (Time::read(arrival.as_bytes()), Time::read(departure.as_bytes())))
            .collect()
    }

    #[test]
    fn usual_trips_take_a_word_a_stop() {
        let usual =
            times(&[("05:00:00", "05:02:00"), ("", ""), ("05:10:30", "05:10:30"), ("23:00:00", "23:00:01"), ("", "")]);
        assert_eq!(round_trip(&usual), (5, usual));
    }

    #[test]
    fn times_that_go_back_or_stand_alone_take_two() {
        for unusual in [
            times(&[("05:00:00", "05:02:00"), ("05:01:00", "05:03:00")]),
            times(&[("05:00:01", "05:00:00"), ("", "05:03:00")]),
            times(&[("05:00:00", "05:00:00"), ("99:00:00", "99:00:00")]),
            times(&[("05:00:00", "")]),
        ] {
            assert_eq!(round_trip(&unusual), (1 + unusual.len() * 2, unusual));
        }
    }

    #[test]
    fn the_limits_of_a_narrow_word_are_kept() {
        for (travel, dwell, words) in [(0xfffe, 0xfffe, 2), (0xffff, 0, 5), (0, 0xffff, 5), (0xffff, 0xfffe, 5)] {
            let at = |seconds| Some(Time::from_seconds(seconds));
            let long = vec![(at(0), at(0)), (at(travel), at(travel + dwell))];
            assert_eq!(round_trip(&long), (words, long), "{travel} {dwell}");
        }
    }

    proptest! {
        #[test]
        fn any_times_come_back(seconds in proptest::collection::vec((proptest::option::of(0..360_000_000), proptest::option::of(0..360_000_000)), 0..20)) {
            let time = |seconds: Option<i32>| seconds.map(Time::from_seconds);
            let times: Vec<StopTime> = seconds.into_iter().map(|(arrival, departure)| (time(arrival), time(departure))).collect();
            prop_assert_eq!(round_trip(&times).1, times);
        }
    }
}
