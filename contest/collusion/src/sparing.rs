//! The pairs of teams that spare each other.

use std::collections::{BTreeMap, BTreeSet};

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::bites::{BiteGame, Hunt, VICTIMS, hunts};
use crate::habits::{Habits, ORDERS};
use crate::sum::Sum;

/// The probability with which an honest class has a pair that is told.
pub const ERROR: f64 = 0.05;
/// Fewest games in which one of the two could have spared the other.
pub const FEWEST_GAMES: usize = 5;
/// The largest part of the expected bites with which a team still spares another one.
const LARGEST_PART: f64 = 0.75;
/// Maximum number of pairs that are told: a test of each takes as long as one of the class.
const MOST: usize = 20;

/// The bites of a team's ghosts on the pacmans of another team, against those that habits predict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Treatment {
    /// The number of bites.
    pub bites: u32,
    /// The number of bites that an honest ghost had made on average.
    pub expected: f64,
}

impl Treatment {
    /// Tests if clearly fewer bites were made than an honest ghost makes. Both teams of a pair have to treat each other so: if
    /// one of them bites as any other does, there is no arrangement.
    fn is_sparing(&self) -> bool {
        f64::from(self.bites) <= LARGEST_PART * self.expected
    }
}

/// A pair of teams that spare each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparing {
    /// The numbers of the teams, the smaller one first.
    pub teams: [u32; 2],
    /// The bites of the first team's ghosts on the second team's pacmans, then those the other way round.
    pub treatments: [Treatment; 2],
    /// The indices of their common games, those with the most bites missing first.
    pub games: Vec<usize>,
    /// The probability that chance alone makes such a pair, or one that is less probable, in an honest class.
    pub chance: f64,
}

/// The result of the test of a class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The pairs that spare each other, the least probable one first.
    pub sparing: Vec<Sparing>,
    /// The number of pairs that were tested.
    pub pairs: usize,
    /// Ratio of the deviations of all pairs to those of the model; at least 1.
    pub width: f64,
}

/// The common games of two teams.
#[derive(Clone, Debug, Default)]
struct Meeting {
    /// The hunts of both teams, as indices of hunts and of the victim.
    hunts: [Vec<(usize, usize)>; 2],
}

/// A pair before the correction: how far its bites lie below those of honest teams, in standard deviations.
struct Tested {
    teams: [u32; 2],
    /// The deviation of the sum of their shares.
    both: f64,
    /// The same, in the middle of a step of the distribution.
    middle: f64,
}

/// Finds the pairs of teams whose ghosts spare each other's pacmans.
///
/// The least probable pair is tested, then the next one, and so on until one is probable enough. The width of honest deviations
/// comes from the games in which no pair meets that was tested so far, so that a pair that spares each other hides neither
/// itself nor another one.
pub fn find(games: &[BiteGame]) -> Findings {
    let hunts = hunts(games);
    let mut apart: BTreeSet<[u32; 2]> = BTreeSet::new();
    let mut class = Class::new(&hunts, &apart);
    let mut findings = Findings { pairs: class.pairs.len(), ..Findings::default() };
    let mut adjusted = 0.0_f64;
    while let Some(least) = class.least().filter(|_| apart.len() < MOST) {
        let others = count(findings.pairs - apart.len());
        apart.insert(least.teams);
        let next = Class::new(&hunts, &apart);
        findings.width = next.width.unwrap_or(1.0);
        // Holm's correction.
        adjusted = adjusted.max((next.chance(least.both) * others).min(1.0));
        if adjusted > ERROR {
            break;
        }
        let sparing = next.told(least.teams, adjusted);
        if sparing.treatments.iter().all(Treatment::is_sparing) {
            findings.sparing.push(sparing);
        }
        class = next;
    }
    findings
}

/// The habits of a class, and how far its pairs are from them.
struct Class<'a> {
    hunts: &'a [Hunt],
    chances: Vec<[f64; ORDERS.len()]>,
    /// The pairs that are not set apart.
    pairs: Vec<Tested>,
    /// The width of their deviations; `None` without any.
    width: Option<f64>,
}

impl<'a> Class<'a> {
    /// The class as it is without the hunts in which a pair that is set `apart` meets.
    fn new(hunts: &'a [Hunt], apart: &BTreeSet<[u32; 2]>) -> Self {
        let is_used = |hunt: &Hunt| {
            let pairs = hunt.victims.iter().map(|victim| pair(hunt.hunter.team, victim.team));
            !pairs.into_iter().any(|pair| apart.contains(&pair))
        };
        let habits = Habits::fit(hunts, is_used);
        let chances = hunts.iter().map(|hunt| habits.chances(hunt)).collect();
        let mut class = Self { hunts, chances, pairs: Vec::new(), width: None };
        let met = meetings(hunts, is_used);
        class.pairs = met.iter().map(|(teams, meeting)| class.tested(*teams, meeting)).collect();
        class.width = width(class.pairs.iter().map(|pair| pair.middle).collect());
        class
    }

    /// The least probable pair.
    fn least(&self) -> Option<&Tested> {
        self.pairs.iter().min_by(|one, other| one.both.total_cmp(&other.both))
    }

    /// The probability of a deviation in this class. The fewer pairs the width is known from, the larger it is.
    fn chance(&self, deviation: f64) -> f64 {
        let freedom = count(self.pairs.len()) / 2.0;
        let student = StudentsT::new(0.0, self.width.unwrap_or(1.0), freedom.max(1.0));
        student.map_or(1.0, |student| student.cdf(deviation))
    }

    /// Tests a pair in its common games.
    fn tested(&self, teams: [u32; 2], meeting: &Meeting) -> Tested {
        let (mut sum, mut seen) = (Sum::new(), 0);
        for &(index, victim) in meeting.hunts.iter().flatten() {
            let hunt = &self.hunts[index];
            sum.add(&shares(hunt, &self.chances[index], victim));
            seen += hunt.shares[victim];
        }
        let [up_to, less] = sum.up_to(seen);
        Tested { teams, both: deviation(up_to), middle: deviation(f64::midpoint(up_to, less)) }
    }

    /// The result for a pair of teams, from all its games.
    fn told(&self, teams: [u32; 2], chance: f64) -> Sparing {
        let met = meetings(self.hunts, |_| true);
        let meeting = &met[&teams];
        let mut missing: BTreeMap<usize, f64> = BTreeMap::new();
        let treatments = [0, 1].map(|side| {
            let mut treatment = Treatment { bites: 0, expected: 0.0 };
            for &(index, victim) in &meeting.hunts[side] {
                let hunt = &self.hunts[index];
                let orders = ORDERS.iter().zip(&self.chances[index]);
                let expected: f64 = orders
                    .map(|(order, chance)| f64::from(hunt.bites[order[victim]]) * chance)
                    .sum();
                treatment.bites = treatment.bites.saturating_add(hunt.bites[victim]);
                treatment.expected += expected;
                *missing.entry(hunt.game).or_default() += expected - f64::from(hunt.bites[victim]);
            }
            treatment
        });
        let mut games: Vec<_> = missing.into_iter().collect();
        games.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let games = games.into_iter().map(|(game, _)| game).collect();
        Sparing { teams, treatments, games, chance }
    }
}

/// Two teams, the one with the smaller number first.
fn pair(one: u32, other: u32) -> [u32; 2] {
    [one.min(other), one.max(other)]
}

/// The meetings of teams that could have spared each other.
fn meetings(hunts: &[Hunt], is_used: impl Fn(&Hunt) -> bool) -> BTreeMap<[u32; 2], Meeting> {
    let mut met: BTreeMap<[u32; 2], Meeting> = BTreeMap::new();
    for (index, hunt) in hunts.iter().enumerate().filter(|(_, hunt)| is_used(hunt)) {
        for (place, victim) in hunt.victims.iter().enumerate() {
            let (own, other) = (hunt.hunter.team, victim.team);
            if hunt.hunter.is_house || victim.is_house || own == other {
                continue;
            }
            let meeting = met.entry(pair(own, other)).or_default();
            meeting.hunts[usize::from(own > other)].push((index, place));
        }
    }
    met.retain(|_, meeting| meeting.hunts.iter().all(|hunts| hunts.len() >= FEWEST_GAMES));
    met
}

/// The shares that a victim may have in a hunt, with their probabilities.
fn shares(hunt: &Hunt, chances: &[f64; ORDERS.len()], victim: usize) -> [(u32, f64); VICTIMS] {
    std::array::from_fn(|place| {
        let orders = ORDERS.iter().zip(chances).filter(|(order, _)| order[victim] == place);
        (hunt.shares[place], orders.map(|(_, chance)| chance).sum())
    })
}

/// The number of standard deviations of a probability, below 0 if it is small.
fn deviation(chance: f64) -> f64 {
    Normal::standard().inverse_cdf(chance.clamp(1e-30, 1.0 - 1e-9))
}

/// The width of the deviations of honest pairs, without the outer tenth of all pairs, which does not have to be honest. Where the
/// model fits, it is 1; all that the model does not know makes it larger. `None` without pairs.
fn width(mut deviations: Vec<f64>) -> Option<f64> {
    /// The standard deviation of a standard normal number between its quantiles 0.05 and 0.95.
    const INNER: f64 = 0.789;
    deviations.sort_by(f64::total_cmp);
    let outer = deviations.len() / 20;
    let inner = &deviations[outer..deviations.len() - outer];
    let share = if outer > 0 { INNER } else { 1.0 };
    let mean = inner.iter().sum::<f64>() / count(inner.len());
    let square = inner.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count(inner.len());
    (!inner.is_empty()).then(|| (square.sqrt() / share).max(1.0))
}

#[expect(clippy::cast_precision_loss, reason = "fewer than 2⁵² pairs")]
fn count(number: usize) -> f64 {
    number as f64
}
