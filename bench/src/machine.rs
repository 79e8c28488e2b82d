//! What the figures were measured on, and whether it was quiet meanwhile.

use std::fs;
use std::time::Instant;

use serde::Serialize;

use crate::cores::Cores;
use crate::procfs::{self, MachineCpu};

/// With more of a core than this taken by others, the figures are disturbed.
const CORES_OF_OTHERS_QUIET: f64 = 0.1;

/// The machine, and how it was used during the run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    /// The processor's name, as the kernel has it.
    pub(crate) processor: String,
    /// How many cores the bench may use.
    pub(crate) cores: usize,
    /// The kernel's release.
    pub(crate) kernel: String,
    /// The date of the run in UTC, `YYYY-MM-DD`.
    pub(crate) date: String,
    /// Processes that wanted to run, on average over the minute before the bench began.
    pub(crate) load_average: f64,
    /// How many cores other programs kept busy while the bench ran.
    pub(crate) cores_of_others: f64,
    /// How many cores the host of this virtual machine gave to other machines meanwhile.
    pub(crate) cores_stolen: f64,
}

/// Watches who uses the machine from its making until [`Watch::finish`].
pub(crate) struct Watch {
    begun: Instant,
    load_average: f64,
    cpu: MachineCpu,
}

impl Watch {
    /// Begins to watch. Fails without `/proc`.
    pub(crate) fn begin() -> anyhow::Result<Self> {
        let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load_average = load.split(' ').next().and_then(|average| average.parse().ok()).unwrap_or_default();
        Ok(Self { begun: Instant::now(), load_average, cpu: procfs::machine_cpu()? })
    }

    /// The machine, and its use since the watch began. Programs that the bench started count once they have ended.
    pub(crate) fn finish(&self, cores: &Cores) -> anyhow::Result<Machine> {
        let cpu = procfs::machine_cpu()?;
        let elapsed_s = self.begun.elapsed().as_secs_f64().max(0.001);
        let others_s = (cpu.programs_s - self.cpu.programs_s) - (cpu.own_s - self.cpu.own_s);
        let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        Ok(Machine {
            processor: find_processor(&processors).unwrap_or("unknown").to_owned(),
            cores: cores.count(),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned(),
            date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            load_average: self.load_average,
            cores_of_others: (others_s / elapsed_s).max(0.0),
            cores_stolen: (cpu.stolen_s - self.cpu.stolen_s) / elapsed_s,
        })
    }
}

impl Machine {
    /// What to do about a machine that was not quiet.
    pub(crate) fn warning(&self) -> Option<String> {
        let disturbance = if self.cores_of_others > CORES_OF_OTHERS_QUIET {
            format!("other programs kept {:.1} cores busy", self.cores_of_others)
        } else if self.cores_stolen > CORES_OF_OTHERS_QUIET {
            format!("the host of this virtual machine took {:.1} cores away", self.cores_stolen)
        } else {
            return None;
        };
        Some(format!(
            "Warning: {disturbance} during the run. Stop them or wait, then run it again; \
             until then trust the ratios and not the seconds."
        ))
    }
}

fn find_processor(processors: &str) -> Option<&str> {
    let line = processors.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_found_by_its_name() {
        assert_eq!(find_processor("processor\t: 0\nmodel name\t: Some CPU @ 3 GHz\n"), Some("Some CPU @ 3 GHz"));
        assert_eq!(find_processor(""), None);
    }
}
