//! Playing on one connection.

use game::colour::Colour;
use language::log;
use protocol::Registration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::spawn_blocking;

use crate::games::{ClientGame, Reply, Seen};
use crate::states::{ConnectionEnd, GameReading, Next, PACMAN, PYRAT, ProtocolError, States};

/// Asks a bot for its answers: [`Inline`] on the task that plays, or [`Threaded`].
pub trait Thinker<G: ClientGame> {
    /// The answer to a state.
    fn answer(
        &mut self,
        game: &G,
        seen: Seen<'_, G::State>,
    ) -> impl Future<Output = Reply<G::Answer>> + Send;
}

/// A bot that thinks on the task that plays.
pub struct Inline<'a, G: ClientGame>(pub &'a mut G::Bot);

impl<G: ClientGame> Thinker<G> for Inline<'_, G> {
    fn answer(
        &mut self,
        game: &G,
        seen: Seen<'_, G::State>,
    ) -> impl Future<Output = Reply<G::Answer>> + Send {
        std::future::ready(game.ask(self.0, seen))
    }
}

/// A bot that thinks on threads of the runtime's pool, so that a slow one delays no task. One that panics answers nothing
/// from then on.
pub struct Threaded<G: ClientGame>(Option<Box<G::Bot>>);

impl<G: ClientGame> Threaded<G> {
    /// A bot that has not broken down.
    #[must_use]
    pub fn new(bot: Box<G::Bot>) -> Self {
        Self(Some(bot))
    }
}

impl<G: ClientGame> Thinker<G> for Threaded<G> {
    async fn answer(&mut self, game: &G, seen: Seen<'_, G::State>) -> Reply<G::Answer> {
        let Seen { state, before, names, me } = seen;
        let (game, state, before, names) =
            (game.clone(), state.clone(), before.cloned(), names.to_owned());
        let Some(mut bot) = self.0.take() else { return Reply::default() };
        let answered = spawn_blocking(move || {
            let seen = Seen { state: &state, before: before.as_ref(), names: &names, me };
            let answer = game.ask(bot.as_mut(), seen);
            (bot, answer)
        });
        match answered.await {
            Ok((bot, answer)) => {
                self.0 = Some(bot);
                answer
            }
            Err(failure) => {
                log!(error, "a bot broke down: {failure}", "un bot est tombé en panne : {failure}");
                Reply::default()
            }
        }
    }
}

/// Registers and answers every state as the bot decides, until the connection ends. Calls `watch` with every state first.
///
/// # Errors
///
/// When the server breaks the protocol, or plays another game. A connection that fails is [`ConnectionEnd::Lost`].
pub async fn play<G: ClientGame, S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    game: G,
    mut mind: impl Thinker<G>,
    mut watch: impl FnMut(Seen<'_, G::State>),
) -> Result<ConnectionEnd, ProtocolError> {
    let Some(mut states) = States::register(stream, registration).await else {
        return Ok(ConnectionEnd::Lost);
    };
    let mut last: Option<(Colour, G::State)> = None;
    loop {
        let (id, reading) = match states.next().await? {
            Next::State { id, reading } => (id, reading),
            Next::Maze if G::NAME == PYRAT => {
                last = None;
                continue;
            }
            Next::Maze => {
                return Err(ProtocolError::OtherGame { played: PYRAT, expected: G::NAME });
            }
            Next::End(end) => return Ok(end),
        };
        let Some((state, names)) = G::read(&reading) else {
            let played = match reading {
                GameReading::Pacman(_) => PACMAN,
                GameReading::PyRat(_) => PYRAT,
            };
            return Err(ProtocolError::OtherGame { played, expected: G::NAME });
        };
        let me = own_colour(id, names.len())?;
        let before = last.as_ref().filter(|(colour, _)| *colour == me).map(|(_, before)| before);
        let before = before.filter(|before| G::goes_on(before, state));
        let seen = Seen { state, before, names, me };
        watch(seen);
        let answer = G::encode(mind.answer(&game, seen).await);
        match &mut last {
            Some((colour, before)) => {
                *colour = me;
                before.clone_from(state);
            }
            None => last = Some((me, state.clone())),
        }
        // A failure to send ends nothing: earlier messages of the server may still be read.
        states.send(&answer).await;
    }
}

/// The colour of a state's addressee, below the number of players.
fn own_colour(id: &str, players: usize) -> Result<Colour, ProtocolError> {
    let mut letters = id.chars();
    letters
        .next()
        .filter(|_| letters.next().is_none())
        .and_then(Colour::from_letter)
        .filter(|me| me.index() < players)
        .ok_or_else(|| ProtocolError::Id { id: id.to_owned() })
}
