//! The plan of a tournament: its teams, maps and rules, the schedule of its matchups, and the outcomes of its games.
//!
//! - A [`Plan`] has [`Team`]s and a [`Schedule`]. The schedule is a pure function from the teams and the results of
//!   earlier rounds to the [`Matchup`]s of a round.
//! - Each [`Seating`] of a matchup is a [`Fixture`] with a [`Key`], and has an [`Outcome`] once the game was played.
//! - A [`Job`] is a game with all data needed to play it, here or on another machine.
//! - [`record`] sums outcomes up, without ratings.
//!
//! This crate is data and pure functions of data: it does no I/O, reads no clock and plays no game. Bots of the house are
//! names in it.

pub mod job;
pub mod matchup;
mod organiser;
pub mod outcome;
pub mod plan;
pub mod record;
pub mod schedule;
pub mod team;
#[cfg(test)]
mod testing;
pub mod tree_hash;

pub use job::{Course, Job, JobSeat};
pub use language::Note;
pub use matchup::{Fixture, Group, Key, Matchup, SEATS, Seating, Seatings};
pub use organiser::OrganiserAction;
pub use outcome::{Culprit, Fault, FaultKind, MissedTurn, Outcome, SeatOutcome, Usage, Voided};
pub use plan::{Conditions, NamedMap, Plan, TeamLimits};
pub use schedule::{Format, Schedule};
pub use team::{CommandLine, Files, Program, Team};
