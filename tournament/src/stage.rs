//! The game that everybody watches, of all that are played at once.

use replay::Recorder;
use server::Observation;
use tokio::sync::{mpsc, watch};

use crate::matchup::Key;

/// Hands the observations of one game at a time on to the page. Clones are for the same page.
#[derive(Clone, Debug)]
pub struct Stage {
    page: Option<mpsc::Sender<Observation>>,
    featured: watch::Sender<Option<Key>>,
}

impl Stage {
    /// For a page that takes observations, or for none.
    #[must_use]
    pub fn new(page: Option<mpsc::Sender<Observation>>) -> Self {
        Self { page, featured: watch::Sender::new(None) }
    }

    /// Has a game watched from now on, from its beginning on.
    pub fn feature(&self, game: Option<Key>) {
        self.featured.send_if_modified(|featured| std::mem::replace(featured, game) != game);
    }

    /// The game that is watched.
    #[must_use]
    pub fn featured(&self) -> Option<Key> {
        *self.featured.borrow()
    }

    /// Takes a game down as it goes, and shows it while it is the one to be watched. The bytes of its
    /// recording, once it has ended.
    pub(crate) async fn record(
        self,
        game: Key,
        mut observations: mpsc::Receiver<Observation>,
    ) -> Vec<u8> {
        let (mut recorder, mut bytes) = (None, Vec::new());
        // What the page was not shown yet.
        let mut waiting = Vec::new();
        let mut featured = self.featured.subscribe();
        loop {
            tokio::select! {
                observation = observations.recv() => {
                    let Some(observation) = observation else { return bytes };
                    if self.page.is_some() {
                        waiting.push(observation.clone());
                    }
                    take_down(observation, &mut recorder, &mut bytes);
                }
                _ = featured.changed() => {}
            }
            if *featured.borrow_and_update() == Some(game) {
                self.show(&mut waiting);
            }
        }
    }

    fn show(&self, waiting: &mut Vec<Observation>) {
        for observation in waiting.drain(..) {
            if let Some(page) = &self.page {
                // A page that does not keep up misses something; the game goes on.
                let _ = page.try_send(observation);
            }
        }
    }
}

fn take_down(observation: Observation, recorder: &mut Option<Recorder>, bytes: &mut Vec<u8>) {
    match observation {
        Observation::Begin { setup, .. } => {
            let (new, beginning) = Recorder::start(setup);
            *recorder = Some(new);
            *bytes = beginning;
        }
        Observation::Turn { turn, hash } => {
            if let Some(recorder) = recorder {
                bytes.extend(recorder.turn(turn, hash));
            }
        }
        Observation::End { hash } => {
            if let Some(recorder) = recorder.take() {
                bytes.extend(recorder.end(hash));
            }
        }
    }
}
