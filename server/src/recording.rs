//! The recording of the games, as somebody else writes it down.

use replay::{Answer, Given, Recorder, Turn};
use tokio::sync::mpsc;
use tracing::error;

use crate::games::Game;

/// A piece of the recording of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// The game with this number and seed begins.
    Begin {
        /// Which game, from 1.
        game: u32,
        /// Its seed.
        seed: u64,
        /// The first bytes of its recording.
        bytes: Vec<u8>,
    },
    /// More bytes of the game that began last.
    More(Vec<u8>),
}

/// Hands the recording of each game on, a turn at a time. When nobody takes it, the recording stops
/// and the game goes on.
#[derive(Debug)]
pub(crate) struct Recordings {
    chunks: mpsc::Sender<Chunk>,
    recorder: Option<Recorder>,
}

impl Recordings {
    /// For who receives this.
    pub(crate) fn new(chunks: mpsc::Sender<Chunk>) -> Self {
        Self { chunks, recorder: None }
    }

    /// A game begins.
    pub(crate) fn begin(&mut self, game: u32, seed: u64, played: &dyn Game) {
        let (recorder, bytes) = Recorder::start(played.setup());
        self.recorder = Some(recorder);
        self.send(Chunk::Begin { game, seed, bytes });
    }

    /// A turn has been played with these answers.
    pub(crate) fn turn(&mut self, answers: Vec<Given>, played: &mut dyn Game) {
        if let Some(recorder) = &mut self.recorder {
            let turn = Turn { answers, marks: played.marks() };
            let bytes = recorder.turn(turn, played.text());
            self.send(Chunk::More(bytes));
        }
    }

    /// The game has ended.
    pub(crate) fn end(&mut self, played: &mut dyn Game) {
        if let Some(recorder) = self.recorder.take() {
            self.send(Chunk::More(recorder.end(played.text())));
        }
    }

    fn send(&mut self, chunk: Chunk) {
        if self.chunks.try_send(chunk).is_err() {
            error!("the game is not recorded any further: nobody takes the recording");
            self.recorder = None;
        }
    }
}

/// What somebody has given who has not answered.
pub(crate) fn nothing(is_connected: bool) -> Given {
    Given::nothing(if is_connected { Answer::Missed } else { Answer::Disconnected })
}
