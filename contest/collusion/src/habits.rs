//! The model of honest games: the victim of a ghost depends on how easily each pacman is bitten, and on how much the ghost
//! prefers easy victims.

use std::collections::BTreeMap;

use crate::bites::{Hunt, PARTS, Player, VICTIMS};

/// The orders of three victims.
pub(crate) const ORDERS: [[usize; VICTIMS]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Rounds of the fit; each one brings all values nearer to their optimum.
const ROUNDS: usize = 60;
/// The fit ends when no value moves further.
const STEADY: f64 = 1e-3;
/// The part of a Newton step that is made: victims of a game depend on each other.
const STEP: f64 = 0.5;
/// Standard deviations of the prior distributions of θ.
const EASE_OF_TEAM: f64 = 2.0;
const EASE_OF_VERSION: f64 = 0.7;
/// Standard deviations of the prior distributions of κ. They are small: where all pacmans are alike, games tell nothing about tastes, and
/// two teams that spare each other would look like two with a strong taste among others without any.
const TASTE_OF_TEAM: f64 = 0.25;
const TASTE_OF_VERSION: f64 = 0.1;

/// The places of the teams and versions in lists.
#[derive(Clone, Debug)]
struct Index {
    teams: BTreeMap<u32, usize>,
    versions: BTreeMap<u32, usize>,
}

/// The place of a player's team, and that of its version.
#[derive(Clone, Copy, Debug)]
struct Place {
    team: usize,
    version: usize,
}

/// A hunt with the places of its players.
struct Placed<'a> {
    hunt: &'a Hunt,
    hunter: Place,
    victims: [Place; VICTIMS],
}

/// Values of the versions of teams: the value of the team, and what the version differs by.
#[derive(Clone, Debug)]
struct Values {
    teams: Vec<f64>,
    versions: Vec<f64>,
}

/// A sum of first and second derivatives of the likelihood.
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    first: f64,
    second: f64,
}

impl Index {
    fn new(hunts: &[Hunt]) -> Self {
        let mut index = Self { teams: BTreeMap::new(), versions: BTreeMap::new() };
        for player in hunts.iter().flat_map(|hunt| hunt.victims.into_iter().chain([hunt.hunter])) {
            let next = index.teams.len();
            index.teams.entry(player.team).or_insert(next);
            let next = index.versions.len();
            index.versions.entry(player.version).or_insert(next);
        }
        index
    }

    /// The place of a player of the hunts.
    fn of(&self, player: Player) -> Place {
        Place { team: self.teams[&player.team], version: self.versions[&player.version] }
    }

    fn placed<'a>(&self, hunt: &'a Hunt) -> Placed<'a> {
        let victims = hunt.victims.map(|victim| self.of(victim));
        Placed { hunt, hunter: self.of(hunt.hunter), victims }
    }
}

impl Values {
    fn new(index: &Index) -> Self {
        Self { teams: vec![0.0; index.teams.len()], versions: vec![0.0; index.versions.len()] }
    }

    fn of(&self, place: Place) -> f64 {
        self.teams[place.team] + self.versions[place.version]
    }
}

/// Makes a damped Newton step for each value. Returns the largest change.
fn step(values: &mut [f64], slopes: &[Slope], deviation: f64) -> f64 {
    let precision = deviation.powi(-2);
    let mut largest = 0.0_f64;
    for (value, Slope { first, second }) in values.iter_mut().zip(slopes) {
        let change = STEP * (first - precision * *value) / (second + precision);
        let change = change.clamp(-1.0, 1.0);
        *value += change;
        largest = largest.max(change.abs());
    }
    largest
}

/// The habits of all players, fitted to their games by penalised conditional likelihood.
///
/// Given the three shares of a ghost's bites, the probability that they belong to the victims in an order is proportional to
/// exp(κ Σ θ·share): θ says how easily a pacman is bitten, κ how much the ghost prefers easy victims. κ is near 1; it is 0
/// for a ghost that bites anybody, and below 0 for one that goes after those who are hard to bite.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    index: Index,
    /// The ease with which pacmans are bitten (θ).
    ease: Values,
    /// Preference of the ghosts for easy victims (κ − 1).
    taste: Values,
}

impl Habits {
    /// Fits the habits of the players of `all` hunts to those hunts that are `used`.
    pub(crate) fn fit(all: &[Hunt], used: impl Fn(&Hunt) -> bool) -> Self {
        let index = Index::new(all);
        let hunts: Vec<_> =
            all.iter().filter(|hunt| used(hunt)).map(|hunt| index.placed(hunt)).collect();
        let (ease, taste) = (Values::new(&index), Values::new(&index));
        let mut habits = Self { index, ease, taste };
        for _ in 0..ROUNDS {
            let slopes = habits.slopes_of_ease(&hunts, habits.ease.teams.len(), |it| it.team);
            let mut moved = step(&mut habits.ease.teams, &slopes, EASE_OF_TEAM);
            let slopes = habits.slopes_of_ease(&hunts, habits.ease.versions.len(), |it| it.version);
            moved = moved.max(step(&mut habits.ease.versions, &slopes, EASE_OF_VERSION));
            let slopes = habits.slopes_of_taste(&hunts, habits.taste.teams.len(), |it| it.team);
            moved = moved.max(step(&mut habits.taste.teams, &slopes, TASTE_OF_TEAM));
            let slopes =
                habits.slopes_of_taste(&hunts, habits.taste.versions.len(), |it| it.version);
            moved = moved.max(step(&mut habits.taste.versions, &slopes, TASTE_OF_VERSION));
            if moved < STEADY {
                break;
            }
        }
        habits
    }

    /// The slopes of a list of values of this length; `at` is the place of a player in it.
    fn slopes_of_ease(
        &self,
        hunts: &[Placed<'_>],
        length: usize,
        at: impl Fn(Place) -> usize,
    ) -> Vec<Slope> {
        let mut slopes = vec![Slope::default(); length];
        for placed @ Placed { hunt, hunter, victims } in hunts {
            let taste = self.taste(*hunter);
            let chances = self.chances_of(placed);
            for (index, victim) in victims.iter().enumerate() {
                let (mean, variance) = moments(&chances, |order| share(hunt, order[index]));
                let slope = &mut slopes[at(*victim)];
                slope.first += taste * (share(hunt, index) - mean);
                slope.second += taste * taste * variance;
            }
        }
        slopes
    }

    fn slopes_of_taste(
        &self,
        hunts: &[Placed<'_>],
        length: usize,
        at: impl Fn(Place) -> usize,
    ) -> Vec<Slope> {
        let mut slopes = vec![Slope::default(); length];
        for placed @ Placed { hunt, hunter, victims } in hunts {
            let ease = victims.map(|victim| self.ease.of(victim));
            let (mean, variance) =
                moments(&self.chances_of(placed), |order| weighted(hunt, order, ease));
            let slope = &mut slopes[at(*hunter)];
            slope.first += weighted(hunt, [0, 1, 2], ease) - mean;
            slope.second += variance;
        }
        slopes
    }

    fn taste(&self, hunter: Place) -> f64 {
        1.0 + self.taste.of(hunter)
    }

    /// The probability of each of the [`ORDERS`] of one of the hunts: in such an order, the victim `v` has the share of the
    /// place `order[v]`.
    pub(crate) fn chances(&self, hunt: &Hunt) -> [f64; ORDERS.len()] {
        self.chances_of(&self.index.placed(hunt))
    }

    fn chances_of(&self, Placed { hunt, hunter, victims }: &Placed<'_>) -> [f64; ORDERS.len()] {
        let taste = self.taste(*hunter);
        let ease = victims.map(|victim| taste * self.ease.of(victim));
        let logs = ORDERS.map(|order| weighted(hunt, order, ease));
        let largest = logs.into_iter().fold(f64::NEG_INFINITY, f64::max);
        let weights = logs.map(|log| (log - largest).exp());
        let all: f64 = weights.iter().sum();
        weights.map(|weight| weight / all)
    }
}

/// The sum of the shares in an order, each with the weight of its victim.
fn weighted(hunt: &Hunt, order: [usize; VICTIMS], weights: [f64; VICTIMS]) -> f64 {
    order.iter().zip(weights).map(|(place, weight)| weight * share(hunt, *place)).sum()
}

/// The share at a place, 0 to 1.
fn share(hunt: &Hunt, place: usize) -> f64 {
    f64::from(hunt.shares[place]) / f64::from(PARTS)
}

/// The mean and the variance of a value of an order.
fn moments(chances: &[f64; ORDERS.len()], value: impl Fn([usize; VICTIMS]) -> f64) -> (f64, f64) {
    let values = ORDERS.map(value);
    let mean: f64 = values.iter().zip(chances).map(|(value, chance)| value * chance).sum();
    let square: f64 =
        values.iter().zip(chances).map(|(value, chance)| value * value * chance).sum();
    (mean, (square - mean * mean).max(0.0))
}
