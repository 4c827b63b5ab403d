//! Two versions of a bot against each other, until a test tells if the new one is better.

use std::collections::BTreeMap;

use game::pacman::RulesPreset;
use plan::record::duel;
use plan::{Outcome, SEATS, Seating, Team};
use rating::paired::{PairedTest, TestVerdict};

use super::record::{TrialRecord, seat_of};
use super::{Field, TrialRun, TrialSetting};
use crate::dispatcher::RunError;
use crate::store::StoreError;

/// Two versions of a bot against each other.
#[derive(Debug)]
pub struct VersionTrial {
    field: Field,
    names: [String; 2],
    pairs: u32,
    record: TrialRecord,
    test: PairedTest,
}

impl VersionTrial {
    /// A new version against an old one, without games. `house` plays in the other two seats; the test must not miss a new
    /// version that wins the share `bound` of its duels.
    ///
    /// # Errors
    ///
    /// When there is no memory.
    pub fn new(
        [new, old]: [Team; 2],
        house: &str,
        rules: RulesPreset,
        setting: &TrialSetting,
        bound: f64,
    ) -> Result<Self, StoreError> {
        let names = [new.name.clone(), old.name.clone()];
        let record = TrialRecord::new(&new.name);
        let field = Field::new(setting, rules, house, vec![new, old])?;
        Ok(Self { field, names, pairs: 0, record, test: PairedTest::new(bound) })
    }

    /// The names of the new version and of the old one.
    pub fn names(&self) -> [&str; 2] {
        [&self.names[0], &self.names[1]]
    }

    /// The games of the new version so far.
    pub fn record(&self) -> &TrialRecord {
        &self.record
    }

    /// The test on the games so far.
    pub fn test(&self) -> &PairedTest {
        &self.test
    }

    /// Plays more pairs of games, and returns the verdict after them. Calls `tell` after each game.
    ///
    /// # Errors
    ///
    /// When games cannot be played, and no bot is to blame.
    pub async fn play_pairs(
        &mut self,
        pairs: u32,
        run: &TrialRun,
        mut tell: impl FnMut(&Outcome),
    ) -> Result<TestVerdict, RunError> {
        let first = self.pairs + 1;
        self.pairs += pairs;
        let pairs: Vec<_> = (first..=self.pairs)
            .map(|number| self.field.fixtures(number, number, &swapped_seats(number)))
            .collect();
        let mut scores = BTreeMap::new();
        let Self { field, record, names, .. } = self;
        let played = field.play(pairs.concat(), run, |outcome| {
            record.add(outcome);
            if let Some(score) = duel_score(outcome, names) {
                scores.insert(outcome.key, score);
            }
            tell(outcome);
        });
        played.await?;
        // In the order of the plan: the order in which games end must not influence the test.
        for pair in pairs {
            let scores: Option<Vec<f64>> =
                pair.iter().map(|game| scores.get(&game.key).copied()).collect();
            // A pair with only one game played does not count.
            let Some(scores) = scores else { continue };
            self.test.add(scores.iter().sum::<f64>() / 2.0);
        }
        Ok(self.test.verdict())
    }
}

/// The two seatings of a pair: the two versions swap seats, and the house stays. Successive pairs use all pairs of seats
/// in turn.
fn swapped_seats(pair: u32) -> [Seating; 2] {
    let seats: Vec<[usize; 2]> =
        (0..SEATS).flat_map(|a| (a + 1..SEATS).map(move |b| [a, b])).collect();
    let [a, b] = seats[pair as usize % seats.len()];
    [[a, b], [b, a]].map(|[new, old]| {
        let mut house = 2..;
        Seating(std::array::from_fn(|seat| match seat {
            seat if seat == new => 0,
            seat if seat == old => 1,
            _ => house.next().unwrap_or_default(),
        }))
    })
}

/// The score of the first of these teams against the second; `None` unless both have a seat.
fn duel_score(outcome: &Outcome, names: &[String; 2]) -> Option<f64> {
    let points = |name: &String| Some(seat_of(outcome, name)?.1.points);
    Some(duel(points(&names[0])?, points(&names[1])?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn pairs_swap_the_two_versions_and_leave_the_house_where_it_is() {
        let mut all = BTreeSet::new();
        for pair in 1..=6 {
            let [Seating(one), Seating(other)] = swapped_seats(pair);
            for (a, b) in one.into_iter().zip(other) {
                assert!(a == b && a > 1 || a + b == 1, "{one:?} {other:?}");
            }
            all.extend([one, other]);
        }
        assert_eq!(all.len(), 12);
    }
}
