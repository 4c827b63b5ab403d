//! Explanation of a result: the sources of each player's gains and losses.

use std::collections::BTreeMap;
use std::time::Duration;

use game::pacman::{Colour, Event, FalseMove, Object, PieceKind, State};
use game::pyrat::Score;
use referee::Cause;
use serde_json::{Value, json};

use crate::game::{PacmanGame, Replay};
use crate::recording::Recording;
use crate::turn::{Answer, Flaw, Given, Turn};

/// Maximum number of best turns, and of worst turns, of a player.
const TURNS: usize = 5;
/// Maximum number of remarks for each flaw: malformed, late, and each cause of a miss.
const REMARKS: u32 = 3;

/// The analysis of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The analyses of the players, by colour.
    pub players: Vec<PlayerAnalysis>,
    /// The number of turns played.
    pub turns: u32,
}

/// The analysis of a player's game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerAnalysis {
    /// The name of the player.
    pub name: String,
    /// The rank, from 1; equal points share a rank.
    pub rank: usize,
    /// Points at the end of the recording; pieces of cheese in PyRat.
    pub points: f64,
    /// The sources of the points, each with its number of events and its total points, highest total first.
    /// Sources without events are left out.
    pub sources: Vec<(Source, u32, f64)>,
    /// Turns in which the pacman, or the rat outside of mud, did not move.
    pub idle: u32,
    /// Turns in which the ghost was frozen or digesting, or the rat was in the mud.
    pub held: u32,
    /// Turns without an answer before the deadline.
    pub missed: u32,
    /// The missed turns by cause.
    pub causes: Causes,
    /// Turns without a connection.
    pub disconnected: u32,
    /// Turns with an answer that was malformed, at least in part.
    pub malformed: u32,
    /// Turns in which a message answered an older state.
    pub late: u32,
    /// The first flawed answers of each flaw, with their turns, from 1.
    pub remarks: Vec<(u32, Given)>,
    /// Percentiles 0, 50, 90, 99 and 100 of the thinking times; all 0 if the player never answered.
    pub thinking: [Duration; 5],
    /// The turns with the highest gains, and these gains, in points.
    pub best: Vec<(u32, f64)>,
    /// The turns with the highest losses, and these losses, in points below 0.
    pub worst: Vec<(u32, f64)>,
}

/// The number of missed turns by cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Causes {
    /// Missed by the player.
    pub bot: u32,
    /// Missed by the network.
    pub network: u32,
    /// Missed by the host.
    pub host: u32,
    /// Missed without a recorded cause.
    pub unknown: u32,
}

impl Causes {
    fn count(&mut self, cause: Option<Cause>) -> &mut u32 {
        match cause {
            Some(Cause::Bot) => &mut self.bot,
            Some(Cause::Network(_)) => &mut self.network,
            Some(Cause::Host(_)) => &mut self.host,
            None => &mut self.unknown,
        }
    }
}

/// A source of gains or losses.
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
    /// A wall blocked the pacman.
    PacmanBlocked,
    /// A wall blocked the ghost.
    GhostBlocked,
    /// The rat ate cheese.
    Cheese,
}

impl Analysis {
    /// Analyses the recorded turns of a game.
    ///
    /// The memory is proportional to the number of players and does not depend on the number of turns.
    #[must_use]
    pub fn of(recording: &Recording) -> Self {
        let names = recording.setup.names();
        let mut totals: Vec<Totals> = names.iter().map(|_| Totals::default()).collect();
        let mut game = Replay::start(&recording.setup);
        for (number, turn) in (1..).zip(recording.turns.iter()) {
            let turn = game.judge(&turn).into_owned();
            match &mut game {
                Replay::Pacman(game) => play_pacman(game, &turn, &mut totals),
                Replay::PyRat(game) => {
                    let before = game.state().rats().to_vec();
                    game.play(&turn);
                    let rats = before.iter().zip(game.state().rats());
                    for (own, (was, is)) in totals.iter_mut().zip(rats) {
                        let eaten = is.score.saturating_sub(was.score);
                        if eaten > Score::default() {
                            // A score has at most 55 bits.
                            own.add(Source::Cheese, eaten.units().cast_signed());
                        }
                        own.player.held += u32::from(was.mud.is_some());
                        own.player.idle += is.counts.wasted() - was.counts.wasted();
                    }
                }
            }
            for (own, given) in totals.iter_mut().zip(&turn.answers) {
                own.hear(number, *given);
                own.end_turn(number);
            }
        }
        let units = match game {
            Replay::Pacman(_) => 1,
            Replay::PyRat(_) => Score::PIECE,
        };
        let points: Vec<i64> = totals.iter().map(|own| own.points).collect();
        let players = totals.into_iter().zip(names).map(|(own, name)| {
            let rank = 1 + points.iter().filter(|&&other| other > own.points).count();
            own.finish(name.clone(), rank, units)
        });
        Self { players: players.collect(), turns: game.turn() }
    }
}

/// Running totals of a player. Points are counted exactly, in whole units: points of Pacman, or parts of a piece of cheese
/// ([`Score::units`]).
#[derive(Debug, Default)]
struct Totals {
    /// The counts of turns and the remarks; the rest follows at the end.
    player: PlayerAnalysis,
    sources: Vec<(Source, u32, i64)>,
    /// The number of answers by thinking time; recordings have at most 256 distinct times.
    times: BTreeMap<Duration, u32>,
    best: Vec<(u32, i64)>,
    worst: Vec<(u32, i64)>,
    points: i64,
    /// Points of the current turn.
    now: i64,
}

impl Totals {
    fn add(&mut self, source: Source, points: i64) {
        self.now += points;
        match self.sources.iter_mut().find(|(known, _, _)| *known == source) {
            Some((_, count, sum)) => {
                *count += 1;
                *sum += points;
            }
            None => self.sources.push((source, 1, points)),
        }
    }

    /// Counts an answer, and keeps the first answers of each flaw.
    fn hear(&mut self, turn: u32, given: Given) {
        let mut is_first = false;
        let mut count = |count: &mut u32| {
            *count += 1;
            is_first |= *count <= REMARKS;
        };
        match given.answer {
            Answer::Missed => {
                self.player.missed += 1;
                count(self.player.causes.count(given.cause));
            }
            Answer::Unasked => {}
            Answer::Disconnected => self.player.disconnected += 1,
            _ => {
                *self.times.entry(given.taken).or_default() += 1;
                if given.fault().is_some() {
                    count(&mut self.player.malformed);
                }
            }
        }
        if given.excerpt.is_some_and(|excerpt| excerpt.flaw == Flaw::Late) {
            count(&mut self.player.late);
        }
        if is_first {
            self.player.remarks.push((turn, given));
        }
    }

    fn end_turn(&mut self, turn: u32) {
        let points = std::mem::take(&mut self.now);
        self.points += points;
        if points > 0 {
            // Of equal turns, the earlier one goes first.
            let at = self.best.partition_point(|(_, other)| *other >= points);
            self.best.insert(at, (turn, points));
            self.best.truncate(TURNS);
        }
        if points < 0 {
            // Of equal turns, the later one goes first.
            let at = self.worst.partition_point(|(_, other)| *other < points);
            self.worst.insert(at, (turn, points));
            self.worst.truncate(TURNS);
        }
    }

    /// `units` is the number of units in a point.
    fn finish(mut self, name: String, rank: usize, units: u64) -> PlayerAnalysis {
        self.sources.sort_by_key(|(_, _, sum)| std::cmp::Reverse(*sum));
        #[expect(clippy::cast_precision_loss, reason = "rounded once, after all sums")]
        let points = |counted: i64| counted as f64 / units as f64;
        let turns = |turns: Vec<(u32, i64)>| {
            turns.into_iter().map(|(turn, counted)| (turn, points(counted))).collect()
        };
        let sources = self.sources.into_iter();
        let answers: u64 = self.times.values().map(|count| u64::from(*count)).sum();
        let thinking = [0, 50, 90, 99, 100].map(|percent| {
            let mut before = answers.saturating_sub(1) * percent / 100;
            let mut reaches = |count: u32| match before.checked_sub(count.into()) {
                Some(left) => {
                    before = left;
                    false
                }
                None => true,
            };
            let time = self.times.iter().find(|(_, count)| reaches(**count));
            time.map_or(Duration::ZERO, |(time, _)| *time)
        });
        PlayerAnalysis {
            name,
            rank,
            points: points(self.points),
            sources: sources.map(|(source, count, sum)| (source, count, points(sum))).collect(),
            thinking,
            best: turns(self.best),
            worst: turns(self.worst),
            ..self.player
        }
    }
}

/// Plays a turn of Pacman, and attributes each change of points to its event.
fn play_pacman(game: &mut PacmanGame, turn: &Turn, totals: &mut [Totals]) {
    // The difference of two 32-bit numbers may need 33.
    let points = |state: &State, colour| -> i64 {
        state.view().player(colour).map_or(0, |player| player.points.into())
    };
    let colours = Colour::first(totals.len());
    let mut before: Vec<i64> = colours.map(|colour| points(game.state(), colour)).collect();
    let mut walked = vec![false; totals.len()];
    game.play(turn, |event, state| {
        for (own, source) in sources(event).into_iter().flatten() {
            let (index, now) = (own.index(), points(state, own));
            let changed = now - std::mem::replace(&mut before[index], now);
            if changed != 0 {
                totals[index].add(source, changed);
            }
        }
        match event {
            Event::Frozen(own) | Event::Digesting(own) => totals[own.index()].player.held += 1,
            Event::Moved { piece, .. } | Event::Teleported { piece, .. } => {
                walked[piece.colour.index()] |= piece.kind == PieceKind::Pacman;
            }
            _ => {}
        }
    });
    for (own, walked) in totals.iter_mut().zip(walked) {
        own.player.idle += u32::from(!walked);
    }
}

/// Returns the players whose points an event may change, each with the source of these points.
fn sources(event: Event) -> [Option<(Colour, Source)>; 2] {
    match event {
        Event::Took { colour, object, .. } => [Some((colour, Source::Object(object))), None],
        Event::Battle { pacman, ghost, bitten } => {
            let [of_pacman, of_ghost] =
                if bitten { [Source::Bitten, Source::Bite] } else { [Source::Meal, Source::Eaten] };
            [Some((pacman, of_pacman)), Some((ghost, of_ghost))]
        }
        Event::FalseMove { piece, cause } => {
            let source = match (cause, piece.kind) {
                (FalseMove::Malformed, _) => Source::Malformed,
                (FalseMove::Blocked, PieceKind::Pacman) => Source::PacmanBlocked,
                (FalseMove::Blocked, PieceKind::Ghost) => Source::GhostBlocked,
            };
            [Some((piece.colour, source)), None]
        }
        _ => [None, None],
    }
}

impl Source {
    /// Returns a word for programs: the letter of an object, or the name of the event.
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
    /// Returns the analysis as a JSON array of players, by colour: `name`, `rank`, `points`, `sources` as [key,
    /// count, points], `idle`, `held`, `missed`, `causes` (the number of misses by `bot`, `network`, `host` and
    /// `unknown`), `disconnected`, `malformed`, `late`, the first `remarks` as [turn, fault, cause, excerpt] with
    /// the last three as in a [film](crate::film), `thinking_s`, and `best` and `worst` as [turn, points].
    pub fn to_json(&self) -> Value {
        let remark = |(turn, given): &(u32, Given)| {
            let [fault, cause, excerpt] = given.film_remark();
            json!([turn, fault, cause, excerpt])
        };
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
                "causes": {
                    "bot": player.causes.bot,
                    "network": player.causes.network,
                    "host": player.causes.host,
                    "unknown": player.causes.unknown,
                },
                "disconnected": player.disconnected,
                "malformed": player.malformed,
                "late": player.late,
                "remarks": player.remarks.iter().map(remark).collect::<Vec<_>>(),
                "thinking_s": player.thinking.map(|time| time.as_secs_f64()),
                "best": player.best,
                "worst": player.worst,
            })
        };
        self.players.iter().map(player).collect()
    }
}
