//! The games that the page can show.

use std::collections::VecDeque;

use replay::{Game, Recording, Setup, Turn};
use serde_json::{Value, json};

/// So many turns are kept, over all games but the last; then the oldest games are forgotten.
const KEPT: usize = 500_000;

/// The games since the server started, as far as they are kept.
#[derive(Debug, Default)]
pub(super) struct Archive {
    games: VecDeque<Kept>,
}

#[derive(Debug)]
struct Kept {
    id: u32,
    recording: Recording,
    points: Vec<f64>,
}

impl Archive {
    /// A game begins.
    pub(super) fn begin(&mut self, id: u32, setup: Setup) {
        let turns = |games: &VecDeque<Kept>| -> usize {
            games.iter().map(|kept| kept.recording.turns.len()).sum()
        };
        while turns(&self.games) > KEPT {
            self.games.pop_front();
        }
        let points = vec![0.0; setup.names().len()];
        self.games.push_back(Kept { id, recording: Recording::new(setup), points });
    }

    /// A turn of the game that began last, after which it stands like this.
    pub(super) fn turn(&mut self, turn: &Turn, game: &Game) {
        if let Some(kept) = self.games.back_mut() {
            kept.recording.turns.push(turn);
            kept.points.clear();
            match game {
                Game::Pacman(game) => {
                    let players = game.state().view().players().iter();
                    kept.points.extend(players.map(|player| f64::from(player.points)));
                }
                Game::PyRat(game) => {
                    kept.points.extend(game.state().rats().iter().map(|rat| rat.score.as_f64()));
                }
            }
        }
    }

    /// The game that began last has ended.
    pub(super) fn end(&mut self) {
        if let Some(kept) = self.games.back_mut() {
            kept.recording.is_complete = true;
        }
    }

    /// What is known of a game so far.
    pub(super) fn recording(&self, id: u32) -> Option<Recording> {
        self.games.iter().find(|kept| kept.id == id).map(|kept| kept.recording.clone())
    }

    /// All games, oldest first.
    pub(super) fn list(&self) -> Value {
        let game = |Kept { id, recording, points }: &Kept| {
            let setup = &recording.setup;
            json!({
                "id": id,
                "game": if matches!(setup, Setup::Pacman(_)) { "pacman" } else { "pyrat" },
                "seed": setup.seed().to_string(),
                "players": setup.names(),
                "turn": recording.turn(),
                "turns": setup.turns(),
                "running": !recording.is_complete,
                "points": points,
            })
        };
        json!({ "games": self.games.iter().map(game).collect::<Vec<_>>() })
    }
}
