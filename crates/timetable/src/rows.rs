//! Short rows packed end to end.

use std::marker::PhantomData;

use crate::index::Index;

/// Short rows packed end to end: row `k` is `values[starts[k]..starts[k + 1]]`.
///
/// Invariant, kept by `push_row`: `starts` begins at 0, never falls, and ends at `values.len()`.
/// Why not `Vec<Vec<V>>`: a stop time is a few bytes, so a header and an allocation per trip would rival the data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rows<K, V> {
    starts: Vec<u32>,
    values: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Index, V: Copy> Rows<K, V> {
    /// No rows.
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], values: Vec::new(), key: PhantomData }
    }

    /// Rows gathered from pairs in any order; within a row the pairs keep the order in which they come.
    ///
    /// `pairs` is walked twice (count, then place), so it must give the same pairs both times.
    pub(crate) fn group(row_count: usize, pairs: impl Iterator<Item = (K, V)> + Clone) -> Self {
        let mut starts = vec![0u32; row_count + 1];
        let mut first = None;
        for (key, value) in pairs.clone() {
            starts[key.position() + 1] += 1;
            first.get_or_insert(value);
        }
        for row in 0..row_count {
            starts[row + 1] += starts[row];
        }
        let Some(first) = first else { return Self { starts, values: Vec::new(), key: PhantomData } };
        let mut values = vec![first; starts[row_count] as usize];
        let mut next: Vec<u32> = starts[..row_count].to_vec();
        for (key, value) in pairs {
            let place = &mut next[key.position()];
            values[*place as usize] = value;
            *place += 1;
        }
        Self { starts, values, key: PhantomData }
    }

    /// Adds a row at the end; panics when the values of all rows pass `u32::MAX`.
    pub(crate) fn push_row(&mut self, row: &[V]) -> K {
        let key = K::new(self.len());
        self.values.extend_from_slice(row);
        self.starts.push(u32::try_from(self.values.len()).expect("4 billion values fit no feed that can be read"));
        key
    }

    /// The values of row `key`; panics when there is no such row.
    pub(crate) fn row(&self, key: K) -> &[V] {
        let position = key.position();
        &self.values[self.starts[position] as usize..self.starts[position + 1] as usize]
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// All rows in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[V]> + Clone {
        (0..self.len()).map(|position| self.row(K::new(position)))
    }

    /// Bytes held on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.values.capacity() * size_of::<V>()
    }

    /// Gives back what growing took in advance.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.starts.shrink_to_fit();
        self.values.shrink_to_fit();
    }
}

impl<K: Index, V: Copy> Default for Rows<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{RouteIdx, TripIdx};

    #[test]
    fn rows_come_back_as_they_were_pushed() {
        let mut rows = Rows::<TripIdx, u8>::new();
        let keys = [rows.push_row(&[1, 2]), rows.push_row(&[]), rows.push_row(&[3])];
        assert_eq!(keys.map(|key| rows.row(key).to_vec()), [vec![1, 2], vec![], vec![3]]);
        assert_eq!(rows.len(), 3);
    }

    #[test]
    fn grouping_keeps_the_order_within_a_row() {
        let pairs = [(2, 'a'), (0, 'b'), (2, 'c'), (2, 'a')].map(|(key, value)| (RouteIdx::new(key), value));
        let rows = Rows::group(4, pairs.iter().copied());
        assert_eq!(rows.iter().map(|row| row.iter().collect()).collect::<Vec<String>>(), ["b", "", "aca", ""]);
    }
}
