//! The ghost of a student's program.
#![expect(clippy::cast_precision_loss, reason = "distances and points are small")]

use game::pacman::{Cell, Chance, Direction, Player};
use graph::Distances;

use super::style::Prey;
use super::{Student, best, rivals};
use crate::Situation;

impl Student {
    /// The order of the ghost; `None` if it has no exit.
    pub(super) fn hunt(&mut self, situation: &Situation<'_>, player: &Player) -> Option<Direction> {
        let board = situation.view.board();
        let exits = board.exits(player.ghost);
        let goal = self.target(situation, player);
        let Some(goal) = goal else { return self.wander(exits) };
        let distances = self.table.from(board, goal);
        best(self.style.order, exits, |exit| {
            -(distances.to(board.neighbour(player.ghost, exit)).min(1 << 20) as f32)
        })
    }

    /// The cell that the ghost walks to; `None` if it hunts nobody.
    fn target(&mut self, situation: &Situation<'_>, player: &Player) -> Option<Cell> {
        let (view, style) = (situation.view, self.style);
        let board = view.board();
        let reached = |distances: &Distances, cell| distances.to(cell).min(1 << 20) as f32;
        if let Prey::Ambush = style.prey {
            let distances = self.table.from(board, player.ghost);
            let worth = |&(cell, object): &(Cell, game::pacman::Object)| {
                object.points() as f32 - reached(distances, cell)
            };
            let best = view.objects().iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
            if let Some((cell, _)) = best.filter(|(cell, _)| distances.to(*cell) > 1) {
                return Some(cell);
            }
        }
        let source = if let Prey::Guards = style.prey { player.pacman } else { player.ghost };
        let distances = self.table.from(board, source);
        let worth = |(_, rival): &(_, &Player)| {
            let steps = reached(distances, rival.pacman);
            let points = rival.points as f32;
            match style.prey {
                Prey::Richest => points - steps / 1000.0,
                Prey::Drawn(steps_a_hundred) => points / 100.0 * steps_a_hundred - steps,
                _ => -steps,
            }
        };
        let mut preys = rivals(situation).filter(|(_, rival)| {
            rival.pacman != player.ghost && !(style.spares_gluttons && rival.powers.glutton > 0)
        });
        let prey = match style.prey {
            Prey::Nobody => None,
            Prey::Keeps => preys.find(|(colour, _)| {
                // It begins with the player after it.
                colour.index() == (situation.me.index() + 1) % view.players().len()
            }),
            _ => preys.max_by(|a, b| worth(a).total_cmp(&worth(b))),
        };
        let (_, prey) = prey?;
        let to_object = self.table.from(board, prey.pacman);
        // It foresees the prey on its way to the nearest object.
        let objects = view.objects().iter().map(|(cell, _)| cell);
        let object = objects.min_by_key(|&cell| to_object.to(cell)).filter(|_| style.lead > 0);
        let ahead = object.and_then(|cell| to_object.path(board, cell)).unwrap_or_default();
        let step = |at: Cell, &exit: &Direction| board.neighbour(at, exit);
        Some(ahead.iter().take(style.lead).fold(prey.pacman, step))
    }

    /// Straight on, or by chance at a corner.
    fn wander(&mut self, exits: &[Direction]) -> Option<Direction> {
        let heading = self.headings[1].filter(|heading| exits.contains(heading));
        if heading.is_some() && self.draws.below(4) > 0 {
            return heading;
        }
        // At most four exits.
        let drawn = self.draws.below(exits.len().max(1) as u32);
        exits.get(drawn as usize).copied()
    }
}
