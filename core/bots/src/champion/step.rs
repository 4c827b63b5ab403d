//! Distribution of a piece's next move, and the battles that follow from it.
//!
//! Players move in an order that is drawn for each turn, so that of two pieces that meet each one moves first in half of the turns.

use game::pacman::{Board, Cell, Direction};

/// Distribution of a piece's cell after its next move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Cell of the piece before the move.
    pub from: Cell,
    /// Probability of each direction, by index; 0 for directions in which the piece cannot walk.
    pub towards: [f32; 4],
    /// Probability that the piece stays where it is.
    pub stays: f32,
}

impl Step {
    /// A piece that certainly stays.
    pub(super) fn none(from: Cell) -> Self {
        Self { from, towards: [0.0; 4], stays: 1.0 }
    }

    /// Probability that the piece enters `cell`.
    pub(super) fn enters(&self, board: &Board, cell: Cell) -> f32 {
        let enters = |direction: &Direction| board.neighbour(self.from, *direction) == cell;
        let towards = Direction::ALL.into_iter().zip(self.towards);
        towards.filter(|(direction, _)| enters(direction)).map(|(_, share)| share).sum()
    }

    /// A piece that certainly walks to a cell beside its own.
    pub(super) fn towards(board: &Board, from: Cell, to: Cell) -> Self {
        let mut step = Self { from, towards: [0.0; 4], stays: 0.0 };
        if let Some(direction) = board.direction(from, to) {
            step.towards[direction.index()] = 1.0;
        }
        step
    }

    pub(super) fn likeliest(&self, board: &Board) -> Cell {
        let towards = Direction::ALL.into_iter().zip(self.towards);
        let best = towards.max_by(|a, b| a.1.total_cmp(&b.1));
        best.filter(|(_, share)| *share > self.stays)
            .map_or(self.from, |(direction, _)| board.neighbour(self.from, direction))
    }

    /// Expected number of battles with a piece of the other kind that walks from one cell to another, or stays where
    /// it is when both are the same. Each of the two moves first in half of the turns.
    pub(super) fn meetings(&self, board: &Board, from: Cell, to: Cell) -> f32 {
        if from == to {
            return self.enters(board, from);
        }
        let is_there = if self.from == to { 1.0 } else { 0.0 };
        let enters_to = self.enters(board, to);
        let entered_first = 0.5 * (self.enters(board, from) + enters_to + is_there * self.stays);
        let moved_first = 0.5 * (is_there + enters_to);
        entered_first + moved_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::{Chance, Colour, Event, Map, Orders, Quick, Rules, State};

    /// Counts the battles of many turns, with players in either order, and compares.
    #[test]
    fn meetings_are_those_of_the_rules() {
        let map: Map = "3;9\n#########\n#       #\n#########\n".parse().unwrap();
        let [a, b] = [Colour::new(0).unwrap(), Colour::new(1).unwrap()];
        let mut random = Quick::new(4);
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..2000 {
            let state = State::start(&map, Rules::SUJET, 9, 2, &mut Quick::new(seed));
            let mut order = || match random.below(3) {
                0 => None,
                east => Some(if east == 1 { Direction::East } else { Direction::West }),
            };
            let (pacman, ghost) = (order(), order());
            let players = state.view().players();
            let (mine, theirs) = (players[0].pacman, players[1].ghost);
            let board = state.view().board().clone();
            let end = |from, order: Option<Direction>| match order {
                Some(direction) if board.is_open(from, direction) => {
                    board.neighbour(from, direction)
                }
                _ => from,
            };
            let (to, met) = (end(mine, pacman), end(theirs, ghost));
            let step =
                if met == theirs { Step::none(theirs) } else { Step::towards(&board, theirs, met) };
            let expected = step.meetings(&board, mine, to);
            let mut battles = 0.0;
            for first in 0..2 {
                let mut turn = state.clone();
                let play_order = if first == 0 { vec![a, b] } else { vec![b, a] };
                let mut chance = game::pacman::Scripted { play_order, ..Default::default() };
                let orders = [Orders { pacman, ghost: None }, Orders { pacman: None, ghost }];
                turn.play_turn(&orders, &mut chance, |event, _| {
                    if matches!(event, Event::Battle { pacman, ghost, .. } if (pacman, ghost) == (a, b)) {
                        battles += 0.5;
                    }
                });
            }
            assert!(
                (expected - battles).abs() < 1e-6,
                "{pacman:?} {ghost:?}: {expected} {battles}"
            );
            kinds.insert(format!("{expected:.1}"));
        }
        assert!(kinds.len() >= 3, "{kinds:?}");
    }
}
