//! Shares of a whole in whole numbers: how many trips a route has, how many runs a pattern.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// One who gets a share.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    /// How much it is due in relation to the others.
    pub(super) weight: u64,
    /// The least that it gets.
    pub(super) min: u32,
    /// The most that it gets.
    pub(super) max: u32,
}

/// Splits `total` so that the parts add up to it exactly, each is within its bounds, and they are otherwise as near
/// to the weights as whole numbers can be (the highest averages method of D'Hondt).
///
/// Where the bounds leave no way, the least wins over `total`, and `total` is not reached when all have their most.
pub(super) fn share(total: u32, claims: &[Claim]) -> Vec<u32> {
    let mut parts: Vec<u32> = claims.iter().map(|claim| claim.min.min(claim.max)).collect();
    let mut rest = total.saturating_sub(parts.iter().sum());
    let average = |position: usize, part: u32| (claims[position].weight << 24) / u64::from(part + 1);
    let mut next: BinaryHeap<(u64, Reverse<usize>)> = (0..claims.len())
        .filter(|&position| parts[position] < claims[position].max)
        .map(|position| (average(position, parts[position]), Reverse(position)))
        .collect();
    while rest > 0 {
        let Some((_, Reverse(position))) = next.pop() else { break };
        parts[position] += 1;
        rest -= 1;
        if parts[position] < claims[position].max {
            next.push((average(position, parts[position]), Reverse(position)));
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(bounds: &[(u64, u32, u32)]) -> Vec<Claim> {
        bounds.iter().map(|&(weight, min, max)| Claim { weight, min, max }).collect()
    }

    #[test]
    fn parts_follow_the_weights_and_add_up() {
        assert_eq!(share(100, &claims(&[(1, 0, 100), (3, 0, 100), (6, 0, 100)])), [10, 30, 60]);
        assert_eq!(share(7, &claims(&[(1, 0, 9), (1, 0, 9)])).iter().sum::<u32>(), 7);
    }

    #[test]
    fn bounds_are_kept() {
        assert_eq!(share(10, &claims(&[(100, 0, 2), (1, 3, 9), (1, 0, 9)])), [2, 4, 4]);
        assert_eq!(share(1, &claims(&[(1, 2, 2), (1, 1, 9)])), [2, 1]);
        assert_eq!(share(10, &claims(&[(1, 0, 2), (1, 0, 3)])), [2, 3]);
    }
}
