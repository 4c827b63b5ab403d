//! The fast solver.
//!
//! The solver never computes a value: boolean searches ask if the player to move gets at least a certain
//! value, and prune all moves that cannot change the answer. The first question is who wins; the next ones
//! are whether the win takes n plies, for growing n until it does. A transposition table keeps the proofs
//! about each position from one question to the next, and static bounds answer easy questions.

mod bounds;
mod position;
mod search;
mod table;

use position::{Geometry, Position};
use search::Search;
use table::Table;

use super::count::Count;
use super::value::Rank;
use super::{Configuration, HexapawnSolution, Size, Value};

/// Finds values on boards of one size, and remembers its proofs.
///
/// # Examples
///
/// ```
/// use hexapawn::{Configuration, HexapawnSolver, Size};
///
/// let size = Size::new(3, 3).unwrap();
/// let mut solver = HexapawnSolver::new(size);
/// let solution = solver.value(&Configuration::start(size), |_| Ok::<(), ()>(())).unwrap();
/// assert_eq!(solution.value.get(), -6);
/// ```
#[derive(Clone, Debug)]
pub struct HexapawnSolver {
    size: Size,
    geometry: Geometry,
    table: Table,
}

impl HexapawnSolver {
    /// Default number of remembered positions: 768 MiB, and half as much again while the table grows.
    pub const MOST_REMEMBERED: usize = 1 << 25;

    /// A solver without proofs. Its memory grows with its needs up to [`Self::MOST_REMEMBERED`] positions; then
    /// it forgets the proofs with the fewest nodes.
    #[must_use]
    pub fn new(size: Size) -> Self {
        Self::with_memory(size, Self::MOST_REMEMBERED)
    }

    /// A solver that remembers at most `positions` positions, rounded to a power of two. Values are exact
    /// with any number.
    #[must_use]
    pub fn with_memory(size: Size, positions: usize) -> Self {
        Self { size, geometry: Geometry::new(size), table: Table::new(positions) }
    }

    /// The value of a configuration on a board of the solver's size; its nodes are the expanded positions,
    /// repetitions included.
    ///
    /// `watch` learns about every [`STRIDE`](super::STRIDE) nodes.
    ///
    /// # Errors
    ///
    /// The errors of `watch`.
    pub fn value<E>(
        &mut self,
        configuration: &Configuration,
        watch: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<HexapawnSolution, E> {
        let mut count = Count::new(watch);
        let value = match ended(configuration) {
            Some(value) => value,
            None => self.prove(configuration, &mut count)?,
        };
        Ok(HexapawnSolution { value, nodes: count.nodes })
    }

    /// The first successor that keeps `value`, the value of the configuration. `None` if the player to move has
    /// lost already.
    ///
    /// # Errors
    ///
    /// The errors of `watch`.
    pub fn best_successor<E>(
        &mut self,
        configuration: &Configuration,
        value: Value,
        watch: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<Configuration>, E> {
        let mut count = Count::new(watch);
        let refutation = value.rank().refutation();
        for successor in configuration.successors() {
            let refuted = match ended(&successor) {
                Some(value) => value.rank() >= refutation,
                None => self.at_least(&successor, refutation, &mut count)?,
            };
            if !refuted {
                return Ok(Some(successor));
            }
        }
        Ok(None)
    }

    fn prove<E>(
        &mut self,
        configuration: &Configuration,
        count: &mut Count<impl FnMut(u64) -> Result<(), E>>,
    ) -> Result<Value, E> {
        // The winner makes the last move.
        if self.at_least(configuration, Rank::WIN, count)? {
            let mut plies = 1;
            while !self.at_least(configuration, Rank::win_in(plies), count)? {
                plies += 2;
            }
            Ok(Rank::win_in(plies).value())
        } else {
            let mut plies = 0;
            while self.at_least(configuration, Rank::loss_in(plies).above(), count)? {
                plies += 2;
            }
            Ok(Rank::loss_in(plies).value())
        }
    }

    fn at_least<E>(
        &mut self,
        configuration: &Configuration,
        rank: Rank,
        count: &mut Count<impl FnMut(u64) -> Result<(), E>>,
    ) -> Result<bool, E> {
        assert_eq!(configuration.board.size(), self.size, "a board of the solver's size");
        let position = Position::new(&self.geometry, configuration);
        Search::new(&self.geometry, &mut self.table, count).at_least(position, rank)
    }
}

/// The value if the game has ended or ends with the next move. If `None`, both players have pawns, and no
/// pawn has arrived.
fn ended(configuration: &Configuration) -> Option<Value> {
    let successors = configuration.successors();
    match successors.iter().any(|successor| successor.successors().is_empty()) {
        _ if successors.is_empty() => Some(Value::LOST),
        true => Some(Value::of_successors([Value::LOST])),
        false => None,
    }
}
