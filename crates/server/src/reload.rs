//! The feed is read again: at a signal, or when it has changed.
//!
//! A [`Reloader`] waits in a task and works on a thread of its own, never on one that answers requests. The new feed is
//! built aside; only when it is whole and of use does it take the place of the old one, at once and for all requests
//! that begin from then on. There is one reload at a time: signals that come meanwhile lead to one more.

mod status;

pub(crate) use status::{Outcome, Reload, ReloadStatus};

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use timetable::Counts;
use tokio::task::spawn_blocking;
use tracing::{debug, error, info, warn};

use crate::cli::Refresh;
use crate::feed::{Backoff, Loaded, Looked, Origin, ReadError, Remedy, Source};
use crate::http::Handler;
use crate::plural::{counted, routes_trips_and_stop_times};

/// How often a path is looked at, if nothing else is said: a look costs a call to the system for each file.
const REFRESH_OF_PATH: Duration = Duration::from_secs(5);

/// How often a URL is looked at, if nothing else is said: it costs its owner a request, and feeds change by the day.
const REFRESH_OF_URL: Duration = Duration::from_secs(15 * 60);

/// How long to wait at most until what has changed is looked at again.
const SETTLE_TIME_MAX: Duration = Duration::from_secs(5);

/// Reads the feed again and hands it to whoever answers.
#[derive(Debug)]
pub(crate) struct Reloader {
    origin: Origin,
    handler: Arc<Handler>,
    /// How long to wait between looks; none if only a signal counts.
    refresh: Option<Duration>,
    /// The reload that has begun and is to be tried again.
    unfinished: Option<Unfinished>,
}

#[derive(Debug)]
struct Unfinished {
    why: Why,
    started: Instant,
    backoff: Backoff,
}

/// What a feed is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    /// Somebody asks for it: it is read whether it has changed or not.
    Signal,
    /// It is time to see whether it has changed.
    Look,
}

impl Reloader {
    /// `origin` has been read once, and `handler` answers from that.
    pub(crate) fn new(mut origin: Origin, handler: Arc<Handler>, refresh: Option<Refresh>) -> Self {
        origin.be_silent();
        let refresh = match (refresh, origin.source()) {
            (Some(Refresh::Off), _) | (_, Source::City) => None,
            (Some(Refresh::Every(time)), _) => Some(time),
            (None, Source::Path(_)) => Some(REFRESH_OF_PATH),
            (None, Source::Url(_)) => Some(REFRESH_OF_URL),
        };
        let reloader = Self { origin, handler, refresh, unfinished: None };
        reloader.tell_next_look(refresh);
        reloader
    }

    /// Reloads whenever `signal` ends, and when the feed has changed; for ever.
    pub(crate) async fn run(mut self, mut signal: impl AsyncFnMut()) {
        let mut pause = self.refresh;
        loop {
            let why = tokio::select! {
                () = signal() => {
                    self.unfinished = None;
                    Why::Signal
                }
                () = wait(pause) => self.unfinished.as_ref().map_or(Why::Look, |unfinished| unfinished.why),
            };
            let step = spawn_blocking(move || {
                let pause = self.outlive(|reloader| reloader.step(why));
                (self, pause)
            });
            // It fails only when the program is ending, before the step has begun: a panic in it is caught.
            let Ok((reloader, next_pause)) = step.await else { return };
            (self, pause) = (reloader, next_pause);
        }
    }

    /// Does a step; one that panics is a reload that failed, and signals and looks lead to the next as before.
    ///
    /// It is the program's fault, not the feed's, so a program that is built to abort then, as the released one is, does
    /// so, and says where. One that unwinds would otherwise serve the old feed for ever, without a word.
    fn outlive(&mut self, step: impl FnOnce(&mut Self) -> Option<Duration>) -> Option<Duration> {
        let started = Instant::now();
        // What the step leaves half-done is only what it knew of the source, which the next one finds out anew.
        catch_unwind(AssertUnwindSafe(|| step(self))).unwrap_or_else(|_| {
            let error = format!("{}: reading it ended in a fault of this program", self.origin.source());
            self.fail(&error, started, self.refresh)
        })
    }

    /// Looks or reads, and says how long to wait for the next step; none if only a signal leads to one.
    fn step(&mut self, why: Why) -> Option<Duration> {
        let unfinished = self.unfinished.take();
        let started = unfinished.as_ref().map_or_else(Instant::now, |unfinished| unfinished.started);
        let looked = match why {
            Why::Signal => {
                if unfinished.is_none() {
                    info!("SIGHUP: reading {}", self.origin.source());
                }
                self.origin.read().map(|loaded| Looked::Read(Box::new(loaded)))
            }
            Why::Look => self.origin.look(),
        };
        let settle = self.refresh.unwrap_or(SETTLE_TIME_MAX).min(SETTLE_TIME_MAX);
        match looked {
            Ok(Looked::Same) => self.tell_next_look(self.refresh),
            Ok(Looked::Settling) => {
                debug!("{} has changed: read once it rests", self.origin.source());
                self.tell_next_look(Some(settle))
            }
            Ok(Looked::Read(loaded)) => self.take(*loaded, started),
            Err(ReadError { error, remedy }) => {
                let pause = match remedy {
                    Remedy::Change => self.refresh,
                    Remedy::Rest => Some(settle),
                    Remedy::Pause(asked) => {
                        let mut backoff = unfinished.map_or_else(|| self.origin.backoff(), |former| former.backoff);
                        if let Some(pause) = backoff.on_failure(asked) {
                            warn!("{error:#}: trying again in {:.1} s", pause.as_secs_f64());
                            self.unfinished = Some(Unfinished { why, started, backoff });
                            return self.tell_next_look(Some(pause));
                        }
                        self.refresh
                    }
                };
                self.fail(&format!("{error:#}"), started, pause)
            }
        }
    }

    /// Has the new feed answer, unless it has lost what makes it one.
    fn take(&mut self, loaded: Loaded, started: Instant) -> Option<Duration> {
        let former = self.handler.loaded();
        let counts = loaded.feed.timetable.counts();
        if let Some(loss) = loss(&former.feed.timetable.counts(), &counts) {
            let error = format!("{}: {loss}; start the program anew to serve it all the same", loaded.source);
            return self.fail(&error, started, self.refresh);
        }
        let outcome = if loaded.version == former.version { Outcome::Unchanged } else { Outcome::Replaced };
        drop(former);
        let source = loaded.source.clone();
        let problem_count = loaded.feed.report.problem_count();
        let reload = Reload { outcome, at: loaded.loaded_at, time: started.elapsed(), error: None };
        self.handler.replace(loaded, self.status(Some(reload), self.refresh));
        let milliseconds = started.elapsed().as_millis();
        match outcome {
            Outcome::Unchanged => info!("read again after {milliseconds} ms, and unchanged: {source}"),
            _ => info!(
                "replaced after {milliseconds} ms: {source}, {}, {}",
                routes_trips_and_stop_times(&counts),
                counted(problem_count, "problem", "problems")
            ),
        }
        self.refresh
    }

    fn fail(&mut self, error: &str, started: Instant, pause: Option<Duration>) -> Option<Duration> {
        let (at, time) = (SystemTime::now(), started.elapsed());
        let reload = Reload { outcome: Outcome::Failed, at, time, error: Some(error.to_owned()) };
        self.handler.tell(self.status(Some(reload), pause));
        error!("{error}: the former feed is served on");
        pause
    }

    /// Tells when the source is looked at next.
    fn tell_next_look(&self, pause: Option<Duration>) -> Option<Duration> {
        self.handler.tell(self.status(None, pause));
        pause
    }

    /// What has become of the feed, once `reload` has ended and when the next look is due after `pause`.
    fn status(&self, reload: Option<Reload>, pause: Option<Duration>) -> ReloadStatus {
        let mut status = self.handler.reloads();
        reload.into_iter().for_each(|reload| status.add(reload));
        status.next_look_at = pause.and_then(|pause| SystemTime::now().checked_add(pause));
        status
    }
}

/// Waits for so long, or for ever.
async fn wait(pause: Option<Duration>) {
    match pause {
        Some(pause) => tokio::time::sleep(pause).await,
        None => std::future::pending().await,
    }
}

/// What a feed has lost of all that the former one had, if anything.
///
/// A file that was cut off after its header, or a query that found nothing, makes a feed without a single fault and
/// without a single departure. Serving it would take everything from everybody, so it is no better than one that cannot
/// be read. Anything less than all is for its publisher to judge: feeds shrink by half when a season ends.
fn loss(former: &Counts, new: &Counts) -> Option<String> {
    let parts = [
        ("routes", former.routes as u64, new.routes as u64),
        ("trips", former.trips as u64, new.trips as u64),
        ("stop times", former.stop_times, new.stop_times),
        ("services", former.services as u64, new.services as u64),
    ];
    let (what, count, _) = parts.into_iter().find(|(_, former, new)| *former > 0 && *new == 0)?;
    Some(format!("found no {what}, and the former feed has {count}"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::DownloadOptions;
    use crate::feed::built_in_city;
    use crate::metrics::Metrics;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        download: DownloadOptions,
    }

    #[test]
    fn a_step_that_panics_is_a_failed_reload_and_the_next_one_is_done() {
        let metrics = Arc::new(Metrics::new(Vec::new()));
        let handler = Arc::new(Handler::new(built_in_city().unwrap(), 0, metrics));
        let origin = Origin::new(Source::City, Program::parse_from(["program"]).download);
        let mut reloader = Reloader::new(origin, Arc::clone(&handler), None);
        reloader.refresh = Some(REFRESH_OF_PATH);
        let pause = reloader.outlive(|_| panic!("as a test wants it"));
        assert_eq!(pause, Some(REFRESH_OF_PATH), "the source is looked at again");
        let reloads = handler.reloads();
        assert_eq!(reloads.count(Outcome::Failed), 1);
        assert!(reloads.last.unwrap().error.unwrap().contains("fault of this program"));
        assert!(reloads.next_look_at.is_some());
        reloader.outlive(|reloader| reloader.step(Why::Signal));
        assert_eq!(handler.reloads().count(Outcome::Unchanged), 1);
    }
}
