//! The rows of the tables, and their conversion to and from outcomes.

use std::time::{Duration, SystemTime};

use arena::{Misses, Thinking};
use language::said;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Error, Row, Statement, Transaction, params};
use serde::de::DeserializeOwned;

use plan::{Fault, FaultKind, Key, Outcome, SeatOutcome, Team};

pub(super) fn write_teams(transaction: &Transaction<'_>, teams: &[Team]) -> rusqlite::Result<()> {
    for (place, team) in teams.iter().enumerate() {
        transaction.execute(
            "INSERT INTO team (place, name, team) VALUES (?, ?, ?)",
            params![place.cast_signed() as i64, team.name, to_json(team)],
        )?;
    }
    Ok(())
}

pub(super) fn write_outcome(
    transaction: &Transaction<'_>,
    outcome: &Outcome,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO game (key, matchup, round, map, seed, turns, elapsed, began, took, recording) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            outcome.key.as_bytes(),
            outcome.matchup.as_bytes(),
            outcome.round,
            outcome.map.as_str(),
            outcome.seed.cast_signed(),
            outcome.turns,
            outcome.elapsed,
            millis(outcome.began),
            micros(outcome.took),
            outcome.recording,
        ])?;
    let mut insert = transaction.prepare_cached(
        "INSERT INTO seat (game, seat, team, version, is_house, points, rank, first, others, answers, \
         longest, missed, missed_network, missed_host, malformed, fault, fault_turn, fault_detail, usage) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (place, seat) in outcome.seats.iter().enumerate() {
        let fault = seat.fault.as_ref();
        insert.execute(params![
            outcome.key.as_bytes(),
            place.cast_signed() as i64,
            seat.team.as_str(),
            seat.version.as_str(),
            seat.is_house,
            seat.points,
            seat.rank,
            micros(seat.thinking.first),
            micros(seat.thinking.others),
            seat.thinking.answers,
            micros(seat.thinking.longest),
            seat.thinking.missed(),
            seat.thinking.misses.network,
            seat.thinking.misses.host,
            seat.malformed,
            fault.map(|fault| fault.kind.name()),
            fault.and_then(|fault| fault.played),
            fault.map(|fault| to_json(&fault.detail)),
            seat.usage.as_ref().map(to_json),
        ])?;
    }
    Ok(())
}

pub(super) const GAMES: &str =
    "SELECT key, matchup, round, map, seed, turns, elapsed, began, took FROM game";

pub(super) fn read_game(row: &Row<'_>) -> rusqlite::Result<Outcome> {
    Ok(Outcome {
        key: Key::from_bytes(row.get(0)?),
        matchup: Key::from_bytes(row.get(1)?),
        round: row.get(2)?,
        map: row.get::<_, String>(3)?.into(),
        seed: row.get::<_, i64>(4)?.cast_unsigned(),
        turns: row.get(5)?,
        elapsed: row.get(6)?,
        began: moment(row.get(7)?),
        took: span(row.get(8)?),
        seats: Vec::new(),
        recording: Vec::new(),
    })
}

/// The query for the seats of a game, with or without the usage of programs.
pub(super) fn seats(with_usage: bool) -> String {
    let usage = if with_usage { "usage" } else { "NULL" };
    format!(
        "SELECT team, version, is_house, points, rank, first, others, answers, longest, missed, missed_network, missed_host, \
         malformed, fault, fault_turn, fault_detail, {usage} FROM seat WHERE game = ? ORDER BY seat"
    )
}

/// The seats of a game, by the query for [`seats`].
pub(super) fn read_seats(
    seats: &mut Statement<'_>,
    game: Key,
) -> rusqlite::Result<Vec<SeatOutcome>> {
    seats.query_map([game.as_bytes()], read_seat)?.collect()
}

fn read_seat(row: &Row<'_>) -> rusqlite::Result<SeatOutcome> {
    let time = |column| row.get(column).map(span);
    let fault = match row.get::<_, Option<String>>(13)? {
        Some(name) => {
            let kind = FaultKind::from_name(&name).ok_or_else(|| {
                let unknown = said!(
                    "the fault {name:?} is unknown to this version of `tournoi`",
                    "la faute {name:?} est inconnue de cette version de `tournoi`"
                );
                Error::FromSqlConversionFailure(13, Type::Text, unknown.into())
            })?;
            Some(Box::new(Fault { kind, played: row.get(14)?, detail: json(row, 15)? }))
        }
        None => None,
    };
    let (missed, network, host): (u32, u32, u32) = (row.get(9)?, row.get(10)?, row.get(11)?);
    let thinking = Thinking {
        first: time(5)?,
        others: time(6)?,
        answers: row.get(7)?,
        longest: time(8)?,
        misses: Misses { bot: missed.saturating_sub(network).saturating_sub(host), network, host },
    };
    Ok(SeatOutcome {
        team: row.get::<_, String>(0)?.into(),
        version: row.get::<_, String>(1)?.into(),
        is_house: row.get(2)?,
        points: row.get(3)?,
        rank: row.get(4)?,
        thinking,
        malformed: row.get(12)?,
        fault,
        usage: json_or_null(row, 16)?,
    })
}

/// A value that a column keeps as JSON.
pub(super) fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

/// A value that a column keeps as JSON; `None` for NULL.
pub(super) fn json_or_null<T: DeserializeOwned>(
    row: &Row<'_>,
    column: usize,
) -> rusqlite::Result<Option<T>> {
    if row.get_ref(column)? == ValueRef::Null { Ok(None) } else { json(row, column).map(Some) }
}

/// A result in one line of text.
pub(super) fn in_words(outcome: &Outcome) -> String {
    let seat = |seat: &SeatOutcome| {
        let fault =
            seat.fault.as_ref().map_or_else(String::new, |fault| format!(" {}", fault.kind));
        format!("{} {}{fault}", seat.team, seat.points)
    };
    let seats: Vec<_> = outcome.seats.iter().map(seat).collect();
    format!("{} of {} turns: {}", outcome.elapsed, outcome.turns, seats.join(", "))
}

pub(super) fn to_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a text")
}

pub(super) fn millis(moment: SystemTime) -> i64 {
    let since = moment.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

pub(super) fn moment(millis: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(millis.max(0).cast_unsigned())
}

pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

pub(super) fn span(micros: i64) -> Duration {
    Duration::from_micros(micros.max(0).cast_unsigned())
}
