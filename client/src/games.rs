//! The games that are played on a connection.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bots::{Bot, Budget, Situation, pyrat};
use game::colour::Colour;
use game::pacman::{Orders, Rules, View};
use game::pyrat::{Action, Direction, State};

use protocol::THOUGHT_LIMIT;

use crate::states::{GameReading, PACMAN, PYRAT};

/// A state that a bot is about to answer.
#[derive(Debug)]
pub struct Seen<'a, S> {
    /// The state.
    pub state: &'a S,
    /// The last state of the same game; `None` if a game begins or is joined.
    pub before: Option<&'a S>,
    /// The names of the players, in order of colour.
    pub names: &'a [String],
    /// The bot's own colour.
    pub me: Colour,
}

impl<S> Clone for Seen<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Seen<'_, S> {}

/// The reply of a bot to a state.
#[derive(Clone, Debug, Default)]
pub struct Reply<A> {
    /// Its answer; the default is that of a bot that has broken down.
    pub answer: A,
    /// Its thought, for people to read.
    pub thought: Option<String>,
}

impl<A> Reply<A> {
    /// The message with an answer, and with the thought, whose end is cut off if it is too long.
    fn message(self, encode: impl FnOnce(A) -> Vec<u8>) -> Vec<u8> {
        let mut message = encode(self.answer);
        if let Some(thought) = self.thought.filter(|thought| !thought.is_empty()) {
            message.push(b';');
            let thought = protocol::cut(&thought, THOUGHT_LIMIT);
            message.extend(thought.bytes().filter(|&byte| byte != 0));
        }
        message
    }
}

/// A game, as a client plays it.
pub trait ClientGame: Clone + Send + Sync + 'static {
    /// The states of the game.
    type State: Clone + Send + Sync + 'static;
    /// The bots that play the game.
    type Bot: ?Sized + Send + 'static;
    /// The answers of bots.
    type Answer: Default + Send + 'static;

    /// The name of the game.
    const NAME: &'static str;

    /// The state and the names of the players; `None` if the reading is of another game.
    fn read<'a>(reading: &'a GameReading<'_>) -> Option<(&'a Self::State, &'a [String])>;

    /// Tests if a state may be a later one of the same game.
    fn goes_on(before: &Self::State, state: &Self::State) -> bool;

    /// Asks a bot, after telling it of a new game.
    fn ask(&self, bot: &mut Self::Bot, seen: Seen<'_, Self::State>) -> Reply<Self::Answer>;

    /// The message with an answer.
    fn encode(reply: Reply<Self::Answer>) -> Vec<u8>;
}

/// Pacman.
#[derive(Clone, Copy, Debug)]
pub struct ClientPacman {
    /// The rules by which bots look ahead.
    pub rules: Rules,
    /// Time for each decision; `None` for the usual budget.
    pub thinking: Option<Duration>,
}

impl ClientPacman {
    /// A game in which bots look ahead by these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules, thinking: None }
    }
}

impl ClientGame for ClientPacman {
    type State = View;
    type Bot = dyn Bot;
    type Answer = Orders;

    const NAME: &'static str = PACMAN;

    fn read<'a>(reading: &'a GameReading<'_>) -> Option<(&'a View, &'a [String])> {
        match reading {
            GameReading::Pacman(reading) => Some((&reading.view, &reading.names)),
            GameReading::PyRat(_) => None,
        }
    }

    fn goes_on(before: &View, state: &View) -> bool {
        before.elapsed() < state.elapsed() && Arc::ptr_eq(before.board(), state.board())
    }

    fn ask(&self, bot: &mut (dyn Bot + 'static), seen: Seen<'_, View>) -> Reply<Orders> {
        let Seen { state: view, before, names, me } = seen;
        let is_new = before.is_none();
        // A state that was skipped leaves open what happened in the last turn.
        let before = before.filter(|before| before.elapsed() + 1 == view.elapsed());
        let usual = Situation { before, names, ..Situation::new(view, me, &self.rules) };
        if is_new {
            bot.new_game(&usual);
        }
        let answer = if let Some(time) = self.thinking {
            let start = Instant::now();
            let go_on = || start.elapsed() < time;
            bot.play(&Situation { budget: Budget::new(&go_on), ..usual })
        } else {
            bot.play(&usual)
        };
        Reply { answer, thought: bot.thought() }
    }

    fn encode(reply: Reply<Orders>) -> Vec<u8> {
        reply.message(|orders| orders.encode().to_vec())
    }
}

/// PyRat.
#[derive(Clone, Copy, Debug)]
pub struct ClientPyRat;

impl ClientGame for ClientPyRat {
    type State = State;
    type Bot = dyn pyrat::Bot;
    type Answer = Option<Direction>;

    const NAME: &'static str = PYRAT;

    fn read<'a>(reading: &'a GameReading<'_>) -> Option<(&'a State, &'a [String])> {
        match reading {
            GameReading::PyRat(reading) => Some((&reading.state, &reading.names)),
            GameReading::Pacman(_) => None,
        }
    }

    /// A maze comes before each game.
    fn goes_on(_: &State, _: &State) -> bool {
        true
    }

    /// In the mud, the bot is not asked.
    fn ask(
        &self,
        bot: &mut (dyn pyrat::Bot + 'static),
        seen: Seen<'_, State>,
    ) -> Reply<Option<Direction>> {
        let Seen { state, before, me, .. } = seen;
        let situation = pyrat::Situation { state, me };
        if before.is_none() {
            bot.new_game(&situation);
        }
        let in_mud = state.rats()[me.index()].mud.is_some();
        if in_mud {
            return Reply::default();
        }
        Reply { answer: bot.play(&situation), thought: bot.thought() }
    }

    fn encode(reply: Reply<Option<Direction>>) -> Vec<u8> {
        reply.message(|way| vec![way.map_or(Action::Nothing, Action::Go).encode()])
    }
}
