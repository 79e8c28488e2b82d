//! Zips as other programs write them: random ones by the `zip` crate, and the real feeds.

use std::io::{self, Cursor, Read, Write};
use std::path::PathBuf;

use proptest::prelude::*;
use timetable::{Files, Zip, ZipLimits};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::{BUFFER_BYTES, read_entry};

/// A file, how it is compressed and how it is read.
#[derive(Clone, Debug)]
struct File {
    content: Vec<u8>,
    /// `None` is stored.
    level: Option<i64>,
    has_zip64_sizes: bool,
    buffer_bytes: usize,
}

fn any_file() -> impl Strategy<Value = File> {
    let random = prop::collection::vec(any::<u8>(), 0..5000);
    let repeated =
        (prop::collection::vec(any::<u8>(), 1..60), 0_usize..5000).prop_map(|(row, count)| row.repeat(count));
    let content = prop_oneof![random, repeated];
    let level = prop_oneof![Just(None), (1_i64..=9).prop_map(Some)];
    let buffer_bytes = prop_oneof![1_usize..10, 10_usize..100_000];
    (content, level, any::<bool>(), buffer_bytes).prop_map(|(content, level, has_zip64_sizes, buffer_bytes)| File {
        content,
        level,
        has_zip64_sizes,
        buffer_bytes,
    })
}

impl File {
    fn options(&self) -> SimpleFileOptions {
        let method = if self.level.is_some() { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        let options = SimpleFileOptions::default().compression_method(method);
        options.compression_level(self.level).large_file(self.has_zip64_sizes)
    }
}

fn put_files<W: Write + io::Seek>(writer: &mut ZipWriter<W>, files: &[File]) {
    for (number, file) in files.iter().enumerate() {
        writer.start_file(format!("folder/{number}.txt"), file.options()).unwrap();
        writer.write_all(&file.content).unwrap();
    }
}

fn check_files(bytes: Vec<u8>, files: &[File]) -> Result<(), TestCaseError> {
    let zip = Zip::open(bytes, ZipLimits::default()).unwrap();
    let names: Vec<String> = (0..files.len()).map(|number| format!("folder/{number}.txt")).collect();
    prop_assert_eq!(zip.names(), names);
    for (position, file) in files.iter().enumerate() {
        prop_assert!(read_entry(&zip, position, file.buffer_bytes).unwrap() == file.content);
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_was_written_is_read(files in prop::collection::vec(any_file(), 0..6), comment in ".{0,50}") {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        put_files(&mut writer, &files);
        writer.set_comment(comment).unwrap();
        check_files(writer.finish().unwrap().into_inner(), &files)?;
    }

    #[test]
    fn what_was_streamed_with_data_descriptors_is_read(files in prop::collection::vec(any_file(), 0..6)) {
        let mut writer = ZipWriter::new_stream(Vec::new());
        put_files(&mut writer, &files);
        check_files(writer.finish().unwrap().into_inner(), &files)?;
    }

    #[test]
    fn random_bytes_in_a_zip_give_errors_but_no_panic(
        files in prop::collection::vec(any_file(), 1..4),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        put_files(&mut writer, &files);
        let mut bytes = writer.finish().unwrap().into_inner();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(zip) = Zip::open(bytes, ZipLimits::default()) {
            for position in 0..zip.names().len() {
                let _ = read_entry(&zip, position, BUFFER_BYTES);
            }
        }
    }

    #[test]
    fn random_bytes_before_an_end_record_give_errors_but_no_panic(
        mut bytes in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        bytes.splice(0..0, *b"PK\x01\x02");
        bytes.extend(crate::raw_zip::end_record(1, bytes.len() as u32, 0, b""));
        if let Ok(zip) = Zip::open(bytes, ZipLimits::default()) {
            let _ = read_entry(&zip, 0, BUFFER_BYTES);
        }
    }
}

#[test]
fn every_real_feed_is_read_as_the_zip_crate_reads_it() {
    let folder = std::env::var_os("LINESPEED_FEEDS")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/feeds")), PathBuf::from);
    let Ok(paths) = std::fs::read_dir(&folder) else {
        // Not by println!, which a test that passes does not show.
        let told = writeln!(io::stderr(), "skipped 1 test (real feeds as zips): no folder {}", folder.display());
        return told.unwrap();
    };
    for path in paths.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|e| e == "zip")) {
        let bytes = std::fs::read(&path).unwrap();
        let mut oracle = ZipArchive::new(Cursor::new(bytes.clone())).unwrap();
        let zip = Zip::open(bytes, ZipLimits::default()).unwrap();
        println!("{}: {} entries", path.display(), oracle.len());
        assert_eq!(zip.names().len(), oracle.len());
        for (position, name) in zip.names().into_iter().enumerate() {
            let mut expected = Vec::new();
            oracle.by_name(&name).unwrap().read_to_end(&mut expected).unwrap();
            assert!(read_entry(&zip, position, BUFFER_BYTES).unwrap() == expected, "{name}");
        }
    }
}
