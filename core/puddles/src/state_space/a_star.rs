//! A* among states, with a lower bound that may be refined during the search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::ops::ControlFlow;

use super::{Route, Search, SearchCounts, SearchEnd, StateMap, check};

/// The best known path to a state.
struct Known {
    cost: u32,
    previous: Option<usize>,
    closed: bool,
}

/// Finds a goal at the least cost. `successors` pushes the cost and the target of each step.
///
/// `remaining(state, cost, known)` is a lower bound of the cost from a state to a goal (*heuristique admissible*), which
/// along a step falls by at most the cost of the step (*consistante*); then no state is expanded twice. `cost` is the cost
/// of the path to the state, `known` a known lower bound. The bound may be lazy: when the state is taken out of the queue,
/// `remaining` is called again with its last result as `known`, and the state is queued again as long as the result grows.
/// So an expensive bound is only computed for states at the front of the queue. Results below `known` count as `known`.
///
/// A bound of `u32::MAX` says that no goal can be reached from the state, which is then dropped. Paths that cost more than
/// `u32::MAX` are not followed.
///
/// Among equal sums of cost and bound, the state with the higher cost comes first, then the state generated last.
/// O(n·log n) for n queue entries, plus the time of the bound.
pub fn a_star<S: Clone + Eq + Hash, B>(
    start: S,
    mut successors: impl FnMut(&S, &mut Vec<(u32, S)>),
    mut remaining: impl FnMut(&S, u32, u32) -> u32,
    mut is_goal: impl FnMut(&S) -> bool,
    mut watch: impl FnMut(&SearchCounts) -> ControlFlow<B>,
) -> Search<S, B> {
    let mut counts = SearchCounts { generated: 1, peak: 1, ..SearchCounts::default() };
    // Entries are (sum, cost, order of generation, state number); the largest comes out first.
    let mut queue = BinaryHeap::new();
    let sum = remaining(&start, 0, 0);
    if sum < u32::MAX {
        queue.push((Reverse(sum), 0, 1, 0));
    }
    let mut states = StateMap::default();
    states.insert(start, Known { cost: 0, previous: None, closed: false });
    let mut next = Vec::new();
    while let Some((Reverse(sum), cost, order, number)) = queue.pop() {
        let (state, known) = states.get_index_mut(number).expect("it is known");
        if known.closed || known.cost < cost {
            continue;
        }
        if let ControlFlow::Break(stopped) = check(&mut watch, counts) {
            return stopped;
        }
        let refined = cost.saturating_add(remaining(state, cost, sum - cost));
        if refined > sum {
            if refined < u32::MAX {
                queue.push((Reverse(refined), cost, order, number));
            }
            continue;
        }
        counts.expanded += 1;
        known.closed = true;
        if is_goal(state) {
            let route = Route::back_from(number, cost, |number| {
                let (state, known) = states.get_index(number).expect("it is known");
                (state, known.previous)
            });
            return Search { end: SearchEnd::Found(route), counts };
        }
        successors(state, &mut next);
        for (step, state) in next.drain(..) {
            counts.generated += 1;
            let Some(cost) = cost.checked_add(step) else { continue };
            if states.get(&state).is_some_and(|known| known.cost <= cost) {
                continue;
            }
            let floor = sum.saturating_sub(cost);
            let sum = cost.saturating_add(remaining(&state, cost, floor).max(floor));
            if sum == u32::MAX {
                continue;
            }
            let better = Known { cost, previous: Some(number), closed: false };
            let (number, _) = states.insert_full(state, better);
            queue.push((Reverse(sum), cost, counts.generated, number));
        }
        counts.peak = states.len();
    }
    Search { end: SearchEnd::Exhausted, counts }
}
