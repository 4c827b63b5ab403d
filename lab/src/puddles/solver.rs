//! The searches for a shortest solution.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use graph::state_space::{Counts, End, Search, a_star, breadth_first, uniform_cost};

use super::{Lookahead, Puzzle};

/// What looks for a solution; each finds a shortest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The seed's own uniform-cost search, state by state.
    Seed,
    /// Breadth first.
    BreadthFirst,
    /// A*, guided by [`Lookahead`].
    AStar,
}

/// What a search found, and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<B> {
    /// What it found, or the reason for which it was stopped.
    pub answer: Result<Answer, B>,
    /// What it did. All states of a uniform-cost search cost a jump more than its counts say.
    pub counts: Counts,
    /// Jump counts that A* began to list, see [`Lookahead::work`]; 0 for others.
    pub listed: u64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The cells that are jumped on, in order, the start included. No walk is shorter.
    Jumps(Vec<usize>),
    /// There is no solution.
    None(Proof),
}

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The [sum](Puzzle::sum_allows) of the counters is too small.
    Sum,
    /// No state that can be reached is a goal.
    Exhaustion,
}

/// Looks for a shortest solution. Only A* asks for the necessary condition first.
///
/// `watch` sees the counts at every state, and now and then in between; its reason to stop the search
/// is handed on.
pub fn solve<B>(
    puzzle: &Puzzle,
    algorithm: Algorithm,
    watch: impl FnMut(&Counts) -> ControlFlow<B>,
) -> Report<B> {
    match algorithm {
        Algorithm::Seed => seed(puzzle, watch),
        Algorithm::BreadthFirst => plain(puzzle, watch),
        Algorithm::AStar => guided(puzzle, watch),
    }
}

/// A state as the seed orders it: by column, row, and counters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Grid {
    column: u16,
    row: u16,
    counters: Box<[i32]>,
}

impl Grid {
    fn start(puzzle: &Puzzle) -> Self {
        let counters = vec![puzzle.value(); puzzle.board().cells()];
        Self::after(puzzle, &counters, puzzle.start())
    }

    fn after(puzzle: &Puzzle, counters: &[i32], cell: usize) -> Self {
        let mut counters: Box<[i32]> = counters.into();
        puzzle.jump(&mut counters, cell);
        let pos = puzzle.board().pos(cell);
        Self { column: pos.col, row: pos.row, counters }
    }

    fn cell(&self, puzzle: &Puzzle) -> usize {
        usize::from(self.row) * puzzle.board().columns() + usize::from(self.column)
    }

    fn successors(&self, puzzle: &Puzzle) -> impl Iterator<Item = Self> {
        puzzle
            .moves(self.cell(puzzle), |cell| self.counters[cell])
            .map(|next| Self::after(puzzle, &self.counters, next))
    }
}

fn seed<B>(puzzle: &Puzzle, watch: impl FnMut(&Counts) -> ControlFlow<B>) -> Report<B> {
    let search = uniform_cost(
        Grid::start(puzzle),
        |grid, next| next.extend(grid.successors(puzzle).map(|grid| (1, grid))),
        |grid| Puzzle::is_goal(&grid.counters),
        watch,
    );
    Report::new(search, 0, |grid| grid.cell(puzzle))
}

fn plain<B>(puzzle: &Puzzle, watch: impl FnMut(&Counts) -> ControlFlow<B>) -> Report<B> {
    let search = breadth_first(
        Grid::start(puzzle),
        |grid, next| next.extend(grid.successors(puzzle)),
        |grid| Puzzle::is_goal(&grid.counters),
        watch,
    );
    Report::new(search, 0, |grid| grid.cell(puzzle))
}

/// A state by its jumps.
///
/// A jump onto every cell changes nothing; so that equal states are equal, all such rounds are left
/// out, and some cell has no jumps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Jumps {
    cursor: usize,
    onto: Box<[i32]>,
}

impl Jumps {
    fn start(puzzle: &Puzzle) -> Self {
        let none = Self { cursor: puzzle.start(), onto: vec![0; puzzle.board().cells()].into() };
        none.then(puzzle.start())
    }

    fn then(&self, cell: usize) -> Self {
        let mut onto = self.onto.clone();
        onto[cell] += 1;
        if onto.iter().all(|&jumps| jumps > 0) {
            onto.iter_mut().for_each(|jumps| *jumps -= 1);
        }
        Self { cursor: cell, onto }
    }

    /// All jumps of a way of so many, the rounds included.
    fn in_all(&self, total: u32) -> Box<[i32]> {
        let rounds = total.cast_signed() - self.onto.iter().sum::<i32>();
        let rounds = rounds / self.onto.len() as i32;
        self.onto.iter().map(|jumps| jumps + rounds).collect()
    }
}

fn guided<B>(puzzle: &Puzzle, watch: impl FnMut(&Counts) -> ControlFlow<B>) -> Report<B> {
    if !puzzle.sum_allows() {
        let answer = Ok(Answer::None(Proof::Sum));
        return Report { answer, counts: Counts::default(), listed: 0 };
    }
    let mut lookahead = Lookahead::new(puzzle);
    // The search and the look-ahead watch in turn.
    let watch = RefCell::new(watch);
    let counts = Cell::new(Counts::default());
    let stopped = Cell::new(None);
    let search = a_star(
        Jumps::start(puzzle),
        |state, next| {
            let moves = puzzle.moves(state.cursor, |cell| puzzle.counter(&state.onto, cell));
            next.extend(moves.map(|cell| (1, state.then(cell))));
        },
        |state, cost, known| {
            // The first jump is not counted as a cost.
            let jumps = state.in_all(cost + 1);
            let go_on =
                || watch.borrow_mut()(&counts.get()).map_break(|reason| stopped.set(Some(reason)));
            match lookahead.remaining(state.cursor, &jumps, known, go_on) {
                ControlFlow::Continue(remaining) => remaining,
                ControlFlow::Break(()) => known,
            }
        },
        |state| Puzzle::is_goal(&puzzle.counters(&state.onto)),
        |now| {
            counts.set(*now);
            match stopped.take() {
                Some(reason) => ControlFlow::Break(reason),
                None => watch.borrow_mut()(now),
            }
        },
    );
    Report::new(search, lookahead.work(), |state| state.cursor)
}

impl<B> Report<B> {
    fn new<S>(search: Search<S, B>, listed: u64, cell: impl Fn(&S) -> usize) -> Self {
        let answer = match search.end {
            End::Found(route) => Ok(Answer::Jumps(route.states.iter().map(cell).collect())),
            End::Exhausted => Ok(Answer::None(Proof::Exhaustion)),
            End::Stopped(reason) => Err(reason),
        };
        Self { answer, counts: search.counts, listed }
    }
}

#[cfg(test)]
mod tests {
    use graph::Pos;

    use super::*;
    use crate::puddles::Board;

    fn puzzle(rows: usize, columns: usize, value: u32, start: usize) -> Puzzle {
        let board = Board::new(rows, columns).unwrap();
        let start = board.pos(start);
        Puzzle::new(board, value, start).unwrap()
    }

    #[test]
    #[ignore]
    fn explore() {
        for (r, c) in [(2, 2), (2, 3), (2, 4), (3, 3)] {
            for start in 0..r * c {
                for v in 0..10 {
                    let p = puzzle(r, c, v, start);
                    let t = std::time::Instant::now();
                    let b = solve(&p, Algorithm::BreadthFirst, |c| match c.peak > 300_000 {
                        true => ControlFlow::Break(()),
                        false => ControlFlow::Continue(()),
                    });
                    let tb = t.elapsed();
                    let t = std::time::Instant::now();
                    let a = solve(&p, Algorithm::AStar, |_| ControlFlow::<()>::Continue(()));
                    let n = |r: &Report<()>| match &r.answer {
                        Ok(Answer::Jumps(j)) => j.len().to_string(),
                        x => format!("{x:?}"),
                    };
                    println!(
                        "{r}x{c} {start} v{v}: {} {} / {} {} {} {} / {tb:?} {:?}",
                        n(&b),
                        b.counts.expanded,
                        n(&a),
                        a.counts.expanded,
                        a.counts.peak,
                        a.listed,
                        t.elapsed()
                    );
                }
            }
        }
    }
}
