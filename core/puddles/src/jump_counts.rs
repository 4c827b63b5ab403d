//! Numbers of jumps onto each cell, regardless of their order.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::Puzzle;

/// Lists the possible numbers of jumps onto each cell of walks that end at a goal.
///
/// The counters do not depend on the order of the jumps: with z(c) jumps onto cell c, the counter of c
/// is value + Σ z(neighbours of c) − degree(c) · z(c). So the goals can be listed by the counts z alone,
/// which are far fewer than the walks. Every walk to a goal fulfils these necessary conditions, and only
/// counts that fulfil them are listed:
///
/// - the resulting counters are distinct, and none is below its [`floor`](Puzzle::floor);
/// - the colours of the chequerboard alternate from the start on, so that of m jumps, ⌈m/2⌉ are on the
///   colour of the start;
/// - the start is jumped on, and a jump onto a neighbour precedes each jump onto a cell, except the very
///   first jump: z(c) ≤ Σ z(neighbours of c), and 1 more for the start.
///
/// Of two counts that are mirror images under a [`reflection`](super::Board::reflection) that fixes the
/// start, only one is listed: a walk reaches one if and only if the mirrored walk reaches the other. (No
/// count is its own mirror image, for its counters would not be distinct.)
#[derive(Clone, Debug)]
pub struct JumpCounts<'a> {
    puzzle: &'a Puzzle,
    steps: Vec<Step>,
}

/// A step of the listing: the assignment of a count to a cell.
#[derive(Clone, Debug)]
struct Step {
    cell: Traits,
    colour: usize,
    neighbours: ArrayVec<usize, 4>,
    /// True if no cell of its colour comes later.
    last_of_colour: bool,
    /// True if the counter is not known yet, because neighbours come later.
    open: bool,
    /// True for the last corner: all remaining jumps of the other colour go to its neighbours.
    corner: bool,
    /// Earlier cells whose last neighbour is this cell, so that their counters become known.
    closes: ArrayVec<Traits, 4>,
    /// The mirror image of the cell, if it came earlier.
    image: Option<usize>,
}

/// The parameters of the conditions on a cell.
#[derive(Clone, Copy, Debug)]
struct Traits {
    index: usize,
    degree: i32,
    floor: i32,
    /// Jumps onto the cell that need no jump onto a neighbour before: 1 for the start, 0 for others.
    first: i32,
}

struct Listing<'a, F> {
    steps: &'a [Step],
    value: i32,
    /// Jumps onto each cell; 0 for cells without a count yet.
    jumps: Vec<i32>,
    /// The counter of each cell after these jumps.
    counters: Vec<i32>,
    /// Jumps onto each colour that are not assigned yet.
    left: [i32; 2],
    /// True for the values of final counters; index 0 is the value `lowest`.
    taken: Vec<bool>,
    lowest: i32,
    work: u64,
    emit: F,
}

impl<'a> JumpCounts<'a> {
    /// Prepares listings for a puzzle.
    #[must_use]
    pub fn new(puzzle: &'a Puzzle) -> Self {
        let board = puzzle.board();
        // In the order of the diagonals, the neighbours of a cell come soon after it.
        let mut order: Vec<usize> = (0..board.cells()).collect();
        order.sort_by_key(|&cell| {
            let pos = board.pos(cell);
            (pos.row + pos.col, pos.row)
        });
        // The last corner gets all remaining jumps of its colour just before its two neighbours: they share
        // all remaining jumps of the other colour, so the counter of the corner is known.
        let corner = order.pop().expect("a board has cells");
        order.insert(order.len() - 2, corner);
        let mut turn = vec![0; order.len()];
        for (step, &cell) in order.iter().enumerate() {
            turn[cell] = step;
        }
        let reflection = board.reflection(puzzle.start());
        let closed_by = |cell: usize| {
            if cell == corner {
                return turn[cell];
            }
            let around = board.neighbours(cell).iter().map(|&other| turn[other]);
            around.max().unwrap_or(0).max(turn[cell])
        };
        let traits = |cell: usize| Traits {
            index: cell,
            degree: board.degree(cell),
            floor: puzzle.floor(cell),
            first: i32::from(cell == puzzle.start()),
        };
        let step = |(step, &cell): (usize, &usize)| {
            let earlier = || order[..step].iter().copied();
            Step {
                cell: traits(cell),
                colour: board.colour(cell),
                neighbours: board.neighbours(cell).iter().copied().collect(),
                last_of_colour: [order.len() - 3, order.len() - 1].contains(&step),
                open: closed_by(cell) > step,
                corner: cell == corner,
                closes: earlier().filter(|&cell| closed_by(cell) == step).map(traits).collect(),
                image: reflection.as_ref().and_then(|image| earlier().find(|&c| c == image[cell])),
            }
        };
        Self { puzzle, steps: order.iter().enumerate().map(step).collect() }
    }

    /// Lists all counts of `total` jumps, row-major. Exponential in the number of cells, but fast up to 16.
    ///
    /// Calls `emit` with each count, and now and then with `None`, so that it can stop the listing. Returns
    /// the number of partial counts.
    ///
    /// # Errors
    ///
    /// If `emit` stops the listing.
    pub fn list(
        &self,
        total: u32,
        emit: impl FnMut(Option<&[i32]>) -> ControlFlow<()>,
    ) -> Result<u64, u64> {
        let (cells, total) = (self.steps.len(), total.cast_signed());
        let value = self.puzzle.value();
        let mut left = [total / 2; 2];
        left[self.puzzle.board().colour(self.puzzle.start())] = total - total / 2;
        // A jump subtracts at most 4, and no counter is below −4; a jump onto the other colour adds 1.
        let lowest = (-4).max(value.saturating_sub(4 * total));
        let range = (value - lowest + total + 1).unsigned_abs() as usize;
        let mut listing = Listing {
            steps: &self.steps,
            value,
            jumps: vec![0; cells],
            counters: vec![value; cells],
            left,
            taken: vec![false; range],
            lowest,
            work: 0,
            emit,
        };
        match listing.assign(0, true) {
            ControlFlow::Continue(()) => Ok(listing.work),
            ControlFlow::Break(()) => Err(listing.work),
        }
    }
}

impl<F: FnMut(Option<&[i32]>) -> ControlFlow<()>> Listing<'_, F> {
    /// Assigns counts to the cells from a step on. `symmetric` is true while all cells so far have the counts
    /// of their images; the first cell that differs from its image has the larger count.
    fn assign(&mut self, step: usize, symmetric: bool) -> ControlFlow<()> {
        self.work += 1;
        if self.work.is_multiple_of(1 << 14) {
            (self.emit)(None)?;
        }
        let steps = self.steps;
        let Some(now) = steps.get(step) else { return (self.emit)(Some(&self.jumps)) };
        let (mut least, most) = self.range(now);
        let image = now.image.filter(|_| symmetric).map(|image| self.jumps[image]);
        least = least.max(image.unwrap_or(0));
        for count in least..=most {
            if self.clashes(now, count) {
                continue;
            }
            self.jump(now, count);
            self.take(now, true);
            let symmetric = symmetric && image.is_none_or(|image| image == count);
            let done = self.assign(step + 1, symmetric);
            self.take(now, false);
            self.jump(now, -count);
            done?;
        }
        ControlFlow::Continue(())
    }

    /// Lower and upper bound of the jumps onto a cell, by its own counter and by those of the cells that it
    /// closes.
    fn range(&self, now: &Step) -> (i32, i32) {
        let cell = now.cell;
        let counter = self.most_own(now);
        let most = (counter - cell.floor).div_euclid(cell.degree).min(self.left[now.colour]);
        let most = most.min(counter - self.value + cell.first);
        let forced = if now.last_of_colour { self.left[now.colour] } else { 0 };
        let mut least = forced.max(cell.first);
        for closed in &now.closes {
            let (counter, jumps) = (self.counters[closed.index], self.jumps[closed.index]);
            let around = counter - self.value + closed.degree * jumps;
            least = least.max(closed.floor - counter).max(jumps - around - closed.first);
        }
        (least, most)
    }

    /// Upper bound of a cell's counter without jumps onto it; exact unless the step is open.
    fn most_own(&self, now: &Step) -> i32 {
        let to_come = if now.open || now.corner { self.left[1 - now.colour] } else { 0 };
        self.counters[now.cell.index] + to_come
    }

    fn jump(&mut self, now: &Step, count: i32) {
        self.jumps[now.cell.index] += count;
        self.left[now.colour] -= count;
        self.counters[now.cell.index] -= now.cell.degree * count;
        for &other in &now.neighbours {
            self.counters[other] += count;
        }
    }

    /// Tests if two cells would end with the same counter after `count` jumps.
    fn clashes(&self, now: &Step, count: i32) -> bool {
        let own = self.most_own(now) - now.cell.degree * count;
        if !now.open && self.taken[(own - self.lowest) as usize] {
            return true;
        }
        now.closes.iter().enumerate().any(|(at, closed)| {
            let counter = self.counters[closed.index] + count;
            self.taken[(counter - self.lowest) as usize]
                || !now.open && counter == own
                || now.closes[..at].iter().any(|c| self.counters[c.index] + count == counter)
        })
    }

    /// Marks the counters that a step closes as taken, or as free again.
    fn take(&mut self, now: &Step, take: bool) {
        if !now.open {
            let own = self.most_own(now);
            self.taken[(own - self.lowest) as usize] = take;
        }
        for closed in &now.closes {
            self.taken[(self.counters[closed.index] - self.lowest) as usize] = take;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;

    /// All distributions of `jumps` jumps over `cells` cells.
    fn spread(cells: usize, jumps: i32) -> Vec<Vec<i32>> {
        if cells == 1 {
            return vec![vec![jumps]];
        }
        let with_first = |first: i32| {
            let rest = spread(cells - 1, jumps - first).into_iter();
            rest.map(move |rest| [vec![first], rest].concat())
        };
        (0..=jumps).flat_map(with_first).collect()
    }

    /// Tests the conditions on counts, as the documentation states them.
    fn is_right(puzzle: &Puzzle, jumps: &[i32]) -> bool {
        let (board, cells) = (puzzle.board(), 0..jumps.len());
        let counters = puzzle.counters(jumps);
        let on = |colour| cells.clone().filter(move |&cell| board.colour(cell) == colour);
        let jumps_on = |colour| on(colour).map(|cell| jumps[cell]).sum::<i32>();
        let own = board.colour(puzzle.start());
        Puzzle::is_goal(&counters)
            && cells.clone().all(|cell| counters[cell] >= puzzle.floor(cell))
            && (0..=1).contains(&(jumps_on(own) - jumps_on(1 - own)))
            && jumps[puzzle.start()] > 0
            && cells.clone().all(|cell| {
                let around = board.neighbours(cell).iter().map(|&other| jumps[other]).sum::<i32>();
                jumps[cell] <= around + i32::from(cell == puzzle.start())
            })
    }

    #[test]
    fn each_valid_count_is_listed_once_or_as_its_mirror_image() {
        let mut all = 0;
        for (rows, columns, value, start, most) in [
            (2, 2, 2, 0, 8),
            (2, 2, 9, 3, 8),
            (2, 3, 3, 0, 9),
            (2, 3, 2, 1, 9),
            (3, 2, 9, 4, 9),
            (3, 3, 5, 0, 9),
            (3, 3, 4, 1, 8),
            (3, 3, 20, 4, 8),
        ] {
            let board = Board::new(rows, columns).unwrap();
            let start_pos = board.pos(start);
            let puzzle = Puzzle::new(board, value, start_pos).unwrap();
            let image = puzzle.board().reflection(start);
            for total in 0..=most {
                let mut listed = Vec::new();
                let list = JumpCounts::new(&puzzle).list(total, |jumps| {
                    listed.extend(jumps.map(<[i32]>::to_vec));
                    ControlFlow::Continue(())
                });
                assert!(list.is_ok());
                let mirrored = image.iter().flat_map(|image| {
                    listed.iter().map(|jumps| image.iter().map(|&cell| jumps[cell]).collect())
                });
                let mut found: Vec<Vec<i32>> = mirrored.chain(listed.iter().cloned()).collect();
                found.sort();
                let expected: Vec<_> = spread(rows * columns, total.cast_signed())
                    .into_iter()
                    .filter(|jumps| is_right(&puzzle, jumps))
                    .collect();
                assert_eq!(found, expected, "{rows}×{columns}, {value}, {start}, {total}");
                all += found.len();
            }
        }
        assert!(all > 100, "{all}");
    }
}
