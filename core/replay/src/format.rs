//! The bytes of a recording: the only module that uses bincode.
//!
//! A file begins with [`MAGIC`] and the version of the format, two bytes, the low one first. Records
//! follow: the length of the record as a varint of seven bits a byte, lowest first; its bytes; and two
//! bytes of checksum. The first record is the setup. Then comes one record a turn, with a checkpoint of
//! the state's hash after some of them. The last record is the end of the game.
//!
//! A turn in which a player missed the deadline or sent a malformed or late message ends in remarks
//! ([`Stored::Flawed`]), each with the player, the cause of the miss, and the excerpt of the message: a miss of a bot
//! takes five bytes more than a turn without flaws.
//!
//! Blocks of [thoughts](crate::thoughts) stand after the turns in which they were collected, the last one before the end. A
//! recording without thoughts has none.

use std::io::{self, BufRead, Read};
use std::time::Duration;

use bincode::config::{self, Configuration, Limit, LittleEndian, Varint};
use bincode::enc::write::Writer;
use bincode::error::EncodeError;
use bincode::{Decode, Encode};
use game::pacman::{Direction, FalseMoveCounter, Map, Orders, Rules};
use game::pyrat::{self, Maze};
use language::{said, word};
use referee::{Cause, Transport};
use xxhash_rust::xxh3::xxh3_64;

use crate::marks::Marks;
use crate::setup::{PacmanSetup, PyRatSetup, Setup};
use crate::turn::{Answer, Excerpt, Flaw, Given, Turn};

/// The first bytes of every recording.
pub(crate) const MAGIC: &[u8; 8] = b"rejeu\r\n\0";
/// The version of the format. Version 1 was never released.
pub(crate) const VERSION: u16 = 2;

/// Maximum number of bytes of a record; mazes and states sent to clients have less than 1 MiB each.
const LONGEST: usize = 4 * 1024 * 1024;
/// Maximum number of bytes of a record's length.
const LENGTH: usize = 4;

const CONFIG: Configuration<LittleEndian, Varint, Limit<LONGEST>> =
    config::standard().with_limit::<LONGEST>();

/// A record of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    Setup(Setup),
    Turn(Turn),
    /// The hash of the state after this turn.
    Checkpoint {
        turn: u32,
        hash: u64,
    },
    /// The game ended after this turn.
    End {
        turn: u32,
        hash: u64,
    },
    /// A block of thoughts, compressed, and the number of those dropped before it.
    Thoughts {
        dropped: u32,
        block: Vec<u8>,
    },
}

/// A reason why bytes are not a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    /// The bytes end before the record does.
    #[error(
        "{}",
        word(
            "the file ends in the middle of a record",
            "le fichier finit au milieu d'un enregistrement"
        )
    )]
    Truncated,
    /// The bytes were altered, or were never a record.
    #[error("{_0}")]
    Altered(String),
}

/// A record as it is stored. The order of the variants is part of the format.
#[derive(Encode, Decode)]
enum Stored {
    /// No record has the number 0.
    Unused,
    PyRat {
        maze: Vec<u8>,
        state: Vec<u8>,
        seed: u64,
    },
    Turn {
        answers: Vec<(u8, u8)>,
        marks: [u8; 4],
    },
    Checkpoint {
        turn: u32,
        hash: u64,
    },
    End {
        turn: u32,
        hash: u64,
    },
    /// A game of Pacman.
    Setup {
        map: String,
        false_moves: StoredCounter,
        blocked_ghost: i32,
        freeze_range: u16,
        digestion: bool,
        seed: u64,
        turns: u32,
        names: Vec<String>,
    },
    /// A turn with remarks.
    Flawed {
        answers: Vec<(u8, u8)>,
        marks: [u8; 4],
        remarks: Vec<Remark>,
    },
    /// A block of thoughts.
    Thoughts {
        dropped: u32,
        block: Vec<u8>,
    },
}

#[derive(Encode, Decode)]
enum StoredCounter {
    Made(i32),
    Left(i32),
}

/// The remark on a missed, malformed or late answer.
#[derive(Encode, Decode)]
struct Remark {
    player: u8,
    cause: Option<StoredCause>,
    /// True for a late message, false for a malformed one; and the first bytes of the message.
    excerpt: Option<(bool, Vec<u8>)>,
}

/// The cause of a miss; times are whole microseconds.
#[derive(Encode, Decode)]
enum StoredCause {
    Bot,
    Network { rtt: u64, unacknowledged: u32, retransmits: u32, queued: u32 },
    Host { stalled: u64 },
}

impl Record {
    /// Appends the record to a buffer.
    pub(crate) fn encode(&self, buffer: &mut Vec<u8>) {
        let stored = match self {
            Self::Setup(Setup::Pacman(PacmanSetup { map, rules, seed, turns, names })) => {
                let Rules { false_moves, blocked_ghost, freeze_range, digestion } = *rules;
                let false_moves = match false_moves {
                    FalseMoveCounter::Made { limit } => StoredCounter::Made(limit),
                    FalseMoveCounter::Left { refill } => StoredCounter::Left(refill),
                };
                Stored::Setup {
                    map: map.to_string(),
                    false_moves,
                    blocked_ghost,
                    freeze_range,
                    digestion,
                    seed: *seed,
                    turns: *turns,
                    names: names.clone(),
                }
            }
            Self::Setup(Setup::PyRat(PyRatSetup { start, seed, names })) => {
                let (mut maze, mut state) = (Vec::new(), Vec::new());
                start.maze().encode(&mut maze);
                start.encode(names, &mut state);
                Stored::PyRat { maze, state, seed: *seed }
            }
            Self::Turn(Turn { answers, marks }) => {
                let remarks = remarks(answers);
                let (answers, marks) = (answers.iter().map(store).collect(), marks.0);
                if remarks.is_empty() {
                    Stored::Turn { answers, marks }
                } else {
                    Stored::Flawed { answers, marks, remarks }
                }
            }
            Self::Checkpoint { turn, hash } => Stored::Checkpoint { turn: *turn, hash: *hash },
            Self::End { turn, hash } => Stored::End { turn: *turn, hash: *hash },
            Self::Thoughts { dropped, block } => {
                Stored::Thoughts { dropped: *dropped, block: block.clone() }
            }
        };
        let bytes = encoded(stored);
        let mut len = bytes.len();
        while len >= 0x80 {
            buffer.push(len as u8 | 0x80);
            len >>= 7;
        }
        buffer.push(len as u8);
        buffer.extend_from_slice(&bytes);
        buffer.extend_from_slice(&check(&bytes));
    }

    /// Reads the first record of `bytes`, and returns it with its length in bytes.
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
            if at == LENGTH {
                return Err(altered(word(
                    "a record is too long",
                    "un enregistrement est trop long",
                )));
            }
        }
        if len > LONGEST {
            return Err(altered(word("a record is too long", "un enregistrement est trop long")));
        }
        let stored = bytes.get(at..at + len).ok_or(Problem::Truncated)?;
        let checked = bytes.get(at + len..at + len + 2).ok_or(Problem::Truncated)?;
        if checked != check(stored) {
            return Err(altered(word(
                "the check of a record is wrong",
                "la somme de contrôle d'un enregistrement est fausse",
            )));
        }
        let (record, read) = bincode::decode_from_slice::<Stored, _>(stored, CONFIG)
            .map_err(|error| Problem::Altered(error.to_string()))?;
        if read != len {
            return Err(altered(word(
                "a record is longer than what it holds",
                "un enregistrement est plus long que son contenu",
            )));
        }
        let record = record.open().map_err(Problem::Altered)?;
        Ok((record, at + len + 2))
    }
}

/// The number of the variant [`Stored::Thoughts`].
const THOUGHTS: u8 = 7;

/// Reads the file of a recording and leaves its thoughts out. Gives its records one by one, the head of the file first, up to the
/// first that is none.
pub fn without_thoughts(mut file: impl BufRead) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    let mut head = Some(MAGIC.len() as u64 + 2);
    std::iter::from_fn(move || {
        loop {
            let mut bytes = Vec::new();
            let read = match head.take() {
                Some(len) => file.by_ref().take(len).read_to_end(&mut bytes).map(|_| true),
                None => next_record(&mut file, &mut bytes),
            };
            match read {
                Ok(true) if !bytes.is_empty() => return Some(Ok(bytes)),
                Ok(true) => return None,
                Ok(false) => {}
                Err(error) => return Some(Err(error)),
            }
        }
    })
}

/// The bytes of a recording without thoughts, with a [record of them](crate::Thoughts::record_of) before its end.
#[must_use]
pub fn with_thoughts(recording: &[u8], thoughts: &[u8]) -> Vec<u8> {
    let mut records: Vec<_> = without_thoughts(recording).map_while(Result::ok).collect();
    let is_end = |bytes: &Vec<u8>| matches!(Record::decode(bytes), Ok((Record::End { .. }, _)));
    let end = records.pop_if(|last| is_end(last));
    records.push(thoughts.to_owned());
    records.extend(end);
    records.concat()
}

/// Appends the next record, nothing at the end; false for thoughts, which it skips.
fn next_record(file: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut len = 0;
    for shift in 0..LENGTH {
        if file.by_ref().take(1).read_to_end(bytes)? == 0 {
            bytes.clear();
            return Ok(true);
        }
        let byte = bytes[shift];
        len |= usize::from(byte & 0x7f) << (7 * shift);
        if byte < 0x80 {
            break;
        }
    }
    let begin = bytes.len();
    if len <= LONGEST {
        file.by_ref().take(len as u64 + 2).read_to_end(bytes)?;
    }
    Ok(bytes.get(begin) != Some(&THOUGHTS))
}

impl Stored {
    fn open(self) -> Result<Record, String> {
        Ok(match self {
            Self::Unused => {
                return Err(said!("an unknown record", "un enregistrement inconnu"));
            }
            Self::Setup {
                map,
                false_moves,
                blocked_ghost,
                freeze_range,
                digestion,
                seed,
                turns,
                names,
            } => {
                let map: Map =
                    map.parse().map_err(|error| said!("the map: {error}", "la carte : {error}"))?;
                let false_moves = match false_moves {
                    StoredCounter::Made(limit) => FalseMoveCounter::Made { limit },
                    StoredCounter::Left(refill) => FalseMoveCounter::Left { refill },
                };
                let rules = Rules { false_moves, blocked_ghost, freeze_range, digestion };
                checked(Setup::Pacman(PacmanSetup { map, rules, seed, turns, names }))?
            }
            Self::PyRat { maze, state, seed } => {
                let maze = Maze::decode(&maze).map_err(|error| error.to_string())?;
                let read = pyrat::State::decode(&maze, &state);
                let pyrat::Reading { state: start, names } =
                    read.map_err(|error| error.to_string())?;
                checked(Setup::PyRat(PyRatSetup { start, seed, names }))?
            }
            Self::Turn { answers, marks } => Record::Turn(turn(answers, marks, Vec::new())?),
            Self::Flawed { answers, marks, remarks } => {
                Record::Turn(turn(answers, marks, remarks)?)
            }
            Self::Checkpoint { turn, hash } => Record::Checkpoint { turn, hash },
            Self::End { turn, hash } => Record::End { turn, hash },
            Self::Thoughts { dropped, block } => Record::Thoughts { dropped, block },
        })
    }
}

fn checked(setup: Setup) -> Result<Record, String> {
    setup.check().map_err(|error| error.to_string())?;
    Ok(Record::Setup(setup))
}

fn turn(answers: Vec<(u8, u8)>, marks: [u8; 4], remarks: Vec<Remark>) -> Result<Turn, String> {
    let answers = answers.into_iter().map(restore).collect::<Option<Vec<_>>>();
    let mut turn = Turn {
        answers: answers
            .ok_or(word("an answer that means nothing", "une réponse sans signification"))?,
        marks: Marks(marks),
    };
    remark_on(&mut turn.answers, remarks)?;
    Ok(turn)
}

fn encoded(value: impl Encode) -> Vec<u8> {
    let mut bytes = Bytes(Vec::new());
    bincode::encode_into_writer(value, &mut bytes, CONFIG).expect("memory takes any record");
    bytes.0
}

/// Bytes that grow; bincode's own way into memory first measures what it will write.
struct Bytes(Vec<u8>);

impl Writer for &mut Bytes {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// The checksum of a record: the low two bytes of its hash.
fn check(bytes: &[u8]) -> [u8; 2] {
    (xxh3_64(bytes) as u16).to_le_bytes()
}

/// Returns the hash of a state's text.
pub fn hash(text: &[u8]) -> u64 {
    xxh3_64(text)
}

/// Encodes the remarks on the answers of a turn; `None` if there are none.
pub(crate) fn store_remarks(answers: &[Given]) -> Option<Vec<u8>> {
    let remarks = remarks(answers);
    (!remarks.is_empty()).then(|| encoded(remarks))
}

/// Reverses [`store_remarks`], and returns the number of bytes read; `None` if they are no such remarks.
pub(crate) fn restore_remarks(bytes: &[u8], answers: &mut [Given]) -> Option<usize> {
    let (remarks, len) = bincode::decode_from_slice(bytes, CONFIG).ok()?;
    remark_on(answers, remarks).ok()?;
    Some(len)
}

fn remarks(answers: &[Given]) -> Vec<Remark> {
    // There are at most 26 players.
    let remark = |(player, given): (u8, &Given)| {
        let cause = given.cause.map(StoredCause::of);
        let excerpt =
            given.excerpt.map(|excerpt| (excerpt.flaw == Flaw::Late, excerpt.bytes().to_vec()));
        (cause.is_some() || excerpt.is_some()).then_some(Remark { player, cause, excerpt })
    };
    (0..).zip(answers).filter_map(remark).collect()
}

fn remark_on(answers: &mut [Given], remarks: Vec<Remark>) -> Result<(), String> {
    let mut next = 0;
    for Remark { player, cause, excerpt } in remarks {
        let player = usize::from(player);
        let given = answers.get_mut(player).filter(|_| player >= next);
        let given = given.ok_or(word(
            "a remark on no player, or a second one",
            "une remarque sur aucun joueur, ou une seconde",
        ))?;
        next = player + 1;
        given.cause = cause.map(StoredCause::open);
        given.excerpt = match excerpt {
            Some((_, bytes)) if bytes.len() > Excerpt::MAX => {
                return Err(said!(
                    "an excerpt of {} bytes, expected at most 32",
                    "un extrait de {} octets, au plus 32 sont attendus",
                    bytes.len()
                ));
            }
            Some((is_late, bytes)) => {
                let flaw = if is_late { Flaw::Late } else { Flaw::Malformed };
                Some(Excerpt::new(flaw, &bytes))
            }
            None => None,
        };
    }
    Ok(())
}

impl StoredCause {
    fn of(cause: Cause) -> Self {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        match cause {
            Cause::Bot => Self::Bot,
            Cause::Network(Transport { rtt, unacknowledged, retransmits, queued }) => {
                Self::Network { rtt: micros(rtt), unacknowledged, retransmits, queued }
            }
            Cause::Host(stalled) => Self::Host { stalled: micros(stalled) },
        }
    }

    fn open(self) -> Cause {
        match self {
            Self::Bot => Cause::Bot,
            Self::Network { rtt, unacknowledged, retransmits, queued } => {
                let rtt = Duration::from_micros(rtt);
                Cause::Network(Transport { rtt, unacknowledged, retransmits, queued })
            }
            Self::Host { stalled } => Cause::Host(Duration::from_micros(stalled)),
        }
    }
}

/// The shortest stored time above 0, in seconds.
const SHORTEST: f64 = 1e-5;
/// The ratio of two successive stored times.
const STEP: f64 = 1.06;

/// First code of the actions of PyRat, 25 to 30; codes 0 to 24 are orders.
const ACTIONS: u8 = 25;
const MISSED: u8 = 32;
const DISCONNECTED: u8 = 33;

/// Encodes an answer and its time, without remarks.
pub(crate) fn store(given: &Given) -> (u8, u8) {
    let direction = |direction: Option<Direction>| direction.map_or(4, |d| d.index() as u8);
    let code = match given.answer {
        Answer::Orders(Orders { pacman, ghost }) => direction(pacman) * 5 + direction(ghost),
        Answer::Action(pyrat::Action::Go(way)) => ACTIONS + way.index() as u8,
        Answer::Action(pyrat::Action::Nothing) => ACTIONS + 4,
        Answer::Action(pyrat::Action::Malformed) => ACTIONS + 5,
        Answer::Action(pyrat::Action::Missed) | Answer::Missed | Answer::Unasked => MISSED,
        Answer::Disconnected => DISCONNECTED,
    };
    (code, store_time(given.taken))
}

/// Reverses [`store`]; `None` for an unknown code.
pub(crate) fn restore((code, time): (u8, u8)) -> Option<Given> {
    let direction = |code: u8| Direction::ALL.get(usize::from(code)).copied();
    let answer = match code {
        0..ACTIONS => {
            Answer::Orders(Orders { pacman: direction(code / 5), ghost: direction(code % 5) })
        }
        29 => Answer::Action(pyrat::Action::Nothing),
        30 => Answer::Action(pyrat::Action::Malformed),
        ACTIONS..30 => Answer::Action(pyrat::Action::Go(direction(code - ACTIONS)?)),
        MISSED => Answer::Missed,
        DISCONNECTED => Answer::Disconnected,
        _ => return None,
    };
    Some(Given::in_time(answer, restore_time(time)))
}

/// Encodes a time on a logarithmic scale; 0 stays 0.
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
