//! Seeded randomness: the same seed gives the same feed on every machine, so the generator is our own and integer only.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
///
/// Chosen because a stream begins anywhere: every route and trip has a stream of its own, so that a change of one
/// leaves the others as they were.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The stream named `stream` of `seed`; streams are independent of one another.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        Self(mix(seed ^ mix(stream.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    /// Any number.
    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number from 0 to `limit - 1`; panics when `limit` is 0.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        assert!(limit > 0, "there is no number below 0");
        (((self.number() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// A number from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// One of `items`; panics when there is none.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}

/// Spreads the bits of `number` over all 64: neighbours become unlike. It maps no two numbers to one.
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers for state 1234567, as published with the reference code.
    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random(1_234_567);
        assert_eq!([random.number(), random.number()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn numbers_stay_within_their_limits_and_reach_them() {
        let mut random = Random::new(7, 0);
        let drawn: Vec<u32> = (0..1_000).map(|_| random.between(3, 6)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&3), Some(&6)));
    }
}
