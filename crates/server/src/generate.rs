//! `linespeed generate feed`: a generated feed as a zip or a folder.
//!
//! Everything is written beside its final name and renamed when it is whole, so that nobody reads half a feed; and only
//! what was generated before is ever replaced.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail, ensure};
use indicatif::HumanCount;
use timetable::generate::{FILE_NAMES, FeedSink, PUBLISHER, Recipe, generate};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::progress::with_bar;

/// Writes the feed of `recipe` to `out`: a zip when its name ends in `.zip`, otherwise a folder, made if it is missing.
///
/// A generated feed that is there already is replaced; anything else is refused, with an error that names it. One line
/// on stderr says what was written.
pub fn run(recipe: &Recipe, out: &Path) -> anyhow::Result<()> {
    let is_zip = out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
    let write = if is_zip { write_zip } else { write_folder };
    let written =
        with_bar("writing the feed", Some(recipe.byte_estimate()), |bytes_done| write(recipe, out, bytes_done))?;
    let [files, rows, bytes] = [written.files, written.rows, written.bytes].map(HumanCount);
    eprintln!("{}: {files} files, {rows} rows, {bytes} bytes", out.display());
    Ok(())
}

fn write_zip(recipe: &Recipe, out: &Path, bytes_done: &AtomicU64) -> anyhow::Result<Written> {
    if out.exists() {
        ensure!(is_generated_zip(out), "{} exists and is not a generated feed: remove it first", out.display());
    }
    if let Some(folder) = out.parent() {
        fs::create_dir_all(folder).with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    }
    let part = part_path(out);
    let mut clean_up = CleanUp(vec![part.clone()]);
    let file = File::create(&part).with_context(|| format!("{} cannot be written", part.display()))?;
    let target = Target::Zip(Box::new(ZipWriter::new(BufWriter::with_capacity(1 << 18, file))));
    let mut sink = Sink::new(target, bytes_done);
    let generated = generate(recipe, &mut sink);
    generated.with_context(|| format!("{} cannot be written", part.display()))?;
    let Sink { written, target, .. } = sink;
    if let Target::Zip(writer) = target {
        let mut file = writer.finish().with_context(|| format!("{} cannot be written", part.display()))?;
        file.flush().with_context(|| format!("{} cannot be written", part.display()))?;
    }
    fs::rename(&part, out).with_context(|| format!("{} cannot be put in its place", out.display()))?;
    clean_up.0.clear();
    Ok(written)
}

fn write_folder(recipe: &Recipe, out: &Path, bytes_done: &AtomicU64) -> anyhow::Result<Written> {
    let old_names = generated_names(out)?;
    fs::create_dir_all(out).with_context(|| format!("{}: the folder cannot be made", out.display()))?;
    let target = Target::Folder { path: out.to_owned(), names: Vec::new(), file: None };
    let mut sink = Sink::new(target, bytes_done);
    let generated = generate(recipe, &mut sink).and_then(|()| sink.end_file());
    let Sink { written, target, .. } = sink;
    let names = match target {
        Target::Folder { names, .. } => names,
        Target::Zip(_) => Vec::new(),
    };
    let mut clean_up = CleanUp(names.iter().map(|name| part_path(&out.join(name))).collect());
    generated.with_context(|| format!("{} cannot be written", out.display()))?;
    // A file of the feed before that this one lacks, such as frequencies.txt, would become part of it.
    for name in old_names.iter().filter(|name| !names.contains(name)) {
        let path = out.join(name);
        fs::remove_file(&path).with_context(|| format!("{} cannot be removed", path.display()))?;
    }
    for name in &names {
        let path = out.join(name);
        let renamed = fs::rename(part_path(&path), &path);
        renamed.with_context(|| format!("{} cannot be put in its place", path.display()))?;
    }
    clean_up.0.clear();
    Ok(written)
}

/// The file beside `path` that becomes `path` when it is whole; its own in every process.
fn part_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

/// Whether a file called so may be one that [`part_path`] named in a run that did not end: NAME.PID.part.
///
/// Others write files that end in `.part` too, such as downloads; those are not ours to remove.
fn is_part_name(name: &str) -> bool {
    let Some((name, process)) = name.strip_suffix(".part").and_then(|name| name.rsplit_once('.')) else { return false };
    FILE_NAMES.contains(&name) && !process.is_empty() && process.bytes().all(|digit| digit.is_ascii_digit())
}

/// Removes files that did not become whole.
struct CleanUp(Vec<PathBuf>);

impl Drop for CleanUp {
    fn drop(&mut self) {
        for path in &self.0 {
            // Nothing more can be done about a file that cannot be removed, and the error that led here matters more.
            let _ = fs::remove_file(path);
        }
    }
}

/// The files of a generated feed in `folder`, none when it is missing or empty; fails when it holds anything else.
fn generated_names(folder: &Path) -> anyhow::Result<Vec<String>> {
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let entries =
        fs::read_dir(folder).with_context(|| format!("{} is not a folder that can be read", folder.display()))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("{} cannot be read", folder.display()))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_known = FILE_NAMES.contains(&name.as_str()) || is_part_name(&name);
        if !is_known || !entry.path().is_file() {
            bail!("{} is not part of a generated feed: choose an empty folder", entry.path().display());
        }
        names.push(name);
    }
    let is_ours = || File::open(folder.join("feed_info.txt")).is_ok_and(is_published_by_us);
    let is_left_over = names.iter().all(|name| is_part_name(name));
    ensure!(
        is_left_over || is_ours(),
        "{} holds files that were not generated: choose an empty folder",
        folder.display()
    );
    Ok(names)
}

fn is_generated_zip(path: &Path) -> bool {
    let Ok(Ok(mut archive)) = File::open(path).map(ZipArchive::new) else { return false };
    archive.by_name("feed_info.txt").is_ok_and(is_published_by_us)
}

/// Whether a feed_info.txt says that we made the feed.
fn is_published_by_us(feed_info: impl Read) -> bool {
    let mut text = String::new();
    let is_read = feed_info.take(10_000).read_to_string(&mut text).is_ok();
    is_read && text.lines().nth(1).is_some_and(|row| row.split(',').next() == Some(PUBLISHER))
}

/// What a feed came to.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    files: u64,
    /// Without the header of each file.
    rows: u64,
    /// Of text, before it is compressed.
    bytes: u64,
}

enum Target {
    Zip(Box<ZipWriter<BufWriter<File>>>),
    Folder { path: PathBuf, names: Vec<String>, file: Option<File> },
}

/// Counts what passes.
struct Sink<'b> {
    target: Target,
    written: Written,
    bytes_done: &'b AtomicU64,
}

impl<'b> Sink<'b> {
    fn new(target: Target, bytes_done: &'b AtomicU64) -> Self {
        Self { target, written: Written::default(), bytes_done }
    }

    /// Closes the file last begun in a folder; a zip does so itself.
    fn end_file(&mut self) -> io::Result<()> {
        if let Target::Folder { file, .. } = &mut self.target
            && let Some(mut file) = file.take()
        {
            file.flush()?;
        }
        Ok(())
    }
}

impl FeedSink for Sink<'_> {
    fn begin_file(&mut self, name: &str) -> io::Result<()> {
        self.end_file()?;
        self.written.files += 1;
        match &mut self.target {
            // Fixed times: the same recipe gives the same zip.
            Target::Zip(writer) => {
                let options = SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
                writer.start_file(name, options)?;
            }
            Target::Folder { path, names, file } => {
                names.push(name.to_owned());
                let part = part_path(&path.join(name));
                let created = File::create(&part);
                *file = Some(created.map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?);
            }
        }
        // The header is not a row.
        self.written.rows = self.written.rows.wrapping_sub(1);
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.target {
            Target::Zip(writer) => writer.write_all(bytes)?,
            Target::Folder { file: Some(file), .. } => file.write_all(bytes)?,
            Target::Folder { file: None, .. } => return Err(io::Error::other("bytes came before the first file")),
        }
        self.written.bytes += bytes.len() as u64;
        let line_ends = bytes.iter().filter(|&&byte| byte == b'\n').count();
        self.written.rows = self.written.rows.wrapping_add(line_ends as u64);
        self.bytes_done.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}
