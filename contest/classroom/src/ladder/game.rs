//! A game of the ladder: what is played, and what is kept of it.

use std::io;
use std::time::UNIX_EPOCH;

use course::{CourseError, CourseReader, LadderGame, LadderSeat, Player, Seconds, Traces};
use game::colour::Colour;
use language::{Language, said};
use plan::{
    Conditions, Fixture, Format, Group, Job, Key, Matchup, Outcome, Plan, Program, SEATS, Schedule,
    SeatOutcome, Seating, Seatings, Team,
};
use protocol::Name;
use replay::Recording;

use crate::about::team;
use crate::room::{Room, now};

/// Maximum number of bytes that are kept of what a program has written in a game.
const OUTPUT: usize = 64 << 10;

/// Draws the seats.
pub(super) fn shuffle(players: &mut [Player; SEATS], seed: u64) {
    let mut left = seed;
    for last in (1..SEATS).rev() {
        let count = last as u64 + 1;
        // Its remainder is below 4.
        players.swap(last, (left % count) as usize);
        left /= count;
    }
}

/// The game of these players, by colour.
pub(super) fn job(
    room: &Room,
    reader: &CourseReader,
    players: &[Player; SEATS],
    seed: u64,
) -> Result<(Job, Fixture), CourseError> {
    let settings = &room.settings;
    let mut teams: Vec<Team> = Vec::with_capacity(SEATS);
    for player in players {
        let name = |wanted: &str| {
            let is_taken = |name: &str| teams.iter().any(|team| team.name == name);
            Name::new(wanted).distinct(is_taken).to_string()
        };
        let team = match player {
            Player::Version(id) => {
                let version = reader.version(*id)?;
                let known = reader.team(version.team)?;
                team(name(known.public_name()), &version, reader.versions_folder())
            }
            Player::House(level) => Team::new(name(level), Program::House(level.clone()), ""),
        };
        teams.push(team);
    }
    // Its remainder is a place in the list.
    let map = (seed / 24 % settings.maps.len() as u64) as usize;
    let plan = Plan {
        conditions: Conditions {
            name: settings.name.clone(),
            seed,
            rules: settings.rules,
            turns: settings.turns,
            deadline: settings.deadline,
            house: settings.levels[0].clone(),
            seatings: Seatings::Cyclic,
        },
        maps: vec![settings.maps[map].clone()],
        teams,
        schedule: Schedule { format: Format::Swiss, rounds: 1, until: None, lots: seed },
        limits: settings.programs.clone(),
        notes: Vec::new(),
    };
    let group = Group::new(&[0, 1, 2, 3]).expect("four teams");
    let matchup = Matchup { round: 1, map: 0, group };
    let seating = Seating([0, 1, 2, 3]);
    let fixture = Fixture { key: Key::of_game(&plan, &matchup, seating), matchup, seating };
    Ok((plan.job(&fixture), fixture))
}

/// Converts the outcome of a game to the record and the traces that the course stores. The game was handed out at `since`: the
/// clock of another machine may be wrong.
pub(super) fn kept(
    since: Seconds,
    players: [Player; SEATS],
    outcome: &Outcome,
    outputs: Vec<Vec<u8>>,
) -> (LadderGame, Traces) {
    let mut outcomes = outcome.seats.iter();
    let seats = players.map(|player| {
        let seat = outcomes.next().expect("a game has four seats");
        LadderSeat {
            place: u8::try_from(seat.rank).unwrap_or(u8::MAX),
            points: seat.points,
            fault: seat.fault.as_ref().map(|fault| fault.kind),
            cpu: used(seat),
            player,
        }
    });
    let began = outcome.began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let game = LadderGame {
        key: outcome.key,
        at: began.max(since).min(now()),
        map: outcome.map.to_string(),
        seed: outcome.seed,
        seats,
    };
    let outputs = outputs.into_iter().map(last_of).zip(&outcome.seats);
    let mut outputs = outputs.map(|(output, seat)| [last_of(fault_of(seat)), output].concat());
    let outputs = std::array::from_fn(|_| outputs.next().unwrap_or_default());
    let thoughts = thoughts_of(&outcome.recording);
    (game, Traces { recording: without_thoughts(&outcome.recording), thoughts, outputs })
}

/// Processor time of a seat in microseconds.
fn used(seat: &SeatOutcome) -> u32 {
    let cpu = seat.usage.as_ref().and_then(|usage| usage.cpu).unwrap_or_default();
    u32::try_from(cpu.as_micros()).unwrap_or(u32::MAX)
}

/// The fault of a seat in words, for its team; nothing without one.
fn fault_of(seat: &SeatOutcome) -> Vec<u8> {
    let Some(fault) = &seat.fault else { return Vec::new() };
    let turn =
        fault.turn().map_or_else(String::new, |turn| said!(", turn {turn}", ", tour {turn}"));
    let detail = fault.detail.say(Language::chosen());
    said!("=== fault{turn}: {detail}\n", "=== faute{turn} : {detail}\n").into_bytes()
}

/// The end of an output.
fn last_of(mut output: Vec<u8>) -> Vec<u8> {
    output.drain(..output.len().saturating_sub(OUTPUT));
    output
}

/// The thoughts of the players in a recording, by colour.
fn thoughts_of(recording: &[u8]) -> [Vec<u8>; SEATS] {
    let Ok(Recording { thoughts, .. }) = Recording::read(recording) else {
        return Default::default();
    };
    let mut records = Colour::first(SEATS).map(|player| thoughts.record_of(player));
    std::array::from_fn(|_| records.next().unwrap_or_default())
}

/// A recording without what players thought aloud: each team of the game may get it.
fn without_thoughts(recording: &[u8]) -> Vec<u8> {
    let records: io::Result<Vec<_>> = replay::without_thoughts(recording).collect();
    // Reading from memory does not fail; a recording that cannot be read is not kept.
    records.map(|records| records.concat()).unwrap_or_default()
}
