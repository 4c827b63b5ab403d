//! Bots of the house at the seats of a game.

use bots::{Evaluation, Situation, pyrat};
use game::colour::Colour;
use game::pacman::{Rules, View};
use game::pyrat::Action;
use replay::{Answer, Given, Replay, Setup};

use crate::Error;

/// Copies of a bot that are kept of its last turns; of twice as many turns, it is every second one, and so on.
const KEPT: u32 = 8;

/// A bot of the house that has seen a game so far, with copies from earlier turns, from which it can go on.
pub(crate) struct Seated {
    me: Colour,
    seat: Box<dyn Seat>,
    /// Number of states that it has answered.
    asked: u32,
    /// Copies, each with the number of states that it has answered.
    past: Vec<(u32, Box<dyn Seat>)>,
}

impl Seated {
    /// Seats a bot in a game with this start. Its draws depend on the seed of the game and on its seat.
    pub(crate) fn new(setup: &Setup, bot: &str, me: Colour) -> Result<Self, Error> {
        Ok(Self { me, seat: seat(setup, bot, me.index())?, asked: 0, past: Vec::new() })
    }

    /// Number of states that it has answered.
    pub(crate) fn asked(&self) -> u32 {
        self.asked
    }

    /// The answer to the state of this turn, the first one or the one after the last turn that it has answered.
    pub(crate) fn answer(&mut self, game: &Replay) -> Given {
        if self.asked == 0 {
            self.seat.begin(game, self.me);
        }
        let now = self.asked;
        self.past.retain(|(turn, _)| {
            let spacing = 1 << ((now - turn) / KEPT).checked_ilog2().unwrap_or(0);
            turn % spacing == 0
        });
        self.past.extend(self.seat.fork().map(|copy| (now, copy)));
        self.asked = game.turn() + 1;
        Given::nothing(self.seat.answer(game, self.me))
    }

    /// The bot as it was when it had answered the states of the first `turns` turns, or fewer; `None` if no copy was kept.
    pub(crate) fn at(&self, turns: u32) -> Option<Self> {
        let copy = |(turn, seat): &(u32, Box<dyn Seat>)| Some((*turn, seat.fork()?));
        let earlier = self.past.iter().filter(|(turn, _)| *turn <= turns);
        let mut past: Vec<_> = earlier.map(copy).collect::<Option<_>>()?;
        let (asked, seat) = past.pop()?;
        Some(Self { me: self.me, seat, asked, past })
    }

    /// The bot's evaluation of its last answer, which was to this state.
    pub(crate) fn evaluation(&self, game: &Replay) -> Option<Evaluation> {
        self.seat.evaluation(game, self.me)
    }
}

/// A bot of the house that plays for one player of a game.
trait Seat {
    /// Prepares for a game that begins.
    fn begin(&mut self, game: &Replay, me: Colour);

    /// The answer in this turn.
    fn answer(&mut self, game: &Replay, me: Colour) -> Answer;

    /// A copy that plays on in the same way, if the bot can be copied.
    fn fork(&self) -> Option<Box<dyn Seat>> {
        None
    }

    /// The bot's evaluation of its last answer, which was to this state.
    fn evaluation(&self, _: &Replay, _: Colour) -> Option<Evaluation> {
        None
    }
}

fn seat(setup: &Setup, bot: &str, number: usize) -> Result<Box<dyn Seat>, Error> {
    let seed = setup.seed().wrapping_add(number as u64);
    Ok(match setup {
        Setup::Pacman(setup) => {
            let bot = bots::by_name(bot).map_err(Error::Bot)?.make(seed);
            Box::new(Pacman { bot, rules: setup.rules, before: None })
        }
        Setup::PyRat(_) => Box::new(Rat(pyrat::by_name(bot).map_err(Error::Bot)?.make(seed))),
    })
}

struct Pacman {
    bot: Box<dyn bots::Bot>,
    rules: Rules,
    /// The state a turn earlier.
    before: Option<View>,
}

impl Seat for Pacman {
    fn begin(&mut self, game: &Replay, me: Colour) {
        if let Replay::Pacman(game) = game {
            self.bot.new_game(&Situation::new(game.state().view(), me, &self.rules));
        }
    }

    fn answer(&mut self, game: &Replay, me: Colour) -> Answer {
        let Replay::Pacman(game) = game else { return Answer::Missed };
        let Self { bot, rules, before } = self;
        let view = game.state().view();
        let before_view = before.as_ref();
        let situation = Situation { before: before_view, ..Situation::new(view, me, rules) };
        let orders = bot.play(&situation);
        before.get_or_insert_with(|| view.clone()).clone_from(view);
        Answer::Orders(orders)
    }

    fn fork(&self) -> Option<Box<dyn Seat>> {
        let Self { bot, rules, before } = self;
        Some(Box::new(Self { bot: bot.fork()?, rules: *rules, before: before.clone() }))
    }

    fn evaluation(&self, game: &Replay, me: Colour) -> Option<Evaluation> {
        let Replay::Pacman(game) = game else { return None };
        self.bot.evaluation(&Situation::new(game.state().view(), me, &self.rules))
    }
}

struct Rat(Box<dyn pyrat::Bot>);

impl Seat for Rat {
    fn begin(&mut self, game: &Replay, me: Colour) {
        if let Replay::PyRat(game) = game {
            self.0.new_game(&pyrat::Situation { state: game.state(), me });
        }
    }

    fn answer(&mut self, game: &Replay, me: Colour) -> Answer {
        let Replay::PyRat(game) = game else { return Answer::Missed };
        let situation = pyrat::Situation { state: game.state(), me };
        match situation.rat() {
            Some(rat) if rat.mud.is_none() => {
                Answer::Action(self.0.play(&situation).map_or(Action::Nothing, Action::Go))
            }
            _ => Answer::Unasked,
        }
    }

    fn evaluation(&self, _: &Replay, _: Colour) -> Option<Evaluation> {
        Some(Evaluation { line: self.0.line()?, ..Evaluation::default() })
    }
}
