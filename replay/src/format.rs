//! The bytes of a recording: the only place that knows bincode.
//!
//! A file begins with [`MAGIC`] and the version of the format, two bytes, the low one first. Then
//! come records: the length of the record, as a varint of seven bits a byte, the lowest first; its
//! bytes; and two bytes that check them. The first record is the setup, then one a turn, with a
//! checkpoint of the state's hash now and then; the last one is the end.

use std::time::Duration;

use bincode::config::{self, Configuration, Limit, LittleEndian, Varint};
use bincode::{Decode, Encode};
use game::pacman::{Direction, Map, Orders, Rules};
use game::pyrat::{self, Maze};
use xxhash_rust::xxh3::xxh3_64;

use crate::marks::Marks;
use crate::setup::{PacmanSetup, PyRatSetup, Setup};
use crate::turn::{Answer, Given, Turn};

/// What every recording begins with.
pub(crate) const MAGIC: &[u8; 8] = b"rejeu\r\n\0";
/// The version that is written.
pub(crate) const VERSION: u16 = 1;

/// No record is longer.
const LONGEST: usize = 2 * 1024 * 1024;

const CONFIG: Configuration<LittleEndian, Varint, Limit<LONGEST>> =
    config::standard().with_limit::<LONGEST>();

/// A record of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    Setup(Setup),
    Turn(Turn),
    /// The hash of the state after so many turns.
    Checkpoint {
        turn: u32,
        hash: u64,
    },
    /// The game has ended, after so many turns.
    End {
        turn: u32,
        hash: u64,
    },
}

/// Why bytes are no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// They end before the record does.
    Truncated,
    /// They are not what was written, or were never a record.
    Altered(String),
}

/// As it is stored.
#[derive(Encode, Decode)]
enum Stored {
    Pacman { map: String, rules: String, seed: u64, turns: u32, names: Vec<String> },
    PyRat { maze: Vec<u8>, state: Vec<u8>, seed: u64 },
    Turn { answers: Vec<(u8, u8)>, marks: [u8; 4] },
    Checkpoint { turn: u32, hash: u64 },
    End { turn: u32, hash: u64 },
}

impl Record {
    /// Appends the record to a buffer.
    pub(crate) fn encode(&self, buffer: &mut Vec<u8>) {
        let stored = match self {
            Self::Setup(Setup::Pacman(PacmanSetup { map, rules, seed, turns, names })) => {
                Stored::Pacman {
                    map: map.to_string(),
                    rules: rules_name(*rules),
                    seed: *seed,
                    turns: *turns,
                    names: names.clone(),
                }
            }
            Self::Setup(Setup::PyRat(PyRatSetup { start, seed, names })) => {
                let (mut maze, mut state) = (Vec::new(), Vec::new());
                start.maze().write_text(&mut maze);
                start.write_text(names, &mut state);
                Stored::PyRat { maze, state, seed: *seed }
            }
            Self::Turn(Turn { answers, marks }) => {
                Stored::Turn { answers: answers.iter().map(store).collect(), marks: marks.0 }
            }
            Self::Checkpoint { turn, hash } => Stored::Checkpoint { turn: *turn, hash: *hash },
            Self::End { turn, hash } => Stored::End { turn: *turn, hash: *hash },
        };
        let bytes = bincode::encode_to_vec(stored, CONFIG).expect("memory takes any record");
        let mut len = bytes.len();
        while len >= 0x80 {
            buffer.push(len as u8 | 0x80);
            len >>= 7;
        }
        buffer.push(len as u8);
        buffer.extend_from_slice(&bytes);
        buffer.extend_from_slice(&check(&bytes));
    }

    /// Reads the record that bytes begin with, and how many bytes it takes.
    pub(crate) fn decode(bytes: &[u8]) -> Result<(Self, usize), Problem> {
        let altered = |why: &str| Problem::Altered(why.to_owned());
        let (mut len, mut at) = (0, 0);
        loop {
            let byte = *bytes.get(at).ok_or(Problem::Truncated)?;
            len |= usize::from(byte & 0x7f) << (7 * at);
            at += 1;
            if byte < 0x80 {
                break;
            }
            if at == 3 {
                return Err(altered("a record is too long"));
            }
        }
        if len > LONGEST {
            return Err(altered("a record is too long"));
        }
        let stored = bytes.get(at..at + len).ok_or(Problem::Truncated)?;
        let checked = bytes.get(at + len..at + len + 2).ok_or(Problem::Truncated)?;
        if checked != check(stored) {
            return Err(altered("the check of a record is wrong"));
        }
        let (record, read) = bincode::decode_from_slice::<Stored, _>(stored, CONFIG)
            .map_err(|error| Problem::Altered(error.to_string()))?;
        if read != len {
            return Err(altered("a record is longer than what it holds"));
        }
        let record = record.open().map_err(Problem::Altered)?;
        Ok((record, at + len + 2))
    }
}

impl Stored {
    fn open(self) -> Result<Record, String> {
        Ok(match self {
            Self::Pacman { map, rules, seed, turns, names } => {
                let map: Map = map.parse().map_err(|error| format!("the map: {error}"))?;
                let rules = Rules::preset(&rules).ok_or(format!("the rules {rules:?}"))?;
                map.check_room_for(names.len()).map_err(|error| error.to_string())?;
                Record::Setup(Setup::Pacman(PacmanSetup { map, rules, seed, turns, names }))
            }
            Self::PyRat { maze, state, seed } => {
                let maze = Maze::read_text(&maze).map_err(|error| error.to_string())?;
                let read = pyrat::State::read_text(&maze, &state);
                let pyrat::Reading { state: start, names } =
                    read.map_err(|error| error.to_string())?;
                Record::Setup(Setup::PyRat(PyRatSetup { start, seed, names }))
            }
            Self::Turn { answers, marks } => {
                let answers = answers.into_iter().map(restore).collect::<Option<_>>();
                let answers = answers.ok_or("an answer that means nothing")?;
                Record::Turn(Turn { answers, marks: Marks(marks) })
            }
            Self::Checkpoint { turn, hash } => Record::Checkpoint { turn, hash },
            Self::End { turn, hash } => Record::End { turn, hash },
        })
    }
}

/// Two bytes that a record hardly has by accident.
fn check(bytes: &[u8]) -> [u8; 2] {
    (xxh3_64(bytes) as u16).to_le_bytes()
}

/// What the text of a state hashes to.
#[must_use]
pub fn hash(text: &[u8]) -> u64 {
    xxh3_64(text)
}

fn rules_name(rules: Rules) -> String {
    let named = Rules::PRESETS.iter().find(|(_, preset)| *preset == rules);
    named.map_or_else(String::new, |(name, _)| (*name).to_owned())
}

/// The shortest time that is told from none, in seconds.
const SHORTEST: f64 = 1e-5;
/// From one time to the next one that can be told from it.
const STEP: f64 = 1.06;

/// 0 to 24: orders; 25 to 31: actions of PyRat; then the rest.
const ACTIONS: u8 = 25;
const MISSED: u8 = 32;
const DISCONNECTED: u8 = 33;

fn store(given: &Given) -> (u8, u8) {
    let direction = |direction: Option<Direction>| direction.map_or(4, |d| d.index() as u8);
    let code = match given.answer {
        Answer::Orders(Orders { pacman, ghost }) => direction(pacman) * 5 + direction(ghost),
        Answer::Action(pyrat::Answer::Go(way)) => ACTIONS + way.index() as u8,
        Answer::Action(pyrat::Answer::Nothing) => ACTIONS + 4,
        Answer::Action(pyrat::Answer::Malformed) => ACTIONS + 5,
        Answer::Action(pyrat::Answer::Missed) | Answer::Missed => MISSED,
        Answer::Disconnected => DISCONNECTED,
    };
    (code, store_time(given.taken))
}

fn restore((code, time): (u8, u8)) -> Option<Given> {
    let direction = |code: u8| Direction::ALL.get(usize::from(code)).copied();
    let answer = match code {
        0..ACTIONS => {
            Answer::Orders(Orders { pacman: direction(code / 5), ghost: direction(code % 5) })
        }
        29 => Answer::Action(pyrat::Answer::Nothing),
        30 => Answer::Action(pyrat::Answer::Malformed),
        ACTIONS..30 => Answer::Action(pyrat::Answer::Go(direction(code - ACTIONS)?)),
        MISSED => Answer::Missed,
        DISCONNECTED => Answer::Disconnected,
        _ => return None,
    };
    Some(Given::in_time(answer, restore_time(time)))
}

/// 0 for none, then on a logarithmic scale.
#[expect(clippy::cast_sign_loss, reason = "the logarithm of what is at least 1")]
fn store_time(taken: Duration) -> u8 {
    let steps = (taken.as_secs_f64() / SHORTEST).max(1.0).ln() / STEP.ln();
    if taken.is_zero() { 0 } else { 1 + steps.round().min(254.0) as u8 }
}

fn restore_time(time: u8) -> Duration {
    match time {
        0 => Duration::ZERO,
        _ => Duration::from_secs_f64(SHORTEST * STEP.powi(i32::from(time) - 1)),
    }
}
