//! Writing a recording during the game.

use crate::format::{MAGIC, Record, VERSION};
#[cfg(doc)]
use crate::hash;
use crate::setup::Setup;
use crate::turn::Turn;

/// The number of turns between two checkpoints.
const CHECKPOINT: u32 = 20;

/// Encodes a game as the bytes of its recording, a turn at a time, so that the file can be read whenever the
/// game stops.
#[derive(Clone, Debug)]
pub struct Recorder {
    turn: u32,
}

impl Recorder {
    /// Returns the recorder of a new game, and the first bytes of its file.
    #[must_use]
    pub fn start(setup: Setup) -> (Self, Vec<u8>) {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        Record::Setup(setup).encode(&mut bytes);
        (Self { turn: 0 }, bytes)
    }

    /// Returns the bytes of the next turn; `hash` is the [hash](hash()) of the state's text after it.
    #[must_use]
    pub fn turn(&mut self, turn: Turn, hash: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        Record::Turn(turn).encode(&mut bytes);
        self.turn += 1;
        if self.turn.is_multiple_of(CHECKPOINT) {
            Record::Checkpoint { turn: self.turn, hash }.encode(&mut bytes);
        }
        bytes
    }

    /// Returns the last bytes of a game that is over; `hash` is the [hash](hash()) of the final state's text.
    #[must_use]
    pub fn end(self, hash: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        Record::End { turn: self.turn, hash }.encode(&mut bytes);
        bytes
    }
}
