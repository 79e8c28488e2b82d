//! `linespeed generate feed`: whole feeds under their final names, and nothing of anyone else's is replaced.

#![allow(clippy::unwrap_used, reason = "clippy knows test functions, but not the helpers beside them")]

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use linespeed::generate::run;
use timetable::MemoryFiles;
use timetable::generate::{Like, Recipe, RunningTimes, generate};

fn small(seed: u64) -> Recipe {
    Recipe { like: Like::Small, running_times: RunningTimes::ByPeriod, seed }
}

fn in_memory(recipe: &Recipe) -> BTreeMap<String, Vec<u8>> {
    let mut files = MemoryFiles::default();
    generate(recipe, &mut files).unwrap();
    files.0.into_iter().collect()
}

fn in_folder(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

fn in_zip(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(File::open(path).unwrap()).unwrap();
    let count = archive.len();
    let read = |position| {
        let mut entry = archive.by_index(position).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    };
    (0..count).map(read).collect()
}

#[test]
fn a_folder_and_a_zip_hold_the_same_files() {
    let temporary = tempfile::tempdir().unwrap();
    let [folder, zip] = ["deep/feed", "other/feed.ZIP"].map(|name| temporary.path().join(name));
    run(&small(1), &folder).unwrap();
    run(&small(1), &zip).unwrap();
    assert_eq!(in_folder(&folder), in_memory(&small(1)));
    assert_eq!(in_zip(&zip), in_memory(&small(1)));
}

#[test]
fn the_same_recipe_gives_the_same_zip() {
    let temporary = tempfile::tempdir().unwrap();
    let [first, second] = ["a.zip", "b.zip"].map(|name| temporary.path().join(name));
    run(&small(1), &first).unwrap();
    run(&small(1), &second).unwrap();
    assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
}

#[test]
fn a_generated_feed_is_replaced_as_a_whole() {
    let temporary = tempfile::tempdir().unwrap();
    let [folder, zip] = ["feed", "feed.zip"].map(|name| temporary.path().join(name));
    run(&small(1), &folder).unwrap();
    run(&small(1), &zip).unwrap();
    // As if a run had been killed half way.
    fs::write(folder.join("trips.txt.1.part"), "half").unwrap();
    run(&small(2), &folder).unwrap();
    run(&small(2), &zip).unwrap();
    assert_eq!(in_folder(&folder), in_memory(&small(2)));
    assert_eq!(in_zip(&zip), in_memory(&small(2)));
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 2, "something is left beside");
}

#[test]
fn a_feed_with_fewer_files_leaves_none_of_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    run(&small(1), folder.path()).unwrap();
    assert!(folder.path().join("frequencies.txt").exists());
    run(&Recipe { like: Like::Mbta2022, ..small(1) }, folder.path()).unwrap();
    assert!(!folder.path().join("frequencies.txt").exists());
}

#[test]
fn what_was_not_generated_is_left_alone() {
    let temporary = tempfile::tempdir().unwrap();
    let [folder, agency, zip] = ["photos", "agency", "mine.zip"].map(|name| temporary.path().join(name));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("cat.jpg"), "meow").unwrap();
    fs::create_dir(&agency).unwrap();
    fs::write(agency.join("trips.txt"), "route_id,service_id,trip_id\n").unwrap();
    fs::write(&zip, "not a zip at all").unwrap();
    for (out, named) in [(&folder, "cat.jpg"), (&agency, "agency"), (&zip, "mine.zip")] {
        let error = format!("{:#}", run(&small(1), out).unwrap_err());
        assert!(error.contains(named), "{error}");
    }
    assert_eq!(in_folder(&folder), BTreeMap::from([("cat.jpg".to_owned(), b"meow".to_vec())]));
    assert_eq!(in_folder(&agency).len(), 1);
    assert_eq!(fs::read(&zip).unwrap(), b"not a zip at all");
}

#[test]
fn only_our_own_unfinished_files_are_left_over() {
    for name in ["movie.mkv.part", "movie.mkv.1.part", "trips.txt.part", "trips.txt..part", "trips.txt.1a.part"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(name), "theirs").unwrap();
        let error = format!("{:#}", run(&small(1), folder.path()).unwrap_err());
        assert!(error.contains(name), "{error}");
        assert_eq!(in_folder(folder.path()), BTreeMap::from([(name.to_owned(), b"theirs".to_vec())]));
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("trips.txt.4194304.part"), "ours").unwrap();
    run(&small(1), folder.path()).unwrap();
    assert_eq!(in_folder(folder.path()), in_memory(&small(1)));
}

#[test]
fn an_error_names_the_path() {
    let temporary = tempfile::tempdir().unwrap();
    let file = temporary.path().join("file");
    fs::write(&file, "").unwrap();
    for out in [file.clone(), file.join("feed"), file.join("feed.zip")] {
        let error = format!("{:#}", run(&small(1), &out).unwrap_err());
        assert!(error.contains(&file.display().to_string()), "{error}");
    }
}
