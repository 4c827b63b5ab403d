//! Beam search over the pacman's walks, against the opponents' likely moves.

use game::pacman::{Board, Cell, Direction, Object, Player, Powers};
use graph::{DistanceTable, Distances};

use super::attraction::{Attraction, worth};
use super::budget::Budget;
use super::claims::Claims;
use super::opponents::Foreseen;
use super::rehearsal::Plan;
use super::step::Step;
use super::{NEARBY, PATIENCE};
use crate::Situation;
use crate::beam::Beam;
use crate::knowledge::{Hunter, others};

/// Turns that a walk looks ahead.
const HORIZON: u32 = 20;
/// Beams of the searches, each wider than the one before.
pub(super) const BEAMS: [Beam; 3] =
    [Beam { width: 32, alike: 2 }, Beam { width: 128, alike: 4 }, Beam { width: 384, alike: 6 }];
/// Beam after the budget is over.
const HURRIED: Beam = Beam { width: 8, alike: 2 };
/// Points that a bite costs: those lost, and some of those that another player gains.
const BITE: f32 = 26.0;
/// Points that a glutton gains by a battle.
const FEAST: f32 = 20.0;
/// Ghosts further away do not count.
const FEARED: u32 = 12;
/// Ghosts that a walk considers.
const HUNTERS: usize = 3;
/// Probability that a ghost hunts this pacman although another pacman is nearer to the ghost.
const DISTRACTED: f32 = 0.4;
/// Probability that a ghost flees a glutton as foreseen.
const FLIGHT: f32 = 0.7;
/// Points that a false move costs: the penalty, and those missed in that turn.
const WAITING: f32 = 5.0;
/// Points that a pacman gains in a turn on average: what comes after a teleport is not searched.
const GAINED: f32 = 6.0;
/// Points lost by a pacman inside a wall without an exit.
const WALLED_IN: f32 = 100.0;

/// Plans a pacman's walks.
#[derive(Debug, Default)]
pub(super) struct Collector {
    claims: Claims,
    attraction: Attraction,
    own: Distances,
    hunters: [Hunter; HUNTERS],
    /// Likely first moves of the hunters.
    steps: [Option<Step>; HUNTERS],
    walks: Vec<Walk>,
}

/// A walk, stored as its last step; `before` is the index of the walk without this step.
#[derive(Clone, Copy, Debug)]
struct Walk {
    before: Option<usize>,
    cell: Cell,
    /// Expected points of its steps, discounted to the present.
    value: f32,
    /// Estimate of the points after its last step, discounted to the present.
    outlook: f32,
    powers: Powers,
    hunters: [Hunter; HUNTERS],
    /// Probability that each hunter digests in the next turn.
    digests: [f32; HUNTERS],
    /// `true` after a teleport: the walk cannot be extended.
    ends: bool,
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

impl Walk {
    fn worth(&self) -> f32 {
        self.value + self.outlook
    }
}

impl Collector {
    /// Computes the data that all searches of a decision share: the worth of the cells, and the hunters.
    pub(super) fn prepare(
        &mut self,
        situation: &Situation<'_>,
        player: &Player,
        foreseen: &[Foreseen],
        table: &mut DistanceTable,
        budget: &mut Budget<'_>,
    ) {
        let view = situation.view;
        match budget.lasts() {
            true => {
                self.own.fill_nearest(view.board(), player.pacman, player.powers.wall_pass, NEARBY)
            }
            false => self.own.fill_within(view.board(), player.pacman, HORIZON),
        };
        self.claims.fill(view, foreseen, budget);
        self.attraction.fill(view, &self.own, &self.claims, foreseen, table, budget);
        (self.hunters, self.steps) = hunters(situation, player.pacman, foreseen, table);
    }

    /// The orders of the best walk that a beam search finds; `None` is a false move. The shorter the budget, the shorter the walk,
    /// of one step at least.
    pub(super) fn search(
        &mut self,
        beam: Beam,
        situation: &Situation<'_>,
        player: &Player,
        table: &mut DistanceTable,
        budget: &mut Budget<'_>,
    ) -> Plan {
        let (view, steps) = (situation.view, self.steps);
        self.walks.clear();
        self.walks.push(Walk {
            before: None,
            cell: player.pacman,
            value: 0.0,
            outlook: 0.0,
            powers: player.powers,
            hunters: self.hunters,
            digests: [0.0; HUNTERS],
            ends: false,
        });
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
                self.walks.push(self.stay(&turn, player));
            }
            frontier.clear();
            frontier.extend(start..self.walks.len());
            let beam = if budget.is_over() { HURRIED } else { beam };
            beam.narrow(
                &mut frontier,
                |walk| self.walks[walk].worth(),
                |walk| self.walks[walk].cell,
                |_| false,
            );
        }
        let last = frontier.iter().copied();
        let ended = (0..self.walks.len()).filter(|&i| self.walks[i].ends);
        let worth = |index: usize| self.walks[index].worth();
        let best = last.chain(ended).max_by(|&a, &b| worth(a).total_cmp(&worth(b)));
        let mut plan = Plan::new();
        let mut at = best.unwrap_or(0);
        while let Some(before) = self.walks[at].before {
            let (from, to) = (self.walks[before].cell, self.walks[at].cell);
            let leads = |way: &Direction| view.board().neighbour(from, *way) == to;
            plan.push(Direction::ALL.into_iter().find(leads));
            at = before;
        }
        plan.reverse();
        plan
    }

    /// Adds every extension of a walk by one step.
    fn extend(&mut self, turn: &Turn<'_>, before: usize, table: &mut DistanceTable) {
        let walk = self.walks[before];
        if walk.ends {
            return;
        }
        for &direction in walk.powers.exits(turn.situation.view.board(), walk.cell) {
            let step = self.step(turn, before, direction, table);
            self.walks.push(step);
        }
    }

    /// A walk extended by one step, with its expected points.
    fn step(
        &self,
        turn: &Turn<'_>,
        before: usize,
        direction: Direction,
        table: &mut DistanceTable,
    ) -> Walk {
        let Walk { cell: from, mut value, mut powers, mut hunters, mut digests, .. } =
            self.walks[before];
        let view = turn.situation.view;
        let board = view.board();
        let to = board.neighbour(from, direction);
        let mut ends = false;
        let object = view.objects().get(to).filter(|_| !self.has_visited(before, to));
        if let Some(object) = object {
            let left = self.claims.left_for(to, turn.number);
            value += worth(object) * left * turn.patience;
            if left > 0.5 {
                match object {
                    Object::Glutton => add(&mut powers.glutton, object),
                    Object::Freeze => add(&mut powers.freeze, object),
                    Object::WallPass => add(&mut powers.wall_pass, object),
                    Object::Teleporter => ends = true,
                    Object::Vitamin | Object::Cherry => {}
                }
            }
        }
        for ((hunter, digests), step) in hunters.iter_mut().zip(&mut digests).zip(turn.steps) {
            let Some(step) = step else { continue };
            let range = turn.situation.rules.freeze_range;
            let is_frozen = powers.freeze > 0 && board.dims().chebyshev(hunter.cell, to) <= range;
            let (meetings, after) = if turn.number == 1 {
                (step.meetings(board, from, to), step.likeliest(board))
            } else if is_frozen || *digests > 0.5 {
                (if hunter.cell == to { 1.0 } else { 0.0 }, hunter.cell)
            } else if powers.glutton > 0 {
                flee(hunter.cell, board, from, to, table)
            } else {
                let first = hunter.step(board, table.from(board, from));
                let (bites, after) = hunter.pursue(board, [from, to], first, table.from(board, to));
                (bites, after.cell)
            };
            value += meetings * battle(powers) * turn.patience;
            *digests =
                if turn.situation.rules.digestion && powers.glutton == 0 { meetings } else { 0.0 };
            hunter.cell = after;
        }
        for left in [&mut powers.glutton, &mut powers.freeze, &mut powers.wall_pass] {
            *left = left.saturating_sub(1);
        }
        if powers.wall_pass == 0 && board.is_wall(to) && board.exits(to).is_empty() {
            value -= WALLED_IN * turn.patience;
        }
        let pull = if ends { self.elsewhere(turn) } else { self.attraction.of(to) };
        // A taken object no longer attracts.
        let taken =
            object.map_or(0.0, |object| worth(object) * self.claims.left_for(to, self.own.to(to)));
        // The field may lack the object if the budget ended early.
        let taken = if ends { taken } else { taken.min(pull) };
        Walk {
            before: Some(before),
            cell: to,
            value,
            outlook: (pull - taken) * turn.patience,
            powers,
            hunters,
            digests,
            ends,
        }
    }

    /// The walk that begins with a false move: to stay, or to be teleported.
    fn stay(&self, turn: &Turn<'_>, player: &Player) -> Walk {
        let board = turn.situation.view.board();
        let mut counter = player.false_moves;
        let teleports = turn.situation.rules.false_moves.count(&mut counter);
        let mut walk = self.walks[0];
        walk.before = Some(0);
        walk.value -= WAITING;
        for (hunter, step) in walk.hunters.iter_mut().zip(turn.steps) {
            let Some(step) = step else { continue };
            let meetings = step.meetings(board, walk.cell, walk.cell);
            // Half of the time the teleport comes before the bite.
            let share = if teleports { 0.5 } else { 1.0 };
            walk.value += meetings * share * battle(walk.powers);
            hunter.cell = step.likeliest(board);
        }
        for left in [&mut walk.powers.glutton, &mut walk.powers.freeze, &mut walk.powers.wall_pass]
        {
            *left = left.saturating_sub(1);
        }
        walk.ends = teleports;
        // The turns after the teleport do not count here, so that a false move is a way out rather than a way to travel.
        let attraction = &self.attraction;
        walk.outlook = if teleports { attraction.mean() } else { attraction.of(walk.cell) };
        walk
    }

    /// Expected points after a teleporter is taken: those of the turns up to the horizon, and the field at an unknown cell.
    fn elsewhere(&self, turn: &Turn<'_>) -> f32 {
        // At most the horizon.
        GAINED * f32::from(turn.left as u16) + self.attraction.mean()
    }

    fn has_visited(&self, last: usize, cell: Cell) -> bool {
        let mut walk = &self.walks[last];
        loop {
            if walk.cell == cell {
                return true;
            }
            match walk.before {
                Some(before) => walk = &self.walks[before],
                None => return false,
            }
        }
    }
}

/// Points that a battle brings the owner of the pacman.
fn battle(powers: Powers) -> f32 {
    if powers.glutton > 0 { FEAST } else { -BITE }
}

/// The nearest ghosts, each with the probability that it hunts this pacman, and their likely next moves.
fn hunters(
    situation: &Situation<'_>,
    prey: Cell,
    foreseen: &[Foreseen],
    table: &mut DistanceTable,
) -> ([Hunter; HUNTERS], [Option<Step>; HUNTERS]) {
    let mut near: Vec<(u32, Hunter, Step)> = Vec::new();
    let dims = situation.view.board().dims();
    let may_be_near = |ghost: &Step| u32::from(dims.chebyshev(ghost.from, prey)) <= FEARED;
    for Foreseen { colour, ghost, .. } in foreseen.iter().filter(|other| may_be_near(&other.ghost))
    {
        let distances = table.from(situation.view.board(), ghost.from);
        let distance = distances.to(prey);
        let is_nearer = others(situation.view, *colour)
            .any(|(other, p)| other != situation.me && distances.to(p.pacman) < distance);
        let keen = if is_nearer { DISTRACTED } else { 1.0 };
        if distance <= FEARED {
            near.push((distance, Hunter { cell: ghost.from, keen }, *ghost));
        }
    }
    near.sort_by_key(|(distance, ..)| *distance);
    let mut hunters = [Hunter::default(); HUNTERS];
    let mut steps = [None; HUNTERS];
    for ((hunter, step), (_, feared, foreseen)) in hunters.iter_mut().zip(&mut steps).zip(near) {
        *hunter = feared;
        *step = Some(foreseen);
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

fn add(left: &mut u32, object: Object) {
    *left = left.saturating_add(object.duration());
}
