//! Dynamic programming over turns and cells for the ghost, against the walks that are foreseen.
//!
//! Bellman, “Dynamic Programming”, 1957: the value of a cell at a turn follows from the values of its neighbours at the next turn.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Board, Cell, Direction, Player};
use graph::{DistanceTable, Distances};

use super::allowance::Allowance;
use super::opponents::Foreseen;
use super::race;
use super::rates;
use super::rehearsal::Plan;
use super::step::Step;
use super::{NEARBY, PREY_DISCOUNT};
use crate::Situation;
use crate::knowledge::{LOST, WON, into_a_wall};

/// Horizon in turns: walks without a rehearsal are seldom right for longer.
const NEAR: usize = 4;
/// Discount of points for each turn.
const PATIENCE: f32 = 0.95;
/// Points for meeting a prey at the horizon of a rehearsal.
pub(super) const CATCH: f32 = 80.0;
/// Turns for which a prey at the horizon is expected to bring bites at its rate, if ghosts digest and if they do not.
const LASTS: [f32; 2] = [10.0, 13.0];
/// Worth of a random cell for a ghost, in points, if ghosts digest.
const ELSEWHERE: f32 = 5.0;
/// Points that a malformed order costs.
const PENALTY: f32 = 1.0;
/// Cost of staying, in points, besides its penalty: the false move counts, and the prey gets away.
const STAYING: f32 = 20.0;

/// Plans a ghost's moves.
#[derive(Debug, Default)]
pub(super) struct Hunt {
    horizon: usize,
    near: Distances,
    /// Values of the cells after the turn that is being computed, and before it.
    next: Vec<f32>,
    now: Vec<f32>,
    /// The same if the ghost digests in that turn.
    next_digesting: Vec<f32>,
    now_digesting: Vec<f32>,
    /// Best order by turn and cell; `None` if the cell has no exit.
    best: Vec<Vec<Option<Direction>>>,
    /// Points expected of each first move; `None` is to stay.
    moves: Vec<(Option<Direction>, f32)>,
}

impl Hunt {
    /// The ghost's best orders for the next turns against the foreseen walks; `None` is to stay. When the budget is over, the
    /// plan has a few turns only, and distances at the horizon are estimates.
    pub(super) fn plan(
        &mut self,
        situation: &Situation<'_>,
        player: &Player,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> Plan {
        let rehearsed = foreseen.iter().map(|prey| prey.rehearsed).max().unwrap_or(0);
        // A prey that stands has time, so that a long plan would put it off for others again and again.
        let rehearsed = if foreseen.iter().any(Foreseen::is_standing) { 0 } else { rehearsed };
        let horizon = if rehearsed > NEAR && budget.lasts() { rehearsed } else { NEAR };
        if !self.fill(horizon, situation, player, foreseen, table, budget) {
            self.fill(NEAR, situation, player, foreseen, table, budget);
        }
        let mut moves = std::mem::take(&mut self.moves);
        self.value_moves(&mut moves, situation, player, foreseen);
        self.moves = moves;
        self.best_plan(situation.view.board(), player.ghost)
    }

    /// Points that the last plan expects of each first move; `None` is to stay.
    pub(super) fn evaluation(&self) -> &[(Option<Direction>, f32)] {
        &self.moves
    }

    /// Values the cells around the ghost backwards from the horizon; `false` if the budget ends before, unless this is `NEAR`.
    fn fill(
        &mut self,
        horizon: usize,
        situation: &Situation<'_>,
        player: &Player,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> bool {
        let Situation { view, rules, .. } = *situation;
        let preys = Prey::all(situation, foreseen);
        let left = view.total().saturating_sub(view.elapsed()) as usize;
        self.horizon = horizon.min(left);
        self.best.resize_with(self.horizon.max(1) + 1, Vec::new);
        self.near.fill_within(view.board(), player.ghost, self.horizon as u32);
        let Self { near, next, now, next_digesting, now_digesting, .. } = self;
        for values in [next, now, next_digesting, now_digesting] {
            values.resize(view.board().dims().len(), 0.0);
            near.reached().iter().for_each(|cell| values[cell.index()] = 0.0);
        }
        if left > self.horizon {
            self.value_horizon(situation, &preys, table, budget);
        }
        for cell in self.near.reached() {
            self.next_digesting[cell.index()] = self.next[cell.index()];
        }
        for turn in (2..=self.horizon).rev() {
            if horizon > NEAR && !budget.lasts() {
                return false;
            }
            self.value_turn(view.board(), &preys, turn, rules.digestion);
        }
        true
    }

    /// Values the moves of the next turn by the values of the cells after it.
    fn value_moves(
        &self,
        moves: &mut Vec<(Option<Direction>, f32)>,
        situation: &Situation<'_>,
        player: &Player,
        foreseen: &[Foreseen],
    ) {
        let Situation { view, rules, me, .. } = *situation;
        let (board, preys, from) = (view.board(), Prey::all(situation, foreseen), player.ghost);
        let worth = |to: Cell| {
            let meetings = |prey: &Prey<'_>| prey.foreseen.pacman.meetings(board, from, to);
            let (points, bites) = expect(preys.iter().map(|prey| (prey.battle(1), meetings(prey))));
            points + PATIENCE * self.after(to, bites, rules.digestion)
        };
        // Where every direction is open, only a malformed order makes it stay.
        let is_blocked = into_a_wall(board, from).is_some();
        let earned = if is_blocked { rules.blocked_ghost as f32 } else { -PENALTY };
        let mut counter = player.false_moves;
        let teleports = rules.false_moves.count(&mut counter);
        let stay = match (teleports, rules.digestion) {
            // A teleport takes the ghost away from its prey.
            (true, false) => None,
            (true, true) => Some(earned + ELSEWHERE),
            (false, true) => Some(worth(from) + earned),
            (false, false) => Some(worth(from) + earned - STAYING),
        };
        moves.clear();
        moves.extend(stay.map(|stay| (None, stay)));
        if !situation.digesting().contains(me) {
            let exits = board.exits(from).iter();
            moves.extend(exits.map(|&exit| (Some(exit), worth(board.neighbour(from, exit)))));
        }
    }

    /// The best plan, which begins with the first of the best moves.
    fn best_plan(&self, board: &Board, from: Cell) -> Plan {
        let mut best = (f32::MIN, None);
        for &(order, worth) in &self.moves {
            if worth > best.0 {
                best = (worth, order);
            }
        }
        self.plan_from(board, from, best.1)
    }

    /// The best plans of the last decision, one for each first move.
    pub(super) fn plans<'a>(
        &'a self,
        board: &'a Board,
        from: Cell,
    ) -> impl Iterator<Item = Plan> + 'a {
        self.moves.iter().map(move |&(order, _)| self.plan_from(board, from, order))
    }

    /// The best plan that begins with a move.
    fn plan_from(&self, board: &Board, from: Cell, first: Option<Direction>) -> Plan {
        let mut plan = vec![first];
        let mut at = first.map_or(from, |exit| board.neighbour(from, exit));
        for best in &self.best[2..=self.horizon.max(1)] {
            let Some(exit) = best[at.index()] else { break };
            plan.push(Some(exit));
            at = board.neighbour(at, exit);
        }
        plan
    }

    /// Values the cells at the horizon by their distance from the expected cell of a prey.
    fn value_horizon(
        &mut self,
        situation: &Situation<'_>,
        preys: &[Prey<'_>],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) {
        let (board, digestion) = (situation.view.board(), situation.rules.digestion);
        let left = situation.view.total().saturating_sub(situation.view.elapsed());
        // The horizon has at most some dozens of turns.
        let left = left.saturating_sub(self.horizon as u32);
        for prey in preys.iter().filter(|prey| prey.battle(self.horizon + 1) > 0.0) {
            let catch = if self.horizon <= NEAR {
                WON * prey.foreseen.rate * LASTS[usize::from(!digestion)].min(left as f32)
            } else {
                CATCH
            };
            let walk = &prey.foreseen.walk;
            let goal = walk.get(self.horizon - 1).or(walk.last());
            let goal = goal.copied().unwrap_or(prey.foreseen.player.pacman);
            let distances =
                budget.affords(board.dims().len().min(NEARBY)).then(|| table.from(board, goal));
            let is_complete = distances.is_some_and(|known| known.reached().len() < NEARBY);
            for &cell in self.near.reached() {
                let known = distances.map_or(Distances::UNREACHED, |distances| distances.to(cell));
                let distance = match known {
                    Distances::UNREACHED if !is_complete => {
                        board.dims().chebyshev(goal, cell).into()
                    }
                    _ => known,
                };
                if distance < Distances::UNREACHED {
                    let value = &mut self.next[cell.index()];
                    let moving = catch * libm::powf(PREY_DISCOUNT, distance as f32);
                    let stands = prey.foreseen.stands;
                    let standing = rates::of_standing(distance, left, digestion);
                    let worth = moving + stands * (standing - moving).max(0.0);
                    *value = value.max(prey.weight * worth);
                }
            }
        }
    }

    /// Computes the values of the cells before a turn from those after it.
    fn value_turn(&mut self, board: &Board, preys: &[Prey<'_>], turn: usize, digestion: bool) {
        self.best[turn].resize(board.dims().len(), None);
        for &cell in self.near.reached() {
            if self.near.to(cell) as usize >= turn {
                break;
            }
            let worth = |&exit: &Direction| {
                let to = board.neighbour(cell, exit);
                let meetings = |prey: &Prey<'_>| prey.meetings(board, cell, to, turn);
                let (points, bites) =
                    expect(preys.iter().map(|prey| (prey.battle(turn), meetings(prey))));
                points + PATIENCE * self.after(to, bites, digestion)
            };
            let best = board.exits(cell).iter().map(|exit| (worth(exit), *exit));
            let best = best.max_by(|a, b| a.0.total_cmp(&b.0));
            self.best[turn][cell.index()] = best.map(|(_, exit)| exit);
            self.now[cell.index()] = best.map_or(0.0, |(worth, _)| worth);
            if digestion {
                let meetings = |prey: &Prey<'_>| prey.meetings(board, cell, cell, turn);
                let (points, _) =
                    expect(preys.iter().map(|prey| (prey.battle(turn), meetings(prey))));
                self.now_digesting[cell.index()] = points + PATIENCE * self.next[cell.index()];
            }
        }
        std::mem::swap(&mut self.now, &mut self.next);
        std::mem::swap(&mut self.now_digesting, &mut self.next_digesting);
    }

    /// Value of a cell after a turn with this number of expected bites, after which a ghost may digest.
    fn after(&self, cell: Cell, bites: f32, digestion: bool) -> f32 {
        let next = self.next[cell.index()];
        if !digestion {
            return next;
        }
        let digests = bites.min(1.0);
        (1.0 - digests) * next + digests * self.next_digesting[cell.index()]
    }
}

/// A pacman that the ghost may meet.
struct Prey<'a> {
    foreseen: &'a Foreseen,
    /// Worth of a point that it loses, in points of the ghost's owner.
    weight: f32,
}

impl<'a> Prey<'a> {
    fn all(situation: &Situation<'_>, foreseen: &'a [Foreseen]) -> Vec<Self> {
        let shares = race::shares(situation.view, situation.me);
        // A bite moves points from the prey to the ghost's owner.
        let weight = |prey: &Foreseen| 1.0 + shares[prey.colour.index()];
        foreseen.iter().map(|prey| Self { foreseen: prey, weight: weight(prey) }).collect()
    }

    /// Points for a battle in a turn, counted from 1.
    fn battle(&self, turn: usize) -> f32 {
        match self.foreseen.player.powers.glutton as usize {
            glutton if glutton >= turn => -LOST,
            _ => WON * self.weight,
        }
    }

    /// Expected number of battles in a turn, from the second one on, in which the ghost walks from one cell to another.
    fn meetings(&self, board: &Board, from: Cell, to: Cell, turn: usize) -> f32 {
        let walk = &self.foreseen.walk;
        let (Some(&before), Some(&after)) = (walk.get(turn - 2), walk.get(turn - 1)) else {
            return 0.0;
        };
        if after != to && after != from && before != to {
            return 0.0;
        }
        let sure = libm::powf(self.foreseen.steady, turn as f32);
        let step =
            if before == after { Step::none(before) } else { Step::towards(board, before, after) };
        sure * step.meetings(board, from, to)
    }
}

/// Expected points and bites in a turn, from the points of a battle with each prey and the expected number of battles.
fn expect(battles: impl Iterator<Item = (f32, f32)>) -> (f32, f32) {
    battles.fold((0.0, 0.0), |(points, bites), (battle, meetings)| {
        (points + battle * meetings, bites + if battle > 0.0 { meetings } else { 0.0 })
    })
}
