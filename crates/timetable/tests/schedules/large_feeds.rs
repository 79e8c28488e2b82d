//! Feeds of several megabytes with their rows shuffled, so that the rows of a trip lie in different blocks of the file.

use timetable::MemoryFiles;

use crate::{PIECE_BYTES_LARGE, THREADS, assert_equal, naive, read};

const STOP_TIMES: usize = 20_000;
const HEADER: &str = "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n";

/// Numbers that look random and are the same in every run (xorshift64, Marsaglia 2003).
struct Draws(u64);

impl Draws {
    /// One of the numbers below `bound`.
    fn next_below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = self.next_below(last + 1);
            values.swap(last, other);
        }
    }
}

/// What stands in the last column: nothing, a long text, or quoted lines that look like rows of the file.
fn headsign(draws: &mut Draws) -> String {
    match draws.next_below(4) {
        0 => String::new(),
        1 => "x".repeat(draws.next_below(600)),
        2 => format!("\"to \"\"{}\"\", and on\"", "y,".repeat(draws.next_below(100))),
        _ => format!("\"{}\"", "\r\nT1,08:00:00,08:00:00,A,1,\"\"\"\"".repeat(draws.next_below(20))),
    }
}

fn time(seconds: usize) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Shuffled rows of so many trips; every third sequence number stands twice.
fn rows(trip_count: usize, draws: &mut Draws) -> Vec<String> {
    let mut rows = Vec::new();
    for number in 0..STOP_TIMES {
        let (trip, place) = (number % trip_count, number / trip_count);
        let arrival = 5 * 3600 + trip * 600 + place * 90 + draws.next_below(60);
        let departure = if draws.next_below(10) == 0 { String::new() } else { time(arrival + draws.next_below(3)) };
        let (arrival, stop, sequence) = (time(arrival), draws.next_below(300), place - usize::from(place % 3 == 1));
        rows.push(format!("T{trip},{arrival},{departure},stop-{stop},{sequence},{}\n", headsign(draws)));
    }
    draws.shuffle(&mut rows);
    rows
}

/// Trips in an order of their own over seven routes.
fn trips(trip_count: usize, draws: &mut Draws) -> String {
    let mut rows: Vec<String> = (0..trip_count).map(|trip| format!("R{},S{},T{trip}\n", trip % 7, trip % 3)).collect();
    draws.shuffle(&mut rows);
    format!("route_id,service_id,trip_id\n{}", rows.concat())
}

fn assert_equals_the_twin(trips: String, stop_times: String) {
    println!("stop_times.txt has {} bytes", stop_times.len());
    let files = MemoryFiles(vec![
        ("stop_times.txt".to_owned(), stop_times.into_bytes()),
        ("trips.txt".to_owned(), trips.into_bytes()),
    ]);
    let expected = naive::schedules(&files.0);
    for threads in THREADS {
        println!("comparing with {threads} threads");
        let case = format!("{threads} threads");
        assert_equal(&read(&files, threads).timetable, &expected, &PIECE_BYTES_LARGE, &case);
    }
}

#[test]
fn trips_whose_rows_are_scattered_over_the_file_are_put_together() {
    for seed in [1, 2, 3] {
        println!("seed {seed}");
        let mut draws = Draws(seed);
        let stop_times = rows(400, &mut draws).concat();
        assert_equals_the_twin(trips(400, &mut draws), format!("{HEADER}{stop_times}"));
    }
}

#[test]
fn scattered_rows_with_crlf_and_without_a_last_newline_are_put_together() {
    let mut draws = Draws(4);
    let mut stop_times = rows(1000, &mut draws).iter().map(|row| row.replace('\n', "\r\n")).collect::<String>();
    stop_times.truncate(stop_times.trim_end().len());
    assert_equals_the_twin(trips(1000, &mut draws), format!("{HEADER}{stop_times}"));
}

#[test]
fn one_trip_may_have_every_row_of_the_file() {
    let mut draws = Draws(5);
    let stop_times = rows(1, &mut draws).concat();
    assert_equals_the_twin(trips(1, &mut draws), format!("{HEADER}{stop_times}"));
}

#[test]
fn every_row_may_be_a_trip_of_its_own() {
    let mut draws = Draws(6);
    let stop_times = rows(STOP_TIMES, &mut draws).concat();
    assert_equals_the_twin(trips(STOP_TIMES, &mut draws), format!("{HEADER}{stop_times}"));
}

#[test]
fn quoted_fields_full_of_lines_that_look_like_rows_are_never_taken_for_rows() {
    let lines = "T1,08:00:00,08:00:00,X,1,\n".repeat(2000);
    let mut stop_times = HEADER.to_owned();
    for place in 0..100 {
        stop_times += &format!("T0,{},,stop-{place},{place},\"{lines}\"\n", time(3600 + place));
    }
    assert_equals_the_twin("route_id,service_id,trip_id\nR0,S0,T0\nR0,S0,T1\n".to_owned(), stop_times);
}
