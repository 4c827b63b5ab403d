//! The state that the pages, the checks and the ladder of an open course share.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use cluster::state::WorkerState;
use course::{
    Course, CourseError, CourseReader, LadderRating, PublicRating, Seconds, TeamId, VersionId,
};
use language::log;
use parking_lot::Mutex;
use plan::Key;
use replay::with_thoughts;
use tokio::sync::{Notify, Semaphore, oneshot, watch};
use tokio::task;
use tokio::time::Instant;

use crate::Settings;
use crate::review::ReviewNow;

/// Number of uploads that are unpacked at a time.
const UNPACKED: usize = 2;

/// An open course. The pages, the checks and the ladder each have a reader of their own, so that none waits for another;
/// changes go through the one writer.
pub(crate) struct Room {
    pub(crate) settings: Settings,
    course: Mutex<Course>,
    /// The reader of the pages.
    reader: Mutex<CourseReader>,
    /// Uploads that are unpacked at a time.
    pub(crate) unpacking: Semaphore,
    /// Told when a version waits for its check.
    pub(crate) handed_in: Notify,
    /// Told when games may be played again.
    pub(crate) resumed: Notify,
    /// The current activity.
    pub(crate) now: watch::Sender<Now>,
    /// The ladder after the last games.
    pub(crate) ladder: watch::Sender<Arc<LadderNow>>,
    /// The review of the class.
    pub(crate) review: watch::Sender<ReviewNow>,
}

/// The current activity of a course.
#[derive(Clone, Debug, Default)]
pub(crate) struct Now {
    /// The version that is being checked, and since when.
    pub(crate) checking: Option<(VersionId, Instant)>,
    /// Number of games that are being played.
    pub(crate) playing: usize,
    /// Other machines that play.
    pub(crate) machines: Vec<WorkerState>,
    /// True if the teacher has paused the ladder.
    pub(crate) is_paused: bool,
    /// The last reasons why this machine could not check, or not play, for the teacher.
    pub(crate) troubles: BTreeMap<Work, String>,
}

/// The kinds of work of a machine for a course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Work {
    Checks,
    Ladder,
    /// The games that other machines play.
    Machines,
}

/// The ladder as it was computed last.
#[derive(Debug, Default)]
pub(crate) struct LadderNow {
    pub(crate) rows: Vec<PublicRating>,
    pub(crate) ratings: Vec<LadderRating>,
    pub(crate) games: u64,
    /// The end of the course, if it has ended.
    pub(crate) ended: Option<Seconds>,
}

impl Room {
    pub(crate) fn new(course: Course, settings: Settings) -> Result<Arc<Self>, CourseError> {
        let reader = course.reader()?;
        let now = Now { is_paused: reader.is_paused()?, ..Now::default() };
        let room = Self {
            settings,
            reader: Mutex::new(reader),
            course: Mutex::new(course),
            unpacking: Semaphore::new(UNPACKED),
            handed_in: Notify::new(),
            resumed: Notify::new(),
            now: watch::Sender::new(now),
            ladder: watch::Sender::default(),
            review: watch::Sender::default(),
        };
        Ok(Arc::new(room))
    }

    /// A further reader.
    pub(crate) fn reader(&self) -> Result<CourseReader, CourseError> {
        self.course.lock().reader()
    }

    /// Changes the course, on a thread that may block.
    pub(crate) async fn write<T: Send + 'static, E: From<CourseError> + Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&mut Course) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let room = Arc::clone(self);
        unblocked(move || work(&mut room.course.lock())).await
    }

    /// Reads the course, on a thread that may block.
    pub(crate) async fn read<T: Send + 'static, E: From<CourseError> + Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&CourseReader) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        let room = Arc::clone(self);
        unblocked(move || work(&room.reader.lock())).await
    }

    /// The recording of a game, with the thoughts of this team's own program only. Blocks.
    pub(crate) fn recording(
        &self,
        key: Key,
        team: Option<TeamId>,
    ) -> Result<Option<Vec<u8>>, CourseError> {
        let reader = self.reader.lock();
        let recording = reader.recording(key)?;
        let thoughts = team.map(|team| reader.as_team(team)?.thoughts(key)).transpose()?.flatten();
        Ok(match (recording, thoughts) {
            (Some(recording), Some(thoughts)) => Some(with_thoughts(&recording, &thoughts)),
            (recording, _) => recording,
        })
    }

    /// Notes what this machine cannot do, for the teacher, and logs it once as long as it lasts.
    pub(crate) fn note_trouble(&self, work: Work, trouble: &str) {
        self.now.send_if_modified(|now| {
            let is_new = now.troubles.get(&work).is_none_or(|known| known != trouble);
            if is_new {
                log!(error, "the course: {trouble}", "le cours : {trouble}");
                now.troubles.insert(work, trouble.to_owned());
            }
            is_new
        });
    }

    /// Notes that this machine can do this work.
    pub(crate) fn forget_trouble(&self, work: Work) {
        self.now.send_if_modified(|now| now.troubles.remove(&work).is_some());
    }
}

/// Runs work on a thread that may block. A panic of the work goes on in the caller.
pub(crate) async fn unblocked<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Runs work on a thread of its own. A panic of the work goes on in the caller.
pub(crate) async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, done) = oneshot::channel();
    let thread = std::thread::spawn(move || drop(sender.send(work())));
    match done.await {
        Ok(done) => done,
        Err(_) => match thread.join() {
            Err(panic) => std::panic::resume_unwind(panic),
            Ok(()) => unreachable!("a thread that has not panicked has sent"),
        },
    }
}

/// The present time, in seconds since 1970.
pub(crate) fn now() -> Seconds {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
