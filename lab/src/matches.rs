//! Bots against bots, in process: shares of first places, and thinking times.

use std::convert::Infallible;
use std::time::{Duration, Instant};

use bots::{Bot, Budget, Entry, HouseGame};
use game::pacman::{Colour, Event, Map, Rules};
use language::word;
use rating::Share;

use crate::table::{Figure, Table};
use crate::{parallel, quantile};

/// Number of players of a game.
pub const PLAYERS: usize = 4;

/// Repeated games of one bot against three others.
#[derive(Clone, Debug)]
pub struct Matches {
    /// The bot of all games.
    pub challenger: &'static Entry,
    /// The bots that take the other seats in turn; at least one.
    pub field: Vec<&'static Entry>,
    /// The rules.
    pub rules: Rules,
    /// Number of turns of a game.
    pub turns: u32,
    /// Seed of the first game; each later one takes the next number.
    pub seed: u64,
    /// Thinking time of each bot for an order; `None` without a limit.
    pub thinking: Option<Duration>,
}

/// The results of all games: of the challenger first, then of each bot of the field.
#[derive(Clone, Debug)]
pub struct MatchRecord {
    games: u32,
    bots: Vec<BotRecord>,
}

/// The results of a bot on all its seats.
#[derive(Clone, Debug, Default)]
struct BotRecord {
    name: &'static str,
    /// Number of seats in all games.
    seats: u32,
    /// Number of first places; a place shared by k players counts 1/k.
    firsts: f64,
    points: i64,
    /// Battles won against other players.
    won: u32,
    lost: u32,
    /// Duration of each decision.
    thinking: Vec<Duration>,
}

impl Matches {
    /// Plays `games` games on all cores, on one map after the other, the challenger on one seat after the other.
    pub fn play(&self, maps: &[Map], games: u32) -> MatchRecord {
        let play = |game: u64| {
            let (round, map) = (game / maps.len() as u64, game % maps.len() as u64);
            // Both indices are below the number of maps or players.
            let (map, challenger) = (&maps[map as usize], (round % PLAYERS as u64) as usize);
            Ok::<_, Infallible>(self.play_one(map, self.seed.wrapping_add(game), challenger))
        };
        let Ok(played) = parallel::map(0..games.into(), play);
        let mut record = self.nothing_played();
        for game in played {
            record.add(game);
        }
        record
    }

    fn nothing_played(&self) -> MatchRecord {
        let entries = [self.challenger].into_iter().chain(self.field.iter().copied());
        let bot = |entry: &Entry| BotRecord { name: entry.name, ..BotRecord::default() };
        MatchRecord { games: 0, bots: entries.map(bot).collect() }
    }

    fn play_one(&self, map: &Map, seed: u64, challenger: usize) -> MatchRecord {
        let mut record = self.nothing_played();
        // The index of each seat's bot in the record.
        let bot_on = |seat: usize| match (seat + PLAYERS - challenger) % PLAYERS {
            0 => 0,
            other => 1 + (other - 1) % self.field.len(),
        };
        let make = |seat| -> Box<dyn Bot> {
            let entry = match bot_on(seat) {
                0 => self.challenger,
                other => self.field[other - 1],
            };
            entry.make(seed.wrapping_add(seat as u64))
        };
        let bots = (0..PLAYERS).map(make).collect();
        let mut game = HouseGame::start(map, self.rules, self.turns, seed, bots);
        let mut battles = Vec::new();
        while !game.state().view().is_over() {
            for me in Colour::first(PLAYERS) {
                let start = Instant::now();
                let go_on = || self.thinking.is_none_or(|time| start.elapsed() < time);
                let budget = self.thinking.map_or_else(Budget::default, |_| Budget::new(&go_on));
                game.ask(me, budget);
                record.bots[bot_on(me.index())].thinking.push(start.elapsed());
            }
            game.play_asked(|event, _| {
                if let Event::Battle { pacman, ghost, bitten } = event {
                    battles.push(if bitten { (ghost, pacman) } else { (pacman, ghost) });
                }
            });
        }
        for (winner, loser) in battles.into_iter().filter(|(winner, loser)| winner != loser) {
            record.bots[bot_on(winner.index())].won += 1;
            record.bots[bot_on(loser.index())].lost += 1;
        }
        let players = game.state().view().players();
        let best = players.iter().map(|player| player.points).max();
        let firsts = players.iter().filter(|player| Some(player.points) == best).count();
        for (seat, player) in players.iter().enumerate() {
            let bot = &mut record.bots[bot_on(seat)];
            bot.seats += 1;
            bot.points += i64::from(player.points);
            if Some(player.points) == best {
                bot.firsts += 1.0 / firsts as f64;
            }
        }
        record.games += 1;
        record
    }
}

impl MatchRecord {
    /// Adds the results of other games between the same bots.
    fn add(&mut self, other: Self) {
        self.games += other.games;
        for (bot, other) in self.bots.iter_mut().zip(other.bots) {
            bot.seats += other.seats;
            bot.firsts += other.firsts;
            bot.points += other.points;
            bot.won += other.won;
            bot.lost += other.lost;
            bot.thinking.extend(other.thinking);
        }
    }

    /// A row for each bot: the share of first places that its seats take together, with Wilson's 95 % interval; a seat's mean
    /// points and its battles against others in a game; and the durations of decisions.
    pub fn table(&self) -> Table {
        let mut table = Table::new(&[
            ("bot", word("Bot", "Bot")),
            ("games", word("Games", "Parties")),
            ("firsts", word("First", "Premier")),
            ("low", word("From", "De")),
            ("high", word("To", "À")),
            ("points", word("Points", "Points")),
            ("won", word("Battles won", "Combats gagnés")),
            ("lost", word("Lost", "Perdus")),
            ("p50_us", word("Median µs", "Médiane µs")),
            ("p99_us", "99 % µs"),
        ]);
        for bot in &self.bots {
            let share = Share::of(bot.firsts, self.games);
            let figure = |value: fn(Share) -> f64| share.map(|share| Figure::Real(value(share), 3));
            let mean = |sum: f64| Figure::Real(sum / f64::from(bot.seats), 1);
            let mut sorted: Vec<_> =
                bot.thinking.iter().map(|time| time.as_secs_f64() * 1e6).collect();
            sorted.sort_by(f64::total_cmp);
            let thinking =
                |share| Figure::from(quantile(&sorted, share).map(|us| Figure::Real(us, 1)));
            table.push([
                bot.name.into(),
                u64::from(self.games).into(),
                figure(|share| share.value).into(),
                figure(|share| share.low).into(),
                figure(|share| share.high).into(),
                mean(bot.points as f64),
                mean(bot.won.into()),
                mean(bot.lost.into()),
                thinking(0.5),
                thinking(0.99),
            ]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::by_name;

    #[test]
    fn every_first_place_and_every_battle_is_somebodys() {
        let map: Map =
            "5;9\n#########\n#...&...#\n# ##### #\n#...$...#\n#########\n".parse().unwrap();
        let field = ["prudent", "aleatoire"].map(|bot| by_name(bot).unwrap());
        let matches = Matches {
            challenger: by_name("glouton").unwrap(),
            field: field.into(),
            rules: Rules::SUJET,
            turns: 30,
            seed: 1,
            thinking: None,
        };
        let record = matches.play(&[map.clone(), map], 8);
        let rows = record.table().to_json();
        let column = |key: &str| -> Vec<f64> {
            rows.as_array().unwrap().iter().map(|row| row[key].as_f64().unwrap()).collect()
        };
        let [firsts, low, high] = ["firsts", "low", "high"].map(column);
        assert!((firsts.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{firsts:?}");
        for ((low, share), high) in low.into_iter().zip(&firsts).zip(high) {
            assert!(low <= *share && *share <= high && low < high);
        }
        // The first bot of the field takes two seats.
        let seats: Vec<_> = record.bots.iter().map(|bot| bot.seats).collect();
        assert_eq!(seats, [8, 16, 8]);
        let all = |count: fn(&BotRecord) -> u32| record.bots.iter().map(count).sum::<u32>();
        assert_eq!(all(|bot| bot.won), all(|bot| bot.lost));
        assert!(record.bots.iter().all(|bot| bot.thinking.len() == 30 * bot.seats as usize));
        assert!(column("points")[0] > column("points")[1]);
    }
}
