//! Distances between any two cells of a grid, computed on demand.

use std::collections::VecDeque;

use crate::bucket_queue::BucketQueue;
use crate::{Cell, Direction, Distances, Grid};

/// Capacity of the rows in bytes; beyond it, the oldest distances are dropped.
const KEPT: usize = 64 << 20;
/// Cells of the largest grid whose steps are kept: they take 16 MB.
const MOST_CELLS: usize = 4096;
/// Number of searches through walls that are kept: the players of most games.
const KEPT_THROUGH: usize = 4;

/// A cache of the distances from requested cells of one grid. A question about another grid empties it.
#[derive(Clone, Debug, Default)]
pub struct DistanceTable {
    /// The [digest](Grid::digest) of the grid.
    grid: u64,
    /// For each cell, the index of the row with its distances, plus 1; 0 if they are unknown.
    row_of: Vec<u32>,
    rows: Vec<(Cell, Distances)>,
    /// By cell, then by goal: 1 + the index of the direction of the neighbour nearest to the goal; 0 if it is not known. Empty before the
    /// first question, and on large grids. Neighbouring goals are asked for together: in this order, a decision of `champion`
    /// against `dijkstra` takes a twentieth less than with the goals first.
    steps: Vec<u8>,
    /// The last searches through walls: the source, the steps that pass walls, and the distances.
    through: VecDeque<(Cell, u32, Distances)>,
    /// The index of the next row to be filled; once the table is full, the oldest row.
    next: usize,
    /// Maximum number of cells of each search; `None` for all cells.
    nearest: Option<usize>,
    queue: BucketQueue,
}

/// In `DistanceTable::steps`: the cell has no exit.
const NONE: u8 = 1 + Direction::ALL.len() as u8;

impl DistanceTable {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A table of the distances to about the `most` nearest cells only, where others count as unreached, for short searches
    /// on large grids without weights.
    #[must_use]
    pub fn of_nearest(most: usize) -> Self {
        Self { nearest: Some(most), ..Self::default() }
    }

    /// The distances from a cell, without passing walls.
    #[inline]
    pub fn from(&mut self, grid: &Grid, source: Cell) -> &Distances {
        let row = self.row(grid, source);
        &self.rows[row].1
    }

    /// The distances from a cell, where the first `through_walls` steps can pass walls: if there are any, in steps, regardless of weights.
    /// They reach as many cells as those without walls. The last few such searches are kept.
    pub fn through(&mut self, grid: &Grid, source: Cell, through_walls: u32) -> &Distances {
        if through_walls == 0 {
            return self.from(grid, source);
        }
        self.turn_to(grid);
        let asked = |kept: &(Cell, u32, Distances)| (kept.0, kept.1) == (source, through_walls);
        let known = self.through.iter().position(asked).unwrap_or_else(|| {
            let oldest = (self.through.len() == KEPT_THROUGH).then(|| self.through.pop_front());
            let (.., mut distances) = oldest.flatten().unwrap_or_default();
            let most = self.nearest.unwrap_or(usize::MAX);
            distances.fill_nearest(grid, source, through_walls, most);
            self.through.push_back((source, through_walls, distances));
            self.through.len() - 1
        });
        &self.through[known].2
    }

    /// The neighbour of `from` through its exits with the least distance from `goal`, the first one of equally near ones; `from`
    /// itself if it has no exit. On a grid without weights, that is the next cell of a shortest path, unless `from` is the goal.
    #[inline]
    pub fn step(&mut self, grid: &Grid, from: Cell, goal: Cell) -> Cell {
        self.turn_to(grid);
        let known = match self.steps.len() {
            0 => 0,
            _ => self.steps[from.index() * self.row_of.len() + goal.index()],
        };
        let step = if known > 0 { known } else { self.find_step(grid, from, goal) };
        Direction::ALL
            .get(usize::from(step - 1))
            .map_or(from, |&towards| grid.neighbour(from, towards))
    }

    /// The index of the row of a cell.
    #[inline]
    fn row(&mut self, grid: &Grid, source: Cell) -> usize {
        self.turn_to(grid);
        let known = self.row_of[source.index()] as usize;
        match known.checked_sub(1) {
            Some(row) => row,
            None => self.fill(grid, source),
        }
    }

    /// Empties the table if the grid is another one.
    #[inline]
    fn turn_to(&mut self, grid: &Grid) {
        if self.grid != grid.digest() {
            self.start(grid);
        }
    }

    /// Empties the table for another grid; for one of the same size, keeps the memory of the rows.
    fn start(&mut self, grid: &Grid) {
        let cells = grid.dims().len();
        if self.row_of.len() != cells {
            self.rows.clear();
        }
        self.steps = Vec::new();
        self.through.clear();
        self.row_of.clear();
        self.row_of.resize(cells, 0);
        self.next = 0;
        self.grid = grid.digest();
    }

    /// Computes the distances from a cell; returns the index of their row.
    fn fill(&mut self, grid: &Grid, source: Cell) -> usize {
        let cells = grid.dims().len();
        let most = rows_kept(cells);
        let row = self.next;
        if row == self.rows.len() {
            self.rows.push((source, Distances::new()));
        }
        let (before, distances) = &mut self.rows[row];
        let before = std::mem::replace(before, source);
        // After a change of grids, the former source of this row may already be in another row.
        if self.row_of[before.index()] as usize == row + 1 {
            self.row_of[before.index()] = 0;
        }
        match self.nearest {
            Some(most) => {
                distances.fill_nearest(grid, source, 0, most);
            }
            None => distances.fill_with(&mut self.queue, grid, source),
        }
        // There are no more rows than cells.
        self.row_of[source.index()] = row as u32 + 1;
        self.next = (row + 1) % most;
        row
    }

    /// Computes the step of a cell towards a goal.
    fn find_step(&mut self, grid: &Grid, from: Cell, goal: Cell) -> u8 {
        let distances = self.from(grid, goal);
        let exits = grid.exits(from).iter();
        let nearest = exits.min_by_key(|&&exit| distances.to(grid.neighbour(from, exit)));
        let step = nearest.map_or(NONE, |exit| 1 + exit.index() as u8);
        let cells = self.row_of.len();
        if cells <= MOST_CELLS {
            if self.steps.is_empty() {
                self.steps = vec![0; cells * cells];
            }
            self.steps[from.index() * cells + goal.index()] = step;
        }
        step
    }
}

/// Number of rows that a table keeps on a grid of `cells` cells.
fn rows_kept(cells: usize) -> usize {
    (KEPT / Distances::size(cells)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dims;

    #[test]
    fn another_grid_of_the_same_size_has_its_own_distances() {
        let dims = Dims::new(5, 5).unwrap();
        let grids = [7, 12].map(|wall| Grid::new(dims, |cell| cell.index() % wall == 1));
        let muddy = Grid::linked(dims, crate::Shape::Torus, |cell, _| 1 + cell.index() as u16 % 3);
        let mut table = DistanceTable::new();
        for grid in grids.iter().chain([&muddy]).cycle().take(9) {
            let mut distances = Distances::new();
            for source in grid.corridors() {
                distances.fill(grid, source);
                let cached = table.from(grid, source);
                assert!(grid.corridors().all(|to| cached.to(to) == distances.to(to)));
            }
        }
    }

    #[test]
    fn steps_lead_to_the_nearest_neighbour_however_often_they_are_asked_for() {
        let dims =
            [(6, 7), (6, 7), (7, 6), (5, 4)].map(|(rows, cols)| Dims::new(rows, cols).unwrap());
        // The last torus has a cell without an exit.
        let torus = |(wall, dims)| Grid::new(dims, |cell: Cell| cell.index() % wall == 1);
        let mut grids: Vec<Grid> = [3, 5, 2].into_iter().zip(dims).map(torus).collect();
        let weight = |cell: Cell, _| cell.index() as u16 % 3;
        grids.push(Grid::linked(dims[3], crate::Shape::Bounded, weight));
        for mut table in [DistanceTable::new(), DistanceTable::of_nearest(9)] {
            for grid in grids.iter().cycle().take(8) {
                let dims = grid.dims();
                for (goal, from) in dims.cells().flat_map(|a| dims.cells().map(move |b| (a, b))) {
                    let distances = table.from(grid, goal);
                    let around = grid.exits(from).iter().map(|&exit| grid.neighbour(from, exit));
                    let nearest = around.min_by_key(|&next| distances.to(next)).unwrap_or(from);
                    assert_eq!(table.step(grid, from, goal), nearest);
                    assert_eq!(table.step(grid, from, goal), nearest, "asked for again");
                }
            }
        }
    }

    #[test]
    fn a_table_of_the_nearest_cells_knows_no_others() {
        let grid = Grid::new(Dims::new(8, 9).unwrap(), |cell| cell.index() % 5 == 1);
        let mut table = DistanceTable::of_nearest(10);
        let mut distances = Distances::new();
        for source in grid.corridors() {
            let nearest = distances.fill_nearest(&grid, source, 0, 10).reached();
            assert_eq!(table.from(&grid, source).reached(), nearest);
        }
    }

    #[test]
    fn distances_through_walls_are_those_of_a_search_however_often_they_are_asked_for() {
        let dims = Dims::new(6, 7).unwrap();
        let grids = [3, 4].map(|wall| Grid::new(dims, |cell| cell.index() % wall == 1));
        let mut distances = Distances::new();
        for (mut table, most) in
            [(DistanceTable::new(), usize::MAX), (DistanceTable::of_nearest(9), 9)]
        {
            let mut asked = 0;
            for (round, grid) in grids.iter().cycle().take(4).enumerate() {
                let mut sources: Vec<Cell> = dims.cells().collect();
                // The first questions on a grid are the last ones on the grid before.
                if round % 2 == 1 {
                    sources.reverse();
                }
                // Each question comes again, with others in between.
                for three in sources.windows(3) {
                    for (&source, steps) in three.iter().zip([2, 0, 2]).cycle().take(9) {
                        let expected = distances.fill_nearest(grid, source, steps, most);
                        let known = table.through(grid, source, steps);
                        assert_eq!(known.reached(), expected.reached());
                        assert!(dims.cells().all(|to| known.to(to) == expected.to(to)));
                        asked += 1;
                    }
                }
            }
            assert_eq!(table.through.len(), KEPT_THROUGH);
            assert_eq!(asked, 4 * 40 * 9);
        }
    }

    #[test]
    fn steps_of_large_grids_are_not_kept() {
        // Its pairs of cells are too many for a number of 32 bits.
        let grid = Grid::new(Dims::new(256, 257).unwrap(), |_| false);
        let mut table = DistanceTable::new();
        let cells: Vec<Cell> = grid.corridors().collect();
        let [first, last] = [cells[0], cells[cells.len() - 1]];
        for _ in 0..2 {
            assert_eq!(table.step(&grid, first, last), grid.neighbour(first, Direction::North));
        }
        assert!(table.steps.is_empty());
    }

    #[test]
    fn memory_is_bounded() {
        let grid = Grid::new(Dims::new(400, 400).unwrap(), |_| false);
        let mut table = DistanceTable::new();
        let cells = grid.dims().len();
        let most = KEPT / Distances::size(cells);
        let first = grid.corridors().next().unwrap();
        for cell in grid.corridors().take(most + 10) {
            table.step(&grid, first, cell);
        }
        assert_eq!(table.rows.len(), most);
        // The first row was dropped, and is computed again.
        let mut distances = Distances::new();
        for cell in grid.corridors().step_by(77).take(most) {
            assert_eq!(table.from(&grid, cell).reached(), distances.fill(&grid, cell).reached());
        }
    }
}
