//! A leaf's sources name no clock, socket, file, process or async runtime.

use std::iter;

use crate::{TextFile, assert_none, assert_one, made_up};

/// What no source line of a leaf may name, other than in a comment: an example in the docs may open the feed it reads.
const WORLD: [&str; 10] = [
    "std::fs",
    "std::net",
    "std::time",
    "std::process",
    "std::env",
    "Instant::now",
    "SystemTime",
    "Timestamp::now",
    "Zoned::now",
    "tokio",
];

pub(crate) fn breaches_of_leaf_sources(files: &[TextFile]) -> Vec<String> {
    let mut breaches = Vec::new();
    for file in files {
        let mut report = |line: usize, word: &str| {
            let path = &file.path;
            breaches.push(format!("{path}:{line}: a leaf opens nothing, but names `{word}`; take it as an argument"));
        };
        let code = file.lines().filter(|(_, text)| !text.trim_start().starts_with("//"));
        for (line, text) in code.clone() {
            WORLD.iter().filter(|word| text.contains(**word)).for_each(|word| report(line, word));
        }
        let words = code.flat_map(|(line, text)| words_of(text).map(move |word| (line, word)));
        for (line, name) in names_in_std_groups(words) {
            let path = format!("std::{name}");
            WORLD.iter().filter(|word| **word == path).for_each(|word| report(line, word));
        }
    }
    breaches
}

/// Identifiers and single punctuation marks.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut rest = text;
    iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end =
            if is_part(first) { rest.find(|letter| !is_part(letter)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, others) = rest.split_at(end);
        rest = others;
        Some(word)
    })
}

/// The first names in `std::{fs, io::Read}`, which the search for `std::fs` alone would not see: line, name.
fn names_in_std_groups<'a>(words: impl Iterator<Item = (usize, &'a str)>) -> Vec<(usize, &'a str)> {
    let words: Vec<_> = words.collect();
    let mut names = Vec::new();
    for start in 0..words.len() {
        if words[start..].iter().take(4).map(|(_, word)| *word).ne(["std", ":", ":", "{"]) {
            continue;
        }
        let mut depth = 1;
        for pair in words[start + 3..].windows(2) {
            let [(_, before), (line, word)] = pair else { continue };
            depth += i32::from(*word == "{") - i32::from(*word == "}");
            if depth == 1 && matches!(*before, "{" | ",") {
                names.push((*line, *word));
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

#[test]
fn a_leaf_that_opens_something_is_seen_however_it_is_imported() {
    for word in WORLD {
        let text = format!("//! A header that names {word}.\nfn open() {{ {word} }}\n");
        assert_one(&breaches_of_leaf_sources(&made_up("leaf.rs", &text)), "leaf.rs:2", &[word]);
    }
    let grouped = made_up("leaf.rs", "use std::io;\nuse std::{\n    collections::{fs, net},\n    fs::File,\n};\n");
    assert_one(&breaches_of_leaf_sources(&grouped), "leaf.rs:4", &["std::fs"]);
    assert_one(&breaches_of_leaf_sources(&made_up("a.rs", "use std::{io, env};")), "a.rs:1", &["std::env"]);
    assert_none(&breaches_of_leaf_sources(&made_up(
        "leaf.rs",
        "use std::{io::{self, Read}, fmt};\nlet (fs, env) = time;\n",
    )));
}
