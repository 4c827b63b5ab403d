//! Wilson's algorithm: loop-erased random walks from a cell outside the maze to the first cell of the maze. All perfect
//! mazes are equally likely.
//!
//! D. B. Wilson, *Generating random spanning trees more quickly than the cover time*, 1996.

use rand_core::Rng;

use super::Maze;
use super::draft::Draft;
use crate::draws::Draws;
use graph::Dims;

/// The mark of cells of the maze; other places hold the number of the direction in which the walk last left them.
const MARKED: u8 = 0x40;

/// Number of starts that are filtered at once for unmarked cells.
const BATCH: usize = 1024;

pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let steps = draft.steps();
    // In a random order of the cells, the first unmarked cell is a random unmarked cell.
    let mut starts: Vec<_> = draft.cells().collect();
    draws.shuffle(&mut starts);
    let places = &mut draft.places[..];
    places[starts[0] as usize] = MARKED;
    for batch in starts.chunks_mut(BATCH) {
        // More than half of the starts are marked when it is their turn, unpredictably: dropping most of them without a branch
        // is faster.
        let mut kept = 0;
        for at in 0..batch.len() {
            batch[kept] = batch[at];
            kept += usize::from(places[batch[at] as usize] < MARKED);
        }
        for &start in &batch[..kept] {
            if places[start as usize] < MARKED {
                walk(places, start as usize, steps, &mut draws);
            }
        }
    }
    draft.finish()
}

/// Walks at random from a cell to a marked cell, and marks the path. Loops are erased implicitly: each cell keeps only the
/// direction in which the walk last left it.
#[inline]
fn walk(places: &mut [u8], start: usize, steps: [usize; 4], draws: &mut Draws<'_, impl Rng>) {
    let mut at = start;
    loop {
        let direction = draws.bits(2);
        let next = at.wrapping_add(steps[direction as usize]);
        let there = places[next];
        if there == Draft::BORDER {
            continue;
        }
        places[at] = direction as u8;
        if there >= MARKED {
            break;
        }
        at = next;
    }
    let mut at = start;
    while places[at] < MARKED {
        let direction = places[at];
        places[at] = MARKED | 1 << direction;
        at = at.wrapping_add(steps[usize::from(direction)]);
    }
}
