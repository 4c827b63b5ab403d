//! Tournaments (*tournois*): teams meet in games of four, on one machine or over a LAN, and nothing that
//! was played is lost.
//!
//! - [`team`] is who plays, [`plan`] how, [`schedule`] who meets whom; a [`Matchup`] is one such meeting,
//!   and each [`Seating`] of it is a game with a [`Key`].
//! - An [`Outcome`] is what a game came to; the [`store`] keeps them.
//! - [`rating`] and [`standings`] tell from them who is best, and [`report`] shows it; [`live`] does while
//!   games go on.

pub mod live;
pub mod matchup;
pub mod outcome;
pub mod plan;
pub mod rating;
pub mod report;
pub mod schedule;
pub mod standings;
pub mod store;
pub mod team;

pub use matchup::{Group, Key, Matchup, SEATS, Seating};
pub use outcome::{Fault, FaultKind, Outcome, SeatOutcome};
pub use plan::{Conditions, Plan};
pub use schedule::{Format, Schedule};
pub use standings::Standings;
pub use team::{Program, Team};
