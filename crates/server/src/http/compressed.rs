//! Compressed answers: for each client in the coding that suits it best, made once where the same is asked again.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;
use hyper::header::HeaderMap;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::answer::{Answer, AnswerKey};
use super::coding::{Accepted, Coding};
use super::content::{Content, Ready};
use super::encoder::{Effort, compress, compress_small};
use super::kept::Kept;

/// Shorter answers are not worth compressing: they fit in one packet or two.
const COMPRESSED_BYTES_MIN: u64 = 1024;

/// Longer answers are compressed on a thread of their own: a tenth of a millisecond is what others can wait.
const SMALL_BYTES_MAX: usize = 64 << 10;

/// How many compressions there may be at a time, on a machine with as many cores or more: each takes some 10 MB.
const COMPRESSIONS_MAX: usize = 4;

/// Answers in compressed form.
#[derive(Debug)]
pub(super) struct CompressedAnswers {
    kept: Mutex<Kept<Key>>,
    /// What is being compressed, to be shared by all who ask for it meanwhile.
    under_way: Mutex<HashMap<Key, Weak<UnderWay>>>,
    compressors: Arc<Semaphore>,
    /// How many compressions on a thread of their own have begun.
    compression_count: AtomicU64,
}

/// All codings are kept within one bound: what nobody asks for in one of them leaves room for another.
type Key = (AnswerKey, Coding);

/// Held by whoever compresses; who waits for it finds the bytes.
type UnderWay = tokio::sync::Mutex<Option<Bytes>>;

impl CompressedAnswers {
    /// Keeps answers that take up to `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            kept: Mutex::new(Kept::new(bytes_max)),
            under_way: Mutex::default(),
            compressors: Arc::new(Semaphore::new(cores.min(COMPRESSIONS_MAX))),
            compression_count: AtomicU64::new(0),
        }
    }

    /// What all that is kept takes.
    pub(super) fn kept_bytes(&self) -> usize {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).byte_count()
    }

    /// `answer` in the coding that suits a client with these `headers`.
    pub(super) async fn negotiate(self: &Arc<Self>, answer: Answer, headers: &HeaderMap) -> Answer {
        if !answer.is_compressible() {
            return answer;
        }
        let accepted = Accepted::read(headers);
        // A client that has the answer in a coding that it takes needs no other, and it need not be made.
        if let Some(known) = accepted.best_first().find(|coding| answer.is_named_by_client(headers, *coding)) {
            return answer.coded(known, Bytes::new());
        }
        let coding = accepted.best();
        if coding == Coding::Identity {
            return answer;
        }
        let key = answer.key().map(|key| (key, coding));
        if let Some(bytes) = key.as_ref().and_then(|key| self.find(key)) {
            return answer.coded(coding, bytes);
        }
        // Kept answers may be large: they are made where they are compressed, when there is room for that.
        let answer = if key.is_some() { answer } else { answer.made() };
        // The length of an answer of schedules takes a look at all its trips, so it is not asked for before.
        let is_short = match answer.content() {
            Content::Made(_) => false,
            Content::Ready(content) => content.byte_count() < COMPRESSED_BYTES_MIN,
        };
        if is_short && accepted.accepts(Coding::Identity) {
            return answer;
        }
        let bytes = match (key, answer.content()) {
            (Some(key), content) => self.compress_once(key, content.clone()).await,
            (None, Content::Ready(Ready::Bytes(bytes))) if bytes.len() < SMALL_BYTES_MAX => {
                Some(compress_small(coding, bytes))
            }
            (None, content) => self.compress_apart(coding, Effort::Fast, content.clone(), |_| ()).await,
        };
        match bytes {
            Some(bytes) => answer.coded(coding, bytes),
            None => answer,
        }
    }

    /// `content`, compressed by whoever asks for it first; others who ask for the same meanwhile wait for that.
    async fn compress_once(self: &Arc<Self>, key: Key, content: Content) -> Option<Bytes> {
        let mut under_way = self.under_way(&key).lock_owned().await;
        // Another may have ended after this one looked, and before it came to wait.
        if let Some(bytes) = under_way.clone().or_else(|| self.find(&key)) {
            return Some(bytes);
        }
        let (coding, compressed) = (key.1, Arc::clone(self));
        // Kept by the thread that compresses it, which goes on even if the client leaves.
        let keep = move |bytes: &Bytes| {
            let key_bytes = key.0.heap_bytes();
            compressed.kept.lock().unwrap_or_else(PoisonError::into_inner).keep(key, key_bytes, bytes.clone());
            *under_way = Some(bytes.clone());
        };
        self.compress_apart(coding, Effort::Thorough, content, keep).await
    }

    /// `content`, compressed on a thread of its own, where `keep` is told of it; none when the program is ending, as
    /// nothing new is begun then.
    ///
    /// A client that leaves while it waits for its turn leaves nothing behind.
    async fn compress_apart(
        &self,
        coding: Coding,
        effort: Effort,
        content: Content,
        keep: impl FnOnce(&Bytes) + Send + 'static,
    ) -> Option<Bytes> {
        let compressors = Arc::clone(&self.compressors);
        let permit = compressors.acquire_owned().await.expect("the semaphore is never closed");
        self.compression_count.fetch_add(1, Ordering::Relaxed);
        let compressed = spawn_blocking(move || {
            let content = content.ready();
            let byte_count = content.byte_count();
            let bytes = compress(coding, effort, content.into_pieces(byte_count), byte_count);
            keep(&bytes);
            drop(permit);
            bytes
        });
        compressed.await.ok()
    }

    /// The compressed answer, if it is kept.
    fn find(&self, key: &Key) -> Option<Bytes> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).find(key)
    }

    /// Where those meet who ask for the same.
    fn under_way(&self, key: &Key) -> Arc<UnderWay> {
        let mut all = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(under_way) = all.get(key).and_then(Weak::upgrade) {
            return under_way;
        }
        // What has ended is cleared away by who begins, so that there are hardly more than there are clients waiting.
        all.retain(|_, under_way| under_way.strong_count() > 0);
        let under_way = Arc::default();
        all.insert(key.clone(), Arc::downgrade(&under_way));
        under_way
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;
    use std::time::Duration;

    use hyper::header;

    use super::super::caching::{Caching, Question};
    use super::*;
    use crate::feed::Loaded;

    const CODINGS: [&str; 3] = ["zstd", "br", "gzip"];

    static LOADED: LazyLock<Loaded> = LazyLock::new(|| crate::feed::built_in_city().unwrap());

    /// An answer to a question of this name, of so many bytes.
    fn answer(question: &str, byte_count: usize) -> Answer {
        let text = question.to_owned();
        let make = move || text.bytes().cycle().take(byte_count).collect();
        Answer::of_feed(&LOADED, "text/plain", Question::Other(question.into()), make)
    }

    fn accepting(coding: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, coding.parse().unwrap())])
    }

    fn count(compressed: &CompressedAnswers) -> u64 {
        compressed.compression_count.load(Ordering::Relaxed)
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_asks_for_the_same_at_once_has_it_compressed_once_in_each_coding() {
        for bytes_max in [0, 1 << 20] {
            let compressed = Arc::new(CompressedAnswers::new(bytes_max));
            let answer = answer("large", 200_000);
            // Nobody begins before all wait: all that can compress is taken.
            let cores = compressed.compressors.available_permits() as u32;
            let all = Arc::clone(&compressed.compressors).acquire_many_owned(cores).await.unwrap();
            let mut clients = Vec::new();
            for coding in CODINGS.into_iter().cycle().take(60) {
                let (compressed, answer) = (Arc::clone(&compressed), answer.clone());
                clients.push(tokio::spawn(async move { compressed.negotiate(answer, &accepting(coding)).await }));
            }
            let is_waiting = |under_way: &Weak<UnderWay>| under_way.strong_count() == 60 / CODINGS.len();
            let all_wait = async {
                while compressed.under_way.lock().unwrap().values().filter(|one| is_waiting(one)).count()
                    < CODINGS.len()
                {
                    tokio::task::yield_now().await;
                }
            };
            tokio::time::timeout(Duration::from_secs(60), all_wait).await.expect("all of them wait for a coding");
            drop(all);
            for client in clients {
                assert!(client.await.unwrap().content().clone().ready().byte_count() < 200_000);
            }
            assert_eq!(count(&compressed), CODINGS.len() as u64, "within {bytes_max} bytes");
        }
    }

    #[tokio::test]
    async fn a_client_that_leaves_while_it_waits_leaves_nothing_behind() {
        let compressed = Arc::new(CompressedAnswers::new(1 << 20));
        let cores = compressed.compressors.available_permits() as u32;
        let all = Arc::clone(&compressed.compressors).acquire_many_owned(cores).await.unwrap();
        for question in 0..100 {
            let asked = answer(&format!("question {question}"), 2000);
            let headers = accepting("zstd");
            let mut waiting = std::pin::pin!(compressed.negotiate(asked, &headers));
            let polled = std::future::poll_fn(|context| std::task::Poll::Ready(waiting.as_mut().poll(context))).await;
            assert!(polled.is_pending(), "{question}: there is nobody to compress it");
        }
        assert!(compressed.under_way.lock().unwrap().len() <= 1, "the last one is cleared away by the next");
        drop(all);
        compressed.negotiate(answer("question 7", 2000), &accepting("zstd")).await;
        assert_eq!(count(&compressed), 1, "nobody compressed for those who left");
    }

    #[tokio::test]
    async fn what_is_not_kept_is_compressed_at_once_while_it_is_small() {
        let compressed = Arc::new(CompressedAnswers::new(1 << 20));
        for (byte_count, is_apart) in [(SMALL_BYTES_MAX - 1, false), (SMALL_BYTES_MAX, true)] {
            for coding in CODINGS {
                let before = count(&compressed);
                let answer = answer("departures", byte_count).with_caching(Caching::NoStore);
                let coded = compressed.negotiate(answer, &accepting(coding)).await;
                assert!(coded.content().clone().ready().byte_count() < byte_count as u64 / 10, "{coding}");
                assert_eq!(count(&compressed) - before, u64::from(is_apart), "{byte_count} bytes in {coding}");
            }
        }
    }

    #[tokio::test]
    async fn what_is_kept_is_not_made_again() {
        let compressed = Arc::new(CompressedAnswers::new(1 << 20));
        let made = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&made);
        let make = move || {
            counter.fetch_add(1, Ordering::Relaxed);
            vec![b'x'; 5000]
        };
        let answer = Answer::of_feed(&LOADED, "text/plain", Question::Other("x".into()), make);
        for _ in 0..3 {
            compressed.negotiate(answer.clone(), &accepting("br")).await;
        }
        assert_eq!((made.load(Ordering::Relaxed), count(&compressed)), (1, 1));
    }
}
