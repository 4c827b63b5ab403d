//! Strengths of teams.
//!
//! - [`Games`] collects the rankings of games, and [`Fit`] is the Plackett-Luce model of them, by maximum likelihood.
//!   The fit uses all games at once, so their order does not matter.
//! - [`Samples`] is a bootstrap over matchups: strengths that the same games could have come from.
//! - [`Race`] tests if a team is the best, however often one looks: a tournament may end early by it.
//! - [`paired`] tests if a new version of a bot is better than an old one; [`Share`] is the share of first places of a bot.
//! - [`marks`] gives marks for results against players of fixed levels.
//! - [`Meetings`] chooses whose games tell most about the order.
//! - [`history`] has the ratings by round.
//! - [`Standings`] puts strengths, samples and the teams' [records](plan::record) into one table.

mod bootstrap;
mod games;
mod history;
pub mod marks;
mod meetings;
mod newton;
pub mod paired;
mod plackett_luce;
mod race;
mod share;
pub mod standings;
#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "small")]
mod tests;

use std::f64::consts::LN_10;

pub use bootstrap::{Samples, quantile};
pub use games::Games;
pub use history::{RoundRating, history};
pub use meetings::Meetings;
pub use plackett_luce::{Fit, PRIOR_DEVIATION};
pub use race::Race;
pub use share::Share;
pub use standings::Standings;

/// The Elo-like rating of a strength in nats: 1500 for the mean, and 400 more for ten times the odds of finishing ahead
/// of another player.
pub fn elo(strength: f64) -> f64 {
    1500.0 + 400.0 / LN_10 * strength
}
