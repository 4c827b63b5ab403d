//! Error rate of the choice of a best team among equal teams, and its duration if one team is better.
//!
//! A tournament is tested after each round, and ends early once its [`Race`] names a best team. Its games are drawn from
//! the Plackett–Luce model ([`DrawnGames`]) or really played between bots of the house ([`PlayedGames`]).

use plan::record::{GameRanking, GameRecord, Roster};
use plan::{Fixture, Key, Matchup, Plan, SEATS};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rating::Race;
use tournament::house_game;

/// Number of games of one drawn matchup.
const GAMES: usize = 4;

/// A source of games for tournaments.
pub trait World: Sync {
    /// Number of teams.
    fn teams(&self) -> usize;

    /// The rankings of the games of each matchup of this round, from 1, in the tournament of this number.
    fn round(&self, tournament: u64, round: u32) -> Vec<Vec<GameRanking>>;
}

/// The decision of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The round after which a best team was named.
    pub round: u32,
    /// The team.
    pub team: usize,
}

/// Holds a tournament of at most `rounds` rounds, which stops as soon as it names a best team with at most this risk.
pub fn hold(world: &impl World, tournament: u64, rounds: u32, risk: f64) -> Option<Decision> {
    let mut race = Race::new(world.teams());
    (1..=rounds).find_map(|round| {
        for matchup in world.round(tournament, round) {
            race.add(&matchup);
        }
        let risks = race.risks();
        let mut racing = (0..risks.len()).filter(|&team| risks[team] > risk);
        let team = racing.next()?;
        racing.next().is_none().then_some(Decision { round, team })
    })
}

/// Games from the Plackett–Luce model, in which all teams except the first one are equally strong.
#[derive(Clone, Copy, Debug)]
pub struct DrawnGames {
    /// Number of teams, at least two.
    pub teams: usize,
    /// Extra strength of the first team, in nats: it beats another team with odds of exp(advantage).
    pub advantage: f64,
    /// The standard deviation of the luck that a matchup adds to the strength of each team, in nats: it correlates the
    /// games of one matchup.
    pub luck: f64,
    /// The seed of all draws.
    pub seed: u64,
}

impl World for DrawnGames {
    fn teams(&self) -> usize {
        self.teams
    }

    fn round(&self, tournament: u64, round: u32) -> Vec<Vec<GameRanking>> {
        let seed =
            self.seed ^ (tournament << 32 | u64::from(round)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut lots = Xoshiro256PlusPlus::seed_from_u64(!seed);
        let mut uniform = || ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        let matchup = |teams: &[usize]| -> Vec<GameRanking> {
            let strength = |&team: &usize| {
                let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
                (team, if team == 0 { self.advantage } else { 0.0 } + self.luck * normal)
            };
            let strengths: Vec<(usize, f64)> = teams.iter().map(strength).collect();
            let mut game = |_| {
                // A race: the stronger a team, the shorter its time.
                let time =
                    |&(team, strength): &(usize, f64)| (-uniform().ln() / strength.exp(), team);
                let mut times: Vec<(f64, usize)> = strengths.iter().map(time).collect();
                times.sort_by(|a, b| a.0.total_cmp(&b.0));
                let places: Vec<_> = times.iter().map(|(_, team)| *team).zip(1..).collect();
                GameRanking::new(&places)
            };
            (0..GAMES).filter_map(&mut game).collect()
        };
        let mut order: Vec<usize> = (0..self.teams).collect();
        order.sort_by_cached_key(|_| lots.next_u64());
        order.chunks(SEATS).map(matchup).collect()
    }
}

/// Games between bots of the house, as in a tournament of this plan; each tournament has a seed of its own.
#[derive(Clone, Debug)]
pub struct PlayedGames(pub Plan);

impl World for PlayedGames {
    fn teams(&self) -> usize {
        self.0.teams.len()
    }

    fn round(&self, tournament: u64, round: u32) -> Vec<Vec<GameRanking>> {
        let mut plan = self.0.clone();
        plan.conditions.seed = plan.conditions.seed.wrapping_add(tournament);
        let roster = Roster::new(&plan.teams);
        let matchups = plan.schedule.round(round, &plan.teams, plan.maps.len(), &[]);
        let games_of = |matchup: Matchup| {
            let seatings = plan.seatings(&matchup).into_iter();
            let games = seatings.filter_map(|seating| {
                let key = Key::of_game(&plan, &matchup, seating);
                let outcome = house_game::play(&plan.job(&Fixture { key, matchup, seating }))?;
                roster.ranking(&GameRecord::from(&outcome))
            });
            games.collect()
        };
        matchups.unwrap_or_default().into_iter().map(games_of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of these tournaments that name a best team, number of those that name the first team, and their mean round.
    fn held(world: &DrawnGames, tournaments: u64, rounds: u32) -> (usize, usize, f64) {
        let ends: Vec<_> =
            (0..tournaments).filter_map(|number| hold(world, number, rounds, 0.05)).collect();
        let first = ends.iter().filter(|end| end.team == 0).count();
        let round = ends.iter().map(|end| f64::from(end.round)).sum::<f64>();
        (ends.len(), first, round / ends.len().max(1) as f64)
    }

    #[test]
    fn equal_teams_are_rarely_told_apart_however_long_they_play() {
        for (teams, luck) in [(2, 0.0), (2, 1.0), (4, 0.5), (10, 0.5)] {
            let (named, ..) = held(&DrawnGames { teams, advantage: 0.0, luck, seed: 1 }, 200, 150);
            assert!(named <= 10, "{teams} teams: {named} of 200 tournaments");
        }
    }

    #[test]
    fn a_better_team_is_named_soon() {
        for (teams, most) in [(2, 25.0), (4, 25.0), (10, 100.0)] {
            let world = DrawnGames { teams, advantage: 1.5, luck: 0.5, seed: 2 };
            let (named, first, round) = held(&world, 50, 300);
            assert_eq!((named, first), (50, 50), "{teams} teams");
            assert!(round < most, "{teams} teams: {round} rounds");
        }
    }
}
