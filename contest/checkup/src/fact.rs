//! The facts that a check can observe about a bot.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use language::{Language, Note};
use serde::{Serialize, Serializer};

use super::case::GameMoment;
use super::mistake::Suspicion;
use super::slip::{OrderSlip, RegistrationSlip};

/// The end of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The program exited with this code.
    Code(i32),
    /// This signal ended the program.
    Signal(i32),
}

impl Ending {
    /// Tests if the program exited without an error.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        // On other systems, every program ends with a code.
        #[cfg(not(unix))]
        let signal = None;
        match (status.code(), signal) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or(0)),
        }
    }
}

/// The reason why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoStart {
    /// No file has this name.
    NotFound,
    /// The file may not be executed.
    NotExecutable,
    /// The file is executable, but in no format that the system knows.
    NoProgram,
    /// Another reason, as worded by the system.
    Other(String),
    /// This machine cannot start another program now, for this reason.
    Machine(Note),
}

/// An observation about a bot. Turns count from 1, as in the server's log: the first one is that of the answer to the
/// state with 0 turns played.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// The program could not be started.
    NotStarted {
        /// The program or file that could not be started.
        program: String,
        /// The reason for the failure.
        cause: NoStart,
    },
    /// The program ended before it registered.
    EndedEarly {
        /// The end of the program.
        ending: Ending,
        /// `true` if the program connected before it ended.
        connected: bool,
        /// A file that its command names and that does not exist.
        missing: Option<String>,
        /// `true` if its command contains `{port}`.
        has_port: bool,
    },
    /// The bot did not connect.
    NoConnection {
        /// Time that the check waited.
        waited: Seconds,
        /// `true` if its command contains `{port}`.
        has_port: bool,
    },
    /// The bot connected to another port than its own.
    Elsewhere {
        /// The port that the bot used.
        port: u16,
        /// `true` if its command contains `{port}`.
        has_port: bool,
    },
    /// The bot connected and sent nothing.
    Silent {
        /// Time that the check waited.
        waited: Seconds,
    },
    /// The bot closed the connection before it registered.
    HungUp,
    /// The first message of the bot has no NUL at its end.
    NoNul {
        /// The start of the message.
        received: String,
    },
    /// The first message of the bot is no registration.
    NoRegistration {
        /// The start of the message.
        received: String,
        /// The mistake in the message; `None` if it is not a known one.
        slip: Option<RegistrationSlip>,
    },
    /// The bot registered as a spectator.
    Spectator,
    /// The bot registered.
    Registered {
        /// Time since the start of the program.
        after: Seconds,
    },
    /// The bot took more than half of the time allowed for its registration.
    SlowStart {
        /// Time until the registration.
        after: Seconds,
        /// Longest time allowed.
        patience: Seconds,
    },
    /// The bot registered under another name than the one given to it.
    OtherName {
        /// The name given to the bot.
        given: String,
        /// The name that the bot sent.
        sent: String,
    },
    /// The bot sent something before the first state.
    Unasked {
        /// The start of the message.
        received: String,
    },
    /// The bot left before the start of the game.
    DidNotWait {
        /// The end of the program; `None` if it only closed the connection.
        ending: Option<Ending>,
        /// Time that the check waited.
        waited: Seconds,
    },

    /// Some games showed no fault.
    AllWell {
        /// The number of these games.
        games: usize,
    },
    /// Statistics of the answer times of a game.
    Times {
        /// The number of states answered in time.
        answered: usize,
        /// Mean time of an answer.
        mean: Seconds,
        /// Median time of an answer.
        median: Seconds,
        /// 99th percentile of the answer times.
        p99: Seconds,
        /// Longest time of an answer.
        longest: Seconds,
    },
    /// Answers were late or missing.
    Missed {
        /// The number of states without an answer in time.
        missed: usize,
        /// The number of states to answer.
        asked: usize,
        /// The first turn without an answer in time.
        first: u32,
        /// The deadline.
        deadline: Seconds,
        /// Time of the slowest late answer; `None` if no late answer came.
        latest: Option<Seconds>,
    },
    /// The slowest answer took more than half of the deadline.
    Close {
        /// Longest time of an answer.
        longest: Seconds,
        /// The deadline.
        deadline: Seconds,
    },
    /// The bot stopped answering, but its program kept running.
    Stuck {
        /// The turn of the first state without an answer.
        turn: u32,
        /// Special circumstances in that state.
        moments: Vec<GameMoment>,
    },
    /// The answers of the bot have no NUL at their end.
    OrderWithoutNul {
        /// The start of the bytes received.
        received: String,
    },
    /// The bot sent a longer message than a server accepts.
    TooLong {
        /// The turn of the message.
        turn: u32,
        /// Longest message that a server accepts, in bytes.
        limit: usize,
    },
    /// The bot sent more messages than it received states.
    TooMany {
        /// The first turn with a surplus message.
        turn: u32,
        /// The number of surplus messages.
        surplus: u32,
    },
    /// The program ended during the game.
    Crashed {
        /// The turn of the state that the bot had to answer.
        turn: u32,
        /// The end of the program.
        ending: Ending,
        /// Special circumstances in that state.
        moments: Vec<GameMoment>,
    },
    /// The bot closed the connection during the game.
    Left {
        /// The turn of the state that the bot had to answer.
        turn: u32,
        /// Special circumstances in that state.
        moments: Vec<GameMoment>,
    },
    /// The check ran out of time before the end of the game.
    CutShort {
        /// The number of turns played.
        played: u32,
        /// The number of turns of the whole game.
        of: u32,
    },

    /// All orders start with two directions.
    WellFormed {
        /// The number of orders.
        orders: usize,
    },
    /// Some orders do not start with two directions.
    Malformed {
        /// The number of malformed orders.
        malformed: usize,
        /// The number of states to answer.
        asked: usize,
        /// The turn of the first malformed order.
        turn: u32,
        /// The start of that order.
        received: String,
        /// The mistake in that order.
        slip: OrderSlip,
    },
    /// Some orders have more than two characters.
    Trailing {
        /// The number of these orders.
        orders: usize,
        /// The start of the first such order.
        received: String,
    },
    /// The bot gives the same order every turn.
    AlwaysSame {
        /// The two letters of the order.
        order: String,
    },
    /// Many moves of the bot end at a wall.
    Walls {
        /// Percentage of the pacman's moves that end at a wall.
        pacman: u32,
        /// Percentage of the ghost's moves that end at a wall.
        ghost: u32,
        /// The number of moves of both pieces that end at a wall.
        blocked: u32,
        /// The mistake that explains these moves, if any.
        suspicion: Option<Suspicion>,
    },
    /// The output of the program shows an error, but the program kept running.
    ErrorsInOutput,

    /// The program ended after the last game.
    Ended {
        /// Time since the farewell.
        after: Seconds,
    },
    /// The program took long to end after the last game.
    SlowEnd {
        /// Time since the farewell.
        after: Seconds,
    },
    /// The program did not end after the last game.
    Lingers {
        /// Time that the check waited.
        waited: Seconds,
        /// `true` if the program kept a processor busy during the wait; `None` if this cannot be measured.
        busy: Option<bool>,
    },
    /// The program ended with an error after the last game.
    BadEnd {
        /// The end of the program.
        ending: Ending,
    },
    /// The bot did not answer the final state.
    FinalUnanswered,

    /// The bot's pacman never took certain objects, though these filled the board.
    Untried {
        /// The letters of these objects.
        objects: Vec<char>,
    },
    /// The orders of the bot fit the pieces of another player.
    PlaysFor {
        /// The letter of the bot.
        own: char,
        /// The letter of the player whose pieces the orders fit.
        other: char,
        /// `true` if the bot had this letter in the first game.
        remembered: bool,
    },
    /// The bot answered only some of several states that arrived at once.
    Skips {
        /// The number of states sent.
        sent: u32,
        /// The number of states answered.
        answered: u32,
    },
}

impl Fact {
    /// The connection was closed in a turn: by the end of the program, if it has ended.
    pub(super) fn gone(turn: u32, moments: Vec<GameMoment>, ending: Option<Ending>) -> Self {
        match ending {
            Some(ending) => Self::Crashed { turn, ending, moments },
            None => Self::Left { turn, moments },
        }
    }
}

/// A duration that is serialised as a number of seconds, and displayed with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seconds(pub Duration);

impl From<Duration> for Seconds {
    fn from(duration: Duration) -> Self {
        Self(duration)
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Language::chosen().duration(self.0))
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Rounded to microseconds; further digits are noise.
        serializer.serialize_f64((self.0.as_secs_f64() * 1e6).round() / 1e6)
    }
}
