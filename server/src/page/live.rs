//! The live game.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use game::colour::Colour;
use language::log;
use parking_lot::Mutex;
use replay::film::{self, Film};
use replay::{Setup, Turn};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::archive::GameArchive;
use arena::Observation;
use web::viewer::{Viewer, ViewerGone};

/// Minimum interval between two frames sent to browsers.
const PAUSE: Duration = Duration::from_millis(33);
/// Pause between two batches of observations.
const NAP: Duration = Duration::from_millis(10);
/// Maximum number of observations in a batch.
const BATCH: usize = 1024;
/// Maximum number of bytes of the frames kept for viewers that have not seen them: some 100 turns of four players.
const RECENT: usize = 32 * 1024;

/// The messages that browsers see, ready to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    /// The message with the players present before a game; `None` during games.
    gathering: Option<Utf8Bytes>,
    /// The number of the latest game and the message of its beginning.
    begin: Option<(u32, Utf8Bytes)>,
    /// The turn of the newest frame, and the message with the whole frame.
    frame: Option<(u32, Utf8Bytes)>,
    /// The last turns and their frames with changes only, up to the newest turn, without a gap.
    recent: VecDeque<(u32, Utf8Bytes)>,
    /// The message of the end of the game; `None` before its end.
    end: Option<Utf8Bytes>,
}

/// Follows games: records them in the archive, and makes frames of the live game for viewers.
struct Follower {
    /// The message with the players that gather, without them.
    place: Value,
    /// True if everybody may read thoughts.
    shows_thoughts: bool,
    archive: Arc<Mutex<GameArchive>>,
    live: watch::Sender<Live>,
    followed: Option<Followed>,
    /// The time at which the next frame is due; `None` without a new turn.
    due: Option<Instant>,
    /// The time before which no other frame is sent.
    rests: Instant,
}

/// The game that is followed.
struct Followed {
    id: u32,
    film: Film,
    /// The frame of the last turn; `None` at the start.
    last: Option<Value>,
    recent: VecDeque<(u32, Utf8Bytes)>,
    /// Number of bytes of the frames in `recent`.
    recent_bytes: usize,
    /// The thoughts of the players in the next turn.
    thoughts: Vec<(Colour, String)>,
}

/// The messages that a viewer was sent.
#[derive(Debug, Default)]
struct Told {
    gathering: Option<Utf8Bytes>,
    /// The number of the game.
    game: Option<u32>,
    /// The turn of the last frame of this game.
    turn: Option<u32>,
    has_ended: bool,
}

/// Follows the observed games until there are no observations and no viewers any more. `place` is the message about
/// players that gather, without them; thoughts are left out unless `shows_thoughts`.
///
/// Observations may be lost when this thread does not keep up. A game whose replay does not match the next hash is
/// followed no further and stays incomplete; so does a game without an end before the next game begins.
pub(super) async fn follow(
    mut observations: mpsc::Receiver<Observation>,
    archive: Arc<Mutex<GameArchive>>,
    live: watch::Sender<Live>,
    place: Value,
    shows_thoughts: bool,
) {
    let mut received = Vec::new();
    let rests = Instant::now();
    let mut follower =
        Follower { place, shows_thoughts, archive, live, followed: None, due: None, rests };
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
                Observation::Thoughts(thoughts) => follower.think(thoughts),
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
    /// Shows the players that gather, and how others join them.
    fn gather(&mut self, names: &[String], seats: usize) {
        let mut gathering = self.place.clone();
        (gathering["names"], gathering["seats"]) = (names.into(), seats.into());
        self.live.send_modify(|live| live.gathering = Some(gathering.to_string().into()));
    }

    fn begin(&mut self, number: u32, setup: Setup) {
        let film = Film::start(&setup);
        let beginning = film::beginning(&setup);
        let id = self.archive.lock().begin(number, setup);
        let begin = json!({ "type": "begin", "id": id, "film": beginning }).to_string();
        let (recent, thoughts) = (VecDeque::new(), Vec::new());
        let new = Followed { id, film, last: None, recent, recent_bytes: 0, thoughts };
        let frame = Some(new.frame());
        let begin = Some((id, begin.into()));
        self.live.send_replace(Live { begin, frame, ..Live::default() });
        self.followed = Some(new);
        self.due = None;
    }

    fn think(&mut self, thoughts: Vec<(Colour, String)>) {
        if let Some(followed) = self.followed.as_mut().filter(|_| self.shows_thoughts) {
            self.archive.lock().think(thoughts.clone());
            followed.thoughts = thoughts;
        }
    }

    fn turn(&mut self, turn: Turn, hash: u64) {
        let Some(followed) = &mut self.followed else { return };
        let mut frame = followed.film.next(&turn);
        film::add_thoughts(&mut frame, std::mem::take(&mut followed.thoughts));
        if replay::hash(followed.film.game().text()) != hash {
            log!(
                warn,
                "the web page has missed turns of game {}, and follows it no further",
                "la page web a manqué des tours de la partie {}, et ne la suit plus",
                followed.id
            );
            return self.give_up();
        }
        followed.keep(frame);
        self.archive.lock().turn(turn, followed.film.game(), hash);
        self.due = Some(self.rests);
    }

    fn end(&mut self, hash: u64) {
        let Some(followed) = &mut self.followed else { return };
        if replay::hash(followed.film.game().text()) != hash {
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
        self.rests = Instant::now() + PAUSE;
        if let Some(followed) = &self.followed {
            let frame = Some(followed.frame());
            self.live.send_modify(|live| {
                live.frame = frame;
                live.recent.clone_from(&followed.recent);
            });
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
    /// Keeps the frame of a turn for viewers that will skip it, and forgets the oldest ones.
    fn keep(&mut self, frame: Value) {
        let text = Utf8Bytes::from(frame.to_string());
        self.recent_bytes += text.len();
        self.recent.push_back((self.film.turn(), text));
        while self.recent_bytes > RECENT {
            self.recent_bytes -= self.recent.pop_front().map_or(0, |(_, text)| text.len());
        }
        self.last = Some(frame);
    }

    /// The turn and the message with the whole frame of the current state.
    fn frame(&self) -> (u32, Utf8Bytes) {
        let frame = self.film.whole(self.last.clone());
        let text = json!({ "type": "frame", "id": self.id, "frame": frame }).to_string();
        (self.film.turn(), text.into())
    }
}

impl Live {
    /// The message with the frames between the turn `told` and the newest one; `None` if there are none, or not all are
    /// kept.
    fn skipped(&self, told: u32) -> Option<Utf8Bytes> {
        let ((id, _), (newest, _)) = self.begin.as_ref().zip(self.frame.as_ref())?;
        let skipped = self.recent.iter().filter(|(turn, _)| (told + 1..*newest).contains(turn));
        let frames: Vec<_> = skipped.map(|(_, frame)| frame.as_str()).collect();
        if frames.is_empty() || frames.len() < (newest - told - 1) as usize {
            return None;
        }
        let frames = frames.join(",");
        Some(format!(r#"{{"type":"skipped","id":{id},"frames":[{frames}]}}"#).into())
    }
}

impl Told {
    /// The messages that are new for the viewer. The frames that it has skipped come together, if they are kept.
    fn update(&mut self, live: &Live) -> Vec<Utf8Bytes> {
        let mut texts = Vec::new();
        if let Some((id, begin)) = live.begin.as_ref().filter(|(id, _)| self.game != Some(*id)) {
            (self.game, self.turn, self.has_ended) = (Some(*id), None, false);
            texts.push(begin.clone());
        }
        if let Some((turn, frame)) =
            live.frame.as_ref().filter(|(turn, _)| self.turn != Some(*turn))
        {
            texts.extend(self.turn.and_then(|told| live.skipped(told)));
            self.turn = Some(*turn);
            texts.push(frame.clone());
        }
        if let Some(end) = live.end.as_ref().filter(|_| !self.has_ended) {
            self.has_ended = true;
            texts.push(end.clone());
        }
        if self.gathering != live.gathering {
            self.gathering.clone_from(&live.gathering);
            texts.extend(live.gathering.clone());
        }
        texts
    }
}

/// Sends the live messages to a viewer.
pub(super) async fn show(mut viewer: Viewer, mut live: watch::Receiver<Live>) -> ViewerGone {
    let mut told = Told::default();
    live.mark_changed();
    loop {
        tokio::select! {
            changed = live.changed() => if changed.is_err() { return ViewerGone },
            gone = viewer.gone() => return gone,
        }
        let texts = told.update(&live.borrow_and_update());
        for text in texts {
            if let Err(gone) = viewer.tell(text).await {
                return gone;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use replay::{Answer, Given, PacmanSetup, Replay};

    use super::*;

    struct Watched {
        observer: mpsc::Sender<Observation>,
        archive: Arc<Mutex<GameArchive>>,
        live: watch::Receiver<Live>,
    }

    impl Watched {
        fn new() -> Self {
            Self::showing_thoughts(false)
        }

        fn showing_thoughts(shows: bool) -> Self {
            let (observer, observations) = mpsc::channel(64);
            let archive = Arc::new(Mutex::new(GameArchive::default()));
            let (sender, live) = watch::channel(Live::default());
            tokio::spawn(follow(observations, Arc::clone(&archive), sender, json!({}), shows));
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

        fn recording(&self, id: u32) -> replay::Recording {
            let pieces = self.archive.lock().pieces(id).unwrap();
            replay::Recording::read(&pieces.concat()).unwrap()
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
                turns: 5000,
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
        assert!([1, 2].iter().all(|id| watched.recording(*id).is_complete));
    }

    #[tokio::test(start_paused = true)]
    async fn thoughts_are_shown_with_their_turn_where_everybody_may_read_them() {
        for shows in [true, false] {
            let watched = Watched::showing_thoughts(shows);
            let mut played = Played::new(1);
            watched.tell(played.begin()).await;
            let bob = Colour::new(1).unwrap();
            watched.tell(Observation::Thoughts(vec![(bob, "cell 1,2".to_owned())])).await;
            watched.tell(played.turn()).await;
            let frame = watched.live.borrow().frame.clone().unwrap().1;
            let frame: Value = serde_json::from_str(&frame).unwrap();
            let expected = if shows { json!([["B", "cell 1,2"]]) } else { Value::Null };
            assert_eq!(frame["frame"]["w"], expected);
            // Thoughts may take a share of the recording.
            for _ in 0..50 {
                watched.tell(played.turn()).await;
            }
            watched.tell(played.end()).await;
            let recording = watched.recording(1);
            let kept = recording.thoughts.iter().map(|kept| (kept.turn, kept.player));
            assert_eq!(kept.collect::<Vec<_>>(), if shows { vec![(1, bob)] } else { vec![] });
        }
    }

    #[tokio::test(start_paused = true)]
    async fn frames_that_a_viewer_has_skipped_come_together() {
        let mut watched = Watched::new();
        let mut played = Played::new(1);
        let [mut quick, mut late] = [(); 2].map(|()| Told::default());
        // The turns of the messages to a viewer, those of one message joined by `+`.
        let turns = |told: &mut Told, live: &Live| {
            let turn = |frame: &Value| frame["t"].as_u64().unwrap().to_string();
            let turns = |text: Utf8Bytes| {
                let message: Value = serde_json::from_str(&text).unwrap();
                match message["type"].as_str().unwrap() {
                    "frame" => turn(&message["frame"]),
                    "skipped" => {
                        let frames = message["frames"].as_array().unwrap().iter();
                        frames.map(turn).collect::<Vec<_>>().join("+")
                    }
                    other => other.to_owned(),
                }
            };
            told.update(live).into_iter().map(turns).collect::<Vec<_>>().join(" ")
        };
        watched.tell(played.begin()).await;
        for told in [&mut quick, &mut late] {
            assert_eq!(turns(told, &watched.live.borrow()), "begin 0");
        }
        let mut after = async |count: u32| {
            for _ in 0..count {
                watched.observer.send(played.turn()).await.unwrap();
            }
            let last = played.game.turn();
            let is_shown = |live: &Live| live.frame.as_ref().is_some_and(|(turn, _)| *turn == last);
            watched.live.wait_for(is_shown).await.unwrap().clone()
        };
        let live = after(4).await;
        assert_eq!(turns(&mut quick, &live), "1+2+3 4");
        assert_eq!(turns(&mut quick, &live), "", "nothing is new");
        let live = after(1).await;
        assert_eq!(turns(&mut quick, &live), "5", "no frame is skipped");
        assert_eq!(turns(&mut late, &live), "1+2+3+4 5");
        // A newcomer is told no turns before the first one that it sees.
        assert_eq!(turns(&mut Told::default(), &live), "begin 5");
        // Nobody is sent more than is kept.
        let live = after(2000).await;
        assert_eq!(turns(&mut quick, &live), "2005");
        let kept: usize = live.recent.iter().map(|(_, frame)| frame.len()).sum();
        assert!(kept <= RECENT && kept > RECENT / 2, "{kept}");
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
        assert!(!watched.recording(1).is_complete);
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
        assert!(!watched.recording(1).is_complete);
    }

    #[tokio::test(start_paused = true)]
    async fn a_game_whose_end_was_lost_ends_with_the_next_one_or_the_last() {
        let mut watched = Watched::new();
        let mut played = Played::new(1);
        watched.tell(played.begin()).await;
        watched.tell(played.turn()).await;
        watched.tell(Played::new(2).begin()).await;
        assert_eq!(watched.games(), [(1, 1, false), (2, 0, true)]);
        assert!(!watched.recording(1).is_complete);
        // When there are no more games, viewers keep what they have.
        drop(std::mem::replace(&mut watched.observer, mpsc::channel(1).0));
        watched.live.wait_for(|live| live.end.is_some()).await.unwrap();
        assert!(watched.live.has_changed().is_ok());
    }
}
