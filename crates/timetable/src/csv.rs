//! CSV as GTFS files have it (RFC 4180), read in blocks of whole records.
//!
//! [`Blocks`] cuts a file's bytes at the ends of records, one block for each thread that asks. A block's records are
//! found by [`FastRecords`] in the large files and by [`PlainRecords`] (the library `csv-core`) in all others, which
//! is also what the fast one is tested against. Both fill the same [`Record`].

mod blocks;
mod fast;
mod header;
mod masks;
mod plain;
mod record;

pub(crate) use blocks::{Block, BlockError, Blocks, RECORD_BYTES_MAX};
pub(crate) use fast::FastRecords;
pub(crate) use header::Header;
pub(crate) use plain::PlainRecords;
pub(crate) use record::Record;
