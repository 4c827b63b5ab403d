//! Where a pacman probably goes.

use game::pacman::{Cell, Player, View};
use graph::DistanceTable;

/// The next cells of a pacman that always walks to the object that is worth most for its distance;
/// at most `steps`, fewer when there is nothing left to walk to.
pub fn forecast(
    view: &View,
    player: &Player,
    table: &mut DistanceTable,
    steps: usize,
) -> Vec<Cell> {
    let board = view.board();
    let mut walk: Vec<Cell> = Vec::with_capacity(steps);
    let mut taken: Vec<usize> = Vec::new();
    let mut here = player.pacman;
    while walk.len() < steps {
        let distances = table.from(board, here);
        let worth = |(index, object): (usize, game::pacman::Object)| {
            let cell = board.dims().nth(index).filter(|_| !taken.contains(&index))?;
            let distance = distances.to(cell);
            let reachable = cell != here && distance < graph::Distances::UNREACHED;
            reachable.then(|| (f64::from(object.points()) / f64::from(distance), cell))
        };
        let best = view.objects().iter().filter_map(worth).max_by(|a, b| a.0.total_cmp(&b.0));
        let Some((_, target)) = best else { break };
        taken.push(target.index());
        // Back from the target along falling distances, to be walked the other way round.
        let start = walk.len();
        let mut cell = target;
        for distance in (0..distances.to(target)).rev() {
            walk.push(cell);
            let before = board
                .exits(cell)
                .iter()
                .map(|&exit| board.neighbour(cell, exit))
                .find(|&before| distances.to(before) == distance);
            cell = before.unwrap_or(here);
        }
        walk[start..].reverse();
        here = target;
    }
    walk.truncate(steps);
    walk
}
