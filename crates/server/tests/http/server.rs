//! The real program, serving a feed: started, waited for until it is ready, ended with the test.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long a test waits for anything before it fails; far more than a busy machine needs.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

/// A `linespeed serve` that listens on a port of its own.
pub(crate) struct Server {
    process: Child,
    /// The lines of standard error that nobody has read yet; it closes when the process ends.
    log: Receiver<String>,
    pub(crate) address: SocketAddr,
    pub(crate) ready_line: String,
}

/// How a server ended.
pub(crate) struct End {
    pub(crate) status: ExitStatus,
    pub(crate) standard_output: String,
    /// Standard error after the ready line.
    pub(crate) log: Vec<String>,
}

/// The program, free of what the environment of the tests may say about it.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linespeed"));
    let settings = std::env::vars_os().map(|(name, _)| name);
    for setting in settings.filter(|name| name.to_string_lossy().starts_with("LINESPEED_") || name == "COLUMNS") {
        command.env_remove(setting);
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Server {
    /// Serves the feed at `path`.
    pub(crate) fn start(path: &Path) -> Self {
        Self::start_with([path])
    }

    /// Serves what `arguments` say, on any free port, and returns once it is ready.
    pub(crate) fn start_with(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        let mut command = program();
        command.args(["serve", "--http", "127.0.0.1:0"]).args(arguments);
        let mut process = command.spawn().unwrap();
        let log = lines_of(process.stderr.take().unwrap());
        let ready_line = next_line(&log).expect("the program ended before it was ready");
        println!("{ready_line}");
        let address = ready_line.split_once("http://").and_then(|(_, rest)| rest.split(' ').next());
        let address = address.and_then(|address| address.parse().ok());
        Self { process, log, address: address.expect("the first line tells the address"), ready_line }
    }

    /// Sends a signal, such as `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.process.id().to_string()]).status();
        assert!(status.unwrap().success(), "SIG{name} could not be sent");
    }

    /// How many threads the process has now; 0 where the system does not tell.
    pub(crate) fn thread_count(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/task", self.process.id())).map_or(0, Iterator::count)
    }

    /// Waits until a line with these words has been logged.
    pub(crate) fn wait_for_line(&self, words: &str) {
        let is_it = |line: String| line.contains(words);
        while !is_it(next_line(&self.log).expect("the program ended before it said so")) {}
    }

    /// Waits until the process has ended by itself.
    pub(crate) fn wait_for_end(mut self) -> End {
        let log = std::iter::from_fn(|| next_line(&self.log)).collect();
        let status = self.process.wait().unwrap();
        let mut standard_output = String::new();
        self.process.stdout.take().unwrap().read_to_string(&mut standard_output).unwrap();
        End { status, standard_output, log }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail if it has ended already, which is what is wanted.
        let _ = self.process.kill();
        let _ = self.process.wait();
        self.log.try_iter().for_each(|line| println!("the server said: {line}"));
    }
}

/// The lines of a stream as they come.
fn lines_of(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
    });
    lines
}

/// The next line; none when the stream has ended.
fn next_line(lines: &Receiver<String>) -> Option<String> {
    match lines.recv_timeout(DEADLINE) {
        Ok(line) => Some(line),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => panic!("nothing came for {DEADLINE:?}"),
    }
}
