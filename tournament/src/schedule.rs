//! Who meets whom.

use serde::{Deserialize, Serialize};

use crate::matchup::Matchup;
use crate::team::Team;

/// How a tournament is played (*formule*).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Groups of four: in each round all of them when there are few, else a balanced choice.
    Groups {
        /// Groups that each team plays in, in a round; `None` to choose by the number of teams.
        per_team: Option<u32>,
    },
    /// One team against all others.
    Gauntlet {
        /// The one, by its place in the list.
        challenger: usize,
    },
    /// Pools, then a final of the best.
    Pools {
        /// Rounds of the final, after those of the pools.
        final_rounds: u32,
    },
    /// In each round, teams that stand alike meet, and if possible have not met before.
    Swiss,
}

/// How a tournament is played, and how long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// How.
    pub format: Format,
    /// Rounds.
    pub rounds: u32,
}

/// What a meeting of an earlier round came to, over all its seatings.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The meeting.
    pub matchup: Matchup,
    /// For each team of the group, in its order: mean score of its places, 3 for the first of four to 0
    /// for the last one, shared places averaged; and mean points.
    pub scores: Vec<(f64, f64)>,
}

impl Schedule {
    /// The meetings of a round, from 1, in a fixed order; `None` when there are no more rounds.
    ///
    /// `played` has all meetings of the rounds before, in any order; `maps` is how many maps there are.
    #[must_use]
    pub fn round(
        &self,
        number: u32,
        teams: &[Team],
        maps: usize,
        played: &[Played],
    ) -> Option<Vec<Matchup>> {
        let _ = (maps, played);
        if number == 0 || number > self.rounds {
            return None;
        }
        let n = teams.len();
        let mut all = Vec::new();
        if n <= 4 {
            all.push((0..n).collect::<Vec<_>>());
        } else {
            for a in 0..n {
                for b in a + 1..n {
                    for c in b + 1..n {
                        for d in c + 1..n {
                            all.push(vec![a, b, c, d]);
                        }
                    }
                }
            }
        }
        Some(
            all.into_iter()
                .map(|g| Matchup {
                    round: number,
                    map: (number as usize - 1) % maps,
                    group: crate::Group::new(&g).unwrap(),
                })
                .collect(),
        )
    }

    /// x
    pub fn check(&self, teams: &[Team]) -> anyhow::Result<()> {
        let _ = teams;
        Ok(())
    }
}
