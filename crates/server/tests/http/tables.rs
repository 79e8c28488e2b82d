//! The files of a feed as rows of named fields, by the `csv` crate: what the slow twins of these tests start from.

use std::collections::{HashMap, HashSet};

use crate::feed_files::FeedFiles;

/// A row of a file: name -> value, trimmed.
pub(crate) type Row = HashMap<String, String>;

/// The value of a field; empty where the row or the file does not have it.
pub(crate) fn field<'r>(row: &'r Row, name: &str) -> &'r str {
    row.get(name).map_or("", String::as_str)
}

/// The rows of the file called `name`, in whatever folder it is; none if there is no such file.
pub(crate) fn rows(files: &FeedFiles, name: &str) -> Vec<Row> {
    let is_it = |path: &str| path.rsplit('/').next() == Some(name) && !path.contains("__MACOSX");
    let Some((_, bytes)) = files.iter().find(|(path, _)| is_it(path)) else { return Vec::new() };
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(bytes);
    reader.deserialize().map(|row| row.unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// The rows of a file of things that have an id, of which the first row counts if there are several.
pub(crate) fn rows_with_id(files: &FeedFiles, name: &str, id: &str) -> Vec<Row> {
    let mut seen = HashSet::new();
    let mut rows = rows(files, name);
    rows.retain(|row| !field(row, id).is_empty() && seen.insert(field(row, id).to_owned()));
    rows
}
