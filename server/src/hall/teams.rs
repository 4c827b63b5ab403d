//! The teams of a hall: who they are, whether they are there, and where they play.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use game::colour::Colour;
use language::said;
use protocol::{Name, Registration};
use tokio::time::Instant;

use super::controls::PlayError;
use super::table::{SeatFor, TableId};
use super::{Admission, SameName};
use crate::link::Link;
use crate::registry::{NoPlace, Registrant, Registry};
use crate::source::Source;

/// Which team of a hall it is: its number from 0, in order of registration or of the list. No other team
/// ever has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamId(pub usize);

/// How it stands with a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamPresence {
    /// Which team it is.
    pub team: TeamId,
    /// What it is called, unlike any other team.
    pub name: Name,
    /// Whether it is there.
    pub presence: Presence,
    /// Where it plays.
    pub playing: Option<TableId>,
    /// Where it was last seen, if it ever was.
    pub address: Option<IpAddr>,
}

/// Whether a team is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It has no connection.
    Gone,
    /// It is connected, but did not answer three times in a row, and has not since.
    Silent,
    /// It is connected.
    There,
}

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "team {}", self.0)
    }
}

/// All teams there are, or may come.
#[derive(Debug)]
pub(super) struct Teams {
    /// One for each team; its number is the team's.
    places: Registry,
    /// Maximum numbers of teams, unless there is a list of them.
    limits: Option<Limits>,
    /// Whether a team that is gone keeps its place while it does not play.
    keeps_places: bool,
    /// Where teams play.
    playing: BTreeMap<TeamId, (TableId, Colour)>,
    /// Teams that have had a seat in a game.
    players: BTreeSet<TeamId>,
}

/// Maximum numbers of teams.
#[derive(Clone, Copy, Debug)]
struct Limits {
    all: usize,
    /// From one source, loopback excepted.
    per_source: usize,
}

/// Why somebody may not play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("{}", said!("its name is not on the list", "son nom n'est pas sur la liste"))]
    NotListed,
    #[error("{}", said!("all places are taken", "toutes les places sont prises"))]
    TooMany,
    #[error("{}", said!(
        "there are too many teams from this address",
        "il y a trop d'équipes de cette adresse"
    ))]
    TooManyFromAddress,
    #[error(transparent)]
    NoPlace(#[from] NoPlace),
}

impl Teams {
    /// Those on the list, or nobody yet.
    pub(super) fn new(admission: Admission, salt: u64) -> Result<Self, SameName> {
        let (places, limits, keeps_places) = match admission {
            Admission::Anybody { max_teams, max_per_address, reserved } => {
                let limits = Limits { all: max_teams, per_source: max_per_address };
                (Registry::new(reserved, salt), Some(limits), true)
            }
            Admission::Lobby { seats } => {
                let limits = Limits { all: seats, per_source: usize::MAX };
                (Registry::new(Vec::new(), salt), Some(limits), false)
            }
            Admission::Listed(list) => {
                let names = || list.iter().map(|(name, _)| name);
                let again =
                    names().enumerate().find(|(at, name)| names().take(*at).any(|n| n == *name));
                if let Some((_, name)) = again {
                    return Err(SameName(name.clone()));
                }
                (Registry::listed(list, salt), None, true)
            }
        };
        let (playing, players) = (BTreeMap::new(), BTreeSet::new());
        Ok(Self { places, limits, keeps_places, playing, players })
    }

    /// Gives somebody who registers the place that it had, or a new one. What the team is called, and
    /// where it plays.
    ///
    /// Before the first game a name that is taken is numbered; afterwards whoever has a name that is
    /// known comes back, or is refused.
    pub(super) fn register(
        &mut self,
        link: &Arc<Link>,
        registration: Registration,
        now: Instant,
    ) -> Result<(Name, Option<(TableId, Colour)>), Refusal> {
        let found = match link.door {
            Some(TeamId(team)) => self.places.enter(team, link),
            None => self.places.take_back(link, &registration, now),
        };
        let (id, name) = match found {
            Ok(place) => (place.id, place.name.clone()),
            Err(reason) => {
                self.admit(reason, link.address.into())?;
                let place = self.places.add(link, registration);
                (place.id, place.name.clone())
            }
        };
        Ok((name, self.playing.get(&TeamId(id)).copied()))
    }

    /// Makes room for a new team from `source`, which has no place for that reason. If there are too many
    /// teams, the first one that is gone and has never played is removed.
    fn admit(&mut self, reason: NoPlace, source: Source) -> Result<(), Refusal> {
        let Self { places, limits, players, .. } = self;
        match (reason, *limits) {
            (NoPlace::UnknownName, None) => Err(Refusal::NotListed),
            (NoPlace::NotItsOwn, Some(_)) if !players.is_empty() => Err(reason.into()),
            (NoPlace::UnknownName | NoPlace::NotItsOwn, Some(limits)) => {
                let may_go =
                    |team: &Registrant| team.link.is_none() && !players.contains(&TeamId(team.id));
                let is_neighbour =
                    |team: &Registrant| team.last_address.map(Source::from) == Some(source);
                let neighbours = places.iter().filter(|team| is_neighbour(team)).count();
                if neighbours >= limits.per_source
                    && !source.is_loopback()
                    && !places.remove_first(|team| is_neighbour(team) && may_go(team))
                {
                    return Err(Refusal::TooManyFromAddress);
                }
                let has_room = places.len() < limits.all || places.remove_first(may_go);
                if has_room { Ok(()) } else { Err(Refusal::TooMany) }
            }
            _ => Err(reason.into()),
        }
    }

    /// Leaves the place of a connection that is gone to whoever comes back. What the team is called, and
    /// where it plays.
    pub(super) fn leave(&mut self, link: u64) -> Option<(Name, Option<(TableId, Colour)>)> {
        let Self { places, playing, keeps_places, .. } = self;
        let place = places.leave(link)?;
        let (name, id) = (place.name.clone(), place.id);
        let playing = playing.get(&TeamId(id)).copied();
        if !*keeps_places && playing.is_none() {
            places.remove_first(|place| place.id == id);
        }
        Some((name, playing))
    }

    /// Whether these can play with one another now.
    pub(super) fn check(&self, seats: &[SeatFor]) -> Result<(), PlayError> {
        if !(1..=Colour::MAX).contains(&seats.len()) {
            return Err(PlayError::Seats(seats.len()));
        }
        let mut seated = BTreeSet::new();
        for seat in seats {
            let SeatFor::Team(team) = *seat else { continue };
            if self.places.find(team.0).is_none() {
                return Err(PlayError::UnknownTeam(team));
            }
            if self.playing.contains_key(&team) || !seated.insert(team) {
                return Err(PlayError::Busy(team));
            }
        }
        Ok(())
    }

    /// What a team is called that there is.
    pub(super) fn name(&self, team: TeamId) -> Option<&Name> {
        self.places.find(team.0).map(|place| &place.name)
    }

    /// A team has this seat now. Its connection, if it has one.
    pub(super) fn start(
        &mut self,
        team: TeamId,
        table: TableId,
        colour: Colour,
    ) -> Option<Arc<Link>> {
        self.playing.insert(team, (table, colour));
        self.players.insert(team);
        self.places.find(team.0)?.link.clone()
    }

    /// The game at a table is over.
    pub(super) fn end(&mut self, table: TableId) {
        let Self { places, playing, keeps_places, .. } = self;
        playing.retain(|_, (place, _)| *place != table);
        if !*keeps_places {
            places.retain(|place| place.link.is_some() || playing.contains_key(&TeamId(place.id)));
        }
    }

    /// From now on there may be this many teams, if there is no list of them.
    pub(super) fn set_limit(&mut self, teams: usize) {
        if let Some(limits) = &mut self.limits {
            limits.all = teams;
        }
    }

    /// How it stands with all of them.
    pub(super) fn presence(&self) -> Vec<TeamPresence> {
        let mut all = Vec::new();
        self.update(&mut all);
        all
    }

    /// Brings up to date how it stands with all of them; whether anything has changed. Linear in the number of
    /// teams, and allocates only for new ones: in a large hall, it is called thousands of times.
    pub(super) fn update(&self, known: &mut Vec<TeamPresence>) -> bool {
        let before = known.len();
        known.truncate(self.places.len());
        let mut has_changed = known.len() < before;
        // Both are in order of the teams' numbers.
        let mut playing = self.playing.iter().peekable();
        for (index, place) in self.places.iter().enumerate() {
            let team = TeamId(place.id);
            while playing.next_if(|(other, _)| **other < team).is_some() {}
            let playing = playing.next_if(|(other, _)| **other == team);
            let playing = playing.map(|(_, (table, _))| *table);
            let presence = match &place.link {
                None => Presence::Gone,
                Some(link) if link.inbox.is_silent() => Presence::Silent,
                Some(_) => Presence::There,
            };
            let address = place.last_address;
            match known.get_mut(index) {
                Some(known) if known.team == team => {
                    let now = (presence, playing, address);
                    has_changed |= (known.presence, known.playing, known.address) != now;
                    (known.presence, known.playing, known.address) = now;
                }
                other => {
                    let name = place.name.clone();
                    let new = TeamPresence { team, name, presence, playing, address };
                    match other {
                        Some(known) => *known = new,
                        None => known.push(new),
                    }
                    has_changed = true;
                }
            }
        }
        has_changed
    }

    /// Says goodbye to all of them.
    pub(super) fn quit(&self) {
        for link in self.places.iter().filter_map(|place| place.link.as_ref()) {
            link.quit();
        }
    }
}
