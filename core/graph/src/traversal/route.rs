//! Routes from a routing table.

use language::said;

/// The reason why a routing table gives no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// The source, the target or a predecessor is not a vertex of the table.
    #[error("{}", said!(
        "the routing table does not know vertex {_0}",
        "la table de routage ne connaît pas le sommet {_0}"
    ))]
    UnknownVertex(usize),
    /// The predecessors of this vertex lead back to the vertex.
    #[error("{}", said!(
        "the predecessors of vertex {_0} go round in a loop",
        "les prédécesseurs du sommet {_0} tournent en rond"
    ))]
    Loop(usize),
}

/// The route (*route*) from `source` to `target`, both included, by the predecessors in a routing table.
///
/// A single vertex if `source` is `target`; empty if the predecessors of the target do not lead to the source. O(length of
/// the route).
///
/// # Errors
///
/// If a vertex of the route is not in the table, or the predecessors form a loop.
pub fn find_route(
    routing_table: &[Option<usize>],
    source: usize,
    target: usize,
) -> Result<Vec<usize>, RouteError> {
    let predecessor =
        |vertex: usize| routing_table.get(vertex).copied().ok_or(RouteError::UnknownVertex(vertex));
    predecessor(source)?;
    let mut route = vec![target];
    let mut vertex = target;
    loop {
        let before = predecessor(vertex)?;
        if vertex == source {
            route.reverse();
            return Ok(route);
        }
        let Some(parent) = before else { return Ok(Vec::new()) };
        if route.len() > routing_table.len() {
            return Err(RouteError::Loop(vertex));
        }
        route.push(parent);
        vertex = parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_of_a_table() {
        // The second table of the exercise, and invalid tables.
        let table = [Some(2), None, Some(1), Some(0), Some(0), Some(4), Some(1)];
        assert_eq!(find_route(&table, 1, 6), Ok(vec![1, 6]));
        assert_eq!(find_route(&table, 1, 5), Ok(vec![1, 2, 0, 4, 5]));
        assert_eq!(find_route(&table, 0, 5), Ok(vec![0, 4, 5]), "from within");
        assert_eq!(find_route(&table, 3, 3), Ok(vec![3]));
        assert_eq!(find_route(&table, 3, 5), Ok(vec![]), "another root");
        assert_eq!(find_route(&table, 7, 1), Err(RouteError::UnknownVertex(7)));
        assert_eq!(find_route(&table, 1, 8), Err(RouteError::UnknownVertex(8)));
        assert_eq!(find_route(&table, 9, 9), Err(RouteError::UnknownVertex(9)));
        assert_eq!(find_route(&[], 0, 0), Err(RouteError::UnknownVertex(0)));

        let looping = [None, Some(2), Some(3), Some(1), Some(3), Some(9)];
        assert!(matches!(find_route(&looping, 0, 4), Err(RouteError::Loop(1..=3))));
        assert_eq!(find_route(&looping, 1, 4), Ok(vec![1, 3, 4]), "out of the loop in time");
        assert_eq!(find_route(&looping, 0, 5), Err(RouteError::UnknownVertex(9)));
    }

    #[test]
    fn a_route_may_pass_every_vertex() {
        let table = [None, Some(0), Some(1), Some(2)];
        assert_eq!(find_route(&table, 0, 3), Ok(vec![0, 1, 2, 3]));
    }
}
