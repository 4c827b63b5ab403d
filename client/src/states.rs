//! Messages of a server on one connection.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use game::pacman::{self, StateError, StateReader};
use game::pyrat::{self, Maze, MazeNotationError, State};
use language::said;
use protocol::{
    CodecError, FrameCodec, FrameTooLong, Registration, SERVER_FRAME_LIMIT, ServerMessage,
    UnknownMessage,
};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::codec::Framed;

/// End of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// The server has ended the games.
    Quit,
    /// The server has refused the registration.
    Refused,
    /// The connection is gone.
    Lost,
}

/// A violation of the protocol by the server.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// A message is longer than any state.
    #[error("{}", said!("the server sent {_0}", "le serveur a envoyé {_0}"))]
    TooLong(#[from] FrameTooLong),
    /// A message is of an unknown kind.
    #[error("{}", said!(
        "the server sent a message that it should not: {_0}",
        "le serveur a envoyé un message inattendu : {_0}"
    ))]
    Message(#[from] UnknownMessage),
    /// A state cannot be read.
    #[error("{}", said!(
        "the server sent a state that cannot be read: {_0}",
        "le serveur a envoyé un état illisible : {_0}"
    ))]
    State(#[from] StateError),
    /// A maze cannot be read.
    #[error("{}", said!(
        "the server sent a maze that cannot be read: {_0}",
        "le serveur a envoyé un labyrinthe illisible : {_0}"
    ))]
    Maze(#[from] MazeNotationError),
    /// The game is not the one that was expected.
    #[error("{}", said!(
        "the server plays {played}, not {expected}: {}",
        "le serveur joue à {played} et non à {expected} : {}",
        who_plays(expected)
    ))]
    OtherGame {
        /// The game of the server.
        played: &'static str,
        /// The game that was expected.
        expected: &'static str,
    },
    /// The addressee of a state does not play in it.
    #[error("{}", said!(
        "the server addressed a state to {id:?}, expected the letter of one of its players",
        "le serveur a adressé un état à {id:?} au lieu de la lettre d'un de ses joueurs"
    ))]
    Id {
        /// The address.
        id: String,
    },
}

pub(crate) const PACMAN: &str = "Pacman";
pub(crate) const PYRAT: &str = "PyRat";

/// The command that plays a game.
fn who_plays(game: &str) -> String {
    let client = cli::this_command();
    match game {
        PACMAN => said!("`{client} pyrat` plays that", "`{client} pyrat` y joue"),
        _ => said!("`{client}` without `pyrat` plays that", "`{client}` sans `pyrat` y joue"),
    }
}

/// Reads the successive states of a connection.
pub(crate) struct States<S> {
    frames: Framed<S, FrameCodec>,
    message: Bytes,
    reader: StateReader,
    /// The maze of the current game; `None` for Pacman.
    maze: Option<Maze>,
}

/// Next message of a connection.
pub(crate) enum Next<'a> {
    /// A state, and the letter or number of its addressee.
    State { id: &'a str, reading: GameReading<'a> },
    /// The maze of the states that follow: a game of PyRat begins, or is joined.
    Maze,
    /// The connection has ended.
    End(ConnectionEnd),
}

/// A state of either game, with the names of the players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameReading<'a> {
    /// A state of Pacman.
    Pacman(&'a pacman::Reading),
    /// A state of PyRat.
    PyRat(pyrat::Reading),
}

impl<S: AsyncRead + AsyncWrite + Unpin> States<S> {
    /// Registers; `None` when the connection is gone.
    pub(crate) async fn register(stream: S, registration: &Registration) -> Option<Self> {
        let frames = Framed::new(stream, FrameCodec::new(SERVER_FRAME_LIMIT));
        let reader = StateReader::new();
        let mut states = Self { frames, message: Bytes::new(), reader, maze: None };
        let registered = states.send(registration.encode().as_bytes()).await;
        registered.then_some(states)
    }

    pub(crate) async fn next(&mut self) -> Result<Next<'_>, ProtocolError> {
        self.message = match self.frames.next().await {
            Some(Ok(message)) => message,
            Some(Err(CodecError::TooLong(error))) => return Err(error.into()),
            Some(Err(CodecError::Io(_))) | None => return Ok(Next::End(ConnectionEnd::Lost)),
        };
        Ok(match ServerMessage::decode(&self.message)? {
            ServerMessage::State { id, state } => {
                let reading = match &self.maze {
                    Some(maze) => {
                        GameReading::PyRat(State::decode(maze, state).map_err(StateError::from)?)
                    }
                    None => GameReading::Pacman(self.reader.read(state)?),
                };
                Next::State { id, reading }
            }
            ServerMessage::Maze { maze, .. } => {
                let maze = Maze::decode(maze)?;
                // A maze that is played in again is kept only once.
                self.maze = self.maze.take().filter(|known| *known == maze).or(Some(maze));
                Next::Maze
            }
            ServerMessage::Quit => Next::End(ConnectionEnd::Quit),
            ServerMessage::Refused => Next::End(ConnectionEnd::Refused),
        })
    }

    /// Sends a message; `false` when the connection is gone.
    pub(crate) async fn send(&mut self, message: &[u8]) -> bool {
        self.frames.send(message).await.is_ok()
    }
}
