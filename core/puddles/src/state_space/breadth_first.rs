//! Breadth-first search among states.

use std::hash::Hash;
use std::ops::ControlFlow;

use super::{Route, Search, SearchCounts, SearchEnd, StateMap, check};

/// Finds a goal in the fewest steps; the cost of the route is its number of steps.
///
/// States are expanded in the order of their discovery. A known state is dropped when it is generated. The goal is
/// recognised when it is generated, so the state before the goal is the last one counted as expanded. O(states + steps).
///
/// ```
/// use puddles::state_space::{SearchEnd, breadth_first};
/// use std::ops::ControlFlow;
///
/// // From 1 to 10, by doubling or adding one.
/// let search = breadth_first(
///     1,
///     |&number: &u32, next| next.extend([number * 2, number + 1]),
///     |&number| number == 10,
///     |_| ControlFlow::<()>::Continue(()),
/// );
/// let SearchEnd::Found(route) = search.end else { panic!("there is a route") };
/// assert_eq!(route.states, [1, 2, 4, 5, 10]);
/// ```
pub fn breadth_first<S: Clone + Eq + Hash, B>(
    start: S,
    mut successors: impl FnMut(&S, &mut Vec<S>),
    mut is_goal: impl FnMut(&S) -> bool,
    mut watch: impl FnMut(&SearchCounts) -> ControlFlow<B>,
) -> Search<S, B> {
    let mut counts = SearchCounts { generated: 1, peak: 1, ..SearchCounts::default() };
    if is_goal(&start) {
        return Search { end: SearchEnd::Found(Route { cost: 0, states: vec![start] }), counts };
    }
    // Each state with its predecessor; the states from `at` on are the queue.
    let mut known = StateMap::default();
    known.insert(start, None);
    let mut next = Vec::new();
    let mut at = 0;
    while let Some((state, _)) = known.get_index(at) {
        if let ControlFlow::Break(stopped) = check(&mut watch, counts) {
            return stopped;
        }
        counts.expanded += 1;
        successors(state, &mut next);
        for state in next.drain(..) {
            counts.generated += 1;
            if known.contains_key(&state) {
                continue;
            }
            let goal = is_goal(&state);
            let (number, _) = known.insert_full(state, Some(at));
            counts.peak = known.len();
            if goal {
                let mut route = Route::back_from(number, 0, |number| {
                    let (state, &previous) = known.get_index(number).expect("it is known");
                    (state, previous)
                });
                route.cost = route.states.len() as u32 - 1;
                return Search { end: SearchEnd::Found(route), counts };
            }
        }
        at += 1;
    }
    Search { end: SearchEnd::Exhausted, counts }
}
