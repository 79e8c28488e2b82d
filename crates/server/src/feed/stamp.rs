//! Whether a file or a folder is another than before, told without reading it; and when it is read again.

use std::fs::{self, Metadata};
use std::hash::{BuildHasher, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::folder::{FOLDER_ENTRIES_MAX, FolderFiles};

/// A number that is another one once a feed's files are others: of each file the size, the time of its last change and
/// its inode; of a folder also the names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp(u64);

impl Stamp {
    /// The stamp of what lies at `path`; where nothing can be found there, that too has its stamp.
    pub(super) fn of_path(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => {
                FolderFiles::list(path, FOLDER_ENTRIES_MAX).map_or_else(|_| Self::of_nothing(), |files| files.stamp())
            }
            Ok(metadata) => Self::of_metadata(&metadata),
            Err(_) => Self::of_nothing(),
        }
    }

    /// The stamp of what cannot be found.
    pub(super) fn of_nothing() -> Self {
        StampHasher::default().stamp()
    }

    pub(super) fn of_metadata(metadata: &Metadata) -> Self {
        let mut hasher = StampHasher::default();
        hasher.write_metadata(metadata);
        hasher.stamp()
    }
}

/// Makes a stamp of many files.
pub(super) struct StampHasher(foldhash::quality::FoldHasher<'static>);

impl Default for StampHasher {
    fn default() -> Self {
        Self(foldhash::quality::FixedState::with_seed(0).build_hasher())
    }
}

impl StampHasher {
    pub(super) fn write_metadata(&mut self, metadata: &Metadata) {
        for number in [metadata.dev(), metadata.ino(), metadata.len()] {
            self.write_u64(number);
        }
        self.write_i64(metadata.mtime());
        self.write_i64(metadata.mtime_nsec());
    }

    pub(super) fn stamp(&self) -> Stamp {
        Stamp(self.finish())
    }
}

impl Hasher for StampHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

/// For at most so many looks a feed is left alone that could not be read for a reason which may pass.
const LOOKS_MAX: u32 = 64;

/// Decides when a path is read again: once it is another than the one that was read, and has stayed so for a look.
///
/// A file that grows from look to look is half-written, and is left alone until it rests.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// The stamp of what was read last, whether it was of use or not.
    read: Option<Stamp>,
    /// Another stamp that was seen since.
    seen: Option<Seen>,
}

#[derive(Clone, Copy, Debug)]
struct Seen {
    stamp: Stamp,
    /// How many looks in a row must still find it before it is read.
    looks_left: u32,
    /// How many looks it takes after the next failure that may pass.
    looks_next: u32,
}

/// What a look at a path comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is what was read.
    Same,
    /// It is another, and may still change.
    Settling,
    /// It is another, and rests: it should be read.
    Due,
}

impl Watch {
    /// Takes the stamp that a look has found.
    pub(super) fn on_look(&mut self, stamp: Stamp) -> Verdict {
        if self.read == Some(stamp) {
            self.seen = None;
            return Verdict::Same;
        }
        match &mut self.seen {
            Some(seen) if seen.stamp == stamp => {
                seen.looks_left = seen.looks_left.saturating_sub(1);
                if seen.looks_left == 0 { Verdict::Due } else { Verdict::Settling }
            }
            seen => {
                *seen = Some(Seen { stamp, looks_left: 1, looks_next: 1 });
                Verdict::Settling
            }
        }
    }

    /// What has this stamp has been read, and reading it once more would give the same.
    pub(super) fn on_read(&mut self, stamp: Stamp) {
        *self = Self { read: Some(stamp), seen: None };
    }

    /// It became what has this stamp while it was read.
    pub(super) fn on_change(&mut self, stamp: Stamp) {
        self.read = None;
        self.seen = Some(Seen { stamp, looks_left: 1, looks_next: 1 });
    }

    /// What has this stamp could not be read now. It is read again after a look, two, four and so on.
    pub(super) fn on_passing_failure(&mut self, stamp: Stamp) {
        let looks = self.seen.filter(|seen| seen.stamp == stamp).map_or(1, |seen| seen.looks_next);
        self.read = None;
        self.seen = Some(Seen { stamp, looks_left: looks, looks_next: (looks * 2).min(LOOKS_MAX) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_read_once_it_has_stayed_for_a_look() {
        let mut watch = Watch::default();
        watch.on_read(Stamp(1));
        let verdicts = [1, 1, 2, 2].map(|stamp| watch.on_look(Stamp(stamp)));
        assert_eq!(verdicts, [Verdict::Same, Verdict::Same, Verdict::Settling, Verdict::Due]);
        watch.on_read(Stamp(2));
        assert_eq!(watch.on_look(Stamp(2)), Verdict::Same);
    }

    #[test]
    fn what_grows_is_left_alone_and_what_is_put_back_is_not_read() {
        let mut watch = Watch::default();
        watch.on_read(Stamp(1));
        for stamp in 2..9 {
            assert_eq!(watch.on_look(Stamp(stamp)), Verdict::Settling, "{stamp}");
        }
        assert_eq!(watch.on_look(Stamp(1)), Verdict::Same);
        println!("the former sighting counts no more");
        assert_eq!(watch.on_look(Stamp(8)), Verdict::Settling);
        assert_eq!(watch.on_look(Stamp(8)), Verdict::Due);
    }

    #[test]
    fn what_changed_while_it_was_read_is_read_again_once_it_rests() {
        let mut watch = Watch::default();
        watch.on_change(Stamp(2));
        assert_eq!(watch.on_look(Stamp(3)), Verdict::Settling);
        assert_eq!(watch.on_look(Stamp(3)), Verdict::Due);
        watch.on_change(Stamp(3));
        assert_eq!(watch.on_look(Stamp(3)), Verdict::Due);
    }

    #[test]
    fn what_could_not_be_read_is_tried_less_and_less_often_and_at_once_when_it_changes() {
        let mut watch = Watch::default();
        let mut looks = Vec::new();
        for _ in 0..9 {
            watch.on_passing_failure(Stamp(2));
            looks.push((1..).find(|_| watch.on_look(Stamp(2)) == Verdict::Due).unwrap());
        }
        assert_eq!(looks, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
        watch.on_passing_failure(Stamp(2));
        assert_eq!(watch.on_look(Stamp(3)), Verdict::Settling);
        assert_eq!(watch.on_look(Stamp(3)), Verdict::Due);
    }

    #[test]
    fn a_stamp_changes_with_size_time_inode_and_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trips.txt");
        let mut stamps = vec![Stamp::of_path(&path)];
        let mut look = |what: &str| {
            for path in [path.as_path(), folder.path()] {
                let stamp = Stamp::of_path(path);
                assert_eq!(stamp, Stamp::of_path(path), "{what}");
                assert!(!stamps.contains(&stamp), "{what}: {} has a former stamp", path.display());
                stamps.push(stamp);
            }
        };
        let time = |seconds| std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        let write = |name: &str, text: &str, modified| {
            fs::write(folder.path().join(name), text).unwrap();
            fs::File::options().append(true).open(folder.path().join(name)).unwrap().set_modified(modified).unwrap();
        };
        write("trips.txt", "1", time(1));
        look("another file");
        write("trips.txt", "22", time(1));
        look("another size");
        write("trips.txt", "22", time(2));
        look("another time");
        write("new", "22", time(2));
        fs::rename(folder.path().join("new"), &path).unwrap();
        look("another inode");
        fs::remove_file(&path).unwrap();
        assert_eq!(Stamp::of_path(&path), stamps[0], "nothing there");
    }
}
