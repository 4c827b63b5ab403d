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

/// A candidate, stored as its last step.
pub(crate) trait Candidate {
    /// Index of the candidate without its last step; `None` for the one that has no step.
    fn before(&self) -> Option<usize>;

    /// The last cell.
    fn cell(&self) -> Cell;

    /// Estimate of the points that the candidate brings.
    fn worth(&self) -> f32;

    /// Tests if the candidate is kept beyond the limits of a beam.
    fn is_pinned(&self) -> bool {
        false
    }
}

impl Beam {
    /// Indices of the candidates from `start` on that are extended, most promising first; of equally good ones, the lowest index
    /// is first. The `frontier` before is overwritten.
    pub(crate) fn narrow<C: Candidate>(
        self,
        candidates: &[C],
        start: usize,
        frontier: &mut Vec<usize>,
    ) {
        // One number sorts faster than a pair: first by worth, downwards, then by index.
        let rank = |(index, candidate): (usize, &C)| {
            u64::from(!ordinal(candidate.worth())) << 32 | index as u64
        };
        let mut ranked: Vec<u64> = candidates.iter().enumerate().skip(start).map(rank).collect();
        ranked.sort_unstable();
        frontier.clear();
        let mut cells = Vec::with_capacity(self.width);
        for rank in ranked {
            let index = rank as u32 as usize;
            let cell = candidates[index].cell();
            let is_rare = || cells.iter().filter(|&&other| other == cell).count() < self.alike;
            if candidates[index].is_pinned() || (frontier.len() < self.width && is_rare()) {
                frontier.push(index);
                cells.push(cell);
            }
        }
    }
}

/// Index of the best of some candidates, the last one of equally good ones.
pub(crate) fn best(
    candidates: &[impl Candidate],
    indices: impl Iterator<Item = usize>,
) -> Option<usize> {
    let worth = |index: usize| candidates[index].worth();
    indices.max_by(|&a, &b| worth(a).total_cmp(&worth(b)))
}

/// Indices of a candidate's steps, first one first; empty for the candidate without a step.
pub(crate) fn steps(candidates: &[impl Candidate], mut last: usize) -> Vec<usize> {
    let mut steps = Vec::new();
    while let Some(before) = candidates[last].before() {
        steps.push(last);
        last = before;
    }
    steps.reverse();
    steps
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

    struct Step {
        before: Option<usize>,
        cell: Cell,
        worth: f32,
        is_pinned: bool,
    }

    impl Candidate for Step {
        fn before(&self) -> Option<usize> {
            self.before
        }

        fn cell(&self) -> Cell {
            self.cell
        }

        fn worth(&self) -> f32 {
            self.worth
        }

        fn is_pinned(&self) -> bool {
            self.is_pinned
        }
    }

    /// Seven candidates of one step, some of which end on the same cell.
    fn candidates(pinned: Option<usize>) -> Vec<Step> {
        let cells: Vec<Cell> = Dims::new(1, 9).unwrap().cells().collect();
        let worths = [5.0, 9.0, 8.0, 7.0, 9.0, 6.0, 1.0];
        let steps = worths.into_iter().zip([0, 1, 1, 1, 2, 3, 4]).enumerate();
        let step = |(index, (worth, cell)): (usize, (f32, usize))| Step {
            before: None,
            cell: cells[cell],
            worth,
            is_pinned: Some(index) == pinned,
        };
        steps.map(step).collect()
    }

    #[test]
    fn the_best_are_kept_few_alike_and_all_pinned_ones() {
        let beam = Beam { width: 3, alike: 2 };
        let selected = |pinned: Option<usize>, start: usize| {
            let mut frontier = vec![5];
            beam.narrow(&candidates(pinned), start, &mut frontier);
            frontier
        };
        assert_eq!(selected(None, 0), [1, 4, 2]);
        assert_eq!(selected(Some(3), 0), [1, 4, 2, 3], "beyond both limits");
        assert_eq!(selected(Some(6), 0), [1, 4, 2, 6]);
        assert_eq!(selected(None, 2), [4, 2, 3], "from the start on");
    }

    #[test]
    fn the_best_is_the_last_of_equals_and_its_steps_begin_after_the_start() {
        let mut candidates = candidates(None);
        assert_eq!(best(&candidates, 0..7), Some(4));
        assert_eq!(best(&candidates, 5..5), None);
        candidates[4].before = Some(2);
        candidates[2].before = Some(0);
        assert_eq!(steps(&candidates, 4), [2, 4]);
        assert_eq!(steps(&candidates, 0), []);
    }
}
