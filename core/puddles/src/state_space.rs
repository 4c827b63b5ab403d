//! Search among states discovered during the search, such as those of a puzzle.
//!
//! - [`breadth_first`]: the fewest steps.
//! - [`uniform_cost`]: the least cost, in a fixed order.
//! - [`a_star`]: the least cost, guided by a lower bound of what remains.
//!
//! A state is any value that can be compared and hashed. All searches find an optimum, are deterministic, and keep
//! counts. `successors` pushes the states one step away; `watch` sees the counts at every step and can stop the search,
//! which allows limits of time and memory, and cancellation.

mod a_star;
mod breadth_first;
mod uniform_cost;

use std::ops::ControlFlow;

pub use a_star::a_star;
pub use breadth_first::breadth_first;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
pub use uniform_cost::uniform_cost;

/// The outcome and the counts of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search<S, B> {
    /// The outcome.
    pub end: SearchEnd<S, B>,
    /// The counts.
    pub counts: SearchCounts,
}

/// The outcome of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchEnd<S, B> {
    /// The search found a goal by a cheapest route.
    Found(Route<S>),
    /// No reachable state is a goal.
    Exhausted,
    /// `watch` stopped the search, for this reason.
    Stopped(B),
}

/// A path from the start to a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route<S> {
    /// The total cost of its steps.
    pub cost: u32,
    /// Its states in order, both ends included.
    pub states: Vec<S>,
}

/// The counts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCounts {
    /// Number of states taken out of the queue, including the goal and skipped states.
    pub expanded: u64,
    /// Number of these states that were skipped because they had been expanded before.
    pub skipped: u64,
    /// Number of generated states, including the start and states known already.
    pub generated: u64,
    /// Largest number of states in memory.
    pub peak: usize,
}

/// A map from states, which also finds a state by the number of its discovery.
type StateMap<S, V> = IndexMap<S, V, FxBuildHasher>;

/// Calls `watch`, and wraps its reason to stop, if any.
fn check<S, B>(
    watch: &mut impl FnMut(&SearchCounts) -> ControlFlow<B>,
    counts: SearchCounts,
) -> ControlFlow<Search<S, B>> {
    let stopped = |reason| Search { end: SearchEnd::Stopped(reason), counts };
    watch(&counts).map_break(stopped)
}

impl<S: Clone> Route<S> {
    /// Follows the steps back from state number `last`; `step` returns a state and the number of its predecessor.
    fn back_from<'a>(last: usize, cost: u32, step: impl Fn(usize) -> (&'a S, Option<usize>)) -> Self
    where
        S: 'a,
    {
        let mut states = Vec::new();
        let mut at = Some(last);
        while let Some(number) = at {
            let (state, previous) = step(number);
            states.push(state.clone());
            at = previous;
        }
        states.reverse();
        Self { cost, states }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::hash::Hash;

    use super::*;

    type Step<S> = (u32, S);

    /// The results of all searches, where breadth-first search counts steps as costs. `exact` is the true remaining
    /// cost; A* runs three times: with all of it, with half of it, and learning it by increments of one.
    fn answers<S: Clone + Ord + Hash>(
        start: &S,
        steps: impl Fn(&S) -> Vec<Step<S>>,
        is_goal: impl Fn(&S) -> bool,
        exact: impl Fn(&S) -> u32,
    ) -> [Search<S, ()>; 5] {
        let go_on = |_: &SearchCounts| ControlFlow::Continue(());
        let push = |state: &S, next: &mut Vec<_>| next.extend(steps(state));
        let plain =
            |state: &S, next: &mut Vec<_>| next.extend(steps(state).into_iter().map(|s| s.1));
        let guided = |bound: &dyn Fn(&S, u32, u32) -> u32| {
            a_star(start.clone(), push, |s, cost, known| bound(s, cost, known), &is_goal, go_on)
        };
        [
            breadth_first(start.clone(), plain, &is_goal, go_on),
            uniform_cost(start.clone(), push, &is_goal, go_on),
            guided(&|state, _, _| exact(state)),
            guided(&|state, _, _| exact(state) / 2),
            guided(&|state, _, known| exact(state).min(known + 1)),
        ]
    }

    fn check_route<S: Eq>(route: &Route<S>, start: &S, steps: impl Fn(&S) -> Vec<Step<S>>) {
        assert!(route.states[0] == *start);
        let cheapest = |pair: &[S]| {
            let costs = steps(&pair[0]).into_iter().filter(|step| step.1 == pair[1]);
            costs.map(|step| step.0).min().expect("a route goes by steps")
        };
        assert_eq!(route.states.windows(2).map(cheapest).sum::<u32>(), route.cost);
    }

    /// Costs to the goal by relaxing all steps until nothing changes.
    fn oracle(vertices: u64, steps: impl Fn(&u64) -> Vec<Step<u64>>, goal: u64) -> Vec<u32> {
        let mut costs = vec![u32::MAX; vertices as usize];
        costs[goal as usize] = 0;
        for _ in 0..vertices {
            for from in 0..vertices {
                for (cost, to) in steps(&from) {
                    let through = costs[to as usize].saturating_add(cost);
                    costs[from as usize] = costs[from as usize].min(through);
                }
            }
        }
        costs
    }

    #[test]
    fn all_searches_agree_with_relaxation_on_random_graphs() {
        let (mut found, mut none) = (0, 0);
        for seed in 0..300_u64 {
            let vertices = 2 + seed % 11;
            let mixed = |n: u64| (n + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
            // Two steps a vertex, with loops, ties and cycles.
            let steps = |from: u64, dearest: u64| {
                let chance = |k| mixed(mixed(seed * 64 + from * 2 + k)) >> 20;
                let step = |k| (1 + (chance(k) >> 8) % dearest, chance(k) % vertices);
                [0, 1].map(step).map(|(cost, to)| (cost as u32, to)).to_vec()
            };
            let goal = mixed(seed) % vertices;
            for dearest in [1, 4] {
                let steps = |from: &u64| steps(*from, dearest);
                let costs = oracle(vertices, steps, goal);
                let exact = |state: &u64| costs[*state as usize].min(99);
                let searches = answers(&0, steps, |&state| state == goal, exact);
                // Breadth-first search minimises steps, and so is only comparable if all costs are equal.
                for search in &searches[usize::from(dearest > 1)..] {
                    match &search.end {
                        SearchEnd::Found(route) => {
                            assert_eq!(route.cost, costs[0]);
                            assert_eq!(*route.states.last().unwrap(), goal);
                            check_route(route, &0, steps);
                            found += 1;
                        }
                        end => {
                            assert_eq!((end, costs[0]), (&SearchEnd::Exhausted, u32::MAX));
                            none += 1;
                        }
                    }
                }
            }
        }
        assert!(found > 300 && none > 300, "both happen: {found}, {none}");
    }

    /// Jugs of 3 and 5 litres: fill, empty, pour over.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "states are handed on by reference")]
    fn pour(&(a, b): &(u32, u32)) -> Vec<Step<(u32, u32)>> {
        let (over, back) = (a.min(5 - b), b.min(3 - a));
        [(3, b), (a, 5), (0, b), (a, 0), (a - over, b + over), (a + back, b - back)]
            .map(|state| (1, state))
            .to_vec()
    }

    #[test]
    fn four_litres_take_six_steps() {
        // Distances by hand: the path through (0, 5) is the shorter one.
        let way = [(0, 0), (0, 5), (3, 2), (0, 2), (2, 0), (2, 5), (3, 4)];
        let exact: BTreeMap<_, _> = way.into_iter().rev().zip(0..).collect();
        let exact = |state: &_| exact.get(state).copied().unwrap_or(0);
        let searches = answers(&(0, 0), pour, |state| state.1 == 4, exact);
        for search in &searches {
            assert_eq!(search.end, SearchEnd::Found(Route { cost: 6, states: way.to_vec() }));
        }
        let [breadth, uniform, ..] = searches.map(|search| search.counts);
        // By hand: 12 states are nearer than the goal; (0, 1) is equally far, and comes before the goal.
        let expected = SearchCounts { expanded: 12, skipped: 0, generated: 1 + 12 * 6, peak: 14 };
        assert_eq!(breadth, expected);
        assert_eq!(uniform.expanded - uniform.skipped, 14);
    }

    #[test]
    fn unreachable_goal_exhausts_the_search() {
        for search in answers(&(0, 0), pour, |state| state.1 == 6, |_| 1) {
            assert_eq!(search.end, SearchEnd::Exhausted);
            let SearchCounts { expanded, skipped, generated, .. } = search.counts;
            assert_eq!((expanded - skipped, generated), (16, 1 + 16 * 6), "no litre is lost");
        }
    }

    #[test]
    fn costs_beyond_32_bits_are_not_followed() {
        let go_on = |_: &SearchCounts| ControlFlow::<()>::Continue(());
        // 0 → 1 → 2 costs too much; 0 → 3 → 2 costs all that fits.
        let steps = |state: &u32, next: &mut Vec<Step<u32>>| match state {
            0 => next.extend([(u32::MAX - 1, 1), (u32::MAX - 2, 3)]),
            1 => next.push((9, 2)),
            3 => next.push((1, 2)),
            _ => {}
        };
        let best = SearchEnd::Found(Route { cost: u32::MAX - 1, states: vec![0, 3, 2] });
        assert_eq!(uniform_cost(0, steps, |&state| state == 2, go_on).end, best);
        // A state without a way to the goal has an infinite bound; here, also those of which nothing is known at first.
        let bound = |&state: &u32, _, known| match state {
            1 => u32::MAX,
            3 => 1,
            _ => known,
        };
        assert_eq!(a_star(0, steps, bound, |&state| state == 2, go_on).end, best);
        for hopeless in
            [|_: &u32, _, _| u32::MAX, |_: &u32, _, known: u32| known.max(1).saturating_mul(2)]
        {
            let search = a_star(0, |_, next| next.push((7, 1)), hopeless, |_| false, go_on);
            assert_eq!(search.end, SearchEnd::Exhausted);
        }
    }

    #[test]
    fn the_watcher_stops_the_search() {
        let watch = |counts: &SearchCounts| match counts.expanded {
            3 => ControlFlow::Break("enough"),
            _ => ControlFlow::Continue(()),
        };
        let step = |state: &u64, next: &mut Vec<_>| next.push((1, state + 1));
        let never = |_: &u64| false;
        let ends = [
            breadth_first(0, |state: &u64, next| next.push(state + 1), never, watch),
            uniform_cost(0, step, never, watch),
            a_star(0, step, |_, _, _| 0, never, watch),
        ];
        for search in ends {
            assert_eq!((search.end, search.counts.expanded), (SearchEnd::Stopped("enough"), 3));
        }
    }
}
