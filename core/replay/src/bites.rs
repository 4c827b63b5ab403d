//! The bites of a recorded game, by ghost and pacman.

use game::pacman::Event;

use crate::game::Replay;
use crate::recording::Recording;

/// Counts the bites of a recorded game of Pacman, by the colour of the ghost, then by the colour of the pacman; `None` if it is
/// a game of PyRat. Plays the recorded turns again.
#[must_use]
pub fn bites(recording: &Recording) -> Option<Vec<Vec<u32>>> {
    let Replay::Pacman(mut game) = Replay::start(&recording.setup) else { return None };
    let players = recording.setup.names().len();
    let mut bites = vec![vec![0; players]; players];
    for turn in recording.turns.iter() {
        game.play(&turn, |event, _| {
            if let Event::Battle { pacman, ghost, bitten: true } = event {
                bites[ghost.index()][pacman.index()] += 1;
            }
        });
    }
    Some(bites)
}
