//! Who is told of the games as they go: recorders, the web page.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use replay::{Answer, Given, Setup, Turn};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::timeout;
use tracing::error;

use crate::games::Game;

/// For an observer to catch up between two games.
const CATCH_UP: Duration = Duration::from_secs(1);

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

/// How many games an observer was not told to their ends, because it did not keep up.
#[derive(Clone, Debug, Default)]
pub struct Lost(Arc<AtomicU32>);

impl Lost {
    /// How many games, so far.
    #[must_use]
    pub fn games(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Tells every observer. One that cannot keep up is told nothing more of this game, and of the next one
/// again; the game goes on.
#[derive(Debug, Default)]
pub(crate) struct Observers {
    list: Vec<Observer>,
    /// The game that began last.
    game: u32,
}

#[derive(Debug)]
struct Observer {
    sender: mpsc::Sender<Observation>,
    lost: Lost,
    /// It is told nothing more until the next game begins.
    is_cut_off: bool,
    /// It did not catch up when it was last waited for.
    is_slow: bool,
}

impl Observers {
    /// One more. What it loses is counted in what is returned.
    pub(crate) fn add(&mut self, sender: mpsc::Sender<Observation>) -> Lost {
        let lost = Lost::default();
        let counted = lost.clone();
        self.list.push(Observer { sender, lost, is_cut_off: false, is_slow: false });
        counted
    }

    /// Gives observers that are behind a moment to catch up, before a game begins. One that does not is
    /// not waited for again until it has.
    pub(crate) async fn catch_up(&mut self) {
        for observer in &mut self.list {
            let enough = observer.sender.max_capacity().div_ceil(2);
            let is_behind = observer.sender.capacity() < enough;
            if is_behind && !observer.is_slow {
                observer.is_slow =
                    timeout(CATCH_UP, observer.sender.reserve_many(enough)).await.is_err();
            } else {
                observer.is_slow = is_behind;
            }
        }
    }

    /// A game begins.
    pub(crate) fn begin(&mut self, game: u32, played: &dyn Game) {
        self.game = game;
        for observer in &mut self.list {
            observer.is_cut_off = false;
        }
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
        let mut told = self.list.iter_mut().filter(|observer| !observer.is_cut_off).peekable();
        if told.peek().is_none() {
            return;
        }
        let (game, observation) = (self.game, observation());
        for observer in told {
            let why = match observer.sender.try_send(observation.clone()) {
                Ok(()) => continue,
                Err(TrySendError::Full(_)) => "does not keep up",
                Err(TrySendError::Closed(_)) => "is gone",
            };
            error!("game {game}: an observer {why}, and is told nothing more of this game");
            observer.is_cut_off = true;
            observer.lost.0.fetch_add(1, Ordering::Relaxed);
        }
        self.list.retain(|observer| !observer.sender.is_closed());
    }
}

/// What somebody has given who has not answered.
pub(crate) fn nothing(is_connected: bool) -> Given {
    Given::nothing(if is_connected { Answer::Missed } else { Answer::Disconnected })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Pacman;
    use game::pacman::{Map, Rules};
    use tokio::time::Instant;

    fn game() -> Pacman {
        let mut game = Pacman::new(Map::parse(b"3;4\n####\n#..#\n####\n").unwrap(), Rules::SUJET);
        game.set_up(7, 10, vec!["Ada".to_owned()]);
        game
    }

    fn play(observers: &mut Observers, game: &mut Pacman, number: u32) {
        observers.begin(number, game);
        for _ in 0..2 {
            observers.turn(&[nothing(false)], game);
        }
        observers.end(game);
    }

    /// What an observer is told, a letter each: the number of a game that begins, `t`urn, `e`nd.
    fn heard(observations: &mut mpsc::Receiver<Observation>) -> String {
        let mut heard = String::new();
        while let Ok(observation) = observations.try_recv() {
            heard += &match observation {
                Observation::Begin { game, .. } => game.to_string(),
                Observation::Turn { .. } => "t".to_owned(),
                Observation::End { .. } => "e".to_owned(),
            };
        }
        heard
    }

    #[test]
    fn one_that_does_not_keep_up_loses_the_rest_of_that_game_only() {
        let (mut observers, mut game) = (Observers::default(), game());
        let (sender, mut slow) = mpsc::channel(6);
        let slow_lost = observers.add(sender);
        let (sender, mut quick) = mpsc::channel(100);
        let quick_lost = observers.add(sender);
        for number in [1, 2, 3] {
            play(&mut observers, &mut game, number);
            assert_eq!(heard(&mut quick), format!("{number}tte"));
        }
        assert_eq!((heard(&mut slow).as_str(), slow_lost.games()), ("1tte2t", 2));
        play(&mut observers, &mut game, 4);
        assert_eq!((heard(&mut slow).as_str(), slow_lost.games()), ("4tte", 2));
        drop(slow);
        play(&mut observers, &mut game, 5);
        play(&mut observers, &mut game, 6);
        assert_eq!((slow_lost.games(), quick_lost.games()), (3, 0), "gone is said once");
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_is_behind_is_waited_for_once() {
        let (mut observers, mut game) = (Observers::default(), game());
        let (sender, mut slow) = mpsc::channel(6);
        let _lost = observers.add(sender);
        play(&mut observers, &mut game, 1);
        let waited = async |observers: &mut Observers| {
            let start = Instant::now();
            observers.catch_up().await;
            start.elapsed()
        };
        assert_eq!(waited(&mut observers).await, CATCH_UP);
        assert_eq!(waited(&mut observers).await, Duration::ZERO, "it was in vain before");
        assert_eq!(heard(&mut slow), "1tte");
        assert_eq!(waited(&mut observers).await, Duration::ZERO, "it has caught up");
        play(&mut observers, &mut game, 2);
        let reader = tokio::spawn(async move { while slow.recv().await.is_some() {} });
        assert!(waited(&mut observers).await < CATCH_UP);
        drop(observers);
        reader.await.unwrap();
    }
}
