//! Every route of every real feed in the folder `LINESPEED_FEEDS`, by default `../shared/feeds` beside the repository.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use timetable::MemoryFiles;

use crate::{PIECE_BYTES_LARGE, THREADS, assert_equal, naive, read};

#[test]
fn every_route_of_every_real_feed_equals_the_twin_byte_for_byte() {
    let Some(paths) = find_feeds("every_route_of_every_real_feed_equals_the_twin_byte_for_byte") else { return };
    for path in paths {
        println!("reading {}", path.display());
        let files = unzipped(&path);
        let expected = naive::schedules(&files.0);
        let body_bytes: usize = expected.values().map(Vec::len).sum();
        println!("the twin has {} routes, {body_bytes} bytes of JSON", expected.len());
        assert!(!expected.is_empty(), "a real feed has routes");
        for threads in THREADS {
            println!("comparing with {threads} threads");
            let piece_bytes: &[usize] = if threads == THREADS[0] { &PIECE_BYTES_LARGE } else { &[] };
            let case = format!("{} with {threads} threads", path.display());
            assert_equal(&read(&files, threads).timetable, &expected, piece_bytes, &case);
        }
    }
}

/// The zips in the folder of real feeds and below it; without the folder says on the terminal that `test` is skipped.
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
    let mut paths = Vec::new();
    add_zips(&folder, &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no zip in {}", folder.display());
    Some(paths)
}

fn add_zips(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            add_zips(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "zip") {
            paths.push(path);
        }
    }
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
