//! The edges of a graph as a list, for searches that scan all edges repeatedly.

use super::TraversalError;

/// An edge (*arc*): its tail, its head, and its weight.
pub(super) type Edge = (usize, usize, i64);

/// All edges, ordered by their tails.
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

/// Checks that every vertex behind a reached one is reached, too: otherwise its distance does not fit.
pub(super) fn check_reached(
    distances: &[Option<i64>],
    edges: &[Edge],
) -> Result<(), TraversalError> {
    let too_far = |&&(from, to, _): &&Edge| distances[from].is_some() && distances[to].is_none();
    match edges.iter().find(too_far) {
        Some(&(_, to, _)) => Err(TraversalError::TooFar(to)),
        None => Ok(()),
    }
}

/// The routing table for these distances from `source`: for each vertex the smallest predecessor that explains its
/// distance, as long as all chains of predecessors lead to the source.
///
/// Only cycles of weight 0 can break a chain. As long as a chain is broken, the smallest disconnected vertex with
/// a connected predecessor takes the smallest such predecessor. O(n + m), and the same again for each repair.
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

/// For each vertex, `true` if its chain of predecessors leads to the source.
fn rooted(source: usize, parents: &[Option<usize>]) -> Vec<bool> {
    let mut rooted = vec![None; parents.len()];
    rooted[source] = Some(true);
    let mut chain = Vec::new();
    for vertex in 0..parents.len() {
        let mut at = Some(vertex);
        // A vertex met again on its own chain is not rooted: it has been marked so on the way.
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
