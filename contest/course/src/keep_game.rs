//! Keeping games: each once, with what it adds to the sums of its players.

use plan::FaultKind;
use rusqlite::types::ToSql;
use rusqlite::{OptionalExtension, Transaction, params, params_from_iter};

use crate::course::{Failure, time};
use crate::game::PlayerId;
use crate::team::check_name;
use crate::{Course, CourseError, Kept, LadderGame, LadderSeat, Player, Refusal, Traces};

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
