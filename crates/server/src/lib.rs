//! The program `linespeed`: everything that opens something. The crates that it stands on open nothing.
//!
//! `main` reads the arguments ([`cli`]) and calls one of [`serve`], [`check`] and [`generate`]. A feed comes in through
//! [`feed`], which opens a zip or a folder, or fetches what is at a URL, and hands its bytes to the crate `timetable`;
//! `reload` does so again when the feed changes. [`serve`] owns the sockets, signals and threads; [`guard`] lets only
//! whole, right requests through; [`http`] turns a request into an answer and knows nothing of them; [`metrics`] counts
//! what they do. Start reading at [`serve`].

pub mod check;
pub mod cli;
mod door;
pub mod feed;
pub mod generate;
pub mod guard;
pub mod http;
pub mod log;
pub mod memory;
pub mod metrics;
mod open_files;
mod plural;
mod progress;
mod reload;
pub mod serve;
