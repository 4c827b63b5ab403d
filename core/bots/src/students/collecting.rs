//! The pacman of a student's program.
#![expect(clippy::cast_precision_loss, reason = "distances and points are small")]

use game::pacman::{Cell, Direction, Object, Player};
use graph::Distances;

use super::style::{Fear, Style, Taste, Weighing};
use super::{Student, best, rivals};
use crate::Situation;

impl Student {
    /// The order of the pacman; `None` if it has no exit.
    pub(super) fn collect(
        &mut self,
        situation: &Situation<'_>,
        player: &Player,
    ) -> Option<Direction> {
        let board = situation.view.board();
        let exits = player.powers.exits(board, player.pacman);
        let (style, heading) = (self.style, self.headings[0]);
        let back = heading.map(Direction::opposite);
        let is_safe = style.knows_powers && (player.powers.glutton > 1 || player.powers.freeze > 1);
        let nearest_ghost = |table: &mut graph::DistanceTable, to: Cell| {
            let distances = table.from(board, to);
            let near = rivals(situation).map(|(_, rival)| distances.to(rival.ghost)).min();
            if is_safe { Distances::UNREACHED } else { near.unwrap_or(Distances::UNREACHED) }
        };
        let goals = self.goals(situation, player);
        if let Fear::Flees(within) = style.fear
            && nearest_ghost(&mut self.table, player.pacman) <= within
        {
            return best(style.order, exits, |exit| {
                nearest_ghost(&mut self.table, board.neighbour(player.pacman, exit)).min(99) as f32
            });
        }
        best(style.order, exits, |exit| {
            let to = board.neighbour(player.pacman, exit);
            let near = nearest_ghost(&mut self.table, to);
            let mut worth = style.worth(&goals, self.table.from(board, to));
            if Some(exit) == back {
                worth *= style.turning_back;
            }
            match style.fear {
                Fear::Refuses(within) if near <= within => worth - 1e6 + near as f32 * 1e5,
                Fear::Costs(share) if near < 4 => worth * (1.0 - share * (4 - near) as f32),
                _ => worth,
            }
        })
    }

    /// The objects that the pacman may walk to, with their worth.
    fn goals(&mut self, situation: &Situation<'_>, player: &Player) -> Vec<(Cell, f32)> {
        let (board, objects) = (situation.view.board(), situation.view.objects());
        if self.style.keeps_goal {
            if let Some(goal) = self.goal.filter(|&goal| objects.get(goal).is_some()) {
                return vec![(goal, 1.0)];
            }
            self.goal = None;
        }
        let is_all_vitamins = objects.iter().all(|(_, object)| object == Object::Vitamin);
        let own = self.table.from(board, player.pacman).clone();
        let mut goals = Vec::new();
        for (cell, object) in objects.iter() {
            let mut worth = self.style.taste.points(object, is_all_vitamins);
            if self.style.late < 1.0 {
                let distances = self.table.from(board, cell);
                let nearest = rivals(situation).map(|(_, rival)| distances.to(rival.pacman)).min();
                if nearest.is_some_and(|nearest| nearest < own.to(cell)) {
                    worth *= self.style.late;
                }
            }
            if worth > 0.0 && own.to(cell) < Distances::UNREACHED {
                goals.push((cell, worth));
            }
        }
        if self.style.keeps_goal {
            let worth = |&(cell, worth): &(Cell, f32)| self.style.worth(&[(cell, worth)], &own);
            let goal = goals.iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).copied();
            self.goal = goal.map(|(cell, _)| cell);
            return goal.into_iter().collect();
        }
        goals
    }
}

impl Style {
    /// Worth of the objects for a pacman at the source of the distances.
    fn worth(&self, goals: &[(Cell, f32)], distances: &Distances) -> f32 {
        let reached = goals.iter().filter(|(cell, _)| distances.to(*cell) < Distances::UNREACHED);
        let worths = reached.map(|&(cell, worth)| {
            let steps = distances.to(cell) as f32 + 1.0;
            match self.weighing {
                Weighing::Nearest => 1.0 / steps,
                Weighing::Ratio(exponent) | Weighing::Attraction(exponent) => {
                    worth / libm::powf(steps, exponent)
                }
                Weighing::Sum(fading) => worth * libm::powf(fading, steps),
            }
        });
        match self.weighing {
            Weighing::Nearest | Weighing::Ratio(_) => worths.fold(0.0, f32::max),
            Weighing::Sum(_) | Weighing::Attraction(_) => worths.sum(),
        }
    }
}

impl Taste {
    fn points(self, object: Object, is_all_vitamins: bool) -> f32 {
        let points = object.points() as f32;
        match (self, object) {
            (Self::Alike, _) => 1.0,
            (Self::NoVitamins, Object::Vitamin) if !is_all_vitamins => 0.0,
            (Self::Gluttons, Object::Glutton) => 2.0 * points,
            (Self::NoTeleporters, Object::Teleporter) => 0.0,
            _ => points,
        }
    }
}
