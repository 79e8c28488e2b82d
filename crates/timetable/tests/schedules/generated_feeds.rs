//! Every route of the feeds that we generate; only the large ones fill many blocks for each thread.

use timetable::MemoryFiles;
use timetable::generate::{Like, Recipe, RunningTimes, generate};

use crate::{PIECE_BYTES_LARGE, THREADS, assert_equal, naive, read};

fn generated(like: Like, running_times: RunningTimes) -> MemoryFiles {
    let mut files = MemoryFiles::default();
    generate(&Recipe { like, running_times, seed: 7 }, &mut files).unwrap();
    files
}

#[test]
fn every_route_of_the_built_in_city_equals_the_twin() {
    for running_times in [RunningTimes::ByPeriod, RunningTimes::Random] {
        let files = generated(Like::Small, running_times);
        let expected = naive::schedules(&files.0);
        for threads in THREADS {
            let case = format!("{running_times:?} with {threads} threads");
            assert_equal(&read(&files, threads).timetable, &expected, &PIECE_BYTES_LARGE, &case);
        }
    }
}

#[test]
fn every_route_of_a_feed_as_large_as_bostons_equals_the_twin_for_any_number_of_threads() {
    let files = generated(Like::Mbta2022, RunningTimes::ByPeriod);
    let one = read(&files, 1);
    assert_eq!(one.report.problem_count(), 0);
    assert_equal(&one.timetable, &naive::schedules(&files.0), &[], "one thread");
    for threads in [2, 3, 8] {
        println!("reading with {threads} threads");
        let many = read(&files, threads);
        assert!(many == one, "another timetable or report with {threads} threads");
        assert_eq!(many.timetable.version(), one.timetable.version());
    }
}
