//! The review of a class, for the teacher only: which sources look copied, and which teams spare each other.
//!
//! It runs on a thread of its own when the teacher asks for it, with a reader of its own, so that no page, check or game waits
//! for it. Sources are hostile: what is read of a program, what is kept of a pair, and the time of each part are limited.

mod bites;
mod sources;

use std::sync::Arc;
use std::time::{Duration, Instant};

use course::{CourseError, CourseReader, Seconds};

use crate::room::{Room, now};

pub(crate) use bites::{Spared, SparedPair};
pub(crate) use sources::{Alike, AlikePair, program};

/// Maximum time of each of the two parts; what was found until then is told.
const MOST: Duration = Duration::from_secs(300);

/// The review as the teacher sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReviewNow {
    /// The progress of the review that is under way; `None` without one.
    pub(crate) progress: Option<Progress>,
    /// The last review.
    pub(crate) last: Option<Arc<Review>>,
    /// The reason why the last review has failed.
    pub(crate) trouble: Option<String>,
}

/// The progress of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Programs that are read.
    Sources(u32),
    /// Games that are played again.
    Games(u32),
}

/// The result of a review.
#[derive(Debug)]
pub(crate) struct Review {
    pub(crate) at: Seconds,
    pub(crate) alike: Alike,
    pub(crate) spared: Spared,
}

/// Begins a review, unless one is under way.
///
/// # Errors
///
/// When the course cannot be read, or no thread can be started.
pub(crate) fn begin(room: &Arc<Room>) -> Result<(), CourseError> {
    let is_new = room.review.send_if_modified(|review| {
        let is_new = review.progress.is_none();
        if is_new {
            review.progress = Some(Progress::Sources(0));
        }
        is_new
    });
    if !is_new {
        return Ok(());
    }
    let running = Running(Arc::clone(room));
    let reader = room.reader()?;
    let path = reader.path().to_owned();
    let work = move || {
        web::background::step_back();
        running.run(&reader);
    };
    let started = std::thread::Builder::new().name("review".to_owned()).spawn(work);
    started.map(|_| ()).map_err(|source| CourseError::Io { path, source })
}

/// A review that is under way. However it ends, another one may begin then.
struct Running(Arc<Room>);

impl Running {
    fn run(&self, reader: &CourseReader) {
        let tell = |progress| {
            self.0.review.send_modify(|review| review.progress = Some(progress));
        };
        let review = || {
            let given = &self.0.settings.given;
            let read = |programs| tell(Progress::Sources(programs));
            let alike = sources::compare(reader, given, Instant::now() + MOST, read)?;
            let played = |games| tell(Progress::Games(games));
            let spared = bites::find(reader, Instant::now() + MOST, played)?;
            Ok::<_, CourseError>(Review { at: now(), alike, spared })
        };
        let done = review();
        self.0.review.send_modify(|review| match done {
            Ok(done) => {
                review.last = Some(Arc::new(done));
                review.trouble = None;
            }
            Err(error) => review.trouble = Some(error.to_string()),
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.review.send_modify(|review| review.progress = None);
    }
}
