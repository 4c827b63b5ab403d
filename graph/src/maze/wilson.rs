//! Wilson's algorithm: random walks without their loops, from a cell that is not in the maze to the
//! first one that is. Every perfect maze is as likely as any other.
//!
//! D. B. Wilson, *Generating random spanning trees more quickly than the cover time*, 1996.

use rand_core::Rng;

use super::Maze;
use super::draft::Draft;
use crate::Dims;
use crate::draws::Draws;

/// A cell of the maze; other places hold the number of the direction in which the walk left them
/// last.
const MARKED: u8 = 0x40;

/// Number of starts that are looked through at once, for those that are not marked.
const BATCH: usize = 1024;

pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let steps = draft.steps();
    // Cells in random order: the first one that is not marked is a random one among those.
    let mut starts: Vec<_> = draft.cells().collect();
    draws.shuffle(&mut starts);
    let places = &mut draft.places[..];
    places[starts[0] as usize] = MARKED;
    for batch in starts.chunks_mut(BATCH) {
        // More than half of the starts are marked when it is their turn, and which ones cannot be
        // predicted: it pays to drop most of them without a branch.
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

/// Walks at random from a cell to a marked one, and marks the way. The walk forgets its loops by
/// itself: a cell that it comes back to is left anew, and only the last way out is kept.
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
