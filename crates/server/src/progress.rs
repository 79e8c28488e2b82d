//! A bar for work that lasts longer than a second, on a terminal only.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How long work may last before a bar is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often the bar is drawn.
const FRAME: Duration = Duration::from_millis(100);

/// Whether work is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Somebody waits for it.
    Bar,
    /// It is done beside other work.
    Silent,
}

impl Progress {
    /// Does `work` as [`with_bar`] does, or without one.
    pub(crate) fn show<T>(self, what: &'static str, byte_count: Option<u64>, work: impl FnOnce(&AtomicU64) -> T) -> T {
        match self {
            Self::Bar => with_bar(what, byte_count, work),
            Self::Silent => work(&AtomicU64::new(0)),
        }
    }
}

/// Does `work`, which counts the bytes that it has done, and shows them as `what` if it takes long.
///
/// `byte_count` is what there is to do, where that is known.
pub(crate) fn with_bar<T>(what: &'static str, byte_count: Option<u64>, work: impl FnOnce(&AtomicU64) -> T) -> T {
    let bytes_done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        let bytes_done = &bytes_done;
        scope.spawn(move || {
            // The channel closes when the work is done, so nobody waits for a bar that will not be shown.
            if is_done.recv_timeout(PATIENCE) != Err(mpsc::RecvTimeoutError::Timeout) {
                return;
            }
            let bar = bar(what, byte_count);
            while is_done.recv_timeout(FRAME) == Err(mpsc::RecvTimeoutError::Timeout) {
                bar.set_position(bytes_done.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let result = work(bytes_done);
        drop(done);
        result
    })
}

fn bar(what: &'static str, byte_count: Option<u64>) -> ProgressBar {
    let (bar, template) = match byte_count {
        Some(byte_count) => (ProgressBar::new(byte_count), "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg} {bytes} in {elapsed}"),
    };
    bar.set_style(ProgressStyle::with_template(template).expect("the template is well formed"));
    bar.with_message(what)
}
