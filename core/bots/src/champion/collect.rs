//! Beam search over the pacman's walks, against the opponents' likely moves.

use std::ops::Range;

use game::pacman::{Board, Cell, Direction, Player};
use graph::{DistanceTable, Distances};

use super::allowance::Allowance;
use super::attraction::{Attraction, worth};
use super::claims::Claims;
use super::opponents::Foreseen;
use super::rehearsal::Plan;
use super::step::Step;
use super::{NEARBY, PATIENCE};
use crate::beam::{self, Beam, Candidate, Chooser};
use crate::knowledge::{HUNTERS, Hunter, battle};
use crate::{Evaluation, Situation, knowledge};

/// Turns that a walk looks ahead.
const HORIZON: u32 = 20;
/// Beams of the searches, each wider than the one before.
pub(super) const BEAMS: [Beam; 3] =
    [Beam { width: 32, alike: 2 }, Beam { width: 128, alike: 4 }, Beam { width: 384, alike: 6 }];
/// Beam after the budget is over.
const HURRIED: Beam = Beam { width: 8, alike: 2 };
/// Probability that a ghost flees a glutton as foreseen.
const FLIGHT: f32 = 0.7;
/// Points that a turn on the same cell costs: the penalty, and those missed in that turn.
const WAITING: f32 = 5.0;
/// Points that a false move costs.
const PENALTY: f32 = 1.0;
/// Bites in a turn of a ghost beside a pacman that stands: it steps aside and comes back.
const BITES_STANDING: f32 = 0.5;
/// Points that a pacman gains in a turn on average: what comes after a teleport is not searched.
const GAINED: f32 = 6.0;
type Walk = knowledge::Walk<Hunters>;

/// The nearest ghosts that may hunt the pacman.
#[derive(Clone, Copy, Debug, Default)]
struct Hunters {
    ghosts: [Hunter; HUNTERS],
    /// Probability that each of them digests in the next turn.
    digests: [f32; HUNTERS],
}

/// Plans a pacman's walks.
#[derive(Debug, Default)]
pub(super) struct Collector {
    claims: Claims,
    attraction: Attraction,
    own: Distances,
    hunters: Hunters,
    /// Likely first moves of the hunters.
    steps: [Option<Step>; HUNTERS],
    walks: Vec<Walk>,
    chooser: Chooser,
    /// The longest walks of the last search, among `walks`.
    longest: Range<usize>,
}

/// Data that all steps of a turn share.
struct Turn<'a> {
    situation: &'a Situation<'a>,
    /// Counted from 1.
    number: u32,
    /// Turns after this one, up to the horizon.
    left: u32,
    /// Discount of this turn's points.
    patience: f32,
    /// Likely first moves of the ghosts that count.
    steps: &'a [Option<Step>; HUNTERS],
}

impl Collector {
    /// Computes the data that all searches of a decision share: the worth of the cells, and the hunters.
    pub(super) fn prepare(
        &mut self,
        situation: &Situation<'_>,
        player: &Player,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) {
        let view = situation.view;
        if budget.lasts() {
            let through_walls = player.powers.wall_pass;
            self.own.fill_nearest(view.board(), player.pacman, through_walls, NEARBY);
        } else {
            self.own.fill_within(view.board(), player.pacman, HORIZON);
        }
        self.claims.fill(view, situation.me, foreseen, budget);
        self.attraction.fill(view, &self.own, &self.claims, foreseen, table, budget);
        (self.hunters, self.steps) = hunters(situation, foreseen, table);
    }

    /// The orders of the best walk that a beam search finds; `None` is a false move. The shorter the budget, the shorter the walk,
    /// of one step at least.
    pub(super) fn search(
        &mut self,
        beam: Beam,
        situation: &Situation<'_>,
        player: &Player,
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> Plan {
        let (view, steps) = (situation.view, self.steps);
        self.walks.clear();
        self.walks.push(Walk::start(player, self.hunters));
        self.longest = 0..1;
        let mut frontier = vec![0];
        let left = view.total().saturating_sub(view.elapsed());
        // The bot answers the last state too, although that order is never played.
        let last = left.clamp(1, HORIZON);
        'turns: for number in 1..=last {
            let patience = PATIENCE.powi(number.cast_signed());
            let turn = Turn { situation, number, left: last - number, patience, steps: &steps };
            let start = self.walks.len();
            for &before in &frontier {
                if number > 1 && !budget.affords(self.own.reached().len()) {
                    break 'turns;
                }
                self.extend(&turn, before, table);
            }
            if number == 1 && left > 0 {
                let standing = [self.stay(&turn, player), self.way_out(&turn, player)];
                self.walks.extend(standing.into_iter().flatten());
            }
            let beam = if budget.is_over() { HURRIED } else { beam };
            self.longest = start..self.walks.len();
            self.chooser.narrow(beam, &self.walks, start, &mut frontier);
        }
        let ended = (0..self.walks.len()).filter(|&walk| self.walks[walk].ends);
        let best = beam::best(&self.walks, frontier.into_iter().chain(ended)).unwrap_or(0);
        self.orders(view.board(), best)
    }

    /// Points that the last search expects of each first move that it followed to the end, and the cells of the best walk.
    pub(super) fn evaluation(&self, board: &Board) -> (Vec<(Option<Direction>, f32)>, Vec<Cell>) {
        let ended = (0..self.walks.len()).filter(|&walk| self.walks[walk].ends);
        let walks: Vec<usize> = self.longest.clone().chain(ended).collect();
        let cells =
            |walk| beam::steps(&self.walks, walk).into_iter().map(|step| self.walks[step].cell);
        let mut moves = Vec::new();
        for &walk in &walks {
            if let Some(to) = cells(walk).next() {
                let order = board.direction(self.walks[0].cell, to);
                Evaluation::weigh(&mut moves, order, self.walks[walk].last().worth);
            }
        }
        let line = beam::best(&self.walks, walks.into_iter())
            .map_or_else(Vec::new, |best| cells(best).collect());
        (moves, line)
    }

    /// The orders of the best walk of the last search for each first cell.
    pub(super) fn plans(&self, board: &Board) -> Vec<Plan> {
        let ended = (0..self.walks.len()).filter(|&walk| self.walks[walk].ends);
        let mut best: Vec<(Cell, usize)> = Vec::new();
        for walk in self.longest.clone().chain(ended) {
            let Some(&first) = beam::steps(&self.walks, walk).first() else { continue };
            let first = self.walks[first].cell;
            match best.iter_mut().find(|(cell, _)| *cell == first) {
                Some((_, other)) => {
                    *other = beam::best(&self.walks, [*other, walk].into_iter()).unwrap_or(walk);
                }
                None => best.push((first, walk)),
            }
        }
        best.into_iter().map(|(_, walk)| self.orders(board, walk)).collect()
    }

    /// The orders of a walk.
    fn orders(&self, board: &Board, walk: usize) -> Plan {
        let cells = beam::steps(&self.walks, walk).into_iter().map(|step| self.walks[step].cell);
        let mut from = self.walks[0].cell;
        cells.map(|to| board.direction(std::mem::replace(&mut from, to), to)).collect()
    }

    /// Adds every extension of a walk by one step.
    fn extend(&mut self, turn: &Turn<'_>, before: usize, table: &mut DistanceTable) {
        let walk = self.walks[before];
        if walk.ends {
            return;
        }
        let board = turn.situation.view.board();
        let mut first = [walk.cell; HUNTERS];
        // The first moves of the ghosts are foreseen.
        if turn.number > 1 {
            let hunters = walk.hunters.ghosts.iter().zip(turn.steps).zip(&mut first);
            for ((ghost, _), first) in hunters.filter(|((_, step), _)| step.is_some()) {
                *first = ghost.approach(board, walk.cell, table);
            }
        }
        for &direction in walk.powers.exits(board, walk.cell) {
            let to = board.neighbour(walk.cell, direction);
            self.step(turn, before, to, first, table);
        }
    }

    /// Adds a walk extended by one step, with its expected points. `first` holds the next cells of the ghosts, if they move before the pacman.
    fn step(
        &mut self,
        turn: &Turn<'_>,
        before: usize,
        to: Cell,
        first: [Cell; HUNTERS],
        table: &mut DistanceTable,
    ) {
        let view = turn.situation.view;
        let (board, from) = (view.board(), self.walks[before].cell);
        let Self { walks, claims, attraction, own, .. } = self;
        let (walk, object) = Walk::step(walks, before, to, view.objects());
        if let Some(object) = object {
            let left = claims.left_for(to, turn.number);
            // A point that an opponent misses counts as well, for the first place.
            let worth = worth(object) * (1.0 + claims.denied(to, turn.number));
            walk.take(object, worth, left, turn.patience);
        }
        let Hunters { ghosts, digests } = &mut walk.hunters;
        let hunters = ghosts.iter_mut().zip(digests).zip(turn.steps).zip(&first);
        for (((hunter, digests), step), &first) in hunters {
            let Some(step) = step else { continue };
            let (powers, rules) = (walk.powers, turn.situation.rules);
            let is_frozen =
                powers.freeze > 0 && board.dims().chebyshev(hunter.cell, to) <= rules.freeze_range;
            let (meetings, after) = if turn.number == 1 {
                (step.meetings(board, from, to), step.likeliest(board))
            } else if is_frozen || *digests > 0.5 {
                (if hunter.cell == to { 1.0 } else { 0.0 }, hunter.cell)
            } else if powers.glutton > 0 {
                flee(hunter.cell, board, from, to, table)
            } else {
                let (bites, after) = hunter.pursue(board, [from, to], first, table);
                (bites, after.cell)
            };
            walk.value += meetings * battle(powers) * turn.patience;
            *digests = if rules.digestion && powers.glutton == 0 { meetings } else { 0.0 };
            hunter.cell = after;
        }
        walk.end_turn(board, turn.patience);
        let pull = if walk.ends { elsewhere(attraction, turn) } else { attraction.of(to) };
        // A taken object no longer attracts.
        let taken = object.map_or(0.0, |object| worth(object) * claims.left_for(to, own.to(to)));
        // The field may lack the object if the budget ended early.
        let taken = if walk.ends { taken } else { taken.min(pull) };
        walk.outlook = (pull - taken) * turn.patience;
    }

    /// The walk that begins with a turn on the same cell, by a false move; none if that teleports.
    fn stay(&self, turn: &Turn<'_>, player: &Player) -> Option<Walk> {
        let Situation { view, rules, .. } = *turn.situation;
        let (board, mut counter) = (view.board(), player.false_moves);
        if rules.false_moves.count(&mut counter) {
            return None;
        }
        let mut walk = Walk::stay(&self.walks, 0);
        walk.value -= WAITING;
        for (hunter, step) in walk.hunters.ghosts.iter_mut().zip(turn.steps) {
            let Some(step) = step else { continue };
            walk.value += step.meetings(board, walk.cell, walk.cell) * battle(walk.powers);
            hunter.cell = step.likeliest(board);
        }
        walk.powers.lose_a_turn();
        walk.outlook = self.attraction.of(walk.cell);
        Some(walk)
    }

    /// The walk that is all false moves, up to the one that teleports: a way out for a pacman with ghosts on its tail. None if that
    /// takes longer than a walk.
    fn way_out(&self, turn: &Turn<'_>, player: &Player) -> Option<Walk> {
        let Situation { view, rules, .. } = *turn.situation;
        let mut walk = Walk::stay(&self.walks, 0);
        let (mut counter, mut patience) = (player.false_moves, 1.0);
        for number in 1..=turn.left + 1 {
            patience *= PATIENCE;
            walk.ends = rules.false_moves.count(&mut counter);
            let meetings = |(hunter, step): (&Hunter, &Option<Step>)| match step {
                Some(step) if number == 1 => step.meetings(view.board(), walk.cell, walk.cell),
                Some(_) if self.own.to(hunter.cell) <= number => hunter.keen * BITES_STANDING,
                _ => 0.0,
            };
            let meetings: f32 = walk.hunters.ghosts.iter().zip(turn.steps).map(meetings).sum();
            // Half of the time the teleport comes before the bite.
            let share = if walk.ends { 0.5 } else { 1.0 };
            walk.value += patience * (meetings * share * battle(walk.powers) - PENALTY);
            walk.powers.lose_a_turn();
            if walk.ends {
                // The turns after it do not count here, so that false moves are a way out rather than a way to travel.
                walk.outlook = patience * self.attraction.mean();
                return Some(walk);
            }
        }
        None
    }
}

/// Expected points after a teleporter is taken: those of the turns up to the horizon, and the field at an unknown cell.
fn elsewhere(attraction: &Attraction, turn: &Turn<'_>) -> f32 {
    // At most the horizon.
    GAINED * f32::from(turn.left as u16) + attraction.mean()
}

/// The nearest ghosts, each with the probability that it hunts this pacman, and their likely next moves.
fn hunters(
    situation: &Situation<'_>,
    foreseen: &[Foreseen],
    table: &mut DistanceTable,
) -> (Hunters, [Option<Step>; HUNTERS]) {
    let owners = foreseen.iter().map(|other| other.colour);
    let near = Hunter::nearest(situation.view, situation.me, owners, table);
    let (mut hunters, mut steps) = (Hunters::default(), [None; HUNTERS]);
    let places = hunters.ghosts.iter_mut().zip(&mut steps);
    for ((ghost, step), (owner, hunter)) in places.zip(near) {
        *ghost = hunter;
        *step = foreseen.iter().find(|other| other.colour == owner).map(|other| other.ghost);
    }
    (hunters, steps)
}

/// Expected number of battles with a ghost that flees the glutton, and the ghost's cell afterwards.
fn flee(
    ghost: Cell,
    board: &Board,
    from: Cell,
    to: Cell,
    table: &mut DistanceTable,
) -> (f32, Cell) {
    let distances = table.from(board, from);
    let next = board.exits(ghost).iter().map(|&exit| board.neighbour(ghost, exit));
    let Some(next) = next.max_by_key(|&next| distances.to(next)) else { return (0.0, ghost) };
    (FLIGHT * Step::towards(board, ghost, next).meetings(board, from, to), next)
}
