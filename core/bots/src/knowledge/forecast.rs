//! Likely walks of pacmans.

use game::pacman::{Cell, Colour, Direction, Object, View};
use graph::{DistanceTable, Distances};

use super::Harvest;

/// Predicts the walks of pacmans, as if each always went to the object with the most points per unit of path cost, ghosts
/// considered.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    harvest: Harvest,
    /// The last state that walks were predicted in.
    view: Option<View>,
    /// The walks that were predicted in it, with their players and their most steps.
    known: Vec<(Colour, usize, Vec<Cell>)>,
}

impl Forecast {
    /// The next cells of a player's pacman; at most `steps`, fewer when nothing is left to walk to. Walks are kept until the state
    /// is another one: the `table` must always be of the same kind.
    pub fn walk(
        &mut self,
        view: &View,
        colour: Colour,
        table: &mut DistanceTable,
        steps: usize,
    ) -> Vec<Cell> {
        if self.view.as_ref() != Some(view) {
            self.view.get_or_insert_with(|| view.clone()).clone_from(view);
            self.known.clear();
        }
        let known = self.known.iter().find(|(of, most, _)| (*of, *most) == (colour, steps));
        if let Some((_, _, walk)) = known {
            return walk.clone();
        }
        let walk = self.predict(view, colour, table, steps);
        self.known.push((colour, steps, walk.clone()));
        walk
    }

    fn predict(
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

#[cfg(test)]
mod tests {
    use game::pacman::{Map, Rules, maps};

    use super::*;
    use crate::{HouseGame, by_name};

    #[test]
    fn kept_walks_are_those_of_the_state() {
        let map: Map = maps::text_of("petit").unwrap().parse().unwrap();
        // Two games, so that there are several states of a turn.
        let mut games = [2, 3].map(|seed| {
            let bots = ["glouton", "dijkstra", "aleatoire", "prudent"];
            let bots = bots.map(|bot| by_name(bot).unwrap().make(1));
            HouseGame::start(&map, Rules::SUJET, 60, seed, bots.into())
        });
        let (mut forecast, mut table) = (Forecast::default(), DistanceTable::new());
        let mut walks = Vec::new();
        for turn in 0..60 {
            for game in &mut games {
                let view = game.state().view();
                for steps in [10, 2, 10, 2] {
                    for colour in Colour::first(4) {
                        let walk = forecast.walk(view, colour, &mut table, steps);
                        let anew = Forecast::default().walk(view, colour, &mut table, steps);
                        assert_eq!(walk, anew, "turn {turn}");
                        walks.push(walk);
                    }
                }
                assert_eq!(forecast.known.len(), 8);
                game.play_turn(|_, _| {});
            }
        }
        walks.sort();
        walks.dedup();
        assert!(walks.len() > 200, "{}", walks.len());
    }
}
