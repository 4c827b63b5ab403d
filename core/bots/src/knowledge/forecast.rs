//! Likely walks of pacmans.

use game::pacman::{Cell, Colour, Direction, Object, View};
use graph::{DistanceTable, Distances};

use super::Harvest;

/// Predicts the walks of pacmans, as if each always went to the object with the most points per unit of path cost, ghosts
/// considered.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    harvest: Harvest,
}

impl Forecast {
    /// The next cells of a player's pacman; at most `steps`, fewer when nothing is left to walk to.
    pub fn walk(
        &mut self,
        view: &View,
        colour: Colour,
        table: &mut DistanceTable,
        steps: usize,
    ) -> Vec<Cell> {
        let board = view.board();
        let Some(goal) = self.harvest.find(view, colour) else { return Vec::new() };
        let mut walk = self.harvest.ways().cells_to(board, goal);
        let mut taken = vec![goal];
        // Ghosts move meanwhile: later goals are predicted by distance alone.
        while let Some(&here) = walk.last().filter(|_| walk.len() < steps) {
            let distances = table.from(board, here);
            let next = view
                .objects()
                .iter()
                .filter(|(cell, _)| {
                    !taken.contains(cell) && distances.to(*cell) < Distances::UNREACHED
                })
                .map(|(cell, object)| (worth(object, distances.to(cell)), cell))
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, goal)) = next else { break };
            taken.push(goal);
            let start = walk.len();
            let mut cell = goal;
            while cell != here {
                walk.push(cell);
                let nearer = |exit: &Direction| board.neighbour(cell, *exit);
                let before = board.exits(cell).iter().map(nearer).min_by_key(|&c| distances.to(c));
                cell = before.unwrap_or(here);
            }
            walk[start..].reverse();
        }
        walk.truncate(steps);
        walk
    }
}

fn worth(object: Object, cost: u32) -> f64 {
    f64::from(object.points()) / f64::from(cost.max(1))
}
