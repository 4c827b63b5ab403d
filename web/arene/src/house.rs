//! Bots of the house at the seats of a game.

use bots::{Situation, pyrat};
use game::colour::Colour;
use game::pacman::{Rules, View};
use game::pyrat::Action;
use replay::{Answer, Replay, Setup};

use crate::Error;

/// A bot of the house that plays for one player of a game.
pub(crate) trait Seat {
    /// Prepares for a game that begins.
    fn begin(&mut self, game: &Replay, me: Colour);

    /// The answer in this turn.
    fn answer(&mut self, game: &Replay, me: Colour) -> Answer;
}

/// Seats a bot of the house in a game with this start. Its draws depend on the seed of the game and on its seat.
pub(crate) fn seat(setup: &Setup, bot: &str, number: usize) -> Result<Box<dyn Seat>, Error> {
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
            // Nobody is asked in the mud.
            Some(rat) if rat.mud.is_none() => {
                Answer::Action(self.0.play(&situation).map_or(Action::Nothing, Action::Go))
            }
            _ => Answer::Missed,
        }
    }
}
