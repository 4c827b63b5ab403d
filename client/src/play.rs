//! Playing on one connection.

use std::sync::Arc;

use bots::{Bot, Situation};
use game::pacman::{self, Colour, Orders, Rules, View};
use protocol::Registration;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::apart;
use crate::states::{ConnectionEnd, GameReading, Next, PACMAN, PYRAT, ProtocolError, States};

/// A state that the bot is about to answer.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The state.
    pub view: &'a View,
    /// The names of the players, in order of colour.
    pub names: &'a [String],
    /// The bot's own colour.
    pub me: Colour,
}

/// The mind of a player: a bot, on the task that plays, or [`Apart`] from it.
pub trait Mind {
    /// The orders in this situation; a new game starts, or a running one is joined, if that `is_new`.
    fn decide(
        &mut self,
        situation: &Situation<'_>,
        is_new: bool,
    ) -> impl Future<Output = Orders> + Send;
}

impl Mind for &mut (dyn Bot + '_) {
    fn decide(
        &mut self,
        situation: &Situation<'_>,
        is_new: bool,
    ) -> impl Future<Output = Orders> + Send {
        std::future::ready(decide(*self, situation, is_new))
    }
}

/// A bot that thinks on threads of its own, so that a slow one delays no task.
pub struct Apart(Option<Box<dyn Bot>>);

impl Apart {
    /// A bot that thinks apart.
    #[must_use]
    pub fn new(bot: Box<dyn Bot>) -> Self {
        Self(Some(bot))
    }
}

impl Mind for Apart {
    async fn decide(&mut self, situation: &Situation<'_>, is_new: bool) -> Orders {
        let Situation { view, before, names, me, rules } = *situation;
        let (view, before, names, rules) =
            (view.clone(), before.cloned(), names.to_owned(), *rules);
        let question = move |bot: &mut Box<dyn Bot>| {
            let (before, rules) = (before.as_ref(), &rules);
            let situation = Situation { view: &view, before, names: &names, me, rules };
            decide(bot.as_mut(), &situation, is_new)
        };
        apart::ask(&mut self.0, question).await.unwrap_or_default()
    }
}

/// The orders of a bot.
fn decide(bot: &mut dyn Bot, situation: &Situation<'_>, is_new: bool) -> Orders {
    if is_new {
        bot.new_game(situation);
    }
    bot.play(situation)
}

/// Registers and answers every state as the bot decides, until the connection ends. Every state is
/// handed to `watch` first.
///
/// # Errors
///
/// When the server breaks the protocol. A connection that fails is [`ConnectionEnd::Lost`].
pub async fn play<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    mut mind: impl Mind,
    rules: &Rules,
    mut watch: impl FnMut(Seen<'_>),
) -> Result<ConnectionEnd, ProtocolError> {
    let Some(mut states) = States::register(stream, registration).await else {
        return Ok(ConnectionEnd::Lost);
    };
    let mut games = Games::default();
    loop {
        let (id, pacman::Reading { view, names }) = match states.next().await? {
            Next::State { id, reading: GameReading::Pacman(reading) } => (id, reading),
            Next::State { reading: GameReading::PyRat(_), .. } | Next::Maze => {
                return Err(ProtocolError::OtherGame { played: PYRAT, expected: PACMAN });
            }
            Next::End(end) => return Ok(end),
        };
        let me = own_colour(id, view.players().len())?;
        watch(Seen { view, names, me });
        let before = games.before(view, me);
        let is_new = before.is_none();
        // A state that was skipped leaves open what happened in the last turn.
        let before = before.filter(|before| before.elapsed() + 1 == view.elapsed());
        let situation = Situation { view, before, names, me, rules };
        let orders = mind.decide(&situation, is_new).await.encode();
        games.remember(view, me);
        // If the connection is gone, what the server has said before may still be read.
        states.send(orders.as_slice()).await;
    }
}

/// The colour of a state's addressee, below the number of players.
pub(crate) fn own_colour(id: &str, players: usize) -> Result<Colour, ProtocolError> {
    let mut letters = id.chars();
    letters
        .next()
        .filter(|_| letters.next().is_none())
        .and_then(Colour::from_letter)
        .filter(|me| me.index() < players)
        .ok_or_else(|| ProtocolError::Id { id: id.to_owned() })
}

/// Notices when another game begins on the same connection.
#[derive(Debug, Default)]
struct Games {
    last: Option<(Colour, View)>,
}

impl Games {
    /// The last state, if the game of this one goes on from there.
    fn before(&self, view: &View, me: Colour) -> Option<&View> {
        let (colour, before) = self.last.as_ref()?;
        let goes_on = before.elapsed() < view.elapsed()
            && *colour == me
            && Arc::ptr_eq(before.board(), view.board());
        goes_on.then_some(before)
    }

    fn remember(&mut self, view: &View, me: Colour) {
        match &mut self.last {
            Some((colour, before)) => {
                *colour = me;
                before.clone_from(view);
            }
            None => self.last = Some((me, view.clone())),
        }
    }
}
