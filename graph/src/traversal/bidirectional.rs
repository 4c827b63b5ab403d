//! Dijkstra's algorithm from both ends.

use super::frontier::Nearest;
use super::search::Search;
use super::{Traversal, TraversalError};

/// Bidirectional Dijkstra (*Dijkstra bidirectionnel*): a shortest way from `source` to `target`, by
/// two searches that meet.
///
/// `predecessors` lists where edges come from, as `successors` lists where they lead. The distances
/// and the routing table are those of the search from the source, which stops when the target is
/// reached; the vertices that it did not take out until then count as unreached. Costs at most (n +
/// m)·log n for n vertices and m edges.
///
/// # Errors
///
/// When `source`, `target`, a successor or a predecessor is no vertex, a weight is below 1, or a
/// distance does not fit.
pub fn bidirectional<I, J>(
    vertices: usize,
    source: usize,
    target: usize,
    mut successors: impl FnMut(usize) -> I,
    mut predecessors: impl FnMut(usize) -> J,
) -> Result<Traversal, TraversalError>
where
    I: IntoIterator<Item = (usize, i64)>,
    J: IntoIterator<Item = (usize, i64)>,
{
    let mut ahead = Search::new(vertices, source, Nearest::new())?;
    let mut back = Search::new(vertices, target, Nearest::new())?;

    // A vertex of any shortest way is nearer to one of the ends than what that end takes out next,
    // once the two next distances add up to more than the way is long; so one search or the other
    // has reached it.
    let mut shortest = (source == target).then_some(0);
    while let (Some(from_source), Some(to_target)) = (ahead.distance(), back.distance())
        && shortest.is_none_or(|shortest| from_source.saturating_add(to_target) <= shortest)
    {
        if from_source <= to_target {
            step(&mut ahead, &back.found, &mut successors, &mut shortest)?;
        } else {
            step(&mut back, &ahead.found, &mut predecessors, &mut shortest)?;
        }
    }

    // The rest of the search from the source runs along shortest paths only: the other search
    // knows how much is left to the target.
    let left = &back.found.distances;
    while shortest.is_some()
        && ahead.found.distances[target].is_none()
        && let Some(entry) = ahead.next_if(|entry| {
            let whole = left[entry.vertex].and_then(|left| left.checked_add(entry.distance));
            whole.is_some() && whole == shortest
        })
    {
        ahead.expand(entry, successors(entry.vertex))?;
    }
    ahead.found.expanded += back.found.expanded;
    Ok(ahead.found)
}

/// Takes one vertex up, and remembers the shortest way through it that ends where the other search
/// has been.
fn step<I: IntoIterator<Item = (usize, i64)>>(
    search: &mut Search<Nearest>,
    other: &Traversal,
    neighbours: &mut impl FnMut(usize) -> I,
    shortest: &mut Option<i64>,
) -> Result<(), TraversalError> {
    let Some(entry) = search.next() else { return Ok(()) };
    let edges = neighbours(entry.vertex).into_iter().inspect(|&(to, weight)| {
        let left = other.distances.get(to).copied().flatten();
        let through = left.and_then(|left| entry.distance.checked_add(weight)?.checked_add(left));
        *shortest = [*shortest, through].into_iter().flatten().min();
    });
    search.expand(entry, edges)
}

impl Search<Nearest> {
    /// A distance that no vertex taken out from now on lies below; `None` when none is left.
    fn distance(&self) -> Option<i64> {
        self.frontier.peek().map(|entry| entry.0.distance)
    }
}
