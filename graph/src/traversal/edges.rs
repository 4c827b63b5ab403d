//! The edges of a graph as a list, for the searches that go through all of them again and again.

use super::TraversalError;

/// An edge (*arc*): where it begins, where it leads, and its weight.
pub(super) type Edge = (usize, usize, i64);

/// All edges, by where they begin.
pub(super) fn edges<I: IntoIterator<Item = (usize, i64)>>(
    vertices: usize,
    mut successors: impl FnMut(usize) -> I,
) -> Result<Vec<Edge>, TraversalError> {
    let mut edges = Vec::new();
    for from in 0..vertices {
        for (to, weight) in successors(from) {
            if to >= vertices {
                return Err(TraversalError::UnknownSuccessor { from, to });
            }
            edges.push((from, to, weight));
        }
    }
    Ok(edges)
}

/// The routing table for these distances from `source`: the smallest of the predecessors that
/// explain a distance, as far as all chains of predecessors then lead to the source.
///
/// Only cycles of weight 0 can break a chain. As long as one is broken, the smallest vertex in
/// trouble that has a predecessor out of trouble takes the smallest of those. Costs n + m, and as
/// much again for each such repair.
pub(super) fn routing_table(
    source: usize,
    distances: &[Option<i64>],
    edges: &[Edge],
) -> Vec<Option<usize>> {
    let explains = |&&(from, to, weight): &&Edge| {
        let way = distances[from].and_then(|distance| distance.checked_add(weight));
        to != source && to != from && way.is_some() && way == distances[to]
    };
    let mut parents: Vec<Option<usize>> = vec![None; distances.len()];
    for &(from, to, _) in edges.iter().filter(explains) {
        parents[to] = Some(parents[to].map_or(from, |known| known.min(from)));
    }
    loop {
        let rooted = rooted(source, &parents);
        let repairs = edges.iter().filter(|&&(from, to, _)| rooted[from] && !rooted[to]);
        match repairs.filter(explains).map(|&(from, to, _)| (to, from)).min() {
            Some((to, from)) => parents[to] = Some(from),
            None => return parents,
        }
    }
}

/// Tests if the chain of predecessors of each vertex leads to the source.
fn rooted(source: usize, parents: &[Option<usize>]) -> Vec<bool> {
    let mut rooted = vec![None; parents.len()];
    rooted[source] = Some(true);
    let mut chain = Vec::new();
    for vertex in 0..parents.len() {
        let mut at = Some(vertex);
        // A vertex that is met again on its own chain is not rooted, as it was noted on the way.
        while let Some(new) = at.filter(|&at| rooted[at].is_none()) {
            rooted[new] = Some(false);
            chain.push(new);
            at = parents[new];
        }
        let end = at.is_some_and(|at| rooted[at] == Some(true));
        chain.drain(..).for_each(|passed| rooted[passed] = Some(end));
    }
    rooted.into_iter().map(|rooted| rooted == Some(true)).collect()
}
