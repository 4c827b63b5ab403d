//! Who is told of the games as they go: recorders, the web page.

use replay::{Answer, Given, Setup, Turn};
use tokio::sync::mpsc;
use tracing::error;

use crate::games::Game;

/// What an observer is told.
#[derive(Clone, Debug)]
pub enum Observation {
    /// The game with this number begins.
    Begin {
        /// Which game, from 1.
        game: u32,
        /// How it begins.
        setup: Setup,
    },
    /// A turn of the game that began last.
    Turn {
        /// What everybody has answered, and what came of it.
        turn: Turn,
        /// What the text of the state hashes to.
        hash: u64,
    },
    /// The game that began last has ended.
    End {
        /// What the text of the last state hashes to.
        hash: u64,
    },
}

/// Tells every observer. One that cannot keep up, or is gone, is told no more, and the game goes on.
#[derive(Debug, Default)]
pub(crate) struct Observers(Vec<mpsc::Sender<Observation>>);

impl From<Vec<mpsc::Sender<Observation>>> for Observers {
    fn from(observers: Vec<mpsc::Sender<Observation>>) -> Self {
        Self(observers)
    }
}

impl Observers {
    /// A game begins.
    pub(crate) fn begin(&mut self, game: u32, played: &dyn Game) {
        self.tell(|| Observation::Begin { game, setup: played.setup() });
    }

    /// A turn has been played with these answers.
    pub(crate) fn turn(&mut self, answers: &[Given], played: &mut dyn Game) {
        self.tell(|| {
            let turn = Turn { answers: answers.to_vec(), marks: played.marks() };
            Observation::Turn { turn, hash: replay::hash(played.text()) }
        });
    }

    /// The game has ended.
    pub(crate) fn end(&mut self, played: &mut dyn Game) {
        self.tell(|| Observation::End { hash: replay::hash(played.text()) });
    }

    fn tell(&mut self, observation: impl FnOnce() -> Observation) {
        if self.0.is_empty() {
            return;
        }
        let observation = observation();
        self.0.retain(|observer| {
            let told = observer.try_send(observation.clone());
            if told.is_err() {
                error!("an observer does not keep up: it is told no more");
            }
            told.is_ok()
        });
    }
}

/// What somebody has given who has not answered.
pub(crate) fn nothing(is_connected: bool) -> Given {
    Given::nothing(if is_connected { Answer::Missed } else { Answer::Disconnected })
}
