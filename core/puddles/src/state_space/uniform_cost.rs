//! Uniform-cost search among states, in a fixed order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use std::ops::ControlFlow;

use super::{Route, Search, SearchCounts, SearchEnd, StateMap, check};

/// Finds a goal at the least cost. `successors` pushes the cost and the target of each step.
///
/// The textbook algorithm: the queue is ordered by cost, then by the order of the states. A state is queued each time it
/// is generated, skipped if it was taken out before, and recognised as a goal when it is taken out. O(n·log n) for
/// n queue entries. Paths that cost more than `u32::MAX` are not followed.
pub fn uniform_cost<S: Clone + Ord + Hash, B>(
    start: S,
    mut successors: impl FnMut(&S, &mut Vec<(u32, S)>),
    mut is_goal: impl FnMut(&S) -> bool,
    mut watch: impl FnMut(&SearchCounts) -> ControlFlow<B>,
) -> Search<S, B> {
    let mut counts = SearchCounts { generated: 1, peak: 1, ..SearchCounts::default() };
    let mut queue = BinaryHeap::from([Reverse((0, start, None))]);
    // Each expanded state with its predecessor.
    let mut closed = StateMap::default();
    let mut next = Vec::new();
    while let Some(Reverse((cost, state, previous))) = queue.pop() {
        if let ControlFlow::Break(stopped) = check(&mut watch, counts) {
            return stopped;
        }
        counts.expanded += 1;
        if closed.contains_key(&state) {
            counts.skipped += 1;
            continue;
        }
        let goal = is_goal(&state);
        let (number, _) = closed.insert_full(state, previous);
        let (state, _) = closed.get_index(number).expect("it was just inserted");
        if goal {
            let route = Route::back_from(number, cost, |number| {
                let (state, &previous) = closed.get_index(number).expect("it was looked at");
                (state, previous)
            });
            return Search { end: SearchEnd::Found(route), counts };
        }
        successors(state, &mut next);
        counts.generated += next.len() as u64;
        queue.extend(next.drain(..).filter_map(|(step, next)| {
            Some(Reverse((cost.checked_add(step)?, next, Some(number))))
        }));
        counts.peak = counts.peak.max(queue.len() + closed.len());
    }
    Search { end: SearchEnd::Exhausted, counts }
}
