//! Pools, then a final of the best.

use super::design::Design;
use super::draw::draw;
use super::groups::usual;
use super::table::Table;
use super::{Played, generations};
use crate::matchup::SEATS;
use crate::team::Team;

/// The groups of a round of the pools: in each pool everyone against everyone.
pub(super) fn round(number: u32, teams: &[Team]) -> Vec<Vec<usize>> {
    designs(teams).flat_map(|design| design.round(number)).collect()
}

/// Groups of each round of the pools.
pub(super) fn groups_a_round(teams: &[Team]) -> u64 {
    designs(teams).map(|design| design.groups_a_round()).sum()
}

fn designs(teams: &[Team]) -> impl Iterator<Item = Design> {
    pools(teams).into_iter().map(|pool| Design::new(SEATS, &pool, usual))
}

/// The teams of the final, at most four: the winners of the pools, then the best of those who came second
/// in theirs, and so on. `played` are all meetings of the pools.
///
/// Teams are compared by mean score, then by mean points, then by name.
pub(super) fn finalists(teams: &[Team], played: &[&Played]) -> Vec<usize> {
    let table = Table::of(teams, played);
    let mut finishers = Vec::new();
    for pool in pools(teams) {
        let mut pool = pool.concat();
        pool.sort_by(|&a, &b| table.compare(a, b));
        finishers.extend(pool.into_iter().enumerate());
    }
    finishers.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| table.compare(a.1, b.1)));
    finishers.into_iter().take(SEATS).map(|(_, team)| team).collect()
}

/// The pools, each generation by generation: of about five teams, but not more than four pools, so that
/// every winner is in the final. Whoever comes later is drawn into the smallest one.
fn pools(teams: &[Team]) -> Vec<Vec<Vec<usize>>> {
    let generations = generations(teams);
    let start = generations.first().map_or(0, Vec::len);
    let mut pools = vec![vec![Vec::new(); generations.len()]; ((start + 2) / 5).clamp(1, SEATS)];
    for (generation, members) in generations.iter().enumerate() {
        for team in draw(teams, members) {
            let size = |pool: &&mut Vec<Vec<usize>>| pool.iter().map(Vec::len).sum::<usize>();
            if let Some(pool) = pools.iter_mut().min_by_key(size) {
                pool[generation].push(team);
            }
        }
    }
    pools
}
