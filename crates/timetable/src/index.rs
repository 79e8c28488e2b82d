//! Strong indexes: a `TripIdx` can never be used where a `StopIdx` is meant.

use std::fmt::Debug;
use std::hash::Hash;

/// A position in a column of the timetable: a `u32` that knows which column.
pub trait Index: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// The index of position `position`; panics past `u32::MAX - 1`, which is kept for [`OptionIdx`].
    fn new(position: usize) -> Self;

    /// The position, as a subscript.
    fn position(self) -> usize;

    /// The position as it is stored.
    fn number(self) -> u32;
}

macro_rules! indexes {
    ($($(#[$doc:meta])* $visibility:vis $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name(u32);

        impl Index for $name {
            fn new(position: usize) -> Self {
                assert!(position < u32::MAX as usize, "more than {} rows of one kind", u32::MAX - 1);
                Self(position as u32)
            }

            #[inline]
            fn position(self) -> usize {
                self.0 as usize
            }

            #[inline]
            fn number(self) -> u32 {
                self.0
            }
        }
    )*};
}

indexes! {
    /// A row of agency.txt.
    pub AgencyIdx,
    /// A stop, station, entrance, node or boarding area: a row of stops.txt, or an id that other files refer to.
    pub StopIdx,
    /// A route: a row of routes.txt, or an id that trips.txt refers to.
    pub RouteIdx,
    /// A service: an id of calendar.txt, calendar_dates.txt or trips.txt.
    pub ServiceIdx,
    /// A trip: a row of trips.txt.
    pub TripIdx,
    /// A shared sequence of stops, see [`crate::PatternStop`].
    pub PatternIdx,
    /// A shared sequence of running times, see [`crate::RunTimes`].
    pub RunIdx,
    /// A shape: an id of shapes.txt.
    pub ShapeIdx,
    /// A text that rows share: a name, a headsign, a colour, a block.
    pub TextIdx,
    /// A distinct end of a row of stop_times.txt, while it is read.
    pub(crate) TailIdx,
}

/// An index or nothing, in four bytes: `Option<K>` would take eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OptionIdx<K> {
    value: u32,
    key: std::marker::PhantomData<K>,
}

impl<K: Index> OptionIdx<K> {
    /// No index.
    pub const NONE: Self = Self { value: u32::MAX, key: std::marker::PhantomData };

    /// The position as it is stored; `u32::MAX` for none.
    pub(crate) fn number(self) -> u32 {
        self.value
    }

    /// The index, if there is one.
    pub fn get(self) -> Option<K> {
        (self.value != u32::MAX).then(|| K::new(self.value as usize))
    }
}

impl<K: Index> Default for OptionIdx<K> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<K: Index> From<Option<K>> for OptionIdx<K> {
    fn from(option: Option<K>) -> Self {
        option.map_or(Self::NONE, |index| Self { value: index.number(), key: std::marker::PhantomData })
    }
}
