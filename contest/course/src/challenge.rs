//! Challenges: games against chosen others that a team asks for.

use std::collections::BTreeMap;

use plan::SEATS;
use rusqlite::{OptionalExtension as _, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::course::time;
use crate::row::json;
use crate::{Course, CourseError, CourseReader, Player, Refusal, Seconds, TeamId};

/// The time in which the games of challenges are counted, in seconds.
const DAY: i64 = 24 * 3600;

/// A player of a challenge, whatever version plays for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Challenged {
    /// A team.
    Team(TeamId),
    /// A level of the house.
    House(String),
}

impl CourseReader {
    /// Number of games of challenges that a team may still ask for now.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn challenges_left(&self, team: TeamId, now: Seconds) -> Result<u32, CourseError> {
        let select = "SELECT coalesce(sum(asked), 0) FROM challenge WHERE team = ? AND at > ?";
        let since = time(now)? - DAY;
        let asked: u32 =
            self.sql(self.db.query_row(select, params![team, since], |row| row.get(0)))?;
        Ok(self.limits.challenges.saturating_sub(asked))
    }

    /// Number of games of challenges of a team that were not played yet.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn challenges_pending(&self, team: TeamId) -> Result<u32, CourseError> {
        let select = "SELECT coalesce(sum(games), 0) FROM challenge WHERE team = ?";
        self.sql(self.db.query_row(select, [team], |row| row.get(0)))
    }

    /// The first challenge of which a game is to be played, beside those that are `running`: its players, of whom all play.
    pub(crate) fn next_challenge(
        &self,
        running: &[[Player; SEATS]],
    ) -> Result<Option<[Player; SEATS]>, CourseError> {
        let present: BTreeMap<TeamId, _> = self.present()?.into_iter().collect();
        let mut in_flight: BTreeMap<Vec<Challenged>, u32> = BTreeMap::new();
        for game in running {
            *in_flight.entry(self.challenged(game)?).or_default() += 1;
        }
        let select = "SELECT players, games FROM challenge WHERE games > 0 ORDER BY id";
        let pending: Vec<(Vec<Challenged>, u32)> =
            self.rows(select, [], |row| Ok((json(row, 0)?, row.get(1)?)))?;
        for (players, games) in pending {
            let begun = in_flight.entry(players.clone()).or_default();
            let taken = games.min(*begun);
            *begun -= taken;
            let players = players.into_iter().map(|player| match player {
                Challenged::Team(team) => present.get(&team).copied().map(Player::Version),
                Challenged::House(level) => Some(Player::House(level)),
            });
            let players: Option<Vec<_>> = players.collect();
            if taken < games
                && let Some(Ok(players)) = players.map(<[Player; SEATS]>::try_from)
            {
                return Ok(Some(players));
            }
        }
        Ok(None)
    }

    /// The players of a game, in order.
    fn challenged(&self, game: &[Player; SEATS]) -> Result<Vec<Challenged>, CourseError> {
        let one = |player: &Player| match player {
            Player::Version(version) => Ok(Challenged::Team(self.version(*version)?.team)),
            Player::House(level) => Ok(Challenged::House(level.clone())),
        };
        let mut players: Vec<_> = game.iter().map(one).collect::<Result<_, CourseError>>()?;
        players.sort();
        Ok(players)
    }
}

impl Course {
    /// Asks for games of a team against one to three different others, which are played before others; the house has the seats
    /// that are left, in turn. A team asks for a limited number of games within a day.
    ///
    /// # Errors
    ///
    /// [`Refusal::TooManyChallenges`]; [`Refusal::Game`] if nobody of the team or of the others plays, or if there are none,
    /// too many, or doubles; else, when the course cannot be written.
    pub fn challenge(
        &mut self,
        team: TeamId,
        others: &[Challenged],
        games: u32,
        now: Seconds,
    ) -> Result<(), CourseError> {
        let at = time(now)?;
        let left = self.challenges_left(team, now)?;
        if games > left {
            return Err(Refusal::TooManyChallenges(left).into());
        }
        let levels = self.levels_that_play()?;
        let present = self.present()?;
        let mut players = vec![Challenged::Team(team)];
        players.extend(others.iter().cloned());
        players.sort();
        let plays = |player: &Challenged| match player {
            Challenged::Team(team) => present.iter().any(|(other, _)| other == team),
            Challenged::House(level) => levels.contains(level),
        };
        let is_possible = games > 0
            && (2..=SEATS).contains(&players.len())
            && players.windows(2).all(|pair| pair[0] != pair[1])
            && players.iter().all(plays);
        if !is_possible {
            return Err(Refusal::Game.into());
        }
        let free = SEATS - players.len();
        players.extend(levels.into_iter().cycle().take(free).map(Challenged::House));
        if players.len() < SEATS {
            return Err(Refusal::Game.into());
        }
        players.sort();
        let players = serde_json::to_string(&players).expect("plain data has a text");
        self.write(|transaction| {
            let insert =
                "INSERT INTO challenge (team, at, players, asked, games) VALUES (?, ?, ?, ?, ?)";
            transaction.execute(insert, params![team, at, players, games, games])
        })?;
        Ok(())
    }
}

/// Counts a game for the first challenge that asks for one of these players, given as the tables have them.
pub(crate) fn count(transaction: &Transaction<'_>, players: &[Player]) -> rusqlite::Result<()> {
    let mut all = Vec::with_capacity(players.len());
    for player in players {
        all.push(match player {
            Player::Version(version) => {
                let select = "SELECT team FROM version WHERE id = ?";
                let mut select = transaction.prepare_cached(select)?;
                let team: Option<TeamId> =
                    select.query_row([version], |row| row.get(0)).optional()?;
                let Some(team) = team else { return Ok(()) };
                Challenged::Team(team)
            }
            Player::House(level) => Challenged::House(level.clone()),
        });
    }
    all.sort();
    let players = serde_json::to_string(&all).expect("plain data has a text");
    let update = "UPDATE challenge SET games = games - 1 WHERE id = \
         (SELECT min(id) FROM challenge WHERE games > 0 AND players = ?)";
    transaction.prepare_cached(update)?.execute([players])?;
    Ok(())
}
