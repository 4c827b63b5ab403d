//! The boolean search: does a position have at least a certain rank?

use super::bounds::Bounds;
use super::position::{Geometry, Position};
use super::table::Table;
use crate::count::Count;
use crate::value::Rank;

pub(super) struct Search<'a, W> {
    geometry: &'a Geometry,
    table: &'a mut Table,
    count: &'a mut Count<W>,
    /// Stack of the moves of all positions on the current path, those of the last position on top.
    moves: Vec<Move>,
}

/// A move that has to be searched.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// Sort key: moves with low keys are searched first.
    order: u32,
    /// The position after the move, canonical.
    next: Position,
}

impl<'a, E, W: FnMut(u64) -> Result<(), E>> Search<'a, W> {
    pub(super) fn new(
        geometry: &'a Geometry,
        table: &'a mut Table,
        count: &'a mut Count<W>,
    ) -> Self {
        Self { geometry, table, count, moves: Vec::new() }
    }

    /// Tests if a position has at least this rank. Both players must have pawns, none of them may have
    /// arrived, and the player to move must be able to move.
    pub(super) fn at_least(&mut self, position: Position, rank: Rank) -> Result<bool, E> {
        let position = position.canonical(self.geometry);
        match self.known(position, rank) {
            Some(answer) => Ok(answer),
            None => self.expand(position, rank),
        }
    }

    /// The answer of the bounds or the table; `None` if a search is needed.
    fn known(&self, position: Position, rank: Rank) -> Option<bool> {
        let bounds = Bounds::of(position, self.geometry);
        match () {
            () if bounds.least >= rank => Some(true),
            () if bounds.most < rank => Some(false),
            () => self.table.get(position)?.answer(rank),
        }
    }

    fn expand(&mut self, position: Position, rank: Rank) -> Result<bool, E> {
        self.count.advance()?;
        let (start, before) = (self.moves.len(), self.count.nodes);
        let holds = self.gather(position, rank) || self.any_move(start, rank)?;
        self.moves.truncate(start);
        self.table.note(position, rank, holds, self.count.nodes - before + 1);
        Ok(holds)
    }

    /// Tests if a move is known to reach the rank; until one does, pushes the moves without an answer on the stack.
    fn gather(&mut self, position: Position, rank: Rank) -> bool {
        let geometry = self.geometry;
        let refutation = rank.refutation();
        for (to, next) in position.successors(geometry) {
            let replies = next.moves(geometry);
            let known = match replies.targets() {
                0 => return true,
                targets if targets & geometry.goal != 0 => Some(Rank::win_in(1) >= refutation),
                _ => None,
            };
            let safe = replies.pushes & !geometry.down_aside(next.other);
            let next = next.canonical(geometry);
            match known.or_else(|| self.known(next, refutation)) {
                Some(false) => return true,
                Some(true) => {}
                None => {
                    let quiet = u32::from(to & position.other == 0);
                    // Tuned on the numbers of nodes, from 5×4 to 6×6: captures first, pawns at the
                    // back first, few replies first.
                    let order = 20 * quiet
                        + 4 * geometry.lines_below(to)
                        + 2 * replies.count()
                        + safe.count_ones();
                    self.moves.push(Move { order, next });
                }
            }
        }
        false
    }

    /// Tests if one of the moves from `start` on reaches the rank.
    fn any_move(&mut self, start: usize, rank: Rank) -> Result<bool, E> {
        let refutation = rank.refutation();
        self.moves[start..].sort_unstable_by_key(|candidate| candidate.order);
        for at in start..self.moves.len() {
            let next = self.moves[at].next;
            // A search of an earlier move may have found the answer.
            let known = self.table.get(next).and_then(|proof| proof.answer(refutation));
            let refuted = match known {
                Some(answer) => answer,
                None => self.expand(next, refutation)?,
            };
            if !refuted {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
