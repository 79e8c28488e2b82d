//! Problems by the thousand: all are counted, the first of them are kept, and no number of threads shows.

use timetable::{MemoryFiles, PROBLEMS_KEPT_MAX, Problem, ProblemKind};

use crate::{TRIPS, assert_equals_the_twin, assert_same, files, problems, read, read_by};

/// More than are kept.
const MANY: u64 = 5000;

const STOP_TIMES_HEADER: &str = "trip_id,stop_id,stop_sequence,arrival_time,departure_time,timepoint\n";

/// The lines of the problems kept of a kind, all of them in one field, and how many there are.
fn lines_of(files: &MemoryFiles, kind: ProblemKind, field: &str) -> (u64, Vec<u64>) {
    let feed = read(files);
    let kept = problems(&feed).into_iter().filter(|(of_kind, problem)| *of_kind == kind && problem.field == field);
    (feed.report.problems.count_of(kind), kept.map(|(_, problem)| problem.line).collect())
}

#[test]
fn of_thousands_of_problems_the_first_by_line_are_kept() {
    let first: Vec<u64> = (2..).take(PROBLEMS_KEPT_MAX).collect();
    let rows = |row: fn(u64) -> String| (0..MANY).map(row).collect::<String>();
    for (name, header, row, kind, field) in [
        (
            "trips.txt",
            "route_id,service_id,trip_id\n",
            (|number| format!("R1,S{number},\n")) as fn(u64) -> String,
            ProblemKind::MissingValue,
            "trip_id",
        ),
        ("stops.txt", "stop_id,stop_lat\n", |number| format!("{number},x\n"), ProblemKind::InvalidNumber, "stop_lat"),
        ("agency.txt", "agency_id,agency_name\n", |_| "\u{fffd}\n".to_owned(), ProblemKind::FieldCount, ""),
    ] {
        println!("{name}");
        let feed = files(&[(name, format!("{header}{}", rows(row)))]);
        assert_eq!(lines_of(&feed, kind, field), (MANY, first.clone()));
    }
    println!("stop_times.txt, over several blocks");
    let rows =
        rows(|number| format!("T1,a stop that makes the row longer so that there are blocks,{number},8,9:0:0,2\n"));
    let feed = files(&[("stop_times.txt", format!("{STOP_TIMES_HEADER}{rows}"))]);
    assert_eq!(lines_of(&feed, ProblemKind::InvalidNumber, "timepoint"), (MANY, first.clone()));
    let (count, lines) = lines_of(&feed, ProblemKind::InvalidTime, "arrival_time");
    assert_eq!((count, lines), (2 * MANY, first[..PROBLEMS_KEPT_MAX / 2].to_vec()), "both times of the first lines");
}

#[test]
fn exactly_as_many_as_are_kept_and_one_more() {
    for count in [PROBLEMS_KEPT_MAX - 1, PROBLEMS_KEPT_MAX, PROBLEMS_KEPT_MAX + 1] {
        let rows = "R1,S1,\n".repeat(count);
        let (counted, lines) =
            lines_of(&files(&[("trips.txt", format!("{TRIPS}{rows}"))]), ProblemKind::MissingValue, "trip_id");
        assert_eq!((counted, lines.len()), (count as u64, count.min(PROBLEMS_KEPT_MAX)));
    }
}

#[test]
fn problems_of_several_files_come_by_file_and_line() {
    let duplicates = |id: &str| format!("{id},x_column\n{}", "A,B\n".repeat(3));
    let feed = files(&[
        ("stops.txt", duplicates("stop_id")),
        ("agency.txt", duplicates("agency_id")),
        ("routes.txt", duplicates("route_id")),
    ]);
    let places: Vec<_> =
        problems(&read(&feed)).into_iter().map(|(kind, problem)| (kind, problem.file, problem.line)).collect();
    let expected = [
        (ProblemKind::DuplicateId, "agency.txt", 3),
        (ProblemKind::DuplicateId, "agency.txt", 4),
        (ProblemKind::DuplicateId, "routes.txt", 3),
        (ProblemKind::DuplicateId, "routes.txt", 4),
        (ProblemKind::DuplicateId, "stops.txt", 3),
        (ProblemKind::DuplicateId, "stops.txt", 4),
        (ProblemKind::UnknownId, "stop_times.txt", 3),
        (ProblemKind::UnknownId, "trips.txt", 2),
    ];
    assert_eq!(places, expected);
}

#[test]
fn of_thousands_of_dangling_references_the_first_by_file_and_line_are_kept() {
    let numbered = |row: fn(u64) -> String| (0..MANY).map(row).collect::<String>();
    println!("two fields of one row");
    let feed = files(&[
        ("routes.txt", "route_id\nR1\n".to_owned()),
        ("calendar.txt", "service_id,start_date,end_date\n".to_owned()),
        (
            "trips.txt",
            format!("route_id,service_id,trip_id\n{}", numbered(|number| format!("r{number},s{number},{number}\n"))),
        ),
        ("stop_times.txt", "trip_id,stop_id,stop_sequence\n".to_owned()),
    ]);
    let half: Vec<u64> = (2..).take(PROBLEMS_KEPT_MAX / 2).collect();
    assert_eq!(lines_of(&feed, ProblemKind::UnknownId, "route_id"), (2 * MANY, half.clone()));
    assert_eq!(lines_of(&feed, ProblemKind::UnknownId, "service_id"), (2 * MANY, half));
    println!("a file that comes first by its name");
    let feed = files(&[
        (
            "stops.txt",
            format!("stop_id,parent_station\nA,\nB,\n{}", numbered(|number| format!("{number},x{number}\n"))),
        ),
        ("frequencies.txt", "trip_id,start_time,end_time,headway_secs\nT9,06:00:00,07:00:00,60\n".to_owned()),
    ]);
    assert_eq!(lines_of(&feed, ProblemKind::UnknownId, "trip_id"), (MANY + 1, vec![2]));
}

/// Numbers that look random and are the same in every run (xorshift64, Marsaglia 2003).
struct Draws(u64);

impl Draws {
    fn next_below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// A feed whose stop times come in random order with a problem in one of nine rows, and these problems.
fn shuffled_feed(draws: &mut Draws) -> (MemoryFiles, Vec<(ProblemKind, Problem)>) {
    const TRIP_COUNT: usize = 50;
    const ROW_COUNT: usize = 20_000;
    let mut numbers: Vec<usize> = (0..ROW_COUNT).collect();
    for last in (1..ROW_COUNT).rev() {
        numbers.swap(last, draws.next_below(last + 1));
    }
    let mut stop_times = STOP_TIMES_HEADER.to_owned();
    let mut problems = Vec::new();
    for (line, number) in (2..).zip(numbers) {
        let mut row = [
            format!("T{}", number % TRIP_COUNT),
            format!("a stop of a long name, so that rows are long {}", number % 777),
            (number / TRIP_COUNT).to_string(),
            format!("{}:00:00", number / TRIP_COUNT),
            format!("{}:00:01", number / TRIP_COUNT),
            String::new(),
        ];
        let time = "HH:MM:SS";
        let (kind, column, found, expected) = match draws.next_below(60) {
            0 => (ProblemKind::UnknownId, 0, format!("nobody's {number}"), "the trip_id of a row of trips.txt"),
            1 => (ProblemKind::MissingValue, 1, String::new(), "a stop_id"),
            2 => (ProblemKind::InvalidNumber, 2, format!("-{number}"), "a whole number from 0 to 4294967295"),
            3 => (ProblemKind::InvalidTime, 3, format!("{number}"), time),
            4 => (ProblemKind::InvalidTime, 4, format!("{number}:60:00"), time),
            5 => (ProblemKind::InvalidNumber, 5, format!("{number}2"), "a whole number from 0 to 1"),
            _ => (ProblemKind::FieldCount, row.len(), String::new(), ""),
        };
        if let Some(field) = STOP_TIMES_HEADER.trim_end().split(',').nth(column) {
            row[column].clone_from(&found);
            let expected = expected.to_owned();
            problems.push((kind, Problem { file: "stop_times.txt", line, field, found, expected }));
        }
        row[1] = format!("\"{}\"", row[1]);
        stop_times += &format!("{}\n", row.join(","));
    }
    let trips: String = (0..TRIP_COUNT).map(|trip| format!("R{},S1,T{trip}\n", trip % 7)).collect();
    problems.sort();
    (files(&[("trips.txt", format!("route_id,service_id,trip_id\n{trips}")), ("stop_times.txt", stop_times)]), problems)
}

#[test]
fn rows_in_random_order_have_the_same_problems_by_any_number_of_threads() {
    let seed = 20_261_121;
    println!("seed {seed}");
    let (feed, expected) = shuffled_feed(&mut Draws(seed));
    assert!(feed.0.iter().any(|(_, bytes)| bytes.len() > 5 << 18), "fewer blocks than threads");
    let by_one = read_by(&feed, 1).unwrap();
    let found = problems(&by_one);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    assert_equals_the_twin(&by_one, &feed);
    for threads in 2..=5 {
        assert_same(&read_by(&feed, threads).unwrap(), &by_one, &format!("{threads} threads"));
    }
}
