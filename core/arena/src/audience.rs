//! The spectators, and the states they are shown.
//!
//! The audience is a task of its own: games hand it shared bytes and continue, so players are served before
//! spectators, and a thousand spectators delay no turn. A spectator that does not read skips states; all spectators
//! skip states while games produce more than the allowance permits.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use limits::TokenBucket;
use parking_lot::Mutex;
use protocol::ServerMessage;
use tokio::sync::Notify;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};

use crate::outbox::LIMIT;
use crate::peer::Peer;

/// Limit of bytes in a spectator's outbox for intermediate states; the rest is reserved for new states.
const STEPS: usize = LIMIT / 2;
/// Limit of bytes in a spectator's outbox for mazes and for the final state of a game, which must arrive.
const FINAL: usize = 2 * LIMIT;
/// Maximum number of bytes of states queued for the audience's task; further states are skipped.
const WAITING: usize = 4 * LIMIT;
/// Interval at which states are sent to spectators. Sending each state alone would cost a quick game more time than
/// the turn.
const NAP: Duration = Duration::from_millis(2);
/// Time per byte sent to any spectator: 33 MB/s for all together. A quick game produces 100 times more, and must not
/// lose cores and caches to states that nobody can follow.
const BYTE: Duration = Duration::from_nanos(30);
/// Burst allowed ahead of the rate: 250 ms, or 8 MB. Half of it is reserved for new states.
const BURST: Duration = Duration::from_millis(250);

/// The audience: accepts spectators and states. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Audience(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Notify,
    spectators: AtomicUsize,
}

/// The queue of the audience's task, which is bounded however late the task is.
#[derive(Debug, Default)]
struct Queue {
    /// The spectators that have joined, in order of their places among `items`.
    joined: Vec<Newcomer>,
    /// The spectators that have left, except those in `joined`.
    left: Vec<u64>,
    items: VecDeque<Item>,
    /// The number of the newest scene of `items`, and its index.
    scene: Option<(u64, usize)>,
    /// Bytes of states among `items`.
    bytes: usize,
    /// The newest state, if the allowance did not suffice for it.
    withheld: Option<Item>,
    /// The bytes that may be sent to spectators, from the first state on.
    allowance: Option<TokenBucket>,
    /// The number of spectators that keep up.
    readers: usize,
    is_closed: bool,
}

/// A spectator that has joined. It sees the scenes from an item on.
#[derive(Debug)]
struct Newcomer {
    peer: Arc<Peer>,
    number: u64,
    before: usize,
}

#[derive(Debug)]
enum Item {
    /// A scene, for the spectators that have not seen it yet.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Now,
    /// Now, as an intermediate state of a turn.
    Step,
    At(Instant),
    /// Now, replacing all states not shown yet: the final state of a game, for spectators that have not seen it.
    Final,
}

/// The handle through which one game, or the lobby before it, is shown to the audience.
#[derive(Clone, Debug)]
pub(crate) struct SceneSender {
    audience: Audience,
    scene: u64,
}

impl Audience {
    pub(crate) fn len(&self) -> usize {
        self.0.spectators.load(Ordering::Relaxed)
    }

    /// Adds a spectator with this number, which sees the next [scene](SceneSender::open).
    pub(crate) fn join(&self, peer: Arc<Peer>, number: u64) {
        self.0.spectators.fetch_add(1, Ordering::Relaxed);
        let mut queue = self.0.queue.lock();
        let before = queue.items.len();
        queue.joined.push(Newcomer { peer, number, before });
        drop(queue);
        self.0.changed.notify_one();
    }

    pub(crate) fn leave(&self, peer: u64) {
        self.0.spectators.fetch_sub(1, Ordering::Relaxed);
        let mut queue = self.0.queue.lock();
        match queue.joined.iter().position(|newcomer| newcomer.peer.id == peer) {
            Some(index) => drop(queue.joined.remove(index)),
            None => queue.left.push(peer),
        }
        drop(queue);
        self.0.changed.notify_one();
    }

    /// A stage for the scene with this number, which must be unique.
    pub(crate) fn stage(&self, scene: u64) -> SceneSender {
        SceneSender { audience: self.clone(), scene }
    }

    /// Sends `quit` to all spectators, after everything shown before.
    pub(crate) fn close(&self) {
        self.0.queue.lock().is_closed = true;
        self.0.changed.notify_one();
    }

    /// Shows queued states until the audience is closed. Yields to games between any two pieces of work.
    pub(crate) async fn run(self) {
        let mut broadcast = Broadcast::default();
        let mut last = Instant::now();
        loop {
            let (joined, left, items, withholds, is_closed) = {
                let mut queue = self.0.queue.lock();
                (queue.bytes, queue.scene) = (0, None);
                queue.readers = broadcast.readers();
                queue.show_withheld();
                let joined = std::mem::take(&mut queue.joined);
                let left = std::mem::take(&mut queue.left);
                let items = std::mem::take(&mut queue.items);
                (joined, left, items, queue.withheld.is_some(), queue.is_closed)
            };
            broadcast.leave(&left);
            let mut joined = joined.into_iter().peekable();
            for (index, item) in items.into_iter().enumerate() {
                while let Some(newcomer) = joined.next_if(|newcomer| newcomer.before <= index) {
                    broadcast.join(newcomer);
                }
                broadcast.take(item);
                yield_now().await;
            }
            joined.for_each(|newcomer| broadcast.join(newcomer));
            if is_closed {
                return broadcast.quit();
            }
            broadcast.show_due(Instant::now());
            for spectator in &broadcast.spectators {
                if spectator.peer.outbox.flush() {
                    yield_now().await;
                }
            }
            sleep_until(last + NAP).await;
            if !withholds {
                let due = broadcast.next_due();
                tokio::select! {
                    () = self.0.changed.notified() => {}
                    () = sleep_until(due.unwrap_or(last)), if due.is_some() => {}
                }
            }
            last = Instant::now();
        }
    }
}

impl SceneSender {
    pub(crate) fn is_watched(&self) -> bool {
        self.audience.len() > 0
    }

    /// Shows the current state of the scene to spectators that have not seen the scene: new ones, or all if a game begins.
    pub(crate) fn open(&self, maze: Option<&[u8]>, state: &[u8]) {
        let mut queue = self.audience.0.queue.lock();
        if let Some((queued, index)) = queue.scene
            && queued == self.scene
        {
            // New spectators see the scene that is queued.
            for newcomer in &mut queue.joined {
                newcomer.before = newcomer.before.min(index);
            }
            return;
        }
        if queue.bytes > WAITING {
            // All that waits belongs to earlier scenes.
            queue.items.clear();
            (queue.bytes, queue.withheld) = (0, None);
            for newcomer in &mut queue.joined {
                newcomer.before = 0;
            }
        }
        let copy = Bytes::copy_from_slice;
        let (maze, state) = (maze.map(copy), copy(state));
        queue.bytes += state.len() + maze.as_ref().map_or(0, Bytes::len);
        // The withheld state is older than the scene: it goes first, so that time never runs backwards.
        let withheld = queue.withheld.take();
        queue.items.extend(withheld);
        queue.scene = Some((self.scene, queue.items.len()));
        queue.items.push_back(Item::Scene { scene: self.scene, maze, state });
        drop(queue);
        self.audience.0.changed.notify_one();
    }

    /// Shows a state at this moment; successive times must not decrease.
    pub(crate) fn show(&self, state: &[u8], moment: Moment) {
        if !self.is_watched() {
            return;
        }
        let mut queue = self.audience.0.queue.lock();
        let takes = moment == Moment::Final || queue.takes(state.len(), moment == Moment::Step);
        if !takes && moment != Moment::Now {
            return;
        }
        let item = Item::State { scene: self.scene, state: Bytes::copy_from_slice(state), moment };
        if takes {
            queue.withheld = None;
            queue.bytes += state.len();
            queue.items.push_back(item);
        } else {
            queue.withheld = Some(item);
        }
        drop(queue);
        self.audience.0.changed.notify_one();
    }
}

impl Queue {
    /// Tests if a state of `bytes` bytes may be shown to all spectators, and spends the allowance if so.
    fn takes(&mut self, bytes: usize, is_step: bool) -> bool {
        self.bytes <= WAITING && {
            let reserve = if is_step { BURST / 2 } else { Duration::ZERO };
            let allowance = self.allowance.get_or_insert_with(|| TokenBucket::new(BYTE, BURST));
            allowance.spend_above(bytes * self.readers.max(1), reserve)
        }
    }

    /// Queues the withheld state if the allowance suffices for it now.
    fn show_withheld(&mut self) {
        if let Some(Item::State { state, .. }) = &self.withheld {
            let bytes = state.len();
            if self.takes(bytes, false) {
                self.items.extend(self.withheld.take());
            }
        }
    }
}

/// The spectators, and the scene that is shown to them.
#[derive(Debug, Default)]
struct Broadcast {
    spectators: Vec<Spectator>,
    scene: u64,
    maze: Option<Bytes>,
    /// The newest state of the scene, shown already or due later.
    newest: Bytes,
    /// The states to be shown later, in order of time.
    due: VecDeque<(Instant, Bytes)>,
}

#[derive(Debug)]
struct Spectator {
    peer: Arc<Peer>,
    id: String,
    /// The scene that the spectator sees; `None` before its first one.
    scene: Option<u64>,
    /// Number of due states to skip because they predate the first state that the spectator saw.
    skip: usize,
    /// True if the spectator missed the last new state.
    is_behind: bool,
    /// True if the current maze was sent to the spectator.
    knows_maze: bool,
}

impl Broadcast {
    fn join(&mut self, Newcomer { peer, number, .. }: Newcomer) {
        self.spectators.push(Spectator {
            peer,
            id: number.to_string(),
            scene: None,
            skip: 0,
            is_behind: false,
            knows_maze: false,
        });
    }

    fn leave(&mut self, left: &[u64]) {
        self.spectators.retain(|spectator| !left.contains(&spectator.peer.id));
    }

    fn take(&mut self, item: Item) {
        match item {
            Item::Scene { scene, maze, state } => self.open(scene, maze, state),
            Item::State { scene, state, moment } if scene == self.scene => {
                self.show(state, moment);
            }
            // A late state of a game that is no longer shown.
            Item::State { .. } => {}
        }
    }

    fn open(&mut self, scene: u64, maze: Option<Bytes>, state: Bytes) {
        if scene != self.scene {
            // The due states of the last scene are dropped.
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

    /// The number of spectators that did not miss the last new state.
    fn readers(&self) -> usize {
        self.spectators.iter().filter(|spectator| !spectator.is_behind).count()
    }

    fn next_due(&self) -> Option<Instant> {
        self.due.front().map(|(time, _)| *time)
    }

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
            spectator.peer.quit();
        }
    }
}

impl Spectator {
    /// Queues a state, and the maze before it if the spectator lacks it; false if there is no room. A slow spectator
    /// skips states, but never their maze.
    fn show(&mut self, maze: Option<&Bytes>, state: &[u8], room: usize) -> bool {
        let id = &self.id;
        if !self.knows_maze {
            let fits =
                |maze| self.peer.outbox.hold(ServerMessage::Maze { id, maze }, FINAL).is_ok();
            self.knows_maze = maze.is_none_or(|maze| fits(maze));
        }
        self.knows_maze && self.peer.outbox.hold(ServerMessage::State { id, state }, room).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::places::ConnectionPlaces;

    fn peer() -> Arc<Peer> {
        let (address, abort) = (Ipv4Addr::LOCALHOST.into(), CancellationToken::new());
        let place = ConnectionPlaces::new(1).outside(None, address, &abort);
        Arc::new(Peer::new(address, abort, place))
    }

    #[test]
    fn queue_of_a_late_audience_is_bounded() {
        let audience = Audience::default();
        let watcher = peer();
        audience.join(Arc::clone(&watcher), 0);
        let large = vec![0; LIMIT / 4];
        for scene in 0..100 {
            let stage = audience.stage(scene);
            for number in 0..10 {
                let peer = peer();
                audience.join(Arc::clone(&peer), number);
                stage.open(Some(&large), &large);
                audience.leave(peer.id);
                stage.show(&large, Moment::Now);
            }
            stage.show(&large, Moment::Final);
        }
        let queue = audience.0.queue.lock();
        assert!(queue.bytes <= WAITING + 4 * large.len(), "{} bytes", queue.bytes);
        assert!(queue.items.len() < 100, "{} items", queue.items.len());
    }
}
