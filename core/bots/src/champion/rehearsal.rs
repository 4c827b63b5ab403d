//! Simulation of the next turns, in which opponents follow their likeliest policies.
//!
//! The simulated opponents avoid ghosts and compete for objects, which separate guesses of their walks leave out. See
//! Bertsekas and Tsitsiklis, “Neuro-Dynamic Programming”, 1996, on rollouts.

use game::pacman::{
    Candidates, Cell, Chance, Colour, Direction, Object, Orders, Player, Quick, View,
};
use graph::DistanceTable;

use super::allowance::Allowance;
use super::bites::Bites;
use super::opponents::{Foreseen, Opponents};
use crate::Situation;

/// Turns played ahead; beyond these, new objects change the players' goals.
pub(super) const TURNS: usize = 20;
/// Bound on cells × players × turns, so that a decision stays short.
const WORK: usize = 200_000;
/// The same for turns in which opponents that follow `dijkstra` plan anew.
const REPLANNED_WORK: usize = 29_000;
/// Turns played ahead if no opponent is cheap to ask.
const SHORT: usize = 12;
/// Turns in which they plan anew. With 12, 58 % of the foreseen cells come true instead of 57 %, for half as much time again.
const REPLANNED: usize = 8;
/// Probability that a rehearsed walk goes on as foreseen, for each turn.
const STAYS_ON_WALK: f32 = 0.97;
/// Discount of the ghost's points for each turn.
const PATIENCE: f32 = 0.95;

/// Orders of a piece for the next turns; `None` is to stay.
pub(super) type Plan = Vec<Option<Direction>>;

/// Plays the next turns, with known orders for the own pieces.
#[derive(Debug, Default)]
pub(super) struct Rehearsal {
    /// Orders of the turn that is played, by colour.
    orders: Vec<Orders>,
    /// Cells of the pacmans, by colour, after each turn.
    walks: Vec<Vec<Cell>>,
    /// Players before the turn that is played.
    before: Vec<Player>,
    turns: usize,
    /// Expected points of the own ghost in these turns, and an estimate of those after them, discounted to the present.
    pub(super) worth: f32,
}

impl Rehearsal {
    /// Plays ahead while both own pieces follow their plans; then they stay. Nothing is known if the budget ends before.
    pub(super) fn play(
        &mut self,
        situation: &Situation<'_>,
        opponents: &mut Opponents,
        [pacman, ghost]: [&Plan; 2],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) {
        let Situation { view, me, rules, .. } = *situation;
        let players = view.players().len();
        self.walks.resize_with(players, Vec::new);
        self.walks.iter_mut().for_each(Vec::clear);
        self.orders.resize(players, Orders::default());
        let planned = turns(view, REPLANNED_WORK);
        let replanned = planned.min(REPLANNED);
        let all = || Colour::first(players).filter(|&colour| colour != me);
        let is_any_known = all().any(|colour| opponents.is_known(colour));
        let is_any_simulated = all().any(|colour| opponents.is_simulated(colour));
        let wanted = if is_any_simulated { TURNS } else { planned.min(SHORT) };
        self.turns = if is_any_known { affordable(view).min(wanted) } else { 0 };
        let mut state = situation.state();
        let mut chance = NothingAppears(Quick::new(view.elapsed().into()));
        let bites = Bites::new(situation, opponents);
        let (mut patience, mut outlook) = (1.0, 0.0);
        self.worth = 0.0;
        for turn in 0..self.turns {
            for colour in Colour::first(players) {
                if !budget.lasts() {
                    self.turns = 0;
                    return;
                }
                let seen = Situation::new(state.view(), colour, rules);
                self.orders[colour.index()] = if colour == me {
                    Orders { pacman: order(pacman, turn), ghost: order(ghost, turn) }
                } else {
                    let walk = &self.walks[colour.index()];
                    let start = view.players()[colour.index()].pacman;
                    let [from, to] = [2, 1].map(|ago| match turn.checked_sub(ago) {
                        Some(turn) => walk[turn],
                        None => start,
                    });
                    let heading = view.board().direction(from, to);
                    if turn < replanned {
                        opponents.replanned(&seen, turn, heading, table)
                    } else {
                        opponents.likely(&seen, turn, heading, table)
                    }
                };
            }
            self.before.clear();
            self.before.extend_from_slice(state.view().players());
            state.play_turn(&self.orders, &mut chance, |_, _| {});
            let after = state.view().players();
            let (points, beyond) = bites.expect(view.board(), [&self.before, after], table);
            self.worth += patience * points;
            patience *= PATIENCE;
            outlook = patience * beyond;
            for (walk, player) in self.walks.iter_mut().zip(after) {
                walk.push(player.pacman);
            }
        }
        self.worth += outlook;
    }

    /// Replaces the predicted walks of the opponents whose policy was rehearsed; `false` if there is none.
    pub(super) fn correct(&self, foreseen: &mut [Foreseen], opponents: &Opponents) -> bool {
        let is_known = |other: &&mut Foreseen| self.turns > 0 && opponents.is_known(other.colour);
        let mut is_any = false;
        for foreseen in foreseen.iter_mut().filter(is_known) {
            is_any = true;
            foreseen.walk.clone_from(&self.walks[foreseen.colour.index()]);
            // It goes on as planned, unless the last planned step failed.
            match opponents.planned(foreseen.colour, self.turns - 1) {
                [last, beyond @ ..] if Some(last) == foreseen.walk.last() => {
                    foreseen.walk.extend(beyond);
                }
                _ => {}
            }
            let hit_rate = opponents.hit_rate(foreseen.colour);
            foreseen.steady = hit_rate.unwrap_or(STAYS_ON_WALK).min(STAYS_ON_WALK);
            foreseen.rehearsed = self.turns;
        }
        is_any
    }
}

/// Number of turns that can be played ahead within the bound `WORK`.
pub(super) fn affordable(view: &View) -> usize {
    turns(view, WORK)
}

fn turns(view: &View, work: usize) -> usize {
    work / (view.board().dims().len() * view.players().len())
}

/// The order of a plan for a turn; `None` after the end of the plan.
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
    use super::super::hunt::Hunt;
    use super::*;
    use crate::{Budget, HouseGame, by_name};
    use game::pacman::{Map, Rules};
    use std::collections::VecDeque;

    const MAP: &str = "9;13\n#############\n#...&...$...#\n#.###.#.###.#\n#.....#.....#\n\
        #.###...###.#\n#.....#.....#\n#.###.#.###.#\n#...$...&...#\n#############\n";
    /// Turns after which predictions are compared with what happened.
    const LATER: usize = 5;

    /// Calls `each` in each turn of a game against two opponents that follow a policy.
    fn play_against(
        policy: &str,
        mut each: impl FnMut(&Situation<'_>, &mut Opponents, &mut DistanceTable),
    ) {
        let map: Map = MAP.parse().unwrap();
        let bots = ["prudent", policy, policy].map(|bot| by_name(bot).unwrap().make(1));
        let mut game = HouseGame::start(&map, Rules::SUJET, 120, 3, bots.into());
        let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
        let me = Colour::new(0).unwrap();
        while !game.state().view().is_over() {
            let situation = Situation::new(game.state().view(), me, &Rules::SUJET);
            each(&situation, &mut opponents, &mut table);
            game.play_turn(|_, _| {});
        }
    }

    /// Of the predictions of the cells of two opponents that follow a policy: their number, how many came true without a
    /// rehearsal, and how many with one.
    fn predictions(policy: &str) -> [usize; 3] {
        let mut rehearsal = Rehearsal::default();
        let mut due: VecDeque<[Vec<Foreseen>; 2]> = VecDeque::new();
        let mut counts = [0; 3];
        play_against(policy, |situation, opponents, table| {
            let players = situation.view.players();
            if due.len() == LATER {
                let [planned, rehearsed] = due.pop_front().unwrap();
                for (planned, rehearsed) in planned.iter().zip(&rehearsed) {
                    let now = players[planned.colour.index()].pacman;
                    let comes_true =
                        |foreseen: &Foreseen| foreseen.walk.get(LATER - 1) == Some(&now);
                    counts[0] += usize::from(rehearsed.rehearsed > 0);
                    counts[1] += usize::from(rehearsed.rehearsed > 0 && comes_true(planned));
                    counts[2] += usize::from(rehearsed.rehearsed > 0 && comes_true(rehearsed));
                }
            }
            let budget = &mut Allowance::new(Budget::default());
            let planned = opponents.foresee(situation, &players[0], table, budget);
            let (mut foreseen, stay) = (planned.clone(), Plan::new());
            rehearsal.play(situation, opponents, [&stay; 2], table, budget);
            rehearsal.correct(&mut foreseen, opponents);
            due.push_back([planned, foreseen]);
        });
        counts
    }

    #[test]
    fn rehearsed_walks_come_true_more_often_than_planned_ones() {
        for policy in ["glouton", "dijkstra"] {
            let [all, planned, rehearsed] = predictions(policy);
            assert!(all > 150, "{policy}: {all} predictions");
            assert!(rehearsed > planned, "{policy}: {planned} and {rehearsed} of {all}");
        }
    }

    #[test]
    fn a_plan_that_follows_the_prey_is_worth_more_than_to_wait() {
        let (mut rehearsal, mut hunt) = (Rehearsal::default(), Hunt::default());
        let (mut worth_waiting, mut worth_following) = (0.0, 0.0);
        play_against("dijkstra", |situation, opponents, table| {
            let player = &situation.view.players()[0];
            let budget = &mut Allowance::new(Budget::default());
            let mut foreseen = opponents.foresee(situation, player, table, budget);
            let stay = Plan::new();
            rehearsal.play(situation, opponents, [&stay; 2], table, budget);
            if rehearsal.correct(&mut foreseen, opponents) {
                worth_waiting += rehearsal.worth;
                let plan = hunt.plan(situation, player, &foreseen, table, budget);
                rehearsal.play(situation, opponents, [&stay, &plan], table, budget);
                worth_following += rehearsal.worth;
            }
        });
        assert!(worth_following > 1.1 * worth_waiting, "{worth_following} and {worth_waiting}");
    }
}
