//! The right answers of a feed, one file per route, and the comparison of a server's answers with them.
//!
//! The slow twin gives them. Nothing is timed before every answer of it was found to be the same, byte for byte.

use std::collections::HashSet;
use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::process::Server;
use crate::request::{get_schedules, path_segment};
use crate::response::Encoding;

/// One route's right answer, which lies in a file.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The route's id as it stands in the feed.
    pub(crate) route_id: String,
    /// The id as a path segment; the name of the answer's file too.
    pub(crate) segment: String,
    /// The length of the JSON.
    pub(crate) body_bytes: u64,
}

/// The right answers for all routes of a feed that have trips.
///
/// Invariant, kept by `collect`: not empty, and each answer's file holds `body_bytes` bytes.
#[derive(Debug)]
pub(crate) struct Answers {
    folder: PathBuf,
    /// In the order of the routes' first trips.
    pub(crate) all: Vec<Answer>,
}

/// The routes of one of the challenge's lists, as far as the feed has them.
pub(crate) struct Chosen<'answers> {
    /// Those that the feed has.
    pub(crate) present: Vec<&'answers Answer>,
    /// The ids of the others.
    pub(crate) missing: Vec<&'static str>,
}

impl Answers {
    /// Asks `twin`, which has loaded the feed in `feed`, for every route, and keeps the answers in `folder`.
    pub(crate) fn collect(twin: &Server, feed: &Path, folder: &Path) -> anyhow::Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let mut socket = TcpStream::connect(twin.address())?;
        let mut all = Vec::new();
        for route_id in route_ids(&feed.join("trips.txt"))? {
            let segment = path_segment(&route_id);
            let body = get_schedules(&mut socket, twin.address(), &segment, Encoding::Identity)?;
            fs::write(folder.join(&segment), &body).with_context(|| format!("cannot write to {}", folder.display()))?;
            all.push(Answer { route_id, segment, body_bytes: body.len() as u64 });
        }
        if all.is_empty() {
            bail!("{} has no trips", feed.display());
        }
        Ok(Self { folder: folder.to_owned(), all })
    }

    /// The answers that lie in `folder` already, one file per route. Fails when there are none.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))? {
            let entry = entry?;
            let segment = entry.file_name().to_string_lossy().into_owned();
            all.push(Answer { route_id: segment.clone(), segment, body_bytes: entry.metadata()?.len() });
        }
        if all.is_empty() {
            bail!("{} holds no answers", folder.display());
        }
        all.sort_by(|one, other| one.segment.cmp(&other.segment));
        Ok(Self { folder: folder.to_owned(), all })
    }

    /// Where the answers lie, one file per route.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The right body of an answer.
    pub(crate) fn body(&self, answer: &Answer) -> anyhow::Result<Vec<u8>> {
        let path = self.folder.join(&answer.segment);
        fs::read(&path).with_context(|| format!("cannot read {}", path.display()))
    }

    /// The answer of middle length.
    pub(crate) fn middle(&self) -> &Answer {
        let mut by_length: Vec<&Answer> = self.all.iter().collect();
        by_length.sort_by_key(|answer| answer.body_bytes);
        by_length[by_length.len() / 2]
    }

    /// The answers for these routes, named with spaces between them, and which of them the feed does not have.
    pub(crate) fn choose(&self, route_ids: &'static str) -> Chosen<'_> {
        let mut chosen = Chosen { present: Vec::new(), missing: Vec::new() };
        for route_id in route_ids.split_whitespace() {
            match self.all.iter().find(|answer| answer.route_id == route_id) {
                Some(answer) => chosen.present.push(answer),
                None => chosen.missing.push(route_id),
            }
        }
        chosen
    }

    /// Compares every answer of `server` with the right one. Fails at the first that differs, with where it does.
    pub(crate) fn verify(&self, server: &Server) -> anyhow::Result<()> {
        let mut socket = TcpStream::connect(server.address())?;
        for answer in &self.all {
            let found = get_schedules(&mut socket, server.address(), &answer.segment, Encoding::Identity)?;
            self.compare(answer, &found)?;
        }
        Ok(())
    }

    /// Fails when `found` is not the right body, with the first place that differs.
    pub(crate) fn compare(&self, answer: &Answer, found: &[u8]) -> anyhow::Result<()> {
        let expected = self.body(answer)?;
        if expected == found {
            return Ok(());
        }
        let place = expected.iter().zip(found).take_while(|(expected, found)| expected == found).count();
        bail!(
            "route {}: expected {} bytes, found {}; they differ from byte {place} on: expected {:?}, found {:?}",
            answer.route_id,
            expected.len(),
            found.len(),
            excerpt(&expected, place),
            excerpt(found, place)
        );
    }
}

/// What stands around a place that differs.
fn excerpt(bytes: &[u8], place: usize) -> String {
    let end = bytes.len().min(place + 40);
    String::from_utf8_lossy(&bytes[place.saturating_sub(40).min(end)..end]).into_owned()
}

/// The routes that trips.txt names, each once, in the order of their first trips.
fn route_ids(trips: &Path) -> anyhow::Result<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(trips)
        .with_context(|| format!("cannot read {}", trips.display()))?;
    let column = reader
        .headers()?
        .iter()
        .position(|name| name == "route_id")
        .with_context(|| format!("{} has no column route_id", trips.display()))?;
    let mut seen = HashSet::new();
    let mut route_ids = Vec::new();
    for record in reader.records() {
        let route_id = record.with_context(|| format!("cannot read {}", trips.display()))?[column].to_owned();
        if seen.insert(route_id.clone()) {
            route_ids.push(route_id);
        }
    }
    Ok(route_ids)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(bodies: &[(&str, &str)]) -> (tempfile::TempDir, Answers) {
        let folder = tempfile::tempdir().unwrap();
        for (segment, body) in bodies {
            fs::write(folder.path().join(segment), body).unwrap();
        }
        let answers = Answers::open(folder.path()).unwrap();
        (folder, answers)
    }

    #[test]
    fn a_difference_is_named_by_its_place() {
        let (_folder, answers) = answers(&[("1", "[1,2,3]")]);
        let answer = &answers.all[0];
        assert!(answers.compare(answer, b"[1,2,3]").is_ok());
        let error = answers.compare(answer, b"[1,9,3]").unwrap_err().to_string();
        assert!(error.contains("from byte 3 on"), "{error}");
        let error = answers.compare(answer, b"[1,2").unwrap_err().to_string();
        assert!(error.contains("expected 7 bytes, found 4; they differ from byte 4 on"), "{error}");
    }

    #[test]
    fn routes_that_the_feed_lacks_are_named() {
        let (_folder, answers) = answers(&[("1", "[]"), ("Blue", "[1,2]"), ("Red", "[1]")]);
        let chosen = answers.choose("Blue Silver");
        assert_eq!(chosen.present[0].segment, "Blue");
        assert_eq!(chosen.missing, ["Silver"]);
        assert_eq!(answers.middle().segment, "Red");
    }
}
