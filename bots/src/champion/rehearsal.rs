//! Simulation of the next turns, in which opponents follow their likeliest policies.
//!
//! The simulated opponents avoid ghosts and compete for objects, which separate guesses of their walks leave out. See
//! Bertsekas and Tsitsiklis, “Neuro-Dynamic Programming”, 1996, on rollouts.

use game::pacman::{Candidates, Cell, Chance, Colour, Direction, Object, Orders, Quick, View};

use super::budget::Budget;
use super::opponents::{Foreseen, Opponents};
use crate::Situation;

/// Turns that are played ahead. New objects appear meanwhile, and lead everybody elsewhere.
pub(super) const TURNS: usize = 30;
/// Cells times opponents times turns, so that a decision stays short.
const WORK: usize = 200_000;
/// Probability that a rehearsed walk goes on as foreseen, for each turn.
const STEADY: f32 = 0.97;

/// Orders of a piece for the next turns; `None` is to stay.
pub(super) type Plan = Vec<Option<Direction>>;

/// Plays the next turns, with known orders for the own pieces.
#[derive(Debug, Default)]
pub(super) struct Rehearsal {
    /// Orders of the turn that is played, by colour.
    orders: Vec<Orders>,
    /// Cells of the pacmans, by colour, after each turn.
    walks: Vec<Vec<Cell>>,
}

impl Rehearsal {
    /// Plays ahead, as far as the budget lasts, while both own pieces follow their plans; then they stay.
    pub(super) fn play(
        &mut self,
        situation: &Situation<'_>,
        opponents: &mut Opponents,
        pacman: &Plan,
        ghost: &Plan,
        budget: &mut Budget<'_>,
    ) {
        let Situation { view, me, rules, .. } = *situation;
        let players = view.players().len();
        self.walks.resize_with(players, Vec::new);
        self.walks.iter_mut().for_each(Vec::clear);
        self.orders.resize(players, Orders::default());
        let turns = affordable(view).min(TURNS);
        if turns == 0 {
            return;
        }
        let mut state = situation.state();
        let mut chance = NothingAppears(Quick::new(view.elapsed().into()));
        for turn in 0..turns {
            for colour in Colour::first(players) {
                if !budget.lasts() {
                    // What has been played is too short a walk.
                    return self.walks.iter_mut().for_each(Vec::clear);
                }
                let seen = Situation::new(state.view(), colour, rules);
                self.orders[colour.index()] = match colour == me {
                    true => Orders { pacman: order(pacman, turn), ghost: order(ghost, turn) },
                    false => opponents.likely(&seen, turn),
                };
            }
            state.play_turn(&self.orders, &mut chance, |_, _| {});
            for (walk, player) in self.walks.iter_mut().zip(state.view().players()) {
                walk.push(player.pacman);
            }
        }
    }

    /// Replaces the predicted walks of the opponents whose policy was rehearsed.
    pub(super) fn correct(&self, foreseen: &mut [Foreseen], opponents: &Opponents) {
        for foreseen in foreseen.iter_mut().filter(|other| opponents.is_glouton(other.colour)) {
            let walk = &self.walks[foreseen.colour.index()];
            if !walk.is_empty() {
                foreseen.walk.clone_from(walk);
                foreseen.steady = STEADY;
                foreseen.is_rehearsed = true;
            }
        }
    }
}

/// Turns of a game that can be played ahead in good time.
pub(super) fn affordable(view: &View) -> usize {
    WORK / (view.board().dims().len() * view.players().len())
}

/// The order of a plan for a turn, if the plan goes as far.
pub(super) fn order(plan: &Plan, turn: usize) -> Option<Direction> {
    plan.get(turn).copied().flatten()
}

/// Cheap draws of a game in which no object appears.
pub(super) struct NothingAppears(pub Quick);

impl Chance for NothingAppears {
    fn begin_turn(&mut self, turn: u32) {
        self.0.begin_turn(turn);
    }

    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }

    fn cell(&mut self, candidates: &Candidates<'_>) -> Cell {
        self.0.cell(candidates)
    }

    fn appearing(&mut self) -> Option<Object> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HouseGame, by_name};
    use game::pacman::{Map, Rules};
    use graph::DistanceTable;

    #[test]
    fn what_is_rehearsed_comes_true_while_no_object_appears() {
        let map: Map =
            "5;9\n#########\n#...&...#\n# ##### #\n#...$...#\n#########\n".parse().unwrap();
        let bots = ["prudent", "glouton", "glouton"].map(|bot| by_name(bot).unwrap().make(1));
        let mut game = HouseGame::start(&map, Rules::SUJET, 60, 3, bots.into());
        let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
        let mut rehearsal = Rehearsal::default();
        let me = Colour::new(0).unwrap();
        let (mut rehearsed, mut right) = (0, 0);
        while !game.state().view().is_over() {
            let view = game.state().view().clone();
            let situation = Situation::new(&view, me, &Rules::SUJET);
            let mut unlimited = || true;
            let budget = &mut Budget::new(&mut unlimited);
            let player = &view.players()[0];
            let mut foreseen = opponents.foresee(&situation, player, &mut table, budget);
            // Both are asked for what they do next, with which the own ghost and pacman have nothing to do.
            rehearsal.play(&situation, &mut opponents, &Plan::new(), &Plan::new(), budget);
            rehearsal.correct(&mut foreseen, &opponents);
            game.play_turn(|_, decide| decide(), |_, _| {});
            for foreseen in foreseen.iter().filter(|foreseen| foreseen.is_rehearsed) {
                rehearsed += 1;
                let now = game.state().view().players()[foreseen.colour.index()].pacman;
                right += u32::from(foreseen.walk.first() == Some(&now));
            }
        }
        assert!(rehearsed > 60 && right * 10 >= rehearsed * 9, "{right} of {rehearsed}");
    }
}
