//! Observers, which are told of games while they are played: recorders, the web page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use game::colour::Colour;
use language::{log, word};
use referee::Judgement;
use replay::{Answer, Excerpt, Flaw, Given, Setup, Thought, Turn};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;
use tokio::time::timeout;

use crate::games::Game;
use crate::inbox::Text;

/// Longest wait for an observer to catch up between two games.
const CATCH_UP: Duration = Duration::from_secs(1);

/// An event for observers.
#[derive(Clone, Debug)]
pub enum Observation {
    /// Players gather for a game.
    Gathering {
        /// The names of the players present.
        names: Vec<String>,
        /// The number of seats.
        seats: usize,
    },
    /// The game with this number begins.
    Begin {
        /// The number of the game, from 1.
        game: u32,
        /// The start of the game.
        setup: Setup,
    },
    /// The thoughts of players in the turn that is told next.
    Thoughts(Vec<(Colour, String)>),
    /// A turn of the game that began last.
    Turn {
        /// The answers of all players, and hashes of the resulting state.
        turn: Turn,
        /// The hash of the text of the state.
        hash: u64,
    },
    /// The game that began last has ended.
    End {
        /// The hash of the text of the last state.
        hash: u64,
    },
}

/// An observer of games. Clones share one queue and one count of losses.
#[derive(Clone, Debug)]
pub struct Observer {
    sender: mpsc::Sender<Observation>,
    lost: Lost,
    /// True if the observer did not catch up during the last wait.
    is_slow: Arc<AtomicBool>,
    /// True once the observer is known and logged to be gone.
    is_gone: Arc<AtomicBool>,
}

/// The number of games that an observer was not told to the end, because it did not keep up or was gone.
#[derive(Clone, Debug, Default)]
pub struct Lost(Arc<AtomicU32>);

impl Lost {
    /// The number of games so far.
    pub fn games(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<mpsc::Sender<Observation>> for Observer {
    fn from(sender: mpsc::Sender<Observation>) -> Self {
        Self { sender, lost: Lost::default(), is_slow: Arc::default(), is_gone: Arc::default() }
    }
}

impl Observer {
    /// The count of games that the observer loses.
    pub fn lost(&self) -> Lost {
        self.lost.clone()
    }

    /// Tells the observer the players present before a game; skipped if its queue is full.
    pub(crate) fn gathering(&self, names: Vec<String>, seats: usize) {
        let _ = self.sender.try_send(Observation::Gathering { names, seats });
    }

    /// Waits for the observer to catch up, if it is behind. After a wait in vain, does not wait again until it has caught
    /// up.
    async fn catch_up(&self) {
        let enough = self.sender.max_capacity().div_ceil(2);
        let is_behind = self.sender.capacity() < enough;
        let is_slow = if is_behind && !self.is_slow.load(Ordering::Relaxed) {
            timeout(CATCH_UP, self.sender.reserve_many(enough)).await.is_err()
        } else {
            is_behind
        };
        self.is_slow.store(is_slow, Ordering::Relaxed);
    }
}

/// The observers of one game. An observer that cannot keep up is told nothing more of this game.
#[derive(Debug, Default)]
pub(crate) struct Observers {
    told: Vec<Observer>,
    game: u32,
}

impl From<Vec<Observer>> for Observers {
    fn from(mut told: Vec<Observer>) -> Self {
        told.retain(|observer| !observer.is_gone.load(Ordering::Relaxed));
        Self { told, game: 0 }
    }
}

impl Observers {
    /// Waits for the observers that are behind to catch up, before the game begins.
    pub(crate) async fn catch_up(&self) {
        for observer in &self.told {
            observer.catch_up().await;
        }
    }

    pub(crate) fn begin(&mut self, game: u32, played: &dyn Game) {
        self.game = game;
        self.tell(|| Observation::Begin { game, setup: played.setup() });
    }

    pub(crate) fn turn(
        &mut self,
        played: &mut dyn Game,
        answers: impl FnOnce(&dyn Game) -> Vec<Given>,
        thoughts: impl FnOnce() -> Vec<(Colour, String)>,
    ) {
        if !self.told.is_empty() {
            let thoughts = thoughts();
            if !thoughts.is_empty() {
                self.tell(|| Observation::Thoughts(thoughts));
            }
        }
        self.tell(|| {
            let turn = Turn { answers: answers(played), marks: played.marks() };
            Observation::Turn { turn, hash: replay::hash(played.text()) }
        });
    }

    pub(crate) fn end(&mut self, played: &mut dyn Game) {
        self.tell(|| Observation::End { hash: replay::hash(played.text()) });
    }

    fn tell(&mut self, observation: impl FnOnce() -> Observation) {
        if self.told.is_empty() {
            return;
        }
        let (game, observation) = (self.game, observation());
        self.told.retain(|observer| {
            let why = match observer.sender.try_send(observation.clone()) {
                Ok(()) => return true,
                Err(TrySendError::Full(_)) => word("does not keep up", "ne suit pas"),
                Err(TrySendError::Closed(_)) => {
                    observer.is_gone.store(true, Ordering::Relaxed);
                    word("is gone", "n'est plus là")
                }
            };
            log!(
                error,
                "game {game}: an observer {why}, and is told nothing more of this game",
                "partie {game} : un observateur {why}, et n'apprend plus rien de cette \
                  partie"
            );
            observer.lost.0.fetch_add(1, Ordering::Relaxed);
            false
        });
    }
}

/// The part of a judgement that recordings keep.
pub(crate) fn given(game: &dyn Game, judgement: &Judgement<Text>) -> Given {
    let late = judgement.late.as_ref().map(|message| Excerpt::of_answer(Flaw::Late, message));
    if let Some((message, thought)) = &judgement.answer {
        let given = Given::in_time(game.read(message), *thought);
        let malformed = given.fault().map(|_| Excerpt::of_answer(Flaw::Malformed, message));
        Given { excerpt: malformed.or(late), ..given }
    } else {
        let mut given = nothing(judgement.is_connected);
        if given.answer == Answer::Missed && !judgement.is_asked {
            given.answer = Answer::Unasked;
        }
        Given { cause: judgement.cause, excerpt: late, ..given }
    }
}

/// The thoughts in the answers that count.
pub(crate) fn thoughts(judgements: &[Judgement<Text>]) -> Vec<(Colour, String)> {
    let players = Colour::first(judgements.len()).zip(judgements);
    let thought = |(player, judgement): (Colour, &Judgement<Text>)| {
        let (message, _) = judgement.answer.as_ref()?;
        Some((player, Thought::of(message)?))
    };
    players.filter_map(thought).collect()
}

/// The record of a player that has not answered.
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

    fn play(observers: &[Observer], game: &mut Pacman, number: u32) {
        let mut observers = Observers::from(observers.to_vec());
        observers.begin(number, game);
        for _ in 0..2 {
            observers.turn(game, |_| vec![nothing(false)], Vec::new);
        }
        observers.end(game);
    }

    /// The observations, as one letter each: players `g`ather, the number of a game that begins, `t`urn, `e`nd.
    fn heard(observations: &mut mpsc::Receiver<Observation>) -> String {
        let mut heard = String::new();
        while let Ok(observation) = observations.try_recv() {
            heard += &match observation {
                Observation::Gathering { .. } => "g".to_owned(),
                Observation::Begin { game, .. } => game.to_string(),
                Observation::Thoughts(_) => unreachable!("nobody thinks aloud"),
                Observation::Turn { .. } => "t".to_owned(),
                Observation::End { .. } => "e".to_owned(),
            };
        }
        heard
    }

    #[test]
    fn slow_observer_loses_the_rest_of_one_game() {
        let mut game = game();
        let (sender, mut slow) = mpsc::channel(6);
        let (quick_sender, mut quick) = mpsc::channel(100);
        let observers = [sender, quick_sender].map(Observer::from);
        let [slow_lost, quick_lost] = observers.each_ref().map(Observer::lost);
        for number in [1, 2, 3] {
            play(&observers, &mut game, number);
            assert_eq!(heard(&mut quick), format!("{number}tte"));
        }
        assert_eq!((heard(&mut slow).as_str(), slow_lost.games()), ("1tte2t", 2));
        play(&observers, &mut game, 4);
        assert_eq!((heard(&mut slow).as_str(), slow_lost.games()), ("4tte", 2));
        drop(slow);
        play(&observers, &mut game, 5);
        play(&observers, &mut game, 6);
        assert_eq!((slow_lost.games(), quick_lost.games()), (3, 0), "gone is said once");
    }

    #[tokio::test(start_paused = true)]
    async fn slow_observer_is_awaited_once_between_games() {
        let mut game = game();
        let (sender, mut slow) = mpsc::channel(6);
        let observers = [Observer::from(sender)];
        play(&observers, &mut game, 1);
        let waited = async || {
            let start = Instant::now();
            Observers::from(observers.to_vec()).catch_up().await;
            start.elapsed()
        };
        assert_eq!(waited().await, CATCH_UP);
        assert_eq!(waited().await, Duration::ZERO, "it was in vain before");
        assert_eq!(heard(&mut slow), "1tte");
        assert_eq!(waited().await, Duration::ZERO, "it has caught up");
        play(&observers, &mut game, 2);
        let reader = tokio::spawn(async move { while slow.recv().await.is_some() {} });
        assert!(waited().await < CATCH_UP);
        drop(observers);
        reader.await.unwrap();
    }
}
