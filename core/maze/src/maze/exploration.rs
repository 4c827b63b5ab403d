//! Exhaustive exploration (*exploration exhaustive*): random depth-first search with a stack, which moves to a random
//! unvisited contiguous cell, or goes back if there is none.

use rand_core::Rng;

use super::Maze;
use super::draft::Draft;
use crate::draws::Draws;
use graph::Dims;

const VISITED: u8 = 0x40;

/// Number of values of a draw, which is divisible by 1, 2, 3 and 4.
const SHARES: usize = 12;

/// The direction to take, by the set of free directions (a bit each) and a draw below [`SHARES`].
const CHOICES: [[u8; SHARES]; 16] = {
    let mut choices = [[0; SHARES]; 16];
    let mut free = 1_usize;
    while free < 16 {
        let count = free.count_ones() as usize;
        let mut draw = 0;
        while draw < SHARES {
            // The free direction with number `draw % count`.
            let (mut direction, mut before) = (0_u8, draw % count);
            while free >> direction & 1 == 0 || before > 0 {
                before -= free >> direction & 1;
                direction += 1;
            }
            choices[free][draw] = direction;
            draw += 1;
        }
        free += 1;
    }
    choices
};

pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let [north, east, south, west] = draft.steps();
    let row = draws.below(dims.rows().into()) as usize;
    let start = draft.place(row, draws.below(dims.cols().into()) as usize);
    let places = &mut draft.places[..];
    places[start] = VISITED;
    let mut stack = Vec::with_capacity(dims.len());
    stack.push(start as u32);
    while let Some(&top) = stack.last() {
        let at = top as usize;
        let free = |step: usize| usize::from(places[at.wrapping_add(step)] == 0);
        let free = free(north) | free(east) << 1 | free(south) << 2 | free(west) << 3;
        if free == 0 {
            stack.pop();
            continue;
        }
        let direction = CHOICES[free][draws.below(SHARES as u32) as usize];
        let next = at.wrapping_add([north, east, south, west][usize::from(direction)]);
        places[at] |= 1 << direction;
        places[next] = VISITED;
        stack.push(next as u32);
    }
    draft.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_free_direction_has_the_same_share() {
        for (free, choices) in CHOICES.iter().enumerate().skip(1) {
            for direction in 0..4 {
                let chosen: usize = choices.iter().map(|&c| usize::from(c == direction)).sum();
                let share = SHARES / free.count_ones() as usize;
                assert_eq!(chosen, if free >> direction & 1 == 1 { share } else { 0 });
            }
        }
    }
}
