//! The game that is played now.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use parking_lot::Mutex;
use replay::{Game, Turn, film};
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::archive::Archive;
use crate::observers::Observation;

/// Between two frames that a browser is sent.
const PAUSE: Duration = Duration::from_millis(33);
/// Events of turns that are skipped, at most; more are left out.
const EVENTS: usize = 400;
/// A browser that takes nothing for so long is gone.
const SEND: Duration = Duration::from_secs(10);

/// What browsers see, ready to be sent.
#[derive(Clone, Debug, Default)]
pub(super) struct Live {
    /// That a game began, and its number.
    begin: Option<(u32, Utf8Bytes)>,
    /// The newest frame.
    frame: Option<Utf8Bytes>,
    /// That the game has ended, once it has.
    end: Option<Utf8Bytes>,
}

/// The game that is followed.
struct Followed {
    id: u32,
    game: Game,
    last: Option<Turn>,
    /// Since the last frame.
    events: Vec<Value>,
}

/// Follows the games that are told of: keeps them in the archive, and frames of the one that is played
/// for who watches.
pub(super) async fn follow(
    mut observations: mpsc::Receiver<Observation>,
    archive: Arc<Mutex<Archive>>,
    live: watch::Sender<Live>,
) {
    let mut followed: Option<Followed> = None;
    let mut due: Option<Instant> = None;
    loop {
        let next = async {
            match due {
                Some(due) => sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        let observation = tokio::select! {
            observation = observations.recv() => match observation {
                Some(observation) => Some(observation),
                None => return,
            },
            () = next => None,
        };
        match observation {
            None => {
                due = None;
                if let Some(followed) = &mut followed {
                    let frame = followed.frame();
                    live.send_modify(|live| live.frame = Some(frame));
                }
            }
            Some(Observation::Begin { game: id, setup }) => {
                let game = Game::start(&setup);
                let begin = json!({ "type": "begin", "id": id, "film": film::beginning(&setup) });
                let mut new = Followed { id, game, last: None, events: Vec::new() };
                let begin = Some((id, begin.to_string().into()));
                live.send_replace(Live { begin, frame: Some(new.frame()), end: None });
                followed = Some(new);
                archive.lock().begin(id, setup);
            }
            Some(Observation::Turn { turn, .. }) => {
                if let Some(followed) = &mut followed {
                    let events = film::play(&mut followed.game, &turn);
                    let room = EVENTS.saturating_sub(followed.events.len());
                    followed.events.extend(events.into_iter().take(room));
                    archive.lock().turn(&turn, &followed.game);
                    followed.last = Some(turn);
                    due = due.or_else(|| Some(Instant::now() + PAUSE));
                }
            }
            Some(Observation::End { .. }) => {
                archive.lock().end();
                due = None;
                if let Some(mut ended) = followed.take() {
                    let end = json!({ "type": "end", "id": ended.id }).to_string();
                    let frame = ended.frame();
                    live.send_modify(|live| {
                        live.frame = Some(frame);
                        live.end = Some(end.into());
                    });
                }
            }
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

/// Shows a browser what is live, until it is gone. One that is slow skips frames.
pub(super) async fn show(mut socket: WebSocket, mut live: watch::Receiver<Live>) {
    let mut known = None;
    live.mark_changed();
    loop {
        tokio::select! {
            changed = live.changed() => if changed.is_err() { return },
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => continue,
            },
        }
        let Live { begin, frame, end } = live.borrow_and_update().clone();
        let Some((id, begin)) = begin else { continue };
        let begin = (known != Some(id)).then_some(begin);
        known = Some(id);
        for text in [begin, frame, end].into_iter().flatten() {
            let sent = timeout(SEND, socket.send(Message::Text(text))).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
    }
}
