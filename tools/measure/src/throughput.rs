//! Turns per second that one core plays, writes, reads and looks ahead.

use std::hint::black_box;
use std::time::{Duration, Instant};

use game::pacman::{
    Board, Cell, Chance, Colour, ColourSet, Direction, Event, Map, Orders, Quick, Rules, Seeded,
    State, StateReader, StateText, View,
};

/// Number of players of every measurement.
pub const PLAYERS: usize = 4;

/// Number of turns that a look-ahead plays from its copy of the state.
const LOOKAHEAD_DEPTH: u32 = 10;

/// Number of turns of a game, the default of the server.
const GAME: u32 = 200;

/// Measurements on the turns of games with random players.
#[derive(Debug)]
pub struct Throughput {
    start: State,
    seed: u64,
    turns: u32,
}

impl Throughput {
    /// Measurements over `turns` turns on this map.
    #[must_use]
    pub fn new(map: &Map, rules: Rules, seed: u64, turns: u32) -> Self {
        let start = State::start(map, rules, GAME, PLAYERS, &mut Seeded::new(seed));
        Self { start, seed, turns }
    }

    /// Turns per second of the rules alone.
    pub fn rules(&self) -> f64 {
        self.play(|_, _| {})
    }

    /// Turns per second if the state after each turn is written.
    pub fn with_state_text(&self) -> f64 {
        let mut text = StateText::new(names());
        self.play(|event, state| {
            if event == Event::TurnEnded {
                black_box(text.write(state.view()));
            }
        })
    }

    /// Turns per second if all states of a spectator are written: nine for each turn.
    pub fn with_spectator_texts(&self) -> f64 {
        let mut text = StateText::new(names());
        let mut written = 0u64;
        let rate = self.play(|event, state| {
            if matches!(event, Event::Done(_) | Event::TurnEnded) {
                black_box(text.write(state.view()));
                written += 1;
            }
        });
        assert_eq!(written, u64::from(self.turns) * (2 * PLAYERS as u64 + 1));
        rate
    }

    /// States per second, read from the texts of successive turns, ready for a bot.
    pub fn decoding(&self) -> f64 {
        const TEXTS: u32 = 1000;
        let mut text = StateText::new(names());
        let mut texts = Vec::new();
        Self { start: self.start.clone(), turns: TEXTS, ..*self }.play(|event, state| {
            if event == Event::TurnEnded {
                texts.push((text.write(state.view()).to_vec(), state.view().clone()));
            }
        });
        let mut reader = StateReader::new();
        for (text, view) in &texts {
            assert_eq!(reader.read(text).map(|reading| &reading.view), Ok(view));
        }
        let rounds = self.turns.div_ceil(TEXTS);
        let elapsed = time(|| {
            for _ in 0..rounds {
                for (text, _) in &texts {
                    black_box(reader.read(text).is_ok());
                }
            }
        });
        f64::from(rounds * TEXTS) / elapsed.as_secs_f64()
    }

    /// Look-ahead turns per millisecond: whole turns with legal orders from a state in mid-game, the time for
    /// copies of that state included.
    pub fn lookahead_per_ms(&self) -> f64 {
        let mut middle = self.start.clone();
        let mut random = Quick::new(self.seed);
        let mut chance = Seeded::new(self.seed);
        for _ in 0..100 {
            middle.play_turn(&legal_orders(middle.view(), &mut random), &mut chance, |_, _| {});
        }
        let middle = State::from_view(middle.view().clone(), *middle.rules(), ColourSet::EMPTY);
        let mut ahead = middle.clone();
        let rounds = self.turns.div_ceil(LOOKAHEAD_DEPTH);
        let elapsed = time(|| {
            for _ in 0..rounds {
                ahead.clone_from(&middle);
                for _ in 0..LOOKAHEAD_DEPTH {
                    let orders = legal_orders(ahead.view(), &mut random);
                    ahead.play_turn(&orders, &mut random, |_, _| {});
                }
                black_box(&ahead);
            }
        });
        f64::from(rounds * LOOKAHEAD_DEPTH) / elapsed.as_secs_f64() / 1000.0
    }

    /// Plays all turns with random players. Returns the turns per second.
    fn play(&self, mut sink: impl FnMut(Event, &State)) -> f64 {
        let mut state = self.start.clone();
        let mut chance = Seeded::new(self.seed);
        let mut random = Quick::new(self.seed);
        let elapsed = time(|| {
            for _ in 0..self.turns {
                if state.view().is_over() {
                    state.clone_from(&self.start);
                }
                let orders = [(); PLAYERS].map(|()| random_orders(&mut random));
                state.play_turn(&orders, &mut chance, &mut sink);
            }
        });
        assert_eq!(state.view().elapsed(), (self.turns - 1) % GAME + 1);
        f64::from(self.turns) / elapsed.as_secs_f64()
    }
}

fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn names() -> Vec<String> {
    Colour::first(PLAYERS).map(|colour| format!("Team {}", colour.letter())).collect()
}

fn random_orders(random: &mut Quick) -> Orders {
    let both = random.below(16) as usize;
    Orders { pacman: Some(Direction::ALL[both / 4]), ghost: Some(Direction::ALL[both % 4]) }
}

/// For each player, an exit of each of its pieces, all equally likely.
fn legal_orders(view: &View, random: &mut Quick) -> [Orders; PLAYERS] {
    let mut exit = |cell| legal_direction(view.board(), cell, random);
    let mut orders = [Orders::default(); PLAYERS];
    for (orders, player) in orders.iter_mut().zip(view.players()) {
        *orders = Orders { pacman: exit(player.pacman), ghost: exit(player.ghost) };
    }
    orders
}

fn legal_direction(board: &Board, cell: Cell, random: &mut Quick) -> Option<Direction> {
    let exits = board.exits(cell);
    // There are at most four exits.
    (!exits.is_empty()).then(|| exits[random.below(exits.len() as u32) as usize])
}
