//! A best line of play.

use super::{Configuration, Solver, Value};

/// A game that both players play as well as they can, from a configuration of this value to the end: the
/// configurations with their values, both ends included. Among equal moves the first one is played.
///
/// # Errors
///
/// Those of `watch`, which learns about the solver's nodes.
pub fn best<E>(
    solver: &mut Solver,
    start: &Configuration,
    mut watch: impl FnMut(u64) -> Result<(), E>,
) -> Result<Vec<(Configuration, Value)>, E> {
    let mut line = vec![(*start, solver.value(start, &mut watch)?.value)];
    while let Some((configuration, value)) = line.last() {
        let Some(next) = solver.best_successor(configuration, *value, &mut watch)? else { break };
        let value = solver.value(&next, &mut watch)?.value;
        line.push((next, value));
    }
    Ok(line)
}
