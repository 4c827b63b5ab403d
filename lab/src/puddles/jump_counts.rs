//! How often each cell is jumped on, without a walk in mind.

use std::ops::ControlFlow;

use super::Puzzle;

/// Lists how often each cell can be jumped on by a walk that ends at a goal.
///
/// What jumps leave does not depend on their order: with z(c) jumps onto cell c, the counter of c is
/// value + Σ z(neighbours of c) − degree(c) · z(c). So the goals can be listed by the counts z alone,
/// which are far fewer than the walks. Of counts, these things are asked, which every walk to a goal
/// fulfils:
///
/// - the counters that they leave are distinct, and none is below its [`floor`](Puzzle::floor);
/// - the colours of the chequerboard alternate from the start on, so that of m jumps, ⌈m/2⌉ are on
///   its colour;
/// - the start is jumped on, and before each jump onto a cell but the very first there is one onto a
///   neighbour: z(c) ≤ Σ z(neighbours of c), and 1 more for the start.
///
/// Of two counts that a [`reflection`](super::Board::reflection) around the start makes from each
/// other, only one is listed, for one is reached by a walk when the other is: its mirror image. (None
/// is its own mirror image, for its counters would not be distinct.)
#[derive(Clone, Debug)]
pub struct JumpCounts<'a> {
    puzzle: &'a Puzzle,
    steps: Vec<Step>,
}

/// A cell, when its turn comes to be given a count.
#[derive(Clone, Debug)]
struct Step {
    cell: usize,
    degree: i32,
    colour: usize,
    neighbours: Vec<usize>,
    floor: i32,
    /// 1 for the start, 0 for others: how many jumps come before all others.
    first: i32,
    /// No cell of its colour comes later.
    last_of_colour: bool,
    /// Whether neighbours come later.
    open: bool,
    /// The steps, this one excluded, whose cells have no neighbour that comes later, for the first
    /// time.
    closes: Vec<usize>,
    /// The image of the cell, if it came earlier.
    image: Option<usize>,
}

/// One listing under way.
struct Listing<'a, F> {
    steps: &'a [Step],
    value: i32,
    /// Jumps onto each cell, of those that had their turn.
    jumps: Vec<i32>,
    /// What these jumps leave on each cell.
    counters: Vec<i32>,
    /// Jumps onto each colour that are not spent yet.
    left: [i32; 2],
    /// The counters that nothing changes any more, less the lowest that is possible.
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
        // Along the diagonals, cells soon have all their neighbours behind them.
        let mut order: Vec<usize> = (0..board.cells()).collect();
        order.sort_by_key(|&cell| {
            let pos = board.pos(cell);
            (pos.row + pos.col, pos.row)
        });
        let mut turn = vec![0; order.len()];
        for (step, &cell) in order.iter().enumerate() {
            turn[cell] = step;
        }
        let reflection = board.reflection(puzzle.start());
        let closed_by = |cell: usize| {
            let around = board.neighbours(cell).iter().map(|&other| turn[other]);
            around.max().unwrap_or(0).max(turn[cell])
        };
        let step = |(step, &cell): (usize, &usize)| Step {
            cell,
            degree: board.degree(cell),
            colour: board.colour(cell),
            neighbours: board.neighbours(cell).to_vec(),
            floor: puzzle.floor(cell),
            first: i32::from(cell == puzzle.start()),
            last_of_colour: step + 2 >= order.len(),
            open: closed_by(cell) > step,
            closes: (0..step).filter(|&earlier| closed_by(order[earlier]) == step).collect(),
            image: reflection.as_ref().map(|image| image[cell]).filter(|&image| turn[image] < step),
        };
        Self { puzzle, steps: order.iter().enumerate().map(step).collect() }
    }

    /// Lists all counts of so many jumps, row-major. Exponential in the cells, but quick up to 16.
    ///
    /// `emit` gets each one; with none, it is just asked now and then whether to go on. Returns how
    /// many counts were begun.
    ///
    /// # Errors
    ///
    /// `emit` broke off.
    pub fn list(
        &self,
        total: u32,
        emit: impl FnMut(Option<&[i32]>) -> ControlFlow<()>,
    ) -> Result<u64, u64> {
        let (cells, total) = (self.steps.len(), total.cast_signed());
        let value = self.puzzle.value();
        let mut left = [total / 2; 2];
        left[self.puzzle.board().colour(self.puzzle.start())] = total - total / 2;
        // A jump takes 4 at most, and no counter is below −4; one onto the other colour gives 1.
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
    /// Gives counts to the cells from a step on. As long as all cells so far have the counts of their
    /// images, they are `symmetric`; the first that has not has the larger one.
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
            self.jump(now, count);
            let closed = self.close(now);
            let done = match closed == now.closed() {
                true => {
                    self.assign(step + 1, symmetric && image.is_none_or(|image| image == count))
                }
                false => ControlFlow::Continue(()),
            };
            self.reopen(now, closed);
            self.jump(now, -count);
            done?;
        }
        ControlFlow::Continue(())
    }

    /// The least and the most jumps onto a cell that can be right, by its own counter and by those
    /// of the cells that it closes.
    fn range(&self, now: &Step) -> (i32, i32) {
        let to_come = if now.open { self.left[1 - now.colour] } else { 0 };
        let counter = self.counters[now.cell] + to_come;
        let most = (counter - now.floor).div_euclid(now.degree).min(self.left[now.colour]);
        let most = most.min(counter - self.value + now.first);
        let mut least = if now.last_of_colour { self.left[now.colour] } else { now.first };
        for &closed in &now.closes {
            let closed = &self.steps[closed];
            let (counter, jumps) = (self.counters[closed.cell], self.jumps[closed.cell]);
            let around = counter - self.value + closed.degree * jumps;
            least = least.max(closed.floor - counter).max(jumps - around - closed.first);
        }
        (least, most)
    }

    fn jump(&mut self, now: &Step, count: i32) {
        self.jumps[now.cell] += count;
        self.left[now.colour] -= count;
        self.counters[now.cell] -= now.degree * count;
        for &other in &now.neighbours {
            self.counters[other] += count;
        }
    }

    /// Takes the counters that a step closes, until one is taken already. How many it took.
    fn close(&mut self, now: &Step) -> usize {
        for closed in 0..now.closed() {
            let place = self.place(now, closed);
            if std::mem::replace(&mut self.taken[place], true) {
                return closed;
            }
        }
        now.closed()
    }

    fn reopen(&mut self, now: &Step, closed: usize) {
        for closed in 0..closed {
            let place = self.place(now, closed);
            self.taken[place] = false;
        }
    }

    /// Where the counter that a step closes is noted down as taken.
    fn place(&self, now: &Step, closed: usize) -> usize {
        let cell = now.closes.get(closed).map_or(now.cell, |&step| self.steps[step].cell);
        (self.counters[cell] - self.lowest) as usize
    }
}

impl Step {
    /// How many cells it closes, itself included.
    fn closed(&self) -> usize {
        self.closes.len() + usize::from(!self.open)
    }
}
