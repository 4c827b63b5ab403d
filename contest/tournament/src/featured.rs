//! The one game that the page shows, of all that run at the same time.

use arena::Observation;
use game::colour::Colour;
use programs::RecentOutput;
use replay::{Recorder, Thought};
use tokio::sync::{mpsc, watch};

use plan::Key;

/// Forwards the observations of one game at a time to the page. Clones share the page.
#[derive(Clone, Debug)]
pub struct FeaturedGame {
    page: Option<mpsc::Sender<Observation>>,
    featured: watch::Sender<Option<Key>>,
}

impl FeaturedGame {
    /// No game yet, for a page that takes observations, or for no page.
    #[must_use]
    pub fn new(page: Option<mpsc::Sender<Observation>>) -> Self {
        Self { page, featured: watch::Sender::new(None) }
    }

    /// Shows a game on the page from now on, starting with its beginning.
    pub fn set(&self, game: Option<Key>) {
        self.featured.send_if_modified(|featured| std::mem::replace(featured, game) != game);
    }

    /// The game that the page shows.
    pub fn get(&self) -> Option<Key> {
        *self.featured.borrow()
    }

    /// Records a game while it runs, and shows it while it is featured. `outputs` are those of the programs that play here, by
    /// seat. Returns the bytes of the recording when the game has ended.
    pub(crate) async fn record(
        self,
        game: Key,
        mut observations: mpsc::Receiver<Observation>,
        outputs: Vec<Option<RecentOutput>>,
    ) -> Vec<u8> {
        let (mut recorder, mut bytes) = (None::<Recorder>, Vec::new());
        // All observations of this game for the page, and the number of those that were sent.
        let (mut all, mut told) = (Vec::new(), 0);
        let mut featured = self.featured.subscribe();
        loop {
            tokio::select! {
                observation = observations.recv() => {
                    let Some(observation) = observation else { return bytes };
                    // The page is for everybody.
                    let is_secret = matches!(observation, Observation::Thoughts(_));
                    if self.page.is_some() && !is_secret {
                        all.push(observation.clone());
                    }
                    if let (Observation::Turn { .. }, Some(recorder)) = (&observation, &mut recorder) {
                        recorder.think(written(&outputs));
                    }
                    take_down(observation, &mut recorder, &mut bytes);
                }
                // The page may have shown another game meanwhile: this one starts again there.
                _ = featured.changed() => told = 0,
            }
            // While this borrow lasts, the featured game cannot change: the page is sent one game at a time.
            let now = featured.borrow_and_update();
            if now.has_changed() {
                told = 0;
            }
            if *now == Some(game) {
                told += self.show(&all[told..]);
            }
        }
    }

    /// Sends observations as long as the page takes them, and returns their number. The rest can be sent later.
    fn show(&self, observations: &[Observation]) -> usize {
        let takes = |observation: &&Observation| {
            self.page.as_ref().is_some_and(|page| page.try_send((*observation).clone()).is_ok())
        };
        observations.iter().take_while(takes).count()
    }
}

/// The output of the programs since the last turn, as thoughts by player.
fn written(outputs: &[Option<RecentOutput>]) -> impl Iterator<Item = (Colour, String)> {
    let outputs = Colour::first(outputs.len()).zip(outputs);
    outputs.filter_map(|(player, output)| {
        Some((player, Thought::of_output(&output.as_ref()?.take())?))
    })
}

fn take_down(observation: Observation, recorder: &mut Option<Recorder>, bytes: &mut Vec<u8>) {
    match observation {
        Observation::Gathering { .. } => {}
        Observation::Begin { setup, .. } => {
            let (new, beginning) = Recorder::start(setup);
            *recorder = Some(new);
            *bytes = beginning;
        }
        Observation::Thoughts(thoughts) => {
            if let Some(recorder) = recorder {
                recorder.think(thoughts);
            }
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use replay::{PacmanSetup, Setup, Turn};
    use tokio::time::timeout;

    use super::*;

    fn begin(seed: u64) -> Observation {
        let map = "3;9\n#########\n#.......#\n#########\n".parse().unwrap();
        let rules = game::pacman::Rules::default();
        let setup = PacmanSetup { map, rules, seed, turns: 9, names: vec!["Ada".to_owned()] };
        Observation::Begin { game: 1, setup: Setup::Pacman(setup) }
    }

    fn turn(hash: u64) -> Observation {
        Observation::Turn { turn: Turn::default(), hash }
    }

    /// The observations that the page was sent: the seed of a game that begins, or the hash after a turn.
    async fn told(page: &mut mpsc::Receiver<Observation>, count: usize) -> Vec<u64> {
        let mut told = Vec::new();
        while told.len() < count {
            let observation = timeout(Duration::from_secs(1), page.recv()).await;
            told.push(match observation.expect("the page is told").unwrap() {
                Observation::Gathering { .. } => unreachable!("nobody gathers for it"),
                Observation::Thoughts(_) => unreachable!("the page is told no thoughts"),
                Observation::Begin { setup, .. } => setup.seed(),
                Observation::Turn { hash, .. } | Observation::End { hash } => hash,
            });
        }
        assert!(page.try_recv().is_err());
        told
    }

    #[tokio::test(start_paused = true)]
    async fn game_that_is_featured_again_is_shown_from_its_beginning() {
        let (sender, mut page) = mpsc::channel(16);
        let featured = FeaturedGame::new(Some(sender));
        let [(a, b), (c, d)] = [1, 2].map(|byte| {
            let (observer, observations) = mpsc::channel(16);
            let key = Key::from_bytes([byte; 16]);
            tokio::spawn(featured.clone().record(key, observations, Vec::new()));
            (key, observer)
        });
        featured.set(Some(a));
        for observation in [begin(1), turn(11), turn(12)] {
            b.send(observation).await.unwrap();
        }
        assert_eq!(told(&mut page, 3).await, [1, 11, 12]);
        d.send(begin(2)).await.unwrap();
        featured.set(Some(c));
        assert_eq!(told(&mut page, 1).await, [2]);
        featured.set(Some(a));
        b.send(turn(13)).await.unwrap();
        assert_eq!(told(&mut page, 4).await, [1, 11, 12, 13]);
    }

    #[tokio::test(start_paused = true)]
    async fn slow_page_is_sent_all_observations_in_order() {
        let (sender, mut page) = mpsc::channel(2);
        let featured = FeaturedGame::new(Some(sender));
        let key = Key::from_bytes([1; 16]);
        featured.set(Some(key));
        let (observer, observations) = mpsc::channel(16);
        tokio::spawn(featured.record(key, observations, Vec::new()));
        for observation in [begin(1), turn(11), turn(12), turn(13)] {
            observer.send(observation).await.unwrap();
        }
        tokio::task::yield_now().await;
        assert_eq!(told(&mut page, 2).await, [1, 11]);
        observer.send(turn(14)).await.unwrap();
        assert_eq!(told(&mut page, 2).await, [12, 13]);
    }
}
