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
    /// Bit `d` is set when the neighbour in direction `d` is a corridor.
    exits: u8,
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
                let open = |d: &Direction| !walls[neighbours[d.index()].index()];
                let exits = Direction::ALL
                    .iter()
                    .filter(|d| open(d))
                    .map(|d| 1 << d.index())
                    .sum();
                Surroundings {
                    neighbours,
                    exits,
                    wall: walls[cell.index()],
                }
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
        self.cells[cell.index()].exits >> direction.index() & 1 == 1
    }

    /// The directions whose next cell is a corridor, clockwise from north.
    pub fn exits(&self, cell: Cell) -> impl Iterator<Item = Direction> + Clone + use<> {
        let exits = self.cells[cell.index()].exits;
        Direction::ALL
            .into_iter()
            .filter(move |d| exits >> d.index() & 1 == 1)
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
        let exits = |row, col| {
            grid.exits(dims.cell(Pos { row, col }).unwrap())
                .collect::<Vec<_>>()
        };
        assert_eq!(exits(0, 0), [Direction::South, Direction::West]);
        assert_eq!(exits(1, 1), [Direction::East, Direction::West]);
        assert_eq!(
            exits(2, 0),
            [Direction::North, Direction::South],
            "a wall has exits too"
        );
        assert_eq!(grid.corridors().count(), 5);
    }
}
