//! Real feeds of the folder `LINESPEED_FEEDS`, by default `../shared/feeds` beside the repository: ours equals the
//! oracle at the busiest stops and stations and at some others, at midnight, when clocks change and in between.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use timetable::{MemoryFiles, Timetable};

use crate::oracle::Oracle;
use crate::{Boards, Question, assert_equal, read, zone_of};

/// How many of the busiest stops and stations are asked, and how many of all.
const BUSIEST: usize = 3;
const OTHERS: usize = 4;

#[test]
fn stops_of_every_real_feed_at_telling_instants_equal_the_oracle() {
    let Some(paths) = find_feeds("stops_of_every_real_feed_at_telling_instants_equal_the_oracle") else { return };
    for path in paths {
        let files = unzipped(&path);
        let (oracle, timetable) = (Oracle::read(&files.0), read(&files, 2));
        let departure_count = compare(&oracle, &timetable, &path.display().to_string());
        println!("{departure_count} departures of {}", path.display());
        assert_ne!(departure_count, 0, "the instants asked for say nothing of {}", path.display());
    }
}

/// Compares the stops and instants chosen; gives the number of departures.
fn compare(oracle: &Oracle, timetable: &Timetable, case: &str) -> usize {
    let zone = zone_of(oracle);
    let mut stops = oracle.visit_counts();
    stops.sort_by(|one, other| other.cmp(one));
    let mut random = Random(stops.len() as u64);
    let busiest = stops.iter().take(BUSIEST);
    let others: Vec<_> = (0..OTHERS).map(|_| &stops[random.below(stops.len())]).collect();
    let instants = telling_instants(oracle, &zone, &mut random);
    let mut departure_count = 0;
    for (_, stop_id) in busiest.chain(others) {
        let mut boards = Boards::new(timetable);
        for from in &instants {
            let hour = SignedDuration::from_hours(1);
            let day = Question {
                stop_id,
                from: *from,
                until: *from + hour * 24,
                limit: usize::MAX,
                route_id: None,
                direction_id: None,
            };
            let all = oracle.departures(&day, &zone);
            departure_count += all.len();
            assert_equal(&mut boards, oracle, &day, case);
            assert_equal(&mut boards, oracle, &Question { until: *from + hour * 2, limit: 20, ..day }, case);
            if !all.is_empty() {
                let route_id = Some(&*all[random.below(all.len())].route_id);
                assert_equal(&mut boards, oracle, &Question { route_id, limit: 5, ..day }, case);
                let direction_id = Some(random.below(2) as u8);
                assert_equal(&mut boards, oracle, &Question { route_id, direction_id, ..day }, case);
            }
        }
    }
    departure_count
}

/// Midnights of days with clock changes, or without any of ordinary ones; hours around the changes; some random ones.
fn telling_instants(oracle: &Oracle, zone: &TimeZone, random: &mut Random) -> Vec<Timestamp> {
    let (first, last) = oracle.period();
    let days = i64::from((last - first).get_days()) + 1;
    let day = |number: i64| first.checked_add(number.days()).expect("within the period");
    let midnight = |date: Date| date.to_zoned(zone.clone()).expect("a date of this age").timestamp();
    let is_change = |date: &Date| {
        let next = date.tomorrow().expect("not the last of all dates");
        midnight(*date).duration_until(midnight(next)) != SignedDuration::from_hours(24)
    };
    let changes = (0..days).map(day).filter(is_change).take(3);
    let mut instants: Vec<Timestamp> = changes.map(midnight).collect();
    instants.push(midnight(day(random.below(days as usize) as i64)));
    for _ in 0..4 {
        let seconds = random.below(86_400 * days as usize) as i64;
        instants.push(midnight(first) + SignedDuration::from_secs(seconds));
    }
    instants
}

/// A plain generator (splitmix64), so that a failure comes again.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }
}

/// The zips in the folder of real feeds; without the folder says on the terminal that `test` is skipped.
///
/// A relative path is taken from the repository, where the tests are started, not from this crate. A folder that was
/// asked for by name must be there: a misspelt one would otherwise pass for a run that tested it.
fn find_feeds(test: &str) -> Option<Vec<PathBuf>> {
    let named = std::env::var_os("LINESPEED_FEEDS").map(PathBuf::from);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = repository.join(named.clone().unwrap_or_else(|| "../shared/feeds".into()));
    if !folder.is_dir() {
        assert_eq!(named, None, "LINESPEED_FEEDS names no folder: unset it to skip the real feeds, or mend the path");
        let message = format!(
            "skipped 1 test, as there is no folder {}: {test} (set LINESPEED_FEEDS to a folder of GTFS zips to run it)\n",
            folder.display()
        );
        // Straight to the terminal: the test harness swallows what a passing test prints.
        std::io::stderr().write_all(message.as_bytes()).unwrap();
        return None;
    }
    let paths = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "zip")).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no zip in {}", folder.display());
    Some(paths)
}

/// The files of a zip by the `zip` crate, so that our own zip reader has no part in this test.
fn unzipped(path: &Path) -> MemoryFiles {
    let mut archive = zip::ZipArchive::new(Cursor::new(fs::read(path).unwrap())).unwrap();
    let mut files = Vec::new();
    for position in 0..archive.len() {
        let mut entry = archive.by_index(position).unwrap();
        if entry.is_file() {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.push((entry.name().unwrap().into_owned(), bytes));
        }
    }
    MemoryFiles(files)
}
