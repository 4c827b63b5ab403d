//! Strengths of teams, from their games.
//!
//! - [`Games`] collects the rankings of games, and [`Fit`] is the Plackett-Luce model of them, by maximum likelihood.
//!   It looks at all games at once, so their order means nothing.
//! - [`Samples`] is a bootstrap over meetings: strengths that the same games could have come from.
//! - [`Race`] tells whether a team is shown to be the best, however often one looks: a tournament may end early by it.
//! - [`paired`] says whether a new version of a bot is better than an old one, and [`Share`] is how often a bot is first.
//! - [`Standings`] puts strengths, samples and the teams' [records](plan::record) into one table.

mod bootstrap;
mod games;
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

pub use bootstrap::Samples;
pub use games::Games;
pub use plackett_luce::{Fit, PRIOR_DEVIATION};
pub use race::Race;
pub use share::Share;
pub use standings::Standings;

/// A strength, in nats, as an Elo-like number: 1500 for the mean, and 400 more for ten times the odds of
/// being before someone.
#[must_use]
pub fn elo(strength: f64) -> f64 {
    1500.0 + 400.0 / LN_10 * strength
}
