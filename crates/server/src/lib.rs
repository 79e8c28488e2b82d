//! The program: sockets, files, clocks and the command line around the crates that have none of them.

pub mod generate;
