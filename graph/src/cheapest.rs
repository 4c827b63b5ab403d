//! Cheapest ways on a grid whose cells cost more than the walk.

use crate::bucket_queue::BucketQueue;
use crate::{Cell, Direction, Grid};

/// What it costs to get to every cell of a grid, when some cells cost more than others, by
/// Dijkstra's algorithm.
///
/// Made once and filled again and again without allocating. Row-major.
#[derive(Clone, Debug, Default)]
pub struct Cheapest {
    ways: Vec<Way>,
    queue: BucketQueue,
}

/// The end of a cheapest way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    cost: u32,
    /// How many steps it has; as many as there are, if there are more.
    steps: u16,
    /// Its last step; `None` at the source, and when there is no way.
    last: Option<Direction>,
}

const NO_WAY: Way = Way { cost: u32::MAX, steps: u16::MAX, last: None };

impl Cheapest {
    /// Ways from nowhere.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills in the ways from `source`, when entering a cell costs what `costs` says (row-major, at
    /// least 1 each) whatever the link weighs, and walls do not stop the first `through_walls` steps.
    /// Among equally cheap ways, the one that was found first. Linear in the cells and the largest
    /// cost.
    pub fn fill(
        &mut self,
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        costs: &[u16],
    ) -> &mut Self {
        self.ways.clear();
        self.ways.resize(grid.dims().len(), NO_WAY);
        self.ways[source.index()] = Way { cost: 0, steps: 0, last: None };
        self.queue.start(source, costs.iter().copied().max().unwrap_or(1).max(1));
        while let Some((settled, bucket)) = self.queue.take() {
            for &cell in &bucket {
                let way = self.ways[cell.index()];
                // A cheaper way to it may have been found since it was put in.
                if way.cost != settled {
                    continue;
                }
                let steps = way.steps.saturating_add(1);
                let passes = u32::from(steps) <= through_walls;
                let directions = if passes { &Direction::ALL } else { grid.exits(cell) };
                for &direction in directions {
                    let next = grid.neighbour(cell, direction);
                    let cost = settled.saturating_add(costs[next.index()].max(1).into());
                    let known = &mut self.ways[next.index()];
                    if cost < known.cost {
                        *known = Way { cost, steps, last: Some(direction) };
                        self.queue.push(cost, next);
                    }
                }
            }
            self.queue.put_back(settled, bucket);
        }
        self
    }

    /// The sum of what the cells of a cheapest way cost, the source not counted; `None` when there
    /// is no way.
    #[must_use]
    pub fn to(&self, cell: Cell) -> Option<u32> {
        let cost = self.ways[cell.index()].cost;
        (cost < NO_WAY.cost).then_some(cost)
    }

    /// The cells of the cheapest way to a cell, without the source, with the cell; none when there
    /// is no way.
    #[must_use]
    pub fn cells_to(&self, grid: &Grid, cell: Cell) -> Vec<Cell> {
        let mut cells: Vec<_> = self.back(grid, cell).map(|(cell, _)| cell).collect();
        cells.reverse();
        cells
    }

    /// The first step of the cheapest way to a cell; `None` to the source itself, and when there is
    /// no way.
    #[must_use]
    pub fn first_step(&self, grid: &Grid, cell: Cell) -> Option<Direction> {
        self.back(grid, cell).last().map(|(_, step)| step)
    }

    /// The cells of the way to a cell from its end, the source left out, each with the step that
    /// leads to it.
    fn back(&self, grid: &Grid, mut cell: Cell) -> impl Iterator<Item = (Cell, Direction)> {
        std::iter::from_fn(move || {
            let entered = cell;
            let last = self.ways[entered.index()].last?;
            cell = grid.neighbour(entered, last.opposite());
            Some((entered, last))
        })
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
        distances.fill_through(&grid, source, 2);
        let mut cheapest = Cheapest::new();
        cheapest.fill(&grid, source, 2, &[1; 99]);
        for cell in dims.cells() {
            assert_eq!(cheapest.to(cell).unwrap_or(Distances::UNREACHED), distances.to(cell));
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
        let mut costs = [1; 25];
        costs[east.index()] = 9;
        let mut cheapest = Cheapest::new();
        cheapest.fill(&grid, north, 0, &costs);
        assert_eq!(cheapest.to(south), Some(4));
        assert_eq!(cheapest.first_step(&grid, south), Some(Direction::West));
        let west_side = [cells[0], cells[3], cells[5], south];
        assert_eq!(cheapest.cells_to(&grid, south), west_side);
        assert_eq!(cheapest.cells_to(&grid, north), []);
        assert_eq!(cheapest.to(east), Some(10));
        assert_eq!(cheapest.to(dims.cells().next().unwrap()), None, "a wall");
        assert_eq!(cheapest.first_step(&grid, north), None);
    }
}
