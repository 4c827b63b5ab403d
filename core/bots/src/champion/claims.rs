//! Probability that an object is still there when the pacman arrives.

use std::cmp::Ordering;

use game::pacman::{Cell, Colour, View};
use graph::Distances;

use super::NEARBY;
use super::allowance::Allowance;
use super::opponents::Foreseen;
use super::race;

/// Expected fraction of an object that is left if the pacman arrives at the same time as the first opponent.
const TIED: f32 = 0.5;
/// Expected fraction that is left if an opponent could be there at once, and the fraction that each turn of its walk adds.
const LEFT_IF_LATE: f32 = 0.3;
const LEFT_BY_TURN: f32 = 0.05;

/// Earliest and expected arrivals of the opponents at each cell, in turns from now.
#[derive(Debug, Default)]
pub(super) struct Claims {
    rivals: Vec<Rival>,
    distances: Distances,
}

/// Arrivals of one opponent.
#[derive(Debug, Default)]
struct Rival {
    /// Earliest arrival by distance.
    earliest: Vec<u32>,
    /// First arrival on its foreseen walk.
    on_walk: Vec<u32>,
    /// Length of that walk.
    foreseen: u32,
    /// Probability that it is still on that walk, for each turn.
    steady: f32,
    /// Worth of a point that it misses, in points of ours.
    share: f32,
}

impl Claims {
    /// Computes the arrivals for a state. When the budget is over, further opponents arrive on their foreseen walks only.
    pub(super) fn fill(
        &mut self,
        view: &View,
        me: Colour,
        foreseen: &[Foreseen],
        budget: &mut Allowance<'_>,
    ) {
        let (board, shares) = (view.board(), race::shares(view, me));
        self.rivals.resize_with(foreseen.len(), Rival::default);
        for (rival, foreseen) in self.rivals.iter_mut().zip(foreseen) {
            let Foreseen { colour, player, walk, steady, .. } = foreseen;
            for arrivals in [&mut rival.earliest, &mut rival.on_walk] {
                arrivals.clear();
                arrivals.resize(board.dims().len(), Distances::UNREACHED);
            }
            if budget.affords(board.dims().len().min(NEARBY)) {
                let through_walls = player.powers.wall_pass;
                self.distances.fill_nearest(board, player.pacman, through_walls, NEARBY);
                for &cell in self.distances.reached() {
                    rival.earliest[cell.index()] = self.distances.to(cell);
                }
            }
            for (turn, cell) in (1..).zip(walk) {
                let first = &mut rival.on_walk[cell.index()];
                *first = turn.min(*first);
            }
            // A walk has at most some dozens of cells.
            (rival.foreseen, rival.steady) = (walk.len() as u32, *steady);
            rival.share = shares[colour.index()];
        }
    }

    /// Worth of each point of an object that the opponents miss if the pacman takes it after `turns`: of those that are foreseen to take
    /// it later.
    pub(super) fn denied(&self, cell: Cell, turns: u32) -> f32 {
        let later = self.rivals.iter().filter_map(|rival| {
            let arrival = rival.on_walk[cell.index()];
            let comes = turns <= arrival && arrival < Distances::UNREACHED;
            comes.then(|| rival.share * rival.steady.powi(arrival.cast_signed()))
        });
        later.sum()
    }

    /// Expected fraction of an object that is left for the pacman if it arrives after `turns`.
    pub(super) fn left_for(&self, cell: Cell, turns: u32) -> f32 {
        let (mut by_distance, mut by_walk) = (1.0_f32, 1.0);
        for Rival { earliest, on_walk, foreseen, steady, .. } in &self.rivals {
            // An opponent that keeps to a walk elsewhere does not come.
            let elsewhere = if turns <= *foreseen { steady.powi(turns.cast_signed()) } else { 0.0 };
            let earliest = earliest[cell.index()];
            let left = match turns.cmp(&earliest) {
                Ordering::Less => 1.0,
                Ordering::Equal => TIED,
                // The further away the opponents are, the likelier they go elsewhere.
                Ordering::Greater => {
                    (LEFT_IF_LATE + LEFT_BY_TURN * f32::from(earliest.min(16) as u16)).min(1.0)
                }
            };
            by_distance = by_distance.min(left + elsewhere * (1.0 - left));
            let expected = on_walk[cell.index()];
            by_walk *= match turns.cmp(&expected) {
                Ordering::Less => 1.0,
                Ordering::Equal => 1.0 - 0.5 * steady.powi(expected.cast_signed()),
                Ordering::Greater => 1.0 - steady.powi(expected.cast_signed()),
            };
        }
        by_distance * by_walk
    }
}

#[cfg(test)]
mod tests {
    use super::super::step::Step;
    use super::*;
    use crate::Budget;
    use game::pacman::{Map, Quick, Rules, State};

    #[test]
    fn an_opponent_that_keeps_to_its_walk_leaves_what_lies_elsewhere() {
        let map: Map = "3;9\n#########\n#       #\n#########\n".parse().unwrap();
        let state = State::start(&map, Rules::SUJET, 9, 2, &mut Quick::new(1));
        let view = state.view();
        let cell = |column: usize| view.board().dims().nth(9 + column).unwrap();
        let mut player = view.players()[1];
        player.pacman = cell(4);
        let mut claims = Claims::default();
        let mut of = |walk: Vec<Cell>, steady, column| {
            let step = Step::none(player.pacman);
            let foreseen = Foreseen {
                colour: Colour::new(1).unwrap(),
                player,
                pacman: step,
                ghost: Step::none(player.ghost),
                walk,
                steady,
                stands: 0.0,
                rate: 0.0,
                rehearsed: 0,
            };
            let budget = &mut Allowance::new(Budget::default());
            claims.fill(view, Colour::new(0).unwrap(), &[foreseen], budget);
            [claims.left_for(cell(column), 3), claims.denied(cell(column), 3)]
        };
        let west = || [3, 2, 1].map(cell).to_vec();
        let [in_time, too_late] = [1, 2].map(|column| of(west(), 0.95, column)[1]);
        // The only opponent has all of the chance of the first place.
        assert!(in_time > 0.8 && in_time < 0.9, "it misses what we take first: {in_time}");
        assert!(too_late.abs() < 1e-6, "it has been there: {too_late}");
        let mut left = |walk, steady, column| of(walk, steady, column)[0];
        assert!(left(west(), 0.95, 6) > 0.85, "it walks the other way");
        assert!(left(west(), 0.95, 2) < 0.2, "it walks there");
        let guessed = left(Vec::new(), 0.95, 6);
        assert!(guessed > 0.3 && guessed < 0.6, "nothing is known of its walk: {guessed}");
        assert!((left(west(), 0.0, 6) - guessed).abs() < 1e-6, "its walk is never right");
        assert!((left(Vec::new(), 0.95, 1) - 0.5).abs() < 1e-6, "both arrive at once");
    }
}
