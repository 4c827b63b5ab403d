//! Number of games that a ladder needs until its order is right, for each rule of choosing opponents.

use course::{Entrant, EntrantKind, LadderRules, next_games};
use plan::record::GameRanking;
use plan::{Key, SEATS};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rating::{Games, Meetings};

/// Processor time of a program in a game, in microseconds.
const USED: u64 = 1_000_000;

/// A way to choose who meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Everybody once, in drawn groups, and again.
    Random,
    /// Everybody once, in groups of neighbours in the order so far, and again.
    Swiss,
    /// The ladder of a course, [`next_games`].
    Course(LadderRules),
}

/// A simulated course.
#[derive(Clone, Copy, Debug)]
pub struct Ladder {
    /// Number of teams.
    pub teams: usize,
    /// Number of house levels, with strengths at equal distances within 1.5 standard deviations. Only the ladder of a course
    /// has games with them.
    pub levels: usize,
    /// The standard deviation of their strengths, in nats.
    pub spread: f64,
    /// Number of games.
    pub games: usize,
    /// The seed of the strengths and of all games.
    pub seed: u64,
}

/// A ladder after some games.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The share of pairs of teams that are in the right order.
    pub right: f64,
    /// The mean width of the intervals of differences between neighbours in the right order, in nats.
    pub width: f64,
}

impl Ladder {
    /// The number of games of a batch: as many as there are groups of four teams.
    pub fn batch(&self) -> usize {
        self.teams.div_ceil(SEATS)
    }

    /// The ladder after each batch of games.
    pub fn play(&self, choice: Choice) -> Vec<Progress> {
        let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(self.seed));
        let mut strengths: Vec<f64> =
            (0..self.teams).map(|_| self.spread * random.normal()).collect();
        let step = |level| (level as f64 + 0.5) / self.levels as f64 - 0.5;
        strengths.extend((0..self.levels).map(|level| 3.0 * self.spread * step(level)));
        let mut games = Games::new(strengths.len());
        let mut entrants = vec![Entrant { expected: USED, ..Entrant::default() }; self.teams];
        let house = Entrant { kind: EntrantKind::House, ..Entrant::default() };
        entrants.resize(strengths.len(), house);
        let batch = self.batch();
        let mut number = 0_u128;
        let mut progress = Vec::new();
        while progress.len() * batch < self.games {
            let groups = match choice {
                Choice::Course(rules) => {
                    let mut meetings = Meetings::after(&games.fit());
                    next_games(batch, &entrants, &mut meetings, &rules)
                }
                _ => self.groups(choice, &games, &mut random),
            };
            for group in groups {
                for &player in &group {
                    entrants[player].games += 1;
                    entrants[player].used += USED;
                }
                entrants[group[0]].house_games += u32::from(is_against_level(&group));
                number += 1;
                if let Some(ranking) = random.game(&group, &strengths) {
                    games.add(Key::from_bytes(number.to_be_bytes()), &ranking);
                }
            }
            progress.push(self.progress(&games, &strengths));
        }
        progress
    }

    /// All teams in groups, drawn or of neighbours.
    fn groups(&self, choice: Choice, games: &Games, random: &mut Random) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..self.teams).collect();
        order.sort_by_cached_key(|_| random.0.next_u64());
        if choice == Choice::Swiss {
            let fit = games.fit();
            order.sort_by(|&one, &other| fit.strengths()[other].total_cmp(&fit.strengths()[one]));
            // The groups of neighbours begin at another place in each round.
            let shift = random.0.next_u64() as usize % SEATS;
            order.rotate_left(shift);
        }
        order.chunks(SEATS).map(<[usize]>::to_vec).collect()
    }

    fn progress(&self, games: &Games, strengths: &[f64]) -> Progress {
        let fit = games.fit();
        let (estimates, covariance) = (fit.strengths(), fit.covariance());
        let mut order: Vec<usize> = (0..self.teams).collect();
        order.sort_by(|&one, &other| strengths[other].total_cmp(&strengths[one]));
        let pairs = order
            .iter()
            .enumerate()
            .flat_map(|(place, &one)| order[place + 1..].iter().map(move |&other| (one, other)));
        let right = pairs.clone().filter(|&(one, other)| estimates[one] > estimates[other]);
        let at = |row: usize, column: usize| covariance[row * (self.teams + self.levels) + column];
        let width = |pair: &[usize]| {
            let [one, other] = [pair[0], pair[1]];
            let variance = at(one, one) + at(other, other) - 2.0 * at(one, other);
            2.0 * 1.96 * variance.sqrt()
        };
        Progress {
            right: right.count() as f64 / pairs.count() as f64,
            width: order.windows(2).map(width).sum::<f64>() / (self.teams - 1) as f64,
        }
    }
}

/// The mean of many ladders after each batch of games.
pub fn mean(ladders: &[Vec<Progress>]) -> Vec<Progress> {
    let batches = ladders.iter().map(Vec::len).min().unwrap_or(0);
    let mean = |batch: usize, value: fn(&Progress) -> f64| {
        ladders.iter().map(|ladder| value(&ladder[batch])).sum::<f64>() / ladders.len() as f64
    };
    let progress = |batch| Progress {
        right: mean(batch, |progress| progress.right),
        width: mean(batch, |progress| progress.width),
    };
    (0..batches).map(progress).collect()
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }

    /// A game of the Plackett–Luce model, as a race: the stronger a player, the shorter its time. Of the copies of a level,
    /// the first one in the group counts, as in a course.
    fn game(&mut self, group: &[usize], strengths: &[f64]) -> Option<GameRanking> {
        let mut times: Vec<(f64, usize)> = group
            .iter()
            .map(|&player| (-self.uniform().ln() / strengths[player].exp(), player))
            .collect();
        if is_against_level(group) {
            times.truncate(2);
        }
        times.sort_by(|one, other| one.0.total_cmp(&other.0));
        let places: Vec<_> = times.iter().map(|(_, player)| *player).zip(1..).collect();
        GameRanking::new(&places)
    }
}

/// Tests if a group is a team and three copies of a level.
fn is_against_level(group: &[usize]) -> bool {
    group.len() == SEATS && group[2] == group[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean share of pairs in the right order after the games of 12 ladders.
    fn right(choice: Choice, levels: usize, games: usize) -> f64 {
        let ladder = |seed| Ladder { teams: 16, levels, spread: 2.0, games, seed }.play(choice);
        let ladders: Vec<_> = (1..=12).map(ladder).collect();
        mean(&ladders).last().unwrap().right
    }

    #[test]
    fn games_that_tell_more_put_more_pairs_in_order() {
        let drawn = right(Choice::Random, 0, 60);
        let rules = LadderRules { house_every: 0, ..LadderRules::default() };
        let telling = right(Choice::Course(rules), 0, 60);
        assert!(drawn > 0.85 && telling > drawn + 0.005, "{drawn} {telling}");
        assert!(right(Choice::Random, 0, 200) > drawn);
    }

    #[test]
    fn a_seed_makes_the_same_ladder() {
        let ladder = Ladder { teams: 9, levels: 2, spread: 1.0, games: 30, seed: 4 };
        for choice in [Choice::Random, Choice::Swiss, Choice::Course(LadderRules::default())] {
            let [one, other] = [ladder.play(choice), ladder.play(choice)];
            assert_eq!(one.len(), 10);
            assert!(one.iter().zip(&other).all(|(a, b)| a.right.to_bits() == b.right.to_bits()));
        }
    }
}
