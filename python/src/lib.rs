//! The compiled part of the Python package `pacman_iuto`, its module `_native`.
//!
//! All its public items have types in `pacman_iuto/_native.pyi`. `fault` turns errors into Python exceptions with the
//! same text.
#![cfg(feature = "module")]

mod arena;
mod batch;
mod board;
mod fault;
mod game;
mod line;
mod local;
mod many;
mod maps;
mod picture;
mod planes;
mod rat_game;
mod rats;
mod recording;
mod view;

use std::sync::{Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::MutexExt;

/// The compiled part of `pacman_iuto`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::arena::Arena;
    #[pymodule_export]
    use super::batch::BatchArena;
    #[pymodule_export]
    use super::board::{DistanceTable, Distances};
    #[pymodule_export]
    use super::line::{Line, registration};
    #[pymodule_export]
    use super::local::play_local;
    #[pymodule_export]
    use super::rats::RatArena;
    #[pymodule_export]
    use super::recording::Recording;
    #[pymodule_export]
    use super::view::{Player, View};

    #[pymodule_init]
    fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // The exceptions are in the language of the environment.
        language::Language::choose(None);
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MAPS", game::pacman::maps::names().collect::<Vec<_>>())?;
        module.add("BOTS", super::names(bots::registry::ALL))?;
        module.add("PYRAT_PLAYERS", super::names(bots::pyrat::ALL))
    }
}

fn names<B: ?Sized>(entries: &[bots::registry::Entry<B>]) -> Vec<&'static str> {
    entries.iter().map(|entry| entry.name).collect()
}

/// Locks a mutex without holding the interpreter's lock while waiting. What a panic left is used.
fn lock<'a, T>(py: Python<'_>, mutex: &'a Mutex<T>) -> MutexGuard<'a, T> {
    mutex.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}
