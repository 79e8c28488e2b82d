//! The files of a feed that lies in a folder.

use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use timetable::Files;
use tracing::debug;

use super::stamp::{Stamp, StampHasher};

/// A folder is searched no deeper than this, and no further than so many entries, whatever they are.
const FOLDER_DEPTH_MAX: usize = 16;
pub(super) const FOLDER_ENTRIES_MAX: usize = 100_000;

/// The files of a folder and of the folders in it.
pub(super) struct FolderFiles {
    root: PathBuf,
    /// Relative to the root, parted by `/`.
    names: Vec<String>,
}

impl FolderFiles {
    pub(super) fn list(root: &Path, entries_max: usize) -> anyhow::Result<Self> {
        let mut files = Self { root: root.to_owned(), names: Vec::new() };
        let mut entries_left = entries_max;
        if !files.list_below("", 0, &mut entries_left)? {
            bail!("{}: found over {entries_max} files and folders, expected the folder of a feed", root.display());
        }
        files.names.sort();
        Ok(files)
    }

    /// The stamp of all files together: another one once any of them is another, or is there no more.
    pub(super) fn stamp(&self) -> Stamp {
        let mut hasher = StampHasher::default();
        for name in &self.names {
            hasher.write(name.as_bytes());
            // A file that is gone since it was listed makes a stamp of its own, which the next listing does not have.
            match fs::metadata(self.root.join(name)) {
                Ok(metadata) => hasher.write_metadata(&metadata),
                Err(_) => hasher.write_u8(0),
            }
        }
        hasher.stamp()
    }

    /// Adds the names in a folder and in those below it; whether there were no more entries than are left.
    fn list_below(&mut self, folder: &str, depth: usize, entries_left: &mut usize) -> anyhow::Result<bool> {
        let path = self.root.join(folder);
        let unreadable = || format!("{}: the folder cannot be read", path.display());
        let entries = match fs::read_dir(&path) {
            // Such as lost+found: what its owner keeps to himself is no part of the feed.
            Err(error) if depth > 0 && error.kind() == io::ErrorKind::PermissionDenied => {
                debug!("{}: passed over: {error}", path.display());
                return Ok(true);
            }
            entries => entries.with_context(unreadable)?,
        };
        for entry in entries {
            let entry = entry.with_context(unreadable)?;
            let Some(left) = entries_left.checked_sub(1) else { return Ok(false) };
            *entries_left = left;
            // A name that is no text is none that the GTFS reference knows.
            let Ok(name) = entry.file_name().into_string() else { continue };
            let name = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            let kind = entry.file_type().with_context(unreadable)?;
            // A link to a file is followed, a link to a folder is not: it may lead round in a circle.
            if kind.is_dir() {
                if depth < FOLDER_DEPTH_MAX && !self.list_below(&name, depth + 1, entries_left)? {
                    return Ok(false);
                }
            } else if kind.is_file() || fs::metadata(entry.path()).is_ok_and(|target| target.is_file()) {
                self.names.push(name);
            }
        }
        Ok(true)
    }
}

impl Files for FolderFiles {
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    fn open(&self, position: usize) -> io::Result<Box<dyn Read + Send + '_>> {
        Ok(Box::new(File::open(self.root.join(&self.names[position]))?))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn every_entry_of_a_folder_counts() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("a/b")).unwrap();
        fs::write(root.path().join("a/b/trips.txt"), "").unwrap();
        assert_eq!(FolderFiles::list(root.path(), 3).unwrap().names, ["a/b/trips.txt"]);
        let error = FolderFiles::list(root.path(), 2).err().unwrap().to_string();
        assert!(error.contains(root.path().to_str().unwrap()) && error.contains("over 2"), "{error}");
    }

    #[test]
    fn a_folder_that_may_not_be_read_is_named_or_passed_over() {
        let root = tempfile::tempdir().unwrap();
        let closed = root.path().join("lost+found");
        fs::create_dir(&closed).unwrap();
        fs::write(root.path().join("trips.txt"), "").unwrap();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read_dir(&closed).is_err() {
            let error = format!("{:#}", FolderFiles::list(&closed, 9).err().unwrap());
            assert!(error.contains("lost+found: the folder cannot be read"), "{error}");
        }
        assert_eq!(FolderFiles::list(root.path(), 9).unwrap().names, ["trips.txt"]);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    }
}
