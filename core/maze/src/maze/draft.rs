//! A maze under construction.

use super::{EAST, Maze, NORTH, SOUTH, WEST};
use graph::{Dims, Direction};

/// A maze whose passages are opened from one side only, in flat memory with a border around it, so that generators need
/// no test for the edge when they look at neighbours.
///
/// The low four bits of a place are the passages opened from the place; the generator uses the other bits. On the border
/// only [`BORDER`](Self::BORDER) is set. One place of border follows each row; it is the right edge of the row and the left
/// edge of the next row.
pub(super) struct Draft {
    dims: Dims,
    stride: usize,
    pub(super) places: Vec<u8>,
}

impl Draft {
    /// The mark of places that are not cells.
    pub(super) const BORDER: u8 = 0x80;

    /// A draft with all walls.
    pub(super) fn new(dims: Dims) -> Self {
        let stride = usize::from(dims.cols()) + 1;
        let mut draft =
            Self { dims, stride, places: vec![0; stride * (usize::from(dims.rows()) + 2)] };
        draft.places[..stride].fill(Self::BORDER);
        for row in draft.places[stride..].chunks_exact_mut(stride) {
            row[stride - 1] = Self::BORDER;
        }
        let below = draft.places.len() - stride;
        draft.places[below..].fill(Self::BORDER);
        draft
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u8] {
        let start = (row + 1) * self.stride;
        &mut self.places[start..start + self.stride - 1]
    }

    /// The place of a cell, by its row and column.
    pub(super) fn place(&self, row: usize, col: usize) -> usize {
        (row + 1) * self.stride + col
    }

    /// The places of all cells, row-major. Even twice a place fits into a `u32`.
    pub(super) fn cells(&self) -> impl Iterator<Item = u32> + use<> {
        let (cols, stride) = (u32::from(self.dims.cols()), self.stride as u32);
        let rows = 1..=u32::from(self.dims.rows());
        rows.flat_map(move |row| row * stride..row * stride + cols)
    }

    /// The offset (wrapping) of a place to the next place in each direction, in the order of [`Direction::ALL`].
    pub(super) fn steps(&self) -> [usize; 4] {
        Direction::ALL.map(|direction| match direction {
            Direction::North => self.stride.wrapping_neg(),
            Direction::East => 1,
            Direction::South => self.stride,
            Direction::West => 1_usize.wrapping_neg(),
        })
    }

    /// The finished maze, with passages open from both sides.
    pub(super) fn finish(self) -> Maze {
        let cols = self.stride - 1;
        let mut passages = Vec::with_capacity(self.dims.len());
        for start in (1..=usize::from(self.dims.rows())).map(|row| row * self.stride) {
            let neighbours = |start: usize| &self.places[start..start + cols];
            let (own, east, west) =
                (neighbours(start), neighbours(start + 1), neighbours(start - 1));
            let north = neighbours(start - self.stride);
            let south = neighbours(start + self.stride);
            passages.extend((0..cols).map(|at| {
                let from_sides = (west[at] & EAST) << 2 | (east[at] & WEST) >> 2;
                let from_rows = (north[at] & SOUTH) >> 2 | (south[at] & NORTH) << 2;
                (own[at] | from_sides | from_rows) & (NORTH | EAST | SOUTH | WEST)
            }));
        }
        Maze { dims: self.dims, passages }
    }
}

/// Expands 64 coins into a byte each: `tails` if the bit is 0, `tails + more` if it is 1.
#[inline]
pub(super) fn spread(coins: u64, cells: &mut [u8], tails: u8, more: u8) {
    const EACH: u64 = 0x0101_0101_0101_0101;
    for (coins, cells) in coins.to_le_bytes().into_iter().zip(cells.chunks_mut(8)) {
        // Bit k in byte k, then a 1 in each byte that is not 0.
        let apart = (u64::from(coins) * EACH) & 0x8040_2010_0804_0201;
        let ones = (apart + 0x7f * EACH) >> 7 & EACH;
        let bytes = u64::from(tails) * EACH + ones * u64::from(more);
        cells.copy_from_slice(&bytes.to_le_bytes()[..cells.len()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_open_from_both_sides_and_stay_inside() {
        let dims = Dims::new(3, 4).unwrap();
        let at = |draft: &Draft, col| draft.place(1, col);
        for direction in Direction::ALL {
            let mut draft = Draft::new(dims);
            let (from, step) = (at(&draft, 1), draft.steps()[direction.index()]);
            draft.places[from] |= 1 << direction.index();
            assert_eq!(draft.places[from.wrapping_add(step)], 0, "inside");
            let maze = draft.finish();
            let from = dims.nth(5).unwrap();
            let to = dims.contiguous(from, direction).unwrap();
            assert!(maze.passages().eq([(from.min(to), from.max(to))]));
        }
        let mut draft = Draft::new(dims);
        let (a, b) = (at(&draft, 1), at(&draft, 2));
        draft.places[a] = EAST;
        draft.places[b] = WEST;
        assert_eq!(draft.finish().passage_count(), 1, "opened from both sides");
        let cells = [5, 6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 18];
        assert!(Draft::new(dims).cells().eq(cells));
        let mut places = Draft::new(dims).places;
        places.retain(|&place| place == Draft::BORDER);
        assert_eq!(places.len(), 5 * 5 - 12);
    }

    #[test]
    fn coins_are_spread_in_order() {
        let coins = 0x8000_0000_0000_2c05;
        let mut cells = [0; 64];
        spread(coins, &mut cells, 3, 4);
        for (at, cell) in cells.into_iter().enumerate() {
            assert_eq!(cell, if coins >> at & 1 == 1 { 7 } else { 3 });
        }
        let mut few = [9; 11];
        spread(coins, &mut few, 0, 1);
        assert_eq!(few, [1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
    }
}
