//! Compressed answers: made once, kept within a bound, the least used forgotten first.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::header::{self, HeaderMap};
use timetable::RouteIdx;
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::{JoinError, spawn_blocking};

use super::answer::{Answer, Content};

/// Shorter answers are not worth compressing: they fit in one packet or two.
const COMPRESSED_BYTES_MIN: u64 = 1024;

/// What an answer is kept by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GzipKey {
    /// The schedules of a route.
    Schedules(RouteIdx),
    /// All routes.
    Routes,
    /// What the feed holds.
    Feed,
}

/// Answers in compressed form.
#[derive(Debug)]
pub(super) struct GzipCache {
    bytes_max: usize,
    kept: Mutex<Kept>,
    /// As many compressions at a time as there are cores: more would only take memory.
    compressors: Arc<Semaphore>,
}

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<GzipKey, Entry>,
    byte_count: usize,
    /// Counts uses, so that the least recent one is known.
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    /// Filled by the first who asks, while the others wait for it.
    bytes: Arc<OnceCell<Bytes>>,
    /// What of `Kept::byte_count` is this entry's.
    byte_count: usize,
    last_used: u64,
}

impl GzipCache {
    /// Keeps up to `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { bytes_max, kept: Mutex::default(), compressors: Arc::new(Semaphore::new(cores)) }
    }

    /// `answer` in the coding that suits a client with these `headers`.
    pub(super) async fn negotiate(self: &Arc<Self>, answer: Answer, headers: &HeaderMap) -> Answer {
        let Some((key, content)) = answer.compressible().filter(|_| accepts_gzip(headers)) else { return answer };
        if let Some(bytes) = key.and_then(|key| self.find(key)) {
            return answer.gzipped(bytes);
        }
        // The length of an answer of schedules takes a look at all its trips, so it is not asked for before.
        if content.byte_count() < COMPRESSED_BYTES_MIN {
            return answer;
        }
        if answer.is_known_compressed(headers) {
            return answer.gzipped(Bytes::new());
        }
        // A task of its own, which ends even if the client leaves: the answer is kept for the next who asks, and the
        // bound on compressions holds for those, too, for which nobody waits any more.
        let compressed = tokio::spawn(Arc::clone(self).compressed(key, content.clone()));
        match compressed.await {
            Ok(Ok(bytes)) => answer.gzipped(bytes),
            // The program is ending, so nothing new is begun.
            Ok(Err(_)) | Err(_) => answer,
        }
    }

    /// `content` compressed, by whoever asks for it first; others who ask for the same key wait for that.
    async fn compressed(self: Arc<Self>, key: Option<GzipKey>, content: Content) -> Result<Bytes, JoinError> {
        let cell = key.map(|key| self.entry(key)).unwrap_or_default();
        let compressed = cell.get_or_try_init(|| async {
            let compressors = Arc::clone(&self.compressors);
            let permit = compressors.acquire_owned().await.expect("the semaphore is never closed");
            let bytes = spawn_blocking(move || {
                let bytes = compress(content.into_pieces());
                drop(permit);
                bytes
            });
            let bytes = bytes.await?;
            if let Some(key) = key {
                self.count(key, &cell, bytes.len());
            }
            Ok(bytes)
        });
        compressed.await.cloned()
    }

    /// The compressed answer, if it is kept.
    fn find(&self, key: GzipKey) -> Option<Bytes> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { entries, clock, .. } = &mut *kept;
        let entry = entries.get_mut(&key)?;
        let bytes = entry.bytes.get()?.clone();
        *clock += 1;
        entry.last_used = *clock;
        Some(bytes)
    }

    /// What all that is kept takes.
    pub(super) fn kept_bytes(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).byte_count
    }

    fn entry(&self, key: GzipKey) -> Arc<OnceCell<Bytes>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let last_used = kept.clock;
        let entry =
            kept.entries.entry(key).or_insert_with(|| Entry { bytes: Arc::default(), byte_count: 0, last_used });
        entry.last_used = last_used;
        Arc::clone(&entry.bytes)
    }

    /// Counts a compressed answer, and forgets others until all are within the bound; whoever still sends one keeps it.
    fn count(&self, key: GzipKey, cell: &Arc<OnceCell<Bytes>>, byte_count: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { entries, byte_count: total, .. } = &mut *kept;
        if let Some(entry) = entries.get_mut(&key).filter(|entry| Arc::ptr_eq(&entry.bytes, cell)) {
            *total += byte_count - entry.byte_count;
            entry.byte_count = byte_count;
        }
        while *total > self.bytes_max {
            let full = entries.iter().filter(|(_, entry)| entry.byte_count > 0);
            let Some(oldest) = full.min_by_key(|(_, entry)| entry.last_used).map(|(key, _)| *key) else { break };
            *total -= entries.remove(&oldest).map_or(0, |entry| entry.byte_count);
        }
    }
}

fn compress(pieces: impl Iterator<Item = Bytes>) -> Bytes {
    const CANNOT_FAIL: &str = "writing to memory does not fail";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for piece in pieces {
        encoder.write_all(&piece).expect(CANNOT_FAIL);
    }
    let mut bytes = encoder.finish().expect(CANNOT_FAIL);
    bytes.shrink_to_fit();
    bytes.into()
}

/// Whether Accept-Encoding lets gzip through (RFC 9110, 12.5.3): named or by `*`, and not with a quality of 0.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    let mut by_star = false;
    for element in values.flat_map(|value| value.split(',')) {
        let (coding, parameters) = element.split_once(';').unwrap_or((element, ""));
        let is_accepted = quality(parameters) > 0.0;
        match coding.trim() {
            coding if coding.eq_ignore_ascii_case("gzip") || coding.eq_ignore_ascii_case("x-gzip") => {
                return is_accepted;
            }
            "*" => by_star = is_accepted,
            _ => {}
        }
    }
    by_star
}

/// The value of `q`; 1 where it is missing or makes no sense.
fn quality(parameters: &str) -> f32 {
    let mut named = parameters.split(';').filter_map(|parameter| parameter.split_once('='));
    let value = named.find_map(|(name, value)| name.trim().eq_ignore_ascii_case("q").then_some(value));
    value.and_then(|value| value.trim().parse().ok()).unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_accept_it() {
        for (value, is_accepted) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("x-gzip", true),
            ("*", true),
            ("gzip;q=0, *", false),
            ("gzip; q=0.0", false),
            ("gzip;Q=0", false),
            ("*;q=0", false),
            ("identity", false),
            ("br", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
            assert_eq!(accepts_gzip(&headers), is_accepted, "{value:?}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
