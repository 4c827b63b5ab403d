//! Distances between any two cells of a grid, worked out when they are first asked for.

use crate::{Cell, Distances, Grid};

/// So many bytes of distances are kept; then all are forgotten and worked out again.
const KEPT: usize = 64 << 20;

/// Remembers the distances from every cell that was asked about.
#[derive(Clone, Debug, Default)]
pub struct DistanceTable {
    from: Vec<Option<Distances>>,
    kept: usize,
    /// What searches need besides their results.
    search: Distances,
}

impl DistanceTable {
    /// Of no grid yet: it is for the first one that it is asked about.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, to be asked about another grid.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The distances from a cell, walls closed.
    pub fn from(&mut self, grid: &Grid, source: Cell) -> &Distances {
        let cells = grid.dims().len();
        if self.from.len() != cells {
            *self = Self { from: vec![None; cells], ..Self::default() };
        }
        if self.from[source.index()].is_none() {
            let size = Distances::size(cells);
            if self.kept + size > KEPT {
                self.from.fill(None);
                self.kept = 0;
            }
            self.kept += size;
        }
        self.from[source.index()].get_or_insert_with(|| self.search.fill(grid, source).result())
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dims;

    #[test]
    fn distances_are_those_worked_out_one_by_one() {
        let grid = Grid::new(Dims::new(8, 9).unwrap(), |cell| cell.index() % 5 == 1);
        let mut table = DistanceTable::new();
        let mut distances = Distances::new();
        for _ in 0..2 {
            for a in grid.corridors() {
                distances.fill(&grid, a);
                for b in grid.corridors() {
                    assert_eq!(table.from(&grid, a).to(b), distances.to(b));
                }
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        let grid = Grid::new(Dims::new(400, 400).unwrap(), |_| false);
        let mut table = DistanceTable::new();
        let most = KEPT / Distances::size(grid.dims().len());
        for cell in grid.corridors().take(most + 10) {
            table.from(&grid, cell);
        }
        assert!(table.from.iter().flatten().count() <= most);
    }
}
