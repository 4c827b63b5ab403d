//! The places of connections: admission and eviction, by the policy in [`host`](crate::host).

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use protocol::Name;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use crate::hall::TeamId;
use crate::notices::{Notice, Notices};
use crate::source::Source;

/// Maximum number of connections that have not registered.
const STRANGERS: usize = 1024;
/// Minimum number of places for strangers, even if few files may be open.
const FEWEST_STRANGERS: usize = 8;
/// Age below which a stranger is evicted only for a newcomer of a smaller party.
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
pub(crate) struct Places {
    occupied: Arc<Mutex<Occupied>>,
    pub(crate) notices: Arc<Notices>,
}

#[derive(Debug)]
struct Occupied {
    next: u64,
    strangers: Crowd,
    registered: usize,
    max_registered: usize,
    closing: Crowd,
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
    places: Places,
    key: (Source, String),
}

impl Queued {
    /// Enters a queue, and returns its permits.
    fn enter(places: &Places, key: (Source, String)) -> (Self, Arc<Semaphore>) {
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
    places: Places,
    party: Party,
    abort: CancellationToken,
    standing: Mutex<Standing>,
    accepted: CancellationToken,
    has_wrong_secret: AtomicBool,
    refused_late: CancellationToken,
}

/// The place of a connection.
#[derive(Debug, Default)]
struct Standing {
    kind: Kind,
    /// True if the connection counts among the spectators of its source.
    is_spectator: bool,
}

#[derive(Clone, Copy, Debug, Default)]
enum Kind {
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
type Party = (Option<TeamId>, Source);

impl Places {
    pub(crate) fn new(max_registered: usize) -> Self {
        let occupied = Occupied {
            next: 0,
            strangers: Crowd::new(STRANGERS, GRACE),
            registered: 0,
            max_registered,
            closing: Crowd::new(max_registered.max(CLOSING), Duration::ZERO),
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
        let number = occupied.number();
        if !occupied.strangers.enter(number, place.party, abort) {
            return None;
        }
        place.standing.lock().kind = Kind::Stranger(number);
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
            party: (door, address.into()),
            abort: abort.clone(),
            standing: Mutex::default(),
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

impl Occupied {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

impl Place {
    fn source(&self) -> Source {
        self.party.1
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
        let mut standing = self.standing.lock();
        let mut occupied = self.places.occupied.lock();
        let spectators = occupied.spectators.entry(self.source()).or_default();
        let has_room = *spectators < SPECTATORS_OF_A_SOURCE;
        if has_room && !standing.is_spectator {
            *spectators += 1;
            standing.is_spectator = true;
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
        let mut standing = self.standing.lock();
        if let Kind::Stranger(number) = standing.kind {
            let mut occupied = self.places.occupied.lock();
            occupied.strangers.leave(number);
            occupied.registered += 1;
            standing.kind = Kind::Registered;
        }
    }

    /// Moves the connection to the closing ones.
    pub(crate) fn close(&self) {
        let mut standing = self.standing.lock();
        let mut occupied = self.places.occupied.lock();
        if matches!(standing.kind, Kind::Stranger(_) | Kind::Registered) {
            occupied.give_back(&standing, self.source());
            let number = occupied.number();
            occupied.closing.enter(number, self.party, &self.abort);
            *standing = Standing { kind: Kind::Closing(number), is_spectator: false };
        }
    }

    /// Gives the place back.
    pub(crate) fn leave(&self) {
        let standing = std::mem::take(&mut *self.standing.lock());
        self.places.occupied.lock().give_back(&standing, self.source());
    }

    /// Notes that the registration has a wrong secret, which is answered late if it is refused.
    pub(crate) fn note_wrong_secret(&self) {
        self.has_wrong_secret.store(true, Ordering::Relaxed);
    }

    /// Tests if the registration has a wrong secret.
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
    fn give_back(&mut self, standing: &Standing, source: Source) {
        match standing.kind {
            Kind::None => {}
            Kind::Stranger(number) => self.strangers.leave(number),
            Kind::Registered => self.registered -= 1,
            Kind::Closing(number) => self.closing.leave(number),
        }
        if standing.is_spectator
            && let Some(spectators) = self.spectators.get_mut(&source)
        {
            *spectators -= 1;
            if *spectators == 0 {
                self.spectators.remove(&source);
            }
        }
    }
}

/// A limited number of connections. A new connection replaces the oldest one of the largest party.
#[derive(Debug)]
struct Crowd {
    limit: usize,
    grace: Duration,
    /// The connections by number, which is the order of arrival.
    members: BTreeMap<u64, Member>,
    parties: BTreeMap<Party, usize>,
}

#[derive(Debug)]
struct Member {
    party: Party,
    since: Instant,
    abort: CancellationToken,
}

impl Crowd {
    fn new(limit: usize, grace: Duration) -> Self {
        Self { limit, grace, members: BTreeMap::new(), parties: BTreeMap::new() }
    }

    /// Adds a connection if there is room or another connection can be evicted; false otherwise.
    fn enter(&mut self, number: u64, party: Party, abort: &CancellationToken) -> bool {
        let now = Instant::now();
        while self.members.len() >= self.limit {
            let Some(victim) = self.find_victim(party, now) else { return false };
            self.remove(victim);
        }
        *self.parties.entry(party).or_default() += 1;
        self.members.insert(number, Member { party, since: now, abort: abort.clone() });
        true
    }

    /// The connection to evict: the oldest one of the largest party, newcomer included; in a tie, of the newcomer's party
    /// if it has one. Within the grace, only a party larger than the newcomer's loses a connection.
    fn find_victim(&self, newcomer: Party, now: Instant) -> Option<u64> {
        let own = 1 + self.parties.get(&newcomer).copied().unwrap_or(0);
        let largest = self.parties.values().copied().max()?;
        let is_candidate = |member: &Member| match own {
            1 if largest == 1 => true,
            _ if own >= largest => member.party == newcomer,
            _ => self.parties.get(&member.party) == Some(&largest),
        };
        let (number, oldest) = self.members.iter().find(|(_, member)| is_candidate(member))?;
        let may_go = largest > own || now.duration_since(oldest.since) >= self.grace;
        may_go.then_some(*number)
    }

    /// Ends the oldest connection of the largest party.
    fn shed(&mut self) {
        let largest = self.parties.values().max();
        let is_candidate = |member: &Member| self.parties.get(&member.party) == largest;
        let oldest = self.members.iter().find(|(_, member)| is_candidate(member));
        if let Some(number) = oldest.map(|(number, _)| *number) {
            self.remove(number);
        }
    }

    /// Ends a connection.
    fn remove(&mut self, number: u64) {
        if let Some(member) = self.members.get(&number) {
            member.abort.cancel();
            self.leave(number);
        }
    }

    /// Removes a connection, if it is still in the crowd.
    fn leave(&mut self, number: u64) {
        let Some(member) = self.members.remove(&number) else { return };
        if let Some(size) = self.parties.get_mut(&member.party) {
            *size -= 1;
            if *size == 0 {
                self.parties.remove(&member.party);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_queue_of_secrets_is_gone_when_nobody_waits_in_it() {
        let places = Places::new(8);
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
