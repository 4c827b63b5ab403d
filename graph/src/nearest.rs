//! The nearest of several targets.

use crate::{Cell, Dims, Distances, Grid, Pos};

/// Finds the nearest of several targets on one grid, without searching all of it.
///
/// Grids of at most 64 columns whose links all weigh 1 are flooded a row at a time, a bit a cell;
/// others are searched cell by cell.
#[derive(Clone, Debug)]
pub struct Nearest {
    way: Way,
}

#[derive(Clone, Debug)]
enum Way {
    Rows(Box<Rows>),
    Cells(Distances),
}

/// The nearest target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which it is: of those at the same distance, the first one row-major.
    pub target: Cell,
    /// How far away it is.
    pub turns: u32,
}

impl Nearest {
    /// Prepares for searches on this grid; they must then be asked about the same one. Linear in
    /// the cells.
    #[must_use]
    pub fn new(grid: &Grid) -> Self {
        let fits = grid.dims().cols() <= 64 && grid.heaviest() <= 1;
        let way =
            if fits { Way::Rows(Box::new(Rows::new(grid))) } else { Way::Cells(Distances::new()) };
        Self { way }
    }

    /// The nearest of the targets, which may be the source itself; `None` when none can be reached.
    pub fn find(
        &mut self,
        grid: &Grid,
        source: Cell,
        targets: impl IntoIterator<Item = Cell>,
    ) -> Option<Found> {
        match &mut self.way {
            Way::Rows(rows) => rows.find(source, targets),
            Way::Cells(distances) => {
                distances.fill(grid, source);
                let found = targets
                    .into_iter()
                    .map(|target| Found { target, turns: distances.to(target) })
                    .min_by_key(|found| (found.turns, found.target))?;
                (found.turns < Distances::UNREACHED).then_some(found)
            }
        }
    }
}

/// A grid as rows of bits, and a flood that spreads over them.
///
/// Bit `c` of row `r + 1` stands for the cell in row `r` and column `c`. Before the first row comes
/// the last one once more, and after the last one the first, so that a torus needs no special case.
#[derive(Clone, Debug)]
struct Rows {
    dims: Dims,
    /// From which cells a link leads in each direction.
    open: [Box<[u64]>; 4],
    targets: Box<[u64]>,
    flooded: Box<[u64]>,
    /// Where the flood has come with its last step.
    edge: Box<[u64]>,
    next: Box<[u64]>,
}

impl Rows {
    fn new(grid: &Grid) -> Self {
        let dims = grid.dims();
        let empty = vec![0; usize::from(dims.rows()) + 2].into_boxed_slice();
        let mut open: [Box<[u64]>; 4] = std::array::from_fn(|_| empty.clone());
        for cell in dims.cells() {
            for &exit in grid.exits(cell) {
                set(dims, &mut open[exit.index()], cell);
            }
        }
        for rows in &mut open {
            join(rows);
        }
        let [targets, flooded, edge, next] = std::array::from_fn(|_| empty.clone());
        Self { dims, open, targets, flooded, edge, next }
    }

    fn find(&mut self, source: Cell, targets: impl IntoIterator<Item = Cell>) -> Option<Found> {
        for rows in [&mut self.targets, &mut self.flooded, &mut self.edge] {
            rows.fill(0);
        }
        targets.into_iter().for_each(|target| set(self.dims, &mut self.targets, target));
        set(self.dims, &mut self.edge, source);
        set(self.dims, &mut self.flooded, source);
        let mut turns = 0;
        loop {
            if let Some(target) = self.hit() {
                return Some(Found { target, turns });
            }
            if !self.spread() {
                return None;
            }
            turns += 1;
        }
    }

    /// The first target that the last step has come to.
    fn hit(&self) -> Option<Cell> {
        let rows = 1..=usize::from(self.dims.rows());
        let hit = |&row: &usize| self.edge[row] & self.targets[row] != 0;
        let row = rows.into_iter().find(hit)?;
        let col = (self.edge[row] & self.targets[row]).trailing_zeros();
        // Both are places on the grid.
        self.dims.cell(Pos { row: row as u16 - 1, col: col as u16 })
    }

    /// Takes a step; whether anything new was flooded.
    fn spread(&mut self) -> bool {
        let cols = u32::from(self.dims.cols());
        let all = u64::MAX >> (64 - cols);
        join(&mut self.edge);
        let [north, east, south, west] = &self.open;
        let mut any = 0;
        for row in 1..=usize::from(self.dims.rows()) {
            let east = self.edge[row] & east[row];
            let west = self.edge[row] & west[row];
            let across = east << 1 | east >> (cols - 1) | west >> 1 | west << (cols - 1);
            let down = self.edge[row - 1] & south[row - 1];
            let up = self.edge[row + 1] & north[row + 1];
            let new = (across & all | down | up) & !self.flooded[row];
            self.flooded[row] |= new;
            self.next[row] = new;
            any |= new;
        }
        std::mem::swap(&mut self.edge, &mut self.next);
        any != 0
    }
}

/// Sets the bit of a cell.
fn set(dims: Dims, rows: &mut [u64], cell: Cell) {
    let Pos { row, col } = dims.pos(cell);
    rows[usize::from(row) + 1] |= 1 << col;
}

/// Copies the first and the last row to beyond the other end.
fn join(rows: &mut [u64]) {
    let last = rows.len() - 1;
    rows[0] = rows[last - 1];
    rows[last] = rows[1];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shape;

    /// Grids of all kinds, the links drawn from a fixed sequence.
    fn grids() -> impl Iterator<Item = Grid> {
        let sizes = [(1, 1), (1, 9), (7, 1), (2, 2), (5, 6), (9, 64), (6, 65)];
        let kinds = [(Shape::Torus, 1), (Shape::Bounded, 1), (Shape::Bounded, 3)];
        sizes.into_iter().flat_map(move |(rows, cols)| {
            kinds.map(|(shape, most)| {
                let dims = Dims::new(rows, cols).unwrap();
                let mut drawn = 7_u32;
                Grid::linked(dims, shape, |_, _| {
                    drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    if drawn >> 30 == 0 { 0 } else { (drawn >> 8) as u16 % most + 1 }
                })
            })
        })
    }

    #[test]
    fn the_nearest_is_found_whatever_the_grid() {
        for grid in grids() {
            let cells: Vec<_> = grid.dims().cells().collect();
            let mut nearest = Nearest::new(&grid);
            let mut distances = Distances::new();
            for (k, &source) in cells.iter().enumerate() {
                let targets = || cells.iter().copied().filter(|t| (t.index() + k) % 11 == 5);
                distances.fill(&grid, source);
                let reached = targets().map(|target| (distances.to(target), target));
                let expected = reached.filter(|found| found.0 < Distances::UNREACHED).min();
                let found = nearest.find(&grid, source, targets());
                assert_eq!(found.map(|found| (found.turns, found.target)), expected);
            }
        }
    }
}
