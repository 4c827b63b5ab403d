//! Beam search over the ghost's walks, in which opponents answer each step by the policies that they probably follow.
//!
//! Dynamic programming against foreseen walks misses that a prey flees from the ghost; this search simulates the prey's answers.
//! Of walks that lead to the same position, only the best one is extended: a transposition table, after Greenblatt, Eastlake and
//! Crocker, “The Greenblatt Chess Program”, 1967.

use std::ops::Range;

use game::pacman::{Cell, Colour, Direction, Orders, Piece, Quick, State};
use graph::DistanceTable;

use super::allowance::Allowance;
use super::bites::Bites;
use super::opponents::Opponents;
use super::rehearsal::{NothingAppears, Plan, affordable, order};
use crate::beam::{self, Beam, Candidate, Chooser, Last};
use crate::{Evaluation, Situation};

/// Turns that a walk looks ahead.
const HORIZON: usize = 20;
const BEAM: Beam = Beam { width: 12, alike: 2 };
/// Discount of points for each turn; low, for a walk seldom comes true as a whole.
const PATIENCE: f32 = 0.93;

/// Plans a ghost's walks.
#[derive(Debug, Default)]
pub(super) struct Pursuit {
    walks: Vec<Walk>,
    chooser: Chooser,
    orders: Vec<Orders>,
    /// Unused states, kept to reuse their memory.
    spare: Vec<State>,
    /// The longest walks, among `walks`.
    longest: Range<usize>,
}

/// A walk of the ghost, stored as its last step; `before` is the index of the walk without this step.
#[derive(Debug)]
struct Walk {
    before: Option<usize>,
    order: Option<Direction>,
    /// The state after the walk, until the walk is extended or dropped.
    state: Option<State>,
    /// Zobrist hash of the position after the walk.
    position: u64,
    cell: Cell,
    /// Expected points of its steps, discounted to the present.
    value: f32,
    /// Estimate of the points after its last step, discounted to the present.
    outlook: f32,
    /// For each known plan, `true` while the walk follows it.
    follows: [bool; 2],
}

impl Candidate for Walk {
    fn last(&self) -> Last {
        let (worth, is_pinned) = (self.value + self.outlook, self.follows.contains(&true));
        Last { before: self.before, cell: self.cell, worth, is_pinned }
    }
}

impl Pursuit {
    /// The orders of the best walk, while the pacman follows its plan. The `known` plans stay in the beam whatever they are
    /// worth in between. The shorter the budget, the shorter the walk; it may have no step.
    pub(super) fn plan(
        &mut self,
        situation: &Situation<'_>,
        opponents: &mut Opponents,
        pacman: &Plan,
        known: [&Plan; 2],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> Plan {
        let Situation { view, me, rules, .. } = *situation;
        self.spare.extend(self.walks.drain(..).filter_map(|walk| walk.state));
        self.orders.resize(view.players().len(), Orders::default());
        let bites = Bites::new(situation, opponents);
        let now = situation.state();
        self.walks.push(Walk {
            before: None,
            order: None,
            position: now.zobrist(),
            state: Some(now),
            cell: view.players()[me.index()].ghost,
            value: 0.0,
            outlook: 0.0,
            follows: [true; 2],
        });
        self.longest = 0..1;
        let mut chance = NothingAppears(Quick::new(view.elapsed().into()));
        let mut frontier = vec![0];
        let mut patience = 1.0;
        let left = view.total().saturating_sub(view.elapsed()) as usize;
        'turns: for turn in 0..HORIZON.min(left).min(affordable(view)) {
            let start = self.walks.len();
            for &before in &frontier {
                let Some(state) = self.walks[before].state.take() else { continue };
                for colour in Colour::first(view.players().len()).filter(|&colour| colour != me) {
                    if !budget.lasts() {
                        break 'turns;
                    }
                    let seen = Situation::new(state.view(), colour, rules);
                    self.orders[colour.index()] = opponents.likely(&seen, turn, None, table);
                }
                let moves = state.moves(Piece::ghost(me)).iter().copied().map(Some);
                // A ghost that digests or is frozen stays whatever its order; it still gets one, as digestion is only inferred.
                let stays = moves.len() == 0;
                let [_, intercept] = known;
                for exit in moves.chain(stays.then(|| order(intercept, turn))) {
                    self.orders[me.index()] = Orders { pacman: order(pacman, turn), ghost: exit };
                    let mut next = self.spare.pop().unwrap_or_else(|| state.clone());
                    next.clone_from(&state);
                    next.play_turn(&self.orders, &mut chance, |_, _| {});
                    let players = [&state, &next].map(|state| state.view().players());
                    let (points, outlook) = bites.expect(view.board(), players, table);
                    let walk = &self.walks[before];
                    let [first, second] = known.map(|plan| stays || order(plan, turn) == exit);
                    let walk = Walk {
                        before: Some(before),
                        order: exit,
                        position: next.zobrist(),
                        cell: next.view().players()[me.index()].ghost,
                        state: Some(next),
                        value: walk.value + points * patience,
                        outlook: outlook * patience,
                        follows: [walk.follows[0] && first, walk.follows[1] && second],
                    };
                    self.add(start, walk);
                }
                self.spare.push(state);
            }
            if self.walks.len() == start {
                break;
            }
            patience *= PATIENCE;
            self.longest = start..self.walks.len();
            self.chooser.narrow(BEAM, &self.walks, start, &mut frontier);
            for dropped in (start..self.walks.len()).filter(|walk| !frontier.contains(walk)) {
                self.spare.extend(self.walks[dropped].state.take());
            }
        }
        let best = beam::best(&self.walks, frontier.into_iter()).unwrap_or(0);
        let steps = beam::steps(&self.walks, best).into_iter();
        steps.map(|step| self.walks[step].order).collect()
    }

    /// Points that the last plan expects of each first move that was followed to the end.
    pub(super) fn evaluation(&self) -> Vec<(Option<Direction>, f32)> {
        let mut moves = Vec::new();
        for walk in self.longest.clone() {
            if let Some(&first) = beam::steps(&self.walks, walk).first() {
                Evaluation::weigh(
                    &mut moves,
                    self.walks[first].order,
                    self.walks[walk].last().worth,
                );
            }
        }
        moves
    }

    /// Adds a walk to those of the same length, from `start` on, unless one at least as good leads to the same position.
    fn add(&mut self, start: usize, mut walk: Walk) {
        let mut twins =
            self.walks[start..].iter_mut().filter(|other| other.position == walk.position);
        let Some(twin) = twins.next() else { return self.walks.push(walk) };
        let follows = [0, 1].map(|plan| walk.follows[plan] || twin.follows[plan]);
        if walk.last().worth > twin.last().worth {
            std::mem::swap(twin, &mut walk);
        }
        twin.follows = follows;
        self.spare.extend(walk.state);
    }
}
