//! The rankings of games, as the Plackett-Luce model sees them.

use std::collections::BTreeMap;

use super::plackett_luce::Fit;
use plan::record::GameRanking;
use plan::{Group, Key, SEATS};

/// The weight of a stage: 4!, so that its shares among up to 4! orders of tied players are whole.
pub(super) const STAGE: u32 = 24;

/// For each set of a matchup's players, the number of stages, in 24ths, at which exactly these players were left. Bit `i`
/// of an index stands for player `i`.
pub(super) type Stages = [u64; 1 << SEATS];

/// The games of some players, by matchup.
///
/// Under the Plackett-Luce model a game is a race in stages: among those who are left, one comes next, with
/// probability proportional to its strength. All that matters of a game is thus who was left at each stage
/// and who came next. Tied players came in one of several orders, all counted alike: each of the t! orders
/// of t players weighs 1/t!. Weights are whole numbers of 24ths and matchups are kept in order of their
/// keys, so the order in which games are added changes nothing, to the last bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    pub(super) players: usize,
    pub(super) matchups: BTreeMap<(Key, Group), Stages>,
}

impl Games {
    /// No games yet, of players `0..players`.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { players, matchups: BTreeMap::new() }
    }

    /// Adds a game of a matchup. Ignores games with unknown players, and games with fewer than two players.
    pub fn add(&mut self, matchup: Key, ranking: &GameRanking) {
        let players = ranking.group();
        if players.teams().len() > 1 && players.teams().iter().all(|&player| player < self.players)
        {
            count_stages(ranking.ranks(), self.matchups.entry((matchup, players)).or_default());
        }
    }

    /// Fits the strengths of the players to these games. See [`Fit`].
    pub fn fit(&self) -> Fit {
        Fit::of(self)
    }
}

/// Adds the stages of a game: for each place, the set of players left before it was taken.
fn count_stages(ranks: &[u32], stages: &mut Stages) {
    let mask = |keep: &dyn Fn(u32) -> bool| {
        let bits = ranks.iter().enumerate().filter(|(_, rank)| keep(**rank));
        bits.map(|(player, _)| 1_usize << player).sum::<usize>()
    };
    let mut distinct = ranks.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    for rank in distinct {
        let tied = mask(&|other| other == rank);
        let behind = mask(&|other| other > rank);
        for left in (1..1 << ranks.len()).filter(|left| left & tied == *left) {
            // Each set of this size of the tied players is left in an equal fraction of their orders.
            stages[left | behind] +=
                u64::from(STAGE) / choose(tied.count_ones(), left.count_ones());
        }
    }
}

/// The binomial coefficient: the number of ways to choose `k` of `n`.
fn choose(n: u32, k: u32) -> u64 {
    (0..u64::from(k)).fold(1, |ways, i| ways * (u64::from(n) - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::orders;

    /// The stages of a game, counted order by order.
    fn by_orders(ranks: &[u32]) -> Stages {
        let orders = orders(ranks);
        let mut stages = Stages::default();
        for order in &orders {
            for stage in 0..order.len() {
                let left = order[stage..].iter().map(|player| 1 << player).sum::<usize>();
                stages[left] += u64::from(STAGE) / orders.len() as u64;
            }
        }
        stages
    }

    #[test]
    fn ties_are_averaged_over_their_orders() {
        for players in 1..=4_u32 {
            for code in 0..4_u32.pow(players) {
                let ranks: Vec<u32> = (0..players).map(|i| code / 4_u32.pow(i) % 4 + 1).collect();
                let mut stages = Stages::default();
                count_stages(&ranks, &mut stages);
                assert_eq!(stages, by_orders(&ranks), "{ranks:?}");
                assert_eq!(stages.iter().sum::<u64>(), u64::from(STAGE * players), "{ranks:?}");
            }
        }
    }
}
