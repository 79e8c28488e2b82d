//! The arguments of the program.

mod address;
mod limits;
mod time;

pub use limits::LimitOptions;
pub use time::Refresh;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use timetable::generate::{Like, Recipe, RunningTimes};

use crate::feed::{DownloadLimits, Source};
use address::read_listen_address;
use time::{read_refresh, read_time};

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
    /// Serve what a feed says over HTTP: departures, stops, routes, trips, schedules, services and shapes.
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
    linespeed serve https://a.example/gtfs.zip what is at a URL, looked at every 15 minutes\n  \
    curl localhost:4000/schedules/T1           the schedules of a route of that city\n\n\
    SIGHUP reads the feed anew, as --refresh does when it has changed. A feed that is of no use never replaces a good one.\n\
    /healthz and /readyz say 200 from the first request on: none is taken before the feed is read.\n\
    SIGTERM and Ctrl-C let requests under way finish, for at most --drain-time; a second one stops at once.\n\
    Times are written as 10s, 300ms or 1m30s, up to 24h.")]
pub struct ServeOptions {
    /// The feed: a zip, a folder, or the http(s) URL of a zip, that holds trips.txt and stop_times.txt, at any depth.
    /// Without it: a built-in city.
    pub feed: Option<Source>,
    /// Where to listen for HTTP, as ADDRESS:PORT; port 0 takes any free one. Only this machine can reach 127.0.0.1.
    #[arg(
        long,
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:4000",
        value_parser = read_listen_address,
        env = "LINESPEED_HTTP"
    )]
    pub http: SocketAddr,
    /// How many MiB of compressed answers to keep, zstd, br and gzip together, so that each is compressed once; what was
    /// not asked for the longest goes first.
    #[arg(long, value_name = "MIB", default_value_t = 32, env = "LINESPEED_COMPRESSED_CACHE_MIB")]
    pub compressed_cache_mib: u32,
    /// How often to look whether the feed has changed, such as 90s, 5m or 1h, at least 100ms for a path and 1s for a URL;
    /// 0 or off for never. A changed file is read once it has stayed the same for another look. [default: 5s for a path,
    /// 15m for a URL]
    #[arg(long, value_name = "TIME", env = "LINESPEED_REFRESH", value_parser = read_refresh)]
    pub refresh: Option<Refresh>,
    /// What a feed from a URL may take.
    #[command(flatten)]
    pub download: DownloadOptions,
    /// What a client may take.
    #[command(flatten)]
    pub limits: LimitOptions,
}

/// How a feed is fetched from a URL.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Feeds from a URL")]
pub struct DownloadOptions {
    /// How many MiB a feed from a URL may have.
    #[arg(long, value_name = "MIB", default_value_t = 1024, env = "LINESPEED_DOWNLOAD_MIB_MAX")]
    pub download_mib_max: u32,
    /// How long it may take until there is a connection, such as 10s.
    #[arg(long, value_name = "TIME", default_value = "10s", env = "LINESPEED_DOWNLOAD_CONNECT_MAX", value_parser = read_time)]
    pub download_connect_max: Duration,
    /// How long a download may stand still.
    #[arg(long, value_name = "TIME", default_value = "30s", env = "LINESPEED_DOWNLOAD_STALL_MAX", value_parser = read_time)]
    pub download_stall_max: Duration,
    /// How long a download may take in all.
    #[arg(long, value_name = "TIME", default_value = "10m", env = "LINESPEED_DOWNLOAD_TIME_MAX", value_parser = read_time)]
    pub download_time_max: Duration,
    /// How many times to try what may pass, such as a connection that is refused or status 503.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        value_parser = clap::value_parser!(u32).range(1..),
        env = "LINESPEED_DOWNLOAD_ATTEMPTS_MAX"
    )]
    pub download_attempts_max: u32,
    /// How long to wait at most before the second attempt; then twice as long each time, up to a minute.
    #[arg(long, value_name = "TIME", default_value = "1s", env = "LINESPEED_DOWNLOAD_PAUSE", value_parser = read_time)]
    pub download_pause: Duration,
}

impl DownloadOptions {
    /// What a download may cost at most.
    pub(crate) fn limits(&self) -> DownloadLimits {
        DownloadLimits {
            byte_count_max: u64::from(self.download_mib_max) << 20,
            connect_time_max: self.download_connect_max,
            stall_time_max: self.download_stall_max,
            time_max: self.download_time_max,
        }
    }
}

/// What to check.
#[derive(Clone, Debug, Args)]
#[command(after_help = "Exit codes: 0 clean, 1 with problems, 2 unusable.\n\
    Problems are counted by kind; the first lines of each kind are shown, and up to a thousand with --format json.")]
pub struct CheckOptions {
    /// The feed: a zip, a folder, or the http(s) URL of a zip, that holds trips.txt and stop_times.txt, at any depth.
    pub feed: Source,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = CheckFormat::Text)]
    pub format: CheckFormat,
    /// What a feed from a URL may take.
    #[command(flatten)]
    pub download: DownloadOptions,
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
