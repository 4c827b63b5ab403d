//! Measures how often a bot is first against three of the students, and how often its ghost bites a player that stands still.
//!
//! ```sh
//! cargo run --release -p bots --example students -- BOT tuned|unseen|fresh|mixed|standing GAMES SEED MAP…
//! ```
//!
//! `GAMES` games of 100 turns take the maps, the rules and the seats in turn. The fresh students are a hundred more, without names.
//! Three of four opponents of the mixed field are tuned or fresh students, the others bots of the house or those of `strangers.rs`.
//! The reward of a game is between 0 and 1: the logistic function of the lead over the best opponent, in hundreds of points. It tells
//! narrow games from clear ones, and its standard deviation is 0.29 where that of first places is 0.35: `scripts/regler.py` tunes by it.
#![allow(clippy::cast_precision_loss, reason = "figures for people")]
#![allow(clippy::print_stdout, reason = "it prints its table")]

mod stranger;

use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, fs};

use bots::students::{NAMES, Student, UNSEEN};
use bots::{Bot, Budget, Entry, HouseGame, Situation, by_name};
use game::pacman::{Chance, Colour, Event, FalseMove, Map, Orders, PieceKind, Quick, Rules};
use graph::Distances;
use stranger::Stranger;

/// Turns of a game.
const TURNS: u32 = 100;
/// Number of students without names.
const FRESH: u32 = 100;
/// Bots of the house in the mixed field.
const HOUSE: [&str; 3] = ["prudent", "glouton", "dijkstra"];
/// Players of a game.
const PLAYERS: usize = 4;

/// A player that stands still: its pacman stays unless that would teleport it, and false moves teleport its ghost.
struct Standing;

impl Bot for Standing {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        let mut counter = player.false_moves;
        let teleports = situation.rules.false_moves.count(&mut counter);
        let exits = player.powers.exits(situation.view.board(), player.pacman);
        Orders { pacman: exits.first().copied().filter(|_| teleports), ghost: None }
    }
}

/// The programs that opponents are drawn from.
#[derive(Clone, Copy, Debug)]
enum Field {
    Named(&'static [Entry]),
    Fresh,
    House,
    Strangers,
    Mixed,
}

impl Field {
    fn draw(self, draws: &mut Quick, seed: u64) -> Box<dyn Bot> {
        match self {
            Self::Named(entries) => entries[draws.below(entries.len() as u32) as usize].make(seed),
            Self::Fresh => {
                let number = 1 + NAMES.len() as u64 + u64::from(draws.below(FRESH));
                Box::new(Student::new(number, seed))
            }
            Self::House => {
                let name = HOUSE[draws.below(HOUSE.len() as u32) as usize];
                by_name(name).expect("a bot of the house").make(seed)
            }
            Self::Strangers => {
                let both = [Stranger::Ratio, Stranger::Gravity];
                Box::new(both[draws.below(2) as usize])
            }
            Self::Mixed => {
                let field = match draws.below(8) {
                    0..3 => Self::Named(&NAMES[..UNSEEN]),
                    3..6 => Self::Fresh,
                    6 => Self::House,
                    _ => Self::Strangers,
                };
                field.draw(draws, seed)
            }
        }
    }
}

/// The results of some games.
#[derive(Clone, Debug, Default)]
struct Record {
    games: f64,
    firsts: f64,
    points: f64,
    next: f64,
    /// Sum of the rewards, and of their squares.
    rewards: [f64; 2],
    /// Battles that the bot's ghost won and its pacman lost.
    bites: f64,
    bitten: f64,
    /// False moves of the pacman, and the ghost's, malformed and into a wall.
    false_moves: [f64; 3],
    /// Bites of the first opponent, and those that are possible if it stands still.
    first_opponent: [f64; 2],
    times: Vec<Duration>,
}

impl Record {
    fn play(&mut self, bot: &Entry, others: [Box<dyn Bot>; 3], map: &Map, rules: Rules, seed: u64) {
        let seat = seed as usize % PLAYERS;
        let mut bots: Vec<Box<dyn Bot>> = vec![bot.make(seed)];
        bots.extend(others);
        bots.rotate_right(seat);
        let mut game = HouseGame::start(map, rules, TURNS, seed, bots);
        let me = Colour::new(seat).expect("a seat has a colour");
        let first = (seat + 1) % PLAYERS;
        let start = game.state().view();
        let mut distances = Distances::new();
        let steps = distances
            .fill(start.board(), start.players()[seat].ghost)
            .to(start.players()[first].pacman);
        let mut stood = -f64::from(steps);
        while !game.state().view().is_over() {
            let was = game.state().view().players()[first].pacman;
            for colour in Colour::first(PLAYERS) {
                let start = Instant::now();
                game.ask(colour, Budget::default());
                if colour == me {
                    self.times.push(start.elapsed());
                }
            }
            game.play_asked(|event, _| match event {
                Event::Battle { pacman, ghost, bitten: true } if pacman != ghost => {
                    self.bites += f64::from(u8::from(ghost == me));
                    self.bitten += f64::from(u8::from(pacman == me));
                    let is_first = ghost == me && pacman.index() == first;
                    self.first_opponent[0] += f64::from(u8::from(is_first));
                }
                Event::FalseMove { piece, cause } if piece.colour == me => {
                    let kind = match (piece.kind, cause) {
                        (PieceKind::Pacman, _) => 0,
                        (PieceKind::Ghost, FalseMove::Malformed) => 1,
                        (PieceKind::Ghost, FalseMove::Blocked) => 2,
                    };
                    self.false_moves[kind] += 1.0;
                }
                _ => {}
            });
            stood += f64::from(u8::from(game.state().view().players()[first].pacman == was));
        }
        // A ghost walks there, bites, digests, steps aside and comes back.
        self.first_opponent[1] += stood.max(0.0) / if rules.digestion { 3.0 } else { 2.0 };
        let points: Vec<_> = game.state().view().players().iter().map(|p| p.points).collect();
        let own = points[seat];
        let most = (0..PLAYERS).filter(|&other| other != seat).map(|other| points[other]).max();
        let most = most.unwrap_or(own);
        let ties = points.iter().filter(|&&other| other == own).count();
        self.games += 1.0;
        self.firsts += if own >= most { 1.0 / ties as f64 } else { 0.0 };
        self.points += f64::from(own);
        self.next += f64::from(most);
        let reward = 1.0 / (1.0 + ((f64::from(most) - f64::from(own)) / 100.0).exp());
        self.rewards[0] += reward;
        self.rewards[1] += reward * reward;
    }

    fn print(&self, name: &str) {
        let n = self.games;
        if n == 0.0 {
            println!("{name}: no game");
            return;
        }
        let share = self.firsts / n;
        // Wilson's interval.
        let z = 1.96_f64;
        let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half =
            z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        let reward = self.rewards[0] / n;
        // One game has no standard error: NaN.
        let error = ((self.rewards[1] / n - reward * reward).max(0.0) / (n - 1.0)).sqrt();
        let mut times = self.times.clone();
        times.sort_unstable();
        let time = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
        println!(
            "{name}: {n} games, first in {:.1} % [{:.1}, {:.1}], {:.0} points, the next one {:.0}; reward {reward:.5} ± {error:.5}; bites {:.2}, bitten {:.2}, \
             false moves {:.1} of the pacman, {:.1} and {:.1} of the ghost; first opponent bitten {:.2} of {:.1}; {:.2} ms, 99 %: {:.2} ms",
            100.0 * share,
            100.0 * (middle - half),
            100.0 * (middle + half),
            self.points / n,
            self.next / n,
            self.bites / n,
            self.bitten / n,
            self.false_moves[0] / n,
            self.false_moves[1] / n,
            self.false_moves[2] / n,
            self.first_opponent[0] / n,
            self.first_opponent[1] / n,
            time(50),
            time(99),
        );
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.firsts += other.firsts;
        self.points += other.points;
        self.next += other.next;
        self.bites += other.bites;
        self.bitten += other.bitten;
        let own = self.false_moves.iter_mut().chain(&mut self.first_opponent);
        let others = other.false_moves.iter().chain(&other.first_opponent).chain(&other.rewards);
        for (all, some) in own.chain(&mut self.rewards).zip(others) {
            *all += some;
        }
        self.times.extend_from_slice(&other.times);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [bot, name, games, seed, paths @ ..] = &args[..] else {
        return Err(
            "expected BOT tuned|unseen|fresh|mixed|standing GAMES SEED MAP…, such as: champion \
             unseen 240 1 cartes/plan1.txt"
                .into(),
        );
    };
    let bot = by_name(bot)?;
    let field = match &name[..] {
        "tuned" | "standing" => Field::Named(&NAMES[..UNSEEN]),
        "unseen" => Field::Named(&NAMES[UNSEEN..]),
        "fresh" => Field::Fresh,
        "mixed" => Field::Mixed,
        _ => Field::Named(std::slice::from_ref(by_name(name)?)),
    };
    let (games, seed): (u64, u64) = (games.parse()?, seed.parse()?);
    let map_of = |path: &String| -> Result<Map, Box<dyn Error>> {
        let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        Ok(text.parse().map_err(|error| format!("{path}: {error}"))?)
    };
    let maps = paths.iter().map(map_of).collect::<Result<Vec<_>, _>>()?;
    let mut records = vec![Record::default(); 2 * maps.len()];
    for number in 0..games {
        let map = (number / 2) as usize % maps.len();
        let is_2024 = number % 2 == 1;
        let rules = if is_2024 { Rules::ORLEANS_2024 } else { Rules::SUJET };
        let mut draws = Quick::new(seed + number / 2);
        let seed = seed + number / 2 + number / 2 / maps.len() as u64;
        let mut others = [1, 2, 3].map(|place| field.draw(&mut draws, seed + place));
        if name == "standing" {
            others[0] = Box::new(Standing);
        }
        let record = &mut records[2 * map + usize::from(is_2024)];
        record.play(bot, others, &maps[map], rules, seed);
    }
    let sum = |wanted: &dyn Fn(usize) -> bool| {
        let mut all = Record::default();
        records.iter().enumerate().filter(|(i, _)| wanted(*i)).for_each(|(_, r)| all.add(r));
        all
    };
    for (map, path) in paths.iter().enumerate() {
        sum(&|index| index / 2 == map).print(path);
    }
    sum(&|index| index % 2 == 0).print("sujet");
    sum(&|index| index % 2 == 1).print("orleans2024");
    sum(&|_| true).print("all");
    Ok(())
}
