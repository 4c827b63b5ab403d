//! The messages to browsers during the tournament.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::sleep;
use web::viewer::{Viewer, ViewerGone};

use cluster::state::ClusterState;

use super::state::{LastFault, LiveState};
use crate::Ranking;

/// Pause between two updates of the messages.
const PAUSE: Duration = Duration::from_millis(400);
/// Maximum numbers of entries sent of each list.
const RUNNING: usize = 64;
const NEXT: usize = 24;
const RESULTS: usize = 20;
const FAULTS: usize = 50;
const VOIDS: usize = 20;
const WORKERS: usize = 100;
/// Maximum number of characters of the detail of a fault.
const DETAIL: usize = 300;

/// The current messages to browsers, encoded.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Feed {
    /// The state without the ranking.
    now: Utf8Bytes,
    /// The ranking, which changes less often.
    ranking: Utf8Bytes,
}

impl Feed {
    fn of(state: &LiveState, has_arena: bool) -> Self {
        let mut running: Vec<_> = state.running.iter().collect();
        running.sort_by_key(|game| !game.featured);
        let faults = state
            .faults
            .iter()
            .take(FAULTS)
            .map(|fault| LastFault { detail: fault.detail.shortened(DETAIL), ..fault.clone() });
        let cluster = state.cluster.as_ref().map(|cluster| ClusterState {
            workers: cluster.workers.iter().take(WORKERS).cloned().collect(),
            ..*cluster
        });
        // Long lists are cut before they are copied.
        let now = LiveState {
            running: running.into_iter().take(RUNNING).cloned().collect(),
            next: state.next.iter().take(NEXT).cloned().collect(),
            results: state.results.iter().take(RESULTS).cloned().collect(),
            faults: faults.collect(),
            voids: state.voids.iter().take(VOIDS).cloned().collect(),
            ranking: Ranking::default(),
            about: state.about.clone(),
            teams: state.teams.clone(),
            cluster,
            game_addresses: state.game_addresses.clone(),
            page_addresses: state.page_addresses.clone(),
            message: state.message.clone(),
            refused: Vec::new(),
            ..*state
        };
        Self {
            now: json!({ "type": "now", "now": now, "arena": has_arena }).to_string().into(),
            ranking: json!({ "type": "ranking", "ranking": state.ranking }).to_string().into(),
        }
    }
}

/// Prepares messages about changes, and whether one can play in the browser, with a pause between them for people to read. Once the state has no sender, waits
/// until the feed has no receiver.
pub(super) async fn follow(
    mut state: watch::Receiver<Arc<LiveState>>,
    has_arena: bool,
    feed: watch::Sender<Feed>,
) {
    loop {
        let now = Arc::clone(&state.borrow_and_update());
        let new = Feed::of(&now, has_arena);
        feed.send_if_modified(|feed| {
            let changed = *feed != new;
            *feed = new;
            changed
        });
        sleep(PAUSE).await;
        if state.changed().await.is_err() {
            // The last message stays valid.
            return feed.closed().await;
        }
    }
}

/// Sends changed messages to a viewer. A slow viewer skips intermediate ones.
pub(super) async fn tell(mut viewer: Viewer, mut feed: watch::Receiver<Feed>) -> ViewerGone {
    let mut told = Feed::default();
    feed.mark_changed();
    loop {
        tokio::select! {
            changed = feed.changed() => if changed.is_err() { return ViewerGone },
            gone = viewer.gone() => return gone,
        }
        let new = feed.borrow_and_update().clone();
        let texts = [(&new.ranking, &told.ranking), (&new.now, &told.now)];
        for (text, _) in texts.into_iter().filter(|(new, told)| new != told) {
            if let Err(gone) = viewer.tell(text.clone()).await {
                return gone;
            }
        }
        told = new;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::timeout;

    use super::*;
    use crate::About;
    use crate::live::state::Phase;
    use plan::{FaultKind, Key, Note};

    fn state() -> LiveState {
        LiveState::lobby(About {
            name: "Tournoi".to_owned(),
            seed: "7".to_owned(),
            rules: "sujet".to_owned(),
            turns: 200,
            deadline: 1000.0,
            house: "prudent".to_owned(),
            seatings: 4,
            maps: Vec::new(),
            format: "groups",
            rounds: 1,
            notes: Vec::new(),
        })
    }

    #[test]
    fn live_messages_are_bounded() {
        let mut state = state();
        let fault = LastFault {
            key: Key::from_bytes([7; 16]),
            round: 1,
            map: "plan1".to_owned(),
            team: "Ada".to_owned(),
            kind: FaultKind::Crashed,
            turn: Some(3),
            detail: Note::new("é".repeat(10_000), "é".repeat(10_000)),
        };
        state.faults = vec![fault; 1000];
        let Feed { now, .. } = Feed::of(&state, false);
        assert!(now.len() < FAULTS * (4 * DETAIL + 300), "{}", now.len());
    }

    #[tokio::test(start_paused = true)]
    async fn many_changes_make_one_live_message() {
        let (sender, receiver) = watch::channel(Arc::new(state()));
        let (feed, mut told) = watch::channel(Feed::default());
        tokio::spawn(follow(receiver, false, feed));
        told.changed().await.unwrap();
        told.mark_unchanged();
        for played in 1..=100 {
            let state = LiveState { played, phase: Phase::Running, ..state() };
            sender.send(Arc::new(state)).unwrap();
        }
        told.changed().await.unwrap();
        assert!(told.borrow_and_update().now.contains("\"played\":100,"));
        // An unchanged state sends no message.
        sender.send(Arc::new(LiveState { played: 100, phase: Phase::Running, ..state() })).unwrap();
        assert!(timeout(10 * PAUSE, told.changed()).await.is_err());
    }
}
