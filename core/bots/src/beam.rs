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
    /// Keeps the most promising candidates of a frontier of indices, best first; of equally good ones, the lowest index is first.
    /// The `pinned` ones are kept beyond the limits.
    pub(crate) fn narrow(
        self,
        frontier: &mut Vec<usize>,
        worth: impl Fn(usize) -> f32,
        last_cell: impl Fn(usize) -> Cell,
        pinned: impl Fn(usize) -> bool,
    ) {
        // One number sorts faster than a pair: first by worth, downwards, then by index.
        let rank = |&index: &usize| u64::from(!ordinal(worth(index))) << 32 | index as u64;
        let mut ranked: Vec<u64> = frontier.iter().map(rank).collect();
        ranked.sort_unstable();
        frontier.clear();
        let mut cells = Vec::with_capacity(self.width);
        for rank in ranked {
            let index = rank as u32 as usize;
            let cell = last_cell(index);
            let is_rare = || cells.iter().filter(|&&other| other == cell).count() < self.alike;
            if pinned(index) || (frontier.len() < self.width && is_rare()) {
                frontier.push(index);
                cells.push(cell);
            }
        }
    }
}

/// The place of a number in the total order of floating-point numbers.
fn ordinal(number: f32) -> u32 {
    let bits = number.to_bits();
    if number.is_sign_negative() { !bits } else { bits | 1 << 31 }
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
