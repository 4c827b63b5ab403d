//! Distances on a grid, from one cell to all.

use crate::{Cell, Direction, Grid};

/// How many steps every cell of a grid is away from a source, by breadth-first search.
///
/// Made once and filled again and again without allocating. Row-major; walls are reached as far as
/// the walk may pass them.
#[derive(Clone, Debug, Default)]
pub struct Distances {
    steps: Vec<u16>,
    queue: Vec<Cell>,
}

impl Distances {
    /// Stands for a cell that cannot be reached.
    pub const UNREACHED: u16 = u16::MAX;

    /// Distances of nothing from nowhere.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Fills in the distances from `source`, when walls do not stop the first `through_walls`
    /// steps. A source inside a wall has the exits that its corridors give it. Linear in the cells.
    pub fn fill(&mut self, grid: &Grid, source: Cell, through_walls: u32) -> &mut Self {
        self.steps.clear();
        self.steps.resize(grid.dims().len(), Self::UNREACHED);
        self.queue.clear();
        self.queue.push(source);
        self.steps[source.index()] = 0;
        let mut next = 0;
        while let Some(&cell) = self.queue.get(next) {
            next += 1;
            let steps = self.steps[cell.index()] + 1;
            let passes = u32::from(steps) <= through_walls;
            let directions = if passes { &Direction::ALL } else { grid.exits(cell) };
            for &direction in directions {
                let neighbour = grid.neighbour(cell, direction);
                if self.steps[neighbour.index()] == Self::UNREACHED {
                    self.steps[neighbour.index()] = steps;
                    self.queue.push(neighbour);
                }
            }
        }
        self
    }

    /// The distance of a cell; [`UNREACHED`](Self::UNREACHED) when there is no way.
    #[must_use]
    pub fn to(&self, cell: Cell) -> u16 {
        self.steps[cell.index()]
    }

    /// The cells that are reached, nearest first, beginning with the source.
    #[must_use]
    pub fn reached(&self) -> &[Cell] {
        &self.queue
    }

    /// The first step of a shortest way from the source; `None` to the source itself, and to where
    /// there is no way.
    #[must_use]
    pub fn first_step(&self, grid: &Grid, to: Cell) -> Option<Direction> {
        let mut cell = to;
        let mut steps = self.to(to);
        if steps == Self::UNREACHED {
            return None;
        }
        let mut first = None;
        while steps > 0 {
            steps -= 1;
            let back = Direction::ALL
                .into_iter()
                .find(|&back| self.to(grid.neighbour(cell, back)) == steps)?;
            cell = grid.neighbour(cell, back);
            first = Some(back.opposite());
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dims, bfs};

    fn grid(rows: &[&str]) -> Grid {
        let dims = Dims::new(rows.len() as u16, rows[0].len() as u16).unwrap();
        let walls: Vec<_> = rows.concat().bytes().map(|b| b == b'#').collect();
        Grid::new(dims, |cell| walls[cell.index()])
    }

    const MAZE: [&str; 6] = ["##.####", "#....##", "#.##.#.", "..##...", "#.####.", "##.####"];

    #[test]
    fn distances_agree_with_the_plain_search() {
        let grid = grid(&MAZE);
        let mut distances = Distances::new();
        for source in grid.corridors() {
            distances.fill(&grid, source, 0);
            let plain = bfs::distances(grid.dims().len(), source.index(), |at| {
                let cell = grid.dims().nth(at).unwrap();
                grid.exits(cell)
                    .iter()
                    .map(|&d| grid.neighbour(cell, d).index())
                    .collect::<Vec<_>>()
            });
            for cell in grid.dims().cells() {
                let expected = plain[cell.index()].map_or(Distances::UNREACHED, |d| d as u16);
                assert_eq!(distances.to(cell), expected);
            }
        }
    }

    #[test]
    fn first_steps_lead_there() {
        let grid = grid(&MAZE);
        let (mut from, mut walk) = (Distances::new(), Distances::new());
        for source in grid.corridors() {
            from.fill(&grid, source, 0);
            assert_eq!(from.first_step(&grid, source), None);
            for &target in &from.reached()[1..] {
                let first = from.first_step(&grid, target).unwrap();
                let next = grid.neighbour(source, first);
                assert_eq!(walk.fill(&grid, next, 0).to(target), from.to(target) - 1);
            }
        }
    }

    #[test]
    fn walls_are_passed_by_the_first_steps_only() {
        let grid = grid(&["#######", "#.###.#", "#######"]);
        let cells: Vec<_> = grid.corridors().collect();
        let mut distances = Distances::new();
        assert_eq!(distances.fill(&grid, cells[0], 0).to(cells[1]), Distances::UNREACHED);
        // Across the edge: three steps, of which the last one leads into a corridor.
        assert_eq!(distances.fill(&grid, cells[0], 1).to(cells[1]), Distances::UNREACHED);
        assert_eq!(distances.fill(&grid, cells[0], 2).to(cells[1]), 3);
        let east = grid.neighbour(cells[0], Direction::East);
        assert_eq!(distances.fill(&grid, east, 0).to(cells[0]), 1, "out of a wall");
    }
}
