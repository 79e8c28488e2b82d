//! Real feeds in the folder `LINESPEED_FEEDS`, by default `../shared/feeds` beside the repository.

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use crate::feed_files::FeedFiles;

/// The path of a real feed; without it says on the terminal that `test` is skipped.
///
/// A relative path is taken from the repository, where the tests are started, not from this crate. What was asked for
/// by name must be there: a misspelt folder would otherwise pass for a run that tested it.
pub(crate) fn find_real_feed(name: &str, test: &str) -> Option<PathBuf> {
    let named = std::env::var_os("LINESPEED_FEEDS").map(PathBuf::from);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = repository.join(named.clone().unwrap_or_else(|| "../shared/feeds".into())).join(name);
    if path.is_file() {
        return Some(path);
    }
    assert_eq!(named, None, "there is no {}: unset LINESPEED_FEEDS to skip the real feeds, or mend it", path.display());
    let missing = path.display();
    let message = format!("skipped 1 test, as there is no {missing}: {test} (LINESPEED_FEEDS names the folder)\n");
    // Straight to the terminal: the test harness swallows what a passing test prints.
    std::io::stderr().write_all(message.as_bytes()).unwrap();
    None
}

/// The files of a zip by the `zip` crate, so that our own zip reader has no part in what is expected.
pub(crate) fn unzipped(path: &Path) -> FeedFiles {
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
    files
}
