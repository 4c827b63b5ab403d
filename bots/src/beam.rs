//! Beam search: of all candidates of a length, only the most promising ones are extended.
//!
//! Lowerre, “The HARPY Speech Recognition System”, 1976.

use game::pacman::Cell;

/// Limits of a beam.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Beam {
    /// Candidates that are kept for each length.
    pub width: usize,
    /// Candidates that are kept for each length and last cell.
    pub alike: usize,
}

impl Beam {
    /// Keeps the most promising candidates of a frontier, best first; of equally good ones, the first is the better one.
    /// Candidates are known by their indices. The `pinned` ones are kept beyond the limits.
    pub(crate) fn narrow(
        self,
        frontier: &mut Vec<usize>,
        worth: impl Fn(usize) -> f32,
        last_cell: impl Fn(usize) -> Cell,
        pinned: impl Fn(usize) -> bool,
    ) {
        let mut ranked: Vec<_> = frontier.iter().map(|&index| (worth(index), index)).collect();
        ranked.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        frontier.clear();
        for (_, index) in ranked {
            let cell = last_cell(index);
            let is_alike = |other: &&usize| last_cell(**other) == cell;
            let has_room = || frontier.len() < self.width;
            let is_rare = || frontier.iter().filter(is_alike).count() < self.alike;
            if pinned(index) || (has_room() && is_rare()) {
                frontier.push(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::Dims;

    #[test]
    fn the_best_are_kept_few_alike_and_all_pinned_ones() {
        let cells: Vec<Cell> = Dims::new(1, 9).unwrap().cells().collect();
        let worth = [5.0, 9.0, 8.0, 7.0, 9.0, 6.0, 1.0];
        let cell = [0, 1, 1, 1, 2, 3, 4].map(|index| cells[index]);
        let beam = Beam { width: 3, alike: 2 };
        let selected = |pinned: Option<usize>| {
            let mut frontier: Vec<usize> = (0..worth.len()).collect();
            let is_pinned = |index| Some(index) == pinned;
            beam.narrow(&mut frontier, |i| worth[i], |i| cell[i], is_pinned);
            frontier
        };
        assert_eq!(selected(None), [1, 4, 2]);
        assert_eq!(selected(Some(3)), [1, 4, 2, 3], "beyond both limits");
        assert_eq!(selected(Some(6)), [1, 4, 2, 6]);
    }
}
