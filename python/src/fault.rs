//! Errors as Python exceptions.

use std::fmt::Display;

use game::pacman::{Colour, Map, Rules, RulesPreset};
use language::said;
use pyo3::exceptions::{PyOSError, PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// A `ValueError` with the text of the error.
pub(crate) fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A `ValueError`, or an `OSError` if the root cause is an I/O error.
pub(crate) fn wrong_file(error: &anyhow::Error) -> PyErr {
    let text = cli::causes(error);
    if error.root_cause().is::<std::io::Error>() {
        PyOSError::new_err(text)
    } else {
        PyValueError::new_err(text)
    }
}

/// The rules of this name.
pub(crate) fn rules(name: &str) -> PyResult<Rules> {
    name.parse().map(RulesPreset::rules).map_err(wrong)
}

/// A number of players, from 1 to the number of colours.
pub(crate) fn players(number: i64) -> PyResult<usize> {
    let most = Colour::MAX;
    let players = usize::try_from(number).ok().filter(|players| (1..=most).contains(players));
    players.ok_or_else(|| {
        wrong(said!(
            "expected 1 to {most} players, got {number}",
            "il faut 1 à {most} joueurs, et non {number}"
        ))
    })
}

/// Checks that each of these players has a colour, and that the map has room for all.
pub(crate) fn check_players(number: usize, map: &Map) -> PyResult<()> {
    map.check_room_for(players(i64::try_from(number).unwrap_or(i64::MAX))?).map_err(wrong)
}

/// A number of turns or games, at least one.
pub(crate) fn at_least_one(number: i64, what: &str) -> PyResult<u32> {
    if number < 1 {
        return Err(wrong(said!(
            "expected at least one {what}, got {number}",
            "nombre de {what} : au moins 1 est attendu, et non {number}"
        )));
    }
    u32::try_from(number).map_err(|_| {
        let most = u32::MAX;
        wrong(said!(
            "expected at most {most} {what}s, got {number}",
            "nombre de {what} : au plus {most} est attendu, et non {number}"
        ))
    })
}

/// A seed.
pub(crate) fn seed(number: i128) -> PyResult<u64> {
    u64::try_from(number).map_err(|_| {
        PyOverflowError::new_err(said!(
            "expected a seed from 0 to 2^64 - 1, got {number}",
            "une graine de 0 à 2^64 - 1 est attendue, et non {number}"
        ))
    })
}
