//! Bytes that are kept as long as there is room, the least recently used forgotten first.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use bytes::Bytes;

/// What an entry takes beside its bytes: its places in both maps, with the room that these keep free.
const ENTRY_BYTES: usize = 256;

/// Bytes by key.
///
/// Invariants: `entries` and `by_use` hold the same keys; `byte_count` is the sum of what the entries take, and never
/// above `bytes_max` once a call has ended.
#[derive(Debug)]
pub(super) struct Kept<K> {
    bytes_max: usize,
    entries: HashMap<K, Entry>,
    /// last use -> key
    by_use: BTreeMap<u64, K>,
    byte_count: usize,
    /// Counts uses.
    clock: u64,
}

#[derive(Debug)]
struct Entry {
    bytes: Bytes,
    /// What of `Kept::byte_count` is this entry's.
    byte_count: usize,
    last_use: u64,
}

impl<K: Clone + Eq + Hash> Kept<K> {
    /// Keeps what takes up to `bytes_max` bytes.
    pub(super) fn new(bytes_max: usize) -> Self {
        Self { bytes_max, entries: HashMap::new(), by_use: BTreeMap::new(), byte_count: 0, clock: 0 }
    }

    /// What all entries take.
    pub(super) fn byte_count(&self) -> usize {
        self.byte_count
    }

    /// The bytes kept by `key`, which are then used.
    pub(super) fn find(&mut self, key: &K) -> Option<Bytes> {
        let entry = self.entries.get_mut(key)?;
        self.clock += 1;
        let key = self.by_use.remove(&entry.last_use).expect("both hold the same keys");
        entry.last_use = self.clock;
        self.by_use.insert(self.clock, key);
        Some(entry.bytes.clone())
    }

    /// Keeps `bytes` by `key`, which takes `key_bytes` itself, instead of what was kept by it; forgets others for it.
    ///
    /// What has no room even alone is not kept. Whoever still sends what is forgotten has it until it is sent.
    pub(super) fn keep(&mut self, key: K, key_bytes: usize, bytes: Bytes) {
        if let Some(entry) = self.entries.remove(&key) {
            self.by_use.remove(&entry.last_use);
            self.byte_count -= entry.byte_count;
        }
        let byte_count = bytes.len() + key_bytes + ENTRY_BYTES;
        if byte_count > self.bytes_max {
            return;
        }
        while self.byte_count + byte_count > self.bytes_max {
            let (_, oldest) = self.by_use.pop_first().expect("as long as there is something, it is in use order");
            self.byte_count -= self.entries.remove(&oldest).map_or(0, |entry| entry.byte_count);
        }
        self.clock += 1;
        self.by_use.insert(self.clock, key.clone());
        self.entries.insert(key, Entry { bytes, byte_count, last_use: self.clock });
        self.byte_count += byte_count;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bytes_of(byte_count: usize) -> Bytes {
        Bytes::from(vec![b'x'; byte_count])
    }

    #[test]
    fn what_fits_exactly_is_kept_and_a_byte_more_is_not() {
        for (byte_count, is_kept) in [(999, true), (1000, true), (1001, false)] {
            let mut kept = Kept::new(1000 + ENTRY_BYTES + 3);
            kept.keep("key", 3, bytes_of(byte_count));
            assert_eq!(kept.find(&"key").is_some(), is_kept, "{byte_count}");
        }
    }

    #[test]
    fn what_has_no_room_drives_nothing_out() {
        let mut kept = Kept::new(2000);
        kept.keep("small", 0, bytes_of(100));
        kept.keep("large", 0, bytes_of(2000));
        assert_eq!((kept.find(&"small"), kept.find(&"large")), (Some(bytes_of(100)), None));
        println!("but what was kept by its key is no longer true");
        kept.keep("small", 0, bytes_of(2000));
        assert_eq!((kept.find(&"small"), kept.byte_count), (None, 0));
    }

    #[derive(Clone, Debug)]
    enum Step {
        Find(u8),
        Keep(u8, usize),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            (0..12u8).prop_map(Step::Find),
            (0..12u8, prop_oneof![0..400usize, Just(ENTRY_BYTES), 0..3000usize])
                .prop_map(|(key, byte_count)| Step::Keep(key, byte_count)),
        ]
    }

    proptest! {
        #[test]
        fn it_does_as_a_plain_list_in_the_order_of_use(
            bytes_max in 0..4000usize,
            steps in prop::collection::vec(step(), 0..200),
        ) {
            let mut kept = Kept::new(bytes_max);
            // key, bytes; the least recently used first
            let mut list: Vec<(u8, Bytes)> = Vec::new();
            for step in steps {
                match step {
                    Step::Find(key) => {
                        let position = list.iter().position(|(found, _)| *found == key);
                        let expected = position.map(|position| list.remove(position));
                        list.extend(expected.clone());
                        prop_assert_eq!(kept.find(&key), expected.map(|(_, bytes)| bytes));
                    }
                    Step::Keep(key, byte_count) => {
                        let bytes = bytes_of(byte_count);
                        kept.keep(key, 1, bytes.clone());
                        list.retain(|(found, _)| *found != key);
                        let taken = |list: &[(u8, Bytes)]| -> usize {
                            list.iter().map(|(_, bytes)| bytes.len() + 1 + ENTRY_BYTES).sum()
                        };
                        if taken(&[(key, bytes.clone())]) <= bytes_max {
                            list.push((key, bytes));
                            while taken(&list) > bytes_max {
                                list.remove(0);
                            }
                        }
                        prop_assert_eq!(kept.byte_count, taken(&list));
                    }
                }
                prop_assert!(kept.byte_count <= bytes_max);
                prop_assert_eq!(kept.entries.len(), kept.by_use.len());
            }
        }
    }
}
