//! Service days: which dates a service runs on (GTFS reference, calendar.txt and calendar_dates.txt).

use jiff::ToSpan;
use jiff::civil::Date;

/// The days on which a service runs; without any, it never does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Service {
    /// The row of calendar.txt.
    pub week: Option<Week>,
    /// The rows of calendar_dates.txt by date, one for each date.
    pub exceptions: Vec<(Date, Exception)>,
}

/// A row of calendar.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Week {
    /// Whether it runs on Monday to Sunday.
    pub days: [bool; 7],
    /// The first day, included.
    pub start_date: Date,
    /// The last day, included.
    pub end_date: Date,
}

/// exception_type of calendar_dates.txt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Exception {
    /// 1: it runs on this date.
    Added,
    /// 2: it does not.
    Removed,
}

impl Service {
    /// Whether the service runs on `date`: an exception goes before the week.
    pub fn runs_on(&self, date: Date) -> bool {
        match self.exceptions.binary_search_by_key(&date, |(date, _)| *date) {
            Ok(position) => self.exceptions[position].1 == Exception::Added,
            Err(_) => self.week.is_some_and(|week| week.runs_on(date)),
        }
    }

    /// The first and the last day on which the service runs; `None` if it never does.
    pub fn period(&self) -> Option<(Date, Date)> {
        let added =
            self.exceptions.iter().filter(|(_, exception)| *exception == Exception::Added).map(|(date, _)| *date);
        let from = |week: Week| self.first_run(week, week.start_date, 1);
        let until = |week: Week| self.first_run(week, week.end_date, -1);
        let first = self.week.and_then(from).into_iter().chain(added.clone()).min()?;
        let last = self.week.and_then(until).into_iter().chain(added).max()?;
        Some((first, last))
    }

    /// The first day from `date` on, in steps of `step` days, on which the week runs and is not excepted.
    fn first_run(&self, week: Week, date: Date, step: i64) -> Option<Date> {
        // A week without days, or one that exceptions remove throughout, ends the walk: seven days and each exception
        // can be passed over once.
        let step_count_max = 7 * (self.exceptions.len() + 1);
        let mut date = Some(date);
        for _ in 0..step_count_max {
            let day = date.filter(|day| (week.start_date..=week.end_date).contains(day))?;
            if self.runs_on(day) {
                return Some(day);
            }
            date = day.checked_add(step.days()).ok();
        }
        None
    }
}

impl Week {
    fn runs_on(self, date: Date) -> bool {
        let weekday = date.weekday().to_monday_zero_offset();
        (self.start_date..=self.end_date).contains(&date) && self.days[weekday as usize]
    }
}

/// Reads `YYYYMMDD`.
pub(crate) fn read_date(text: &[u8]) -> Option<Date> {
    let text: &[u8; 8] = text.try_into().ok()?;
    let number = |digits: &[u8]| {
        digits
            .iter()
            .try_fold(0i16, |number, digit| digit.is_ascii_digit().then(|| number * 10 + i16::from(digit - b'0')))
    };
    Date::new(number(&text[..4])?, number(&text[4..6])? as i8, number(&text[6..])? as i8).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;
    use proptest::collection::btree_map;
    use proptest::{option, prelude::*};

    const WORKDAYS: [bool; 7] = [true, true, true, true, true, false, false];

    #[test]
    fn exceptions_go_before_the_week() {
        let week = Week { days: WORKDAYS, start_date: date(2026, 11, 2), end_date: date(2026, 11, 29) };
        let exceptions = vec![(date(2026, 11, 2), Exception::Removed), (date(2026, 12, 6), Exception::Added)];
        let service = Service { week: Some(week), exceptions };
        assert!(!service.runs_on(date(2026, 11, 2)));
        assert!(service.runs_on(date(2026, 11, 3)));
        assert!(!service.runs_on(date(2026, 11, 28)));
        assert!(service.runs_on(date(2026, 12, 6)));
        assert_eq!(service.period(), Some((date(2026, 11, 3), date(2026, 12, 6))));
    }

    #[test]
    fn a_service_that_never_runs_has_no_period() {
        let never = Week { days: [false; 7], start_date: date(1, 1, 1), end_date: date(9999, 12, 31) };
        assert_eq!(Service { week: Some(never), exceptions: vec![] }.period(), None);
        let backwards = Week { days: WORKDAYS, start_date: date(2026, 2, 1), end_date: date(2026, 1, 1) };
        assert_eq!(Service { week: Some(backwards), exceptions: vec![] }.period(), None);
        let exceptions = (2..7).map(|day| (date(2026, 11, day), Exception::Removed)).collect();
        let removed = Week { days: WORKDAYS, start_date: date(2026, 11, 1), end_date: date(2026, 11, 8) };
        assert_eq!(Service { week: Some(removed), exceptions }.period(), None);
    }

    #[test]
    fn dates_are_read_or_refused() {
        assert_eq!(read_date(b"20240229"), Some(date(2024, 2, 29)));
        for text in ["20230229", "2024-2-9", "2024022", "202402290", "00000000", "20241301", ""] {
            assert_eq!(read_date(text.as_bytes()), None, "{text}");
        }
    }

    /// A day of a stretch of a hundred, with New Year and the 29th of February among them.
    fn day(number: i64) -> Date {
        date(2023, 12, 1).checked_add(number.days()).unwrap()
    }

    proptest! {
        #[test]
        fn a_service_runs_when_the_plain_twin_says_so(
            week in option::of((any::<[bool; 7]>(), 0..100i64, 0..100i64)),
            exceptions in btree_map(0..100i64, any::<bool>(), 0..20),
        ) {
            let runs_by_twin = |number: i64| match (exceptions.get(&number), week) {
                (Some(is_added), _) => *is_added,
                // The 1st of December 2023 was a Friday.
                (None, Some((days, start, end))) => days[(number + 4) as usize % 7] && (start..=end).contains(&number),
                (None, None) => false,
            };
            let exception = |is_added: bool| if is_added { Exception::Added } else { Exception::Removed };
            let service = Service {
                week: week.map(|(days, start, end)| Week { days, start_date: day(start), end_date: day(end) }),
                exceptions: exceptions.iter().map(|(number, is_added)| (day(*number), exception(*is_added))).collect(),
            };
            for number in 0..100 {
                prop_assert_eq!(service.runs_on(day(number)), runs_by_twin(number), "{}", day(number));
            }
            let first = (0..100).find(|number| runs_by_twin(*number));
            let last = (0..100).rfind(|number| runs_by_twin(*number));
            prop_assert_eq!(service.period(), first.zip(last).map(|(first, last)| (day(first), day(last))));
        }

        #[test]
        fn dates_are_those_that_the_library_reads(text in "[0-2][0-9]{3}[01][0-9][0-3][0-9]|[0-9 -]{7,9}") {
            let is_digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
            let by_library = Date::strptime("%Y%m%d", &text).ok().filter(|_| is_digits);
            prop_assert_eq!(read_date(text.as_bytes()), by_library);
        }
    }
}
