//! Random small feeds, whose few ids collide, in random print: ours equals the twin.

use std::fmt;

use proptest::prelude::*;
use proptest::sample::select;
use timetable::MemoryFiles;

use crate::random_print::{Print, Table, prints};
use crate::{assert_equal, naive, read};

const ROUTES: [&str; 3] = ["route_id", "route_long_name", "route_type"];
const TRIPS: [&str; 4] = ["trip_id", "route_id", "service_id", "trip_headsign"];
const STOP_TIMES: [&str; 6] =
    ["stop_sequence", "trip_id", "arrival_time", "departure_time", "stop_id", "stop_headsign"];

const ROUTE_IDS: [&[u8]; 5] = [b"R1", b"R 2", b"CR-\xc3\x89\"3\"", b"R1", b""];
const TRIP_IDS: [&[u8]; 8] = [b"T1", b"T2", b"t2", b"T,3", b"T\n4", b"caf\xe9", b"T1", b""];
const STOP_IDS: [&[u8]; 6] = [b"A", b"B", b"C\\\x01", b"\xe6\x9d\xb1 ", b"A", b""];
const SERVICE_IDS: [&[u8]; 4] = [b"S1", b"S1", b"week\"end", b""];
const NOTES: [&[u8]; 6] = [b"", b"plain", b"a, \"b\"", b"two\r\nlines", b"T1,08:00:00,08:00:00,A,1\n", b"\"\""];
const SEQUENCES_ODD: [&[u8]; 7] = [b"", b"x", b"-1", b"1.5", b"007", b"2147483647", b"70000"];
const TIMES_ODD: [&[u8]; 10] = [
    b"",
    b"0:00:00",
    b"23:59:59",
    b"24:00:00",
    b"48:00:01",
    b"100:00:00",
    b"999:59:59",
    b"12:61:00",
    b"abc",
    b"7:5:00",
];

fn field(among: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    select(among).prop_map(|text| text.trim_ascii().to_vec())
}

fn times() -> impl Strategy<Value = Vec<u8>> {
    let regular = (0..130u32, 0..60u32, 0..60u32).prop_map(|(hours, minutes, seconds)| {
        let text = if seconds % 2 == 0 {
            format!("{hours}:{minutes:02}:{seconds:02}")
        } else {
            format!("{hours:02}:{minutes:02}:{seconds:02}")
        };
        text.into_bytes()
    });
    prop_oneof![3 => regular, 2 => field(&TIMES_ODD)]
}

fn sequences() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![9 => (0..12u32).prop_map(|number| number.to_string().into_bytes()), 1 => field(&SEQUENCES_ODD)]
}

/// A file as it is and its print.
type Printed = (Table, Print);

fn printed(
    columns: &'static [&'static str],
    rows: impl Strategy<Value = Vec<Vec<Vec<u8>>>>,
) -> impl Strategy<Value = Printed> {
    (rows.prop_map(|rows| Table { columns: columns.to_vec(), rows }), prints(columns.len()))
}

fn routes() -> impl Strategy<Value = Printed> {
    let row = (field(&ROUTE_IDS), field(&NOTES)).prop_map(|(route_id, name)| vec![route_id, name, b"3".to_vec()]);
    printed(&ROUTES, prop::collection::vec(row, 0..5))
}

fn trips() -> impl Strategy<Value = Printed> {
    let row = (field(&TRIP_IDS), field(&ROUTE_IDS), field(&SERVICE_IDS), field(&NOTES));
    printed(&TRIPS, prop::collection::vec(row.prop_map(|(a, b, c, d)| vec![a, b, c, d]), 0..9))
}

fn stop_times() -> impl Strategy<Value = Printed> {
    let row = (sequences(), field(&TRIP_IDS), times(), times(), field(&STOP_IDS), field(&NOTES));
    printed(&STOP_TIMES, prop::collection::vec(row.prop_map(|(a, b, c, d, e, f)| vec![a, b, c, d, e, f]), 0..40))
}

/// The same feed twice: as it is judged, and in the plainest print.
struct RandomFeed {
    printed: MemoryFiles,
    plain: MemoryFiles,
}

/// The text of the files, as a failing case is read and written down as a test of its own.
impl fmt::Debug for RandomFeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.printed.0.iter().try_for_each(|(name, text)| write!(formatter, "\n{name}: b\"{}\"", text.escape_ascii()))
    }
}

fn feeds() -> impl Strategy<Value = RandomFeed> {
    let folder = select(vec!["", "gtfs/", "../", "a/b c/"]);
    (trips(), stop_times(), prop::option::of(routes()), folder).prop_map(|(trips, stop_times, routes, folder)| {
        let mut feed = RandomFeed { printed: MemoryFiles::default(), plain: MemoryFiles::default() };
        let files = [("trips.txt", Some(trips)), ("stop_times.txt", Some(stop_times)), ("routes.txt", routes)];
        for (name, file) in files {
            let Some((table, print)) = file else { continue };
            feed.printed.0.push((format!("{folder}{name}"), print.write(&table)));
            feed.plain.0.push((name.to_owned(), Print::plain(table.columns.len()).write(&table)));
        }
        feed
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_small_feed_in_any_print_equals_the_twin(feed in feeds(), piece_bytes in 1..200usize) {
        let expected = naive::schedules(&feed.printed.0);
        prop_assert_eq!(&expected, &naive::schedules(&feed.plain.0), "the print must not change what is said");
        for threads in 1..=4 {
            let case = format!("{threads} threads");
            assert_equal(&read(&feed.printed, threads).timetable, &expected, &[piece_bytes], &case);
        }
    }
}
