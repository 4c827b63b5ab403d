//! The messages of a server.

use std::str;

use language::said;

const STATE: &[u8] = b"jeu;";
const MAZE: &[u8] = b"labyrinthe;";
const QUIT: &[u8] = b"quit\n";
const REFUSED: &[u8] = b"refused\n";

/// A message of a server, borrowed from its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerMessage<'a> {
    /// A state (*jeu*).
    State {
        /// The letter of the player's colour, or the number of the spectator, from 1.
        id: &'a str,
        /// The text of the state, in the notation of the game.
        state: &'a [u8],
    },
    /// The maze of a game of PyRat (*labyrinthe*), sent once before the states.
    Maze {
        /// As in [`State`](Self::State).
        id: &'a str,
        /// The text of the maze, in the notation of the game.
        maze: &'a [u8],
    },
    /// The game is over, or the server stops.
    Quit,
    /// The registration is refused.
    Refused,
}

/// A message that no server sends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "expected `jeu;ID`, `labyrinthe;ID`, `quit` or `refused` and a newline, found {found:?}",
    "`jeu;ID`, `labyrinthe;ID`, `quit` ou `refused` et une fin de ligne sont attendus, et non {found:?}"
))]
pub struct UnknownMessage {
    /// At most 40 bytes from the beginning of the message.
    pub found: String,
}

impl<'a> ServerMessage<'a> {
    /// Decodes a message.
    ///
    /// # Errors
    ///
    /// If the message is of none of these kinds.
    pub fn decode(message: &'a [u8]) -> Result<Self, UnknownMessage> {
        if let Some((id, state)) = split(message, STATE) {
            return Ok(Self::State { id, state });
        }
        if let Some((id, maze)) = split(message, MAZE) {
            return Ok(Self::Maze { id, maze });
        }
        match message {
            QUIT => Ok(Self::Quit),
            REFUSED => Ok(Self::Refused),
            _ => {
                let start = &message[..message.len().min(40)];
                Err(UnknownMessage { found: String::from_utf8_lossy(start).into_owned() })
            }
        }
    }

    /// Appends the message, without the NUL of its frame, to a buffer.
    pub fn encode(self, buffer: &mut Vec<u8>) {
        let (header, id, text) = match self {
            Self::State { id, state } => (STATE, id, state),
            Self::Maze { id, maze } => (MAZE, id, maze),
            Self::Quit => return buffer.extend_from_slice(QUIT),
            Self::Refused => return buffer.extend_from_slice(REFUSED),
        };
        for part in [header, id.as_bytes(), b"\n", text] {
            buffer.extend_from_slice(part);
        }
    }
}

/// Returns the ID and the text of a message with this header.
fn split<'a>(message: &'a [u8], header: &[u8]) -> Option<(&'a str, &'a [u8])> {
    let rest = message.strip_prefix(header)?;
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    Some((str::from_utf8(&rest[..end]).ok()?, &rest[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read() {
        let state = |id, state| ServerMessage::State { id, state };
        for (message, expected) in [
            (b"jeu;A\n0;200\n".as_slice(), state("A", b"0;200\n".as_slice())),
            (b"jeu;12\n", state("12", b"")),
            (b"labyrinthe;A\n2;1\n", ServerMessage::Maze { id: "A", maze: b"2;1\n" }),
            (b"quit\n", ServerMessage::Quit),
            (b"refused\n", ServerMessage::Refused),
        ] {
            assert_eq!(ServerMessage::decode(message), Ok(expected));
        }
        for message in [
            b"".as_slice(),
            b"labyrinthe",
            b"quit",
            b"Quit\n",
            b"jeu;A",
            b"jeu;\xff\n",
            b"refused\n\n",
        ] {
            assert!(ServerMessage::decode(message).is_err(), "{message:?}");
        }
    }

    #[test]
    fn any_bytes_are_a_message_or_an_error() {
        bolero::check!().for_each(|message: &[u8]| {
            if let Ok(decoded) = ServerMessage::decode(message) {
                let mut encoded = Vec::new();
                decoded.encode(&mut encoded);
                assert_eq!(encoded, message);
            }
        });
    }
}
