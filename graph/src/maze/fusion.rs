//! Merging of paths (*fusion de chemins*): walls in random order fall where the cells on both sides
//! are not linked yet. This is Kruskal's algorithm with weights drawn at random.

use rand_core::Rng;

use super::draft::Draft;
use super::{EAST, Maze, SOUTH};
use crate::Dims;
use crate::draws::Draws;

/// The subject labels cells and relabels them; a forest of labels does the same without walking
/// over them.
pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let mut labels = Labels::new(draft.places.len());
    let [_, east, south, _] = draft.steps();
    // A wall is twice the place of its northern or western cell, and one more if it is to the south.
    let is_wall = |wall: &u32| {
        let step = if wall.is_multiple_of(2) { east } else { south };
        draft.places[(wall / 2) as usize + step] != Draft::BORDER
    };
    let mut walls = Vec::with_capacity(2 * dims.len());
    walls.extend(draft.cells().flat_map(|place| [2 * place, 2 * place + 1]).filter(is_wall));
    draws.shuffle(&mut walls);
    let mut missing = dims.len() - 1;
    for wall in walls {
        if missing == 0 {
            break;
        }
        let (place, step, side) = match wall % 2 {
            0 => (wall / 2, east, EAST),
            _ => (wall / 2, south, SOUTH),
        };
        if labels.merge(place, place + step as u32) {
            draft.places[place as usize] |= side;
            missing -= 1;
        }
    }
    draft.finish()
}

/// Which cells have the same label: a forest in which a cell's parent never has a larger number, and
/// roots are labels.
struct Labels(Vec<u32>);

impl Labels {
    /// Each one has a label of its own.
    fn new(len: usize) -> Self {
        Self((0..len as u32).collect())
    }

    /// Gives both the same label; whether they had different ones.
    #[inline]
    fn merge(&mut self, a: u32, b: u32) -> bool {
        let (above_a, above_b) = (self.0[a as usize], self.0[b as usize]);
        // Often true long before the roots.
        if above_a == above_b {
            return false;
        }
        let (a, b) = (self.root(above_a), self.root(above_b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// The label; halves the way to it.
    #[inline]
    fn root(&mut self, mut at: u32) -> u32 {
        loop {
            let above = self.0[at as usize];
            if above == at {
                return at;
            }
            let next = self.0[above as usize];
            self.0[at as usize] = next;
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_merge_as_if_all_cells_were_relabelled() {
        let mut rng = crate::maze::tests::rng(1);
        let mut draws = Draws::new(&mut rng);
        for _ in 0..50 {
            let mut labels = Labels::new(30);
            let mut plain: Vec<usize> = (0..30).collect();
            for _ in 0..60 {
                let (a, b) = (draws.below(30), draws.below(30));
                let (label_a, label_b) = (plain[a as usize], plain[b as usize]);
                assert_eq!(labels.merge(a, b), label_a != label_b);
                plain.iter_mut().filter(|l| **l == label_b).for_each(|l| *l = label_a);
            }
        }
    }
}
