//! Places for connections, shared fairly between groups.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// A limited number of connections, in groups such as those of one source. When it is full, a new connection replaces
/// the oldest one of the largest group.
#[derive(Debug)]
pub struct FairPool<G> {
    /// Maximum number of connections.
    pub limit: usize,
    grace: Duration,
    /// The connections by number, the oldest first.
    members: BTreeMap<u64, Member<G>>,
    sizes: BTreeMap<G, usize>,
    /// The last number given to a connection.
    last: u64,
}

#[derive(Debug)]
struct Member<G> {
    group: G,
    since: Instant,
    abort: CancellationToken,
}

impl<G: Copy + Ord> FairPool<G> {
    /// Creates an empty pool. Connections younger than `grace` are replaced only by those of smaller groups.
    #[must_use]
    pub fn new(limit: usize, grace: Duration) -> Self {
        Self { limit, grace, members: BTreeMap::new(), sizes: BTreeMap::new(), last: 0 }
    }

    /// Adds a connection if there is room or another connection, whose token is cancelled, can be replaced. Returns its
    /// number.
    pub fn enter(&mut self, group: G, abort: &CancellationToken) -> Option<u64> {
        let now = Instant::now();
        while self.members.len() >= self.limit {
            let oldest = self.replaced_by(group, now)?;
            self.evict(oldest);
        }
        *self.sizes.entry(group).or_default() += 1;
        self.last += 1;
        self.members.insert(self.last, Member { group, since: now, abort: abort.clone() });
        Some(self.last)
    }

    /// Makes a connection the youngest one, and returns its new number; `None` if it is not in the pool any more.
    pub fn renew(&mut self, number: u64) -> Option<u64> {
        let member = self.members.remove(&number)?;
        self.last += 1;
        self.members.insert(self.last, Member { since: Instant::now(), ..member });
        Some(self.last)
    }

    /// The connection to replace: the oldest one of the largest group, newcomer included; in a tie, of the newcomer's group
    /// if it has a connection. Within the grace, only a group larger than the newcomer's loses a connection.
    fn replaced_by(&self, newcomer: G, now: Instant) -> Option<u64> {
        let own = 1 + self.sizes.get(&newcomer).copied().unwrap_or(0);
        let largest = self.sizes.values().copied().max()?;
        let is_candidate = |member: &Member<G>| match own {
            1 if largest == 1 => true,
            _ if own >= largest => member.group == newcomer,
            _ => self.sizes.get(&member.group) == Some(&largest),
        };
        let (number, oldest) = self.members.iter().find(|(_, member)| is_candidate(member))?;
        let may_go = largest > own || now.duration_since(oldest.since) >= self.grace;
        may_go.then_some(*number)
    }

    /// Ends the oldest connection of the largest group.
    pub fn shed(&mut self) {
        let largest = self.sizes.values().max();
        let is_candidate = |member: &Member<G>| self.sizes.get(&member.group) == largest;
        let oldest = self.members.iter().find(|(_, member)| is_candidate(member));
        if let Some(number) = oldest.map(|(number, _)| *number) {
            self.evict(number);
        }
    }

    fn evict(&mut self, number: u64) {
        if let Some(member) = self.members.get(&number) {
            member.abort.cancel();
            self.leave(number);
        }
    }

    /// Removes a connection, if it is still in the pool.
    pub fn leave(&mut self, number: u64) {
        let Some(member) = self.members.remove(&number) else { return };
        if let Some(size) = self.sizes.get_mut(&member.group) {
            *size -= 1;
            if *size == 0 {
                self.sizes.remove(&member.group);
            }
        }
    }

    /// Tests if there are no connections.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}
