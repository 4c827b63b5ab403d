//! Merging of paths (*fusion de chemins*): takes down walls in random order if the cells on both sides are not connected
//! yet. This is Kruskal's algorithm with random weights.

use rand_core::Rng;

use super::draft::Draft;
use super::{EAST, Maze, SOUTH};
use crate::draws::Draws;
use graph::Dims;
use petgraph::unionfind::UnionFind;

/// Generates a maze. The subject relabels all cells of a path at each merge; union–find has the same effect faster.
pub(super) fn generate(dims: Dims, mut draws: Draws<'_, impl Rng>) -> Maze {
    let mut draft = Draft::new(dims);
    let mut sets = UnionFind::<u32>::new(draft.places.len());
    let [_, east, south, _] = draft.steps();
    // A wall is encoded as twice the place of its northern or western cell, plus 1 for a southern wall.
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
        if sets.union(place, place + step as u32) {
            draft.places[place as usize] |= side;
            missing -= 1;
        }
    }
    draft.finish()
}
