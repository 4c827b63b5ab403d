//! Errors as Python exceptions.

use std::fmt::Display;
use std::path::Path;

use game::pacman::{Colour, Map, Rules};
use language::said;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

/// A `ValueError` with the text of the error.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A `ValueError`, or an `OSError` if the root cause is an I/O error.
fn wrong_file(error: &anyhow::Error) -> PyErr {
    let text = format!("{error:#}");
    match error.root_cause().is::<std::io::Error>() {
        true => PyOSError::new_err(text),
        false => PyValueError::new_err(text),
    }
}

/// The map of this name or in this file; plan1 without a name. A text with several lines is the map itself.
pub(crate) fn map(carte: Option<&str>) -> PyResult<Map> {
    match carte {
        None => cli::built_in_map().map_err(|error| wrong_file(&error)),
        Some(text) if text.contains('\n') => Map::parse(text.as_bytes()).map_err(wrong),
        Some(path) => cli::load_map(Path::new(path)).map_err(|error| wrong_file(&error)),
    }
}

/// The rules of this name.
pub(crate) fn rules(name: &str) -> PyResult<Rules> {
    Rules::preset(name).ok_or_else(|| {
        let known = Rules::PRESETS.map(|(known, _)| known).join(", ");
        wrong(said!(
            "there are no rules {name:?}, expected one of: {known}",
            "il n'y a pas de règles {name:?}, mais : {known}"
        ))
    })
}

/// Checks that each of these players has a colour, and that the map has room for all.
pub(crate) fn check_players(players: usize, map: &Map) -> PyResult<()> {
    let most = Colour::MAX;
    if !(1..=most).contains(&players) {
        return Err(wrong(said!(
            "expected 1 to {most} players, got {players}",
            "il faut 1 à {most} joueurs, et non {players}"
        )));
    }
    map.check_room_for(players).map_err(wrong)
}

/// Checks that a number of turns or games is at least one.
pub(crate) fn at_least_one(number: u32, what: &str) -> PyResult<u32> {
    match number {
        0 => Err(wrong(said!(
            "expected at least one {what}, got 0",
            "nombre de {what} : au moins 1 est attendu, et non 0"
        ))),
        number => Ok(number),
    }
}
