//! Ratings by round.

use plan::Key;
use plan::record::GameRanking;

use super::{Games, elo};

/// Maximum number of ratings of a team; of more rounds, some are left out.
const POINTS: u32 = 20;

/// A team's rating after a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundRating {
    /// The round, from 1.
    pub round: u32,
    /// The rating after all games up to this round.
    pub rating: f64,
    /// The middle 95 % of the ratings in the bootstrap samples; without samples, both ends are the rating.
    pub interval: (f64, f64),
}

/// For each of `teams` teams, its ratings after rounds before the last one, in their order, from the round of its first
/// game; with the last round at most 20, evenly spaced. `games` has the round of each game, the key of its matchup and its
/// ranking, in any order.
///
/// Costs at most 19 fits with `samples` bootstrap samples each, and reads `games` as often. Memory as for [`Games::fit`].
pub fn history(
    teams: usize,
    games: &(impl Iterator<Item = (u32, Key, GameRanking)> + Clone),
    samples: usize,
) -> Vec<Vec<RoundRating>> {
    let last = games.clone().map(|(round, ..)| round).max().unwrap_or(0);
    let step = last.div_ceil(POINTS).max(1);
    let mut history = vec![Vec::new(); teams];
    let mut so_far = Games::new(teams);
    let mut before = 0;
    for round in (1..last).filter(|round| (last - round).is_multiple_of(step)) {
        let new = games.clone().filter(|&(of, ..)| before < of && of <= round);
        new.for_each(|(_, matchup, ranking)| so_far.add(matchup, &ranking));
        before = round;
        let fit = so_far.fit();
        let drawn = fit.bootstrap(samples);
        for (team, ratings) in
            history.iter_mut().enumerate().filter(|(team, _)| fit.has_played(*team))
        {
            let strength = fit.strengths()[team];
            let (low, high) = drawn.interval(team).unwrap_or((strength, strength));
            let interval = (elo(low), elo(high));
            ratings.push(RoundRating { round, rating: elo(strength), interval });
        }
    }
    history
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of team 0 against team `other`, which is first or not.
    fn game(round: u32, other: usize, wins: bool) -> (u32, Key, GameRanking) {
        let [number, _, _, low] = round.to_be_bytes();
        let key = Key::from_bytes([number, low, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let ranks = [(0, 1 + u32::from(wins)), (other, 2 - u32::from(wins))];
        (round, key, GameRanking::new(&ranks).unwrap())
    }

    #[test]
    fn each_rating_is_that_of_the_games_so_far() {
        // The order of the games does not matter.
        let games = [game(3, 2, false), game(1, 1, true), game(2, 1, false)];
        let history = history(3, &games.iter().copied(), 20);
        let rounds = |team: usize| history[team].iter().map(|at| at.round).collect::<Vec<_>>();
        assert_eq!([rounds(0), rounds(1), rounds(2)], [vec![1, 2], vec![1, 2], vec![]]);
        let mut first = Games::new(3);
        first.add(games[1].1, &games[1].2);
        let fit = first.fit();
        let drawn = fit.bootstrap(20).interval(1).unwrap();
        assert_eq!(history[1][0].rating.to_bits(), elo(fit.strengths()[1]).to_bits());
        assert_eq!(history[1][0].interval, (elo(drawn.0), elo(drawn.1)));
        assert!(history[1][0].rating > history[1][1].rating);
    }

    #[test]
    fn many_rounds_have_few_ratings() {
        for (rounds, expected) in [(1, 0), (20, 19), (21, 10), (400, 19), (401, 19)] {
            let games = (1..=rounds).map(|round| game(round, 1, round % 3 == 0));
            let history = history(2, &games, 0);
            assert_eq!(history[0].len(), expected, "{rounds}");
            assert!(history[0].is_sorted_by_key(|at| at.round));
        }
    }
}
