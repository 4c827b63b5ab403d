//! `glouton`: the best object for its distance, and the nearest prey.

use game::pacman::{Cell, Colour, Direction, Orders, Player, View};
use graph::{Cheapest, Distances};

use crate::knowledge::{Wariness, others};
use crate::{Bot, Situation};

/// Walks to the object that is worth most for its distance, around the ghosts; its ghost walks to
/// the nearest pacman that it can eat.
#[derive(Debug, Default)]
pub struct Glouton {
    ways: Cheapest,
    distances: Distances,
    wariness: Wariness,
}

impl Bot for Glouton {
    fn play(&mut self, Situation { view, me, .. }: &Situation<'_>) -> Orders {
        let Some(player) = view.player(*me) else { return Orders::default() };
        Orders {
            pacman: self.collect(view, *me, player),
            ghost: self.hunt(view, *me, player.ghost),
        }
    }
}

impl Glouton {
    fn collect(&mut self, view: &View, me: Colour, player: &Player) -> Option<Direction> {
        let board = view.board();
        let costs = self.wariness.fill(view, me);
        let ways = self.ways.fill(board, player.pacman, player.powers.wall_pass, costs);
        let worth = |(index, object): (usize, game::pacman::Object)| {
            let cell = board.dims().nth(index)?;
            let cost = ways.to(cell).filter(|&cost| cost > 0)?;
            Some((f64::from(object.points()) / f64::from(cost), cell))
        };
        let best = view.objects().iter().filter_map(worth).max_by(|a, b| a.0.total_cmp(&b.0));
        best.and_then(|(_, cell)| ways.first_step(board, cell)).or_else(|| {
            let cost = |d: &&Direction| costs[board.neighbour(player.pacman, **d).index()];
            board.exits(player.pacman).iter().min_by_key(cost).copied()
        })
    }

    fn hunt(&mut self, view: &View, me: Colour, ghost: Cell) -> Option<Direction> {
        let board = view.board();
        self.distances.fill(board, ghost);
        let prey = others(view, me)
            .filter(|(_, other)| other.powers.glutton == 0)
            .map(|(_, other)| other.pacman)
            // A ghost cannot stay where it is and bite again.
            .filter(|&pacman| pacman != ghost)
            .min_by_key(|&pacman| self.distances.to(pacman));
        prey.and_then(|pacman| self.distances.first_step(board, pacman))
            .or_else(|| board.exits(ghost).first().copied())
    }
}
