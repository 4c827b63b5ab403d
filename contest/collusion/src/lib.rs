//! Which teams spare each other: pairs whose ghosts bite each other's pacmans less than the habits of all players explain. A
//! person decides; this crate finds the pairs whose games are worth a look.
//!
//! - A [`BiteGame`] is a game: four [`Player`]s, and who bit whom.
//! - [`find`] tests all pairs of teams of a class.
//! - A [`Sparing`] is a pair that spares each other, with its [`Treatment`]s and its probability in an honest class.
//!
//! # Method
//!
//! A weak pacman is bitten more than a strong one by any ghost; some ghosts go after the weak ones, some after the
//! leader, some after the nearest one. Bites come in rows: a ghost that follows a pacman bites it ten times. So a game gives one observation
//! for each ghost, whatever the number of its bites: the shares of its three victims.
//!
//! 1. The model of an honest class: given the three shares, the probability that they belong to the victims in this order is
//!    proportional to exp(κ Σ θ·share). θ says how easily a pacman is bitten and κ how much the ghost prefers such victims,
//!    for each version of each team; κ is below 0 for a ghost that goes after pacmans that are hard to bite. All are
//!    fitted to all games by penalised conditional likelihood.
//! 2. The test of two teams: the sum of their shares in each other's bites, in their common games, against its exact
//!    distribution under the model, a convolution over the games. Nothing is drawn by lot.
//! 3. What the model does not know makes the deviations of all pairs wider, such as pieces that start near each other. Their width
//!    is measured on the inner nine tenths of all pairs, and the deviation of a pair is divided by it, as *genomic control* does
//!    in genetics (Devlin and Roeder, *Genomic Control for Association Studies*, Biometrics 1999); it then has Student's distribution, with half as many degrees of freedom as there
//!    are pairs, for the width is estimated.
//! 4. Holm's correction over all pairs limits the probability that an honest class has a pair at all to about [`ERROR`].
//! 5. Both teams must make at most three quarters of the expected bites: a ghost that avoids somebody for reasons of its own
//!    is no arrangement.
//!
//! # Error rates
//!
//! Simulated classes as in the tests, with ghosts of different tastes and pieces that start near each other: of 200 honest classes
//! of 12 teams with 500 games, none was accused. In classes of 14 teams, two that spare each other in all or in half of
//! their common games were found, out of 20:
//!
//! | common games | 9 | 18 | 37 | 78 |
//! | --- | --- | --- | --- | --- |
//! | in all of them | 6 | 19 | 20 | 20 |
//! | in half of them | 0 | 2 | 8 | 15 |
//!
//! In 2 of these 160 classes, other teams were accused.
//!
//! Real games, of the example `error_rates`: 20 teams whose pacmans are those of `glouton` with more or fewer mistakes, and whose
//! ghosts hunt who is nearest, the leader, the last one, or as `glouton` does. Of 8 honest classes of 800 games of 200
//! turns, none was accused; the width was 1.02 to 1.22. Two teams whose ghosts never go after each other were found in
//! 3, 5 and 6 of 8 classes after 9, 12 and 18 common games.
//!
//! # Limits
//!
//! Teams that spare each other in few games, in one direction only, or that help each other in another way are not found. Two
//! teams with the same uncommon taste, such as for a pacman that digests, may look as if they spared each other.
//!
//! The time is linear in the games for the fit, which is made once for the class and once for each pair that is tested: 2000
//! games take about a second. The numbers of teams and bites may be any.
//!
//! ```
//! use collusion::{BiteGame, Player, find};
//!
//! let player = |team| Player { team, version: team, is_house: false };
//! // Each four of twelve teams play a game. The ghosts of the teams 0 and 1 bite everybody but each other.
//! let games: Vec<_> = (0..4096_u32)
//!     .filter(|game| game.count_ones() == 4)
//!     .map(|game| {
//!         let mut teams = (0..12).filter(|team| game >> team & 1 == 1);
//!         let teams: [u32; 4] = std::array::from_fn(|_| teams.next().expect("four bits"));
//!         let bites = teams.map(|ghost| {
//!             teams.map(|pacman| {
//!                 let luck = ((game * 12 + ghost) * 12 + pacman).wrapping_mul(0x9e37_79b1) >> 30;
//!                 if ghost == pacman || ghost + pacman == 1 { 0 } else { luck }
//!             })
//!         });
//!         BiteGame { players: teams.map(player), bites }
//!     })
//!     .collect();
//! let findings = find(&games);
//! assert_eq!(findings.sparing[0].teams, [0, 1]);
//! ```

mod bites;
mod habits;
mod sparing;
mod sum;

pub use bites::{BiteGame, Player, SEATS};
pub use sparing::{ERROR, FEWEST_GAMES, Findings, Sparing, Treatment, find};
