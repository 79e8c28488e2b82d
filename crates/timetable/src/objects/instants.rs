//! Dates and instants as RFC 3339 has them, written without the detour of formatting: every departure has two.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// `YYYY-MM-DD`.
pub(super) fn date_text(date: Date) -> String {
    let mut text = String::with_capacity(10);
    push_date(date, &mut text);
    text
}

/// `YYYY-MM-DDTHH:MM:SS±HH:MM`, in the time that clocks `offset` from UTC show.
pub(crate) fn instant_text(instant: Timestamp, offset: Offset) -> String {
    let shown = offset.to_datetime(instant);
    let mut text = String::with_capacity(25);
    push_date(shown.date(), &mut text);
    for (before, number) in [('T', shown.hour()), (':', shown.minute()), (':', shown.second())] {
        text.push(before);
        push_two(number.unsigned_abs(), &mut text);
    }
    // RFC 3339 has no seconds of an offset; no zone has had any since 1972.
    let minutes = (offset.seconds() as f64 / 60.0).round() as i32;
    text.push(if minutes < 0 { '-' } else { '+' });
    push_two((minutes.unsigned_abs() / 60) as u8, &mut text);
    text.push(':');
    push_two((minutes.unsigned_abs() % 60) as u8, &mut text);
    text
}

fn push_date(date: Date, text: &mut String) {
    // Four digits are all that RFC 3339 has.
    let year = date.year().clamp(0, 9999).unsigned_abs();
    push_two((year / 100) as u8, text);
    push_two((year % 100) as u8, text);
    for number in [date.month(), date.day()] {
        text.push('-');
        push_two(number.unsigned_abs(), text);
    }
}

fn push_two(number: u8, text: &mut String) {
    text.push(char::from(b'0' + number / 10));
    text.push(char::from(b'0' + number % 10));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn instants_are_written_as_the_library_writes_them(
            seconds in -62_000_000_000..253_000_000_000i64,
            quarters in -48..=56i32,
        ) {
            let instant = Timestamp::from_second(seconds).unwrap();
            let offset = Offset::from_seconds(quarters * 900).unwrap();
            prop_assert_eq!(instant_text(instant, offset), instant.display_with_offset(offset).to_string());
            let date = offset.to_datetime(instant).date();
            prop_assert_eq!(date_text(date), date.to_string());
        }
    }
}
