//! Games of the ladder: kept once, with their results for ever and their recordings for a while.

use plan::{FaultKind, Key, SEATS};
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension, Row, Transaction, params, params_from_iter};

use crate::course::{Failure, time};
use crate::row::{unknown, unsigned};
use crate::team::check_name;
use crate::{Course, CourseError, Refusal, Seconds, VersionId};

/// Who has a seat in a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// A version of a team.
    Version(VersionId),
    /// A level of the house, by its name. It never changes.
    House(String),
}

/// The result of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LadderSeat {
    /// Who had the seat.
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
    /// When it was played.
    pub at: Seconds,
    /// The name of its map.
    pub map: String,
    /// Its seed.
    pub seed: u64,
    /// The seats, by colour.
    pub seats: [LadderSeat; SEATS],
}

/// What a game leaves that is not kept for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traces {
    /// The recording; nothing if it is empty. Each team of the game may get it, so it has no thoughts of bots.
    pub recording: Vec<u8>,
    /// What the program in each seat has written, for its team only; nothing if it is empty.
    pub outputs: [Vec<u8>; SEATS],
}

impl Traces {
    /// The number of bytes.
    fn bytes(&self) -> usize {
        self.recording.len() + self.outputs.iter().map(Vec::len).sum::<usize>()
    }
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

impl Course {
    /// Keeps games and their traces, all of them or, after an error, none. A game that was kept before does not count a
    /// second time.
    ///
    /// # Errors
    ///
    /// [`Refusal::Game`] if a version is unknown or a place is not 1 to 4; else, when the course cannot be written.
    pub fn keep_games(&mut self, games: &[(LadderGame, Traces)]) -> Result<Vec<Kept>, CourseError> {
        self.try_write(|transaction| {
            games.iter().map(|(game, traces)| keep(transaction, game, traces)).collect()
        })
    }

    /// A game, if it was played.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn game(&self, key: Key) -> Result<Option<LadderGame>, CourseError> {
        let query = format!("{GAMES} WHERE key = ?");
        Ok(self.games_by(&query, [key.as_bytes()])?.pop())
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

    /// What a version has written in a game, if it is still kept.
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

    /// The games of a query for [`GAMES`].
    pub(crate) fn games_by(
        &self,
        query: &str,
        parameters: impl rusqlite::Params,
    ) -> Result<Vec<LadderGame>, CourseError> {
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

fn keep(
    transaction: &Transaction<'_>,
    game: &LadderGame,
    traces: &Traces,
) -> Result<Kept, Failure> {
    let known = "SELECT 1 FROM game WHERE key = ?";
    if transaction.prepare_cached(known)?.exists([game.key.as_bytes()])? {
        return Ok(Kept::Again);
    }
    let mut values: Vec<Box<dyn ToSql>> = vec![
        Box::new(*game.key.as_bytes()),
        Box::new(time(game.at)?),
        Box::new(named(transaction, "map", &game.map)?),
        Box::new(game.seed.cast_signed()),
        Box::new(i64::try_from(traces.bytes()).map_err(|_| Refusal::Game)?),
    ];
    let mut versions = Vec::new();
    for (seat, output) in game.seats.iter().zip(&traces.outputs) {
        if !(1..=4).contains(&seat.place) {
            return Err(Refusal::Game.into());
        }
        let player = count(transaction, seat)?;
        versions.extend(player.version().map(|version| (version, output)));
        values.push(Box::new(player));
        values.push(Box::new(seat.place));
        values.push(Box::new(seat.points));
        values.push(Box::new(seat.fault.map(FaultKind::name)));
        values.push(Box::new(seat.cpu));
    }
    let id: i64 = transaction
        .prepare_cached(
            "INSERT INTO game (key, at, map, seed, recorded, p0, r0, o0, f0, c0, p1, r1, o1, f1, c1, \
             p2, r2, o2, f2, c2, p3, r3, o3, f3, c3) VALUES \
             (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        )?
        .query_row(params_from_iter(values), |row| row.get(0))?;
    for (version, output) in versions {
        // A version may have several seats.
        transaction
            .prepare_cached("INSERT OR IGNORE INTO seat VALUES (?, ?)")?
            .execute(params![version, id])?;
        if !output.is_empty() {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO output VALUES (?, ?, ?)")?
                .execute(params![id, version, output])?;
        }
    }
    if !traces.recording.is_empty() {
        transaction
            .prepare_cached("INSERT INTO recording VALUES (?, ?)")?
            .execute(params![id, traces.recording])?;
    }
    Ok(Kept::New)
}

/// Counts a game and its processor time for a player. Returns its id.
fn count(transaction: &Transaction<'_>, seat: &LadderSeat) -> Result<PlayerId, Failure> {
    match &seat.player {
        Player::Version(version) => {
            let update = "UPDATE version SET games = games + 1, cpu = cpu + ? WHERE id = ?";
            let changed =
                transaction.prepare_cached(update)?.execute(params![seat.cpu, version])?;
            let known = PlayerId(version.0.into());
            if changed == 1 { Ok(known) } else { Err(Refusal::Game.into()) }
        }
        Player::House(name) => {
            let id = named(transaction, "house", name)?;
            let update = "UPDATE house SET games = games + 1 WHERE id = ?";
            transaction.prepare_cached(update)?.execute([id])?;
            Ok(PlayerId(-id))
        }
    }
}

/// The id of a map or a house level, which is added if it is new.
fn named(transaction: &Transaction<'_>, table: &str, name: &str) -> Result<i64, Failure> {
    let select = format!("SELECT id FROM {table} WHERE name = ?");
    let found = transaction.prepare_cached(&select)?.query_row([name], |row| row.get(0));
    if let Some(id) = found.optional()? {
        return Ok(id);
    }
    check_name(name)?;
    let insert = format!("INSERT INTO {table} (name) VALUES (?) RETURNING id");
    Ok(transaction.query_row(&insert, [name], |row| row.get(0))?)
}
