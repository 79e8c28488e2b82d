//! What has become of the feed since the program began, for `GET /feed` and whoever counts it.

use std::time::{Duration, SystemTime};

/// How a reload ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Another feed is served since.
    Replaced,
    /// The feed says what it said before.
    Unchanged,
    /// What was found is of no use, and the former feed is served on.
    Failed,
}

impl Outcome {
    /// Every outcome, in the order in which they are told.
    pub(crate) const ALL: [Self; 3] = [Self::Replaced, Self::Unchanged, Self::Failed];

    /// Its name in answers and metrics.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::Unchanged => "unchanged",
            Self::Failed => "failed",
        }
    }
}

/// A reload that has ended.
#[derive(Clone, Debug)]
pub(crate) struct Reload {
    pub(crate) outcome: Outcome,
    /// When it ended.
    pub(crate) at: SystemTime,
    /// How long it took, downloading and former attempts included.
    pub(crate) time: Duration,
    /// Why it failed.
    pub(crate) error: Option<String>,
}

/// All reloads since the program began.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReloadStatus {
    counts: [u64; Outcome::ALL.len()],
    /// The last one that has ended.
    pub(crate) last: Option<Reload>,
    /// When the source is looked at next; none if only a signal makes it so.
    pub(crate) next_look_at: Option<SystemTime>,
}

impl ReloadStatus {
    /// How many reloads ended so.
    pub(crate) fn count(&self, outcome: Outcome) -> u64 {
        self.counts[outcome as usize]
    }

    pub(super) fn add(&mut self, reload: Reload) {
        self.counts[reload.outcome as usize] += 1;
        self.last = Some(reload);
    }
}
