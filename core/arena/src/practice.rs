//! Practice games, which somebody may stop before a turn is played.

use std::time::Duration;

use tokio::sync::oneshot;

/// Longest wait for the person who stopped a game, and deadline of a practice game.
pub const PATIENCE: Duration = Duration::from_secs(3600);

/// A turn that is about to be played: all answers are there. The game goes on once `resume` has been used or dropped.
#[derive(Debug)]
pub struct PendingTurn {
    /// The number of the turn, from 1.
    pub turn: u32,
    /// The messages of the players, in order of colour; `None` where none came.
    pub messages: Vec<Option<Vec<u8>>>,
    /// The text of the state that the players have answered.
    pub state: Vec<u8>,
    /// Takes the messages that replace those of players.
    pub resume: oneshot::Sender<Vec<(usize, Vec<u8>)>>,
}
