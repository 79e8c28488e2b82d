//! Interned strings: each is stored once, packed, and known by a strong index.

use std::hash::BuildHasher;

use foldhash::quality::RandomState;
use hashbrown::HashTable;

use crate::index::Index;
use crate::rows::Rows;

/// Strings packed end to end, each stored once; the index of a string is the order in which it first came.
///
/// The table holds indexes only and compares whole strings; its hash is seeded anew in every process, so nobody can
/// choose ids that collide. Nothing that leaves this crate depends on the seed.
#[derive(Clone, Debug)]
pub struct StringPool<K> {
    strings: Rows<K, u8>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl<K: Index> StringPool<K> {
    /// No strings.
    pub fn new() -> Self {
        Self { strings: Rows::new(), table: HashTable::new(), hasher: RandomState::default() }
    }

    /// The index of `string`, which is added when it is new.
    pub fn intern(&mut self, string: &str) -> K {
        self.try_intern(string).unwrap_or_else(|known| known)
    }

    /// Adds `string` and gives its new index, or `Err` with the index it already has.
    pub fn try_intern(&mut self, string: &str) -> Result<K, K> {
        let Self { strings, table, hasher } = self;
        let entry = table.entry(
            hasher.hash_one(string.as_bytes()),
            |&known| strings.row(K::new(known as usize)) == string.as_bytes(),
            |&known| hasher.hash_one(strings.row(K::new(known as usize))),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(known) => Err(K::new(*known.get() as usize)),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let index = strings.push_row(string.as_bytes());
                place.insert(index.position() as u32);
                Ok(index)
            }
        }
    }

    /// The index of `string`, if it is known.
    pub fn find(&self, string: &str) -> Option<K> {
        let hash = self.hasher.hash_one(string.as_bytes());
        let is_equal = |&known: &u32| self.strings.row(K::new(known as usize)) == string.as_bytes();
        self.table.find(hash, is_equal).map(|&known| K::new(known as usize))
    }

    /// The string of `index`.
    pub fn get(&self, index: K) -> &str {
        std::str::from_utf8(self.strings.row(index)).expect("only whole strings are pushed")
    }

    /// How many strings there are.
    pub fn len(&self) -> usize {
        self.strings.len()
    }

    /// Whether there is no string at all.
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// All strings with their indexes, in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (K, &str)> {
        (0..self.len()).map(|position| (K::new(position), self.get(K::new(position))))
    }

    /// Bytes held on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.strings.heap_bytes() + self.table.allocation_size()
    }

    /// Gives back what growing took in advance.
    pub fn shrink_to_fit(&mut self) {
        self.strings.shrink_to_fit();
    }
}

impl<K: Index> Default for StringPool<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Index> PartialEq for StringPool<K> {
    fn eq(&self, other: &Self) -> bool {
        self.strings == other.strings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::TextIdx;

    #[test]
    fn a_string_is_stored_once_and_found_again() {
        let mut pool = StringPool::<TextIdx>::new();
        let (blue, empty) = (pool.intern("Blue"), pool.intern(""));
        assert_eq!(pool.try_intern("Blue"), Err(blue));
        assert_eq!((pool.len(), pool.get(blue), pool.get(empty)), (2, "Blue", ""));
        assert_eq!((pool.find("Blue"), pool.find("Red")), (Some(blue), None));
    }

    #[test]
    fn many_strings_are_told_apart() {
        let mut pool = StringPool::<TextIdx>::new();
        for number in 0..10_000 {
            assert!(pool.try_intern(&format!("trip-{number}")).is_ok());
        }
        assert!(pool.iter().all(|(index, string)| pool.find(string) == Some(index)));
    }
}
