//! The connections to a web page, and their eviction when it is full.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use limits::{FairPool, Source};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

/// The connections to a web page. A quarter of the places is for requests, which are short; the others are for
/// viewers, which stay.
///
/// When all places of one kind are taken, the source with the most of them loses the connection served least
/// recently. So no visitor can lock out others by holding connections open.
#[derive(Debug)]
pub(crate) struct Visits {
    /// One permit per open connection, so that an evicted connection is gone before the next one is served.
    places: Arc<Semaphore>,
    taken: Mutex<Taken>,
}

#[derive(Debug)]
struct Taken {
    requests: FairPool<Source>,
    viewers: FairPool<Source>,
}

/// The place of an open connection, which is freed on drop.
#[derive(Debug)]
pub(crate) struct Visit {
    pass: Pass,
    _place: OwnedSemaphorePermit,
}

/// The handle of a request to its connection.
#[derive(Clone, Debug)]
pub struct Pass {
    connection: Arc<Connection>,
    visits: Arc<Visits>,
}

#[derive(Debug)]
struct Connection {
    source: Source,
    /// The number of the connection in its pool, and true if that is the pool of viewers.
    member: Mutex<(u64, bool)>,
    /// Closes the connection when cancelled.
    end: CancellationToken,
    /// Number of bytes that the peer may send beyond its rate.
    allowance: AtomicU64,
}

impl Visits {
    /// Creates the visits of a page with at most `limit` connections, but at least 2.
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let requests = (limit / 4).max(1);
        let viewers = limit.saturating_sub(requests).max(1);
        Arc::new(Self {
            places: Arc::new(Semaphore::new(requests + viewers)),
            taken: Mutex::new(Taken {
                requests: FairPool::new(requests, Duration::ZERO),
                // A viewer is only replaced by one of a source with fewer viewers.
                viewers: FairPool::new(viewers, Duration::MAX),
            }),
        })
    }

    /// Waits for a place for a new connection from this address; evicts another connection if all are taken.
    pub(crate) async fn admit(self: &Arc<Self>, address: IpAddr) -> Visit {
        let (source, end) = (Source::from(address), CancellationToken::new());
        let number = self.taken.lock().requests.enter(source, &end);
        let number = number.expect("without a grace, the oldest request makes room");
        let member = Mutex::new((number, false));
        let pass = Pass {
            connection: Arc::new(Connection { source, member, end, allowance: AtomicU64::new(0) }),
            visits: Arc::clone(self),
        };
        let place = Arc::clone(&self.places).acquire_owned().await;
        Visit { pass, _place: place.expect("the semaphore is never closed") }
    }
}

impl Taken {
    fn pool(&mut self, of_viewers: bool) -> &mut FairPool<Source> {
        if of_viewers { &mut self.viewers } else { &mut self.requests }
    }
}

impl Visit {
    pub(crate) fn pass(&self) -> &Pass {
        &self.pass
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let Pass { connection, visits } = &self.pass;
        let (number, watches) = *connection.member.lock();
        visits.taken.lock().pool(watches).leave(number);
    }
}

impl Pass {
    /// Notes that the connection was served now.
    pub(crate) fn serve(&self) {
        let (number, watches) = &mut *self.connection.member.lock();
        if let Some(renewed) = self.visits.taken.lock().pool(*watches).renew(*number) {
            *number = renewed;
        }
    }

    /// The token that is cancelled when the connection has to be closed.
    pub(crate) fn end(&self) -> &CancellationToken {
        &self.connection.end
    }

    /// Lets the peer send this number of bytes beyond its rate, for a body that is wanted.
    pub fn allow(&self, bytes: u64) {
        self.connection.allowance.store(bytes, Ordering::Relaxed);
    }

    /// Takes bytes from what is allowed; false if they are not.
    pub(crate) fn spend(&self, bytes: usize) -> bool {
        let less = |allowed: u64| allowed.checked_sub(bytes as u64);
        self.connection.allowance.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
    }

    /// Makes the connection a viewer; `false` if its address gets no further place.
    pub(crate) fn watch(&self) -> bool {
        let Connection { source, member, end, .. } = &*self.connection;
        let (number, watches) = &mut *member.lock();
        let mut taken = self.visits.taken.lock();
        let Some(entered) = taken.viewers.enter(*source, end) else { return false };
        taken.pool(*watches).leave(*number);
        (*number, *watches) = (entered, true);
        true
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::{advance, timeout};

    use super::*;

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    async fn admit(visits: &Arc<Visits>, last: u8) -> Visit {
        advance(Duration::from_millis(1)).await;
        timeout(Duration::from_secs(1), visits.admit(address(last))).await.unwrap()
    }

    fn is_out(visit: &Visit) -> bool {
        visit.pass().end().is_cancelled()
    }

    #[tokio::test(start_paused = true)]
    async fn the_least_recently_served_connection_of_the_largest_group_is_evicted() {
        let visits = Visits::new(16);
        let mut guests = Vec::new();
        for last in [1, 1, 1, 2] {
            guests.push(admit(&visits, last).await);
        }
        advance(Duration::from_millis(1)).await;
        guests[0].pass().serve();
        guests.push(admit(&visits, 3).await);
        let out = |guests: &[Visit]| guests.iter().map(is_out).collect::<Vec<_>>();
        assert_eq!(out(&guests), [false, true, false, false, false]);
        guests.remove(1);
        // An address with many connections loses one of its own.
        guests.push(admit(&visits, 1).await);
        assert_eq!(out(&guests), [false, true, false, false, false]);
    }

    #[tokio::test(start_paused = true)]
    async fn admission_waits_until_an_evicted_connection_is_gone() {
        let visits = Visits::new(2);
        let [a, b] = [admit(&visits, 1).await, admit(&visits, 2).await];
        assert!(is_out(&a) || is_out(&b));
        let waits = timeout(Duration::from_secs(9), visits.admit(address(3)));
        assert!(waits.await.is_err());
        drop(a);
        admit(&visits, 3).await;
    }

    #[tokio::test(start_paused = true)]
    async fn viewers_are_not_evicted_for_requests() {
        let visits = Visits::new(8);
        let mut viewers = Vec::new();
        for last in [1, 1, 1, 1, 2, 2] {
            viewers.push(admit(&visits, last).await);
            assert!(viewers.last().unwrap().pass().watch());
        }
        for _ in 0..20 {
            admit(&visits, 1).await;
        }
        assert!(!viewers.iter().any(is_out));
        // The address with the most viewers gets no more places; another address takes one of its places.
        let [more, other] = [admit(&visits, 1).await, admit(&visits, 3).await];
        assert!(!more.pass().watch());
        assert!(other.pass().watch());
        assert_eq!(
            viewers.iter().map(is_out).collect::<Vec<_>>(),
            [true, false, false, false, false, false]
        );
    }

    #[tokio::test(start_paused = true)]
    async fn dropped_visits_leave_no_trace() {
        let visits = Visits::new(16);
        for last in 0..100 {
            drop(admit(&visits, last).await);
        }
        let taken = visits.taken.lock();
        assert!(taken.requests.is_empty() && taken.viewers.is_empty());
    }
}
