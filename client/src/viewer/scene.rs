//! A state of either game.

use game::pacman::View;
use game::pyrat::State;

use crate::viewer::pacman::PacmanScene;
use crate::viewer::pyrat::PyRatScene;
use crate::viewer::scene_view::SceneView;

/// A state of either game, and what has happened since the one before it.
#[derive(Clone, Debug)]
pub enum Scene {
    /// A state of Pacman.
    Pacman(PacmanScene),
    /// A state of PyRat.
    PyRat(PyRatScene),
}

impl Scene {
    /// Tests if it belongs to the same game as the one before it; then it is told what has happened
    /// in between.
    pub(super) fn continues(&mut self, last: &Self) -> bool {
        let (now, before) = (self.view(), last.view());
        let continues = before.elapsed() <= now.elapsed()
            && before.total() == now.total()
            && before.players() == now.players()
            && self.shares_board(last);
        match (self, last) {
            (Self::Pacman(scene), Self::Pacman(last)) if continues => scene.compare(last),
            (Self::PyRat(scene), Self::PyRat(last)) if continues => scene.compare(last),
            _ => {}
        }
        continues
    }

    /// Tests if the board is that of the state before.
    pub(super) fn shares_board(&self, last: &Self) -> bool {
        match (self, last) {
            (Self::Pacman(scene), Self::Pacman(last)) => scene.shares_board(last),
            (Self::PyRat(scene), Self::PyRat(last)) => scene.shares_board(last),
            _ => false,
        }
    }

    /// As the panels show it.
    pub(super) fn view(&self) -> &dyn SceneView {
        match self {
            Self::Pacman(scene) => scene,
            Self::PyRat(scene) => scene,
        }
    }
}

impl From<View> for Scene {
    fn from(view: View) -> Self {
        Self::Pacman(PacmanScene::from(view))
    }
}

impl From<State> for Scene {
    fn from(state: State) -> Self {
        Self::PyRat(PyRatScene::from(state))
    }
}
