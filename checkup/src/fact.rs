//! Observations of a bot.

use std::process::ExitStatus;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::case::GameMoment;
use super::mistake::Suspicion;
use super::slip::{OrderSlip, RegistrationSlip};

/// End of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Ending {
    /// Tests if it ended as a program does that has done its work.
    #[must_use]
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        // Elsewhere, every program ends with a code.
        #[cfg(not(unix))]
        let signal = None;
        match (status.code(), signal) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or(0)),
        }
    }
}

/// Why a program cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NoStart {
    /// There is none of this name.
    NotFound,
    /// Its file may not be executed.
    NotExecutable,
    /// Its file is executable, but the system does not know how.
    NoProgram,
    /// Another reason, in the words of the system.
    Other(String),
}

/// An observation. Turns count from 0, as in the state that was to be answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Fact {
    /// The program could not be started.
    NotStarted {
        /// The program that was to be started.
        program: String,
        /// Why it was not.
        cause: NoStart,
    },
    /// It ended before it registered.
    EndedEarly {
        /// How.
        ending: Ending,
        /// `true` if it had connected.
        connected: bool,
        /// A file that its command names and that is not there.
        missing: Option<String>,
        /// `true` if its command says where to put the port.
        has_port: bool,
    },
    /// It did not connect.
    NoConnection {
        /// Time that the check waited, in seconds.
        #[serde(serialize_with = "seconds")]
        waited: Duration,
        /// `true` if its command says where to put the port.
        has_port: bool,
    },
    /// It connected to another port.
    Elsewhere {
        /// Which.
        port: u16,
        /// `true` if its command says where to put the port.
        has_port: bool,
    },
    /// It connected and said nothing.
    Silent {
        /// Time that the check waited, in seconds.
        #[serde(serialize_with = "seconds")]
        waited: Duration,
    },
    /// It closed the connection before it registered.
    HungUp,
    /// Its first message has no NUL at its end.
    NoNul {
        /// Bytes that it sent.
        received: String,
    },
    /// Its first message is no registration.
    NoRegistration {
        /// Bytes that it sent.
        received: String,
        /// The mistake in it, if it is known.
        slip: Option<RegistrationSlip>,
    },
    /// It registered to look on.
    Spectator,
    /// It registered.
    Registered {
        /// Time since its start, in seconds.
        #[serde(serialize_with = "seconds")]
        after: Duration,
    },
    /// It took more than half of the time that it has to register.
    SlowStart {
        /// The time it took, in seconds.
        #[serde(serialize_with = "seconds")]
        after: Duration,
        /// The time it has, in seconds.
        #[serde(serialize_with = "seconds")]
        patience: Duration,
    },
    /// It registered under another name than it was given.
    OtherName {
        /// Its name.
        given: String,
        /// Bytes that it sent.
        sent: String,
    },
    /// It sent something before the first state.
    Unasked {
        /// Bytes that it sent.
        received: String,
    },
    /// It did not wait for the game to begin.
    DidNotWait {
        /// End of its program; `None` if it only closed the connection.
        ending: Option<Ending>,
        /// Time that the check waited, in seconds.
        #[serde(serialize_with = "seconds")]
        waited: Duration,
    },

    /// Some games went without a fault.
    AllWell {
        /// Number of games.
        games: usize,
    },
    /// Times of its answers.
    Times {
        /// States that it answered in time.
        answered: usize,
        /// Seconds, on average.
        #[serde(serialize_with = "seconds")]
        mean: Duration,
        /// Seconds that half of the answers stay below.
        #[serde(serialize_with = "seconds")]
        median: Duration,
        /// Seconds that 99 of 100 answers stay below.
        #[serde(serialize_with = "seconds")]
        p99: Duration,
        /// Seconds of the longest one.
        #[serde(serialize_with = "seconds")]
        longest: Duration,
    },
    /// Answers came too late, or not at all.
    Missed {
        /// Number of missed turns.
        missed: usize,
        /// Of how many.
        asked: usize,
        /// The first turn.
        first: u32,
        /// The time it has, in seconds.
        #[serde(serialize_with = "seconds")]
        deadline: Duration,
        /// The longest that a late one took, in seconds.
        #[serde(serialize_with = "perhaps_seconds")]
        latest: Option<Duration>,
    },
    /// The longest answer took more than half of its time.
    Close {
        /// The longest, in seconds.
        #[serde(serialize_with = "seconds")]
        longest: Duration,
        /// The time it has, in seconds.
        #[serde(serialize_with = "seconds")]
        deadline: Duration,
    },
    /// It stopped answering, and went on running.
    Stuck {
        /// The turn of the first state without an answer.
        turn: u32,
        /// Peculiarities of the state.
        moments: Vec<GameMoment>,
    },
    /// Its answer has no NUL at its end.
    OrderWithoutNul {
        /// Bytes that it sent.
        received: String,
    },
    /// It sent a message of more bytes than a server takes.
    TooLong {
        /// The turn.
        turn: u32,
        /// The largest number of bytes of a message.
        limit: usize,
    },
    /// It sent more messages than it was asked for.
    TooMany {
        /// The first turn.
        turn: u32,
        /// Number of surplus messages.
        surplus: u32,
    },
    /// It ended during the game.
    Crashed {
        /// The turn of the state that it was looking at.
        turn: u32,
        /// How.
        ending: Ending,
        /// Peculiarities of the state.
        moments: Vec<GameMoment>,
    },
    /// It closed the connection during the game.
    Left {
        /// The turn of the state that it was looking at.
        turn: u32,
        /// Peculiarities of the state.
        moments: Vec<GameMoment>,
    },
    /// The time for the check was over before the game was.
    CutShort {
        /// Turns played.
        played: u32,
        /// Turns of the whole game.
        of: u32,
    },

    /// All orders name two directions.
    WellFormed {
        /// Number of orders.
        orders: usize,
    },
    /// Orders name no directions.
    Malformed {
        /// Number of malformed orders.
        malformed: usize,
        /// Of how many.
        asked: usize,
        /// The first turn.
        turn: u32,
        /// Bytes of the order.
        received: String,
        /// The mistake in it.
        slip: OrderSlip,
    },
    /// Orders have more than two characters.
    Trailing {
        /// Number of orders.
        orders: usize,
        /// The first one.
        received: String,
    },
    /// It gives the same order all the time.
    AlwaysSame {
        /// Which.
        order: String,
    },
    /// Many of its moves end at a wall.
    Walls {
        /// Percentage of its pacman's moves.
        pacman: u32,
        /// Percentage of its ghost's moves.
        ghost: u32,
        /// Number of moves of both.
        blocked: u32,
        /// The mistake that explains it, if one does.
        suspicion: Option<Suspicion>,
    },
    /// It has written of an error, and gone on.
    ErrorsInOutput,

    /// It went after the last game.
    Ended {
        /// Time since the farewell, in seconds.
        #[serde(serialize_with = "seconds")]
        after: Duration,
    },
    /// It took long to go.
    SlowEnd {
        /// Time since the farewell, in seconds.
        #[serde(serialize_with = "seconds")]
        after: Duration,
    },
    /// It did not end.
    Lingers {
        /// Time that the check waited, in seconds.
        #[serde(serialize_with = "seconds")]
        waited: Duration,
        /// `true` if it kept a processor busy meanwhile; `None` if the system does not tell.
        busy: Option<bool>,
    },
    /// It ended with an error after the last game.
    BadEnd {
        /// How.
        ending: Ending,
    },
    /// It did not answer the final state.
    FinalUnanswered,

    /// Its pacman never took objects that lay everywhere.
    Untried {
        /// The objects.
        objects: Vec<char>,
    },
    /// It moves as if it were somebody else.
    PlaysFor {
        /// Its letter.
        own: char,
        /// The letter of the pieces that its orders are for.
        other: char,
        /// `true` if that was its letter in the first game.
        remembered: bool,
    },
    /// Of several states that came at once it answered only some.
    Skips {
        /// Number of messages that came.
        sent: u32,
        /// Number of answers.
        answered: u32,
    },
}

pub(super) fn seconds<S: Serializer>(
    duration: &Duration,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    // To the microsecond: more is noise.
    serializer.serialize_f64((duration.as_secs_f64() * 1e6).round() / 1e6)
}

#[expect(clippy::ref_option, reason = "serde asks for it")]
fn perhaps_seconds<S: Serializer>(
    duration: &Option<Duration>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match duration {
        Some(duration) => seconds(duration, serializer),
        None => serializer.serialize_none(),
    }
}
