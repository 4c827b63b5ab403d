//! Keeping games: each once, with what it adds to the sums of its players.

use std::collections::BTreeMap;

use plan::FaultKind;
use rusqlite::types::ToSql;
use rusqlite::{OptionalExtension, Transaction, params, params_from_iter};

use crate::challenge;
use crate::course::{Failure, time};
use crate::game::PlayerId;
use crate::next_games::against_house;
use crate::team::check_name;
use crate::{Course, CourseError, Kept, LadderGame, LadderSeat, Player, Refusal, Traces};

impl Course {
    /// Keeps games and their traces, all of them or, after an error, none. A game that was kept before does not count a
    /// second time.
    ///
    /// # Errors
    ///
    /// [`Refusal::Game`] if a version or a house level is unknown, a version has two seats, or a place is not 1 to 4; else,
    /// when the course cannot be written.
    pub fn keep_games(&mut self, games: &[(LadderGame, Traces)]) -> Result<Vec<Kept>, CourseError> {
        let least = self.least;
        self.try_write(|transaction| {
            games.iter().map(|(game, traces)| keep(transaction, game, traces, least)).collect()
        })
    }

    /// Sets the least charge of a seat in microseconds, as [`LadderRules::least`](crate::LadderRules::least), for the games that are kept until the
    /// course is opened again.
    pub fn set_least(&mut self, least: u64) {
        self.least = least;
    }
}

fn keep(
    transaction: &Transaction<'_>,
    game: &LadderGame,
    traces: &Traces,
    least: u64,
) -> Result<Kept, Failure> {
    let known = "SELECT 1 FROM game WHERE key = ?";
    if transaction.prepare_cached(known)?.exists([game.key.as_bytes()])? {
        return Ok(Kept::Again);
    }
    let own = traces.outputs.iter().zip(&traces.thoughts);
    let seats = game.seats.iter().zip(own);
    let own = seats.clone().filter(|(seat, _)| seat.player.version().is_some());
    let own = own.map(|(_, (output, thoughts))| output.len() + thoughts.len());
    let bytes = traces.recording.len() + own.sum::<usize>();
    let mut values: Vec<Box<dyn ToSql>> = vec![
        Box::new(*game.key.as_bytes()),
        Box::new(time(game.at)?),
        Box::new(map_of(transaction, &game.map)?),
        Box::new(game.seed.cast_signed()),
        Box::new(i64::try_from(bytes).map_err(|_| Refusal::Game)?),
    ];
    let mut versions = BTreeMap::new();
    for (seat, own) in seats {
        if !(1..=4).contains(&seat.place) {
            return Err(Refusal::Game.into());
        }
        let player = count(transaction, seat, least)?;
        if let Some(version) = player.version()
            && versions.insert(version, own).is_some()
        {
            return Err(Refusal::Game.into());
        }
        values.push(Box::new(player));
        values.push(Box::new(seat.place));
        values.push(Box::new(seat.points));
        values.push(Box::new(seat.fault.map(FaultKind::name)));
        values.push(Box::new(seat.cpu));
    }
    let players: Vec<Player> = game.seats.iter().map(|seat| seat.player.clone()).collect();
    challenge::count(transaction, &players)?;
    if let Some(version) = against_house(players.iter()) {
        let update = "UPDATE version SET house_games = house_games + 1 WHERE id = ?";
        transaction.prepare_cached(update)?.execute([version])?;
    }
    let id: i64 = transaction
        .prepare_cached(
            "INSERT INTO game (key, at, map, seed, recorded, p0, r0, o0, f0, c0, p1, r1, o1, f1, c1, \
             p2, r2, o2, f2, c2, p3, r3, o3, f3, c3) VALUES \
             (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        )?
        .query_row(params_from_iter(values), |row| row.get(0))?;
    for (version, (output, thoughts)) in versions {
        transaction
            .prepare_cached("INSERT INTO seat VALUES (?, ?)")?
            .execute(params![version, id])?;
        if !output.is_empty() || !thoughts.is_empty() {
            transaction
                .prepare_cached(
                    "INSERT INTO output (game, version, bytes, thoughts) VALUES (?, ?, ?, ?)",
                )?
                .execute(params![id, version, output, thoughts])?;
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
fn count(
    transaction: &Transaction<'_>,
    seat: &LadderSeat,
    least: u64,
) -> Result<PlayerId, Failure> {
    let counted = match &seat.player {
        Player::Version(version) => {
            let charge = i64::try_from(least.max(seat.cpu.into())).unwrap_or(i64::MAX);
            let update = "UPDATE version SET games = games + 1, cpu = cpu + ?, \
                          charged = charged + ? WHERE id = ? RETURNING id";
            let values = params![seat.cpu, charge, version];
            transaction.prepare_cached(update)?.query_row(values, |row| row.get(0)).optional()?
        }
        Player::House(name) => {
            let update = "UPDATE house SET games = games + 1 WHERE name = ? RETURNING -id";
            transaction.prepare_cached(update)?.query_row([name], |row| row.get(0)).optional()?
        }
    };
    counted.ok_or_else(|| Refusal::Game.into())
}

/// The id of a map, which is added if it is new.
fn map_of(transaction: &Transaction<'_>, name: &str) -> Result<i64, Failure> {
    let select = "SELECT id FROM map WHERE name = ?";
    let found = transaction.prepare_cached(select)?.query_row([name], |row| row.get(0));
    if let Some(id) = found.optional()? {
        return Ok(id);
    }
    check_name(name)?;
    let insert = "INSERT INTO map (name) VALUES (?) RETURNING id";
    Ok(transaction.query_row(insert, [name], |row| row.get(0))?)
}
