//! A pacman's walk in a beam search.

use game::pacman::{Board, Cell, Object, Objects, Player, Powers};

use crate::beam::{Candidate, Last};

/// Points lost by a pacman inside a wall without an exit.
const WALLED_IN: f32 = 100.0;

/// A walk, stored as its last step; `H` is what the search knows of the ghosts after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<H> {
    /// Index of the walk without this step.
    before: Option<u32>,
    /// Index of the last part of the walk, this one included, that reached an object; 0 if none did.
    last_object: u32,
    /// The cells of those objects and of the start, each as the bit of its index modulo 64: cells may share a bit.
    taken: u64,
    pub(crate) cell: Cell,
    /// Expected points of its steps, discounted to the present.
    pub(crate) value: f32,
    /// Estimate of the points after its last step, discounted to the present.
    pub(crate) outlook: f32,
    pub(crate) powers: Powers,
    pub(crate) hunters: H,
    /// `true` after a teleport: the walk cannot be extended.
    pub(crate) ends: bool,
}

impl<H> Candidate for Walk<H> {
    fn last(&self) -> Last {
        let worth = self.value + self.outlook;
        let before = self.before.map(|before| before as usize);
        Last { before, cell: self.cell, worth, is_pinned: false }
    }
}

impl<H: Copy> Walk<H> {
    /// The walk without a step, which comes first in each search.
    pub(crate) fn start(player: &Player, hunters: H) -> Self {
        Self {
            before: None,
            last_object: 0,
            taken: bit(player.pacman),
            cell: player.pacman,
            value: 0.0,
            outlook: 0.0,
            powers: player.powers,
            hunters,
            ends: false,
        }
    }

    /// A walk extended by a turn on the same cell. Its points are those before the turn.
    pub(crate) fn stay(walks: &[Self], before: usize) -> Self {
        Self { before: Some(before as u32), ..walks[before] }
    }

    /// Adds a walk extended by a step; returns it, with the object that it reaches. Its points and powers are those before the step.
    pub(crate) fn step<'a>(
        walks: &'a mut Vec<Self>,
        before: usize,
        to: Cell,
        objects: &Objects,
    ) -> (&'a mut Self, Option<Object>) {
        let is_taken = || walks[before].taken & bit(to) != 0 && Self::has_taken(walks, before, to);
        let object = objects.get(to).filter(|_| !is_taken());
        let index = walks.len();
        // It is copied as a whole, and changed inside the vector: a copy after the change of single fields would wait for them.
        walks.push(walks[before]);
        let walk = &mut walks[index];
        (walk.before, walk.cell) = (Some(before as u32), to);
        if object.is_some() {
            walk.last_object = index as u32;
            walk.taken |= bit(to);
        }
        (walk, object)
    }

    /// Adds the points of an object, an expected fraction of which is `left`, and its power if it is rather there than not.
    pub(crate) fn take(&mut self, object: Object, worth: f32, left: f32, patience: f32) {
        self.value += worth * left * patience;
        if left > 0.5 {
            self.powers.gain(object);
            self.ends = object == Object::Teleporter;
        }
    }

    /// Takes a turn off the powers; a pacman that is walled in then loses points.
    pub(crate) fn end_turn(&mut self, board: &Board, patience: f32) {
        self.powers.lose_a_turn();
        let is_walled_in = || board.is_wall(self.cell) && board.exits(self.cell).is_empty();
        if self.powers.wall_pass == 0 && is_walled_in() {
            self.value -= WALLED_IN * patience;
        }
    }

    /// True if a walk has reached the object on a cell, or began there.
    fn has_taken(walks: &[Self], walk: usize, cell: Cell) -> bool {
        let mut at = walk;
        loop {
            let walk = &walks[walks[at].last_object as usize];
            if walk.cell == cell {
                return true;
            }
            match walk.before {
                Some(before) => at = before as usize,
                None => return false,
            }
        }
    }
}

/// The bit of a cell in a walk's set of taken cells.
fn bit(cell: Cell) -> u64 {
    1 << (cell.index() % 64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::{Map, Quick, Rules, State};

    #[test]
    fn an_object_is_taken_once_wherever_the_walk_goes() {
        // Cells of the first row and the last share a bit.
        let row = format!("{}\n", ".".repeat(32));
        let map: Map = format!("3;32\n{}", row.repeat(3)).parse().unwrap();
        let state = State::start(&map, Rules::SUJET, 9, 1, &mut Quick::new(1));
        let (view, player) = (state.view(), &state.view().players()[0]);
        let (board, objects) = (view.board(), view.objects());
        let mut walks = vec![Walk::start(player, ())];
        let mut taken = Vec::new();
        let mut random = Quick::new(2);
        for before in 0..2000 {
            let exits = board.exits(walks[before].cell);
            let exit = exits[game::pacman::Chance::below(&mut random, exits.len() as u32) as usize];
            let to = board.neighbour(walks[before].cell, exit);
            let is_there = objects.get(to).is_some() && to != player.pacman && !taken.contains(&to);
            let (_, object) = Walk::step(&mut walks, before, to, objects);
            assert_eq!(object.is_some(), is_there, "step {before}");
            taken.extend(object.map(|_| to));
        }
        assert!(
            taken.iter().any(|cell| taken.iter().any(|other| cell.index() + 64 == other.index()))
        );
    }
}
