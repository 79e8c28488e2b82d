//! Becomes another program that keeps to its cores and does not outlive the bench.
//!
//! The bench starts every program through this one. The kernel ends it when the bench ends, however that happens:
//! finished, failed, interrupted or killed. Cores are chosen before the program starts, because programs count them to
//! decide how many threads to have.

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, bail};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};

use crate::cores::Cores;

/// Becomes `program` with its arguments; returns only when that fails.
///
/// `parent` is the process id of the bench, which may have ended before the kernel was told to watch it.
pub(crate) fn become_program(parent: u32, cores: &Cores, program: &[OsString]) -> anyhow::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL)).context("cannot ask to end together with the bench")?;
    if getppid().map(Pid::as_raw_pid) != i32::try_from(parent).ok() {
        bail!("the bench ended before this program began");
    }
    cores.pin_this_thread()?;
    let [name, arguments @ ..] = program else { bail!("no program to run") };
    let error = Command::new(name).args(arguments).exec();
    Err(error).with_context(|| format!("cannot run {}", name.display()))
}
