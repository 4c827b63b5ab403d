//! Cheapest ways on a grid, from one cell to all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{Cell, Direction, Grid};

/// What it costs to get to every cell of a grid, by Dijkstra's algorithm.
///
/// Made once and filled again and again. Row-major.
#[derive(Clone, Debug, Default)]
pub struct Cheapest {
    ways: Vec<Option<Way>>,
    open: BinaryHeap<Reverse<(u32, Cell)>>,
}

/// A cheapest way to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The sum of what its cells cost, the source not counted.
    pub cost: u32,
    /// How many steps it has.
    pub steps: u16,
    /// Its first step; `None` at the source.
    pub first: Option<Direction>,
    /// Its last step; `None` at the source.
    pub last: Option<Direction>,
}

impl Cheapest {
    /// Ways from nowhere.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills in the ways from `source`, when entering a cell costs `cost`, at least 1, and walls do
    /// not stop the first `through_walls` steps. Among equally cheap ways, the one that was found
    /// first. n·log n in the cells.
    pub fn fill(
        &mut self,
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        cost: impl Fn(Cell) -> u32,
    ) -> &mut Self {
        self.ways.clear();
        self.ways.resize(grid.dims().len(), None);
        self.ways[source.index()] = Some(Way { cost: 0, steps: 0, first: None, last: None });
        self.open.clear();
        self.open.push(Reverse((0, source)));
        while let Some(Reverse((settled, cell))) = self.open.pop() {
            let Some(way) = self.ways[cell.index()].filter(|way| way.cost == settled) else {
                continue;
            };
            let steps = way.steps + 1;
            let passes = u32::from(steps) <= through_walls;
            let directions = if passes { &Direction::ALL } else { grid.exits(cell) };
            for &direction in directions {
                let neighbour = grid.neighbour(cell, direction);
                let cost = settled.saturating_add(cost(neighbour).max(1));
                let known = &mut self.ways[neighbour.index()];
                if known.is_none_or(|known| cost < known.cost) {
                    let first = way.first.or(Some(direction));
                    *known = Some(Way { cost, steps, first, last: Some(direction) });
                    self.open.push(Reverse((cost, neighbour)));
                }
            }
        }
        self
    }

    /// The cells of the cheapest way to a cell, without the source, with the cell; none when there
    /// is no way.
    #[must_use]
    pub fn cells_to(&self, grid: &Grid, mut cell: Cell) -> Vec<Cell> {
        let mut cells = Vec::new();
        while let Some(last) = self.to(cell).and_then(|way| way.last) {
            cells.push(cell);
            cell = grid.neighbour(cell, last.opposite());
        }
        cells.reverse();
        cells
    }

    /// The cheapest way to a cell; `None` when there is none.
    #[must_use]
    pub fn to(&self, cell: Cell) -> Option<Way> {
        self.ways[cell.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, Distances};

    #[test]
    fn equal_costs_are_distances() {
        let dims = Dims::new(9, 11).unwrap();
        let grid = Grid::new(dims, |cell| cell.index() % 7 == 3);
        let source = grid.corridors().next().unwrap();
        let mut distances = Distances::new();
        distances.fill(&grid, source, 2);
        let mut cheapest = Cheapest::new();
        cheapest.fill(&grid, source, 2, |_| 1);
        for cell in dims.cells() {
            let steps = cheapest.to(cell).map_or(Distances::UNREACHED, |way| way.steps);
            assert_eq!(steps, distances.to(cell));
        }
    }

    #[test]
    fn a_detour_that_is_cheaper_is_taken() {
        // A ring of eight cells around a wall; its east side costs more.
        let dims = Dims::new(5, 5).unwrap();
        let ring = ["#####", "#...#", "#.#.#", "#...#", "#####"].concat();
        let grid = Grid::new(dims, |cell| ring.as_bytes()[cell.index()] == b'#');
        let cells: Vec<_> = grid.corridors().collect();
        let (north, east, south) = (cells[1], cells[4], cells[6]);
        let mut cheapest = Cheapest::new();
        cheapest.fill(&grid, north, 0, |cell| if cell == east { 9 } else { 1 });
        let way = cheapest.to(south).unwrap();
        assert_eq!((way.cost, way.steps, way.first), (4, 4, Some(Direction::West)));
        let west_side = [cells[0], cells[3], cells[5], south];
        assert_eq!(cheapest.cells_to(&grid, south), west_side);
        assert_eq!(cheapest.cells_to(&grid, north), []);
        assert_eq!(cheapest.to(east).unwrap().cost, 10);
        assert_eq!(cheapest.to(north).unwrap().first, None);
    }
}
