//! Estimates, for a recorded game of Pacman, how many points a player lost by its worst orders.
//!
//! In each turn, the orders that `champion` would have given in the player's place are tried, and every other free direction of one piece: the
//! other players play that turn as they did, and from then on `glouton`, another bot of the house, plays for everybody. Alternatives of a turn are compared under the same
//! draws of the game, so that luck favours none of them. The most promising ones are tried again under other draws, and the gain of those
//! that remain is estimated under further draws. Advice whose last estimate is not above 0 is dropped, which makes the average of the
//! rest too high.
//!
//! So a figure tells what another order would have gained for a player who plays on like `glouton`, against such players.

use std::ops::Range;

use bots::{Bot, Situation};
use game::pacman::{Colour, Direction, Orders, Seeded, State, View};
use replay::{Answer, Given, Marks, PacmanSetup, Recorder, Recording, Replay, Setup, Turn, hash};

/// The bot that plays on.
const MODEL: &str = "glouton";
/// The bot whose orders are tried.
const ADVISER: &str = "champion";
/// A number for seeds of draws that no game has by chance.
const DRAWS: u64 = 0x636f_6163_6800;

/// The number of games that are simulated to find the advice.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Draws for each alternative of each turn.
    pub first: u32,
    /// Draws for each alternative of the turns that are looked at closely.
    pub second: u32,
    /// The number of those turns.
    pub close: usize,
    /// Draws for each advice that is given.
    pub last: u32,
    /// The number of advices.
    pub advices: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self { first: 2, second: 16, close: 20, last: 32, advices: 5 }
    }
}

/// Orders that would have been better than those that were played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// The turn, from 1.
    pub turn: u32,
    /// The orders that were played.
    pub played: Orders,
    /// The better orders, which differ in the direction of one piece, or are those of `champion`.
    pub advised: Orders,
    /// The points that the player has more at the end, on average over the draws.
    pub gain: f64,
    /// Half of the width of the 95 % interval of the gain.
    pub margin: f64,
}

impl Advice {
    /// The least gain that the draws leave probable.
    fn least(&self) -> f64 {
        self.gain - self.margin
    }
}

/// Gives advice to a player: at most one for each turn, the best first; only such as gain points. Nothing for a game of PyRat.
///
/// ```
/// use bots::{Budget, HouseGame, by_name};
/// use coach::{Effort, advise};
/// use game::pacman::{Colour, Rules};
/// use replay::{Answer, Given, Marks, PacmanSetup, Recording, Setup, Turn};
///
/// let (map, rules, seed, turns) = ("3;6\n# .. #\n  &.  \n# .. #\n".parse()?, Rules::SUJET, 7, 20);
/// let bots = (0..2).map(|seed| by_name("aleatoire").unwrap().make(seed)).collect();
/// let mut game = HouseGame::start(&map, rules, turns, seed, bots);
/// let names = vec!["Ada".to_owned(), "Bob".to_owned()];
/// let mut recording = Recording::new(Setup::Pacman(PacmanSetup { map, rules, seed, turns, names }));
/// while !game.state().view().is_over() {
///     let answer = |me| Given::nothing(Answer::Orders(game.ask(me, Budget::default())));
///     let answers = Colour::first(2).map(answer).collect();
///     game.play_asked(|_, _| {});
///     recording.turns.push(&Turn { answers, marks: Marks::default() });
/// }
/// let advices = advise(&recording, Colour::first(2).next().unwrap(), Effort::default());
/// assert!(advices.iter().all(|advice| advice.gain > 0.0));
/// # Ok::<(), game::pacman::MapError>(())
/// ```
#[must_use]
pub fn advise(recording: &Recording, me: Colour, effort: Effort) -> Vec<Advice> {
    let Setup::Pacman(setup) = &recording.setup else { return Vec::new() };
    let coach = Coach { recording, setup, me, advised: adviser(recording, setup, me) };
    let Effort { first, second, close, last, advices } = effort;
    let turns: Vec<_> = (1..=recording.turn()).collect();
    let found = coach.try_all(&turns, 0..first);
    let close = best(found, close, |advice| advice.gain);
    let is_close = |turn: &u32| close.iter().any(|advice| advice.turn == *turn);
    let turns: Vec<_> = turns.into_iter().filter(is_close).collect();
    let found = coach.try_all(&turns, first..first + second);
    let chosen = best(found, advices, Advice::least);
    let from = first + second;
    best(coach.try_again(&chosen, from..from + last), advices, |advice| advice.gain)
}

/// The advices of the highest value, the best first; only such as gain points.
fn best(mut found: Vec<Advice>, most: usize, value: fn(&Advice) -> f64) -> Vec<Advice> {
    found.retain(|advice| advice.gain > 0.0);
    let mut best = Vec::new();
    while best.len() < most {
        let first =
            (0..found.len()).reduce(|a, b| if value(&found[b]) > value(&found[a]) { b } else { a });
        let Some(first) = first else { break };
        best.push(found.remove(first));
    }
    best
}

/// The points of a player at the end of the game if it gives other orders in a turn, and the bot of the house plays on for everybody
/// under draws of this number; `None` if there is no such turn, or for a game of PyRat.
#[must_use]
pub fn play_on(
    recording: &Recording,
    me: Colour,
    turn: u32,
    orders: Orders,
    draws: u64,
) -> Option<i32> {
    let Setup::Pacman(setup) = &recording.setup else { return None };
    let coach = Coach { recording, setup, me, advised: Vec::new() };
    let mut points = None;
    coach.visit(&[turn], |table, moment| {
        points = Some(table.play_on(moment, orders, draws));
    });
    points
}

/// The bytes of a recording of the game in which a player follows an advice: the turns before, the advised orders, and then the bot of
/// the house for everybody, with the luck of the recorded game. Empty for a game of PyRat.
#[must_use]
pub fn branch(recording: &Recording, me: Colour, advice: &Advice) -> Vec<u8> {
    let Setup::Pacman(setup) = &recording.setup else { return Vec::new() };
    let (mut recorder, mut bytes) = Recorder::start(recording.setup.clone());
    let mut game = Replay::start(&recording.setup);
    let mut record = |game: &mut Replay, mut turn: Turn| {
        game.play(&turn);
        turn.marks = game.marks();
        bytes.extend(recorder.turn(turn, hash(game.text())));
    };
    for mut turn in recording.turns.range(0..advice.turn as usize) {
        if game.turn() + 1 == advice.turn {
            turn.answers[me.index()] = Given::nothing(Answer::Orders(advice.advised));
        }
        record(&mut game, turn);
    }
    let mut bots = models(setup.names.len());
    while !game.is_over() {
        let Replay::Pacman(now) = &game else { break };
        let answer = |(colour, bot): (Colour, &mut Box<dyn Bot>)| {
            let situation = Situation::new(now.state().view(), colour, &setup.rules);
            if now.state().view().elapsed() == advice.turn {
                bot.new_game(&situation);
            }
            Given::nothing(Answer::Orders(bot.play(&situation)))
        };
        let answers = Colour::first(setup.names.len()).zip(&mut bots).map(answer).collect();
        record(&mut game, Turn { answers, marks: Marks::default() });
    }
    let end = hash(game.text());
    bytes.extend(recorder.end(end));
    bytes
}

/// A bot that plays on for each player.
fn models(players: usize) -> Vec<Box<dyn Bot>> {
    let model = bots::by_name(MODEL).expect("it is a bot of the house");
    (0..players as u64).map(|seed| model.make(seed)).collect()
}

struct Coach<'a> {
    recording: &'a Recording,
    setup: &'a PacmanSetup,
    me: Colour,
    /// The orders that `champion` would have given, by turn.
    advised: Vec<Orders>,
}

/// The orders that `champion` would have given in each turn, had it seen the game as this player.
fn adviser(recording: &Recording, setup: &PacmanSetup, me: Colour) -> Vec<Orders> {
    let mut bot = bots::by_name(ADVISER).expect("it is a bot of the house").make(0);
    let (mut game, mut before) = (Replay::start(&recording.setup), None::<View>);
    let mut orders = Vec::new();
    for turn in recording.turns.iter() {
        let Replay::Pacman(now) = &game else { break };
        let view = now.state().view();
        let situation =
            Situation { before: before.as_ref(), ..Situation::new(view, me, &setup.rules) };
        if before.is_none() {
            bot.new_game(&situation);
        }
        orders.push(bot.play(&situation));
        before = Some(view.clone());
        game.play(&turn);
    }
    orders
}

impl Coach<'_> {
    /// The best alternative of each of these turns.
    fn try_all(&self, turns: &[u32], draws: Range<u32>) -> Vec<Advice> {
        in_parts(|part, parts| {
            // Neighbours cost equally much.
            let own: Vec<_> = turns.iter().skip(part).step_by(parts).copied().collect();
            let mut found = Vec::new();
            self.visit(&own, |table, moment| {
                let alternatives = self.alternatives(moment);
                let tried = table.compare(moment, alternatives, draws.clone());
                found.extend(tried.into_iter().reduce(|a, b| if b.gain > a.gain { b } else { a }));
            });
            found
        })
    }

    /// Other orders: those of `champion`, and those with another free direction of one piece.
    fn alternatives(&self, moment: &Moment<'_>) -> Vec<Orders> {
        let Moment { turn, state, played, .. } = *moment;
        let view = state.view();
        let Some(own) = view.player(self.me) else { return Vec::new() };
        let board = view.board();
        let passes = own.powers.wall_pass > 0;
        let pacman = Direction::ALL
            .into_iter()
            .filter(|way| passes || board.is_open(own.pacman, *way))
            .map(|way| Orders { pacman: Some(way), ..played });
        let ghost = board.exits(own.ghost).iter().map(|way| Orders { ghost: Some(*way), ..played });
        let mut all: Vec<_> = pacman.chain(ghost).collect();
        let advised = self.advised.get(turn as usize - 1).filter(|orders| !all.contains(orders));
        all.extend(advised);
        all.retain(|orders| *orders != played);
        all
    }

    /// The gain of advices under other draws.
    fn try_again(&self, advices: &[Advice], draws: Range<u32>) -> Vec<Advice> {
        let mut found = Vec::new();
        let turns: Vec<_> = advices.iter().map(|advice| advice.turn).collect();
        self.visit(&turns, |table, moment| {
            let own = advices.iter().filter(|advice| advice.turn == moment.turn);
            let alternatives = own.map(|advice| advice.advised).collect();
            found.extend(table.compare(moment, alternatives, draws.clone()));
        });
        found
    }

    /// Plays the game again, and visits some turns before they are played, in order.
    fn visit(&self, turns: &[u32], mut visit: impl FnMut(&mut Table<'_>, &Moment<'_>)) {
        let players = self.setup.names.len();
        let mut table =
            Table { coach: self, bots: models(players), orders: Vec::with_capacity(players) };
        let mut game = Replay::start(&self.recording.setup);
        let last = turns.iter().copied().max().unwrap_or_default();
        for (number, turn) in (1..=last).zip(self.recording.turns.iter()) {
            if turns.contains(&number)
                && let Replay::Pacman(game) = &game
            {
                let orders: Vec<_> = turn.answers.iter().map(Given::orders).collect();
                let played = orders[self.me.index()];
                let state = game.state();
                visit(&mut table, &Moment { turn: number, state, orders: &orders, played });
            }
            game.play(&turn);
        }
    }
}

/// Does the parts of some work on all processors. The part and the number of parts are given.
#[cfg(not(target_family = "wasm"))]
fn in_parts(part: impl Fn(usize, usize) -> Vec<Advice> + Sync) -> Vec<Advice> {
    use std::thread;

    let threads = thread::available_parallelism().map_or(1, usize::from);
    let part = &part;
    thread::scope(|scope| {
        let others: Vec<_> =
            (1..threads).map(|other| scope.spawn(move || part(other, threads))).collect();
        let mut found = part(0, threads);
        for other in others {
            found.extend(other.join().expect("playing on does not panic"));
        }
        found
    })
}

/// Does some work: WebAssembly has one thread.
#[cfg(target_family = "wasm")]
fn in_parts(part: impl Fn(usize, usize) -> Vec<Advice>) -> Vec<Advice> {
    part(0, 1)
}

/// A turn before it is played.
struct Moment<'a> {
    turn: u32,
    state: &'a State,
    /// The recorded orders of all players.
    orders: &'a [Orders],
    /// The recorded orders of the player who is coached.
    played: Orders,
}

/// The bots that play on.
struct Table<'a> {
    coach: &'a Coach<'a>,
    bots: Vec<Box<dyn Bot>>,
    orders: Vec<Orders>,
}

impl Table<'_> {
    /// Compares alternatives with what was played.
    fn compare(
        &mut self,
        moment: &Moment<'_>,
        alternatives: Vec<Orders>,
        draws: Range<u32>,
    ) -> Vec<Advice> {
        let Moment { turn, played, .. } = *moment;
        let mut ends = |own: Orders| -> Vec<i32> {
            draws.clone().map(|draw| self.play_on(moment, own, draw.into())).collect()
        };
        let as_played = ends(played);
        let compare = |advised| {
            let then = ends(advised);
            let gains: Vec<_> =
                then.iter().zip(&as_played).map(|(then, now)| f64::from(then - now)).collect();
            let count = f64::from(draws.len() as u32);
            let gain = gains.iter().sum::<f64>() / count;
            let squares = gains.iter().map(|one| (one - gain).powi(2)).sum::<f64>();
            let margin = 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt();
            Advice { turn, played, advised, gain, margin }
        };
        alternatives.into_iter().map(compare).collect()
    }

    /// The points of the player at the end of the game, if it plays these orders and the bots play on.
    fn play_on(&mut self, moment: &Moment<'_>, own: Orders, draw: u64) -> i32 {
        let Self { coach: Coach { setup, me, .. }, bots, orders } = self;
        let mut state = moment.state.clone();
        let mut chance = Seeded::new(DRAWS + draw);
        orders.clear();
        orders.extend_from_slice(moment.orders);
        orders[me.index()] = own;
        let mut play = |state: &mut State, orders: &[Orders]| {
            state.play_recorded(orders, &mut chance, &mut |_, _| {});
        };
        play(&mut state, orders);
        let players = || Colour::first(setup.names.len());
        for (colour, bot) in players().zip(&mut *bots) {
            bot.new_game(&Situation::new(state.view(), colour, &setup.rules));
        }
        while !state.view().is_over() {
            for (colour, bot) in players().zip(&mut *bots) {
                let situation = Situation::new(state.view(), colour, &setup.rules);
                orders[colour.index()] = bot.play(&situation);
            }
            play(&mut state, orders);
        }
        state.view().players()[me.index()].points
    }
}
