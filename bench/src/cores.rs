//! Which cores a process may run on.

use anyhow::{Context, bail};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Cores by number; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cores(Vec<usize>);

impl Cores {
    /// The cores that this thread may run on.
    pub(crate) fn allowed() -> anyhow::Result<Self> {
        let set = sched_getaffinity(None).context("cannot ask which cores may be used")?;
        Ok(Self((0..CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect()))
    }

    /// Reads numbers with commas between them, as [`Cores::to_argument`] writes them.
    pub(crate) fn parse(argument: &str) -> anyhow::Result<Self> {
        let cores = argument
            .split(',')
            .map(|core| core.parse().ok().filter(|&core| core < CpuSet::MAX_CPU))
            .collect::<Option<_>>()
            .with_context(|| format!("expected numbers of cores with commas between them, found {argument:?}"))?;
        Ok(Self(cores))
    }

    /// Numbers with commas between them.
    pub(crate) fn to_argument(&self) -> String {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        numbers.join(",")
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// One core for a server and another for its client, so that neither slows the other down. Fails with fewer than two.
    pub(crate) fn split(&self) -> anyhow::Result<(Self, Self)> {
        let [server, client, ..] = self.0[..] else {
            bail!(
                "one core for the server and one for its client are needed, only core {} may be used",
                self.to_argument()
            );
        };
        Ok((Self(vec![server]), Self(vec![client])))
    }

    /// Keeps this thread, and what it starts from now on, on these cores.
    pub(crate) fn pin_this_thread(&self) -> anyhow::Result<()> {
        let mut set = CpuSet::new();
        for &core in &self.0 {
            set.set(core);
        }
        sched_setaffinity(None, &set).with_context(|| format!("cannot run on the cores {}", self.to_argument()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_argument_is_read_as_it_was_written() {
        let cores = Cores::parse("0,3,17").unwrap();
        assert_eq!(cores.to_argument(), "0,3,17");
        assert_eq!(cores.split().unwrap(), (Cores(vec![0]), Cores(vec![3])));
        assert!(Cores::parse("").is_err());
        assert!(Cores::parse("1,x").is_err());
        assert!(Cores::parse("1000000").is_err());
        assert!(Cores::parse("7").unwrap().split().is_err());
    }
}
