//! What the kernel says of a process: CPU time and memory, read from `/proc`.

use std::fs;
use std::path::Path;

use anyhow::Context;

/// CPU time, user and system, of the process and its finished threads, in seconds.
///
/// Fails when the process is gone.
pub(crate) fn cpu_seconds(process_id: u32) -> anyhow::Result<f64> {
    cpu_seconds_in(&format!("/proc/{process_id}/stat"))
}

/// CPU time of this process.
pub(crate) fn own_cpu_seconds() -> anyhow::Result<f64> {
    cpu_seconds_in("/proc/self/stat")
}

fn cpu_seconds_in(path: &str) -> anyhow::Result<f64> {
    let stat = fs::read_to_string(path).with_context(|| format!("cannot read {path}"))?;
    let [user, system, ..] =
        parse_cpu_ticks(&stat).with_context(|| format!("{path}: expected utime and stime, found {stat:?}"))?;
    Ok((user + system) as f64 / rustix::param::clock_ticks_per_second() as f64)
}

/// utime, stime, cutime and cstime: fields 14 to 17 of proc(5), `/proc/[pid]/stat`.
///
/// The second field is a name in parentheses that may itself hold spaces and parentheses.
fn parse_cpu_ticks(stat: &str) -> Option<[u64; 4]> {
    let fields = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().skip(11).take(4);
    let ticks: Vec<u64> = fields.map(str::parse).collect::<Result<_, _>>().ok()?;
    ticks.try_into().ok()
}

/// Time in programs since the machine booted, in seconds over all cores.
///
/// Time in the kernel is left out: whether interrupts belong to it is another answer for a process than for the machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MachineCpu {
    /// In any program.
    pub(crate) programs_s: f64,
    /// In this process and in those that it started and that have ended.
    pub(crate) own_s: f64,
    /// Given to other machines by the host of this one.
    pub(crate) stolen_s: f64,
}

/// How the machine was used until now. Fails without `/proc`.
pub(crate) fn machine_cpu() -> anyhow::Result<MachineCpu> {
    let tick_s = 1.0 / rustix::param::clock_ticks_per_second() as f64;
    let stat = fs::read_to_string("/proc/stat").context("cannot read /proc/stat")?;
    let own = fs::read_to_string("/proc/self/stat").context("cannot read /proc/self/stat")?;
    let (programs, stolen) =
        parse_machine_ticks(&stat).context("/proc/stat does not begin with the times of all cores")?;
    let [user, _, user_of_ended, _] = parse_cpu_ticks(&own).context("/proc/self/stat holds no times")?;
    Ok(MachineCpu {
        programs_s: programs as f64 * tick_s,
        own_s: (user + user_of_ended) as f64 * tick_s,
        stolen_s: stolen as f64 * tick_s,
    })
}

/// user + nice, and steal: fields 1, 2 and 8 of the first line, proc(5), `/proc/stat`.
fn parse_machine_ticks(stat: &str) -> Option<(u64, u64)> {
    let fields = stat.lines().next()?.strip_prefix("cpu ")?.split_ascii_whitespace();
    let ticks: Vec<u64> = fields.map(str::parse).collect::<Result<_, _>>().ok()?;
    Some((ticks.first()? + ticks.get(1)?, *ticks.get(7)?))
}

/// Resident memory of a process, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Memory {
    /// `VmRSS`: all resident pages.
    pub(crate) resident: u64,
    /// `VmHWM`: the most that were ever resident, or since [`reset_peak`].
    pub(crate) peak: u64,
    /// `RssAnon`: pages that no file stands behind.
    pub(crate) anonymous: u64,
    /// `RssFile`: pages of files, the program itself among them.
    pub(crate) of_files: u64,
}

impl Memory {
    /// The memory of a process now. Fails when the process is gone.
    pub(crate) fn of(process_id: u32) -> anyhow::Result<Self> {
        let path = format!("/proc/{process_id}/status");
        let status = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        Self::parse(&status).with_context(|| format!("{path} names no VmRSS, VmHWM, RssAnon and RssFile"))
    }

    fn parse(status: &str) -> Option<Self> {
        let bytes = |name: &str| {
            let line = status.lines().find(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':')))?;
            parse_kilobytes(line)
        };
        Some(Self {
            resident: bytes("VmRSS")?,
            peak: bytes("VmHWM")?,
            anonymous: bytes("RssAnon")?,
            of_files: bytes("RssFile")?,
        })
    }
}

/// Makes `VmHWM` count from what is resident now: proc(5), `/proc/[pid]/clear_refs`, value 5.
pub(crate) fn reset_peak(process_id: u32) -> anyhow::Result<()> {
    let path = format!("/proc/{process_id}/clear_refs");
    fs::write(&path, "5").with_context(|| format!("cannot write {path}"))
}

/// Resident memory, told apart by whether it is a mapped page of the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mapped {
    /// Bytes of the input that are resident because the process maps it.
    pub(crate) input: u64,
    /// All other resident bytes.
    pub(crate) other: u64,
}

impl Mapped {
    /// What is resident of a process now; `input` is the file or folder that it reads. Fails when the process is gone.
    pub(crate) fn of(process_id: u32, input: &Path) -> anyhow::Result<Self> {
        let path = format!("/proc/{process_id}/smaps");
        let smaps = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        Ok(Self::parse(&smaps, input))
    }

    fn parse(smaps: &str, input: &Path) -> Self {
        let mut mapped = Self::default();
        let mut of_input = false;
        for line in smaps.lines() {
            let first = line.split_ascii_whitespace().next().unwrap_or_default();
            if first == "Rss:" {
                let bytes = parse_kilobytes(line).unwrap_or_default();
                *(if of_input { &mut mapped.input } else { &mut mapped.other }) += bytes;
            } else if !first.ends_with(':') {
                // proc(5), `/proc/[pid]/maps`: address, permissions, offset, device, inode, and a path that may hold spaces.
                of_input = line.find('/').is_some_and(|start| Path::new(&line[start..]).starts_with(input));
            }
        }
        mapped
    }
}

/// The bytes of a line such as `VmRSS:     1234 kB`, where kB means 1,024 bytes.
fn parse_kilobytes(line: &str) -> Option<u64> {
    line.split_ascii_whitespace().nth(1)?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_ticks_are_found_behind_a_name_with_spaces_and_parentheses() {
        let stat = "42 (a (b) c) S 1 42 42 0 -1 4194560 500 0 0 0 12 30 5 3 20 0 4 0 100 1000 10";
        assert_eq!(parse_cpu_ticks(stat), Some([12, 30, 5, 3]));
        assert_eq!(parse_cpu_ticks("42 (a) S 1"), None);
        assert_eq!(parse_cpu_ticks(""), None);
    }

    #[test]
    fn the_machine_is_busy_with_programs_of_any_niceness() {
        let stat = "cpu  10 2 30 4000 50 6 7 8 0 0\ncpu0 5 1 15 2000 25 3 3 4 0 0\n";
        assert_eq!(parse_machine_ticks(stat), Some((12, 8)));
        assert_eq!(parse_machine_ticks("cpu0 1 2 3"), None);
    }

    #[test]
    fn memory_is_read_in_bytes() {
        let status =
            "Name:\tx\nVmHWM:\t     300 kB\nVmRSS:\t     200 kB\nRssAnon:\t     150 kB\nRssFile:\t      50 kB\n";
        let expected = Memory { resident: 204_800, peak: 307_200, anonymous: 153_600, of_files: 51_200 };
        assert_eq!(Memory::parse(status), Some(expected));
        assert_eq!(Memory::parse("Name:\tx\n"), None);
    }

    #[test]
    fn mapped_pages_of_the_input_stand_apart() {
        let smaps = "\
7f00-7f10 r--s 00000000 08:01 77      /data/my feed/stop_times.txt
Size:                 64 kB
Rss:                  40 kB
7f20-7f30 r-xp 00000000 08:01 78      /bin/linespeed
Rss:                  10 kB
7f30-7f40 rw-p 00000000 00:00 0
Rss:                   3 kB
VmFlags: rd wr
7f50-7f60 rw-p 00000000 00:00 0       [heap]
Rss:                   2 kB
";
        let mapped = Mapped::parse(smaps, Path::new("/data/my feed"));
        assert_eq!(mapped, Mapped { input: 40 * 1024, other: 15 * 1024 });
    }

    #[test]
    fn this_process_has_a_memory_and_a_past() {
        let memory = Memory::of(std::process::id()).unwrap();
        assert!(memory.resident > 0 && memory.peak >= memory.anonymous);
        assert!(own_cpu_seconds().unwrap() >= 0.0);
    }
}
