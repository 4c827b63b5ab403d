//! Union–find with path halving.

/// Disjoint sets of items, as a forest in which a parent never has a larger number than its children. The root of a tree is
/// the label of its set.
pub(crate) struct UnionFind(Vec<u32>);

impl UnionFind {
    /// Each item in a set of its own.
    pub(crate) fn new(len: usize) -> Self {
        Self((0..len as u32).collect())
    }

    /// Joins the sets of two items; whether they were different sets.
    #[inline]
    pub(crate) fn merge(&mut self, a: u32, b: u32) -> bool {
        let (above_a, above_b) = (self.0[a as usize], self.0[b as usize]);
        // Items of one set often have the same parent.
        if above_a == above_b {
            return false;
        }
        let (a, b) = (self.root(above_a), self.root(above_b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// The label of an item's set; halves the path to it.
    #[inline]
    fn root(&mut self, mut at: u32) -> u32 {
        loop {
            let above = self.0[at as usize];
            if above == at {
                return at;
            }
            let next = self.0[above as usize];
            self.0[at as usize] = next;
            at = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::Draws;

    #[test]
    fn labels_merge_as_if_all_items_were_relabelled() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut draws = Draws::new(&mut rng);
        for _ in 0..50 {
            let mut sets = UnionFind::new(30);
            let mut plain: Vec<usize> = (0..30).collect();
            for _ in 0..60 {
                let (a, b) = (draws.below(30), draws.below(30));
                let (label_a, label_b) = (plain[a as usize], plain[b as usize]);
                assert_eq!(sets.merge(a, b), label_a != label_b);
                plain.iter_mut().filter(|l| **l == label_b).for_each(|l| *l = label_a);
            }
        }
    }
}
