//! The value by its definition.

use super::count::Count;
use super::{Configuration, HexapawnSolution, Value};

/// The value by recursion over all successors (*version naïve*); its nodes are the calls. Time grows as the
/// number of games, memory as their length.
///
/// `watch` learns about every [`STRIDE`](super::STRIDE) nodes.
///
/// # Errors
///
/// The errors of `watch`.
pub fn value<E>(
    configuration: &Configuration,
    watch: impl FnMut(u64) -> Result<(), E>,
) -> Result<HexapawnSolution, E> {
    let mut calls = Count::new(watch);
    let value = recur(configuration, &mut calls)?;
    Ok(HexapawnSolution { value, nodes: calls.nodes })
}

fn recur<E>(
    configuration: &Configuration,
    calls: &mut Count<impl FnMut(u64) -> Result<(), E>>,
) -> Result<Value, E> {
    calls.advance()?;
    let successors = configuration.successors();
    let values: Result<Vec<_>, E> =
        successors.iter().map(|successor| recur(successor, calls)).collect();
    Ok(Value::of_successors(values?))
}
