//! The live game.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use language::log;
use parking_lot::Mutex;
use replay::{Replay, Setup, Turn, film};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::archive::Archive;
use super::viewer::{Viewer, ViewerGone};
use crate::observers::Observation;

/// Minimum interval between two frames sent to browsers.
const PAUSE: Duration = Duration::from_millis(33);
/// Pause between two batches of observations.
const NAP: Duration = Duration::from_millis(10);
/// Maximum number of observations in a batch.
const BATCH: usize = 1024;
/// Maximum number of events kept for a frame; further events are left out.
const EVENTS: usize = 400;

/// The messages that browsers see, ready to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    /// The message with the players present before a game; `None` during games.
    gathering: Option<Utf8Bytes>,
    /// The number of the latest game and the message of its beginning.
    begin: Option<(u32, Utf8Bytes)>,
    /// The message with the newest frame.
    frame: Option<Utf8Bytes>,
    /// The message of the end of the game; `None` before its end.
    end: Option<Utf8Bytes>,
}

/// Follows games: records them in the archive, and makes frames of the live game for viewers.
struct Follower {
    /// The port for players, if the page is to show it.
    port: Option<u16>,
    archive: Arc<Mutex<Archive>>,
    live: watch::Sender<Live>,
    followed: Option<Followed>,
    /// The time at which the next frame is due; `None` without a new turn.
    due: Option<Instant>,
}

/// The game that is followed.
struct Followed {
    id: u32,
    game: Replay,
    last: Option<Turn>,
    /// The events since the last frame.
    events: Vec<Value>,
}

/// Follows the observed games until there are no observations and no viewers any more.
///
/// Observations may be lost when this thread does not keep up. A game whose replay does not match the next hash is
/// followed no further and stays incomplete; so does a game without an end before the next game begins.
pub(super) async fn follow(
    mut observations: mpsc::Receiver<Observation>,
    archive: Arc<Mutex<Archive>>,
    live: watch::Sender<Live>,
    port: Option<u16>,
) {
    let mut received = Vec::new();
    let mut follower = Follower { port, archive, live, followed: None, due: None };
    loop {
        let next = async {
            match follower.due {
                Some(due) => sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            received = observations.recv_many(&mut received, BATCH) => if received == 0 { break },
            () = next => follower.show(),
        }
        for observation in received.drain(..) {
            match observation {
                Observation::Gathering { names, seats } => follower.gather(&names, seats),
                Observation::Begin { game, setup } => follower.begin(game, setup),
                Observation::Turn { turn, hash } => follower.turn(turn, hash),
                Observation::End { hash } => follower.end(hash),
            }
        }
        // While this task sleeps, games need no system call after each turn to wake it.
        sleep(NAP).await;
    }
    follower.give_up();
    // Viewers can see the last game after the end.
    follower.live.closed().await;
}

impl Follower {
    /// Shows the players that gather, and the port for others to join.
    fn gather(&mut self, names: &[String], seats: usize) {
        let gathering =
            json!({ "type": "gathering", "names": names, "seats": seats, "port": self.port });
        self.live.send_modify(|live| live.gathering = Some(gathering.to_string().into()));
    }

    fn begin(&mut self, number: u32, setup: Setup) {
        let game = Replay::start(&setup);
        let film = film::beginning(&setup);
        let id = self.archive.lock().begin(number, setup);
        let begin = json!({ "type": "begin", "id": id, "film": film }).to_string();
        let mut new = Followed { id, game, last: None, events: Vec::new() };
        let frame = Some(new.frame());
        let begin = Some((id, begin.into()));
        self.live.send_replace(Live { gathering: None, begin, frame, end: None });
        self.followed = Some(new);
        self.due = None;
    }

    fn turn(&mut self, turn: Turn, hash: u64) {
        let Some(followed) = &mut self.followed else { return };
        let events = film::play(&mut followed.game, &turn);
        if replay::hash(followed.game.text()) != hash {
            log!(
                warn,
                "the web page has missed turns of game {}, and follows it no further",
                "la page web a manqué des tours de la partie {}, et ne la suit plus",
                followed.id
            );
            return self.give_up();
        }
        let room = EVENTS.saturating_sub(followed.events.len());
        followed.events.extend(events.into_iter().take(room));
        self.archive.lock().turn(turn.clone(), &followed.game, hash);
        followed.last = Some(turn);
        self.due = self.due.or_else(|| Some(Instant::now() + PAUSE));
    }

    fn end(&mut self, hash: u64) {
        let Some(followed) = &mut self.followed else { return };
        if replay::hash(followed.game.text()) != hash {
            return self.give_up();
        }
        self.archive.lock().end(hash);
        self.show();
        self.tell_end();
    }

    /// Ends the followed game, if any, as incomplete.
    fn give_up(&mut self) {
        if self.followed.is_some() {
            self.archive.lock().interrupt();
            self.tell_end();
        }
    }

    /// Sends a frame of the current state.
    fn show(&mut self) {
        self.due = None;
        if let Some(followed) = &mut self.followed {
            let frame = followed.frame();
            self.live.send_modify(|live| live.frame = Some(frame));
        }
    }

    fn tell_end(&mut self) {
        self.due = None;
        if let Some(Followed { id, .. }) = self.followed.take() {
            let end = json!({ "type": "end", "id": id }).to_string();
            self.live.send_modify(|live| live.end = Some(end.into()));
        }
    }
}

impl Followed {
    /// The frame of the current state, with the events since the last frame.
    fn frame(&mut self) -> Utf8Bytes {
        let events = std::mem::take(&mut self.events);
        let last = self.last.as_ref().map(|turn| (turn, events));
        let frame = film::whole(&self.game, last);
        json!({ "type": "frame", "id": self.id, "frame": frame }).to_string().into()
    }
}

/// Sends the live messages to a viewer. A slow viewer skips frames.
pub(super) async fn show(mut viewer: Viewer, mut live: watch::Receiver<Live>) -> ViewerGone {
    let (mut known, mut told) = (None, None);
    live.mark_changed();
    loop {
        tokio::select! {
            changed = live.changed() => if changed.is_err() { return ViewerGone },
            gone = viewer.gone() => return gone,
        }
        let Live { gathering, begin, frame, end } = live.borrow_and_update().clone();
        let id = begin.as_ref().map(|(id, _)| *id);
        let begin = begin.filter(|_| known != id).map(|(_, begin)| begin);
        known = id;
        let gathering = (told != gathering).then(|| told.clone_from(&gathering)).and(gathering);
        for text in [begin, frame, end, gathering].into_iter().flatten() {
            if let Err(gone) = viewer.tell(text).await {
                return gone;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use replay::{Answer, Given, PacmanSetup};

    use super::*;

    struct Watched {
        observer: mpsc::Sender<Observation>,
        archive: Arc<Mutex<Archive>>,
        live: watch::Receiver<Live>,
    }

    impl Watched {
        fn new() -> Self {
            let (observer, observations) = mpsc::channel(64);
            let archive = Arc::new(Mutex::new(Archive::default()));
            let (sender, live) = watch::channel(Live::default());
            tokio::spawn(follow(observations, Arc::clone(&archive), sender, Some(1111)));
            Self { observer, archive, live }
        }

        async fn tell(&self, observation: Observation) {
            self.observer.send(observation).await.unwrap();
            sleep(2 * NAP).await;
        }

        /// The list of games: number, number of turns, and true if the game is running.
        fn games(&self) -> Vec<(u64, u64, bool)> {
            let list = self.archive.lock().list();
            let number = |value: &Value| value.as_u64().unwrap();
            let game = |game: &Value| {
                (number(&game["id"]), number(&game["turn"]), game["running"].as_bool().unwrap())
            };
            list["games"].as_array().unwrap().iter().map(game).collect()
        }

        fn is_complete(&self, id: u32) -> bool {
            let pieces = self.archive.lock().pieces(id).unwrap();
            replay::Recording::read(&pieces.concat()).unwrap().is_complete
        }
    }

    /// A game with the observations that its driver sends.
    struct Played {
        setup: Setup,
        game: Replay,
    }

    impl Played {
        fn new(seed: u64) -> Self {
            let setup = Setup::Pacman(PacmanSetup {
                map: "3;9\n#########\n#.......#\n#########\n".parse().unwrap(),
                rules: game::pacman::Rules::default(),
                seed,
                turns: 10,
                names: vec!["Ada".to_owned(), "Bob".to_owned()],
            });
            Self { game: Replay::start(&setup), setup }
        }

        fn begin(&self) -> Observation {
            Observation::Begin { game: 1, setup: self.setup.clone() }
        }

        fn turn(&mut self) -> Observation {
            let orders = game::pacman::Orders::default();
            let answers = vec![Given::nothing(Answer::Orders(orders)); 2];
            let turn = Turn { answers, ..Turn::default() };
            self.game.play(&turn);
            Observation::Turn { turn, hash: replay::hash(self.game.text()) }
        }

        fn end(&mut self) -> Observation {
            Observation::End { hash: replay::hash(self.game.text()) }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn games_are_followed_to_their_ends() {
        let watched = Watched::new();
        for seed in 1..=2 {
            let mut played = Played::new(seed);
            watched.tell(played.begin()).await;
            watched.tell(played.turn()).await;
            watched.tell(played.end()).await;
        }
        // Both games have the number 1 at their tables.
        assert_eq!(watched.games(), [(1, 1, false), (2, 1, false)]);
        assert!(watched.is_complete(1) && watched.is_complete(2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_game_whose_turns_were_lost_is_followed_no_further() {
        let mut watched = Watched::new();
        let mut played = Played::new(1);
        watched.tell(played.begin()).await;
        watched.tell(played.turn()).await;
        played.turn();
        watched.tell(played.turn()).await;
        assert_eq!(watched.games(), [(1, 1, false)]);
        assert!(watched.live.borrow_and_update().end.is_some());
        watched.tell(played.turn()).await;
        watched.tell(played.end()).await;
        assert_eq!(watched.games(), [(1, 1, false)]);
        assert!(!watched.is_complete(1));
        // The next game is followed again.
        watched.tell(Played::new(2).begin()).await;
        assert_eq!(watched.games(), [(1, 1, false), (2, 0, true)]);
        assert!(watched.live.borrow_and_update().end.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_game_whose_last_turns_were_lost_is_incomplete() {
        let watched = Watched::new();
        let mut played = Played::new(1);
        watched.tell(played.begin()).await;
        watched.tell(played.turn()).await;
        played.turn();
        watched.tell(played.end()).await;
        assert_eq!(watched.games(), [(1, 1, false)]);
        assert!(!watched.is_complete(1));
    }

    #[tokio::test(start_paused = true)]
    async fn a_game_whose_end_was_lost_ends_with_the_next_one_or_the_last() {
        let mut watched = Watched::new();
        let mut played = Played::new(1);
        watched.tell(played.begin()).await;
        watched.tell(played.turn()).await;
        watched.tell(Played::new(2).begin()).await;
        assert_eq!(watched.games(), [(1, 1, false), (2, 0, true)]);
        assert!(!watched.is_complete(1));
        // When there are no more games, viewers keep what they have.
        drop(std::mem::replace(&mut watched.observer, mpsc::channel(1).0));
        watched.live.wait_for(|live| live.end.is_some()).await.unwrap();
        assert!(watched.live.has_changed().is_ok());
    }
}
