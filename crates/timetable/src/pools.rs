//! Interned rows and strings: each is stored once, packed, and known by a strong index.

use std::hash::{BuildHasher, Hash};

use foldhash::quality::RandomState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::index::Index;
use crate::rows::Rows;

/// Rows packed end to end, each stored once; the index of a row is the order in which it first came.
///
/// The table holds indexes only and compares whole rows; its hash is seeded anew in every process, so nobody can
/// choose ids that collide. Nothing that leaves this crate depends on the seed.
#[derive(Clone, Debug)]
pub(crate) struct RowPool<K, V> {
    rows: Rows<K, V>,
    table: HashTable<u32>,
    hasher: RandomState,
}

impl<K: Index, V: Copy + Hash + Eq> RowPool<K, V> {
    /// Adds `row` and gives its new index, or `Err` with the index it already has.
    pub(crate) fn try_intern(&mut self, row: &[V]) -> Result<K, K> {
        let Self { rows, table, hasher } = self;
        let entry = table.entry(
            hasher.hash_one(row),
            |&known| rows.row(K::new(known as usize)) == row,
            |&known| hasher.hash_one(rows.row(K::new(known as usize))),
        );
        match entry {
            Entry::Occupied(known) => Err(K::new(*known.get() as usize)),
            Entry::Vacant(place) => {
                let index = rows.push_row(row);
                place.insert(index.position() as u32);
                Ok(index)
            }
        }
    }

    /// The index of `row`, which is added when it is new.
    pub(crate) fn intern(&mut self, row: &[V]) -> K {
        self.try_intern(row).unwrap_or_else(|known| known)
    }

    /// The index of `row`, if it is known.
    #[inline]
    pub(crate) fn find(&self, row: &[V]) -> Option<K> {
        let is_equal = |&known: &u32| self.rows.row(K::new(known as usize)) == row;
        self.table.find(self.hasher.hash_one(row), is_equal).map(|&known| K::new(known as usize))
    }

    /// The rows, without what finds them.
    pub(crate) fn rows(&self) -> &Rows<K, V> {
        &self.rows
    }

    /// The rows alone.
    pub(crate) fn into_rows(mut self) -> Rows<K, V> {
        self.rows.shrink_to_fit();
        self.rows
    }
}

impl<K: Index, V: Copy> Default for RowPool<K, V> {
    fn default() -> Self {
        Self { rows: Rows::new(), table: HashTable::new(), hasher: RandomState::default() }
    }
}

/// Strings, each stored once; the index of a string is the order in which it first came.
#[derive(Clone, Debug)]
pub(crate) struct StringPool<K> {
    bytes: RowPool<K, u8>,
}

impl<K: Index> StringPool<K> {
    /// No strings.
    pub(crate) fn new() -> Self {
        Self { bytes: RowPool::default() }
    }

    /// The index of `string`, which is added when it is new.
    pub(crate) fn intern(&mut self, string: &str) -> K {
        self.bytes.intern(string.as_bytes())
    }

    /// Adds `string` and gives its new index, or `Err` with the index it already has.
    pub(crate) fn try_intern(&mut self, string: &str) -> Result<K, K> {
        self.bytes.try_intern(string.as_bytes())
    }

    /// The index of `string`, if it is known.
    pub(crate) fn find(&self, string: &str) -> Option<K> {
        self.find_bytes(string.as_bytes())
    }

    /// The index of the string that these bytes are, if it is known; bytes that are no UTF-8 never are.
    #[inline]
    pub(crate) fn find_bytes(&self, string: &[u8]) -> Option<K> {
        self.bytes.find(string)
    }

    /// The string of `index`.
    pub(crate) fn get(&self, index: K) -> &str {
        std::str::from_utf8(self.get_bytes(index)).expect("only whole strings are pushed")
    }

    /// The UTF-8 bytes of the string of `index`.
    pub(crate) fn get_bytes(&self, index: K) -> &[u8] {
        self.bytes.rows.row(index)
    }

    /// How many strings there are.
    pub(crate) fn len(&self) -> usize {
        self.bytes.rows.len()
    }

    /// All strings with their indexes, in the order in which they came.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &str)> {
        (0..self.len()).map(|position| (K::new(position), self.get(K::new(position))))
    }

    /// Bytes held on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.bytes.rows.heap_bytes() + self.bytes.table.allocation_size()
    }

    /// Gives back what growing took in advance.
    pub(crate) fn shrink_to_fit(&mut self) {
        let RowPool { rows, table, hasher } = &mut self.bytes;
        rows.shrink_to_fit();
        table.shrink_to_fit(|&known| hasher.hash_one(rows.row(K::new(known as usize))));
    }
}

impl<K: Index> Default for StringPool<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Index> PartialEq for StringPool<K> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes.rows == other.bytes.rows
    }
}

/// The seed is left out: equal strings in equal order are the same to every process.
impl<K: Index> Hash for StringPool<K> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.bytes.rows.hash(state);
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
