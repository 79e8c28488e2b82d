//! What stands between a socket and hyper: only whole requests that are right get through, and only so many at a time.
//!
//! [`framing`] finds out where a request ends and whether it is right, [`refusal`] is what is told otherwise, [`limits`]
//! are what a client may take. `stream` holds bytes back until a request is whole, and hands hyper a request of its own
//! where one is refused, so that the answer comes in its turn, after those to earlier requests. `patience` gives up on
//! clients that take nothing, or too little; `addresses` counts the connections of each.

pub(crate) mod addresses;
pub mod framing;
pub mod limits;
mod patience;
pub mod refusal;
pub(crate) mod stream;
