//! Dijkstra's algorithm from both ends.

use super::frontier::Nearest;
use super::search::Search;
use super::{Traversal, TraversalError};

/// Bidirectional Dijkstra (*Dijkstra bidirectionnel*): a shortest path from `source` to `target`, by two searches that
/// meet.
///
/// `predecessors` lists the tails of the edges to a vertex, as `successors` lists the heads of the edges from a vertex. The
/// distances and the routing table are those of the search from the source, which stops when the target is reached;
/// vertices not taken out until then count as unreached. O((n + m)·log n) for n vertices and m edges.
///
/// # Errors
///
/// If `source`, `target`, a successor or a predecessor is not a vertex, a weight is below 1, or a distance does not fit.
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

    // Once the next distances of both searches add up to more than the shortest path, every vertex of a shortest path is
    // nearer to one of the ends than the next vertex of its search, and so has been reached.
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

    // The search from the source continues along shortest paths only: the other search knows the remaining distances to
    // the target.
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
    if shortest.is_none() {
        back.finish()?;
        return ahead.finish();
    }
    Ok(ahead.found)
}

/// Expands one vertex, and updates the length of the shortest path through this vertex and a vertex reached by the other
/// search.
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
    /// A lower bound of the distances of all vertices still to be taken out; `None` if no vertex is left.
    fn distance(&self) -> Option<i64> {
        self.frontier.peek().map(|entry| entry.0.distance)
    }
}
