//! The programs that are measured: started, waited for and ended.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, kill_process};

use crate::cores::Cores;
use crate::procfs;

/// Between two attempts to connect to a server that starts: short beside what is measured, long beside what it costs.
const CONNECT_PAUSE: Duration = Duration::from_micros(500);
/// A server that is not ready by then is taken to hang.
const READY_MAX: Duration = Duration::from_secs(180);
/// A server that has not ended so long after SIGTERM is reported and killed.
const STOP_MAX: Duration = Duration::from_secs(10);
/// How many of the last lines of its output an error about a program quotes.
const LINES_QUOTED: usize = 12;

/// A program and its arguments.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// What the report calls it; the name of its log file too.
    pub(crate) name: String,
    words: Vec<OsString>,
}

impl Program {
    /// The program at `path`, which the report calls `name`.
    pub(crate) fn new(name: &str, path: &Path) -> Self {
        Self { name: name.to_owned(), words: vec![path.as_os_str().to_owned()] }
    }

    /// One of the programs within the bench itself.
    pub(crate) fn of_bench(subcommand: &str) -> anyhow::Result<Self> {
        Ok(Self::new(subcommand, &this_program()?).argument(subcommand))
    }

    /// With one more argument.
    pub(crate) fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.words.push(argument.as_ref().to_owned());
        self
    }

    /// Starts the program on these cores, through `contained`, which adds about a millisecond; its output is in `<logs>/<name>.log`.
    fn start(&self, cores: &Cores, logs: &Path, standard_output: Stdio) -> anyhow::Result<Running> {
        fs::create_dir_all(logs).with_context(|| format!("cannot make the folder {}", logs.display()))?;
        let log = logs.join(format!("{}.log", self.name.replace([' ', '/'], "-")));
        let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
        let child = Command::new(this_program()?)
            .args(["contained", "--parent", &std::process::id().to_string(), "--cores", &cores.to_argument(), "--"])
            .args(&self.words)
            .stdin(Stdio::null())
            .stdout(standard_output)
            .stderr(file)
            .spawn()
            .with_context(|| format!("cannot start {}", self.name))?;
        Ok(Running { name: self.name.clone(), child, log })
    }

    /// Runs the program to its end and returns what it wrote to its standard output.
    ///
    /// Fails when it ends with another code than 0, with the end of its log.
    pub(crate) fn run(&self, cores: &Cores, logs: &Path) -> anyhow::Result<String> {
        let mut running = self.start(cores, logs, Stdio::piped())?;
        let mut output = String::new();
        if let Some(mut pipe) = running.child.stdout.take() {
            std::io::Read::read_to_string(&mut pipe, &mut output)
                .with_context(|| format!("cannot read what {} wrote", self.name))?;
        }
        let status = running.child.wait()?;
        if !status.success() {
            bail!("{} ended with {status}{}", self.name, running.last_words());
        }
        Ok(output)
    }

    /// Starts the program as a server: `--http` with a free port is added to its arguments. It need not be ready yet.
    pub(crate) fn serve(&self, cores: &Cores, logs: &Path) -> anyhow::Result<Server> {
        let address = free_address()?;
        let program = self.clone().argument("--http").argument(address.to_string());
        Ok(Server { running: program.start(cores, logs, Stdio::null())?, address })
    }
}

fn this_program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot find the program of the bench")
}

/// An address that nobody listens on. Somebody else may take it before it is used; then the server says so.
fn free_address() -> anyhow::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot find a free port")?;
    Ok(listener.local_addr()?)
}

/// A process that ends when this value does.
struct Running {
    name: String,
    child: Child,
    log: PathBuf,
}

impl Running {
    fn last_words(&self) -> String {
        let log = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&log);
        let lines: Vec<&str> = text.lines().collect();
        let last = &lines[lines.len().saturating_sub(LINES_QUOTED)..];
        if last.is_empty() { "; it said nothing".to_owned() } else { format!("; it said:\n{}", last.join("\n")) }
    }

    fn fail_if_ended(&mut self) -> anyhow::Result<()> {
        match self.child.try_wait()? {
            Some(status) => bail!("{} ended with {status}{}", self.name, self.last_words()),
            None => Ok(()),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only when the process has ended already, which is what they are for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server under measurement. It is killed when this value is dropped.
pub(crate) struct Server {
    running: Running,
    address: SocketAddr,
}

impl Server {
    /// Where it listens, or will.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its process id.
    pub(crate) fn process_id(&self) -> u32 {
        self.running.child.id()
    }

    /// CPU time that it has used so far.
    pub(crate) fn cpu_seconds(&self) -> anyhow::Result<f64> {
        procfs::cpu_seconds(self.process_id()).with_context(|| format!("{} is gone", self.running.name))
    }

    /// Connects as soon as the server listens; calls `meanwhile` before each attempt.
    ///
    /// Fails when the program ends, or is not there after [`READY_MAX`].
    pub(crate) fn connect(
        &mut self,
        mut meanwhile: impl FnMut(u32) -> anyhow::Result<()>,
    ) -> anyhow::Result<TcpStream> {
        let begun = Instant::now();
        loop {
            let observed = meanwhile(self.process_id());
            match TcpStream::connect(self.address) {
                Ok(socket) => return Ok(socket),
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => self.running.fail_if_ended()?,
                Err(error) => return Err(error).with_context(|| format!("cannot connect to {}", self.running.name)),
            }
            observed?;
            if begun.elapsed() > READY_MAX {
                bail!(
                    "{} does not listen on {} after {} s{}",
                    self.running.name,
                    self.address,
                    READY_MAX.as_secs(),
                    self.running.last_words()
                );
            }
            thread::sleep(CONNECT_PAUSE);
        }
    }

    /// Waits until the server listens.
    pub(crate) fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        self.connect(|_| Ok(())).map(drop)
    }

    /// Asks the server by SIGHUP to read its feed anew.
    pub(crate) fn signal_to_reload(&self) -> anyhow::Result<()> {
        let process = i32::try_from(self.process_id()).ok().and_then(Pid::from_raw).context("no such process id")?;
        kill_process(process, Signal::HUP).with_context(|| format!("cannot signal {}", self.running.name))
    }

    /// Asks the server to stop by SIGTERM and waits until it has. Fails when it does not, or has ended before.
    pub(crate) fn stop(mut self) -> anyhow::Result<()> {
        self.running.fail_if_ended()?;
        let process = i32::try_from(self.process_id()).ok().and_then(Pid::from_raw).context("no such process id")?;
        kill_process(process, Signal::TERM).with_context(|| format!("cannot stop {}", self.running.name))?;
        let asked = Instant::now();
        while self.running.child.try_wait()?.is_none() {
            if asked.elapsed() > STOP_MAX {
                bail!("{} still runs {} s after SIGTERM", self.running.name, STOP_MAX.as_secs());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}
