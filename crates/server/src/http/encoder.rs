//! Bytes in, compressed bytes out.
//!
//! `docs/decisions/0006-content-coding.md` says why the levels are these, and what each compression takes in memory.

use std::cell::RefCell;
use std::io::Write;

use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;

use super::coding::Coding;

/// How much time goes into making an answer small.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// For what is sent once.
    Fast,
    /// For what is sent to many.
    Thorough,
}

/// How each coding is made with an effort.
struct Levels {
    zstd: i32,
    /// Of brotli, which has its window apart: 2^n bytes, and ten times as much is what compressing takes.
    brotli_quality: i32,
    brotli_window_log: i32,
    gzip: u32,
}

const FAST: Levels = Levels { zstd: 1, brotli_quality: 2, brotli_window_log: 16, gzip: 2 };

/// The window of zstd at level 8 is 2 MiB, of the 8 MiB that clients must be ready for (RFC 9659).
const THOROUGH: Levels = Levels { zstd: 8, brotli_quality: 5, brotli_window_log: 20, gzip: 5 };

/// What brotli gathers before it hands it on.
const BROTLI_OUT_BYTES: usize = 16 << 10;

const CANNOT_FAIL: &str = "writing to memory does not fail";

const LEVEL_IS_KNOWN: &str = "zstd has this level";

/// The bytes of `pieces`, which are `byte_count` together, in `coding`.
pub(super) fn compress(coding: Coding, effort: Effort, pieces: impl Iterator<Item = Bytes>, byte_count: u64) -> Bytes {
    let levels = match effort {
        Effort::Fast => FAST,
        Effort::Thorough => THOROUGH,
    };
    let mut packed = match coding {
        Coding::Zstd => {
            let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), levels.zstd).expect(LEVEL_IS_KNOWN);
            // Known in advance, it spares small answers the memory of a large window.
            encoder.set_pledged_src_size(Some(byte_count)).expect("nothing has been written yet");
            write_all(&mut encoder, pieces);
            encoder.finish().expect(CANNOT_FAIL)
        }
        Coding::Brotli => {
            let parameters = BrotliEncoderParams {
                quality: levels.brotli_quality,
                lgwin: levels.brotli_window_log,
                size_hint: usize::try_from(byte_count).unwrap_or(usize::MAX),
                ..BrotliEncoderParams::default()
            };
            let mut encoder = brotli::CompressorWriter::with_params(Vec::new(), BROTLI_OUT_BYTES, &parameters);
            write_all(&mut encoder, pieces);
            encoder.into_inner()
        }
        Coding::Gzip => {
            let level = flate2::Compression::new(levels.gzip);
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            write_all(&mut encoder, pieces);
            encoder.finish().expect(CANNOT_FAIL)
        }
        Coding::Identity => pieces.flatten().collect(),
    };
    packed.shrink_to_fit();
    packed.into()
}

thread_local! {
    /// Used again: a small answer would take three times as long if this were made anew for it.
    static ZSTD: RefCell<zstd::bulk::Compressor<'static>> =
        RefCell::new(zstd::bulk::Compressor::new(FAST.zstd).expect(LEVEL_IS_KNOWN));
}

/// A small answer in `coding`, with little effort, so that the thread can do it between two others.
pub(super) fn compress_small(coding: Coding, bytes: &Bytes) -> Bytes {
    if coding == Coding::Zstd {
        return ZSTD.with_borrow_mut(|zstd| zstd.compress(bytes)).expect(CANNOT_FAIL).into();
    }
    compress(coding, Effort::Fast, std::iter::once(bytes.clone()), bytes.len() as u64)
}

fn write_all(encoder: &mut impl Write, pieces: impl Iterator<Item = Bytes>) {
    for piece in pieces {
        encoder.write_all(&piece).expect(CANNOT_FAIL);
    }
}
