//! Walls and corridors on a torus.

use crate::{Cell, Dims, Direction};

/// A torus of wall and corridor cells, with the neighbours of every cell precomputed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    dims: Dims,
    cells: Box<[Surroundings]>,
}

/// What is around a cell, and whether it is a wall itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Surroundings {
    neighbours: [Cell; 4],
    /// The directions of the neighbours that are corridors come first; so many are.
    exits: [Direction; 4],
    exit_count: u8,
    /// Bit `d` is set when the neighbour in direction `d` is a corridor.
    open: u8,
    wall: bool,
}

impl Grid {
    /// A grid whose walls are the cells for which `is_wall` holds. Costs one call a cell.
    #[must_use]
    pub fn new(dims: Dims, mut is_wall: impl FnMut(Cell) -> bool) -> Self {
        let walls: Vec<bool> = dims.cells().map(&mut is_wall).collect();
        let cells = dims
            .cells()
            .map(|cell| {
                let neighbours = Direction::ALL.map(|d| dims.neighbour(cell, d));
                let mut around = Surroundings {
                    neighbours,
                    exits: Direction::ALL,
                    exit_count: 0,
                    open: 0,
                    wall: walls[cell.index()],
                };
                for direction in Direction::ALL {
                    if !walls[neighbours[direction.index()].index()] {
                        around.exits[usize::from(around.exit_count)] = direction;
                        around.exit_count += 1;
                        around.open |= 1 << direction.index();
                    }
                }
                around
            })
            .collect();
        Self { dims, cells }
    }

    /// Rows and columns.
    #[must_use]
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Whether the cell is a wall (*mur*).
    #[must_use]
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.cells[cell.index()].wall
    }

    /// The next cell in a direction, wall or corridor, across the edge if need be.
    #[must_use]
    pub fn neighbour(&self, cell: Cell, direction: Direction) -> Cell {
        self.cells[cell.index()].neighbours[direction.index()]
    }

    /// Whether the next cell in a direction is a corridor.
    #[must_use]
    pub fn is_open(&self, cell: Cell, direction: Direction) -> bool {
        self.cells[cell.index()].open >> direction.index() & 1 == 1
    }

    /// The directions whose next cell is a corridor, clockwise from north.
    #[must_use]
    pub fn exits(&self, cell: Cell) -> &[Direction] {
        let around = &self.cells[cell.index()];
        &around.exits[..usize::from(around.exit_count)]
    }

    /// All corridor cells (*couloirs*), row-major.
    pub fn corridors(&self) -> impl Iterator<Item = Cell> + Clone + '_ {
        self.dims.cells().filter(|&cell| !self.is_wall(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Pos;

    #[test]
    fn exits_are_the_corridors_around() {
        // .#.
        // ...
        // ###
        let dims = Dims::new(3, 3).unwrap();
        let walls = [false, true, false, false, false, false, true, true, true];
        let grid = Grid::new(dims, |cell| walls[cell.index()]);
        let exits = |row, col| grid.exits(dims.cell(Pos { row, col }).unwrap());
        assert_eq!(exits(0, 0), [Direction::South, Direction::West]);
        assert_eq!(exits(1, 1), [Direction::East, Direction::West]);
        assert_eq!(exits(2, 0), [Direction::North, Direction::South], "a wall has exits too");
        assert_eq!(grid.corridors().count(), 5);
    }
}
