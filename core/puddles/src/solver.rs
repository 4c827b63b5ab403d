//! The searches for a shortest solution.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use super::{Lookahead, Puzzle};
use crate::state_space::{Search, SearchCounts, SearchEnd, a_star, breadth_first, uniform_cost};

/// A search algorithm; each one finds a shortest solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleAlgorithm {
    /// The seed's own uniform-cost search, state by state.
    Seed,
    /// Breadth first.
    BreadthFirst,
    /// A*, guided by [`Lookahead`].
    AStar,
}

/// The answer and the counts of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport<B> {
    /// The answer, or the reason for which `watch` stopped the search.
    pub answer: Result<PuzzleAnswer, B>,
    /// The counts of the search.
    pub counts: SearchCounts,
    /// Number of partial jump counts of A*, see [`Lookahead::work`]; 0 for other algorithms.
    pub listed: u64,
}

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PuzzleAnswer {
    /// The cells of the jumps, in order, the start included. No walk is shorter.
    Jumps(Vec<usize>),
    /// There is no solution.
    None(Proof),
}

/// The proof that there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The [sum](Puzzle::least_sum) of the counters is too small.
    Sum,
    /// No reachable state is a goal.
    Exhaustion,
}

/// Searches for a shortest solution. Only A* checks the necessary condition first.
///
/// `watch` is called with the counts at every state, and now and then in between; if it stops the search,
/// its reason is the answer.
pub fn solve<B>(
    puzzle: &Puzzle,
    algorithm: PuzzleAlgorithm,
    watch: impl FnMut(&SearchCounts) -> ControlFlow<B>,
) -> SearchReport<B> {
    match algorithm {
        PuzzleAlgorithm::Seed => seed(puzzle, watch),
        PuzzleAlgorithm::BreadthFirst => plain(puzzle, watch),
        PuzzleAlgorithm::AStar => guided(puzzle, watch),
    }
}

/// A state in the order of the seed: by column, row, and counters.
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

fn seed<B>(puzzle: &Puzzle, watch: impl FnMut(&SearchCounts) -> ControlFlow<B>) -> SearchReport<B> {
    let search = uniform_cost(
        Grid::start(puzzle),
        |grid, next| next.extend(grid.successors(puzzle).map(|grid| (1, grid))),
        |grid| Puzzle::is_goal(&grid.counters),
        watch,
    );
    SearchReport::new(search, 0, |grid| grid.cell(puzzle))
}

fn plain<B>(
    puzzle: &Puzzle,
    watch: impl FnMut(&SearchCounts) -> ControlFlow<B>,
) -> SearchReport<B> {
    let search = breadth_first(
        Grid::start(puzzle),
        |grid, next| next.extend(grid.successors(puzzle)),
        |grid| Puzzle::is_goal(&grid.counters),
        watch,
    );
    SearchReport::new(search, 0, |grid| grid.cell(puzzle))
}

/// A state, as its numbers of jumps.
///
/// A round, one jump onto every cell, does not change the counters. All rounds are left out, so that
/// equal states compare equal: some cell has no jumps.
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

    /// The jumps onto each cell of a path of `total` jumps, the rounds included.
    fn in_all(&self, total: u32) -> Box<[i32]> {
        let counted = self.onto.iter().sum::<i32>().unsigned_abs();
        let rounds = (total - counted) / self.onto.len() as u32;
        self.onto.iter().map(|jumps| jumps + rounds.cast_signed()).collect()
    }
}

fn guided<B>(
    puzzle: &Puzzle,
    watch: impl FnMut(&SearchCounts) -> ControlFlow<B>,
) -> SearchReport<B> {
    if puzzle.sum() < puzzle.least_sum() {
        let answer = Ok(PuzzleAnswer::None(Proof::Sum));
        return SearchReport { answer, counts: SearchCounts::default(), listed: 0 };
    }
    let mut lookahead = Lookahead::new(puzzle);
    // The search and the look-ahead watch in turn.
    let watch = RefCell::new(watch);
    let counts = Cell::new(SearchCounts::default());
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
    SearchReport::new(search, lookahead.work(), |state| state.cursor)
}

impl<B> SearchReport<B> {
    fn new<S>(search: Search<S, B>, listed: u64, cell: impl Fn(&S) -> usize) -> Self {
        let answer = match search.end {
            SearchEnd::Found(route) => {
                Ok(PuzzleAnswer::Jumps(route.states.iter().map(cell).collect()))
            }
            SearchEnd::Exhausted => Ok(PuzzleAnswer::None(Proof::Exhaustion)),
            SearchEnd::Stopped(reason) => Err(reason),
        };
        Self { answer, counts: search.counts, listed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    fn puzzle(rows: usize, columns: usize, value: u32, start: usize) -> Puzzle {
        let board = Board::new(rows, columns).unwrap();
        let start = board.pos(start);
        Puzzle::new(board, value, start).unwrap()
    }

    fn report(puzzle: &Puzzle, algorithm: PuzzleAlgorithm) -> SearchReport<()> {
        solve(puzzle, algorithm, |_| ControlFlow::Continue(()))
    }

    /// Number of jumps of the solution; `None` if there is no solution.
    fn shortest(report: &SearchReport<()>) -> Option<usize> {
        match report.answer.as_ref().unwrap() {
            PuzzleAnswer::Jumps(jumps) => Some(jumps.len()),
            PuzzleAnswer::None(_) => None,
        }
    }

    fn check_jumps(puzzle: &Puzzle, report: &SearchReport<()>) {
        let Ok(PuzzleAnswer::Jumps(jumps)) = &report.answer else { return };
        let mut counters = vec![puzzle.value(); puzzle.board().cells()];
        assert_eq!(jumps[0], puzzle.start());
        puzzle.jump(&mut counters, jumps[0]);
        for pair in jumps.windows(2) {
            assert!(puzzle.board().neighbours(pair[0]).contains(&pair[1]));
            assert!(counters[pair[1]] >= puzzle.board().degree(pair[1]));
            puzzle.jump(&mut counters, pair[1]);
        }
        assert!(Puzzle::is_goal(&counters));
    }

    #[test]
    fn the_seeds_puzzle_takes_its_numbers_of_states() {
        let puzzle = puzzle(3, 3, 5, 0);
        let [seed, breadth, guided] =
            [PuzzleAlgorithm::Seed, PuzzleAlgorithm::BreadthFirst, PuzzleAlgorithm::AStar].map(
                |algorithm| {
                    let report = report(&puzzle, algorithm);
                    check_jumps(&puzzle, &report);
                    assert_eq!(shortest(&report), Some(10));
                    report.counts
                },
            );
        assert_eq!((seed.expanded, seed.expanded - seed.skipped), (2152, 1625));
        assert_eq!(breadth.expanded, 609);
        assert!(guided.expanded <= 35, "{guided:?}");
    }

    /// The results of the seed's own program for other puzzles, routes included.
    #[test]
    fn the_seeds_search_is_the_seeds_search() {
        for (side, value, expanded, route) in [
            (3, 4, 1410, "0101254747"),
            (3, 6, 2782, "0101012587"),
            (3, 8, 1457, "010145454"),
            (2, 2, 10, "01310"),
            (2, 3, 4, "010"),
        ] {
            let report = report(&puzzle(side, side, value, 0), PuzzleAlgorithm::Seed);
            assert_eq!(report.counts.expanded, expanded);
            let digits = route.chars().filter_map(|cell| cell.to_digit(10));
            let route = digits.map(|cell| cell as usize).collect();
            assert_eq!(report.answer, Ok(PuzzleAnswer::Jumps(route)));
        }
    }

    /// All sizes and starts for which breadth first is quick; values from too small to large enough for a solution.
    #[test]
    fn a_star_finds_what_breadth_first_finds() {
        let (mut found, mut by_sum, mut by_exhaustion) = (0, 0, 0);
        for (rows, columns, values) in [(2, 2, 0..5), (2, 3, 0..7), (4, 2, 0..8), (3, 3, 2..9)] {
            for (value, start) in
                values.flat_map(|value| (0..rows * columns).map(move |start| (value, start)))
            {
                let puzzle = puzzle(rows, columns, value, start);
                let [breadth, guided] = [PuzzleAlgorithm::BreadthFirst, PuzzleAlgorithm::AStar]
                    .map(|algorithm| {
                        let report = report(&puzzle, algorithm);
                        check_jumps(&puzzle, &report);
                        report
                    });
                let context = format!("{rows}×{columns}, {value}, from {start}");
                assert_eq!(shortest(&breadth), shortest(&guided), "{context}");
                match guided.answer.unwrap() {
                    PuzzleAnswer::Jumps(_) => found += 1,
                    PuzzleAnswer::None(Proof::Sum) => by_sum += 1,
                    PuzzleAnswer::None(Proof::Exhaustion) => by_exhaustion += 1,
                }
                assert!(guided.counts.expanded <= breadth.counts.expanded + 1, "{context}");
            }
        }
        assert!(found > 50 && by_sum > 20 && by_exhaustion > 2, "{found} {by_sum} {by_exhaustion}");
    }

    #[test]
    fn optima_are_those_that_are_known() {
        let optima = |side, values: std::ops::Range<u32>| {
            let puzzles = values.map(|value| puzzle(side, side, value, 0));
            puzzles
                .map(|puzzle| shortest(&report(&puzzle, PuzzleAlgorithm::AStar)))
                .collect::<Vec<_>>()
        };
        assert_eq!(optima(2, 1..6), [None, Some(5), Some(3), Some(3), Some(3)]);
        assert_eq!(optima(3, 0..4), [None; 4]);
        assert_eq!(optima(3, 4..8), [Some(10); 4]);
        assert_eq!(optima(3, 8..12), [Some(9); 4]);
        assert_eq!(optima(4, 0..8), [None; 8]);
        // All puzzles with large values are the same.
        let large = puzzle(3, 3, Puzzle::LARGEST, 0);
        assert_eq!(shortest(&report(&large, PuzzleAlgorithm::AStar)), Some(9));
    }

    /// Before the first state is expanded, all of the time goes into the look-ahead.
    #[test]
    fn the_watcher_stops_the_lookahead() {
        let mut asked = 0;
        let report = solve(&puzzle(6, 6, 20, 0), PuzzleAlgorithm::AStar, |counts| {
            asked += 1;
            if asked > 40 { ControlFlow::Break(counts.expanded) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(report.answer, Err(0));
    }
}
