//! Features of the moves of a piece, by which a policy is fitted to it.
#![expect(clippy::cast_precision_loss, reason = "distances and points are small")]

use std::sync::LazyLock;

use game::pacman::{Board, Cell, Colour, Direction, Object, Objects, Player};
use graph::{DistanceTable, Distances};

use super::fitted::{Choice, MOVES, STAY};
use crate::Situation;
use crate::knowledge::others;

/// Number of objects that count, the nearest ones.
const OBJECTS: usize = 256;
/// Steps up to which a distance makes a difference.
const FAR: u32 = 64;
/// Factor of an object that another pacman is nearer to.
const LATE: f32 = 0.25;
/// Discount of an object by its distance, in the sum of all.
static FADING: LazyLock<[f32; FAR as usize + 1]> = LazyLock::new(|| fading(0.85));

/// Points for which a ghost may walk a step further.
const POINTS_A_STEP: f32 = 20.0;
/// Steps by which a ghost may foresee its prey.
const AHEAD: usize = 2;

/// Ways to weigh objects: the nearest one, the best one by points / distance, by points / distance², by points / distance if no
/// other pacman is nearer, and the sum of all.
const WAYS: usize = 5;

// Indices of the features of a move. Those of the directions come first.
/// It goes straight on, or back.
const STRAIGHT_ON: usize = 4;
const BACK: usize = 5;
/// It stays, or it stays again.
const STAYS: usize = 6;
const STAYS_AGAIN: usize = 7;
/// One of two known policies orders it.
const ORDERED: usize = 8;
/// Of a pacman: in each way to weigh objects, whether it is the best move, and its share of that one's value.
const IS_BEST: usize = 10;
const SHARE: usize = IS_BEST + WAYS;
/// Of a pacman: whether a ghost is within 0 to 3 steps of the cell, and the distance of the nearest ghost.
const DANGER: usize = SHARE + WAYS;
/// Of a pacman that stays: whether this false move teleports it, or one of the two after it, or a later one; and whether it does not
/// teleport, and no ghost is close.
const FALSE_MOVE: usize = DANGER + 5;
/// Most false moves that count.
const MOST_FALSE_MOVES: u32 = 4;
/// Steps within which a ghost is close.
const CLOSE: u32 = 4;
/// Of a ghost: whether it comes nearer to each of some goals.
const GOAL: usize = 10;
/// Of a ghost: whether it comes nearer to the nearest pacman, weighed by distance.
const NEAREST: usize = GOAL + GOALS;
/// Number of goals that a ghost may have.
const GOALS: usize = 18;

/// A position as a player's pieces see it, which can be moved on.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub board: &'a Board,
    pub player: Player,
    /// The objects that the pacman reaches; none before [`find_objects`](Self::find_objects).
    pub objects: Vec<Thing>,
    pub rivals: Vec<(Colour, Player)>,
    /// Number of false moves of the pacman after which it is teleported.
    pub until_teleport: u32,
}

/// An object of a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    pub cell: Cell,
    pub kind: Object,
    pub points: f32,
    /// True if another pacman is nearer; false before [`find_late`](Scene::find_late).
    pub is_late: bool,
}

/// The last step of a piece.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Last {
    pub heading: Option<Direction>,
    /// True if it stayed.
    pub stayed: bool,
}

impl<'a> Scene<'a> {
    /// A position without its objects, which not everybody asks for.
    pub(super) fn new(situation: &Situation<'a>, player: Player) -> Self {
        let Situation { view, me, rules, .. } = *situation;
        let rivals = others(view, me).map(|(colour, rival)| (colour, *rival)).collect();
        let mut counter = player.false_moves;
        let mut until_teleport = 1;
        while until_teleport < MOST_FALSE_MOVES && !rules.false_moves.count(&mut counter) {
            until_teleport += 1;
        }
        Self { board: view.board(), player, objects: Vec::new(), rivals, until_teleport }
    }

    /// Finds the objects that the pacman reaches. None of them counts as late yet.
    pub(super) fn find_objects(&mut self, all: &Objects, table: &mut DistanceTable) {
        let own = table.from(self.board, self.player.pacman);
        let thing = |(cell, kind): (Cell, Object)| Thing {
            cell,
            kind,
            points: kind.points() as f32,
            is_late: false,
        };
        self.objects = if all.len() > OBJECTS {
            let nearest = own.reached().iter().filter_map(|&cell| Some((cell, all.get(cell)?)));
            nearest.take(OBJECTS).map(thing).collect()
        } else {
            let is_reached = |(cell, _): &(Cell, Object)| own.to(*cell) < Distances::UNREACHED;
            all.iter().filter(is_reached).map(thing).collect()
        };
    }

    /// Finds the objects that another pacman is nearer to.
    pub(super) fn find_late(&mut self, table: &mut DistanceTable) {
        let own = table.from(self.board, self.player.pacman);
        let own: Vec<u32> = self.objects.iter().map(|object| own.to(object.cell)).collect();
        for (_, rival) in &self.rivals {
            let theirs = table.from(self.board, rival.pacman);
            for (object, steps) in self.objects.iter_mut().zip(&own) {
                object.is_late |= theirs.to(object.cell) < *steps;
            }
        }
    }

    /// Moves the pacman on, which takes the object that it finds.
    pub(super) fn walk(&mut self, to: Cell) {
        self.player.pacman = to;
        self.player.powers.lose_a_turn();
        self.objects.retain(|object| object.cell != to);
    }

    /// The choice of the pacman. `orders` are those that two known policies would give.
    pub(super) fn of_pacman(
        &self,
        last: Last,
        orders: [Option<Direction>; 2],
        table: &mut DistanceTable,
    ) -> Choice {
        let (board, from, powers) = (self.board, self.player.pacman, self.player.powers);
        let mut choice = Choice::NONE;
        common(&mut choice, powers.exits(board, from), last, orders);
        let is_safe = powers.glutton > 1 || powers.freeze > 1;
        let mut values = [[0.0_f32; WAYS]; MOVES];
        let discounts = &*FADING;
        for (index, value) in
            values.iter_mut().enumerate().filter(|(index, _)| choice.is_legal[*index])
        {
            let distances = table.from(board, target(board, from, index));
            for &Thing { cell, points, is_late, .. } in &self.objects {
                // An unreached cell has the largest number that a browser's `usize` holds.
                let steps = distances.to(cell).min(FAR - 1) + 1;
                let discount = discounts[steps as usize];
                let steps = steps as f32;
                let kept = if is_late { LATE } else { 1.0 };
                value[0] = value[0].max(1.0 / steps);
                value[1] = value[1].max(points / steps);
                value[2] = value[2].max(points / (steps * steps));
                value[3] = value[3].max(points * kept / steps);
                value[4] += points * kept * discount;
            }
            let ghosts = self.rivals.iter().map(|(_, rival)| distances.to(rival.ghost));
            let nearest = ghosts.min().unwrap_or(Distances::UNREACHED);
            let features = &mut choice.features[index];
            features[DANGER] = flag(!is_safe && nearest == 0);
            features[DANGER + 1] = flag(!is_safe && nearest <= 1);
            features[DANGER + 2] = flag(!is_safe && nearest <= 2);
            features[DANGER + 3] = flag(!is_safe && nearest <= 3);
            features[DANGER + 4] = if is_safe { 0.0 } else { nearest.min(6) as f32 / 6.0 };
        }
        rank(&mut choice, &values);
        let distances = table.from(board, from);
        let is_close = self.rivals.iter().any(|(_, rival)| distances.to(rival.ghost) <= CLOSE);
        let kind = match self.until_teleport {
            1 => 0,
            2 | 3 => 1,
            _ => 2,
        };
        choice.features[STAY][FALSE_MOVE + kind] = 1.0;
        choice.features[STAY][FALSE_MOVE + 3] = flag(kind > 0 && !is_close);
        choice
    }

    /// The choice of the ghost.
    pub(super) fn of_ghost(
        &self,
        last: Last,
        orders: [Option<Direction>; 2],
        table: &mut DistanceTable,
    ) -> Choice {
        let (board, from) = (self.board, self.player.ghost);
        let mut choice = Choice::NONE;
        common(&mut choice, board.exits(from), last, orders);
        let own = table.from(board, from).clone();
        let goals = self.goals(&own, table);
        for (goal, number) in goals.into_iter().zip(GOAL..) {
            let Some(goal) = goal else { continue };
            let distances = table.from(board, goal);
            let here = distances.to(from);
            for index in 0..MOVES {
                if choice.is_legal[index] {
                    let there = distances.to(target(board, from, index));
                    // Steps by which the ghost comes nearer: one, none, or less than none.
                    let nearer =
                        f32::from(i8::from(there < here)) - f32::from(i8::from(there > here));
                    choice.features[index][number] = nearer;
                    if number == GOAL {
                        choice.features[index][NEAREST] = nearer / (1.0 + here.min(20) as f32);
                    }
                }
            }
        }
        choice
    }

    /// Cells that the ghost may walk to, from the distances of its own cell.
    fn goals(&self, own: &Distances, table: &mut DistanceTable) -> [Option<Cell>; GOALS] {
        let (board, from) = (self.board, self.player.ghost);
        let rivals = self.rivals.iter().map(|(_, rival)| rival);
        let mut preys: Vec<&Player> = rivals.filter(|prey| prey.pacman != from).collect();
        preys.sort_by_key(|prey| own.to(prey.pacman));
        let edible = || preys.iter().copied().filter(|prey| prey.powers.glutton == 0);
        let steps = |prey: &Player| own.to(prey.pacman).min(FAR) as f32;
        let ratio = |prey: &&Player| prey.points as f32 / (steps(prey) + 1.0);
        let difference = |prey: &&Player| prey.points as f32 / POINTS_A_STEP - steps(prey);
        let by_ratio = |a: &&Player, b: &&Player| ratio(a).total_cmp(&ratio(b));
        let to_own = |prey: &&Player| board.dims().chebyshev(prey.pacman, self.player.pacman);
        let cell = |prey: Option<&Player>| prey.map(|prey| prey.pacman);
        let nearest = cell(preys.first().copied());
        let best = cell(preys.iter().copied().max_by(by_ratio));
        let most = self.objects.iter().max_by(|a, b| a.points.total_cmp(&b.points));
        let rival = |index: usize| self.rivals.get(index).map(|(_, rival)| rival.pacman);
        [
            nearest,
            cell(edible().next()),
            cell(preys.iter().copied().max_by_key(|prey| prey.points)),
            cell(preys.iter().copied().min_by_key(to_own)),
            most.map(|object| object.cell),
            rival(0),
            rival(1),
            rival(2),
            cell(preys.iter().copied().find(|prey| prey.powers.glutton > 0)),
            cell(preys.get(1).copied()),
            Some(self.player.pacman),
            self.nearest_object(own),
            best,
            cell(preys.iter().copied().min_by_key(|prey| prey.points)),
            nearest.map(|prey| self.ahead(prey, AHEAD, table)),
            best.map(|prey| self.ahead(prey, AHEAD, table)),
            cell(preys.iter().copied().max_by(|a, b| difference(a).total_cmp(&difference(b)))),
            cell(edible().max_by(by_ratio)),
        ]
    }

    fn nearest_object(&self, from: &Distances) -> Option<Cell> {
        self.objects.iter().map(|object| object.cell).min_by_key(|&cell| from.to(cell))
    }

    /// The cell of a prey after some steps towards its nearest object.
    pub(super) fn ahead(&self, prey: Cell, steps: usize, table: &mut DistanceTable) -> Cell {
        let distances = table.from(self.board, prey);
        let object = self.nearest_object(distances);
        let path = object.and_then(|cell| distances.path(self.board, cell)).unwrap_or_default();
        path.iter().take(steps).fold(prey, |at, &exit| self.board.neighbour(at, exit))
    }
}

/// Cell after a move, if it succeeds.
pub(super) fn target(board: &Board, from: Cell, index: usize) -> Cell {
    Direction::ALL.get(index).map_or(from, |&direction| board.neighbour(from, direction))
}

/// The features that both pieces have.
fn common(choice: &mut Choice, exits: &[Direction], last: Last, orders: [Option<Direction>; 2]) {
    for &exit in exits {
        choice.is_legal[exit.index()] = true;
        choice.features[exit.index()][exit.index()] = 1.0;
        choice.features[exit.index()][STRAIGHT_ON] = flag(last.heading == Some(exit));
        let back = last.heading.map(Direction::opposite);
        choice.features[exit.index()][BACK] = flag(back == Some(exit));
    }
    choice.is_legal[STAY] = true;
    choice.features[STAY][STAYS] = 1.0;
    choice.features[STAY][STAYS_AGAIN] = flag(last.stayed);
    for (order, feature) in orders.into_iter().zip(ORDERED..) {
        if let Some(order) = order.filter(|order| choice.is_legal[order.index()]) {
            choice.features[order.index()][feature] = 1.0;
        }
    }
}

/// The features of moves by their values in the eyes of some ways to weigh objects: whether a move is the best one, and its share of
/// the best one's value.
fn rank(choice: &mut Choice, values: &[[f32; WAYS]; MOVES]) {
    for way in 0..WAYS {
        let mut moves = [0.0; MOVES];
        for (worth, (values, is_legal)) in moves.iter_mut().zip(values.iter().zip(choice.is_legal))
        {
            *worth = if is_legal { values[way] } else { 0.0 };
        }
        let walks = &moves[..STAY];
        let most = walks.iter().copied().fold(0.0, f32::max);
        if most <= 0.0 {
            continue;
        }
        for (features, worth) in choice.features.iter_mut().zip(walks) {
            let share = worth / most;
            features[IS_BEST + way] = flag(share >= 1.0);
            features[SHARE + way] = share;
        }
    }
}

/// Returns the powers of a factor, by exponent from 0 on.
pub(super) fn fading<const NUMBERS: usize>(factor: f32) -> [f32; NUMBERS] {
    std::array::from_fn(|steps| libm::powf(factor, steps as f32))
}

/// 1 if something is the case, 0 if it is not.
fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
