//! The house rules that no compiler holds: the arrows between the crates, leaves that open nothing, and tidy files.
//!
//! Every rule is a function `breaches_of_*` from facts to messages that name the place and the remedy. Beside the test
//! that holds the repository to it, each has one that shows it a made-up breach, so a rule that has gone blind fails.
//! Here is what the rules share.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

#[path = "tidy/crates.rs"]
mod crates;
#[path = "tidy/files.rs"]
mod files;
#[path = "tidy/leaf_sources.rs"]
mod leaf_sources;

/// A text file; its path is from the repository, parted by `/`.
pub(crate) struct TextFile {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl TextFile {
    /// Line number, from 1, and line.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> + Clone {
        (1..).zip(self.text.lines())
    }

    /// The parts of the path, without `.rs`.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.path.split('/').map(|part| part.strip_suffix(".rs").unwrap_or(part))
    }
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The files below a folder whose name ends so; neither hidden folders, nor what compilers, npm or fuzzing wrote.
pub(crate) fn files_below(folder: &Path, name_end: &str) -> Vec<TextFile> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            let is_made = ["target", "node_modules", "corpus", "artifacts", "coverage"].contains(&name.as_str());
            let kind = entry.file_type().unwrap();
            if kind.is_dir() && !is_made && !name.starts_with('.') {
                folders.push(entry.path());
            } else if kind.is_file() && name.ends_with(name_end) {
                files.push(TextFile { path: place(&entry.path()), text: fs::read_to_string(entry.path()).unwrap() });
            }
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

/// A path as it is shown: from the repository, parted by `/`.
pub(crate) fn place(path: &Path) -> String {
    path.strip_prefix(repository()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

pub(crate) fn assert_none(breaches: &[String]) {
    assert!(breaches.is_empty(), "{} breaches of a house rule:\n{}", breaches.len(), breaches.join("\n"));
}

pub(crate) fn made_up(path: &str, text: &str) -> [TextFile; 1] {
    [TextFile { path: path.to_owned(), text: text.to_owned() }]
}

/// Asserts that there is one breach, and that its message begins with the place and has these words.
pub(crate) fn assert_one(breaches: &[String], place: &str, words: &[&str]) {
    let [breach] = breaches else { panic!("one breach was expected, not {breaches:#?}") };
    assert!(breach.starts_with(&format!("{place}: ")) && words.iter().all(|word| breach.contains(word)), "{breach}");
}
