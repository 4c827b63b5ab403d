//! The scenes of a recording.

use game::pacman::{Event, Rules};
use replay::{Game, Recording, Setup};

use crate::viewer::{History, Scene};

/// All states of a recording, as a spectator sees them: in Pacman also those on the way to a new one,
/// unless there are more of them than are remembered. Also the rules that hold.
#[must_use]
pub fn scenes(recording: &Recording) -> (Vec<Scene>, Rules) {
    let mut game = Game::start(&recording.setup);
    let rules = match &recording.setup {
        Setup::Pacman(setup) => setup.rules,
        Setup::PyRat(_) => Rules::SUJET,
    };
    let players = recording.setup.names().len();
    let all_steps = recording.turns.len() * (2 * players + 1) < History::MOMENTS;
    let mut scenes: Vec<Scene> = vec![match &game {
        Game::Pacman(game) => game.state().view().clone().into(),
        Game::PyRat(game) => game.state().clone().into(),
    }];
    for turn in &recording.turns {
        match &mut game {
            Game::Pacman(game) => game.play(turn, |event, state| {
                let is_step = matches!(event, Event::Done(_)) && all_steps;
                if is_step || event == Event::TurnEnded {
                    scenes.push(state.view().clone().into());
                }
            }),
            Game::PyRat(game) => {
                game.play(turn);
                scenes.push(game.state().clone().into());
            }
        }
    }
    (scenes, rules)
}
