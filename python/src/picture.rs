//! Pictures of games.

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::game::Game;

/// Side of a cell in pixels.
const SCALE: u16 = 20;

/// The picture of a game's state: a new ``uint8`` array of shape (height, width, 3), in pixels.
pub(crate) fn of_game<'py>(py: Python<'py>, game: &Game) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let (view, headings) = (game.state.view(), game.headings());
    let picture = py.detach(|| replay::Picture::draw(view, &headings, SCALE));
    let shape = [picture.height.into(), picture.width.into(), 3];
    PyArray1::from_vec(py, picture.pixels).reshape(shape)
}
