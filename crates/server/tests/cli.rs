//! The command line: what each command prints, where, and the exit codes 0 (fine), 1 (with problems), 2 (not done).
//!
//! Each file of `cli/` has one theme; how the program is run is shared with the tests of the HTTP face.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may panic, and what it prints shows only then")]

use std::ffi::OsStr;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::channel;
use std::thread;

use server::DEADLINE;

#[path = "http/feed_files.rs"]
#[allow(dead_code, reason = "the tests of the HTTP face need more of it")]
mod feed_files;
#[path = "http/server.rs"]
#[allow(dead_code, reason = "the tests of the HTTP face need more of it")]
mod server;

#[path = "cli/arguments.rs"]
mod arguments;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/serve.rs"]
mod serve;
#[path = "cli/unusable_feeds.rs"]
mod unusable_feeds;

/// What a command has said, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: ExitStatus,
    pub(crate) standard_output: String,
    pub(crate) standard_error: String,
}

/// Runs the program to its end, which must come by itself.
pub(crate) fn run(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Said {
    let mut command = server::program();
    command.args(arguments);
    println!("running {command:?}");
    let process = command.spawn().unwrap();
    let id = process.id();
    let (sender, output) = channel();
    thread::spawn(move || sender.send(process.wait_with_output().unwrap()));
    let Ok(output) = output.recv_timeout(DEADLINE) else {
        Command::new("kill").args(["-s", "KILL", &id.to_string()]).status().unwrap();
        panic!("{command:?} still runs after {DEADLINE:?}");
    };
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let said =
        Said { status: output.status, standard_output: text(output.stdout), standard_error: text(output.stderr) };
    println!("{said:#?}");
    said
}

impl Said {
    /// Asserts the exit code; what it stands for is in the help.
    pub(crate) fn assert_code(&self, code: i32) {
        assert_eq!(self.status.code(), Some(code));
    }

    /// Asserts that nothing was done, and that the one line which says why has all these words.
    pub(crate) fn assert_error(&self, words: &[&str]) {
        self.assert_code(2);
        assert_eq!(self.standard_output, "", "an error is for standard error");
        assert!(self.standard_error.starts_with("linespeed: "), "{}", self.standard_error);
        assert_eq!(self.standard_error.lines().count(), 1, "{}", self.standard_error);
        for word in words {
            assert!(self.standard_error.contains(word), "{word:?} is not in {}", self.standard_error);
        }
    }
}
