//! `glouton`: the best object for its distance, and the nearest prey.

use game::pacman::{Cell, Colour, Direction, Orders, Player, View};
use graph::Distances;

use crate::knowledge::{Harvest, others};
use crate::{Bot, Situation};

/// Walks to the object that is worth most for its distance, around the ghosts; its ghost walks to
/// the nearest pacman that it can eat.
#[derive(Debug, Default)]
pub struct Glouton {
    harvest: Harvest,
    distances: Distances,
    prey: Vec<Cell>,
}

impl Bot for Glouton {
    fn play(&mut self, Situation { view, me, .. }: &Situation<'_>) -> Orders {
        let Some(player) = view.player(*me) else { return Orders::default() };
        Orders {
            pacman: self.collect(view, *me, player),
            ghost: self.hunt(view, *me, player.ghost),
        }
    }

    fn fork(&self) -> Option<Box<dyn Bot>> {
        // Each decision begins anew.
        Some(Box::new(Self::default()))
    }
}

impl Glouton {
    fn collect(&mut self, view: &View, me: Colour, player: &Player) -> Option<Direction> {
        let board = view.board();
        let best = self.harvest.find(view, me);
        best.and_then(|cell| self.harvest.ways().first_step(board, cell)).or_else(|| {
            let costs = self.harvest.costs();
            let cost = |d: &&Direction| costs[board.neighbour(player.pacman, **d).index()];
            board.exits(player.pacman).iter().min_by_key(cost).copied()
        })
    }

    fn hunt(&mut self, view: &View, me: Colour, ghost: Cell) -> Option<Direction> {
        let board = view.board();
        let prey = others(view, me)
            .filter(|(_, other)| other.powers.glutton == 0)
            .map(|(_, other)| other.pacman)
            // A ghost cannot stay where it is and bite again.
            .filter(|&pacman| pacman != ghost);
        self.prey.clear();
        self.prey.extend(prey);
        self.distances.fill_to_nearest(board, ghost, &self.prey);
        let prey = self.prey.iter().copied().min_by_key(|&pacman| self.distances.to(pacman));
        prey.and_then(|pacman| self.distances.first_step(board, pacman))
            .or_else(|| board.exits(ghost).first().copied())
    }
}
