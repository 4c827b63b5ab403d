//! The view of a course that a team may have.
//!
//! | of | before the end | after the end |
//! | --- | --- | --- |
//! | itself: versions, files, verdicts, outputs, thoughts, faults, processor times | yes | yes |
//! | its games: time, map, seed, places, points, recording with the orders and answer times of all | yes | yes |
//! | games of others: time, map, seed, places, points, recording | no | yes |
//! | others: names or pseudonyms, ratings, common games by number | yes | yes |
//! | others: versions, files, verdicts, outputs, thoughts, faults, processor times | no | no |
//!
//! Something of another team and something that does not exist give the same answer, `None`.

use std::path::PathBuf;

use plan::{FaultKind, Key, SEATS};
use rusqlite::params;

use crate::game::GAMES;
use crate::{
    BotVersion, Comparison, CourseError, CourseReader, CourseTeam, LadderGame, LadderRating,
    LadderSeat, PairRecord, Player, RatingDay, Seconds, TeamId, VersionId,
};

/// A course as a team sees it.
#[derive(Clone, Copy, Debug)]
pub struct TeamView<'a> {
    course: &'a CourseReader,
    team: TeamId,
}

/// A player as a team sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenPlayer {
    /// A version of the team itself.
    Own(VersionId),
    /// Another team, by its name or pseudonym.
    Other(String),
    /// A level of the house.
    House(String),
}

/// The result of a seat as a team sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenSeat {
    /// The player in the seat.
    pub player: SeenPlayer,
    /// The place, 1 to 4.
    pub place: u8,
    /// The points.
    pub points: i32,
    /// The kind of the fault of an own version, if any.
    pub fault: Option<FaultKind>,
    /// The processor time of an own version, in microseconds.
    pub cpu: Option<u32>,
}

/// The common games of the team and another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenPair {
    /// The name or pseudonym of the other team.
    pub name: String,
    /// Number of common games.
    pub games: u32,
    /// Number of games in which the team itself had a better place than the other team.
    pub wins: u32,
    /// Number of games in which they shared a place.
    pub draws: u32,
}

/// A game as a team sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenGame {
    /// The identifier of the game.
    pub key: Key,
    /// The time at which it was played.
    pub at: Seconds,
    /// The name of its map.
    pub map: String,
    /// Its seed.
    pub seed: u64,
    /// The seats, by colour.
    pub seats: [SeenSeat; SEATS],
}

impl CourseReader {
    /// The course as a team sees it.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoTeam`](crate::Refusal::NoTeam); else, when the course cannot be read.
    pub fn as_team(&self, team: TeamId) -> Result<TeamView<'_>, CourseError> {
        self.team(team)?;
        Ok(TeamView { course: self, team })
    }
}

/// All methods fail when the course cannot be read.
#[expect(clippy::missing_errors_doc, reason = "said above, for all")]
impl TeamView<'_> {
    /// The team itself.
    pub fn team(&self) -> Result<CourseTeam, CourseError> {
        self.course.team(self.team)
    }

    /// Its versions, oldest first.
    pub fn versions(&self) -> Result<Vec<BotVersion>, CourseError> {
        self.course.versions(self.team)
    }

    /// One of its versions.
    pub fn version(&self, version: VersionId) -> Result<Option<BotVersion>, CourseError> {
        Ok(self.versions()?.into_iter().find(|own| own.id == version))
    }

    /// The verdict of the check of one of its versions, as JSON.
    pub fn verdict(&self, version: VersionId) -> Result<Option<String>, CourseError> {
        match self.version(version)? {
            Some(own) => self.course.verdict(own.id),
            None => Ok(None),
        }
    }

    /// The folder with the files of one of its versions, if they are still kept.
    pub fn files(&self, version: VersionId) -> Result<Option<PathBuf>, CourseError> {
        match self.version(version)? {
            Some(own) => self.course.files(own.id),
            None => Ok(None),
        }
    }

    /// The version that plays for it.
    pub fn playing(&self) -> Result<Option<VersionId>, CourseError> {
        self.course.playing(self.team)
    }

    /// Its rating, if one of its versions plays.
    pub fn rating(&self) -> Result<Option<LadderRating>, CourseError> {
        Ok(self.course.ratings()?.into_iter().find(|rating| rating.team == Some(self.team)))
    }

    /// Its ratings day by day.
    pub fn rating_days(&self) -> Result<Vec<RatingDay>, CourseError> {
        let days = self.course.rating_days()?;
        Ok(days.into_iter().filter(|day| day.team == self.team).collect())
    }

    /// Its games with each other present team; none if it is not present itself.
    pub fn pairs(&self) -> Result<Vec<SeenPair>, CourseError> {
        let pairs = self.course.pairs()?.into_iter().filter(|pair| pair.team == self.team);
        let seen = |PairRecord { other, games, wins, draws, .. }| {
            let name = self.course.team(other)?.public_name().to_owned();
            Ok(SeenPair { name, games, wins, draws })
        };
        pairs.map(seen).collect()
    }

    /// Its last comparisons of versions, up to `most`, the newest first.
    pub fn comparisons(&self, most: u32) -> Result<Vec<Comparison>, CourseError> {
        self.course.comparisons(self.team, most)
    }

    /// Number of games of challenges that it may still ask for now.
    pub fn challenges_left(&self, now: Seconds) -> Result<u32, CourseError> {
        self.course.challenges_left(self.team, now)
    }

    /// Number of its games of challenges that were not played yet.
    pub fn challenges_pending(&self) -> Result<u32, CourseError> {
        self.course.challenges_pending(self.team)
    }

    /// Up to `most` of its games, the newest first; of these, the ones that are older than its game `before`.
    pub fn games(&self, before: Option<Key>, most: u32) -> Result<Vec<SeenGame>, CourseError> {
        if let Some(key) = before
            && self.own_versions(key)?.is_empty()
        {
            return Ok(Vec::new());
        }
        let Some(before) = self.course.row_of(before)? else { return Ok(Vec::new()) };
        let query = format!(
            "{GAMES} JOIN (SELECT DISTINCT game AS own FROM seat JOIN version ON version.id = version \
             WHERE team = ? AND game < ? ORDER BY game DESC LIMIT ?) ON own = game.id \
             ORDER BY game.id DESC"
        );
        let games = self.course.games_by(&query, params![self.team, before, most])?;
        games.into_iter().map(|game| self.seen(game)).collect()
    }

    /// The last games of all, up to `most`, the newest first, that are older than the game `before`; none before the end of the
    /// course.
    pub fn all_games(&self, before: Option<Key>, most: u32) -> Result<Vec<SeenGame>, CourseError> {
        if self.course.ended()?.is_none() {
            return Ok(Vec::new());
        }
        let games = self.course.recent_games(before, most)?;
        games.into_iter().map(|game| self.seen(game)).collect()
    }

    /// A game of its own, or any game after the end of the course.
    pub fn game(&self, key: Key) -> Result<Option<SeenGame>, CourseError> {
        match self.course.game(key)? {
            Some(game) if self.may_see(&game)? => self.seen(game).map(Some),
            _ => Ok(None),
        }
    }

    /// The recording of a game that it may see, if it is still kept.
    pub fn recording(&self, key: Key) -> Result<Option<Vec<u8>>, CourseError> {
        match self.game(key)? {
            Some(_) => self.course.recording(key),
            None => Ok(None),
        }
    }

    /// The outputs of its versions in a game, as far as they are still kept.
    pub fn outputs(&self, key: Key) -> Result<Vec<(VersionId, Vec<u8>)>, CourseError> {
        let mut outputs = Vec::new();
        for version in self.own_versions(key)? {
            if let Some(output) = self.course.output(key, version)? {
                outputs.push((version, output));
            }
        }
        Ok(outputs)
    }

    /// The thoughts of its version in a game, as a record for the game's recording, if they are still kept.
    pub fn thoughts(&self, key: Key) -> Result<Option<Vec<u8>>, CourseError> {
        let Some(version) = self.own_versions(key)?.into_iter().next() else { return Ok(None) };
        self.course.thoughts(key, version)
    }

    /// The last games, up to `most`, the newest first, in which another player had a better place than the version that plays
    /// for the team now, each with its recording; games without a recording are left out.
    pub fn lost_games(&self, most: u32) -> Result<Vec<(SeenGame, Vec<u8>)>, CourseError> {
        let Some(version) = self.playing()? else { return Ok(Vec::new()) };
        let query = format!(
            "{GAMES} JOIN seat ON seat.game = game.id WHERE seat.version = ?1 AND \
             CASE ?1 WHEN p0 THEN r0 WHEN p1 THEN r1 WHEN p2 THEN r2 ELSE r3 END > 1 AND \
             EXISTS (SELECT 1 FROM recording WHERE recording.game = game.id) \
             ORDER BY seat.game DESC LIMIT ?2"
        );
        let games = self.course.games_by(&query, params![version, most])?;
        let with_recording = |game: LadderGame| {
            let recording = self.course.recording(game.key)?.unwrap_or_default();
            Ok((self.seen(game)?, recording))
        };
        games.into_iter().map(with_recording).collect()
    }

    /// Its versions that have played a game.
    fn own_versions(&self, key: Key) -> Result<Vec<VersionId>, CourseError> {
        let select = "SELECT version.id FROM game JOIN seat ON seat.game = game.id \
             JOIN version ON version.id = seat.version WHERE key = ? AND team = ? ORDER BY version.id";
        self.course.rows(select, params![key.as_bytes(), self.team], |row| row.get(0))
    }

    fn may_see(&self, game: &LadderGame) -> Result<bool, CourseError> {
        Ok(self.course.ended()?.is_some() || !self.own_versions(game.key)?.is_empty())
    }

    /// Leaves out what belongs to others.
    fn seen(&self, game: LadderGame) -> Result<SeenGame, CourseError> {
        let [first, second, third, fourth] = game.seats;
        let seats = [self.seat(first)?, self.seat(second)?, self.seat(third)?, self.seat(fourth)?];
        let LadderGame { key, at, map, seed, .. } = game;
        Ok(SeenGame { key, at, map, seed, seats })
    }

    fn seat(&self, seat: LadderSeat) -> Result<SeenSeat, CourseError> {
        let LadderSeat { player, place, points, fault, cpu } = seat;
        let other = |player| SeenSeat { player, place, points, fault: None, cpu: None };
        Ok(match player {
            Player::House(level) => other(SeenPlayer::House(level)),
            Player::Version(version) => {
                let team = self.course.version(version)?.team;
                if team == self.team {
                    let player = SeenPlayer::Own(version);
                    SeenSeat { player, place, points, fault, cpu: Some(cpu) }
                } else {
                    let name = self.course.team(team)?.public_name().to_owned();
                    other(SeenPlayer::Other(name))
                }
            }
        })
    }
}
