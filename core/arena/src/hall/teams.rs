//! The teams of a hall: their names, presence and tables.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use game::colour::Colour;
use limits::Source;
use protocol::{Name, Registration};
use tokio::time::Instant;

use super::controls::PlayError;
use super::refusals::RefusalReason;
use super::table::{SeatFor, TableId};
use super::{Admission, SameName};
use crate::peer::Peer;
use crate::registry::{Registrant, Registry, SeatClaim};

/// The number of a team in its hall, from 0, in order of registration or of the list. Numbers are never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamId(pub usize);

/// The state of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamPresence {
    /// The number of the team.
    pub team: TeamId,
    /// The unique name of the team.
    pub name: Name,
    /// The presence of the team.
    pub presence: Presence,
    /// The table at which the team plays; `None` if it does not play.
    pub playing: Option<TableId>,
    /// The address of the team's last connection; `None` if it never had one.
    pub address: Option<IpAddr>,
    /// The proof with which the team gets its place back; `None` while nobody has taken the place.
    pub claim: Option<SeatClaim>,
}

/// A team that has played in an earlier run of a hall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownTeam {
    /// The unique name of the team.
    pub name: Name,
    /// The proof with which the team gets its place back. `None` if it is not known: then the first player that registers
    /// under the name has the place.
    pub claim: Option<SeatClaim>,
}

/// The presence of a team.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The team has no connection.
    Gone,
    /// The team is connected, but sent nothing for three turns in a row, and nothing since.
    Silent,
    /// The team is connected.
    There,
}

impl fmt::Display for TeamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "team {}", self.0)
    }
}

/// All teams that are or may come.
#[derive(Debug)]
pub(super) struct Teams {
    /// The places of the teams; a place has the number of its team.
    registry: Registry,
    /// Maximum numbers of teams; `None` for a list of teams.
    limits: Option<Limits>,
    /// True if a team that is gone keeps its place while it does not play.
    keeps_places: bool,
    /// The table and colour of each team that plays.
    playing: BTreeMap<TeamId, (TableId, Colour)>,
    /// Teams that have had a seat in a game.
    players: BTreeSet<TeamId>,
}

/// Maximum numbers of teams.
#[derive(Clone, Copy, Debug)]
struct Limits {
    all: usize,
    /// Maximum number from one source; loopback is exempt.
    per_source: usize,
}

impl Teams {
    /// The teams of the list; no teams if there is no list.
    pub(super) fn new(admission: Admission, salt: u64) -> Result<Self, SameName> {
        let (registry, limits, keeps_places) = match admission {
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
        Ok(Self { registry, limits, keeps_places, playing, players })
    }

    /// Keeps the places of teams that have played in an earlier run. A list of teams admits no others.
    pub(super) fn restore(&mut self, known: Vec<KnownTeam>) {
        let has_list = self.limits.is_none();
        for KnownTeam { name, claim } in known {
            if !has_list || self.registry.places.iter().any(|place| place.name == name) {
                let id = self.registry.restore(name, claim);
                self.players.insert(TeamId(id));
            }
        }
    }

    /// Gives a player that registers its former place or a new one. Returns the team's name, and its table and colour.
    ///
    /// Before the first game, a taken name gets a number; afterwards, a player with a known name gets its former place
    /// or is refused.
    pub(super) fn register(
        &mut self,
        peer: &Arc<Peer>,
        registration: Registration,
        now: Instant,
    ) -> Result<(Name, Option<(TableId, Colour)>), RefusalReason> {
        let found = match peer.door {
            Some(TeamId(team)) => self.registry.enter(team, peer),
            None => self.registry.take_back(peer, &registration, now),
        };
        let (id, name) = match found {
            Ok(place) => (place.id, place.name.clone()),
            Err(reason) => {
                self.admit(reason, peer.address.into())?;
                let place = self.registry.add(peer, registration);
                (place.id, place.name.clone())
            }
        };
        Ok((name, self.playing.get(&TeamId(id)).copied()))
    }

    /// Makes room for a new team from `source`, which found no place for this `reason`. If there are too many teams,
    /// removes the first one that is gone and has never played.
    fn admit(&mut self, reason: RefusalReason, source: Source) -> Result<(), RefusalReason> {
        let Self { registry, limits, players, .. } = self;
        let has_new_place = match reason {
            RefusalReason::NotListed => true,
            RefusalReason::Taken | RefusalReason::SecretMissing | RefusalReason::SecretWrong => {
                players.is_empty()
            }
            _ => false,
        };
        let Some(limits) = limits.filter(|_| has_new_place) else { return Err(reason) };
        let may_go = |team: &Registrant| team.peer.is_none() && !players.contains(&TeamId(team.id));
        let is_neighbour = |team: &Registrant| team.last_address.map(Source::from) == Some(source);
        let neighbours = registry.places.iter().filter(|team| is_neighbour(team)).count();
        if neighbours >= limits.per_source
            && !source.is_loopback()
            && !registry.remove_first(|team| is_neighbour(team) && may_go(team))
        {
            return Err(RefusalReason::TooManyFromAddress);
        }
        let has_room = registry.places.len() < limits.all || registry.remove_first(may_go);
        if has_room { Ok(()) } else { Err(RefusalReason::TooMany) }
    }

    /// Frees the place of a connection that is gone. Returns the team's name, and its table and colour.
    pub(super) fn leave(&mut self, peer: u64) -> Option<(Name, Option<(TableId, Colour)>)> {
        let Self { registry, playing, keeps_places, .. } = self;
        let place = registry.leave(peer)?;
        let (name, id) = (place.name.clone(), place.id);
        let playing = playing.get(&TeamId(id)).copied();
        if !*keeps_places && playing.is_none() {
            registry.remove_first(|place| place.id == id);
        }
        Some((name, playing))
    }

    /// Checks that these players can start a game now.
    pub(super) fn check(&self, seats: &[SeatFor]) -> Result<(), PlayError> {
        if !(1..=Colour::MAX).contains(&seats.len()) {
            return Err(PlayError::Seats(seats.len()));
        }
        let mut seated = BTreeSet::new();
        for seat in seats {
            let SeatFor::Team(team) = *seat else { continue };
            if self.registry.find(team.0).is_none() {
                return Err(PlayError::UnknownTeam(team));
            }
            if self.playing.contains_key(&team) || !seated.insert(team) {
                return Err(PlayError::Busy(team));
            }
        }
        Ok(())
    }

    pub(super) fn name(&self, team: TeamId) -> Option<&Name> {
        self.registry.find(team.0).map(|place| &place.name)
    }

    /// Notes that a team plays this colour at this table. Returns its connection, if it has one.
    pub(super) fn start(
        &mut self,
        team: TeamId,
        table: TableId,
        colour: Colour,
    ) -> Option<Arc<Peer>> {
        self.playing.insert(team, (table, colour));
        self.players.insert(team);
        self.registry.find(team.0)?.peer.clone()
    }

    /// Frees the teams of a table whose game is over.
    pub(super) fn end(&mut self, table: TableId) {
        let Self { registry, playing, keeps_places, .. } = self;
        playing.retain(|_, (place, _)| *place != table);
        if !*keeps_places {
            registry
                .places
                .retain(|place| place.peer.is_some() || playing.contains_key(&TeamId(place.id)));
        }
    }

    /// Sets the maximum number of teams; does nothing for a list of teams.
    pub(super) fn set_limit(&mut self, teams: usize) {
        if let Some(limits) = &mut self.limits {
            limits.all = teams;
        }
    }

    pub(super) fn presence(&self) -> Vec<TeamPresence> {
        let mut all = Vec::new();
        self.update(&mut all);
        all
    }

    /// Updates the states of all teams; true if anything has changed. O(teams), and allocates only for new teams,
    /// because a large hall calls this function thousands of times.
    pub(super) fn update(&self, known: &mut Vec<TeamPresence>) -> bool {
        let before = known.len();
        known.truncate(self.registry.places.len());
        let mut has_changed = known.len() < before;
        // `places` and `playing` are sorted by the teams' numbers.
        let mut playing = self.playing.iter().peekable();
        for (index, place) in self.registry.places.iter().enumerate() {
            let team = TeamId(place.id);
            while playing.next_if(|(other, _)| **other < team).is_some() {}
            let playing = playing.next_if(|(other, _)| **other == team);
            let playing = playing.map(|(_, (table, _))| *table);
            let presence = match &place.peer {
                None => Presence::Gone,
                Some(peer) if peer.inbox.is_silent() => Presence::Silent,
                Some(_) => Presence::There,
            };
            let address = place.last_address;
            match known.get_mut(index) {
                Some(known) if known.team == team => {
                    let now = (presence, playing, address);
                    has_changed |= (known.presence, known.playing, known.address) != now;
                    (known.presence, known.playing, known.address) = now;
                    if known.claim.is_some() == place.is_free {
                        known.claim = place.claim();
                        has_changed = true;
                    }
                }
                other => {
                    let name = place.name.clone();
                    let claim = place.claim();
                    let new = TeamPresence { team, name, presence, playing, address, claim };
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

    pub(super) fn quit(&self) {
        for peer in self.registry.places.iter().filter_map(|place| place.peer.as_ref()) {
            peer.quit();
        }
    }
}
