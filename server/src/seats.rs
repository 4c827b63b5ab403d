//! The seats of the players: who has which, and who may take it back.

use std::net::IpAddr;
use std::sync::Arc;

use game::colour::{Colour, ColourSet};
use protocol::{Name, Registration, Secret};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use crate::connection::Link;
use crate::failures::Failures;
use crate::results::Thinking;

/// After so many missed deadlines in a row a seat is absent.
pub(crate) const MISSED_DEADLINES: u32 = 3;

/// A player's place: in a game, where its colour is its index, or in a hall.
#[derive(Debug)]
pub(crate) struct Seat {
    /// Unlike that of any other seat there was among these.
    pub(crate) id: usize,
    /// What the player wanted to be called.
    wanted: Name,
    /// What it is called, unlike any other player.
    pub(crate) name: Name,
    secret: Option<SecretHash>,
    /// Whether nobody has had it yet, and whoever comes first brings the secret.
    is_free: bool,
    /// Its connection, if it has one.
    pub(crate) link: Option<Arc<Link>>,
    pub(crate) last_address: Option<IpAddr>,
    /// Deadlines missed in a row.
    pub(crate) missed: u32,
    /// How long it has thought in this game.
    pub(crate) thinking: Thinking,
}

impl Seat {
    /// Nobody is there, or nobody who answers in time: no turn waits for it.
    pub(crate) fn is_absent(&self) -> bool {
        let is_silent = self.link.as_ref().is_none_or(|link| link.is_silent());
        is_silent || self.missed >= MISSED_DEADLINES
    }

    /// Whether the turn waits for it.
    pub(crate) fn is_awaited(&self) -> bool {
        let answered = |link: &Arc<Link>| link.answers.lock().is_answered();
        !self.is_absent() && !self.link.as_ref().is_some_and(answered)
    }

    /// A seat of that name, with nobody there.
    fn vacant(id: usize, wanted: Name, name: Name) -> Self {
        Self {
            id,
            wanted,
            name,
            secret: None,
            is_free: false,
            link: None,
            last_address: None,
            missed: 0,
            thinking: Thinking::default(),
        }
    }

    /// Puts a connection in the place of the one that was there, which is closed.
    pub(crate) fn seat(&mut self, link: &Arc<Link>) {
        link.place.accept();
        if let Some(old) = self.link.replace(Arc::clone(link)) {
            old.quit();
        }
        self.last_address = Some(link.address);
        // The next turn waits for it; but whoever only ever comes back is soon absent again.
        self.missed = self.missed.min(MISSED_DEADLINES - 1);
    }
}

/// A secret as it is kept: hashed with a number that is drawn for each server.
#[derive(Clone, Debug)]
struct SecretHash([u8; 32]);

/// All seats of a game, in order of colour, or of a hall, in order of registration.
#[derive(Debug)]
pub(crate) struct Seats {
    list: Vec<Seat>,
    next_id: usize,
    /// Names that no newcomer gets.
    reserved: Vec<Name>,
    salt: u64,
    failures: Failures,
}

/// Why a registration got no seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoSeat {
    /// No seat is called so.
    #[error("all seats are taken")]
    UnknownName,
    /// The seat is present, or has another secret.
    #[error("the seat of that name is taken")]
    NotItsOwn,
    /// Too many wrong secrets from that address.
    #[error("too many wrong secrets from this address")]
    TooManyFailures,
    /// Seats are assigned, and none to that connection.
    #[error("no seat is assigned to it")]
    NotAssigned,
}

impl Seats {
    /// No seats. The salt is any number that nobody knows.
    pub(crate) fn new(salt: u64) -> Self {
        Self::without(Vec::new(), salt)
    }

    /// No seats. No newcomer will get one of these names, but one with a number.
    pub(crate) fn without(reserved: Vec<Name>, salt: u64) -> Self {
        Self { list: Vec::new(), next_id: 0, reserved, salt, failures: Failures::default() }
    }

    /// Seats with these names in order of colour, for as many as there are colours; nobody is there.
    pub(crate) fn assigned(names: Vec<Name>) -> Self {
        // They have no secrets, so there is nothing to salt.
        let mut seats = Self::new(0);
        for name in names.into_iter().take(Colour::MAX) {
            seats.push(name.clone(), name);
        }
        seats
    }

    /// Seats for those on a list, with their secrets. Who comes first to one without a secret may have
    /// it.
    pub(crate) fn listed(list: Vec<(Name, Option<Secret>)>, salt: u64) -> Self {
        let mut seats = Self::new(salt);
        for (name, secret) in list {
            let secret = secret.map(|secret| seats.hash(&secret));
            let seat = seats.push(name.clone(), name);
            seat.is_free = secret.is_none();
            seat.secret = secret;
        }
        seats
    }

    /// The seats in order of colour.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &Seat> {
        self.list.iter()
    }

    /// The seats in order of colour.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Seat> {
        self.list.iter_mut()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// In which seats somebody is, in order of colour.
    pub(crate) fn occupied(&self) -> impl Iterator<Item = bool> {
        self.list.iter().map(|seat| seat.link.is_some())
    }

    /// Whether somebody is in all of these.
    pub(crate) fn are_occupied(&self, colours: ColourSet) -> bool {
        let mut seats = self.list.iter().zip(Colour::first(Colour::MAX));
        seats.all(|(seat, colour)| seat.link.is_some() || !colours.contains(colour))
    }

    /// What the players are called, in order of colour.
    pub(crate) fn names(&self) -> Vec<String> {
        self.list.iter().map(|seat| seat.name.to_string()).collect()
    }

    /// Gives a newcomer a seat after all others. Its name may be numbered to be told apart.
    pub(crate) fn add(&mut self, link: &Arc<Link>, registration: Registration) -> &Seat {
        let taken = |name: &str| {
            let mut names = self.list.iter().map(|seat| &seat.name).chain(&self.reserved);
            names.any(|taken| taken.as_str() == name)
        };
        let name = registration.name.distinct(taken);
        let secret = registration.secret.map(|secret| self.hash(&secret));
        let seat = self.push(registration.name, name);
        seat.secret = secret;
        seat.seat(link);
        seat
    }

    fn push(&mut self, wanted: Name, name: Name) -> &mut Seat {
        self.list.push(Seat::vacant(self.next_id, wanted, name));
        self.next_id += 1;
        self.list.last_mut().expect("just pushed")
    }

    /// Gives a registration the seat that it had: of its name and secret, absent if it has no
    /// secret, absent seats first and the one last seen from its address first. The old
    /// connection, if there is one, is closed. Which seat it is.
    ///
    /// # Errors
    ///
    /// When there is no such seat, or after too many failures.
    pub(crate) fn take_back(
        &mut self,
        link: &Arc<Link>,
        registration: &Registration,
        now: Instant,
    ) -> Result<usize, NoSeat> {
        let named = |seat: &Seat| seat.wanted == registration.name;
        let Some(first) = self.list.iter().find(|seat| named(seat)).map(|seat| seat.id) else {
            return Err(NoSeat::UnknownName);
        };
        if self.failures.are_too_many(first, link.address.into(), now) {
            return Err(NoSeat::TooManyFailures);
        }
        let secret = registration.secret.as_ref().map(|secret| self.hash(secret));
        let fits = |seat: &Seat| match (&seat.secret, &secret) {
            _ if seat.is_free => true,
            (None, None) => seat.is_absent(),
            (Some(own), Some(given)) => own.0.ct_eq(&given.0).into(),
            _ => false,
        };
        let rank = |seat: &Seat| (!seat.is_absent(), seat.last_address != Some(link.address));
        let found = (0..self.list.len())
            .filter(|&index| named(&self.list[index]) && fits(&self.list[index]))
            .min_by_key(|&index| rank(&self.list[index]));
        let Some(index) = found else {
            // To find no absent seat without a secret tells nothing about any secret.
            if secret.is_some() {
                self.failures.count(first, link.address.into(), now);
                link.place.note_wrong_secret();
            }
            return Err(NoSeat::NotItsOwn);
        };
        let seat = &mut self.list[index];
        if std::mem::take(&mut seat.is_free) {
            seat.secret = secret;
        }
        seat.seat(link);
        Ok(index)
    }

    /// The seat with this index.
    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut Seat> {
        self.list.get_mut(index)
    }

    /// The seat with this number.
    pub(crate) fn find(&self, id: usize) -> Option<&Seat> {
        // They are in order of their numbers.
        self.list.binary_search_by_key(&id, |seat| seat.id).ok().map(|index| &self.list[index])
    }

    /// Takes the first seat out for which that holds; whether there was one.
    pub(crate) fn remove_first(&mut self, goes: impl Fn(&Seat) -> bool) -> bool {
        let index = self.list.iter().position(goes);
        index.map(|index| self.list.remove(index)).is_some()
    }

    /// Gives a connection the seat of that colour if it is absent, whatever name it registers under.
    ///
    /// # Errors
    ///
    /// When the seat is present, or there is none.
    pub(crate) fn take(&mut self, colour: Colour, link: &Arc<Link>) -> Result<&Name, NoSeat> {
        let seat = self.list.get_mut(colour.index()).ok_or(NoSeat::NotAssigned)?;
        if !seat.is_absent() {
            return Err(NoSeat::NotItsOwn);
        }
        seat.seat(link);
        Ok(&seat.name)
    }

    /// Frees the seat of a connection that is gone; those after it move up. Its name.
    pub(crate) fn free(&mut self, link: u64) -> Option<Name> {
        let index = self.index_of(link)?;
        Some(self.list.remove(index).name)
    }

    /// Leaves the seat of a connection that is gone to whoever comes back. The seat.
    pub(crate) fn leave(&mut self, link: u64) -> Option<&Seat> {
        let index = self.index_of(link)?;
        self.list[index].link = None;
        Some(&self.list[index])
    }

    /// Frees the seats without a connection, and those of the house, which is dismissed; the others
    /// move up.
    pub(crate) fn keep_present_people(&mut self) {
        self.list.retain(|seat| match &seat.link {
            Some(link) if link.is_house => {
                link.quit();
                false
            }
            link => link.is_some(),
        });
        self.failures = Failures::default();
    }

    /// How many seats are not taken by the house.
    pub(crate) fn people(&self) -> usize {
        let is_house = |seat: &&Seat| seat.link.as_ref().is_some_and(|link| link.is_house);
        self.list.len() - self.list.iter().filter(is_house).count()
    }

    fn index_of(&self, link: u64) -> Option<usize> {
        self.list.iter().position(|seat| seat.link.as_ref().is_some_and(|own| own.id == link))
    }

    fn hash(&self, secret: &Secret) -> SecretHash {
        let mut hash = Sha256::new();
        hash.update(self.salt.to_le_bytes());
        hash.update(secret.expose());
        SecretHash(hash.finalize().into())
    }
}
