//! Bots against bots, in process: who wins how often, and how long they think.

use std::time::{Duration, Instant};

use bots::{Entry, HouseGame};
use game::pacman::{Colour, Event, Map, Orders, Rules};

use crate::throughput::PLAYERS;

/// One bot against three of another kind, over and over.
#[derive(Clone, Copy, Debug)]
pub struct Matches {
    /// Whose wins are counted.
    pub challenger: &'static Entry,
    /// Who takes the other seats.
    pub field: &'static Entry,
    /// The rules.
    pub rules: Rules,
    /// Turns of a game.
    pub turns: u32,
    /// Seed of the first game; each later one takes the next number.
    pub seed: u64,
}

/// The results of all games.
#[derive(Clone, Debug, Default)]
pub struct MatchRecord {
    /// Games played.
    pub games: u32,
    /// First places of the challenger; one that is shared by k players counts 1/k.
    pub firsts: f64,
    /// Points of the challenger, over all games.
    pub challenger_points: i64,
    /// Battles that the challenger won and lost against others, over all games.
    pub won: u32,
    /// See [`won`](Self::won).
    pub lost: u32,
    /// Points of all players, over all games.
    pub points: i64,
    /// Turns, over all games.
    pub turns: u64,
    /// How long the challenger thought, a decision each.
    pub thinking: Vec<Duration>,
}

impl Matches {
    /// Plays `games` games, on one map after the other, the challenger on one seat after the other.
    #[must_use]
    pub fn play(&self, maps: &[Map], games: u32) -> MatchRecord {
        let mut record = MatchRecord::default();
        for (game, map) in (0..games).zip(maps.iter().cycle()) {
            let round = game as usize / maps.len();
            self.play_one(map, self.seed.wrapping_add(game.into()), round % PLAYERS, &mut record);
        }
        record
    }

    fn play_one(&self, map: &Map, seed: u64, challenger: usize, record: &mut MatchRecord) {
        let (mut won, mut lost) = (0, 0);
        let kind = |seat| if seat == challenger { self.challenger } else { self.field };
        let bots = (0..PLAYERS).map(|seat| kind(seat).make(seed.wrapping_add(seat as u64)));
        let mut game = HouseGame::start(map, self.rules, self.turns, seed, bots.collect());
        while !game.state().view().is_over() {
            let ask = |me: Colour, decide: &mut dyn FnMut() -> Orders| {
                let start = Instant::now();
                let orders = decide();
                if me.index() == challenger {
                    record.thinking.push(start.elapsed());
                }
                orders
            };
            game.play_turn(ask, |event, _| {
                if let Event::Battle { pacman, ghost, bitten } = event {
                    let (winner, loser) = if bitten { (ghost, pacman) } else { (pacman, ghost) };
                    if winner != loser {
                        won += u32::from(winner.index() == challenger);
                        lost += u32::from(loser.index() == challenger);
                    }
                }
            });
        }
        record.won += won;
        record.lost += lost;
        let points: Vec<_> =
            game.state().view().players().iter().map(|player| player.points).collect();
        let best = points.iter().max().copied().unwrap_or(0);
        if points[challenger] == best {
            record.firsts += 1.0 / points.iter().filter(|&&own| own == best).count() as f64;
        }
        record.games += 1;
        record.challenger_points += i64::from(points[challenger]);
        record.points += points.iter().map(|&own| i64::from(own)).sum::<i64>();
        record.turns += u64::from(self.turns);
    }
}

impl MatchRecord {
    /// Share of first places, 0 to 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.firsts / f64::from(self.games)
    }

    /// Mean points of the challenger in a game.
    #[must_use]
    pub fn mean_points(&self) -> f64 {
        self.challenger_points as f64 / f64::from(self.games)
    }

    /// The sum of the points of all players in 100 turns.
    #[must_use]
    pub fn points_per_100_turns(&self) -> f64 {
        self.points as f64 * 100.0 / self.turns as f64
    }

    /// How long the challenger thought, at that share of its decisions: 0.5 is the median.
    #[must_use]
    pub fn thinking_at(&self, share: f64) -> Duration {
        let mut sorted = self.thinking.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        sorted.get((last as f64 * share) as usize).copied().unwrap_or_default()
    }
}
