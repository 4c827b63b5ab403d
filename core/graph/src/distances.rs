//! Distances on a grid, from one cell to all.

use crate::bucket_queue::BucketQueue;
use crate::{Cell, Direction, Grid};

/// A search that has reached less than this fraction of the cells is undone cell by cell.
const FEW: usize = 8;

/// Distances in turns from a source to every cell of a grid.
///
/// A value can be filled many times without allocation. Walls are reached only by steps that can pass walls.
///
/// ```
/// use graph::{Dims, Direction, Distances, Grid};
///
/// // A torus of 3 × 6 cells with a wall between the second column and the fourth.
/// let dims = Dims::new(3, 6).unwrap();
/// let grid = Grid::new(dims, |cell| dims.pos(cell).col == 2);
/// let [from, to] = [1, 3].map(|column| dims.nth(column).unwrap());
/// let mut distances = Distances::new();
/// distances.fill(&grid, from);
/// assert_eq!(distances.to(to), 4);
/// assert_eq!(distances.path(&grid, to), Some(vec![Direction::West; 4]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Distances {
    turns: Vec<u32>,
    /// The cells in the order in which they were reached, with one surplus place, so that a search can write a cell
    /// before it knows if the cell is new.
    order: Vec<Cell>,
    reached: usize,
    /// Number of first steps that could pass walls.
    through_walls: u32,
    /// True if every link counts 1, regardless of its weight.
    counts_steps: bool,
    queue: BucketQueue,
}

impl Distances {
    /// The distance of unreached cells.
    pub const UNREACHED: u32 = u32::MAX;

    /// Distances without a source, to be filled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills in the distances from `source`: the sums of the weights of cheapest paths. O(cells + largest weight + largest
    /// distance).
    pub fn fill(&mut self, grid: &Grid, source: Cell) -> &mut Self {
        let mut queue = std::mem::take(&mut self.queue);
        self.fill_with(&mut queue, grid, source);
        self.queue = queue;
        self
    }

    /// Like `fill`, with a shared queue.
    pub(crate) fn fill_with(&mut self, queue: &mut BucketQueue, grid: &Grid, source: Cell) {
        if grid.heaviest() <= 1 {
            self.fill_through(grid, source, 0);
            return;
        }
        self.start(grid, source, 0);
        self.counts_steps = false;
        self.reached = 0;
        queue.start(source, grid.heaviest());
        while let Some((settled, bucket)) = queue.take() {
            for &cell in &bucket {
                // A cheaper path to the cell may have been found since it was queued.
                if self.turns[cell.index()] != settled {
                    continue;
                }
                self.order[self.reached] = cell;
                self.reached += 1;
                // Collects the better links first, to avoid a branch for each link. Without a link, the cell is its own
                // neighbour at weight 0.
                let (links, weights) = (grid.links(cell), grid.weights(cell));
                let mut better = 0_u32;
                for d in 0..4 {
                    let turns = settled.saturating_add(weights[d].into());
                    let known = &mut self.turns[links[d].index()];
                    better |= u32::from(turns < *known) << d;
                    *known = turns.min(*known);
                }
                while better != 0 {
                    let d = better.trailing_zeros() as usize;
                    better &= better - 1;
                    queue.push(settled + u32::from(weights[d]), links[d]);
                }
            }
            queue.put_back(settled, bucket);
        }
    }

    /// Fills in the distances from `source` in steps, regardless of weights; the first `through_walls` steps can pass walls.
    /// A source inside a wall has links to the corridors around it. O(cells).
    pub fn fill_through(&mut self, grid: &Grid, source: Cell, through_walls: u32) -> &mut Self {
        self.flood(grid, source, through_walls, |_, _, _| false)
    }

    /// Fills in the distances from `source` in steps, regardless of weights, of the cells at most `steps` away; others count
    /// as unreached. O(reached cells), apart from undoing the search before.
    pub fn fill_within(&mut self, grid: &Grid, source: Cell, steps: u32) -> &mut Self {
        self.flood(grid, source, 0, |_, turns, _| turns >= steps)
    }

    /// Like [`fill_through`](Self::fill_through), for the `most` nearest cells and up to three more; others count as unreached,
    /// even equally near ones. O(reached cells), apart from undoing the search before.
    pub fn fill_nearest(
        &mut self,
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        most: usize,
    ) -> &mut Self {
        self.flood(grid, source, through_walls, |_, _, reached| reached >= most)
    }

    /// Fills in the distances from `source` in steps, regardless of weights, of all cells up to the distance of the nearest
    /// target. Cells further away may count as unreached. O(reached cells × targets), apart from undoing the search
    /// before.
    pub fn fill_to_nearest(&mut self, grid: &Grid, source: Cell, targets: &[Cell]) -> &mut Self {
        self.flood(grid, source, 0, |cell, _, _| targets.contains(&cell))
    }

    /// Breadth-first search that stops before it expands a cell for which `is_enough` is true.
    fn flood(
        &mut self,
        grid: &Grid,
        source: Cell,
        through_walls: u32,
        is_enough: impl Fn(Cell, u32, usize) -> bool,
    ) -> &mut Self {
        self.start(grid, source, through_walls);
        let (mut next, mut reached) = (0, 1);
        while next < reached {
            let cell = self.order[next];
            next += 1;
            let turns = self.turns[cell.index()] + 1;
            if is_enough(cell, turns - 1, reached) {
                break;
            }
            let passes = turns <= through_walls;
            let around = if passes { grid.neighbours(cell) } else { grid.links(cell) };
            // Branch-free: the entry of a known cell in `order` is overwritten by the next cell.
            for &to in around {
                let known = &mut self.turns[to.index()];
                let is_new = *known == Self::UNREACHED;
                *known = if is_new { turns } else { *known };
                self.order[reached] = to;
                reached += usize::from(is_new);
            }
        }
        self.reached = reached;
        self
    }

    /// Resets the distances: only the source is reached.
    fn start(&mut self, grid: &Grid, source: Cell, through_walls: u32) {
        let cells = grid.dims().len();
        if self.turns.len() == cells && self.reached < cells / FEW {
            for cell in &self.order[..self.reached] {
                self.turns[cell.index()] = Self::UNREACHED;
            }
        } else {
            self.turns.clear();
            self.turns.resize(cells, Self::UNREACHED);
        }
        self.order.resize(cells + 1, source);
        self.turns[source.index()] = 0;
        self.order[0] = source;
        self.through_walls = through_walls;
        self.counts_steps = true;
    }

    /// The distance of a cell; [`UNREACHED`](Self::UNREACHED) without a path.
    #[inline]
    pub fn to(&self, cell: Cell) -> u32 {
        self.turns[cell.index()]
    }

    /// The reached cells, nearest first, starting with the source.
    #[inline]
    pub fn reached(&self) -> &[Cell] {
        &self.order[..self.reached]
    }

    /// The first step of a cheapest path from the source; `None` for the source itself, and for unreached cells.
    pub fn first_step(&self, grid: &Grid, to: Cell) -> Option<Direction> {
        self.steps_back(grid, to)?.last()
    }

    /// The steps of a cheapest path from the source, in order: none for the source itself, and `None` for unreached cells.
    /// O(length).
    pub fn path(&self, grid: &Grid, to: Cell) -> Option<Vec<Direction>> {
        let mut steps: Vec<Direction> = self.steps_back(grid, to)?.collect();
        steps.reverse();
        Some(steps)
    }

    /// The steps of [`path`](Self::path) in reverse order.
    fn steps_back(&self, grid: &Grid, to: Cell) -> Option<impl Iterator<Item = Direction>> {
        let mut cell = to;
        (self.to(to) != Self::UNREACHED).then(|| {
            std::iter::from_fn(move || {
                let back = self.step_back(grid, cell)?;
                cell = grid.neighbour(cell, back);
                Some(back.opposite())
            })
        })
    }

    /// Memory in bytes of the distances on a grid of `cells` cells, without the queue.
    pub(crate) const fn size(cells: usize) -> usize {
        cells * (size_of::<u32>() + size_of::<Cell>())
    }

    /// The direction back to the previous cell of a cheapest path; `None` at the source.
    fn step_back(&self, grid: &Grid, cell: Cell) -> Option<Direction> {
        let turns = self.to(cell);
        Direction::ALL.into_iter().find(|&back| {
            let before = grid.neighbour(cell, back);
            let step = match (turns <= self.through_walls, self.counts_steps) {
                (true, _) => 1,
                (_, true) => u32::from(grid.is_open(before, back.opposite())),
                (_, false) => grid.weight(before, back.opposite()).into(),
            };
            step > 0 && self.to(before).checked_add(step) == Some(turns)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, Shape};

    fn grid(rows: &[&str]) -> Grid {
        let dims = Dims::new(rows.len() as u16, rows[0].len() as u16).unwrap();
        let walls: Vec<_> = rows.concat().bytes().map(|b| b == b'#').collect();
        Grid::new(dims, |cell| walls[cell.index()])
    }

    const MAZE: [&str; 6] = ["##.####", "#....##", "#.##.#.", "..##...", "#.####.", "##.####"];

    /// Checks that `part` has reached the first cells of `all`, at the same distances, and no other cells.
    #[track_caller]
    fn check_part(grid: &Grid, part: &Distances, all: &Distances) {
        let reached = part.reached();
        assert_eq!(reached, &all.reached()[..reached.len()]);
        for cell in grid.dims().cells() {
            let known = if reached.contains(&cell) { all.to(cell) } else { Distances::UNREACHED };
            assert_eq!(part.to(cell), known);
        }
    }

    #[test]
    fn limited_searches_reach_the_nearest_cells_at_the_same_distances() {
        let grid = grid(&MAZE);
        let (mut all, mut part) = (Distances::new(), Distances::new());
        for source in grid.corridors() {
            for (through_walls, most) in [(0, 1), (0, 4), (2, 9), (0, 100)] {
                all.fill_through(&grid, source, through_walls);
                check_part(&grid, part.fill_nearest(&grid, source, through_walls, most), &all);
                let reached = part.reached().len();
                assert!((most.min(all.reached().len())..most + 4).contains(&reached));
            }
            all.fill(&grid, source);
            for steps in [0, 1, 3, 100] {
                check_part(&grid, part.fill_within(&grid, source, steps), &all);
                let near = all.reached().iter().filter(|&&cell| all.to(cell) <= steps).count();
                assert_eq!(part.reached().len(), near);
            }
        }
    }

    #[test]
    fn what_a_search_finds_does_not_depend_on_the_one_before() {
        let dims = Dims::new(6, 7).unwrap();
        let mud = Grid::linked(dims, Shape::Torus, |cell, _| cell.index() as u16 % 4);
        let small = Grid::new(Dims::new(3, 4).unwrap(), |cell| cell.index() % 5 == 1);
        let grids = [grid(&MAZE), mud, small];
        let (mut drawn, mut again) = (7_u32, Distances::new());
        for _ in 0..2000 {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let [which, search, amount, at] = [30, 27, 24, 16].map(|bits| (drawn >> bits) as usize);
            let grid = &grids[which % 3];
            let source = grid.dims().nth(at % grid.dims().len()).unwrap();
            let amount = amount % 8;
            let fill = |distances: &mut Distances| {
                match search % 4 {
                    0 => distances.fill(grid, source),
                    1 => distances.fill_through(grid, source, amount as u32 % 3),
                    2 => distances.fill_within(grid, source, amount as u32),
                    _ => distances.fill_nearest(grid, source, 0, amount),
                };
            };
            let mut first = Distances::new();
            fill(&mut first);
            fill(&mut again);
            assert_eq!((&again.turns, again.reached()), (&first.turns, first.reached()));
        }
    }

    #[test]
    fn to_the_nearest_target_the_distances_and_first_steps_are_the_same() {
        let grid = grid(&MAZE);
        let cells: Vec<_> = grid.dims().cells().collect();
        let (mut all, mut near) = (Distances::new(), Distances::new());
        for source in grid.corridors() {
            all.fill(&grid, source);
            for start in 0..cells.len() {
                // Some of the targets are walls.
                let targets: Vec<_> = cells.iter().copied().skip(start).step_by(11).collect();
                near.fill_to_nearest(&grid, source, &targets);
                let nearest = targets.iter().copied().min_by_key(|&cell| all.to(cell)).unwrap();
                assert_eq!(
                    targets.iter().copied().min_by_key(|&cell| near.to(cell)),
                    Some(nearest)
                );
                assert_eq!(near.first_step(&grid, nearest), all.first_step(&grid, nearest));
                for &cell in &cells {
                    let is_near = all.to(cell) <= all.to(nearest);
                    let is_known = near.to(cell) < Distances::UNREACHED;
                    assert!(!is_known || near.to(cell) == all.to(cell));
                    assert!(is_known || !is_near || all.to(cell) == Distances::UNREACHED);
                }
            }
        }
    }

    /// Distances by relaxation until no link shortens any.
    fn relaxed(grid: &Grid, source: Cell) -> Vec<u32> {
        let mut turns = vec![Distances::UNREACHED; grid.dims().len()];
        turns[source.index()] = 0;
        loop {
            let before = turns.clone();
            for cell in grid.dims().cells().filter(|cell| before[cell.index()] < u32::MAX) {
                for &exit in grid.exits(cell) {
                    let next = grid.neighbour(cell, exit).index();
                    let through = before[cell.index()] + u32::from(grid.weight(cell, exit));
                    turns[next] = turns[next].min(through);
                }
            }
            if turns == before {
                return turns;
            }
        }
    }

    #[test]
    fn distances_and_paths_agree_with_relaxation_with_and_without_mud() {
        let muddy = |(shape, most)| {
            let mut drawn = 3_u32;
            Grid::linked(Dims::new(6, 7).unwrap(), shape, |_, _| {
                drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if drawn >> 30 == 0 { 0 } else { (drawn >> 8) as u16 % most + 1 }
            })
        };
        let muddy = [(Shape::Torus, 9), (Shape::Bounded, 9), (Shape::Bounded, 300)].map(muddy);
        let mut distances = Distances::new();
        for grid in muddy.iter().chain([&grid(&MAZE)]) {
            for source in grid.dims().cells() {
                distances.fill(grid, source);
                let expected = relaxed(grid, source);
                assert_eq!(distances.turns, expected);
                let reached = distances.reached().iter().map(|cell| distances.to(*cell));
                assert!(reached.is_sorted());
                let count = expected.iter().filter(|&&turns| turns < Distances::UNREACHED).count();
                assert_eq!(distances.reached().len(), count);
                for target in grid.dims().cells() {
                    let Some(path) = distances.path(grid, target) else {
                        assert_eq!(distances.to(target), Distances::UNREACHED);
                        continue;
                    };
                    let walk = |(cell, turns), &step: &Direction| {
                        assert!(grid.is_open(cell, step));
                        let weight = u32::from(grid.weight(cell, step));
                        (grid.neighbour(cell, step), turns + weight)
                    };
                    let end = path.iter().fold((source, 0), walk);
                    assert_eq!(end, (target, distances.to(target)));
                    assert_eq!(path.first().copied(), distances.first_step(grid, target));
                }
            }
        }
    }

    #[test]
    fn steps_that_are_counted_lead_there_whatever_they_weigh() {
        // From west to east: 9 turns straight ahead in one step, or around in three steps of one turn.
        let dims = Dims::new(2, 2).unwrap();
        let cells: Vec<_> = dims.cells().collect();
        let grid = Grid::linked(dims, Shape::Bounded, |cell, direction| {
            let is_straight =
                matches!((cell.index(), direction), (0, Direction::East) | (1, Direction::West));
            if is_straight { 9 } else { 1 }
        });
        let mut distances = Distances::new();
        assert_eq!(distances.fill(&grid, cells[0]).to(cells[1]), 3);
        assert_eq!(distances.first_step(&grid, cells[1]), Some(Direction::South));
        let east = Some(vec![Direction::East]);
        assert_eq!(distances.fill_through(&grid, cells[0], 0).path(&grid, cells[1]), east);
        assert_eq!(distances.fill_within(&grid, cells[0], 1).path(&grid, cells[1]), east);
        distances.fill_to_nearest(&grid, cells[0], &cells[1..2]);
        assert_eq!(distances.path(&grid, cells[1]), east);
    }

    #[test]
    fn walls_are_passed_by_the_first_steps_only() {
        let grid = grid(&["#######", "#.###.#", "#######"]);
        let cells: Vec<_> = grid.corridors().collect();
        let mut distances = Distances::new();
        assert_eq!(distances.fill(&grid, cells[0]).to(cells[1]), Distances::UNREACHED);
        // Across the edge: three steps, the last of which leads into a corridor.
        assert_eq!(distances.fill_through(&grid, cells[0], 1).to(cells[1]), Distances::UNREACHED);
        assert_eq!(distances.fill_through(&grid, cells[0], 2).to(cells[1]), 3);
        assert_eq!(distances.first_step(&grid, cells[1]), Some(Direction::West));
        let east = grid.neighbour(cells[0], Direction::East);
        assert_eq!(distances.fill(&grid, east).to(cells[0]), 1, "out of a wall");
    }
}
