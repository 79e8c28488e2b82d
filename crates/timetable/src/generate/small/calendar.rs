//! The days of the built-in city: so many years that it never goes stale.

use crate::generate::city::{Exception, Service};

/// The first date of all services.
pub(super) const FIRST_DATE: u32 = 20250101;
/// The last.
pub(super) const LAST_DATE: u32 = 20351231;

/// Holidays of every year, which have Sunday's service: month, day, name.
const HOLIDAYS: [(u32, u32, &str); 3] =
    [(1, 1, "New Year's Day"), (7, 4, "Independence Day"), (12, 25, "Christmas Day")];

/// Weekday, Saturday and Sunday, in that order.
pub(super) fn services() -> Vec<Service> {
    let service = |id: &str, days, exceptions| Service {
        id: id.to_owned(),
        days,
        first_date: FIRST_DATE,
        last_date: LAST_DATE,
        exceptions,
    };
    let [mut weekday, mut saturday, mut sunday] = [Vec::new(), Vec::new(), Vec::new()];
    for year in FIRST_DATE / 10_000..=LAST_DATE / 10_000 {
        for (month, day, name) in HOLIDAYS {
            let date = year * 10_000 + month * 100 + day;
            match day_of_week(year, month, day) {
                0 => continue,
                6 => saturday.push((date, Exception::Removed, name)),
                _ => weekday.push((date, Exception::Removed, name)),
            }
            sunday.push((date, Exception::Added, name));
        }
    }
    vec![
        service("WEEKDAY", "1,1,1,1,1,0,0", weekday),
        service("SATURDAY", "0,0,0,0,0,1,0", saturday),
        service("SUNDAY", "0,0,0,0,0,0,1", sunday),
    ]
}

/// 0 for Sunday to 6 for Saturday, by Sakamoto's method for the Gregorian calendar.
fn day_of_week(year: u32, month: u32, day: u32) -> u32 {
    const MONTHS: [u32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = if month < 3 { year - 1 } else { year };
    (year + year / 4 - year / 100 + year / 400 + MONTHS[month as usize - 1] + day) % 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_of_the_week_are_right() {
        assert_eq!(day_of_week(2025, 1, 1), 3);
        assert_eq!(day_of_week(2027, 7, 4), 0);
        assert_eq!(day_of_week(2032, 12, 25), 6);
    }
}
