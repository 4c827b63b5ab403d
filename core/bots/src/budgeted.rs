//! A bot with a thinking time for each decision.

use std::fmt;

use game::pacman::Orders;

use crate::{Bot, Situation};

/// Answers `true` while a decision may go on; the bot asks before each part of its work.
pub type GoOn = Box<dyn FnMut() -> bool>;

/// A bot whose [`play`](Bot::play) keeps to a budget for each decision.
///
/// ```
/// use bots::{Bot, Budgeted, by_name};
///
/// // A clock does as well; a count makes games reproducible.
/// let bot = by_name("champion").unwrap().make(1);
/// let bot: Box<dyn Bot> = Box::new(Budgeted::new(bot, || {
///     let mut parts = 0..100;
///     Box::new(move || parts.next().is_some())
/// }));
/// ```
pub struct Budgeted {
    bot: Box<dyn Bot>,
    begin: Box<dyn FnMut() -> GoOn + Send>,
}

impl fmt::Debug for Budgeted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Budgeted")
    }
}

impl Budgeted {
    /// Gives `bot` a budget: `begin` makes one at the start of each decision.
    #[must_use]
    pub fn new(bot: Box<dyn Bot>, begin: impl FnMut() -> GoOn + Send + 'static) -> Self {
        Self { bot, begin: Box::new(begin) }
    }
}

impl Bot for Budgeted {
    fn new_game(&mut self, situation: &Situation<'_>) {
        self.bot.new_game(situation);
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        self.bot.play_within(situation, &mut *(self.begin)())
    }
}
