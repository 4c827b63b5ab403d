//! `glouton`: the best object for its distance, and the nearest prey.

use game::pacman::{Cell, Colour, Direction, Object, Orders, Player, View};
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
}

impl Glouton {
    fn collect(&mut self, view: &View, me: Colour, player: &Player) -> Option<Direction> {
        let board = view.board();
        let costs = self.wariness.fill(view, me);
        let objects = view.objects();
        // What has not been found yet, and the points of the best of it.
        let mut left =
            Object::ALL.map(|object| (objects.count(object), i64::from(object.points())));
        let most_of = |left: &[(u32, i64)]| {
            left.iter().filter(|left| left.0 > 0).map(|left| left.1).max().unwrap_or(0)
        };
        let mut most = most_of(&left);
        let mut best: Option<Goal> = None;
        let ways = self.ways.fill_until(
            board,
            player.pacman,
            player.powers.wall_pass,
            costs,
            |cell, cost| {
                let cost = i64::from(cost);
                // Worth is points for each unit of cost: a / b < c / d is a · d < c · b.
                if best.is_some_and(|best| most * best.cost < best.points * cost) {
                    return true;
                }
                let Some(object) = objects.get(cell) else { return false };
                let kind = &mut left[object as usize - 1];
                kind.0 -= 1;
                if kind.0 == 0 {
                    most = most_of(&left);
                }
                if cost > 0 {
                    let goal = Goal { points: object.points().into(), cost, cell };
                    best = Some(best.map_or(goal, |best| best.or_better(goal)));
                }
                false
            },
        );
        best.and_then(|best| ways.first_step(board, best.cell)).or_else(|| {
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

/// An object that a pacman may walk to.
#[derive(Clone, Copy, Debug)]
struct Goal {
    points: i64,
    cost: i64,
    cell: Cell,
}

impl Goal {
    /// The one that is worth more for what it costs; of equal ones, the last one row-major.
    fn or_better(self, other: Self) -> Self {
        let order = (other.points * self.cost).cmp(&(self.points * other.cost));
        if order.then(other.cell.cmp(&self.cell)).is_gt() { other } else { self }
    }
}
