//! The identities of players: their names, secrets and places, and the rules for taking a place back.

use std::net::IpAddr;
use std::sync::Arc;

use limits::{Failures, Source};
use protocol::{Name, Registration, Secret};
use tokio::time::Instant;

use crate::hall::RefusalReason;
use crate::peer::Peer;
use crate::secret_hash::SecretHash;

/// The place of a player that has registered or may register; it outlasts the player's connections.
#[derive(Debug)]
pub(crate) struct Registrant {
    /// The number of the place, never reused in this registry.
    pub(crate) id: usize,
    /// The name that the player registered.
    wanted: Name,
    /// The unique name of the player.
    pub(crate) name: Name,
    secret: Option<SecretHash>,
    /// True if the place was never taken and the first player to take it sets the secret.
    pub(crate) is_free: bool,
    pub(crate) peer: Option<Arc<Peer>>,
    pub(crate) last_address: Option<IpAddr>,
}

impl Registrant {
    /// The claim to the place; `None` while the place is free.
    pub(crate) fn claim(&self) -> Option<SeatClaim> {
        (!self.is_free)
            .then(|| SeatClaim { wanted: self.wanted.clone(), secret: self.secret.clone() })
    }

    /// Tests if the player has no connection, is silent, or has stopped writing.
    pub(crate) fn is_absent(&self) -> bool {
        self.peer.as_ref().is_none_or(|peer| peer.inbox.is_silent() || peer.inbox.has_ended())
    }

    /// Gives the place to a connection, and closes the one that had it.
    fn take(&mut self, peer: &Arc<Peer>) {
        peer.place.accept();
        if let Some(old) = self.peer.replace(Arc::clone(peer)) {
            old.quit();
        }
        self.last_address = Some(peer.address);
    }
}

/// The name and the secret with which a player gets its place back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatClaim {
    /// The name that the player registers. The place may have the same name with a number.
    pub wanted: Name,
    /// The hash of the secret; `None` without a secret.
    pub secret: Option<SecretHash>,
}

/// The places of all players, in order of registration or of a list.
#[derive(Debug)]
pub(crate) struct Registry {
    /// Sorted by number.
    pub(crate) places: Vec<Registrant>,
    next_id: usize,
    /// Names that newcomers get only with a number.
    reserved: Vec<Name>,
    salt: u64,
    /// Wrong secrets by place and source.
    failures: Failures<(usize, Source)>,
}

impl Registry {
    /// Creates an empty registry. Newcomers get a `reserved` name only with a number. `salt` is a secret random number.
    pub(crate) fn new(reserved: Vec<Name>, salt: u64) -> Self {
        Self { places: Vec::new(), next_id: 0, reserved, salt, failures: Failures::default() }
    }

    /// Creates places for the players on a list, with their secrets. A place without a secret goes to the first player
    /// that registers under its name.
    pub(crate) fn listed(list: Vec<(Name, Option<Secret>)>, salt: u64) -> Self {
        let mut registry = Self::new(Vec::new(), salt);
        for (name, secret) in list {
            let secret = secret.map(|secret| registry.hash(&secret));
            let place = registry.push(name.clone(), name);
            place.is_free = secret.is_none();
            place.secret = secret;
        }
        registry
    }

    /// Creates the absent place of a player from an earlier run, and returns its number. Without a known claim, the place
    /// goes to the first player that registers under its name.
    pub(crate) fn restore(&mut self, name: Name, claim: Option<SeatClaim>) -> usize {
        let known = self.places.iter().position(|place| place.name == name);
        let place = if let Some(index) = known {
            &mut self.places[index]
        } else {
            let wanted = claim.as_ref().map_or(&name, |claim| &claim.wanted).clone();
            let place = self.push(wanted, name);
            place.is_free = true;
            place
        };
        // A secret on the list of teams counts.
        if let Some(claim) = claim.filter(|_| place.is_free) {
            (place.secret, place.is_free) = (claim.secret, false);
        }
        place.id
    }

    /// Gives a newcomer a new, last place. A taken name gets a number.
    pub(crate) fn add(&mut self, peer: &Arc<Peer>, registration: Registration) -> &Registrant {
        let taken = |name: &str| {
            let mut names = self.places.iter().map(|place| &place.name).chain(&self.reserved);
            names.any(|taken| taken.as_str() == name)
        };
        let name = registration.name.distinct(taken);
        let secret = registration.secret.map(|secret| self.hash(&secret));
        let place = self.push(registration.name, name);
        place.secret = secret;
        place.take(peer);
        place
    }

    fn push(&mut self, wanted: Name, name: Name) -> &mut Registrant {
        let id = self.next_id;
        self.next_id += 1;
        let (secret, peer, last_address) = (None, None, None);
        self.places.push(Registrant {
            id,
            wanted,
            name,
            secret,
            is_free: false,
            peer,
            last_address,
        });
        self.places.last_mut().expect("just pushed")
    }

    /// Gives a registration its former place. The name and the secret must match; a free place accepts any secret, and
    /// a place without a secret must be absent. Prefers absent places, then places last seen from the same address.
    /// Closes the old connection, if any. Fails when there is no such place, or after too many failures.
    pub(crate) fn take_back(
        &mut self,
        peer: &Arc<Peer>,
        registration: &Registration,
        now: Instant,
    ) -> Result<&Registrant, RefusalReason> {
        let named = |place: &Registrant| place.wanted == registration.name;
        let Some(first) = self.places.iter().find(|place| named(place)).map(|place| place.id)
        else {
            return Err(RefusalReason::NotListed);
        };
        let source = Source::from(peer.address);
        if self.failures.are_too_many(&(first, source), now) {
            return Err(RefusalReason::TooManyFailures);
        }
        let secret = registration.secret.as_ref().map(|secret| self.hash(secret));
        let fits = |place: &Registrant| match (&place.secret, &secret) {
            _ if place.is_free => true,
            (None, None) => place.is_absent(),
            (Some(own), Some(given)) => own == given,
            _ => false,
        };
        let rank =
            |place: &Registrant| (!place.is_absent(), place.last_address != Some(peer.address));
        let found = (0..self.places.len())
            .filter(|&index| named(&self.places[index]) && fits(&self.places[index]))
            .min_by_key(|&index| rank(&self.places[index]));
        let Some(index) = found else {
            // A registration without a secret guesses none.
            if secret.is_some() {
                if !source.is_loopback() {
                    self.failures.count((first, source), now);
                }
                peer.place.note_wrong_secret();
            }
            let has_secret = self.places.iter().any(|place| named(place) && place.secret.is_some());
            return Err(match (secret, has_secret) {
                (Some(_), _) => RefusalReason::SecretWrong,
                (None, true) => RefusalReason::SecretMissing,
                (None, false) => RefusalReason::Taken,
            });
        };
        let place = &mut self.places[index];
        if std::mem::take(&mut place.is_free) {
            place.secret = secret;
        }
        place.take(peer);
        Ok(place)
    }

    /// Gives a connection the place with this number, under any name, if the place is absent. Fails when the place is
    /// taken, or there is no such place.
    pub(crate) fn enter(
        &mut self,
        id: usize,
        peer: &Arc<Peer>,
    ) -> Result<&Registrant, RefusalReason> {
        let place =
            self.places.iter_mut().find(|place| place.id == id).ok_or(RefusalReason::NoTeam)?;
        if !place.is_absent() {
            return Err(RefusalReason::Taken);
        }
        place.take(peer);
        Ok(place)
    }

    pub(crate) fn find(&self, id: usize) -> Option<&Registrant> {
        let index = self.places.binary_search_by_key(&id, |place| place.id).ok()?;
        Some(&self.places[index])
    }

    /// Removes the first place for which `goes` holds; false if there is none.
    pub(crate) fn remove_first(&mut self, goes: impl Fn(&Registrant) -> bool) -> bool {
        let index = self.places.iter().position(goes);
        index.map(|index| self.places.remove(index)).is_some()
    }

    /// Frees the place of a connection that is gone, and returns the place.
    pub(crate) fn leave(&mut self, peer: u64) -> Option<&Registrant> {
        let has_left =
            |place: &&mut Registrant| place.peer.as_ref().is_some_and(|own| own.id == peer);
        let place = self.places.iter_mut().find(has_left)?;
        place.peer = None;
        Some(place)
    }

    fn hash(&self, secret: &Secret) -> SecretHash {
        SecretHash::new(secret, self.salt)
    }
}
