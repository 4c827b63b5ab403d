//! The value by its definition, computed once for each configuration.

use rustc_hash::FxHashMap;

use super::count::Count;
use super::{Configuration, HexapawnSolution, Value};

/// The values of all requested configurations and of those that can follow them (*version dynamique*).
#[derive(Clone, Debug, Default)]
pub struct Memo {
    values: FxHashMap<Configuration, Value>,
}

impl Memo {
    /// The value of a configuration; its nodes are the distinct configurations that were not known
    /// before. Time and memory grow as their number: about 50 bytes each.
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
        let mut distinct = Count::new(watch);
        let value = self.recur(configuration, &mut distinct)?;
        Ok(HexapawnSolution { value, nodes: distinct.nodes })
    }

    /// All configurations whose values are known, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&Configuration, Value)> {
        self.values.iter().map(|(configuration, &value)| (configuration, value))
    }

    fn recur<E>(
        &mut self,
        configuration: &Configuration,
        distinct: &mut Count<impl FnMut(u64) -> Result<(), E>>,
    ) -> Result<Value, E> {
        if let Some(&value) = self.values.get(configuration) {
            return Ok(value);
        }
        distinct.advance()?;
        let successors = configuration.successors();
        let values: Result<Vec<_>, E> =
            successors.iter().map(|successor| self.recur(successor, distinct)).collect();
        let value = Value::of_successors(values?);
        self.values.insert(*configuration, value);
        Ok(value)
    }
}
