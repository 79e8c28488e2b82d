//! Feed bytes in, JSON bytes out; nothing in this crate opens a file or a socket.

mod files;
mod index;
mod rows;
mod strings;
mod zip;

pub use files::{Files, MemoryFiles, ReadAt};
pub use index::{
    AgencyIdx, Index, OptionIdx, PatternIdx, RouteIdx, RunIdx, ServiceIdx, ShapeIdx, StopIdx, TextIdx, TripIdx,
};
pub use rows::Rows;
pub use strings::StringPool;
pub use zip::{Zip, ZipError, ZipLimits};
