//! Who is connected to a web page, and who has to leave when it is full.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Bits of an IPv6 address that name a network; the rest is up to whoever is in it.
const PREFIX: u32 = 64;

/// The connections to a web page. A quarter of the places is for requests, which are short, the others are for
/// viewers, who stay.
///
/// When one kind of places is full, a connection of the address with the most of them is closed, the one served
/// least recently. So nobody keeps others out by holding connections open.
#[derive(Debug)]
pub(super) struct Visits {
    requests: usize,
    viewers: usize,
    /// One permit for each open connection, so that a closed one is gone before the next one is served.
    places: Arc<Semaphore>,
    guests: Mutex<Vec<Arc<Guest>>>,
    opened: Instant,
}

#[derive(Debug)]
struct Guest {
    network: IpAddr,
    /// Whether it is a viewer.
    watches: AtomicBool,
    /// When it was last sent something, in nanoseconds since the page was opened.
    served: AtomicU64,
    /// Closes the connection.
    end: CancellationToken,
}

/// A place for an open connection, which is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Visit {
    pass: Pass,
    _place: OwnedSemaphorePermit,
}

/// What a request knows of the connection that it came on.
#[derive(Clone, Debug)]
pub struct Pass {
    guest: Arc<Guest>,
    visits: Arc<Visits>,
}

impl Visits {
    /// A page with this many connections at most, but at least two.
    pub(super) fn new(limit: usize) -> Arc<Self> {
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

    /// Finds a place for a new connection from this address, if need be another one's.
    pub(super) async fn admit(self: &Arc<Self>, address: IpAddr) -> Visit {
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

    /// When all places for viewers, or for requests, are taken: who should leave one to somebody from `newcomer`, and
    /// whether `newcomer` has fewer of them than that one's network.
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
        // Enough for 584 years.
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
    pub(super) fn pass(&self) -> &Pass {
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
    /// Says that the connection has just been of use.
    pub(super) fn serve(&self) {
        self.guest.served.store(self.visits.now(), Ordering::Relaxed);
    }

    /// Is cancelled when the connection has to be closed.
    pub(super) fn end(&self) -> &CancellationToken {
        &self.guest.end
    }

    /// Makes the connection a viewer; `false` when there is no place for one more from its address.
    pub(super) fn watch(&self) -> bool {
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

/// What stands for an address: the address itself, or its network where addresses cost nothing.
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
        // Whoever has many makes room for itself.
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
        // The address that has the most viewers gets no more, another one takes its place.
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
