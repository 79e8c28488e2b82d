//! Which of 64 bytes matter to CSV: a bit for each comma, quote, line feed and carriage return.
//!
//! The one module of this crate with `unsafe`: vector instructions, with `plain_separators` as their safe twin.

#![allow(unsafe_code)]

/// A bit for each of `bytes` that is a comma, a quote, a line feed or a carriage return; the first byte is bit 0.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn separators(bytes: &[u8; 64]) -> u64 {
    // SAFETY: SSE2 is part of x86-64 itself, so every machine that runs this has it.
    unsafe { sse2_separators(bytes) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
#[inline]
fn sse2_separators(bytes: &[u8; 64]) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8};
    let mut mask = 0;
    let (quarters, _) = bytes.as_chunks::<16>();
    for (quarter, bytes) in quarters.iter().enumerate() {
        let word = u128::from_le_bytes(*bytes);
        let bytes = _mm_set_epi64x((word >> 64) as i64, word as i64);
        let comma_or_quote = _mm_or_si128(
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b',' as i8)),
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'"' as i8)),
        );
        let line_end = _mm_or_si128(
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\n' as i8)),
            _mm_cmpeq_epi8(bytes, _mm_set1_epi8(b'\r' as i8)),
        );
        mask |= u64::from(_mm_movemask_epi8(_mm_or_si128(comma_or_quote, line_end)) as u16) << (quarter * 16);
    }
    mask
}

/// A bit for each of `bytes` that is a comma, a quote, a line feed or a carriage return; the first byte is bit 0.
#[cfg(not(target_arch = "x86_64"))]
pub(super) fn separators(bytes: &[u8; 64]) -> u64 {
    plain_separators(bytes)
}

/// The plain twin: eight bytes at a time on machines without the instructions above.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn plain_separators(bytes: &[u8; 64]) -> u64 {
    const LOW_BITS: u64 = 0x0101_0101_0101_0101;
    const SEVEN_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let mut mask = 0;
    let (words, _) = bytes.as_chunks::<8>();
    for (position, bytes) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*bytes);
        // The high bit of each byte that equals `byte`, exactly: no carry passes from byte to byte.
        let is = |byte: u8| {
            let difference = word ^ (LOW_BITS * u64::from(byte));
            !(((difference & SEVEN_BITS) + SEVEN_BITS) | difference | SEVEN_BITS)
        };
        let found = (is(b',') | is(b'"') | is(b'\n') | is(b'\r')) >> 7;
        // The product moves the low bit of byte k to bit 56 + k.
        mask |= (found.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (position * 8);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_masks_of_any_bytes_are_those_of_the_twins(bytes in proptest::collection::vec(any::<u8>(), 64), separated: u64) {
            let mut bytes: [u8; 64] = bytes.try_into().unwrap();
            for (position, byte) in bytes.iter_mut().enumerate() {
                if separated >> position & 1 == 1 {
                    *byte = b",\"\n\r"[position % 4];
                }
            }
            let twin = (0..64).filter(|&at| b",\"\n\r".contains(&bytes[at])).fold(0, |mask, at| mask | 1u64 << at);
            prop_assert_eq!(separators(&bytes), twin);
            prop_assert_eq!(plain_separators(&bytes), twin);
        }
    }
}
