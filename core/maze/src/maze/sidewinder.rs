//! Sidewinder: each row is cut into runs to the east, each with one passage to the south.

use rand_core::Rng;

use super::draft::{Draft, spread};
use super::{EAST, Maze, SOUTH};
use crate::draws::Draws;
use graph::Dims;

/// Generates a maze with one coin per cell except the last of each row, 64 at a time, and one draw per run.
pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let (last_row, last_col) = (usize::from(dims.rows()) - 1, usize::from(dims.cols()) - 1);
    for row in 0..last_row {
        let cells = draft.row_mut(row);
        let mut run = 0;
        for start in (0..=last_col).step_by(64) {
            let heads = draws.word();
            let end = cells.len().min(start + 64);
            spread(heads, &mut cells[start..end], 0, EAST);
            // Tails and the end of the row end a run.
            let mut ends = !heads & u64::MAX >> (64 - (end - start));
            if end > last_col {
                cells[last_col] = 0;
                ends |= 1 << (last_col - start);
            }
            while ends != 0 {
                let next = start + ends.trailing_zeros() as usize + 1;
                cells[run + draws.below((next - run) as u32) as usize] |= SOUTH;
                run = next;
                ends &= ends - 1;
            }
        }
    }
    draft.row_mut(last_row)[..last_col].fill(EAST);
    draft.finish()
}
