//! GTFS times: seconds since noon minus 12 h of the service day (GTFS reference, "Time").

use std::fmt;

/// A time of a service day in seconds since noon minus 12 h, which is midnight but for days on which clocks change.
///
/// Past 24:00:00 it lies on the next day, and so on: 99999:59:59 is the latest that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(i32);

/// The first time that needs three digits for its hours, 100:00:00.
pub(crate) const HUNDRED_HOURS: i32 = 360_000;

impl Time {
    /// The time `seconds` after noon minus 12 h.
    pub fn from_seconds(seconds: i32) -> Self {
        Self(seconds)
    }

    /// Seconds since noon minus 12 h.
    pub fn seconds(self) -> i32 {
        self.0
    }

    /// Reads `HH:MM:SS`, `H:MM:SS` or a time with up to five digits for its hours; nothing else is a time.
    pub fn read(text: &[u8]) -> Option<Self> {
        if let Ok(text) = <&[u8; 8]>::try_from(text)
            && let Some(time) = Self::read_eight(*text)
        {
            return Some(time);
        }
        let clock = text.len().checked_sub(6).filter(|hours| (1..=5).contains(hours))?;
        let digit = |at: usize| text[at].is_ascii_digit().then(|| i32::from(text[at] - b'0'));
        let hours = (0..clock).try_fold(0, |hours, at| Some(hours * 10 + digit(at)?))?;
        let minutes = digit(clock + 1)? * 10 + digit(clock + 2)?;
        let seconds = digit(clock + 4)? * 10 + digit(clock + 5)?;
        let is_time = text[clock] == b':' && text[clock + 3] == b':' && minutes < 60 && seconds < 60;
        is_time.then_some(Self(hours * 3600 + minutes * 60 + seconds))
    }

    /// Reads `HH:MM:SS` with all eight bytes in one register; the loop of [`Time::read`] is its twin.
    #[inline]
    pub(crate) fn read_eight(text: [u8; 8]) -> Option<Self> {
        const COLONS: u64 = u64::from_le_bytes(*b"\0\0:\0\0:\0\0");
        const COLON_BYTES: u64 = u64::from_le_bytes([0, 0, 0xff, 0, 0, 0xff, 0, 0]);
        const ZEROS: u64 = u64::from_le_bytes(*b"00\x0000\x0000");
        const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
        // Added to a digit's value, it reaches the high bit from 10 on; from 6 on for the tens of minutes and seconds.
        const PAST_LAST: u64 = u64::from_le_bytes([118, 118, 0, 122, 118, 0, 122, 118]);
        let word = u64::from_le_bytes(text);
        let digits = (word & !COLON_BYTES) ^ ZEROS;
        let is_time = word & COLON_BYTES == COLONS && (digits | digits.wrapping_add(PAST_LAST)) & HIGH_BITS == 0;
        // Byte k becomes ten times itself plus byte k + 1, for the pairs that begin at bytes 0, 3 and 6.
        let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
        let pair = |at: u32| (pairs >> (at * 8)) as u8 as i32;
        is_time.then(|| Self(pair(0) * 3600 + pair(3) * 60 + pair(6)))
    }

    /// `HH:MM:SS` in eight bytes; for times from 0 up to but not including 100:00:00.
    pub(crate) fn to_eight_bytes(self) -> [u8; 8] {
        debug_assert!((0..HUNDRED_HOURS).contains(&self.0));
        let time = self.0 as u32;
        let (minutes_in_all, seconds) = (time / 60, time % 60);
        let (hours, minutes) = (minutes_in_all / 60, minutes_in_all % 60);
        let values = u64::from(hours) | u64::from(minutes) << 24 | u64::from(seconds) << 48;
        // Of a value below 100, `value * 103 >> 10` is the tens; three values stand in one register, 24 bits apart.
        let tens = ((values * 103) >> 10) & 0x000f_0000_0f00_000f;
        let ones = values - tens * 10;
        (tens | ones << 8 | u64::from_le_bytes(*b"00:00:00")).to_le_bytes()
    }
}

/// `HH:MM:SS`, with more digits for the hours from 100:00:00 on; a time before the service day has a minus sign.
impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, time) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        write!(formatter, "{sign}{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)
    }
}

/// A time or nothing, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct OptionTime(i32);

impl OptionTime {
    pub(crate) const NONE: Self = Self(i32::MIN);

    pub(crate) fn get(self) -> Option<Time> {
        (self != Self::NONE).then_some(Time(self.0))
    }
}

impl From<Option<Time>> for OptionTime {
    fn from(time: Option<Time>) -> Self {
        time.map_or(Self::NONE, |time| Self(time.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn times_of_every_length_are_read() {
        for (text, seconds) in [
            ("00:00:00", 0),
            ("5:07:09", 18_429),
            ("23:59:59", 86_399),
            ("24:00:00", 86_400),
            ("49:30:01", 178_201),
            ("99:59:59", 359_999),
            ("100:00:00", 360_000),
            ("99999:59:59", 359_999_999),
        ] {
            assert_eq!(Time::read(text.as_bytes()), Some(Time(seconds)), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "",
            ":",
            "1",
            "12:00",
            "12:60:00",
            "12:00:60",
            "100000:00:00",
            "12.00.00",
            "12:00:0",
            "-1:00:00",
            "ab:cd:ef",
            "12:00:00 ",
            "12:0a:00",
            "1200:00",
            ":00:00",
            "12:00:0:",
            "/2:00:00",
            "1:2:00:00",
            "\u{661}2:00:0",
        ] {
            assert_eq!(Time::read(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn every_time_below_a_hundred_hours_comes_back() {
        for seconds in 0..HUNDRED_HOURS {
            let (time, text) = (Time(seconds), Time(seconds).to_eight_bytes());
            assert_eq!(Time::read(&text), Some(time));
            if seconds % 601 == 0 {
                assert_eq!(text.as_slice(), time.to_string().as_bytes());
            }
        }
    }

    proptest! {
        #[test]
        fn eight_bytes_are_read_as_the_twin_reads_them(text in "[0-9:/;a ]{8}") {
            let bytes: [u8; 8] = text.as_bytes().try_into().unwrap();
            let fields: Vec<&str> = text.split(':').collect();
            let number = |at: usize| fields.get(at).filter(|field| field.len() == 2).and_then(|field| field.parse::<i32>().ok());
            let twin = match (fields.len(), number(0), number(1), number(2)) {
                (3, Some(hours), Some(minutes), Some(seconds)) if minutes < 60 && seconds < 60 => {
                    Some(Time(hours * 3600 + minutes * 60 + seconds))
                }
                _ => None,
            };
            prop_assert_eq!(Time::read_eight(bytes), twin);
        }
    }
}
