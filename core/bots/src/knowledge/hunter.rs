//! A ghost that hunts a pacman.

use game::pacman::{Board, Cell, Colour, View};
use graph::DistanceTable;

use super::others;

/// Number of ghosts that a pacman considers.
pub(crate) const HUNTERS: usize = 3;
/// Largest distance at which a ghost counts, in steps.
const FEARED: u32 = 12;
/// Probability that a ghost hunts a pacman although another pacman is nearer to the ghost.
const DISTRACTED: f32 = 0.4;

/// A ghost of another player, as a threat to a pacman.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hunter {
    /// The ghost's cell.
    pub cell: Cell,
    /// Probability that the ghost hunts this pacman rather than another.
    pub keen: f32,
}

impl Hunter {
    /// The ghosts near the pacman of player `prey`, with the colours of their owners, nearest first; of equally near ones, in
    /// the order of `owners`.
    pub(crate) fn nearest(
        view: &View,
        prey: Colour,
        owners: impl Iterator<Item = Colour>,
        table: &mut DistanceTable,
    ) -> Vec<(Colour, Self)> {
        let (board, mut near) = (view.board(), Vec::new());
        let Some(pacman) = view.player(prey).map(|player| player.pacman) else { return Vec::new() };
        let ghosts = owners.filter_map(|owner| Some((owner, view.player(owner)?.ghost)));
        let may_be_near =
            |(_, ghost): &(_, Cell)| u32::from(board.dims().chebyshev(*ghost, pacman)) <= FEARED;
        for (owner, cell) in ghosts.filter(may_be_near) {
            let distances = table.from(board, cell);
            let distance = distances.to(pacman);
            let is_distracted = others(view, owner)
                .any(|(other, p)| other != prey && distances.to(p.pacman) < distance);
            let keen = if is_distracted { DISTRACTED } else { 1.0 };
            if distance <= FEARED {
                near.push((distance, (owner, Self { cell, keen })));
            }
        }
        near.sort_by_key(|(distance, _)| *distance);
        near.truncate(HUNTERS);
        near.into_iter().map(|(_, hunter)| hunter).collect()
    }

    /// The ghost's next cell on its way to a prey.
    #[inline]
    pub fn approach(self, board: &Board, prey: Cell, table: &mut DistanceTable) -> Cell {
        table.step(board, self.cell, prey)
    }

    /// Expected number of bites in a turn in which its prey walks from a cell to another, and the ghost after it. The ghost moves
    /// first in half of the turns: it then [approaches](Self::approach) the prey's last cell, which leads it to `first`.
    #[inline]
    pub fn pursue(
        self,
        board: &Board,
        [from, to]: [Cell; 2],
        first: Cell,
        table: &mut DistanceTable,
    ) -> (f32, Self) {
        let last = self.approach(board, to, table);
        let mut bites = 0.0;
        if first == from || first == to {
            bites += 0.5;
        }
        if last == to || self.cell == to {
            bites += 0.5;
        }
        (bites * self.keen, Self { cell: last, ..self })
    }
}
