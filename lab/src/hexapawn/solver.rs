//! The fast solver.
//!
//! It never computes a value: it asks whether the player to move gets at least a certain one, and each
//! answer cuts off all that cannot change it. The first question is who wins; then, for the one who wins,
//! whether it takes n plies, for growing n until it does. A
//! transposition table keeps what is proved about each position from one question to
//! the next, and bounds answer where a look at the pawns is enough.

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

/// Finds values on boards of one size, and remembers what it has proved.
///
/// # Examples
///
/// ```
/// use lab::hexapawn::{Configuration, HexapawnSolver, Size};
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
    /// Number of positions that are remembered unless told otherwise: 768 MiB, and half as much again while the
    /// table grows.
    pub const MOST_REMEMBERED: usize = 1 << 25;

    /// A solver that knows nothing yet. Its memory grows with its needs up to
    /// [`Self::MOST_REMEMBERED`] positions; then it forgets what was found fastest.
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

    /// The value of a configuration on a board of the solver's size; its nodes are the positions whose
    /// moves were tried, each time.
    ///
    /// `watch` learns about every [`STRIDE`](super::STRIDE) nodes.
    ///
    /// # Errors
    ///
    /// Those of `watch`.
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

    /// The first successor after which the player to move still gets this value, its own. There is none
    /// when it has lost already.
    ///
    /// # Errors
    ///
    /// Those of `watch`.
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
        // The player that wins moves last.
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

/// The value where the game has ended or ends with the next move. Elsewhere both players have pawns, and
/// none has arrived.
fn ended(configuration: &Configuration) -> Option<Value> {
    let successors = configuration.successors();
    match successors.iter().any(|successor| successor.successors().is_empty()) {
        _ if successors.is_empty() => Some(Value::LOST),
        true => Some(Value::of_successors([Value::LOST])),
        false => None,
    }
}
