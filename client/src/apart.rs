//! Bots that think on other threads than the connection's.

use bots::Bot;
use bots::pyrat::Player;
use game::colour::Colour;
use game::pacman::{Orders, Rules, View};
use game::pyrat::{Direction, State};
use tokio::task::spawn_blocking;
use tracing::error;

use crate::{play, pyrat};

/// A bot, of either game, that thinks on a thread of the runtime's pool: however long it takes, the tasks of the
/// runtime go on. One that panics answers nothing sensible from then on.
#[derive(Debug)]
pub struct Apart<B: ?Sized>(Option<Box<B>>);

impl<B: ?Sized> Apart<B> {
    /// A bot that thinks apart.
    #[must_use]
    pub fn new(bot: Box<B>) -> Self {
        Self(Some(bot))
    }

    async fn ask<T>(&mut self, question: impl FnOnce(&mut Box<B>) -> T + Send + 'static) -> Option<T>
    where
        B: Send + 'static,
        T: Send + 'static,
    {
        let mut bot = self.0.take()?;
        let answered = spawn_blocking(move || {
            let answer = question(&mut bot);
            (bot, answer)
        });
        match answered.await {
            Ok((bot, answer)) => {
                self.0 = Some(bot);
                Some(answer)
            }
            Err(failure) => {
                error!("a bot broke down: {failure}");
                None
            }
        }
    }
}

impl play::Mind for Apart<dyn Bot> {
    async fn decide(&mut self, view: &View, me: Colour, rules: &Rules, is_new: bool) -> Orders {
        let (view, rules) = (view.clone(), *rules);
        let question = move |bot: &mut Box<dyn Bot>| {
            play::decide(bot.as_mut(), &view, me, &rules, is_new)
        };
        self.ask(question).await.unwrap_or_default()
    }
}

impl pyrat::Mind for Apart<dyn Player> {
    async fn decide(&mut self, state: &State, me: Colour, is_new: bool) -> Option<Direction> {
        let state = state.clone();
        let question = move |player: &mut Box<dyn Player>| {
            pyrat::decide(player.as_mut(), &state, me, is_new)
        };
        self.ask(question).await.flatten()
    }
}
