//! Prints how often the test accuses an honest class, and how many games it needs to find two teams that spare each other.
//!
//! `cargo run --release -p collusion --example error_rates -- [CLASSES [GAMES]]`
#![expect(clippy::print_stdout, reason = "it is what it is for")]

use std::env;

use bots::{Bot, HouseGame, Situation, by_name};
use collusion::{BiteGame, Player, SEATS, find};
use game::pacman::{Cell, Colour, Direction, Event, Orders, Rules, View, maps};
use graph::Distances;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

const TEAMS: u32 = 20;
/// The shares of random steps of the pacmans, in percent: those with more are weaker, and bitten more.
const MISTAKES: [u64; 4] = [0, 20, 50, 100];
const HUNTS: [Hunt; 4] = [Hunt::Nearest, Hunt::Leader, Hunt::Last, Hunt::Nobody];
const TURNS: u32 = 200;

/// Whom a ghost hunts.
#[derive(Clone, Copy, Debug)]
enum Hunt {
    Nearest,
    Leader,
    Last,
    Nobody,
}

/// A pacman of the house that makes mistakes, and a ghost of its own, which may spare a player.
struct Team {
    pacman: Box<dyn Bot>,
    random: Random,
    mistakes: u64,
    hunt: Hunt,
    spares: Option<Colour>,
    distances: Distances,
}

impl Bot for Team {
    fn new_game(&mut self, situation: &Situation<'_>) {
        self.pacman.new_game(situation);
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let mut orders = self.pacman.play(situation);
        if self.random.below(100) < self.mistakes {
            orders.pacman = Some(Direction::ALL[self.random.below(4) as usize]);
        }
        if !matches!(self.hunt, Hunt::Nobody) || self.spares.is_some() {
            orders.ghost = self.hunt(situation.view, situation.me);
        }
        orders
    }
}

impl Team {
    /// The way of the ghost to its prey, if there is any.
    fn hunt(&mut self, view: &View, me: Colour) -> Option<Direction> {
        let ghost = view.player(me)?.ghost;
        let others = || {
            let all = Colour::first(SEATS).zip(view.players());
            all.filter(|(colour, other)| *colour != me && other.powers.glutton == 0)
        };
        let prey = |sparing: bool| -> Vec<Cell> {
            let mut prey: Vec<_> = others()
                .filter(|(colour, other)| {
                    other.pacman != ghost && !(sparing && self.spares == Some(*colour))
                })
                .collect();
            prey.sort_by_key(|(_, other)| other.points);
            let only = match self.hunt {
                Hunt::Leader => prey.len().saturating_sub(1)..prey.len(),
                Hunt::Last => 0..prey.len().min(1),
                Hunt::Nearest | Hunt::Nobody => 0..prey.len(),
            };
            prey[only].iter().map(|(_, other)| other.pacman).collect()
        };
        let prey = prey(true);
        self.distances.fill_to_nearest(view.board(), ghost, &prey);
        let nearest = prey.into_iter().min_by_key(|cell| self.distances.to(*cell))?;
        self.distances.first_step(view.board(), nearest)
    }
}

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }
}

/// The games of a class of which the first two teams may spare each other in this share of their games, in percent.
fn class(seed: u64, games: u64, sparing: u64) -> Vec<BiteGame> {
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(seed));
    let kinds: Vec<(usize, usize)> = (0..TEAMS)
        .map(|team| {
            // Colluders hunt who is nearest, so that they could bite each other.
            let hunt = if team < 2 && sparing > 0 { 0 } else { random.below(4) as usize };
            (random.below(4) as usize, hunt)
        })
        .collect();
    let map = maps::plan1();
    let mut all = Vec::new();
    for number in 0..games {
        let mut teams: Vec<u32> = (0..TEAMS).collect();
        for place in 0..SEATS {
            let other = place + random.below(u64::from(TEAMS) - place as u64) as usize;
            teams.swap(place, other);
        }
        let teams = &teams[..SEATS];
        let is_spared = random.below(100) < sparing;
        let seat_of = |team: u32| teams.iter().position(|it| *it == team);
        let partner = |team: u32| if team < 2 { seat_of(1 - team) } else { None };
        let bots = teams.iter().map(|&team| {
            let (mistakes, hunt) = kinds[team as usize];
            let spares = partner(team).filter(|_| is_spared).and_then(Colour::new);
            let pacman = by_name("glouton").expect("a bot of the house").make(number);
            let own =
                Random(Xoshiro256PlusPlus::seed_from_u64(seed ^ (number << 8) ^ u64::from(team)));
            let (mistakes, hunt) = (MISTAKES[mistakes], HUNTS[hunt]);
            let distances = Distances::default();
            Box::new(Team { pacman, random: own, mistakes, hunt, spares, distances })
                as Box<dyn Bot>
        });
        let mut game =
            HouseGame::start(&map, Rules::SUJET, TURNS, random.0.next_u64(), bots.collect());
        let mut bites = [[0; SEATS]; SEATS];
        while !game.state().view().is_over() {
            game.play_turn(|event, _| {
                if let Event::Battle { pacman, ghost, bitten: true } = event {
                    bites[ghost.index()][pacman.index()] += 1;
                }
            });
        }
        let player =
            |seat: usize| Player { team: teams[seat], version: teams[seat], is_house: false };
        all.push(BiteGame { players: std::array::from_fn(player), bites });
    }
    all
}

fn main() {
    let mut arguments = env::args().skip(1).filter_map(|argument| argument.parse::<u64>().ok());
    let classes = arguments.next().unwrap_or(20);
    let games = arguments.next().unwrap_or(2000);
    let (mut accused, mut widths) = (0, Vec::new());
    for seed in 0..classes {
        let findings = find(&class(seed, games, 0));
        accused += u64::from(!findings.sparing.is_empty());
        widths.push(findings.width);
        for it in findings.sparing {
            println!("  accused: {:?} {:?} {:.1e}", it.teams, it.treatments, it.chance);
        }
    }
    widths.sort_by(f64::total_cmp);
    println!("honest: {accused} of {classes} classes accused, widths {widths:?}");
    for sparing in [100, 50] {
        let classes: Vec<_> = (0..classes).map(|seed| class(1000 + seed, games, sparing)).collect();
        for part in 1..=8 {
            let (mut found, mut wrong, mut common) = (0, 0, 0);
            for class in &classes {
                let played = &class[..class.len() * part / 8];
                let has = |game: &&BiteGame, team| game.players.iter().any(|it| it.team == team);
                common += played.iter().filter(|game| has(game, 0) && has(game, 1)).count();
                let findings = find(played);
                found += usize::from(findings.sparing.iter().any(|it| it.teams == [0, 1]));
                wrong += usize::from(findings.sparing.iter().any(|it| it.teams != [0, 1]));
            }
            let (all, common) = (classes.len(), common / classes.len());
            println!(
                "sparing in {sparing} % of games, {common} common games: {found} of {all} found, others accused in {wrong}"
            );
        }
    }
}
