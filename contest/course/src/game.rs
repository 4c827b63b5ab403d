//! Games of the ladder: kept once, with their results for ever and their recordings for a while.

use plan::{FaultKind, Key, SEATS};
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row, params};

use crate::row::{unknown, unsigned};
use crate::{CourseError, CourseReader, Seconds, VersionId};

/// A player of a game: a version of a team, or a house level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// A version of a team.
    Version(VersionId),
    /// A level of the house, by its name. It never changes.
    House(String),
}

impl Player {
    /// The version; `None` for a house level.
    pub fn version(&self) -> Option<VersionId> {
        match self {
            Self::Version(version) => Some(*version),
            Self::House(_) => None,
        }
    }
}

/// The result of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderSeat {
    /// The player in the seat.
    pub player: Player,
    /// The place, 1 to 4; equal points share a place.
    pub place: u8,
    /// The points.
    pub points: i32,
    /// The kind of its fault, if any.
    pub fault: Option<FaultKind>,
    /// The processor time used, in microseconds.
    pub cpu: u32,
}

/// A game of the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderGame {
    /// The identifier of the game.
    pub key: Key,
    /// The time at which it was played.
    pub at: Seconds,
    /// The name of its map.
    pub map: String,
    /// Its seed.
    pub seed: u64,
    /// The seats, by colour.
    pub seats: [LadderSeat; SEATS],
}

/// The recording and the outputs of a game, which thinning may remove.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// The recording; nothing if it is empty. Each team of the game may get it, so it has no thoughts of bots.
    pub recording: Vec<u8>,
    /// The thoughts of the program in each seat, for its team only: a record to be put into the recording.
    pub thoughts: [Vec<u8>; SEATS],
    /// The output of the program in each seat, for its team only; those of house levels and empty ones are not kept.
    pub outputs: [Vec<u8>; SEATS],
}

/// The status of a delivered game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// The game is kept.
    New,
    /// A game with this key was kept before. Nothing changed.
    Again,
}

/// A player as the tables keep it: the id of a version, or the negative id of a house level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PlayerId(pub(crate) i64);

impl PlayerId {
    pub(crate) fn version(self) -> Option<VersionId> {
        u32::try_from(self.0).ok().map(VersionId)
    }
}

impl FromSql for PlayerId {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_i64().map(Self)
    }
}

impl ToSql for PlayerId {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.into())
    }
}

/// The kind of a fault in a column.
struct FaultColumn(FaultKind);

impl FromSql for FaultColumn {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let name = value.as_str()?;
        FaultKind::from_name(name).map(Self).ok_or_else(|| unknown(name))
    }
}

/// The columns of games for [`read_game`].
pub(crate) const GAMES: &str = "SELECT game.id, key, at, map.name, seed, \
     p0, r0, o0, f0, c0, p1, r1, o1, f1, c1, p2, r2, o2, f2, c2, p3, r3, o3, f3, c3 \
     FROM game JOIN map ON map.id = game.map";

impl CourseReader {
    /// A game, if it was played.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn game(&self, key: Key) -> Result<Option<LadderGame>, CourseError> {
        let query = format!("{GAMES} WHERE key = ?");
        Ok(self.games_by(&query, [key.as_bytes()])?.pop())
    }

    /// Up to `most` games of all teams, the newest first; of these, the ones that are older than the game `before`.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn recent_games(
        &self,
        before: Option<Key>,
        most: u32,
    ) -> Result<Vec<LadderGame>, CourseError> {
        let Some(before) = self.row_of(before)? else { return Ok(Vec::new()) };
        let query = format!("{GAMES} WHERE game.id < ? ORDER BY game.id DESC LIMIT ?");
        self.games_by(&query, params![before, most])
    }

    /// Up to `most` games that have a recording or outputs, the newest first; of these, the ones that are older than the game
    /// `before`.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn recorded_games(
        &self,
        before: Option<Key>,
        most: u32,
    ) -> Result<Vec<LadderGame>, CourseError> {
        let Some(before) = self.row_of(before)? else { return Ok(Vec::new()) };
        let query =
            format!("{GAMES} WHERE game.id < ? AND recorded > 0 ORDER BY game.id DESC LIMIT ?");
        self.games_by(&query, params![before, most])
    }

    /// The row of a game, if it was played; without a key, the row after all games.
    pub(crate) fn row_of(&self, key: Option<Key>) -> Result<Option<i64>, CourseError> {
        let Some(key) = key else { return Ok(Some(i64::MAX)) };
        let select = "SELECT id FROM game WHERE key = ?";
        self.sql(self.db.query_row(select, [key.as_bytes()], |row| row.get(0)).optional())
    }

    /// Number of games.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn game_count(&self) -> Result<u64, CourseError> {
        self.count("SELECT count(*) FROM game").map(i64::unsigned_abs)
    }

    /// The recording of a game, if it is still kept.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn recording(&self, key: Key) -> Result<Option<Vec<u8>>, CourseError> {
        let select = "SELECT bytes FROM recording JOIN game ON game.id = game WHERE key = ?";
        self.sql(self.db.query_row(select, [key.as_bytes()], |row| row.get(0)).optional())
    }

    /// The output of a version in a game, if it is still kept.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn output(&self, key: Key, version: VersionId) -> Result<Option<Vec<u8>>, CourseError> {
        let select = "SELECT bytes FROM output JOIN game ON game.id = game \
                      WHERE key = ? AND version = ?";
        let read = self.db.query_row(select, params![key.as_bytes(), version], |row| row.get(0));
        self.sql(read.optional())
    }

    /// The thoughts of a version in a game, if there are any and they are still kept.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn thoughts(&self, key: Key, version: VersionId) -> Result<Option<Vec<u8>>, CourseError> {
        let select = "SELECT thoughts FROM output JOIN game ON game.id = game \
                      WHERE key = ? AND version = ? AND thoughts <> x''";
        let read = self.db.query_row(select, params![key.as_bytes(), version], |row| row.get(0));
        self.sql(read.optional())
    }

    /// Reads the players and places of the games after a row, with the row of each.
    pub(crate) fn games_after(
        &self,
        last: i64,
        mut count: impl FnMut(i64, [(PlayerId, u32); SEATS]),
    ) -> Result<(), CourseError> {
        let mut read = || {
            let select =
                "SELECT id, p0, r0, p1, r1, p2, r2, p3, r3 FROM game WHERE id > ? ORDER BY id";
            let mut games = self.db.prepare_cached(select)?;
            let mut games = games.query([last])?;
            while let Some(row) = games.next()? {
                let seat = |first| Ok::<_, rusqlite::Error>((row.get(first)?, row.get(first + 1)?));
                count(row.get(0)?, [seat(1)?, seat(3)?, seat(5)?, seat(7)?]);
            }
            Ok(())
        };
        self.sql(read())
    }

    /// The games of a query for [`GAMES`].
    pub(crate) fn games_by(
        &self,
        query: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<LadderGame>, CourseError> {
        let _moment = self.moment()?;
        let house = self.house()?;
        self.rows(query, parameters, |row| read_game(row, &house))
    }

    /// The names of the house levels, the first one with the id 1.
    pub(crate) fn house(&self) -> Result<Vec<(PlayerId, String)>, CourseError> {
        self.rows("SELECT -id, name FROM house ORDER BY id", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
    }
}

fn read_game(row: &Row<'_>, house: &[(PlayerId, String)]) -> rusqlite::Result<LadderGame> {
    let seat = |first| {
        let id: PlayerId = row.get(first)?;
        let level = || house.iter().find(|(level, _)| *level == id);
        let player = match id.version() {
            Some(version) => Player::Version(version),
            None => Player::House(level().map(|(_, name)| name.clone()).unwrap_or_default()),
        };
        let fault: Option<FaultColumn> = row.get(first + 3)?;
        Ok::<_, rusqlite::Error>(LadderSeat {
            player,
            place: row.get(first + 1)?,
            points: row.get(first + 2)?,
            fault: fault.map(|fault| fault.0),
            cpu: row.get(first + 4)?,
        })
    };
    Ok(LadderGame {
        key: Key::from_bytes(row.get(1)?),
        at: unsigned(row, 2)?,
        map: row.get(3)?,
        seed: row.get::<_, i64>(4)?.cast_unsigned(),
        seats: [seat(5)?, seat(10)?, seat(15)?, seat(20)?],
    })
}
