//! Feed bytes in, JSON bytes out; nothing in this crate opens a file or a socket.

mod files;
pub mod generate;
mod index;
mod rows;
mod strings;

pub use files::{Files, MemoryFiles, ReadAt};
pub use index::{
    AgencyIdx, Index, OptionIdx, PatternIdx, RouteIdx, RunIdx, ServiceIdx, ShapeIdx, StopIdx, TextIdx, TripIdx,
};
pub use rows::Rows;
pub use strings::StringPool;
