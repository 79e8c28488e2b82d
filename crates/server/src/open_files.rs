//! How many files, and so connections, the system lets this program have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing::{debug, warn};

/// Open files beside connections: the feed, the runtime's own, and those of clients that are told to come later.
const OTHER_FILES_MAX: u64 = 256;

/// Has the system allow as many connections as it will, and says how many of `connections_max` there can be.
///
/// What a shell sets as the limit, often 1,024, is for programs that know no better; the hard limit is the one that was
/// meant. Where that allows fewer connections it is said in the log: the others will wait to be accepted.
pub(crate) fn allow_connections(connections_max: u32) -> u32 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let mut allowed = current;
    if current != maximum {
        match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
            Ok(()) => allowed = maximum,
            Err(error) => debug!("the limit of open files stays as it is: {error}"),
        }
    }
    let Some(connections) = allowed.map(|files| files.saturating_sub(OTHER_FILES_MAX).max(1)) else {
        return connections_max;
    };
    if connections >= u64::from(connections_max) {
        return connections_max;
    }
    warn!(
        "the system allows {connections} connections, fewer than --connections-max {connections_max}: \
         raise its limit of open files (ulimit -Hn, LimitNOFILE=) to {}",
        u64::from(connections_max) + OTHER_FILES_MAX
    );
    u32::try_from(connections).expect("fewer than a number of 32 bits")
}
