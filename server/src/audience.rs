//! The spectators, and what they see when.
//!
//! The audience is a task of its own: games hand it shared bytes and go on, so players are served before spectators,
//! and a thousand spectators delay no turn. A spectator that does not read skips states, and so do all while games are
//! quicker than what may be sent to spectators.

mod allowance;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use protocol::ServerMessage;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

use self::allowance::Allowance;
use crate::clock::sleep_until_any;
use crate::link::Link;
use crate::outbox::LIMIT;

/// How much may wait for a spectator when an intermediate state comes: what is left is for new states.
const STEPS: usize = LIMIT / 2;
/// For the state that a game ends with, which nobody shall miss.
const FINAL: usize = 2 * LIMIT;
/// The most bytes of states that wait for the audience's task; states beyond are skipped.
const WAITING: usize = 4 * LIMIT;
/// Interval at which states are sent to spectators. A send of each state by itself would cost a quick game more time
/// than the turn that the state shows.
const NAP: Duration = Duration::from_millis(2);

/// Where spectators come in and states are shown; clones are of the same audience.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audience(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    news: Mutex<News>,
    changed: Notify,
    spectators: AtomicUsize,
}

/// What the audience's task has not seen yet.
#[derive(Debug, Default)]
struct News {
    items: VecDeque<Item>,
    /// Bytes of states among them.
    bytes: usize,
    /// The newest state, if there was no allowance for it.
    withheld: Option<Item>,
    allowance: Allowance,
    /// The number of spectators who read what they are sent.
    readers: usize,
    is_closed: bool,
}

#[derive(Debug)]
enum Item {
    /// A spectator comes, and sees the scene that comes next.
    Join(Arc<Link>, u64),
    Leave(u64),
    /// A scene, for those who have not seen it yet.
    Scene {
        scene: u64,
        maze: Option<Bytes>,
        state: Bytes,
    },
    State {
        scene: u64,
        state: Bytes,
        moment: Moment,
    },
}

/// When a state is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moment {
    Now,
    /// As one of the intermediate states of a turn.
    Step,
    At(Instant),
    /// At once, instead of all that is not shown yet.
    Final,
}

/// Where one game, or the lobby before it, is shown to the audience.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    audience: Audience,
    scene: u64,
}

impl Audience {
    /// The number of spectators.
    pub(crate) fn len(&self) -> usize {
        self.0.spectators.load(Ordering::Relaxed)
    }

    /// Adds a spectator of this number. It sees the next [scene](Stage::open).
    pub(crate) fn join(&self, link: Arc<Link>, number: u64) {
        self.0.spectators.fetch_add(1, Ordering::Relaxed);
        self.push(Item::Join(link, number), 0);
    }

    /// Takes a spectator out that is gone.
    pub(crate) fn leave(&self, link: u64) {
        self.0.spectators.fetch_sub(1, Ordering::Relaxed);
        self.push(Item::Leave(link), 0);
    }

    /// A place to show a scene of this number, unlike that of any other one.
    pub(crate) fn stage(&self, scene: u64) -> Stage {
        Stage { audience: self.clone(), scene }
    }

    /// Tells everybody that it is over, after all that was shown before.
    pub(crate) fn close(&self) {
        self.0.news.lock().is_closed = true;
        self.0.changed.notify_one();
    }

    fn push(&self, item: Item, bytes: usize) {
        let mut news = self.0.news.lock();
        news.bytes += bytes;
        // It is older, and time must not run backwards.
        let withheld = news.withheld.take();
        news.items.extend(withheld);
        news.items.push_back(item);
        drop(news);
        self.0.changed.notify_one();
    }

    /// Shows what there is to see, until the audience is closed. Games have their turn between any two pieces of work.
    pub(crate) async fn run(self) {
        let mut seats = Rows::default();
        let mut last = Instant::now();
        loop {
            let (items, withholds, is_closed) = {
                let mut news = self.0.news.lock();
                news.bytes = 0;
                news.readers = seats.readers();
                news.show_withheld();
                (std::mem::take(&mut news.items), news.withheld.is_some(), news.is_closed)
            };
            for item in items {
                seats.take(item);
                yield_now().await;
            }
            if is_closed {
                return seats.quit();
            }
            seats.show_due(Instant::now());
            for spectator in &seats.spectators {
                if spectator.link.outbox.flush() {
                    yield_now().await;
                }
            }
            sleep_until(last + NAP).await;
            if !withholds {
                tokio::select! {
                    () = self.0.changed.notified() => {}
                    () = sleep_until_any(seats.next_due()) => {}
                }
            }
            last = Instant::now();
        }
    }
}

impl Stage {
    /// Whether anybody looks on.
    pub(crate) fn is_watched(&self) -> bool {
        self.audience.len() > 0
    }

    /// Shows the scene as it is now to those who have not seen it: a game begins, or somebody has come.
    pub(crate) fn open(&self, maze: Option<&[u8]>, state: &[u8]) {
        let copy = Bytes::copy_from_slice;
        let (maze, state) = (maze.map(copy), copy(state));
        let bytes = state.len() + maze.as_ref().map_or(0, Bytes::len);
        self.audience.push(Item::Scene { scene: self.scene, maze, state }, bytes);
    }

    /// Shows a new state now.
    pub(crate) fn show(&self, state: &[u8]) {
        self.push(state, Moment::Now);
    }

    /// Shows an intermediate state now.
    pub(crate) fn show_step(&self, state: &[u8]) {
        self.push(state, Moment::Step);
    }

    /// Shows a state later; times come in order.
    pub(crate) fn show_at(&self, time: Instant, state: &[u8]) {
        self.push(state, Moment::At(time));
    }

    /// Shows the state that a game ends with at once, to those who have not seen it.
    pub(crate) fn show_final(&self, state: &[u8]) {
        self.push(state, Moment::Final);
    }

    fn push(&self, state: &[u8], moment: Moment) {
        if !self.is_watched() {
            return;
        }
        let mut news = self.audience.0.news.lock();
        let takes = moment == Moment::Final || news.takes(state.len(), moment == Moment::Step);
        if !takes && moment != Moment::Now {
            return;
        }
        let item = Item::State { scene: self.scene, state: Bytes::copy_from_slice(state), moment };
        if takes {
            news.withheld = None;
            news.bytes += state.len();
            news.items.push_back(item);
        } else {
            news.withheld = Some(item);
        }
        drop(news);
        self.audience.0.changed.notify_one();
    }
}

impl News {
    /// Whether a state of this length may be shown to everybody.
    fn takes(&mut self, bytes: usize, is_step: bool) -> bool {
        self.bytes <= WAITING && self.allowance.take(bytes * self.readers.max(1), is_step)
    }

    /// Shows the newest state, which was withheld, as soon as there is an allowance for it.
    fn show_withheld(&mut self) {
        if let Some(Item::State { state, .. }) = &self.withheld {
            let bytes = state.len();
            if self.takes(bytes, false) {
                self.items.extend(self.withheld.take());
            }
        }
    }
}

/// The spectators in their places, and what is shown to them.
#[derive(Debug, Default)]
struct Rows {
    spectators: Vec<Spectator>,
    scene: u64,
    maze: Option<Bytes>,
    /// The newest state of the scene, whether it is shown already or not.
    newest: Bytes,
    /// The states that are shown later, in order of time.
    due: VecDeque<(Instant, Bytes)>,
}

#[derive(Debug)]
struct Spectator {
    link: Arc<Link>,
    id: String,
    /// The scene that it sees.
    scene: Option<u64>,
    /// Number of states among those that are due which are older than the first state that it has seen.
    skip: usize,
    /// Whether it has missed the last new state.
    is_behind: bool,
    /// Whether it knows the maze.
    knows_maze: bool,
}

impl Rows {
    fn take(&mut self, item: Item) {
        match item {
            Item::Join(link, number) => self.spectators.push(Spectator {
                link,
                id: number.to_string(),
                scene: None,
                skip: 0,
                is_behind: false,
                knows_maze: false,
            }),
            Item::Leave(link) => self.spectators.retain(|spectator| spectator.link.id != link),
            Item::Scene { scene, maze, state } => self.open(scene, maze, state),
            Item::State { scene, state, moment } if scene == self.scene => {
                self.show(state, moment);
            }
            // The last words of a game that is not shown any more.
            Item::State { .. } => {}
        }
    }

    fn open(&mut self, scene: u64, maze: Option<Bytes>, state: Bytes) {
        if scene != self.scene {
            // What was due of the last scene is not shown any more.
            self.due.clear();
            self.scene = scene;
            if self.maze != maze {
                self.maze = maze;
                for spectator in &mut self.spectators {
                    spectator.knows_maze = false;
                }
            }
        }
        for spectator in &mut self.spectators {
            if spectator.scene != Some(scene) {
                spectator.scene = Some(scene);
                spectator.skip = self.due.len();
                spectator.is_behind = !spectator.show(self.maze.as_ref(), &state, LIMIT);
            }
        }
        self.newest = state;
    }

    fn show(&mut self, state: Bytes, moment: Moment) {
        let maze = self.maze.as_ref();
        let seeing = self.spectators.iter_mut().filter(|spectator| spectator.scene.is_some());
        match moment {
            Moment::Now => {
                for spectator in seeing {
                    spectator.is_behind = !spectator.show(maze, &state, LIMIT);
                }
                self.newest = state;
            }
            Moment::Step => {
                for spectator in seeing {
                    spectator.show(maze, &state, STEPS);
                }
            }
            Moment::At(time) => {
                self.newest.clone_from(&state);
                self.due.push_back((time, state));
            }
            Moment::Final => {
                let is_due = self.due.back().is_some_and(|(_, last)| *last == state);
                for spectator in seeing {
                    let skips_all = spectator.skip >= self.due.len();
                    if spectator.is_behind || (is_due && !skips_all) || self.newest != state {
                        spectator.is_behind = !spectator.show(maze, &state, FINAL);
                    }
                    spectator.skip = 0;
                }
                self.due.clear();
                self.newest = state;
            }
        }
    }

    /// The number of spectators who have room for the next state.
    fn readers(&self) -> usize {
        self.spectators.iter().filter(|spectator| !spectator.is_behind).count()
    }

    fn next_due(&self) -> Option<Instant> {
        self.due.front().map(|(time, _)| *time)
    }

    /// Shows what is due at that time.
    fn show_due(&mut self, now: Instant) {
        while self.next_due().is_some_and(|time| time <= now) {
            let Some((_, state)) = self.due.pop_front() else { return };
            for spectator in &mut self.spectators {
                match spectator.skip {
                    0 => {
                        spectator.is_behind = !spectator.show(self.maze.as_ref(), &state, LIMIT);
                    }
                    _ => spectator.skip -= 1,
                }
            }
        }
    }

    fn quit(&self) {
        for spectator in &self.spectators {
            spectator.link.quit();
        }
    }
}

impl Spectator {
    /// Whether there was room for it: one that does not keep up skips states, but never the maze that
    /// they are of.
    fn show(&mut self, maze: Option<&Bytes>, state: &[u8], room: usize) -> bool {
        let id = &self.id;
        if !self.knows_maze {
            let fits =
                |maze| self.link.outbox.hold(ServerMessage::Maze { id, maze }, FINAL).is_ok();
            self.knows_maze = maze.is_none_or(|maze| fits(maze));
        }
        self.knows_maze && self.link.outbox.hold(ServerMessage::State { id, state }, room).is_ok()
    }
}
