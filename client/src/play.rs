//! Playing on one connection.

use bots::{Bot, Situation};
use futures_util::{SinkExt, StreamExt};
use game::pacman::{Colour, Reading, Rules, StateError, StateReader, View};
use protocol::{
    CodecError, FrameCodec, FrameTooLong, Registration, SERVER_FRAME_LIMIT, ServerMessage,
    UnknownMessage,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::codec::Framed;

/// How playing on a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The server has said that it is over.
    Quit,
    /// The server has refused the registration.
    Refused,
    /// The connection is gone.
    Lost,
}

/// The server does not speak the protocol.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// A message is longer than any state.
    #[error("the server sent {0}")]
    TooLong(#[from] FrameTooLong),
    /// A message is none that a server sends.
    #[error("the server sent a message that it should not: {0}")]
    Message(#[from] UnknownMessage),
    /// A state cannot be read.
    #[error("the server sent a state that cannot be read: {0}")]
    State(#[from] StateError),
    /// A state is addressed to nobody who plays in it.
    #[error("the server addressed a state to {id:?}, expected the letter of one of its players")]
    Id {
        /// The address.
        id: String,
    },
}

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

/// Registers and answers every state as the bot decides, until the connection ends. Every state is
/// handed to `watch` first.
///
/// # Errors
///
/// When the server breaks the protocol. A connection that fails is [`End::Lost`].
pub async fn play<S: AsyncRead + AsyncWrite + Unpin>(
    stream: S,
    registration: &Registration,
    bot: &mut dyn Bot,
    rules: &Rules,
    mut watch: impl FnMut(Seen<'_>),
) -> Result<End, PlayError> {
    let mut frames = Framed::new(stream, FrameCodec::new(SERVER_FRAME_LIMIT));
    if frames.send(registration.encode().as_bytes()).await.is_err() {
        return Ok(End::Lost);
    }
    let mut reader = StateReader::new();
    let mut games = Games::default();
    loop {
        let message = match frames.next().await {
            Some(Ok(message)) => message,
            Some(Err(CodecError::TooLong(error))) => return Err(error.into()),
            Some(Err(CodecError::Io(_))) | None => return Ok(End::Lost),
        };
        let (id, state) = match ServerMessage::decode(&message)? {
            ServerMessage::State { id, state } => (id, state),
            ServerMessage::Quit => return Ok(End::Quit),
            ServerMessage::Refused => return Ok(End::Refused),
        };
        let Reading { view, names } = reader.read(state)?;
        let mut letters = id.chars();
        let me = letters
            .next()
            .filter(|_| letters.next().is_none())
            .and_then(Colour::from_letter)
            .filter(|&me| view.player(me).is_some())
            .ok_or_else(|| PlayError::Id { id: id.to_owned() })?;

        watch(Seen { view, names, me });
        let situation = Situation { view, me, rules };
        if games.is_new(&situation) {
            bot.new_game(&situation);
        }
        let orders = bot.play(&situation).to_text();
        if frames.send(orders.as_slice()).await.is_err() {
            return Ok(End::Lost);
        }
    }
}

/// Notices when another game begins on the same connection.
#[derive(Debug, Default)]
struct Games {
    last: Option<(u32, Colour)>,
}

impl Games {
    fn is_new(&mut self, situation: &Situation<'_>) -> bool {
        let elapsed = situation.view.elapsed();
        let goes_on = |(last, me)| last < elapsed && me == situation.me;
        let is_new = !self.last.is_some_and(goes_on);
        self.last = Some((elapsed, situation.me));
        is_new
    }
}
