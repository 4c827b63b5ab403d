//! PyRat, on one connection.

use bots::pyrat::{Bot, Situation};
use game::colour::Colour;
use game::pyrat::{self, Action, Direction, State};
use protocol::Registration;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::apart;
use crate::play::own_colour;
use crate::states::{ConnectionEnd, GameReading, Next, PACMAN, PYRAT, ProtocolError, States};

/// A state that the player is about to answer.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// The state.
    pub state: &'a State,
    /// The names of the players, in order of colour.
    pub names: &'a [String],
    /// The player's own colour.
    pub me: Colour,
}

/// The mind of a rat: a player, on the task that plays, or [`Apart`] from it.
pub trait Mind {
    /// The direction in this state; a new game starts, or a running one is joined, if that `is_new`.
    fn decide(
        &mut self,
        state: &State,
        me: Colour,
        is_new: bool,
    ) -> impl Future<Output = Option<Direction>> + Send;
}

impl Mind for &mut (dyn Bot + '_) {
    fn decide(
        &mut self,
        state: &State,
        me: Colour,
        is_new: bool,
    ) -> impl Future<Output = Option<Direction>> + Send {
        std::future::ready(decide(*self, state, me, is_new))
    }
}

/// A player that thinks on threads of its own, so that a slow one delays no task.
pub struct Apart(Option<Box<dyn Bot>>);

impl Apart {
    /// A player that thinks apart.
    #[must_use]
    pub fn new(player: Box<dyn Bot>) -> Self {
        Self(Some(player))
    }
}

impl Mind for Apart {
    async fn decide(&mut self, state: &State, me: Colour, is_new: bool) -> Option<Direction> {
        let state = state.clone();
        let question = move |player: &mut Box<dyn Bot>| decide(player.as_mut(), &state, me, is_new);
        apart::ask(&mut self.0, question).await.flatten()
    }
}

/// The direction of a player; in the mud it is not asked.
fn decide(player: &mut dyn Bot, state: &State, me: Colour, is_new: bool) -> Option<Direction> {
    let situation = Situation { state, me };
    if is_new {
        player.new_game(&situation);
    }
    let in_mud = state.rats()[me.index()].mud.is_some();
    if in_mud { None } else { player.play(&situation) }
}

/// Registers and answers every state as the player decides, until the connection ends; in the mud,
/// where it is not asked, it stays. Every state is handed to `watch` first.
///
/// # Errors
///
/// When the server breaks the protocol, or plays Pacman. A connection that fails is [`ConnectionEnd::Lost`].
pub async fn play<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    mut mind: impl Mind,
    mut watch: impl FnMut(Seen<'_>),
) -> Result<ConnectionEnd, ProtocolError> {
    let Some(mut states) = States::register(stream, registration).await else {
        return Ok(ConnectionEnd::Lost);
    };
    let mut is_new = true;
    loop {
        let (id, pyrat::Reading { state, names }) = match states.next().await? {
            Next::State { id, reading: GameReading::PyRat(reading) } => (id, reading),
            Next::State { reading: GameReading::Pacman(_), .. } => {
                return Err(ProtocolError::OtherGame { played: PACMAN, expected: PYRAT });
            }
            Next::Maze => {
                is_new = true;
                continue;
            }
            Next::End(end) => return Ok(end),
        };
        let me = own_colour(id, state.rats().len())?;
        watch(Seen { state: &state, names: &names, me });
        let direction = mind.decide(&state, me, std::mem::take(&mut is_new)).await;
        let answer = direction.map_or(Action::Nothing, Action::Go);
        // If the connection is gone, what the server has said before may still be read.
        states.send(&[answer.encode()]).await;
    }
}
