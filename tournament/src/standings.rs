//! How the teams stand.

use std::time::Duration;

use crate::outcome::{FaultKind, Outcome};
use crate::team::Team;

/// How all teams stand, whatever the order in which the games were played.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The teams, best first: by strength, then by mean points, then by name.
    pub rows: Vec<Row>,
    /// `head_to_head[a][b]`: what came of the games that teams `a` and `b` of `rows` were both in.
    pub head_to_head: Vec<Vec<Duel>>,
    /// Games that count.
    pub games: usize,
}

/// How a team stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its place in the list of teams.
    pub team: usize,
    /// Its name.
    pub name: String,
    /// Games it played.
    pub games: u32,
    /// Its strength by the Plackett-Luce model, as a natural logarithm; the mean of all teams is 0.
    pub strength: f64,
    /// Its strength as an Elo-like number: 1500 + 400 / ln 10 · strength.
    pub rating: f64,
    /// Where 95 % of the bootstrap samples have its rating.
    pub interval: (f64, f64),
    /// The probability that it is the best, from the bootstrap.
    pub best: f64,
    /// Its rating by Weng-Lin, as it would be after the games in order of their keys, and its uncertainty.
    pub online: (f64, f64),
    /// Mean points of a game.
    pub mean_points: f64,
    /// Mean rank in a game, 1 to 4; shared ranks averaged.
    pub mean_rank: f64,
    /// First places; one shared by k players counts 1/k.
    pub firsts: f64,
    /// How often which fault happened.
    pub faults: Vec<(FaultKind, u32)>,
    /// Orders that were malformed.
    pub malformed: u32,
    /// Deadlines missed.
    pub missed: u32,
    /// How long it thought about a state, on average, and at most.
    pub thinking: (Duration, Duration),
}

/// What came of the games of two teams.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Duel {
    /// Games that both were in.
    pub games: u32,
    /// Games in which the first one had more points; equal points count half.
    pub wins: f64,
}

impl Standings {
    /// The standings after these games, by `samples` bootstrap samples; outcomes of teams that are not
    /// in the list are left out.
    #[must_use]
    pub fn of(teams: &[Team], outcomes: &[Outcome], samples: usize) -> Self {
        let _ = (teams, outcomes, samples);
        Self { rows: Vec::new(), head_to_head: Vec::new(), games: 0 }
    }
}
