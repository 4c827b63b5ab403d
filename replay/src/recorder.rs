//! Writing a recording as the game goes.

use crate::format::{MAGIC, Record, VERSION};
#[cfg(doc)]
use crate::hash;
use crate::setup::Setup;
use crate::turn::Turn;

/// Turns between two checkpoints.
const CHECKPOINT: u32 = 20;

/// Turns a game into the bytes of its recording, a turn at a time, so that what is written of it can
/// be read whenever the game stops.
#[derive(Clone, Debug)]
pub struct Recorder {
    turn: u32,
}

impl Recorder {
    /// The recorder of a game that begins, and the first bytes of its file.
    #[must_use]
    pub fn start(setup: Setup) -> (Self, Vec<u8>) {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        Record::Setup(setup).encode(&mut bytes);
        (Self { turn: 0 }, bytes)
    }

    /// The bytes of the next turn, after which the text of the state has this [hash](hash()).
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

    /// The last bytes, of a game that has ended with a state whose text has this [hash](hash()).
    #[must_use]
    pub fn end(self, hash: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        Record::End { turn: self.turn, hash }.encode(&mut bytes);
        bytes
    }
}
