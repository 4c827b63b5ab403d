//! Cheapest paths on a grid whose cells have costs.

use crate::{Cell, Direction, Grid};

/// Cheapest paths from a source to every cell of a grid whose cells have different costs, by Dijkstra's algorithm.
///
/// A value can be filled many times without allocation.
#[derive(Clone, Debug, Default)]
pub struct Cheapest {
    /// The cheapest path to each cell, row-major; then dearer paths, which can still pass more walls than the cheaper paths
    /// to the same cells. Paths are identified by their index.
    ways: Vec<Way>,
    /// The last cells of the dearer paths.
    dearer: Vec<Cell>,
    /// The indices of the paths by cost.
    order: Vec<u32>,
    /// Queued paths whose last cell costs more than 1: paths of cost `c` are in bucket `c` modulo the number of buckets,
    /// which is a power of two.
    later: Vec<Vec<u32>>,
}

/// A path, by its last step and its predecessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    cost: u32,
    /// The index of the path without its last step.
    before: u32,
    /// Number of steps, capped at the number of steps that can pass walls.
    steps: u16,
    /// The minimum of `steps` over the paths to the cell. Only maintained for the cheapest path.
    fewest: u16,
    /// Its last step; `None` at the source, and without a path.
    last: Option<Direction>,
}

const NO_WAY: Way = Way { cost: u32::MAX, before: 0, steps: 0, fewest: u16::MAX, last: None };
/// Maximum number of steps that can pass walls.
const MOST_THROUGH_WALLS: u16 = u16::MAX - 1;

impl Cheapest {
    /// Paths without a source, to be filled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills in the paths from `source`. Entering a cell costs its entry in `costs` (row-major, at least 1), regardless of
    /// the weight of the link. The first `through_walls` steps can pass walls, at most 65 534. Among equally cheap paths,
    /// the first one found is kept. O(paths + largest cost + cost of the dearest path), with one path per cell, or in the
    /// worst case one per cell and step if walls can be passed.
    pub fn fill(
        &mut self,
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        costs: &[u16],
    ) -> &mut Self {
        self.fill_until(grid, source, through_walls, costs, |_, _| false)
    }

    /// Like `fill`, but stops once `is_enough` is true, which gets each cell and its cost, cheapest first, starting with the
    /// source. Afterwards, only the paths to these cells are reliable.
    ///
    /// ```
    /// use graph::{Cheapest, Dims, Grid};
    ///
    /// let dims = Dims::new(9, 9).unwrap();
    /// let grid = Grid::new(dims, |_| false);
    /// let source = dims.nth(40).unwrap();
    /// let mut seen = 0;
    /// Cheapest::new().fill_until(&grid, source, 0, &[1; 81], |_, cost| {
    ///     seen += 1;
    ///     cost == 2
    /// });
    /// assert_eq!(seen, 6);
    /// ```
    pub fn fill_until(
        &mut self,
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        costs: &[u16],
        mut is_enough: impl FnMut(Cell, u32) -> bool,
    ) -> &mut Self {
        self.start(grid, source, costs);
        let Self { ways, dearer, order, later } = self;
        let cells = grid.dims().len();
        let last_bucket = later.len() - 1;
        let through_walls =
            u16::try_from(through_walls).unwrap_or(u16::MAX).min(MOST_THROUGH_WALLS);
        // The cost to enter a cell is the same from all sides: the first path found to a cell is a cheapest path, and
        // a later path is useful only if it has fewer steps, so that more walls can be passed after it.
        let (mut next, mut waiting) = (0, 0);
        for cost in 0_u32.. {
            let end = order.len();
            // Paths with a dear last cell were found before those with a last cell of cost 1.
            let bucket = &mut later[(cost as usize + 1) & last_bucket];
            waiting -= bucket.len();
            order.append(bucket);
            while next < end {
                let before = order[next];
                next += 1;
                let cell = match (before as usize).checked_sub(cells) {
                    None => Cell(before),
                    Some(index) => dearer[index],
                };
                if (before as usize) < cells && is_enough(cell, cost) {
                    return self;
                }
                let steps = ways[before as usize].steps;
                let passes = steps < through_walls;
                let steps = steps + u16::from(passes);
                let around = if passes { grid.neighbours(cell) } else { grid.links(cell) };
                // Collects the useful paths first, to avoid a branch for each link. Without a link, the cell is its own
                // neighbour.
                let mut useful = 0_u32;
                for (d, to) in around.iter().enumerate() {
                    useful |= u32::from(steps < ways[to.index()].fewest) << d;
                }
                while useful != 0 {
                    let d = useful.trailing_zeros() as usize;
                    useful &= useful - 1;
                    let to = around[d];
                    let entering = u32::from(costs[to.index()].max(1));
                    let cost = cost + entering;
                    let cheapest = &mut ways[to.index()];
                    // On a torus of two rows, the same cell is the northern and the southern neighbour.
                    if steps >= cheapest.fewest {
                        continue;
                    }
                    cheapest.fewest = steps;
                    let way =
                        Way { cost, before, steps, fewest: steps, last: Some(Direction::ALL[d]) };
                    let index = if cheapest.cost == NO_WAY.cost {
                        *cheapest = way;
                        to.0
                    } else {
                        ways.push(way);
                        dearer.push(to);
                        // There are fewer than 2³² paths: at most one for each cell and step.
                        (ways.len() - 1) as u32
                    };
                    if entering == 1 {
                        order.push(index);
                    } else {
                        later[cost as usize & last_bucket].push(index);
                        waiting += 1;
                    }
                }
            }
            if order.len() == end && waiting == 0 {
                break;
            }
        }
        self
    }

    /// Resets the paths: only the source has a path.
    fn start(&mut self, grid: &Grid, source: Cell, costs: &[u16]) {
        let cells = grid.dims().len();
        self.ways.clear();
        self.ways.resize(cells, NO_WAY);
        self.ways[source.index()] = Way { cost: 0, fewest: 0, ..NO_WAY };
        self.dearer.clear();
        self.order.clear();
        self.order.push(source.0);
        // Each step adds at least 1 and at most the largest cost.
        let most = costs.iter().copied().max().unwrap_or(1);
        let buckets = (usize::from(most) + 1).next_power_of_two();
        self.later.iter_mut().for_each(Vec::clear);
        if self.later.len() < buckets {
            self.later.resize_with(buckets, Vec::new);
        }
    }

    /// The cost of a cheapest path to a cell, without the cost of the source; `None` without a path.
    pub fn to(&self, cell: Cell) -> Option<u32> {
        let cost = self.ways[cell.index()].cost;
        (cost < NO_WAY.cost).then_some(cost)
    }

    /// The cells of the cheapest path to a cell, without the source, including the cell; none without a path.
    pub fn cells_to(&self, grid: &Grid, cell: Cell) -> Vec<Cell> {
        let mut cells: Vec<_> = self.back(grid, cell).map(|(cell, _)| cell).collect();
        cells.reverse();
        cells
    }

    /// The first step of the cheapest path to a cell; `None` for the source itself, and without a path.
    pub fn first_step(&self, grid: &Grid, cell: Cell) -> Option<Direction> {
        self.back(grid, cell).last().map(|(_, step)| step)
    }

    /// The cells of the path to a cell, last cell first, without the source, each with the step that leads to it.
    fn back(&self, grid: &Grid, mut cell: Cell) -> impl Iterator<Item = (Cell, Direction)> {
        let mut way = self.ways[cell.index()];
        std::iter::from_fn(move || {
            let (entered, last) = (cell, way.last?);
            cell = grid.neighbour(entered, last.opposite());
            way = self.ways[way.before as usize];
            Some((entered, last))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, Shape};

    /// Cheapest paths by plain Dijkstra. A search state is a cell and the number of steps taken, capped at `through_walls`;
    /// the first found among the cheapest open states is settled next. Returns each cell with the cost and the path of its
    /// first settled state, in the order of settling.
    fn plain(
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        costs: &[u16],
    ) -> Vec<(Cell, u32, Vec<Cell>)> {
        let cells = grid.dims().len();
        let mut known = vec![u32::MAX; cells * (through_walls as usize + 1)];
        let mut found = vec![(0, 0, vec![source])];
        let mut settled: Vec<(Cell, u32, Vec<Cell>)> = Vec::new();
        while let Some(cheapest) = found.iter().map(|(cost, ..)| *cost).min() {
            let first = found.iter().position(|(cost, ..)| *cost == cheapest).unwrap();
            let (cost, steps, way) = found.remove(first);
            let cell = *way.last().unwrap();
            if !settled.iter().any(|(known, ..)| *known == cell) {
                settled.push((cell, cost, way[1..].to_vec()));
            }
            let passes = steps < through_walls;
            for &exit in if passes { &Direction::ALL } else { grid.exits(cell) } {
                let next = grid.neighbour(cell, exit);
                let (cost, steps) =
                    (cost + u32::from(costs[next.index()]), (steps + 1).min(through_walls));
                // A state is dominated if another state costs no more and can pass no fewer walls.
                let ends = next.index() * (through_walls as usize + 1);
                if known[ends..=ends + steps as usize].iter().all(|&other| other > cost) {
                    known[ends + steps as usize] = cost;
                    found.push((cost, steps, [&way[..], &[next]].concat()));
                }
            }
        }
        settled
    }

    #[test]
    fn paths_equal_those_of_a_plain_search() {
        let mut random = 5_u32;
        let mut draw = |below: u32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 16) % below
        };
        let mut cheapest = Cheapest::new();
        for round in 0..300 {
            let dims = Dims::new(3 + draw(9) as u16, 3 + draw(9) as u16).unwrap();
            let shape = if round % 3 == 0 { Shape::Bounded } else { Shape::Torus };
            let walls: Vec<_> = dims.cells().map(|_| draw(4) == 0).collect();
            let grid = Grid::linked(dims, shape, |cell, direction| {
                u16::from(!walls[dims.neighbour(cell, direction).index()])
            });
            // Between 1/5 and 4/5 of the cells may cost more than 1.
            let (dear, most) = (1 + draw(4), 2 + draw(70));
            let costs: Vec<_> = dims
                .cells()
                .map(|_| if draw(5) < dear { 1 + draw(most) as u16 } else { 1 })
                .collect();
            let source = dims.nth(draw(dims.len() as u32) as usize).unwrap();
            let through_walls = if round % 2 == 0 { 0 } else { draw(6) };
            let settled = plain(&grid, source, through_walls, &costs);
            let mut seen = Vec::new();
            cheapest.fill_until(&grid, source, through_walls, &costs, |cell, cost| {
                seen.push((cell, cost));
                false
            });
            assert!(seen.iter().copied().eq(settled.iter().map(|(cell, cost, _)| (*cell, *cost))));
            for (cell, cost, way) in &settled {
                assert_eq!(cheapest.to(*cell), Some(*cost));
                assert_eq!(cheapest.cells_to(&grid, *cell), *way);
                let first = cheapest.first_step(&grid, *cell);
                assert_eq!(first.map(|step| grid.neighbour(source, step)), way.first().copied());
            }
            let reached = dims.cells().filter(|&cell| cheapest.to(cell).is_some()).count();
            assert_eq!(reached, settled.len());

            let enough = draw(settled.len() as u32) as usize;
            cheapest.fill_until(&grid, source, through_walls, &costs, |cell, _| {
                settled[enough].0 == cell
            });
            for (cell, cost, way) in &settled[..=enough] {
                assert_eq!(cheapest.to(*cell), Some(*cost));
                assert_eq!(cheapest.cells_to(&grid, *cell), *way);
            }
        }
    }
}
