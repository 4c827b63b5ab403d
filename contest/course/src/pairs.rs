//! The games of each two teams, summed up: the table of who beats whom.

use std::collections::BTreeMap;

use crate::{CourseError, CourseReader, TeamId, VersionId};

/// The common games of two teams, of any of their versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairRecord {
    /// The team.
    pub team: TeamId,
    /// The other team.
    pub other: TeamId,
    /// Number of common games.
    pub games: u32,
    /// Number of games in which the team had a better place than the other team.
    pub wins: u32,
    /// Number of games in which they shared a place.
    pub draws: u32,
}

/// The sums of the games so far.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    sums: BTreeMap<(TeamId, TeamId), PairRecord>,
    /// The last game that is counted.
    last: i64,
}

impl CourseReader {
    /// The records of each present team with each other one, by the order in which teams were added. The first call reads
    /// all games, later ones the new games only.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn pairs(&self) -> Result<Vec<PairRecord>, CourseError> {
        let _moment = self.moment()?;
        let teams =
            self.rows("SELECT id, team FROM version", [], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let teams: BTreeMap<VersionId, TeamId> = teams.into_iter().collect();
        let Pairs { sums, last } = &mut *self.pairs.borrow_mut();
        self.games_after(*last, |game, seats| {
            *last = game;
            let seats = seats.map(|(player, place)| {
                player.version().and_then(|version| Some((*teams.get(&version)?, place)))
            });
            for (team, place) in seats.into_iter().flatten() {
                for (other, others) in seats.into_iter().flatten().filter(|it| it.0 != team) {
                    let sum = sums.entry((team, other)).or_insert(none(team, other));
                    sum.games += 1;
                    sum.wins += u32::from(place < others);
                    sum.draws += u32::from(place == others);
                }
            }
        })?;
        let present = self.present()?;
        let pairs = present.iter().flat_map(|(team, _)| {
            let others = present.iter().filter(move |(other, _)| other != team);
            others.map(move |(other, _)| (*team, *other))
        });
        Ok(pairs
            .map(|(team, other)| sums.get(&(team, other)).copied().unwrap_or(none(team, other)))
            .collect())
    }
}

/// The record of two teams that have not met.
fn none(team: TeamId, other: TeamId) -> PairRecord {
    PairRecord { team, other, games: 0, wins: 0, draws: 0 }
}
