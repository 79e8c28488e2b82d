//! Headers, lengths and names of source files, unfinished work, and lock files.

use crate::{TextFile, assert_none, assert_one, files_below, made_up, repository};

/// Folders of Rust source that the rules are about.
const SOURCE_FOLDERS: [&str; 3] = ["crates", "bench", "fuzz"];

const LINES_MAX: usize = 500;

/// How the first paragraph of a longer file begins its excuse.
const EXCUSE: &str = "Long because ";

/// Names that say nothing of what is in a file or folder.
const EMPTY_NAMES: [&str; 4] = ["utils", "common", "helpers", "manager"];

/// Parted, so that this file does not hold them itself.
const LEFTOVERS: [&str; 3] = [concat!("to", "do!"), concat!("db", "g!"), concat!("FIX", "ME")];

const CRATES_IO: &str = r#"source = "registry+https://github.com/rust-lang/crates.io-index""#;

fn breaches_of_headers(files: &[TextFile]) -> Vec<String> {
    let without = files.iter().filter(|file| !file.text.starts_with("//! "));
    without.map(|file| format!("{}:1: say in a line that begins with `//! ` what the file is for", file.path)).collect()
}

fn breaches_of_length(files: &[TextFile]) -> Vec<String> {
    let mut breaches = Vec::new();
    for TextFile { path, text } in files {
        let line_count = text.lines().count();
        let paragraph: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//! ")).collect();
        if line_count > LINES_MAX && !paragraph.join(" ").contains(EXCUSE) {
            breaches.push(format!(
                "{path}:{line_count}: over {LINES_MAX} lines; split it by idea, or say \"{EXCUSE}…\" in its first paragraph"
            ));
        }
    }
    breaches
}

fn breaches_of_names(files: &[TextFile]) -> Vec<String> {
    let is_empty_name = |file: &&TextFile| file.names().any(|name| EMPTY_NAMES.contains(&name));
    let breach = |file: &TextFile| format!("{}:1: the name says nothing; name it after what is in it", file.path);
    files.iter().filter(is_empty_name).map(breach).collect()
}

fn breaches_of_leftovers(files: &[TextFile]) -> Vec<String> {
    let mut breaches = Vec::new();
    for file in files {
        for (line, text) in file.lines() {
            for word in LEFTOVERS.iter().filter(|word| text.contains(**word)) {
                breaches
                    .push(format!("{}:{line}: `{word}` is left; finish it, or open an issue and remove it", file.path));
            }
        }
    }
    breaches
}

fn breaches_of_lock_files(files: &[TextFile]) -> Vec<String> {
    let mut breaches = Vec::new();
    for file in files {
        for (line, text) in file.lines().filter(|(_, text)| text.contains("://") && *text != CRATES_IO) {
            let remedy = "lock it again without a mirror, a fork or another registry";
            breaches.push(format!("{}:{line}: `{text}` is not crates.io's index; {remedy}", file.path));
        }
    }
    breaches
}

/// Every Rust file that the rules are about.
fn sources() -> Vec<TextFile> {
    let folders = SOURCE_FOLDERS.iter().map(|folder| repository().join(folder)).filter(|folder| folder.exists());
    let files: Vec<_> = folders.flat_map(|folder| files_below(&folder, ".rs")).collect();
    assert!(files.iter().any(|file| file.path == file!()), "the search for sources missed this file");
    files
}

#[test]
fn every_file_begins_with_what_it_is_for() {
    assert_none(&breaches_of_headers(&sources()));
}

#[test]
fn a_long_file_says_why() {
    assert_none(&breaches_of_length(&sources()));
}

#[test]
fn files_are_named_after_what_is_in_them() {
    assert_none(&breaches_of_names(&sources()));
}

#[test]
fn nothing_is_left_unfinished() {
    assert_none(&breaches_of_leftovers(&sources()));
}

#[test]
fn lock_files_name_no_registry_but_crates_io() {
    let files = files_below(&repository(), "Cargo.lock");
    assert!(files.iter().any(|file| file.path == "Cargo.lock"), "the workspace has its lock file");
    assert_none(&breaches_of_lock_files(&files));
}

#[test]
fn a_file_without_a_header_is_seen() {
    assert_none(&breaches_of_headers(&made_up("a.rs", "//! For this.\nfn a() {}\n")));
    for text in ["", "\n//! Late.\n", "use std::io;\n//! Late.\n", "// Not docs.\n", "//!\n"] {
        assert_one(&breaches_of_headers(&made_up("a.rs", text)), "a.rs:1", &["//! "]);
    }
}

#[test]
fn a_long_file_without_an_excuse_is_seen() {
    let file = |header: &str, lines: usize| made_up("a.rs", &(header.to_owned() + &"\n".repeat(lines)));
    assert_none(&breaches_of_length(&file("//! Tables.", LINES_MAX)));
    assert_one(&breaches_of_length(&file("//! Tables.", LINES_MAX + 1)), "a.rs:501", &["split"]);
    assert_none(&breaches_of_length(&file("//! Tables.\n//! Long because they are.", LINES_MAX)));
    println!("an excuse after the first paragraph is none");
    assert_one(&breaches_of_length(&file("//! Tables.\n//!\n//! Long because they are.", LINES_MAX)), "a.rs:502", &[]);
}

#[test]
fn a_name_that_says_nothing_is_seen() {
    assert_none(&breaches_of_names(&made_up("crates/a/src/common_stops.rs", "")));
    for path in ["crates/a/src/utils.rs", "crates/a/src/common/mod.rs", "bench/src/helpers.rs", "manager.rs"] {
        assert_one(&breaches_of_names(&made_up(path, "")), &format!("{path}:1"), &["name"]);
    }
}

#[test]
fn a_leftover_is_seen() {
    assert_none(&breaches_of_leftovers(&made_up("a.rs", "let todos = 1;\n")));
    for word in LEFTOVERS {
        let text = format!("//! A.\n    // {word}()\n");
        assert_one(&breaches_of_leftovers(&made_up("a.rs", &text)), "a.rs:2", &[word]);
    }
}

#[test]
fn an_address_in_a_lock_file_is_seen() {
    assert_none(&breaches_of_lock_files(&made_up("Cargo.lock", &format!("version = 4\n{CRATES_IO}\n"))));
    for source in ["registry+https://mirror.example/index", "git+https://github.com/a/b#c", "sparse+http://localhost/"]
    {
        let file = made_up("fuzz/Cargo.lock", &format!("[[package]]\nsource = \"{source}\"\n"));
        assert_one(&breaches_of_lock_files(&file), "fuzz/Cargo.lock:2", &[source]);
    }
}
