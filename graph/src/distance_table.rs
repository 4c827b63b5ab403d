//! Distances between any two cells of a grid, worked out when they are first asked for.

use crate::bucket_queue::BucketQueue;
use crate::{Cell, Distances, Grid};

/// Bytes of distances that are kept; with more, all are forgotten and computed again.
const KEPT: usize = 64 << 20;

/// Remembers the distances from every cell that was asked about.
#[derive(Clone, Debug, Default)]
pub struct DistanceTable {
    /// By cell.
    rows: Vec<Distances>,
    is_known: Vec<bool>,
    /// Bytes of the rows.
    kept: usize,
    queue: BucketQueue,
}

impl DistanceTable {
    /// Of no grid yet: it is for the first one that it is asked about.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything, to be asked about another grid; the memory is used again.
    pub fn clear(&mut self) {
        self.is_known.fill(false);
    }

    /// The distances from a cell, walls closed.
    pub fn from(&mut self, grid: &Grid, source: Cell) -> &Distances {
        let cells = grid.dims().len();
        if self.rows.len() != cells {
            *self = Self {
                rows: vec![Distances::new(); cells],
                is_known: vec![false; cells],
                ..Self::default()
            };
        }
        let index = source.index();
        if !std::mem::replace(&mut self.is_known[index], true) {
            if self.rows[index].is_new() {
                let size = Distances::size(cells);
                if self.kept + size > KEPT {
                    self.rows.fill(Distances::new());
                    self.is_known.fill(false);
                    self.is_known[index] = true;
                    self.kept = 0;
                }
                self.kept += size;
            }
            self.rows[index].fill_with(&mut self.queue, grid, source);
        }
        &self.rows[index]
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
        assert!(table.rows.iter().filter(|row| !row.is_new()).count() <= most);
    }
}
