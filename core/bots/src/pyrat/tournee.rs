//! `tournee`: all the cheese in the best order.

use game::pyrat::{Cell, Direction, State};
use graph::DistanceTable;

use super::{Bot, Situation};

/// Maximum number of pieces of cheese for an optimal order; with more, the order is a local optimum.
const EXACT: usize = 12;

/// Plans a tour over the remaining cheese and walks it. Plans anew when another rat eats the next piece.
#[derive(Debug, Default)]
pub(super) struct Tournee {
    table: DistanceTable,
    /// The cheese in the order of the tour, last to first.
    tour: Vec<Cell>,
}

impl Tournee {
    fn plan(&mut self, state: &State, from: Cell) {
        let cheese = state.cheese();
        let between = |a, b| self.table.from(state.maze(), a).to(b).into();
        let order = match cheese.len() {
            0..=EXACT => shortest_order(from, cheese, between),
            _ => good_order(from, cheese, between),
        };
        self.tour.clear();
        self.tour.extend(order.into_iter().rev().map(|index| cheese[index]));
    }
}

impl Bot for Tournee {
    fn new_game(&mut self, situation: &Situation<'_>) {
        if let Some(rat) = situation.rat() {
            self.plan(situation.state, rat.cell);
        }
    }

    fn play(&mut self, situation: &Situation<'_>) -> Option<Direction> {
        let state = situation.state;
        let here = situation.rat()?.cell;
        if self.tour.last() == Some(&here) {
            self.tour.pop();
        }
        // Without the pieces eaten on the way or by others, the rest of the tour is still in a good order.
        let is_there = |cheese: &Cell| state.cheese().contains(cheese);
        let next_is_gone = self.tour.last().is_some_and(|next| !is_there(next));
        self.tour.retain(is_there);
        if next_is_gone || self.tour.len() != state.cheese().len() {
            self.plan(state, here);
        }
        let next = *self.tour.last()?;
        self.table.from(state.maze(), here).first_step(state.maze(), next)
    }
}

/// Indices of the goals in the order that takes the fewest turns (Bellman; Held and Karp, 1962). O(2ⁿ·n²) for n goals.
fn shortest_order(
    from: Cell,
    goals: &[Cell],
    mut between: impl FnMut(Cell, Cell) -> u64,
) -> Vec<usize> {
    let n = goals.len();
    let Some(all) = (1_usize << n).checked_sub(1).filter(|&all| all > 0) else { return Vec::new() };
    let legs: Vec<Vec<u64>> =
        goals.iter().map(|&a| goals.iter().map(|&b| between(a, b)).collect()).collect();
    // By the set of visited goals and the last one: the fewest turns, and the previous goal.
    let mut best = vec![(u64::MAX, n); (all + 1) * n];
    for (last, &goal) in goals.iter().enumerate() {
        best[(1 << last) * n + last] = (between(from, goal), n);
    }
    for visited in 1..=all {
        for last in (0..n).filter(|last| visited >> last & 1 == 1) {
            let (turns, _) = best[visited * n + last];
            if turns == u64::MAX {
                continue;
            }
            for next in (0..n).filter(|next| visited >> next & 1 == 0) {
                let after = &mut best[(visited | 1 << next) * n + next];
                if turns + legs[last][next] < after.0 {
                    *after = (turns + legs[last][next], last);
                }
            }
        }
    }
    let mut order = Vec::with_capacity(n);
    let mut visited = all;
    let mut last = (0..n).min_by_key(|last| best[all * n + last].0);
    while let Some(goal) = last {
        order.push(goal);
        let (_, before) = best[visited * n + goal];
        visited &= !(1 << goal);
        last = (before < n).then_some(before);
    }
    order.reverse();
    order
}

/// Indices of the goals in a good order: the nearest neighbour each time, then improved by 2-opt (Croes 1958) and by moves of
/// single goals, up to a local optimum. O(n³) for each improvement, with n goals.
fn good_order(
    from: Cell,
    goals: &[Cell],
    mut between: impl FnMut(Cell, Cell) -> u64,
) -> Vec<usize> {
    let n = goals.len();
    // Row n is the start.
    let from_each = goals.iter().chain([&from]);
    let legs: Vec<Vec<u64>> =
        from_each.map(|&a| goals.iter().map(|&b| between(a, b)).collect()).collect();
    let mut order = Vec::with_capacity(n);
    let mut left: Vec<usize> = (0..n).collect();
    while !left.is_empty() {
        let here = order.last().copied().unwrap_or(n);
        let nearest = (0..left.len()).min_by_key(|&at| legs[here][left[at]]).unwrap_or(0);
        order.push(left.remove(nearest));
    }
    while turn_a_part(&mut order, &legs) || move_a_goal(&mut order, &legs) {}
    order
}

/// Turns of the leg to the goal at index `at` of an order; 0 behind the last goal.
fn leg(order: &[usize], legs: &[Vec<u64>], before: Option<usize>, at: usize) -> u64 {
    let from = before.map_or(legs.len() - 1, |before| order[before]);
    order.get(at).map_or(0, |&to| legs[from][to])
}

/// Reverses the first part whose reversal makes the tour shorter; `false` if there is none.
fn turn_a_part(order: &mut [usize], legs: &[Vec<u64>]) -> bool {
    for start in 0..order.len() {
        for end in start + 1..order.len() {
            let before = start.checked_sub(1);
            let now = leg(order, legs, before, start) + leg(order, legs, Some(end), end + 1);
            let then = leg(order, legs, before, end) + leg(order, legs, Some(start), end + 1);
            if then < now {
                order[start..=end].reverse();
                return true;
            }
        }
    }
    false
}

/// Moves the first goal whose move makes the tour shorter; `false` if there is none.
fn move_a_goal(order: &mut Vec<usize>, legs: &[Vec<u64>]) -> bool {
    let length = |order: &[usize]| -> u64 {
        (0..order.len()).map(|at| leg(order, legs, at.checked_sub(1), at)).sum()
    };
    let now = length(order);
    for from in 0..order.len() {
        let goal = order.remove(from);
        for to in 0..=order.len() {
            order.insert(to, goal);
            if length(order) < now {
                return true;
            }
            order.remove(to);
        }
        order.insert(from, goal);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pyrat::Dims;

    /// A start and goals drawn from a fixed sequence.
    fn scene(goals: usize, seed: u32) -> (Cell, Vec<Cell>) {
        let dims = Dims::new(20, 20).unwrap();
        let mut drawn = seed;
        let mut cells: Vec<Cell> = Vec::new();
        while cells.len() <= goals {
            drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let cell = dims.nth((drawn >> 16) as usize % 400).unwrap();
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        (cells.pop().unwrap(), cells)
    }

    fn between(a: Cell, b: Cell) -> u64 {
        let dims = Dims::new(20, 20).unwrap();
        let (a, b) = (dims.pos(a), dims.pos(b));
        u64::from(a.row.abs_diff(b.row) + a.col.abs_diff(b.col))
    }

    fn length(from: Cell, goals: &[Cell], order: &[usize]) -> u64 {
        let places = order.iter().map(|&index| goals[index]);
        std::iter::once(from).chain(places.clone()).zip(places).map(|(a, b)| between(a, b)).sum()
    }

    /// Length of the shortest order, by exhaustive search.
    fn shortest(from: Cell, goals: &[Cell], visited: &mut Vec<usize>) -> u64 {
        if visited.len() == goals.len() {
            return length(from, goals, visited);
        }
        let mut best = u64::MAX;
        for next in 0..goals.len() {
            if !visited.contains(&next) {
                visited.push(next);
                best = best.min(shortest(from, goals, visited));
                visited.pop();
            }
        }
        best
    }

    #[test]
    fn the_exact_order_is_the_shortest() {
        for seed in 0..20 {
            let (from, goals) = scene(seed as usize % 7, seed);
            let order = shortest_order(from, &goals, between);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..goals.len()));
            assert_eq!(length(from, &goals, &order), shortest(from, &goals, &mut Vec::new()));
        }
    }

    #[test]
    fn the_good_order_is_nearly_as_short() {
        let (mut exact, mut good) = (0, 0);
        for seed in 0..30 {
            let (from, goals) = scene(9, seed);
            let order = good_order(from, &goals, between);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..goals.len()));
            good += length(from, &goals, &order);
            exact += length(from, &goals, &shortest_order(from, &goals, between));
        }
        assert!(exact <= good && good * 100 <= exact * 106, "{good} against {exact}");
    }
}
