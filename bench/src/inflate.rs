//! The time that an inflater needs for a zipped feed: what loading from a zip is held against.

use std::fs;
use std::io::Cursor;
use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use clap::ValueEnum;
use zip::{CompressionMethod, ZipArchive};

/// The files of a feed that the program reads; others in the zip cost it nothing.
const FILES_USED: [&str; 10] = [
    "agency.txt",
    "calendar.txt",
    "calendar_dates.txt",
    "feed_info.txt",
    "frequencies.txt",
    "routes.txt",
    "shapes.txt",
    "stop_times.txt",
    "stops.txt",
    "trips.txt",
];

/// A maintained inflater, used the way that it is fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Inflater {
    /// libdeflate, each entry at once into a buffer of its whole size.
    Libdeflate,
    /// flate2 with zlib-rs, in pieces that stay in the cache.
    ZlibRs,
}

impl Inflater {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Libdeflate, Self::ZlibRs];

    /// Its name on the command line and in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Libdeflate => "libdeflate",
            Self::ZlibRs => "zlib-rs",
        }
    }
}

struct Entry {
    packed: Range<usize>,
    unpacked_bytes: usize,
}

/// Two passes over the entries of a zip, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passes {
    /// As the first thing of a process, from opening the zip: what a program that starts has to do as well.
    pub(crate) first: f64,
    /// Once more with the zip in memory, and with every page of the buffers there already.
    pub(crate) again: f64,
}

/// Inflates the entries of `zip` that the program uses, one after the other, twice. No checksum is computed.
///
/// Fails on what is no zip, on another method than deflate, and on an entry that does not inflate to its declared size.
pub(crate) fn time(zip: &Path, inflater: Inflater) -> anyhow::Result<Passes> {
    let opened = Instant::now();
    let bytes = fs::read(zip).with_context(|| format!("cannot read {}", zip.display()))?;
    let entries = read_entries(&bytes).with_context(|| format!("cannot read {}", zip.display()))?;
    let mut buffer = match inflater {
        Inflater::Libdeflate => vec![0; entries.iter().map(|entry| entry.unpacked_bytes).max().unwrap_or_default()],
        Inflater::ZlibRs => vec![0; 64 * 1024],
    };
    let mut pass = || -> anyhow::Result<()> {
        for entry in &entries {
            let packed = &bytes[entry.packed.clone()];
            let unpacked_bytes = match inflater {
                Inflater::Libdeflate => libdeflater::Decompressor::new().deflate_decompress(packed, &mut buffer)?,
                Inflater::ZlibRs => inflate_in_pieces(packed, &mut buffer)?,
            };
            if unpacked_bytes != entry.unpacked_bytes {
                bail!("expected {} bytes, found {unpacked_bytes}", entry.unpacked_bytes);
            }
        }
        Ok(())
    };
    pass()?;
    let first = opened.elapsed().as_secs_f64();
    pass()?;
    Ok(Passes { first, again: opened.elapsed().as_secs_f64() - first })
}

fn read_entries(bytes: &[u8]) -> anyhow::Result<Vec<Entry>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index)?;
        let path = file.name()?;
        let name = path.rsplit('/').next().unwrap_or_default();
        if !FILES_USED.contains(&name) {
            continue;
        }
        if file.compression() != CompressionMethod::Deflated {
            bail!("{name}: expected the method deflate, found {}", file.compression());
        }
        let start = usize::try_from(file.data_start().with_context(|| format!("{name} has no place"))?)?;
        let end = start + usize::try_from(file.compressed_size())?;
        if end > bytes.len() {
            bail!("{name} ends at byte {end}, the zip at byte {}", bytes.len());
        }
        entries.push(Entry { packed: start..end, unpacked_bytes: usize::try_from(file.size())? });
    }
    if entries.is_empty() {
        bail!("no file of a feed in it");
    }
    Ok(entries)
}

fn inflate_in_pieces(packed: &[u8], buffer: &mut [u8]) -> anyhow::Result<usize> {
    let mut inflater = flate2::Decompress::new(false);
    loop {
        let read = usize::try_from(inflater.total_in())?;
        let written = inflater.total_out();
        let status = inflater.decompress(&packed[read..], buffer, flate2::FlushDecompress::None)?;
        if status == flate2::Status::StreamEnd {
            return Ok(usize::try_from(inflater.total_out())?);
        }
        if inflater.total_in() == read as u64 && inflater.total_out() == written {
            bail!("the deflated bytes end too early");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn both_inflaters_unpack_the_files_of_the_feed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.zip");
        let mut writer = ZipWriter::new(fs::File::create(&path).unwrap());
        let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        writer.start_file("nested/stop_times.txt", deflated).unwrap();
        writer.write_all("1,08:00:00\n".repeat(20_000).as_bytes()).unwrap();
        writer.start_file("licence.pdf", stored).unwrap();
        writer.write_all(b"not inflated").unwrap();
        writer.finish().unwrap();

        let entries = read_entries(&fs::read(&path).unwrap()).unwrap();
        assert_eq!(entries.iter().map(|entry| entry.unpacked_bytes).collect::<Vec<_>>(), [220_000]);
        for inflater in Inflater::ALL {
            let passes = time(&path, inflater).unwrap();
            assert!(passes.first > 0.0 && passes.again > 0.0);
        }
    }

    #[test]
    fn bytes_that_end_too_early_are_an_error() {
        assert!(inflate_in_pieces(b"", &mut [0; 16]).is_err());
    }
}
