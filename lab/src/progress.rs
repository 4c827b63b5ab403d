//! The progress of long work, and its interruption by Ctrl-C.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use language::{Language, word};

/// The user wants the work to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", word("interrupted", "interrompu"))]
pub struct Interrupted;

/// The progress of long work, which also tells the work to stop.
///
/// A terminal shows the progress on a line of the standard error, which disappears on drop; elsewhere
/// nothing is shown.
#[derive(Debug)]
pub struct ProgressDisplay {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

impl ProgressDisplay {
    /// The progress of work with `steps` steps.
    #[must_use]
    pub fn steps(what: &'static str, steps: u64) -> Self {
        let bar = ProgressBar::new(steps);
        let left = word("{eta} left", "reste {eta}");
        Self::new(what, bar, &format!("{{msg}} {{wide_bar}} {{done}}/{{all}}, {left}"))
    }

    /// The progress of work with an unknown number of steps.
    #[must_use]
    pub fn open_ended(what: &'static str) -> Self {
        let since = word("for {elapsed}", "depuis {elapsed}");
        Self::new(what, ProgressBar::no_length(), &format!("{{msg}} {{done}}, {since}"))
    }

    fn new(what: &'static str, bar: ProgressBar, template: &str) -> Self {
        let shown = |number: Option<u64>, to: &mut dyn Write| {
            // A failure to write the number is ignored.
            let _ = to.write_str(&Language::chosen().whole(number.unwrap_or_default()));
        };
        let style = ProgressStyle::with_template(template)
            .expect("the template is well formed")
            .with_key("done", move |state: &ProgressState, to: &mut dyn Write| {
                shown(Some(state.pos()), to);
            })
            .with_key("all", move |state: &ProgressState, to: &mut dyn Write| {
                shown(state.len(), to);
            });
        bar.set_style(style);
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar, stop: stop_flag() }
    }

    /// Records that `steps` more steps are done. Cheap, but not for innermost loops.
    ///
    /// # Errors
    ///
    /// If the user has pressed Ctrl-C.
    pub fn advance(&self, steps: u64) -> Result<(), Interrupted> {
        self.bar.inc(steps);
        if self.stop.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }
}

impl Drop for ProgressDisplay {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A flag that the first Ctrl-C sets, from the first long work on; the second Ctrl-C ends the program at once.
fn stop_flag() -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let pressed = Arc::clone(&flag);
        // Without the handler, Ctrl-C ends the program as it always does.
        let _ = ctrlc::set_handler(move || {
            if pressed.swap(true, Ordering::Relaxed) {
                std::process::exit(cli::INTERRUPTED.into());
            }
        });
        flag
    });
    Arc::clone(flag)
}
