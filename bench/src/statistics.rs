//! A median and a spread: what can be said of a few runs on a noisy machine.

/// What several runs of one measurement gave, in the unit of the runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    /// The smallest value.
    pub(crate) min: f64,
    /// The value in the middle; of an even count, the mean of the middle two.
    pub(crate) median: f64,
    /// The largest value.
    pub(crate) max: f64,
}

impl Summary {
    /// Sums up `values`; `None` when there are none, or when one of them is no number.
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| value.is_nan()) {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        let median =
            if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) };
        Some(Self { min: sorted[0], median, max: sorted[sorted.len() - 1] })
    }

    /// How far the runs lie apart, as a share of the median: 0.25 means that the slowest and the fastest differ by 25 %.
    pub(crate) fn spread(&self) -> f64 {
        if self.median == 0.0 { 0.0 } else { (self.max - self.min) / self.median }
    }
}

/// The smallest of `values` that so large a share of them does not exceed (the nearest rank); `None` when there are none.
pub(crate) fn percentile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values: Vec<f64> = (1..=200).rev().map(f64::from).collect();
        assert_eq!(percentile(&values, 0.99), Some(198.0));
        assert_eq!(percentile(&values, 0.5), Some(100.0));
        assert_eq!(percentile(&values[..1], 0.99), Some(200.0));
        assert_eq!(percentile(&[], 0.99), None);
    }

    #[test]
    fn the_median_of_an_odd_count_is_the_middle_value() {
        let summary = Summary::of(&[5.0, 1.0, 3.0]).unwrap();
        assert_eq!(summary, Summary { min: 1.0, median: 3.0, max: 5.0 });
    }

    #[test]
    fn the_median_of_an_even_count_is_the_mean_of_the_middle_two() {
        let summary = Summary::of(&[4.0, 1.0, 10.0, 2.0]).unwrap();
        assert_eq!(summary, Summary { min: 1.0, median: 3.0, max: 10.0 });
    }

    #[test]
    fn one_slow_run_moves_the_spread_and_not_the_median() {
        let quiet = Summary::of(&[1.0, 1.0, 1.0, 1.0, 1.0]).unwrap();
        let disturbed = Summary::of(&[1.0, 1.0, 9.0, 1.0, 1.0]).unwrap();
        assert_eq!(quiet.median, disturbed.median);
        assert_eq!(quiet.spread(), 0.0);
        assert_eq!(disturbed.spread(), 8.0);
    }

    #[test]
    fn the_spread_is_a_share_of_the_median() {
        assert_eq!(Summary::of(&[8.0, 10.0, 12.0]).unwrap().spread(), 0.4);
        assert_eq!(Summary::of(&[0.0, 0.0]).unwrap().spread(), 0.0);
    }

    #[test]
    fn nothing_and_not_a_number_have_no_summary() {
        assert_eq!(Summary::of(&[]), None);
        assert_eq!(Summary::of(&[1.0, f64::NAN]), None);
    }
}
