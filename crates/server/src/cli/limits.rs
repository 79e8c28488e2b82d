//! What a client of `linespeed serve` may take.

use std::time::Duration;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use super::time::read_time;
use crate::guard::limits::{RequestLimits, TimeLimits};

/// What a client may take: bytes, time and connections.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// How many connections to have at a time; others wait until one of them ends.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        env = "LINESPEED_CONNECTIONS_MAX"
    )]
    pub connections_max: u32,
    /// How many of them an address may have, or an IPv6 network (/64); others get a 429. To be raised behind a proxy.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 256,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        env = "LINESPEED_CONNECTIONS_PER_ADDRESS_MAX"
    )]
    pub connections_per_address_max: u32,
    /// How many bytes a request's line and header fields may have in all; others get a 431. A method of over 32 bytes and
    /// a trailer section of over 4096 are counted as such heads, too.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = RequestLimits::default().head_bytes_max,
        // hyper takes no name of a field of 64 KiB.
        value_parser = bytes_between(256, 64 << 10),
        env = "LINESPEED_HEAD_BYTES_MAX"
    )]
    pub head_bytes_max: usize,
    /// How many bytes a request's target (path and query) may have; others get a 414.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = RequestLimits::default().target_bytes_max,
        // hyper takes no target that is longer.
        value_parser = bytes_between(16, 65_534),
        env = "LINESPEED_TARGET_BYTES_MAX"
    )]
    pub target_bytes_max: usize,
    /// How many header fields a request may have; others get a 431.
    #[arg(
        long,
        value_name = "N",
        default_value_t = RequestLimits::default().header_fields_max,
        value_parser = bytes_between(1, 1000),
        env = "LINESPEED_HEADER_FIELDS_MAX"
    )]
    pub header_fields_max: usize,
    /// How many bytes a request's body may have, which nothing needs; others get a 413. A chunk's size with extensions of
    /// over 256 bytes, and extensions of over 1024 in all, are counted as such bodies, too.
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = RequestLimits::default().body_bytes_max,
        value_parser = bytes_between(0, 16 << 20),
        env = "LINESPEED_BODY_BYTES_MAX"
    )]
    pub body_bytes_max: usize,
    /// How long a request may take to arrive, from its first byte to its last; others get a 408.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "10s",
        value_parser = read_time,
        env = "LINESPEED_REQUEST_TIME_MAX"
    )]
    pub request_time_max: Duration,
    /// How long a connection is kept on which no request comes.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = read_time, env = "LINESPEED_IDLE_TIME_MAX")]
    pub idle_time_max: Duration,
    /// How long a client may take none of the bytes that wait for it before its connection is closed.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = read_time, env = "LINESPEED_WRITE_TIME_MAX")]
    pub write_time_max: Duration,
    /// How long a client may take for a whole response, however slowly it comes, before its connection is closed: the
    /// feed is kept until then, also when another has taken its place.
    #[arg(
        long,
        value_name = "TIME",
        default_value = "10m",
        value_parser = read_time,
        env = "LINESPEED_RESPONSE_TIME_MAX"
    )]
    pub response_time_max: Duration,
    /// How long requests under way may take to end once the program is told to stop.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = read_time, env = "LINESPEED_DRAIN_TIME")]
    pub drain_time: Duration,
}

impl LimitOptions {
    /// Those of a request's size.
    pub(crate) fn of_requests(&self) -> RequestLimits {
        RequestLimits {
            head_bytes_max: self.head_bytes_max,
            target_bytes_max: self.target_bytes_max,
            header_fields_max: self.header_fields_max,
            body_bytes_max: self.body_bytes_max,
        }
    }

    /// Those of a connection's time.
    pub(crate) fn of_times(&self) -> TimeLimits {
        TimeLimits {
            request_time_max: self.request_time_max,
            idle_time_max: self.idle_time_max,
            write_time_max: self.write_time_max,
            response_time_max: self.response_time_max,
        }
    }
}

fn bytes_between(min: u64, max: u64) -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(min..=max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_that_are_shown_as_defaults_are_the_defaults() {
        use clap::Parser;
        #[derive(Parser)]
        struct Program {
            #[command(flatten)]
            limits: LimitOptions,
        }
        let limits = Program::parse_from(["program"]).limits;
        assert_eq!((limits.of_requests(), limits.of_times()), (RequestLimits::default(), TimeLimits::default()));
    }
}
