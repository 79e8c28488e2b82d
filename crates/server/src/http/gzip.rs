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

use super::answer::{Answer, Content};
use super::body::SchedulesBody;

/// Shorter answers are not worth compressing: they fit in one packet or two.
const COMPRESSED_BYTES_MIN: u64 = 1024;

/// Answers of schedules in compressed form, by their route.
#[derive(Debug)]
pub struct GzipCache {
    bytes_max: usize,
    kept: Mutex<Kept>,
    /// As many compressions at a time as there are cores: more would only take memory.
    compressors: Semaphore,
}

#[derive(Debug, Default)]
struct Kept {
    entries: HashMap<RouteIdx, Entry>,
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
    pub fn new(bytes_max: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { bytes_max, kept: Mutex::default(), compressors: Semaphore::new(cores) }
    }

    /// `answer` in the coding that suits a client with these `headers`.
    pub(super) async fn negotiate(&self, answer: Answer, headers: &HeaderMap) -> Answer {
        let Some(content) = answer.compressible() else { return answer };
        if !accepts_gzip(headers) || content.byte_count() < COMPRESSED_BYTES_MIN {
            return answer;
        }
        if answer.is_known_compressed(headers) {
            return answer.gzipped(Bytes::new());
        }
        let bytes = match content {
            Content::Schedules(_, route) => self.find_or_compress(*route, content).await,
            // Small, so compressing it anew each time costs less than keeping track of it.
            Content::Bytes(bytes) => compress(std::iter::once(bytes.clone())),
        };
        answer.gzipped(bytes)
    }

    async fn find_or_compress(&self, route: RouteIdx, content: &Content) -> Bytes {
        let cell = self.entry(route);
        let compressed = cell.get_or_init(|| async {
            let _permit = self.compressors.acquire().await.expect("the semaphore is never closed");
            let byte_count = content.byte_count();
            let Content::Schedules(loaded, route) = content.clone() else { unreachable!("only these are kept") };
            let compressed = tokio::task::spawn_blocking(move || {
                let mut body = SchedulesBody::new(loaded, route, byte_count);
                compress(std::iter::from_fn(|| body.next_piece()))
            });
            let bytes = compressed.await.expect("compressing does not panic, and is never aborted");
            self.count(route, &cell, bytes.len());
            bytes
        });
        compressed.await.clone()
    }

    fn entry(&self, route: RouteIdx) -> Arc<OnceCell<Bytes>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clock += 1;
        let last_used = kept.clock;
        let entry =
            kept.entries.entry(route).or_insert_with(|| Entry { bytes: Arc::default(), byte_count: 0, last_used });
        entry.last_used = last_used;
        Arc::clone(&entry.bytes)
    }

    /// Counts a compressed answer, and forgets others until all are within the bound; whoever still sends one keeps it.
    fn count(&self, route: RouteIdx, cell: &Arc<OnceCell<Bytes>>, byte_count: usize) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Kept { entries, byte_count: total, .. } = &mut *kept;
        if let Some(entry) = entries.get_mut(&route).filter(|entry| Arc::ptr_eq(&entry.bytes, cell)) {
            *total += byte_count - entry.byte_count;
            entry.byte_count = byte_count;
        }
        while *total > self.bytes_max {
            let full = entries.iter().filter(|(_, entry)| entry.byte_count > 0);
            let Some(oldest) = full.min_by_key(|(_, entry)| entry.last_used).map(|(route, _)| *route) else { break };
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
