//! The connections to a web page, and their eviction when it is full.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Number of bits of an IPv6 address that identify a network; its hosts choose the rest.
const PREFIX: u32 = 64;

/// The connections to a web page. A quarter of the places is for requests, which are short; the others are for
/// viewers, which stay.
///
/// When all places of one kind are taken, the address with the most of them loses the connection served least
/// recently. So no visitor can lock out others by holding connections open.
#[derive(Debug)]
pub(crate) struct Visits {
    requests: usize,
    viewers: usize,
    /// One permit per open connection, so that an evicted connection is gone before the next one is served.
    places: Arc<Semaphore>,
    guests: Mutex<Vec<Arc<Guest>>>,
    opened: Instant,
}

#[derive(Debug)]
struct Guest {
    network: IpAddr,
    /// True if the guest is a viewer.
    watches: AtomicBool,
    /// The time when the guest was last served, in nanoseconds since the page was opened.
    served: AtomicU64,
    /// Closes the connection when cancelled.
    end: CancellationToken,
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
    guest: Arc<Guest>,
    visits: Arc<Visits>,
}

impl Visits {
    /// Creates the visits of a page with at most `limit` connections, but at least 2.
    pub(crate) fn new(limit: usize) -> Arc<Self> {
        let requests = (limit / 4).max(1);
        let viewers = limit.saturating_sub(requests).max(1);
        Arc::new(Self {
            requests,
            viewers,
            places: Arc::new(Semaphore::new(requests + viewers)),
            guests: Mutex::default(),
            opened: Instant::now(),
        })
    }

    /// Waits for a place for a new connection from this address; evicts another connection if all are taken.
    pub(crate) async fn admit(self: &Arc<Self>, address: IpAddr) -> Visit {
        let guest = Arc::new(Guest {
            network: network(address),
            watches: AtomicBool::new(false),
            served: AtomicU64::new(self.now()),
            end: CancellationToken::new(),
        });
        {
            let mut guests = self.guests.lock();
            if let Some((leaves, _)) = self.least_entitled(&guests, false, guest.network) {
                leaves.end.cancel();
            }
            guests.push(Arc::clone(&guest));
        }
        let place = Arc::clone(&self.places).acquire_owned().await;
        let place = place.expect("the semaphore is never closed");
        Visit { pass: Pass { guest, visits: Arc::clone(self) }, _place: place }
    }

    /// The guest to evict for a `newcomer` if all places for viewers, or for requests, are taken. The flag is true if the
    /// newcomer's network has fewer of these places than the guest's.
    fn least_entitled(
        &self,
        guests: &[Arc<Guest>],
        watches: bool,
        newcomer: IpAddr,
    ) -> Option<(Arc<Guest>, bool)> {
        let stays = |guest: &&Arc<Guest>| guest.watches() == watches && !guest.end.is_cancelled();
        let mut counts = HashMap::from([(newcomer, 1_usize)]);
        let mut total = 0;
        for guest in guests.iter().filter(stays) {
            *counts.entry(guest.network).or_default() += 1;
            total += 1;
        }
        if total < if watches { self.viewers } else { self.requests } {
            return None;
        }
        let largest = guests.iter().filter(stays).map(|guest| counts[&guest.network]).max()?;
        let mut crowd =
            guests.iter().filter(stays).filter(|guest| counts[&guest.network] == largest);
        let first = crowd.next()?;
        let leaves = crowd.fold(first, |a, b| if b.served() < a.served() { b } else { a });
        Some((Arc::clone(leaves), counts[&newcomer] < largest))
    }

    fn now(&self) -> u64 {
        // The nanoseconds fit for 584 years.
        self.opened.elapsed().as_nanos() as u64
    }
}

impl Guest {
    fn watches(&self) -> bool {
        self.watches.load(Ordering::Relaxed)
    }

    fn served(&self) -> u64 {
        self.served.load(Ordering::Relaxed)
    }
}

impl Visit {
    pub(crate) fn pass(&self) -> &Pass {
        &self.pass
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let Pass { guest, visits } = &self.pass;
        visits.guests.lock().retain(|other| !Arc::ptr_eq(other, guest));
    }
}

impl Pass {
    /// Notes that the connection was served now.
    pub(crate) fn serve(&self) {
        self.guest.served.store(self.visits.now(), Ordering::Relaxed);
    }

    /// The token that is cancelled when the connection has to be closed.
    pub(crate) fn end(&self) -> &CancellationToken {
        &self.guest.end
    }

    /// Makes the connection a viewer; `false` if its address gets no further place.
    pub(crate) fn watch(&self) -> bool {
        let Self { guest, visits } = self;
        let guests = visits.guests.lock();
        if let Some((leaves, has_fewer)) = visits.least_entitled(&guests, true, guest.network) {
            if !has_fewer {
                return false;
            }
            leaves.end.cancel();
        }
        guest.watches.store(true, Ordering::Relaxed);
        true
    }
}

/// The unit of limits for an address: an IPv4 address itself, or the network of an IPv6 address.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> (128 - PREFIX) << (128 - PREFIX)))
        }
        address @ IpAddr::V4(_) => address,
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
    async fn the_largest_crowd_loses_whom_it_has_served_least_recently() {
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
    async fn nobody_is_served_before_a_place_is_free() {
        let visits = Visits::new(2);
        let [a, b] = [admit(&visits, 1).await, admit(&visits, 2).await];
        assert!(is_out(&a) || is_out(&b));
        let waits = timeout(Duration::from_secs(9), visits.admit(address(3)));
        assert!(waits.await.is_err());
        drop(a);
        admit(&visits, 3).await;
    }

    #[tokio::test(start_paused = true)]
    async fn viewers_are_not_sent_away_for_requests() {
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
    async fn what_is_dropped_is_forgotten() {
        let visits = Visits::new(16);
        for last in 0..100 {
            drop(admit(&visits, last).await);
        }
        assert!(visits.guests.lock().is_empty());
    }

    #[test]
    fn a_network_is_one_address() {
        let network = |text: &str| network(text.parse().unwrap()).to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("::ffff:10.0.0.1"), "10.0.0.1");
        assert_eq!(network("10.0.0.1"), "10.0.0.1");
    }
}
