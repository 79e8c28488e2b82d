//! How long to wait before something is tried again.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// No pause between two attempts is longer, whatever a server asks for.
pub(crate) const PAUSE_MAX: Duration = Duration::from_secs(60);

/// Attempts at one thing: each pause is twice the one before, less up to a half, so that many who failed at the same
/// time do not come back at the same time.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    /// The first pause, before anything is taken off.
    first: Duration,
    attempts_max: u32,
    /// How many have failed.
    failed: u32,
}

impl Backoff {
    pub(crate) fn new(first: Duration, attempts_max: u32) -> Self {
        Self { first, attempts_max, failed: 0 }
    }

    /// How many attempts have failed.
    pub(crate) fn failed(&self) -> u32 {
        self.failed
    }

    /// Counts a failed attempt: how long to wait for the next, at least `asked`; none when it was the last.
    pub(crate) fn on_failure(&mut self, asked: Option<Duration>) -> Option<Duration> {
        // The standard library's random keys are at hand, and a pause needs no better ones.
        let random = RandomState::new().hash_one(self.failed) as f64 / u64::MAX as f64;
        self.pause(asked, random)
    }

    /// `random` is from 0 to 1.
    fn pause(&mut self, asked: Option<Duration>, random: f64) -> Option<Duration> {
        self.failed += 1;
        if self.failed >= self.attempts_max {
            return None;
        }
        let doubled = self.first.saturating_mul(1_u32.checked_shl(self.failed - 1).unwrap_or(u32::MAX)).min(PAUSE_MAX);
        let pause = doubled.mul_f64(1.0 - random.clamp(0.0, 1.0) / 2.0);
        Some(pause.max(asked.unwrap_or_default()).min(PAUSE_MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses_s(random: f64, attempts_max: u32) -> Vec<f64> {
        let mut backoff = Backoff::new(Duration::from_secs(1), attempts_max);
        std::iter::from_fn(|| backoff.pause(None, random)).map(|pause| pause.as_secs_f64()).collect()
    }

    #[test]
    fn pauses_double_up_to_a_bound_and_then_it_is_given_up() {
        assert_eq!(pauses_s(0.0, 9), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0, 60.0]);
        assert_eq!(pauses_s(1.0, 9), [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]);
        assert_eq!(pauses_s(0.0, 1), [] as [f64; 0]);
        assert_eq!(pauses_s(0.0, 99).len(), 98);
    }

    #[test]
    fn a_server_may_ask_for_a_longer_pause_but_not_for_any() {
        let mut backoff = Backoff::new(Duration::from_secs(2), 9);
        for (asked_s, pause_s) in [(0, 2), (9, 9), (86_400, 60), (1, 16)] {
            assert_eq!(backoff.pause(Some(Duration::from_secs(asked_s)), 0.0), Some(Duration::from_secs(pause_s)));
        }
        assert_eq!(backoff.failed(), 4);
    }

    #[test]
    fn pauses_differ() {
        let pause = || Backoff::new(Duration::from_secs(1), 2).on_failure(None);
        let first = pause();
        assert!((0..100).any(|_| pause() != first));
    }
}
