//! Breadth-first search on a graph given by its successors.

use std::collections::VecDeque;

/// Distances in edges from `start` to every vertex below `vertices`; `None` for the unreached.
///
/// `successors` lists the vertices one edge away; those at `vertices` or beyond are ignored.
/// Linear in vertices and edges. A `start` outside reaches nothing.
pub fn distances<I: IntoIterator<Item = usize>>(
    vertices: usize,
    start: usize,
    mut successors: impl FnMut(usize) -> I,
) -> Vec<Option<u32>> {
    let mut distances = vec![None; vertices];
    let mut queue = VecDeque::new();
    if let Some(own) = distances.get_mut(start) {
        *own = Some(0);
        queue.push_back((start, 0));
    }
    while let Some((vertex, distance)) = queue.pop_front() {
        for next in successors(vertex) {
            if let Some(unreached @ None) = distances.get_mut(next) {
                *unreached = Some(distance + 1);
                queue.push_back((next, distance + 1));
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_a_cycle_with_a_tail_and_an_island() {
        // 0 – 1 – 2 – 3 – 0, 3 – 4, and 5 alone.
        let graph: [&[usize]; 6] = [&[1, 3], &[0, 2], &[1, 3], &[2, 0, 4], &[3], &[]];
        let found = distances(6, 0, |v| graph[v].iter().copied());
        assert_eq!(found, [Some(0), Some(1), Some(2), Some(1), Some(2), None]);
    }

    #[test]
    fn a_start_outside_reaches_nothing() {
        assert_eq!(distances(2, 7, |_| []), [None, None]);
    }
}
