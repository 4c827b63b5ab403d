//! Grids, torus or bounded, with walls and mud.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::{Cell, Dims, Direction, Distances};

/// A grid of cells that are linked with some of the cells around them, each link with a weight.
///
/// One engine for all boards: the torus of wall and corridor cells that Pacman is played on, and
/// bounded mazes with walls between cells, holes and mud.
///
/// ```
/// use graph::{Dims, Direction, Grid};
///
/// // A torus of 3 rows and 4 columns, whose first column is a wall.
/// let dims = Dims::new(3, 4).unwrap();
/// let grid = Grid::new(dims, |cell| dims.pos(cell).col == 0);
/// let cell = grid.corridors().next().unwrap();
/// assert_eq!(grid.exits(cell), [Direction::North, Direction::East, Direction::South]);
/// assert_eq!(grid.step(cell, Direction::West), None);
/// let above = grid.step(cell, Direction::North).unwrap();
/// assert_eq!(dims.pos(above).row, 2, "across the edge");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    dims: Dims,
    /// The next cell in each direction, ignoring walls; beyond the edge of a bounded grid the cell itself.
    neighbours: Box<[[Cell; 4]]>,
    /// The next cell in each direction; without a link the cell itself, so that a search needs no branch.
    links: Box<[[Cell; 4]]>,
    /// The weights of the links, 0 without a link; empty if every link weighs 1.
    weights: Box<[[u16; 4]]>,
    heaviest: u16,
    /// Bit `d` is set if there is a link in direction `d`, bit 4 if the cell is a wall.
    flags: Box<[u8]>,
    /// A hash of all the above.
    digest: u64,
}

/// The topology of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Opposite edges are joined (*tore*).
    Torus,
    /// The grid ends at its edges.
    Bounded,
}

const WALL: u8 = 1 << 4;

impl Grid {
    /// A torus whose walls are the cells for which `is_wall` holds. Every cell, wall or not, is linked to the corridors
    /// around it, with weight 1. Calls `is_wall` once per cell.
    #[must_use]
    pub fn new(dims: Dims, mut is_wall: impl FnMut(Cell) -> bool) -> Self {
        let walls: Vec<bool> = dims.cells().map(&mut is_wall).collect();
        let is_corridor = |cell, direction| !walls[dims.neighbour(cell, direction).index()];
        let weight = |cell, direction| u16::from(is_corridor(cell, direction));
        let mut grid = Self::linked(dims, Shape::Torus, weight);
        for (flags, wall) in grid.flags.iter_mut().zip(walls) {
            *flags = if wall { *flags | WALL } else { *flags & !WALL };
        }
        grid.digested()
    }

    /// A grid with a link for each cell and direction with a positive `weight`, the number of turns to walk the link.
    /// A cell without outgoing links is a wall. Links beyond the edge of a bounded grid are left out. Calls `weight` four
    /// times per cell.
    #[must_use]
    pub fn linked(
        dims: Dims,
        shape: Shape,
        mut weight: impl FnMut(Cell, Direction) -> u16,
    ) -> Self {
        let around = |cell| match shape {
            Shape::Torus => Direction::ALL.map(|d| Some(dims.neighbour(cell, d))),
            Shape::Bounded => dims.around(cell),
        };
        let mut neighbours = Vec::with_capacity(dims.len());
        let mut weights = Vec::with_capacity(dims.len());
        for cell in dims.cells() {
            let around = around(cell);
            neighbours.push(around.map(|next| next.unwrap_or(cell)));
            weights.push(Direction::ALL.map(|d| around[d.index()].map_or(0, |_| weight(cell, d))));
        }
        let heaviest = weights.as_flattened().iter().copied().max().unwrap_or(0);
        let flags: Box<[u8]> = weights
            .iter()
            .map(|weights| (0..4).map(|d| u8::from(weights[d] > 0) << d).sum())
            .map(|open: u8| if open == 0 { WALL } else { open })
            .collect();
        let links = dims
            .cells()
            .zip(neighbours.iter().zip(&flags))
            .map(|(cell, (around, open))| {
                Direction::ALL
                    .map(|d| if open >> d.index() & 1 == 1 { around[d.index()] } else { cell })
            })
            .collect();
        if heaviest <= 1 {
            weights = Vec::new();
        }
        let (neighbours, weights) = (neighbours.into(), weights.into());
        Self { dims, neighbours, links, weights, heaviest, flags, digest: 0 }.digested()
    }

    fn digested(mut self) -> Self {
        let Self { dims, neighbours, links, weights, heaviest, flags, digest: _ } = &self;
        let parts = (dims, neighbours, links, weights, heaviest, flags);
        // 0 is the digest of no grid.
        self.digest = FxBuildHasher.hash_one(parts).max(1);
        self
    }

    /// A number by which caches tell grids apart, never 0: equal grids have the same one, and others hardly ever.
    #[inline]
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// Rows and columns.
    #[inline]
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Tests if the cell is a wall (*mur*) or a hole.
    #[inline]
    pub fn is_wall(&self, cell: Cell) -> bool {
        self.flags[cell.index()] & WALL != 0
    }

    /// The next cell in a direction, ignoring walls; beyond the edge, the opposite cell of a torus, or the cell itself of a
    /// bounded grid.
    #[inline]
    pub fn neighbour(&self, cell: Cell, direction: Direction) -> Cell {
        self.neighbours[cell.index()][direction.index()]
    }

    /// The direction from a cell to an adjacent one, across the edges of a torus or a wall perhaps; `None` if the cells are not
    /// adjacent.
    pub fn direction(&self, from: Cell, to: Cell) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&d| to != from && self.neighbour(from, d) == to)
    }

    /// The cell one step away in a direction; `None` without a link, or if the step leads back to the cell itself across
    /// the edges of a torus one cell wide.
    pub fn step(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        let to = self.links[cell.index()][direction.index()];
        (to != cell).then_some(to)
    }

    /// Tests if the cell has a link in a direction.
    #[inline]
    pub fn is_open(&self, cell: Cell, direction: Direction) -> bool {
        self.flags[cell.index()] >> direction.index() & 1 == 1
    }

    /// The directions of the links of a cell, clockwise from north.
    #[inline]
    pub fn exits(&self, cell: Cell) -> &'static [Direction] {
        let (directions, len) = &EXITS[usize::from(self.exit_bits(cell))];
        &directions[..*len]
    }

    /// The directions of the [`exits`](Self::exits) of a cell as bits: bit `d.index()` is set for each direction `d`.
    #[inline]
    pub fn exit_bits(&self, cell: Cell) -> u8 {
        self.flags[cell.index()] & !WALL
    }

    /// The number of turns of a step in a direction; 0 without a link.
    pub fn weight(&self, cell: Cell, direction: Direction) -> u16 {
        match self.weights.get(cell.index()) {
            Some(weights) => weights[direction.index()],
            None => u16::from(self.is_open(cell, direction)),
        }
    }

    /// The largest weight; 0 if the grid has no link.
    pub fn heaviest(&self) -> u16 {
        self.heaviest
    }

    /// The cells that are not walls (*couloirs*), row-major.
    pub fn corridors(&self) -> impl Iterator<Item = Cell> + Clone + '_ {
        self.dims.cells().filter(|&cell| !self.is_wall(cell))
    }

    /// Tests if every corridor can be reached from the first corridor. O(cells).
    pub fn is_connected(&self) -> bool {
        let reached = |first| Distances::new().fill(self, first).reached().len();
        self.corridors().next().is_none_or(|first| reached(first) == self.corridors().count())
    }

    /// The next cell in each direction, ignoring walls.
    #[inline]
    pub(crate) fn neighbours(&self, cell: Cell) -> &[Cell; 4] {
        &self.neighbours[cell.index()]
    }

    /// The next cell in each direction; without a link, the cell itself.
    #[inline]
    pub(crate) fn links(&self, cell: Cell) -> &[Cell; 4] {
        &self.links[cell.index()]
    }

    /// The weight in each direction, 0 without a link; must not be called if every link weighs 1.
    pub(crate) fn weights(&self, cell: Cell) -> &[u16; 4] {
        &self.weights[cell.index()]
    }
}

/// For each set of direction bits, the directions and their number.
static EXITS: [([Direction; 4], usize); 16] = {
    let mut exits = [(Direction::ALL, 0); 16];
    let mut bits = 0;
    while bits < 16 {
        let mut d = 0;
        while d < 4 {
            if bits >> d & 1 == 1 {
                let (directions, len) = &mut exits[bits];
                directions[*len] = Direction::ALL[d];
                *len += 1;
            }
            d += 1;
        }
        bits += 1;
    }
    exits
};

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
        assert_eq!(grid.heaviest(), 1);
    }

    #[test]
    fn links_have_weights_and_end_at_the_edge() {
        // Two cells with mud between them, then a hole.
        let dims = Dims::new(1, 3).unwrap();
        let cells: Vec<_> = dims.cells().collect();
        let grid = Grid::linked(dims, Shape::Bounded, |cell, direction| match direction {
            Direction::East if cell == cells[0] => 5,
            Direction::West if cell == cells[1] => 7,
            Direction::North | Direction::South => 9,
            _ => 0,
        });
        assert_eq!(grid.exits(cells[0]), [Direction::East]);
        assert_eq!(grid.exits(cells[1]), [Direction::West]);
        assert_eq!(grid.weight(cells[0], Direction::East), 5);
        assert_eq!(grid.weight(cells[1], Direction::West), 7);
        assert_eq!(grid.weight(cells[1], Direction::East), 0);
        assert_eq!(grid.neighbour(cells[0], Direction::North), cells[0]);
        assert_eq!(grid.heaviest(), 7);
        assert!(grid.is_wall(cells[2]));
        assert_eq!(grid.corridors().count(), 2);
    }
}
