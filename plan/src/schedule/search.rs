//! The best groups, by trying all of them.

use super::partition::{Cost, Field};

/// Seats that are filled before the search is cut short: more than there are to try with up to twelve teams.
const STEPS: u32 = 200_000;

/// A search by branch and bound: a group for the first who is free, with all who may join it, one after the
/// other, unless that already costs too much.
pub(super) struct Search<'a> {
    field: &'a Field,
    free: Vec<bool>,
    /// Sizes of groups that are still to be made, largest first.
    sizes: Vec<usize>,
    groups: Vec<Vec<usize>>,
    /// The best groups so far.
    pub(super) best: Vec<Vec<usize>>,
    cost: Cost,
    steps: u32,
}

impl<'a> Search<'a> {
    /// A search for better groups than these, of the same sizes, which are in descending order.
    pub(super) fn new(field: &'a Field, sizes: Vec<usize>, best: Vec<Vec<usize>>) -> Self {
        let (free, cost) = (vec![true; best.concat().len()], field.cost(&best));
        Self { field, free, sizes, groups: Vec::new(), best, cost, steps: 0 }
    }

    /// Searches, until all was tried or it takes too long.
    pub(super) fn run(&mut self) {
        self.open(Cost::default());
    }

    /// Whether all was tried, so that there is nothing better.
    pub(super) fn is_exhaustive(&self) -> bool {
        self.steps < STEPS
    }

    /// Opens a group for the first who is free, in each size that is left; `spent` is what the groups so
    /// far cost.
    fn open(&mut self, spent: Cost) {
        let Some(first) = self.free.iter().position(|&free| free) else {
            (self.best, self.cost) = (self.groups.clone(), spent);
            return;
        };
        for index in 0..self.sizes.len() {
            if index > 0 && self.sizes[index] == self.sizes[index - 1] {
                continue;
            }
            let size = self.sizes.remove(index);
            self.groups.push(Vec::with_capacity(size));
            self.join(first, size, spent);
            self.groups.pop();
            self.sizes.insert(index, size);
        }
    }

    /// Puts one into the last group, and goes on.
    fn join(&mut self, rank: usize, size: usize, spent: Cost) {
        let Some(group) = self.groups.last_mut() else { return };
        let spent = spent + self.field.cost_to_join(rank, group, size);
        if spent >= self.cost || self.steps >= STEPS {
            return;
        }
        self.steps += 1;
        group.push(rank);
        let is_full = group.len() == size;
        self.free[rank] = false;
        if is_full {
            self.open(spent);
        } else {
            for next in rank + 1..self.free.len() {
                if self.free[next] {
                    self.join(next, size, spent);
                }
            }
        }
        self.free[rank] = true;
        self.groups.last_mut().map(Vec::pop);
    }
}
