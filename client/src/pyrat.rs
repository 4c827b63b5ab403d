//! PyRat, on one connection.

use bots::pyrat::{Player, Situation};
use game::colour::Colour;
use game::pyrat::{self, Answer, State};
use protocol::Registration;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::play::own_colour;
use crate::states::{End, Next, PACMAN, PYRAT, ProtocolError, Reading, States};

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

/// Registers and answers every state as the player decides, until the connection ends; in the mud,
/// where it is not asked, it stays. Every state is handed to `watch` first.
///
/// # Errors
///
/// When the server breaks the protocol, or plays Pacman. A connection that fails is [`End::Lost`].
pub async fn play<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    player: &mut dyn Player,
    mut watch: impl FnMut(Seen<'_>),
) -> Result<End, ProtocolError> {
    let Some(mut states) = States::register(stream, registration).await else {
        return Ok(End::Lost);
    };
    let mut is_new = true;
    loop {
        let (id, pyrat::Reading { state, names }) = match states.next().await? {
            Next::State { id, reading: Reading::PyRat(reading) } => (id, reading),
            Next::State { reading: Reading::Pacman(_), .. } => {
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
        let situation = Situation { state: &state, me };
        if std::mem::take(&mut is_new) {
            player.new_game(&situation);
        }
        let in_mud = state.rats()[me.index()].mud.is_some();
        let direction = if in_mud { None } else { player.play(&situation) };
        let answer = direction.map_or(Answer::Nothing, Answer::Go);
        // If the connection is gone, what the server has said before may still be read.
        states.send(&[answer.to_text()]).await;
    }
}
