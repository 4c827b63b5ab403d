//! The object that is worth most for the walk to it.

use game::pacman::{Cell, Colour, Object, View};
use graph::Cheapest;

use super::Wariness;

/// Finds the object that gives a pacman the most points per unit of path cost, ghosts considered.
#[derive(Clone, Debug, Default)]
pub struct Harvest {
    wariness: Wariness,
    ways: Cheapest,
}

/// An object that a pacman may walk to.
#[derive(Clone, Copy, Debug)]
struct Goal {
    points: i64,
    cost: i64,
    cell: Cell,
}

/// Number of objects of each kind in the part of the board that the search has not reached.
struct Left {
    counts: [u32; Object::ALL.len()],
    /// Points of the most valuable kind that is left; 0 if none is.
    most: i64,
}

impl Harvest {
    /// Cell of the best object; of several equally good ones, the last in row-major order. `None` if the player cannot
    /// reach any object or does not exist.
    ///
    /// The search ends when no object further away can be better.
    pub fn find(&mut self, view: &View, colour: Colour) -> Option<Cell> {
        let (board, objects) = (view.board(), view.objects());
        let player = view.player(colour)?;
        let costs = self.wariness.fill(view, colour);
        let mut left = Left::new(Object::ALL.map(|object| objects.count(object)));
        let mut best: Option<Goal> = None;
        let through_walls = player.powers.wall_pass;
        self.ways.fill_until(board, player.pacman, through_walls, costs, |cell, cost| {
            let cost = i64::from(cost);
            let is_worse = |best: Goal| left.most * best.cost < best.points * cost;
            if best.is_some_and(is_worse) {
                return true;
            }
            if let Some(object) = objects.get(cell) {
                left.take(object);
                if cost > 0 {
                    let goal = Goal { points: object.points().into(), cost, cell };
                    best = Some(best.map_or(goal, |best| best.or_better(goal)));
                }
            }
            false
        });
        best.map(|best| best.cell)
    }

    /// Cheapest paths of the pacman, as far as the last search went: to the object, and to all cheaper cells.
    pub fn ways(&self) -> &Cheapest {
        &self.ways
    }

    /// Cost of entering each cell, in row-major order; empty before the first search.
    pub fn costs(&self) -> &[u16] {
        self.wariness.costs()
    }
}

impl Goal {
    /// The goal with more points per unit of cost; of equal goals, the last in row-major order.
    fn or_better(self, other: Self) -> Self {
        let order = (other.points * self.cost).cmp(&(self.points * other.cost));
        if order.then(other.cell.cmp(&self.cell)).is_gt() { other } else { self }
    }
}

impl Left {
    fn new(counts: [u32; Object::ALL.len()]) -> Self {
        let is_left = |(_, count): &(Object, u32)| *count > 0;
        let left = Object::ALL.into_iter().zip(counts).filter(is_left);
        let most = left.map(|(object, _)| object.points().into()).max().unwrap_or(0);
        Self { counts, most }
    }

    fn take(&mut self, object: Object) {
        let count = &mut self.counts[object as usize - 1];
        *count -= 1;
        if *count == 0 {
            *self = Self::new(self.counts);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use game::pacman::{Map, Rules};

    use super::*;
    use crate::{HouseGame, by_name};

    /// The best object by definition: the maximum over all objects, from the paths to all cells, which are returned, too.
    fn plain(view: &View, colour: Colour) -> (Option<Cell>, Cheapest) {
        let (board, player) = (view.board(), view.player(colour).unwrap());
        let (mut wariness, mut ways) = (Wariness::default(), Cheapest::new());
        let costs = wariness.fill(view, colour);
        ways.fill(board, player.pacman, player.powers.wall_pass, costs);
        let worth = |(cell, object): (Cell, Object)| {
            let cost = ways.to(cell).filter(|&cost| cost > 0)?;
            Some((f64::from(object.points()) / f64::from(cost), cell))
        };
        let best = view.objects().iter().filter_map(worth).max_by(|a, b| a.0.total_cmp(&b.0));
        (best.map(|(_, cell)| cell), ways)
    }

    #[test]
    fn the_object_is_that_of_a_search_of_everything() {
        let maps = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes");
        let (mut searches, mut through_walls) = (0, 0);
        for map in fs::read_dir(maps).unwrap() {
            let map: Map = fs::read_to_string(map.unwrap().path()).unwrap().parse().unwrap();
            for (seed, rules) in [(1, Rules::SUJET), (2, Rules::ORLEANS_2024)] {
                let bots = ["glouton", "dijkstra", "aleatoire", "glouton"];
                let bots = bots.map(|bot| by_name(bot).unwrap().make(seed));
                let mut game = HouseGame::start(&map, rules, 150, seed, bots.into());
                let mut harvest = Harvest::default();
                while !game.state().view().is_over() {
                    let view = game.state().view();
                    for colour in Colour::first(4) {
                        let found = harvest.find(view, colour);
                        let (expected, ways) = plain(view, colour);
                        assert_eq!(found, expected, "turn {}", view.elapsed());
                        if let Some(cell) = found {
                            let cells = |ways: &Cheapest| ways.cells_to(view.board(), cell);
                            assert_eq!(cells(harvest.ways()), cells(&ways));
                            searches += 1;
                            through_walls +=
                                usize::from(view.player(colour).unwrap().powers.wall_pass > 0);
                        }
                    }
                    game.play_turn(|_, _| {});
                }
            }
        }
        assert!(searches > 5000 && through_walls > 100, "{searches}, {through_walls}");
    }
}
