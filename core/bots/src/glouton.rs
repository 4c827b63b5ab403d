//! `glouton`: the best object for its distance, and the nearest prey.

use game::pacman::{Board, Cell, Direction, Orders, Player};
use graph::{DistanceTable, Distances};

use crate::knowledge::{Harvest, others};
use crate::{Bot, Situation};

/// Walks to the object that is worth most for its distance, around the ghosts; its ghost walks to
/// the nearest pacman that it can eat.
#[derive(Debug, Default)]
pub struct Glouton {
    harvest: Harvest,
    distances: Distances,
    preys: Vec<Cell>,
}

impl Bot for Glouton {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        self.find_preys(situation, player.ghost);
        let board = situation.view.board();
        let ghost = self.distances.fill_to_nearest(board, player.ghost, &self.preys);
        let ghost = hunt(board, player.ghost, &self.preys, ghost);
        Orders { pacman: self.collect(situation, player), ghost }
    }

    fn fork(&self) -> Option<Box<dyn Bot>> {
        // Each decision begins anew.
        Some(Box::new(Self::default()))
    }
}

impl Glouton {
    /// Decides with the distances that somebody else keeps for the same board.
    pub(crate) fn play_with(
        &mut self,
        situation: &Situation<'_>,
        table: &mut DistanceTable,
    ) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        self.find_preys(situation, player.ghost);
        let board = situation.view.board();
        let ghost = hunt(board, player.ghost, &self.preys, table.from(board, player.ghost));
        Orders { pacman: self.collect(situation, player), ghost }
    }

    fn collect(
        &mut self,
        &Situation { view, me, .. }: &Situation<'_>,
        player: &Player,
    ) -> Option<Direction> {
        let board = view.board();
        let best = self.harvest.find(view, me);
        best.and_then(|cell| self.harvest.ways().first_step(board, cell)).or_else(|| {
            let costs = self.harvest.costs();
            let cost = |d: &&Direction| costs[board.neighbour(player.pacman, **d).index()];
            board.exits(player.pacman).iter().min_by_key(cost).copied()
        })
    }

    fn find_preys(&mut self, &Situation { view, me, .. }: &Situation<'_>, ghost: Cell) {
        let preys = others(view, me)
            .filter(|(_, other)| other.powers.glutton == 0)
            .map(|(_, other)| other.pacman)
            // A ghost cannot stay where it is and bite again.
            .filter(|&pacman| pacman != ghost);
        self.preys.clear();
        self.preys.extend(preys);
    }
}

/// The step of a ghost towards the nearest of its preys, by the distances from the ghost.
fn hunt(board: &Board, ghost: Cell, preys: &[Cell], distances: &Distances) -> Option<Direction> {
    let prey = preys.iter().copied().min_by_key(|&pacman| distances.to(pacman));
    prey.and_then(|pacman| distances.first_step(board, pacman))
        .or_else(|| board.exits(ghost).first().copied())
}

#[cfg(test)]
mod tests {
    use game::pacman::{Colour, Map, Rules, maps};

    use super::*;
    use crate::{HouseGame, by_name};

    #[test]
    fn with_a_table_the_orders_are_the_same() {
        let map: Map = maps::text_of("petit").unwrap().parse().unwrap();
        let bots = ["glouton", "dijkstra", "aleatoire", "prudent"];
        let bots = bots.map(|bot| by_name(bot).unwrap().make(1));
        let mut game = HouseGame::start(&map, Rules::SUJET, 200, 2, bots.into());
        let (mut glouton, mut table) = (Glouton::default(), DistanceTable::new());
        while !game.state().view().is_over() {
            for me in Colour::first(4) {
                let situation = Situation::new(game.state().view(), me, &Rules::SUJET);
                let expected = glouton.play(&situation);
                assert_eq!(glouton.play_with(&situation, &mut table), expected);
            }
            game.play_turn(|_, _| {});
        }
    }
}
