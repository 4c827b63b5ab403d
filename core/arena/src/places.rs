//! The places of connections: admission and eviction, by the policy in [`host`](crate::host).

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use limits::{FairPool, Source};
use parking_lot::Mutex;
use protocol::Name;
use tokio::sync::Semaphore;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::hall::TeamId;
use crate::notices::{Notice, Notices};

/// Maximum number of connections that have not registered.
const STRANGERS: usize = 1024;
/// Minimum number of places for strangers, even if few files may be open.
const FEWEST_STRANGERS: usize = 8;
/// Age below which a stranger is evicted only for a newcomer of a smaller group.
const GRACE: Duration = Duration::from_millis(200);
/// Minimum number of places for connections that are closing.
const CLOSING: usize = 64;
/// Maximum number of spectators from one source that is not this machine.
const SPECTATORS_OF_A_SOURCE: usize = 16;
/// Maximum number of wrong secrets within [`GUESS`] from one source for one name.
const GUESSES: usize = 8;
/// Time for which a wrong secret counts, and after which it is answered.
pub(crate) const GUESS: Duration = Duration::from_secs(1);

/// All places of a hall. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionPlaces {
    occupied: Arc<Mutex<Occupied>>,
    pub(crate) notices: Arc<Notices>,
}

#[derive(Debug)]
struct Occupied {
    strangers: FairPool<Group>,
    registered: usize,
    max_registered: usize,
    closing: FairPool<Group>,
    spectators: BTreeMap<Source, usize>,
    /// The queues for the judgement of secrets, by source and name, as long as they are used.
    queues: BTreeMap<(Source, String), Queue>,
}

/// The queue of the secrets from one source for one name.
#[derive(Debug)]
struct Queue {
    /// The permits to have a secret judged.
    permits: Arc<Semaphore>,
    /// The number of secrets that wait or count as wrong.
    users: usize,
}

/// The use of a queue by one secret; the last user of a queue removes it.
struct Queued {
    places: ConnectionPlaces,
    key: (Source, String),
}

impl Queued {
    fn enter(places: &ConnectionPlaces, key: (Source, String)) -> (Self, Arc<Semaphore>) {
        let mut occupied = places.occupied.lock();
        let new = || Queue { permits: Arc::new(Semaphore::new(GUESSES)), users: 0 };
        let queue = occupied.queues.entry(key.clone()).or_insert_with(new);
        queue.users += 1;
        (Self { places: places.clone(), key }, Arc::clone(&queue.permits))
    }
}

impl Drop for Queued {
    fn drop(&mut self) {
        let queues = &mut self.places.occupied.lock().queues;
        if let Some(queue) = queues.get_mut(&self.key) {
            queue.users -= 1;
            if queue.users == 0 {
                queues.remove(&self.key);
            }
        }
    }
}

/// The place of one connection, until it [leaves](Self::leave).
#[derive(Debug)]
pub(crate) struct Place {
    places: ConnectionPlaces,
    group: Group,
    abort: CancellationToken,
    state: Mutex<PlaceState>,
    accepted: CancellationToken,
    has_wrong_secret: AtomicBool,
    refused_late: CancellationToken,
}

#[derive(Debug, Default)]
struct PlaceState {
    kind: PlaceKind,
    /// True if the connection counts among the spectators of its source.
    is_spectator: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum PlaceKind {
    /// No place: a connection of the house, or one that has left.
    #[default]
    None,
    /// Among the strangers, under this number.
    Stranger(u64),
    Registered,
    /// Among the closing connections, under this number.
    Closing(u64),
}

/// The connections from one source through one door, which share a fair part of the places.
type Group = (Option<TeamId>, Source);

impl ConnectionPlaces {
    pub(crate) fn new(max_registered: usize) -> Self {
        let occupied = Occupied {
            strangers: FairPool::new(STRANGERS, GRACE),
            registered: 0,
            max_registered,
            closing: FairPool::new(max_registered.max(CLOSING), Duration::ZERO),
            spectators: BTreeMap::new(),
            queues: BTreeMap::new(),
        };
        Self { occupied: Arc::new(Mutex::new(occupied)), notices: Arc::default() }
    }

    /// Gives a new connection a place among the strangers; an evicted connection is aborted by its token. Returns `None`
    /// if there is no place.
    pub(crate) fn enter(
        &self,
        door: Option<TeamId>,
        address: IpAddr,
        abort: &CancellationToken,
    ) -> Option<Place> {
        let place = self.outside(door, address, abort);
        let mut occupied = self.occupied.lock();
        if occupied.registered >= occupied.max_registered {
            return None;
        }
        let number = occupied.strangers.enter(place.group, abort)?;
        place.state.lock().kind = PlaceKind::Stranger(number);
        drop(occupied);
        Some(place)
    }

    /// A dummy for a connection that takes no place.
    pub(crate) fn outside(
        &self,
        door: Option<TeamId>,
        address: IpAddr,
        abort: &CancellationToken,
    ) -> Place {
        Place {
            places: self.clone(),
            group: (door, address.into()),
            abort: abort.clone(),
            state: Mutex::default(),
            accepted: CancellationToken::new(),
            has_wrong_secret: AtomicBool::default(),
            refused_late: CancellationToken::new(),
        }
    }

    /// Limits the strangers' places to the open `files` that the other places leave, but at least a quarter of them.
    pub(crate) fn limit(&self, files: usize) {
        let mut occupied = self.occupied.lock();
        let others = occupied.max_registered.saturating_add(occupied.closing.limit);
        let left = files.saturating_sub(others).max(files / 4);
        occupied.strangers.limit = left.clamp(FEWEST_STRANGERS, STRANGERS);
    }

    /// Ends the connection of one stranger, because another resource than places is exhausted.
    pub(crate) fn shed(&self) {
        self.occupied.lock().strangers.shed();
    }
}

impl Place {
    fn source(&self) -> Source {
        self.group.1
    }

    /// Logs why the connection is refused; repetitions only at level debug.
    pub(crate) fn tell(&self, address: IpAddr, notice: &Notice) {
        self.places.notices.tell(self.source(), address, notice);
    }

    /// Counts the connection among the spectators of its source; false if the source has too many.
    pub(crate) fn count_spectator(&self) -> bool {
        if self.source().is_loopback() {
            return true;
        }
        let mut state = self.state.lock();
        let mut occupied = self.places.occupied.lock();
        let spectators = occupied.spectators.entry(self.source()).or_default();
        let has_room = *spectators < SPECTATORS_OF_A_SOURCE;
        if has_room && !state.is_spectator {
            *spectators += 1;
            state.is_spectator = true;
        }
        has_room
    }

    /// Waits until the secret sent with this name may be judged. The secret counts as wrong until the connection is
    /// accepted, for [`GUESS`] at most.
    pub(crate) async fn await_judgement(&self, name: &Name) {
        let (queued, permits) = Queued::enter(&self.places, (self.source(), name.to_string()));
        // The semaphore is never closed, so there is a permit.
        let Ok(permit) = permits.acquire_owned().await else { return };
        let accepted = self.accepted.clone();
        // The permit outlives the connection, so that closing it early makes guessing no faster.
        tokio::spawn(async move {
            tokio::select! {
                () = sleep(GUESS) => {}
                () = accepted.cancelled() => {}
            }
            drop((permit, queued));
        });
    }

    /// Moves a stranger to the registered connections, which never have to make room.
    pub(crate) fn accept(&self) {
        self.accepted.cancel();
        let mut state = self.state.lock();
        if let PlaceKind::Stranger(number) = state.kind {
            let mut occupied = self.places.occupied.lock();
            occupied.strangers.leave(number);
            occupied.registered += 1;
            state.kind = PlaceKind::Registered;
        }
    }

    pub(crate) fn close(&self) {
        let mut state = self.state.lock();
        let mut occupied = self.places.occupied.lock();
        if matches!(state.kind, PlaceKind::Stranger(_) | PlaceKind::Registered) {
            occupied.give_back(&state, self.source());
            let number = occupied.closing.enter(self.group, &self.abort);
            let kind = number.map_or(PlaceKind::None, PlaceKind::Closing);
            *state = PlaceState { kind, is_spectator: false };
        }
    }

    pub(crate) fn leave(&self) {
        let state = std::mem::take(&mut *self.state.lock());
        self.places.occupied.lock().give_back(&state, self.source());
    }

    /// Notes that the registration has a wrong secret, which is answered late if it is refused.
    pub(crate) fn note_wrong_secret(&self) {
        self.has_wrong_secret.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_wrong_secret(&self) -> bool {
        self.has_wrong_secret.load(Ordering::Relaxed)
    }

    /// Has the registration refused after 1 s.
    pub(crate) fn refuse_late(&self) {
        self.refused_late.cancel();
    }

    /// Waits until a wrong secret is to be answered; for ever if there is none.
    pub(crate) async fn refused_late(&self) {
        self.refused_late.cancelled().await;
        sleep(GUESS).await;
    }
}

impl Occupied {
    fn give_back(&mut self, state: &PlaceState, source: Source) {
        match state.kind {
            PlaceKind::None => {}
            PlaceKind::Stranger(number) => self.strangers.leave(number),
            PlaceKind::Registered => self.registered -= 1,
            PlaceKind::Closing(number) => self.closing.leave(number),
        }
        if state.is_spectator
            && let Some(spectators) = self.spectators.get_mut(&source)
        {
            *spectators -= 1;
            if *spectators == 0 {
                self.spectators.remove(&source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn unused_queue_of_secrets_is_removed() {
        let places = ConnectionPlaces::new(8);
        let (abort, ada) = (CancellationToken::new(), Name::new("Ada"));
        let enter = |host: u8| places.enter(None, [10, 0, 0, host].into(), &abort).unwrap();
        let queues = || places.occupied.lock().queues.len();
        for host in 0..3 {
            enter(host).await_judgement(&ada).await;
        }
        for _ in 1..GUESSES {
            enter(0).await_judgement(&ada).await;
        }
        // The queue of the first source is full: the next one waits, and gives up.
        let (place, patience) = (enter(0), GUESS / 2);
        assert!(timeout(patience, place.await_judgement(&ada)).await.is_err());
        assert_eq!(queues(), 3);
        sleep(GUESS).await;
        assert_eq!(queues(), 0);
    }
}
