//! Tournaments (*tournois*): teams meet in games of four, on one machine or over a LAN, and nothing that
//! was played is lost.
//!
//! - [`team`] is who plays, [`plan`] how, [`schedule`] who meets whom; a [`Matchup`] is one such meeting,
//!   and each [`Seating`] of it is a game with a [`Key`].
//! - An [`Outcome`] is what a game came to; the [`store`] keeps them.
//! - [`rating`] and [`standings`] tell from them who is best, and [`report`] shows it; [`live`] does while
//!   games go on.
//! - [`runner`] plays on this machine, [`lan`] over a network; a [`mod@tournament`] knows what is missing.
//! - [`checkup`] finds out beforehand whether a program plays as it should.

pub mod checkup;
pub mod config;
mod faults;
pub mod in_process;
pub mod journals;
pub mod lan;
pub mod live;
pub mod matchup;
pub mod orphans;
pub mod outcome;
pub mod plan;
pub mod process;
pub mod rating;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod scoreboard;
pub mod setup;
pub mod stage;
pub mod standings;
pub mod store;
pub mod table;
pub mod team;
pub mod tournament;
pub mod version;

pub use matchup::{Game, Group, Key, Matchup, SEATS, Seating};
pub use outcome::{Fault, FaultKind, Outcome, SeatOutcome};
pub use plan::{Conditions, Plan};
pub use schedule::{Format, Schedule};
pub use standings::Standings;
pub use team::{HouseBot, Program, Team};
