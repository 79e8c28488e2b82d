//! The arguments of the program.

mod limits;

pub use limits::LimitOptions;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use timetable::generate::{Like, Recipe, RunningTimes};

/// One self-hosted program for public-transport data: a GTFS feed in, a fast JSON API out.
#[derive(Debug, Parser)]
#[command(
    version,
    after_help = "Exit codes: 0 fine, 1 done with problems reported, 2 not done.\n\
    Logs go to standard error; LINESPEED_LOG=debug shows more of them, LINESPEED_LOG=warn fewer."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve a feed's schedules as JSON over HTTP.
    Serve(ServeOptions),
    /// Say what a feed holds and what is wrong with it.
    Check(CheckOptions),
    /// Make data to try things with.
    #[command(subcommand)]
    Generate(GenerateCommand),
}

/// How to serve.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:\n  \
    linespeed serve                            a small built-in city, at http://127.0.0.1:4000\n  \
    linespeed serve gtfs.zip                   an agency's feed\n  \
    linespeed serve gtfs.zip --http '[::]:80'  the same for all the world\n  \
    curl localhost:4000/schedules/T1           the schedules of a route of that city\n\n\
    SIGTERM and Ctrl-C let requests under way finish, for at most --drain-time; a second one stops at once.\n\
    Times are written as 10s, 300ms or 1m30s.")]
pub struct ServeOptions {
    /// The feed: a zip or a folder that holds trips.txt and stop_times.txt, at any depth. Without it: a built-in city.
    pub feed: Option<PathBuf>,
    /// Where to listen for HTTP, as ADDRESS:PORT; port 0 takes any free one. Only this machine can reach 127.0.0.1.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:4000", env = "LINESPEED_HTTP")]
    pub http: SocketAddr,
    /// How many MiB of compressed answers to keep, so that each is compressed once; the least used go first.
    #[arg(long, value_name = "MIB", default_value_t = 32, env = "LINESPEED_GZIP_CACHE_MIB")]
    pub gzip_cache_mib: u32,
    /// What a client may take.
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// What to check.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: 0 clean, 1 with problems, 2 unusable.\n\
    Problems are counted by kind; the first lines of each kind are shown, and up to a thousand with --format json.")]
pub struct CheckOptions {
    /// The feed: a zip or a folder that holds trips.txt and stop_times.txt, at any depth.
    pub feed: PathBuf,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
}

/// How to print what a check has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people.
    Text,
    /// For machines: one object.
    Json,
}

/// What to make.
#[derive(Debug, Subcommand)]
pub enum GenerateCommand {
    /// Make a GTFS feed in the layout of Boston's MBTA, the same for the same seed on every machine.
    Feed(GenerateFeedOptions),
}

/// Which feed to make.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Examples:\n  \
    linespeed generate feed --like mbta-2022 boston.zip\n  \
    linespeed generate feed --like mbta-2022 --running-times random boston/")]
pub struct GenerateFeedOptions {
    /// How large.
    #[arg(long, value_enum, default_value_t = LikeOption::Small)]
    pub like: LikeOption,
    /// How the trips' running times vary.
    #[arg(long, value_enum, default_value_t = RunningTimesOption::Period)]
    pub running_times: RunningTimesOption,
    /// Another seed makes another feed of the same size.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Where to put it: a zip if the name ends in `.zip`, otherwise a folder.
    pub out: PathBuf,
}

/// How large a feed to make.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LikeOption {
    /// The built-in city: a few routes, some thousand stop times.
    Small,
    /// As the MBTA's in 2022: 168 routes, 71,091 trips, 1,790,905 stop times.
    #[value(name = "mbta-2022")]
    Mbta2022,
    /// As the MBTA's in 2026: 5.4 million stop times.
    #[value(name = "mbta-2026")]
    Mbta2026,
}

/// How trips' running times vary.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RunningTimesOption {
    /// By the period of the day, as agencies plan them.
    Period,
    /// Every trip has times of its own, to the second: nothing repeats.
    Random,
}

impl GenerateFeedOptions {
    /// The recipe for the feed.
    pub fn recipe(&self) -> Recipe {
        Recipe {
            like: match self.like {
                LikeOption::Small => Like::Small,
                LikeOption::Mbta2022 => Like::Mbta2022,
                LikeOption::Mbta2026 => Like::Mbta2026,
            },
            running_times: match self.running_times {
                RunningTimesOption::Period => RunningTimes::ByPeriod,
                RunningTimesOption::Random => RunningTimes::Random,
            },
            seed: self.seed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }
}
