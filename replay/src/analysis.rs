//! Why somebody lost: where the points of each player came from and went to.

use std::time::Duration;

use game::pacman::{Colour, Event, Object, Piece, PieceKind, State};

use serde_json::{Value, json};

use crate::game::{Game, PacmanGame};
use crate::recording::Recording;
use crate::turn::{Answer, Turn};

/// So many of the turns that earned or cost most are told.
const TURNS: usize = 5;

/// What each player made of a game, by colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The players.
    pub players: Vec<PlayerAnalysis>,
    /// Turns that were played.
    pub turns: u32,
}

/// What a player made of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerAnalysis {
    /// Its name.
    pub name: String,
    /// From 1; equal points share a rank.
    pub rank: usize,
    /// Points in the end; pieces of cheese in PyRat.
    pub points: f64,
    /// Where they came from: how often, and how many points in all, most first. Without sources that
    /// never were.
    pub sources: Vec<(Source, u32, f64)>,
    /// Turns in which the pacman, or the rat outside of mud, got nowhere.
    pub idle: u32,
    /// Turns in which the ghost was frozen or digested, or the rat was in the mud.
    pub held: u32,
    /// Turns in which nothing came in time.
    pub missed: u32,
    /// Turns without a connection.
    pub disconnected: u32,
    /// Turns with an answer that was malformed, at least in part.
    pub malformed: u32,
    /// How long it thought: the shortest, the median, nine in ten, 99 in 100, and the longest time. All
    /// 0 when it never answered.
    pub thinking: [Duration; 5],
    /// The turns that earned most, and what they earned.
    pub best: Vec<(u32, f64)>,
    /// The turns that cost most, and what they cost, below 0.
    pub worst: Vec<(u32, f64)>,
}

/// Where points come from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// An object that the pacman took.
    Object(Object),
    /// The ghost bit a pacman.
    Bite,
    /// The pacman, a glutton, ate a ghost.
    Meal,
    /// The pacman was bitten.
    Bitten,
    /// The ghost was eaten.
    Eaten,
    /// An order was malformed.
    Malformed,
    /// A wall was in the way of the pacman.
    PacmanBlocked,
    /// A wall was in the way of the ghost.
    GhostBlocked,
    /// Cheese.
    Cheese,
}

impl Analysis {
    /// The analysis of what was recorded of a game.
    #[must_use]
    pub fn of(recording: &Recording) -> Self {
        let names = recording.setup.names();
        let mut tallies: Vec<Tally> = names.iter().map(|_| Tally::default()).collect();
        let mut game = Game::start(&recording.setup);
        for turn in &recording.turns {
            match &mut game {
                Game::Pacman(game) => play_pacman(game, turn, &mut tallies),
                Game::PyRat(game) => {
                    let before = game.state().clone();
                    game.play(turn);
                    for (index, tally) in tallies.iter_mut().enumerate() {
                        let (was, is) = (before.rats()[index], game.state().rats()[index]);
                        let eaten = is.score.as_f64() - was.score.as_f64();
                        if eaten > 0.0 {
                            tally.add(Source::Cheese, eaten);
                        }
                        tally.held += u32::from(was.mud.is_some());
                        tally.idle += is.counts.wasted() - was.counts.wasted();
                    }
                }
            }
            for (tally, given) in tallies.iter_mut().zip(&turn.answers) {
                match given.answer {
                    Answer::Missed => tally.missed += 1,
                    Answer::Disconnected => tally.disconnected += 1,
                    _ if given.is_fault() => tally.malformed += 1,
                    _ => {}
                }
                if !matches!(given.answer, Answer::Missed | Answer::Disconnected) {
                    tally.times.push(given.taken);
                }
                tally.end_turn();
            }
        }
        let points: Vec<f64> = tallies.iter().map(|tally| tally.turns.iter().sum()).collect();
        let players = tallies.into_iter().zip(names).zip(&points);
        let players = players.map(|((tally, name), &own)| {
            let rank = 1 + points.iter().filter(|&&other| other > own).count();
            tally.finish(name.clone(), rank, own)
        });
        Self { players: players.collect(), turns: game.turn() }
    }
}

/// What is known of a player so far.
#[derive(Debug, Default)]
struct Tally {
    sources: Vec<(Source, u32, f64)>,
    idle: u32,
    held: u32,
    missed: u32,
    disconnected: u32,
    malformed: u32,
    times: Vec<Duration>,
    /// Points of each turn.
    turns: Vec<f64>,
    /// Points of the turn that is played.
    now: f64,
}

impl Tally {
    fn add(&mut self, source: Source, points: f64) {
        self.now += points;
        match self.sources.iter_mut().find(|(known, _, _)| *known == source) {
            Some((_, count, sum)) => {
                *count += 1;
                *sum += points;
            }
            None => self.sources.push((source, 1, points)),
        }
    }

    fn end_turn(&mut self) {
        self.turns.push(std::mem::take(&mut self.now));
    }

    fn finish(mut self, name: String, rank: usize, points: f64) -> PlayerAnalysis {
        self.sources.sort_by(|a, b| b.2.total_cmp(&a.2));
        self.times.sort_unstable();
        let last = self.times.len().saturating_sub(1);
        let thinking = [0, 50, 90, 99, 100]
            .map(|percent| self.times.get(last * percent / 100).copied().unwrap_or_default());
        let mut turns: Vec<(u32, f64)> = (1..).zip(self.turns).collect();
        turns.sort_by(|a, b| b.1.total_cmp(&a.1));
        let best = turns.iter().copied().filter(|turn| turn.1 > 0.0).take(TURNS).collect();
        let worst = turns.iter().rev().copied().filter(|turn| turn.1 < 0.0).take(TURNS).collect();
        PlayerAnalysis {
            name,
            rank,
            points,
            sources: self.sources,
            idle: self.idle,
            held: self.held,
            missed: self.missed,
            disconnected: self.disconnected,
            malformed: self.malformed,
            thinking,
            best,
            worst,
        }
    }
}

/// Plays a turn of Pacman, and attributes to each event the points that changed with it.
fn play_pacman(game: &mut PacmanGame, turn: &Turn, tallies: &mut [Tally]) {
    let points = |state: &State| -> Vec<i32> {
        state.view().players().iter().map(|player| player.points).collect()
    };
    let mut before = points(game.state());
    let mut walked = vec![false; tallies.len()];
    game.play(turn, |event, state| {
        let now = points(state);
        for (index, tally) in tallies.iter_mut().enumerate() {
            let own = Colour::new(index).expect("there are no more players than colours");
            let changed = now[index] - before[index];
            if let Some(source) = source(event, own).filter(|_| changed != 0) {
                tally.add(source, changed.into());
            }
            match event {
                Event::Frozen(colour) | Event::Digesting(colour) if colour == own => {
                    tally.held += 1;
                }
                Event::Moved { piece, .. } | Event::Teleported { piece, .. }
                    if piece == Piece::pacman(own) =>
                {
                    walked[index] = true;
                }
                _ => {}
            }
        }
        before = now;
    });
    for (tally, walked) in tallies.iter_mut().zip(walked) {
        tally.idle += u32::from(!walked);
    }
}

/// What an event is to the points of a player.
fn source(event: Event, own: Colour) -> Option<Source> {
    match event {
        Event::Took { colour, object, .. } if colour == own => Some(Source::Object(object)),
        Event::Battle { pacman, bitten, .. } if pacman == own => {
            Some(if bitten { Source::Bitten } else { Source::Meal })
        }
        Event::Battle { ghost, bitten, .. } if ghost == own => {
            Some(if bitten { Source::Bite } else { Source::Eaten })
        }
        Event::FalseMove { piece, cause } if piece.colour == own => {
            Some(match (cause, piece.kind) {
                (game::pacman::FalseMove::Malformed, _) => Source::Malformed,
                (game::pacman::FalseMove::Blocked, PieceKind::Pacman) => Source::PacmanBlocked,
                (game::pacman::FalseMove::Blocked, PieceKind::Ghost) => Source::GhostBlocked,
            })
        }
        _ => None,
    }
}

impl Source {
    /// A word for it, for programs: the letter of an object, or what happened.
    #[must_use]
    pub fn key(self) -> String {
        match self {
            Self::Object(object) => object.letter().to_string(),
            Self::Bite => "bite".to_owned(),
            Self::Meal => "meal".to_owned(),
            Self::Bitten => "bitten".to_owned(),
            Self::Eaten => "eaten".to_owned(),
            Self::Malformed => "malformed".to_owned(),
            Self::PacmanBlocked => "pacman_blocked".to_owned(),
            Self::GhostBlocked => "ghost_blocked".to_owned(),
            Self::Cheese => "cheese".to_owned(),
        }
    }
}

impl Analysis {
    /// The analysis as a JSON array of players, by colour: `name`, `rank`, `points`, `sources` as [key,
    /// count, points], `idle`, `held`, `missed`, `disconnected`, `malformed`, `thinking_s`, and `best` and
    /// `worst` as [turn, points].
    #[must_use]
    pub fn to_json(&self) -> Value {
        let player = |player: &PlayerAnalysis| {
            let sources = player.sources.iter();
            let sources: Vec<_> = sources
                .map(|(source, count, points)| json!([source.key(), count, points]))
                .collect();
            json!({
                "name": player.name,
                "rank": player.rank,
                "points": player.points,
                "sources": sources,
                "idle": player.idle,
                "held": player.held,
                "missed": player.missed,
                "disconnected": player.disconnected,
                "malformed": player.malformed,
                "thinking_s": player.thinking.map(|time| time.as_secs_f64()),
                "best": player.best,
                "worst": player.worst,
            })
        };
        self.players.iter().map(player).collect()
    }
}
