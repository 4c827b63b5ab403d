//! A test of which team is the best that stays valid however often one looks.
#![expect(clippy::cast_precision_loss, reason = "small numbers")]

use std::array;
use std::cmp::Ordering;

use plan::Key;
use plan::record::GameRanking;

/// Stakes of the bettors: (i + ½) / 32.
const STAKES: usize = 32;

/// A race of teams: a team that is shown to be weaker than another one drops out. The last one is the best.
///
/// *For a teacher*: if a tournament stops as soon as some team looks good enough in the ranking, it sooner or later names
/// a best team even among equal ones; a tossed coin leads by far now and then, too. The race, however, may be checked
/// after every round. Among teams that are equally good, it names a best one in at most 5 of 100 tournaments (for a risk
/// of 0.05), even if they go on for ever.
///
/// *How it works*: for each ordered pair of teams, imaginary bettors begin with a capital of 1 and bet at fair odds that
/// the first team finishes ahead of the second one. Each matchup is one bet with the result d: the share of its games in
/// which the first team was ahead, minus the share in which it was behind, between −1 and 1. The games of one matchup
/// share their map, their seed and their players, so they count as one result. A bettor stakes the same fraction λ of
/// its capital on every matchup, so its capital is Π (1 + λ·d). There is one bettor for each of 32 stakes, and the
/// capital of the pair is the mean of theirs. If the first team is not the better one, no bettor gains on average at fair
/// odds: the capital is a non-negative supermartingale, and ever reaches 1/a with a probability of at most a (Ville's
/// inequality). A team drops out once the mean of the capitals of all others against it reaches 2/risk.
///
/// *Why the risk is kept*: call a best team one that no other team is ahead of on average. All capitals against a best
/// team are supermartingales, and so is their mean: it drops out with a probability of at most risk/2. If two teams are
/// equally good, one of them has to drop out before the other is named, hence the 2. Only best teams matter, so there is
/// no further correction for the number of pairs. The results of other teams, the next pairings and the time to stop may
/// depend on all earlier results.
///
/// *What is assumed*: on average over the maps, a team is ahead of another one or it is not, and it stays the same team. As
/// the stakes are constant, a pair's matchups on each map may have means of their own: by the inequality of the
/// means, Π (1 + λ·mᵢ) ≤ 1 where the mean of the mᵢ is at most 0. So one may stop after the same number of rounds on
/// each map.
///
/// Sources: H. Robbins, *Statistical methods related to the law of the iterated logarithm*, 1970 (mixtures); E. Even-Dar,
/// S. Mannor, Y. Mansour, *Action elimination and stopping conditions*, 2006 (races); I. Waudby-Smith, A. Ramdas,
/// *Estimating means of bounded random variables by betting*, 2024 (bets on bounded results); A. Ramdas, P. Grünwald,
/// V. Vovk, G. Shafer, *Game-theoretic statistics and safe anytime-valid inference*, 2023 (survey).
#[derive(Clone, Debug)]
pub struct Race {
    teams: usize,
    /// The logarithms of the capitals of the bettors on team `x` against team `y`, at `x * teams + y`.
    capitals: Vec<[f64; STAKES]>,
}

impl Race {
    /// A race of teams `0..teams` at its start.
    #[must_use]
    pub fn new(teams: usize) -> Self {
        Self { teams, capitals: vec![[0.0; STAKES]; teams * teams] }
    }

    /// The race after games, each with the key of its matchup.
    #[must_use]
    pub fn after(teams: usize, games: &[(Key, GameRanking)]) -> Self {
        let matchup = |(key, game): &(Key, GameRanking)| (*key, game.group());
        let mut games: Vec<_> = games.iter().collect();
        games.sort_unstable_by_key(|game| matchup(game));
        let mut race = Self::new(teams);
        for games in games.chunk_by(|a, b| matchup(a) == matchup(b)) {
            let games: Vec<GameRanking> = games.iter().map(|(_, game)| *game).collect();
            race.add(&games);
        }
        race
    }

    /// Adds all games of a matchup, which share their players. Players outside the race are left out.
    pub fn add(&mut self, matchup: &[GameRanking]) {
        let Some(first) = matchup.first() else { return };
        let group = first.group();
        let members = group.teams().iter().enumerate().filter(|(_, team)| **team < self.teams);
        for (i, &x) in members.clone() {
            for (j, &y) in members.clone().filter(|(j, _)| *j != i) {
                let lead = |game: &GameRanking| match game.ranks()[i].cmp(&game.ranks()[j]) {
                    Ordering::Less => 1.0,
                    Ordering::Equal => 0.0,
                    Ordering::Greater => -1.0,
                };
                let lead = matchup.iter().map(lead).sum::<f64>() / matchup.len() as f64;
                let capitals = &mut self.capitals[x * self.teams + y];
                for (capital, stake) in capitals.iter_mut().zip(stakes()) {
                    *capital += (stake * lead).ln_1p();
                }
            }
        }
    }

    /// For each team, the smallest risk at which it drops out: an upper bound of the probability of an error. 1 for teams
    /// that stay in the race at any risk.
    pub fn risks(&self) -> Vec<f64> {
        let rivals = self.teams.saturating_sub(1) as f64;
        let against = |team: usize| {
            let others = (0..self.teams).filter(move |other| *other != team);
            others.map(move |other| capital(&self.capitals[other * self.teams + team]))
        };
        (0..self.teams).map(|team| (2.0 * rivals / against(team).sum::<f64>()).min(1.0)).collect()
    }
}

fn stakes() -> [f64; STAKES] {
    array::from_fn(|i| (i as f64 + 0.5) / STAKES as f64)
}

/// The mean of the bettors' capitals.
fn capital(logarithms: &[f64; STAKES]) -> f64 {
    logarithms.iter().map(|capital| capital.exp()).sum::<f64>() / STAKES as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "1 is a bound")]
mod tests {
    use super::*;

    fn game(first_is_ahead: bool) -> GameRanking {
        let ranks = if first_is_ahead { [(0, 1), (1, 2)] } else { [(0, 2), (1, 1)] };
        GameRanking::new(&ranks).unwrap()
    }

    /// A race of two teams after matchups of one game each.
    fn after(wins: u32, losses: u32) -> Race {
        let mut race = Race::new(2);
        for number in 0..wins + losses {
            race.add(&[game(number < wins)]);
        }
        race
    }

    #[test]
    fn capitals_of_bettors_have_mean_one_in_fair_matchups() {
        // Over all results of n fair matchups, the mean of the capital stays 1.
        for matchups in 0..8_u32 {
            let capitals = (0..1_u32 << matchups).map(|results| {
                let wins = results.count_ones();
                capital(&after(wins, matchups - wins).capitals[1])
            });
            let mean = capitals.sum::<f64>() / f64::from(1 << matchups);
            assert!((mean - 1.0).abs() < 1e-12, "{mean}");
        }
    }

    #[test]
    fn team_that_always_wins_is_best_after_six_to_nine_matchups() {
        let is_out = |matchups| after(matchups, 0).risks()[1] <= 0.05;
        let first = (0..20).find(|&matchups| is_out(matchups)).unwrap();
        assert!((6..=9).contains(&first), "{first}");
        assert_eq!(after(first, 0).risks()[0], 1.0);
    }

    #[test]
    fn games_of_one_matchup_are_one_result() {
        let mut race = Race::new(2);
        for _ in 0..3 {
            race.add(&[game(true); 24]);
        }
        assert_eq!(race.risks(), after(3, 0).risks());
        race.add(&[game(true), game(false)]);
        assert_eq!(race.risks(), after(3, 0).risks());
    }

    #[test]
    fn a_team_drops_out_by_any_other_one() {
        let mut race = Race::new(3);
        for _ in 0..20 {
            race.add(&[GameRanking::new(&[(0, 1), (1, 2)]).unwrap()]);
            race.add(&[GameRanking::new(&[(1, 1), (2, 2)]).unwrap()]);
        }
        let risks = race.risks();
        assert!(risks[0] == 1.0 && risks[1] < 0.05 && risks[2] < 0.05, "{risks:?}");
    }

    #[test]
    fn race_of_one_team_has_no_winner() {
        assert_eq!(Race::new(0).risks(), [0.0; 0]);
        assert_eq!(Race::new(1).risks(), [1.0]);
    }
}
