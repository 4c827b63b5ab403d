//! Binary tree (*arbre binaire*): each cell loses either its eastern or its southern wall.

use rand_core::Rng;

use super::draft::{Draft, spread};
use super::{EAST, Maze, SOUTH};
use crate::draws::Draws;
use graph::Dims;

/// Generates a maze with one coin per cell outside the last row and column; 64 coins are tossed at a time.
pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let (last_row, last_col) = (usize::from(dims.rows()) - 1, usize::from(dims.cols()) - 1);
    for row in 0..last_row {
        let cells = draft.row_mut(row);
        for cells in cells[..last_col].chunks_mut(64) {
            spread(draws.word(), cells, EAST, SOUTH - EAST);
        }
        cells[last_col] = SOUTH;
    }
    draft.row_mut(last_row)[..last_col].fill(EAST);
    draft.finish()
}
