//! Finds the feed among the files of a zip or a folder.

use std::collections::BTreeMap;
use std::io::{self, Read};

use crate::files::Files;
use crate::problem::FeedError;
use crate::reference::{ReferenceFile, Usage, find_reference_file};

/// The one folder, at any depth, that holds trips.txt and stop_times.txt.
pub(crate) struct Folder<'f> {
    source: &'f dyn Files,
    files: Vec<FeedFile>,
    /// The other names in the folder, such as a licence.
    strangers: Vec<String>,
}

/// A file of the feed that the reference names.
pub(crate) struct FeedFile {
    pub(crate) reference: &'static ReferenceFile,
    /// The name as stored.
    pub(crate) name: String,
    position: usize,
}

impl<'f> Folder<'f> {
    pub(crate) fn find(source: &'f dyn Files) -> Result<Self, FeedError> {
        let names = source.names();
        let mut folders = BTreeMap::<&str, Vec<(usize, &str)>>::new();
        for (position, name) in names.iter().enumerate() {
            let (folder, file) = name.rsplit_once(['/', '\\']).unwrap_or(("", name));
            // What macOS puts beside the files that it packs.
            let is_resource_fork = file.starts_with("._") || folder.split(['/', '\\']).any(|part| part == "__MACOSX");
            if !file.is_empty() && !is_resource_fork {
                folders.entry(folder).or_default().push((position, file));
            }
        }
        let is_feed = |files: &[(usize, &str)]| {
            ["trips.txt", "stop_times.txt"].iter().all(|wanted| files.iter().any(|(_, file)| file == wanted))
        };
        let mut feeds = folders.into_iter().filter(|(_, files)| is_feed(files));
        let Some((folder, found)) = feeds.next() else { return Err(FeedError::NoFeed(names.clone())) };
        if let Some((other, _)) = feeds.next() {
            let shown = |folder: &str| if folder.is_empty() { ".".to_owned() } else { folder.to_owned() };
            return Err(FeedError::TwoFeeds(shown(folder), shown(other)));
        }
        let mut files = Vec::<FeedFile>::new();
        let mut strangers = Vec::new();
        for (position, file) in found {
            let name = names[position].clone();
            let Some(reference) = find_reference_file(file) else {
                strangers.push(name);
                continue;
            };
            if let Some(twin) = files.iter().find(|known| known.reference.name == reference.name) {
                return Err(FeedError::TwoFiles(twin.name.clone(), name));
            }
            files.push(FeedFile { reference, name, position });
        }
        debug_assert!(files.iter().filter(|file| file.reference.usage == Usage::Indispensable).count() == 2);
        Ok(Self { source, files, strangers })
    }

    /// The files that the reference names.
    pub(crate) fn files(&self) -> &[FeedFile] {
        &self.files
    }

    /// The names of all other files beside them.
    pub(crate) fn strangers(&self) -> impl Iterator<Item = &str> {
        self.strangers.iter().map(String::as_str)
    }

    pub(crate) fn open(&self, file: &FeedFile) -> io::Result<Box<dyn Read + Send + 'f>> {
        self.source.open(file.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::MemoryFiles;

    fn find(names: &[&str]) -> Result<Vec<String>, String> {
        let files = MemoryFiles(names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect());
        let folder = Folder::find(&files).map_err(|error| error.to_string())?;
        Ok(folder.files().iter().map(|file| file.name.clone()).collect())
    }

    #[test]
    fn the_feed_is_found_at_any_depth() {
        assert_eq!(
            find(&["a/b/trips.txt", "a/b/stop_times.txt", "a/stops.txt"]).unwrap(),
            ["a/b/trips.txt", "a/b/stop_times.txt"]
        );
        assert_eq!(find(&["../trips.txt", "../stop_times.txt"]).unwrap(), ["../trips.txt", "../stop_times.txt"]);
        assert_eq!(find(&["a\\trips.txt", "a\\stop_times.txt"]).unwrap(), ["a\\trips.txt", "a\\stop_times.txt"]);
    }

    #[test]
    fn what_macos_adds_is_ignored() {
        let names =
            ["f/trips.txt", "f/stop_times.txt", "f/._trips.txt", "__MACOSX/f/trips.txt", "__MACOSX/f/stop_times.txt"];
        assert_eq!(find(&names).unwrap().len(), 2);
    }

    #[test]
    fn two_feeds_or_none_are_refused_by_name() {
        let two = find(&["a/trips.txt", "a/stop_times.txt", "b/trips.txt", "b/stop_times.txt"]).unwrap_err();
        assert!(two.contains("\"a\"") && two.contains("\"b\""), "{two}");
        let none = find(&["a/trips.txt", "b/stop_times.txt"]).unwrap_err();
        assert!(none.contains("a/trips.txt, b/stop_times.txt"), "{none}");
        let twice = find(&["trips.txt", "stop_times.txt", "trips.txt"]).unwrap_err();
        assert!(twice.contains("one file twice"), "{twice}");
    }
}
