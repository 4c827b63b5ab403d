use std::f64::consts::LN_10;

use plan::record::GameRanking;
use plan::{Group, Key, SEATS};
use proptest::collection::vec;
use proptest::prelude::*;

use super::bootstrap::{Random, Samples};
use super::games::Stages;
use super::*;

fn matchup(number: u32) -> Key {
    let mut bytes = [0; 16];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    Key::from_bytes(bytes)
}

/// Games, each with the number of its matchup and the ranks of its players.
fn games(players: usize, rankings: &[(u32, &[(usize, u32)])]) -> Games {
    let mut games = Games::new(players);
    for (number, places) in rankings {
        games.add(matchup(*number), &GameRanking::new(places).unwrap());
    }
    games
}

fn assert_near(found: &[f64], expected: &[f64], within: f64) {
    assert_eq!(found.len(), expected.len());
    let near =
        found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() <= within);
    assert!(near, "{found:?} instead of {expected:?}");
}

/// Games between players of known strengths.
struct World {
    random: Random,
    strengths: Vec<f64>,
}

impl World {
    fn new(seed: u64, strengths: &[f64]) -> Self {
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        let strengths = strengths.iter().map(|strength| strength - mean).collect();
        Self { random: Random::new(seed), strengths }
    }

    /// A race: the expected time of a player is exp(−strength).
    fn ranking(&mut self, players: &[usize]) -> GameRanking {
        let run =
            |&player: &usize| (self.random.exponential() / self.strengths[player].exp(), player);
        let mut times: Vec<(f64, usize)> = players.iter().map(run).collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let places: Vec<_> =
            times.iter().zip(1..).map(|((_, player), rank)| (*player, rank)).collect();
        GameRanking::new(&places).unwrap()
    }

    /// Matchups of four games between four players at random.
    fn play(&mut self, games: &mut Games, matchups: std::ops::Range<u32>) {
        for number in matchups {
            let mut players: Vec<usize> = (0..self.strengths.len()).collect();
            self.random.shuffle(&mut players);
            for _ in 0..SEATS {
                games.add(matchup(number), &self.ranking(&players[..SEATS]));
            }
        }
    }
}

/// The orders in which players of these ranks may come in: those of all players, by index, that are sorted by rank.
pub(crate) fn orders(ranks: &[u32]) -> Vec<Vec<usize>> {
    fn permutations(of: &[usize]) -> Vec<Vec<usize>> {
        let begin = |&first: &usize| {
            let others: Vec<usize> = of.iter().copied().filter(|&other| other != first).collect();
            permutations(&others).into_iter().map(move |rest| [vec![first], rest].concat())
        };
        if of.is_empty() { vec![Vec::new()] } else { of.iter().flat_map(begin).collect() }
    }
    let mut orders = permutations(&(0..ranks.len()).collect::<Vec<_>>());
    orders.retain(|order| order.is_sorted_by_key(|&player| ranks[player]));
    orders
}

/// The logarithm of the likelihood, order by order, plus that of the prior.
fn log_likelihood(rankings: &[GameRanking], strengths: &[f64]) -> f64 {
    let prior = strengths.iter().map(|strength| strength * strength).sum::<f64>();
    let mut sum = -prior / (2.0 * PRIOR_DEVIATION * PRIOR_DEVIATION);
    for ranking in rankings {
        let strengths: Vec<f64> =
            ranking.group().teams().iter().map(|&player| strengths[player]).collect();
        let orders = orders(ranking.ranks());
        for order in &orders {
            for (stage, &next) in order.iter().enumerate() {
                let left: f64 = order[stage..].iter().map(|&player| strengths[player].exp()).sum();
                sum += (strengths[next] - left.ln()) / orders.len() as f64;
            }
        }
    }
    sum
}

/// The strengths of the greatest likelihood, by trial and error: one after the other, in ever smaller steps.
fn by_trying(players: usize, rankings: &[GameRanking]) -> Vec<f64> {
    let mut strengths = vec![0.0; players];
    let mut most = log_likelihood(rankings, &strengths);
    let mut by = 1.0;
    while by > 1e-7 {
        let mut moved = false;
        for (player, by) in (0..players).flat_map(|player| [(player, by), (player, -by)]) {
            strengths[player] += by;
            let now = log_likelihood(rankings, &strengths);
            moved |= now > most;
            if now > most { most = now } else { strengths[player] -= by }
        }
        by = if moved { by } else { by / 2.0 };
    }
    strengths
}

/// A game of two to four of five players, with ties.
fn any_ranking() -> impl Strategy<Value = GameRanking> {
    let players = proptest::sample::subsequence(vec![0_usize, 1, 2, 3, 4], 2..=4);
    let ranking = |(players, ranks): (Vec<usize>, Vec<u32>)| {
        GameRanking::new(&players.into_iter().zip(ranks).collect::<Vec<_>>()).unwrap()
    };
    (players, vec(1..5_u32, 4)).prop_map(ranking)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn strengths_agree_with_a_direct_search(rankings in vec(any_ranking(), 0..8)) {
        let mut games = Games::new(5);
        for ranking in &rankings {
            games.add(matchup(0), ranking);
        }
        assert_near(games.fit().strengths(), &by_trying(5, &rankings), 1e-4);
    }

    #[test]
    fn the_order_of_games_changes_nothing(
        (played, shuffled) in vec((0..4_u32, any_ranking()), 0..12)
            .prop_flat_map(|played| (Just(played.clone()), Just(played).prop_shuffle()))
    ) {
        let collect = |played: &[(u32, GameRanking)]| {
            let mut games = Games::new(5);
            for (number, ranking) in played {
                games.add(matchup(*number), ranking);
            }
            games
        };
        let [first, second] = [collect(&played).fit(), collect(&shuffled).fit()];
        prop_assert_eq!(first.strengths(), second.strengths());
        prop_assert_eq!(Samples::draw(&first, 8, 1), Samples::draw(&second, 8, 3));
    }
}

#[test]
fn a_ranking_has_one_to_four_players_each_of_them_once() {
    let ranking = GameRanking::new(&[(7, 2), (3, 1)]).unwrap();
    assert_eq!((ranking.group().teams(), ranking.ranks()), (&[3, 7][..], &[1, 2][..]));
    let five = [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1)];
    for wrong in [&[][..], &[(3, 1), (3, 2)], &five] {
        assert_eq!(GameRanking::new(wrong), None);
    }
}

#[test]
fn two_players_stand_as_by_bradley_and_terry() {
    let mut games = Games::new(2);
    for number in 0..40_000 {
        let loser = usize::from(number % 4 != 0);
        let places = [(loser, 2), (1 - loser, 1)];
        games.add(matchup(number), &GameRanking::new(&places).unwrap());
    }
    // Three wins of four: odds of 3, up to the effect of the prior.
    let half = 3.0_f64.ln() / 2.0;
    assert_near(games.fit().strengths(), &[half, -half], 1e-4);
    assert!((elo(half) - elo(-half) - 400.0 * 3.0_f64.log10()).abs() < 1e-9);
    assert!((elo(LN_10) - 1900.0).abs() < 1e-9);
}

#[test]
fn games_in_proportion_to_their_probabilities_give_the_strengths_back() {
    // Players with weights 1, 2 and 3: each order a hundred times as often as expected in 360 games.
    let weights = [1_u32, 2, 3];
    let mut games = Games::new(3);
    let mut number = 0;
    for first in 0..3 {
        for second in (0..3).filter(|&second| second != first) {
            let times = 360 * weights[first] * weights[second] / (6 * (6 - weights[first]));
            let ranking =
                GameRanking::new(&[(first, 1), (second, 2), (3 - first - second, 3)]).unwrap();
            for _ in 0..100 * times {
                games.add(matchup(number), &ranking);
            }
            number += 1;
        }
    }
    let mean = 6.0_f64.ln() / 3.0;
    let expected = weights.map(|weight| f64::from(weight).ln() - mean);
    assert_near(games.fit().strengths(), &expected, 1e-4);
}

#[test]
fn simulated_games_give_the_strengths_back() {
    let mut world = World::new(1, &[1.0, 0.6, 0.3, 0.0, -0.2, -0.5, -1.2, 0.0]);
    let mut games = Games::new(8);
    world.play(&mut games, 0..1000);
    // Each player is in 2000 games, which determine its strength to about 0.03.
    assert_near(games.fit().strengths(), &world.strengths, 0.1);
}

#[test]
fn players_without_games_have_equal_strengths() {
    let nobody = Games::new(0).fit();
    assert!(nobody.strengths().is_empty() && nobody.bootstrap(10).best().is_empty());
    let alone = games(1, &[(0, &[(0, 1)])]);
    assert_eq!(
        (alone.fit().strengths(), alone.fit().bootstrap(10).best()),
        (&[0.0][..], vec![1.0])
    );
    let fit = games(3, &[(0, &[(1, 1)]), (1, &[(1, 1), (3, 2)])]).fit();
    assert_eq!(fit.strengths(), [0.0; 3]);
    let samples = fit.bootstrap(2000);
    assert_near(&samples.best(), &[1.0 / 3.0; 3], 0.05);
    // A strength from the prior, minus the mean of three such strengths.
    let deviation = PRIOR_DEVIATION * (2.0_f64 / 3.0).sqrt();
    let (low, high) = samples.interval(1).unwrap();
    assert_near(&[low, high], &[-1.96 * deviation, 1.96 * deviation], 0.4);
    assert_eq!((fit.bootstrap(0).interval(0), fit.bootstrap(0).best()), (None, vec![0.0; 3]));
    assert_eq!(samples.interval(3), None);
}

#[test]
fn players_that_are_always_tied_are_alike() {
    let tied = [(0, 1), (1, 1), (2, 3), (3, 3)];
    let found = games(4, &[(0, &tied), (1, &tied)]).fit();
    let [first, second, third, fourth] = found.strengths() else { panic!("there are four") };
    assert_near(&[*first, *third], &[*second, *fourth], 1e-9);
    assert!(first - third > 1.0);
}

#[test]
fn player_that_wins_everything_has_a_finite_strength() {
    let wins = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let fit = games(4, &(0..50).map(|number| (number, &wins[..])).collect::<Vec<_>>()).fit();
    let strengths = fit.strengths();
    assert!(strengths.is_sorted_by(|a, b| a > b) && strengths[0] < 20.0, "{strengths:?}");
    assert_near(&[strengths.iter().sum()], &[0.0], 1e-9);
    assert!(fit.bootstrap(200).best()[0] > 0.99);
}

#[test]
fn groups_that_never_met_stand_around_the_same_mean_and_are_not_compared() {
    let mut rankings = Vec::new();
    let (one, other) = ([(0, 1), (1, 2)], [(2, 1), (3, 2)]);
    for number in 0..50 {
        rankings.extend([(2 * number, &one[..]), (2 * number + 1, &other[..])]);
    }
    let fit = games(4, &rankings).fit();
    let strengths = fit.strengths();
    assert_near(&[strengths[0] + strengths[1], strengths[0]], &[0.0, strengths[2]], 1e-9);
    assert_near(&fit.bootstrap(1000).best(), &[0.5, 0.0, 0.5, 0.0], 0.06);
}

#[test]
fn millions_of_identical_games_have_finite_strengths() {
    let mut games = Games::new(200);
    for first in 0..199 {
        let mut stages = Stages::default();
        // Both players are left at the first stage, the second one at the next.
        (stages[0b11], stages[0b10]) = (24_000_000_000, 24_000_000_000);
        let pair = Group::new(&[first, first + 1]).unwrap();
        games.matchups.insert((matchup(0), pair), stages);
    }
    let fit = games.fit();
    assert!(fit.strengths().is_sorted_by(|a, b| a > b), "{:?}", fit.strengths());
    let (low, high) = fit.bootstrap(1).interval(0).unwrap();
    assert!(low.is_finite() && high.is_finite());
}

#[test]
fn a_single_matchup_settles_nothing() {
    let wins = [(0, 1), (1, 2), (2, 3), (3, 4)];
    let samples = games(4, &[(0, &wins[..]); 4]).fit().bootstrap(1000);
    assert!((0.4..0.8).contains(&samples.best()[0]), "{:?}", samples.best());
    let (low, high) = samples.interval(0).unwrap();
    assert!(high - low > 1.0);
}

#[test]
fn bootstrap_of_identical_matchups_agrees_with_a_uniform_prior() {
    // The probability for a coin with a uniform prior after n heads.
    let wins = [(0, 1), (1, 2)];
    for matchups in 1..=6_u8 {
        let rankings: Vec<_> = (0..matchups).map(|number| (number.into(), &wins[..])).collect();
        let best = games(2, &rankings).fit().bootstrap(4000).best();
        assert_near(&best[..1], &[1.0 - 0.5_f64.powi(i32::from(matchups) + 1)], 0.02);
    }
}

#[test]
fn a_player_without_games_leaves_the_intervals_of_others_alone() {
    let width = |players| {
        let mut games = Games::new(players);
        World::new(3, &[0.3, 0.1, -0.1, -0.3]).play(&mut games, 0..100);
        let (low, high) = games.fit().bootstrap(500).interval(0).unwrap();
        high - low
    };
    assert_near(&[width(5)], &[width(4)], 0.05);
}

#[test]
fn ties_share_the_first_place_of_a_sample() {
    let samples = Samples::from_strengths(3, vec![1.0, 1.0, 0.0, 0.0, 2.0, -2.0]);
    assert_eq!(samples.best(), [0.25, 0.75, 0.0]);
    let (low, high) = samples.interval(2).unwrap();
    assert_near(&[low, high], &[-1.95, -0.05], 1e-12);
}

#[test]
fn intervals_cover_and_winners_are_the_best() {
    let (mut covered, mut intervals, mut settled, mut right) = (0, 0, 0, 0);
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mut world = World::new(1000 + seed, &[(); 4].map(|()| random.normal()));
        let mut games = Games::new(4);
        for round in (0..12).step_by(3) {
            world.play(&mut games, round..round + 3);
            let samples = games.fit().bootstrap(100);
            for (player, strength) in world.strengths.iter().enumerate() {
                let (low, high) = samples.interval(player).unwrap();
                covered += u32::from((low..=high).contains(strength));
                intervals += 1;
            }
            if let Some(best) = samples.best().iter().position(|&best| best >= 0.95) {
                settled += 1;
                let most = world.strengths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                right += u32::from(world.strengths[best] >= most);
            }
        }
    }
    let share = f64::from(covered) / f64::from(intervals);
    assert!((0.9..0.99).contains(&share), "{share}");
    assert!(settled > 50 && f64::from(right) / f64::from(settled) > 0.95, "{right} of {settled}");
}
