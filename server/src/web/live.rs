//! The game that is played now.

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

/// Between two frames that a browser is sent.
const PAUSE: Duration = Duration::from_millis(33);
/// Interval at which observations are taken.
const NAP: Duration = Duration::from_millis(10);
/// Maximum number of observations that are taken at once.
const BATCH: usize = 1024;
/// Events of turns that are skipped, at most; more are left out.
const EVENTS: usize = 400;

/// What browsers see, ready to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    /// Who is there before a game, while no game is played.
    gathering: Option<Utf8Bytes>,
    /// That a game began, and its number.
    begin: Option<(u32, Utf8Bytes)>,
    /// The newest frame.
    frame: Option<Utf8Bytes>,
    /// That the game has ended, once it has.
    end: Option<Utf8Bytes>,
}

/// Follows games: keeps them in the archive, and frames of the one that is played for who watches.
struct Follower {
    /// The port that players connect to, if the page is to tell it.
    port: Option<u16>,
    archive: Arc<Mutex<Archive>>,
    live: watch::Sender<Live>,
    followed: Option<Followed>,
    /// When the next frame may be made.
    due: Option<Instant>,
}

/// The game that is followed.
struct Followed {
    id: u32,
    game: Replay,
    last: Option<Turn>,
    /// Since the last frame.
    events: Vec<Value>,
}

/// Follows the games that are told of, until nobody watches any more.
///
/// Observations may be lost when this thread does not keep up: a game that goes on differently from what was told
/// of it is followed no further and stays incomplete, and so does one that another one follows before its end.
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
        // While this task sleeps, a game need not wake it after each turn, which costs a quick game a system call.
        sleep(NAP).await;
    }
    follower.give_up();
    // What was played stays to be seen.
    follower.live.closed().await;
}

impl Follower {
    /// Players gather; the page is told how others come, too.
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

    /// Ends a game that is not known to its end.
    fn give_up(&mut self) {
        if self.followed.is_some() {
            self.archive.lock().interrupt();
            self.tell_end();
        }
    }

    /// Shows how the game stands.
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
    /// The frame of now, with what has happened since the last one.
    fn frame(&mut self) -> Utf8Bytes {
        let events = std::mem::take(&mut self.events);
        let last = self.last.as_ref().map(|turn| (turn, events));
        let frame = film::whole(&self.game, last);
        json!({ "type": "frame", "id": self.id, "frame": frame }).to_string().into()
    }
}

/// Shows a viewer what is live. One that is slow skips frames.
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

        /// What the list of games says: numbers, turns, and whether a game goes on.
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

    /// A game as its driver tells of it.
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
        // Both have the number 1 at their tables.
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
