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
    pub alike: u32,
}

/// A candidate, stored as its last step.
pub(crate) trait Candidate {
    fn last(&self) -> Last;
}

/// Last step of a candidate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Last {
    /// Index of the candidate without this step; `None` for the one that has no step.
    pub before: Option<usize>,
    /// The last cell.
    pub cell: Cell,
    /// Estimate of the points that the candidate brings.
    pub worth: f32,
    /// True if the candidate is kept beyond the limits of a beam.
    pub is_pinned: bool,
}

/// Chooses the candidates that are extended; it keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Chooser {
    ranked: Vec<u64>,
    /// Number of chosen candidates by last cell; 0 for all cells between choices.
    on_cell: Vec<u32>,
}

impl Chooser {
    /// Indices of the candidates from `start` on that a beam keeps, most promising first; of equally good ones, the lowest index
    /// is first. The `frontier` before is overwritten.
    pub(crate) fn narrow<C: Candidate>(
        &mut self,
        beam: Beam,
        candidates: &[C],
        start: usize,
        frontier: &mut Vec<usize>,
    ) {
        let Self { ranked, on_cell } = self;
        // One number sorts faster than a pair: first by worth, downwards, then by index.
        let rank = |(index, candidate): (usize, &C)| {
            u64::from(!ordinal(candidate.last().worth)) << 32 | index as u64
        };
        ranked.clear();
        ranked.extend(candidates.iter().enumerate().skip(start).map(rank));
        ranked.sort_unstable();
        let mut pinned = candidates[start..].iter().filter(|it| it.last().is_pinned).count();
        frontier.clear();
        for &rank in &*ranked {
            if frontier.len() >= beam.width && pinned == 0 {
                break;
            }
            let index = rank as u32 as usize;
            let Last { cell, is_pinned, .. } = candidates[index].last();
            if on_cell.len() <= cell.index() {
                on_cell.resize(cell.index() + 1, 0);
            }
            let alike = &mut on_cell[cell.index()];
            if is_pinned || (frontier.len() < beam.width && *alike < beam.alike) {
                frontier.push(index);
                *alike += 1;
            }
            pinned -= usize::from(is_pinned);
        }
        for &index in &*frontier {
            on_cell[candidates[index].last().cell.index()] = 0;
        }
    }
}

/// Index of the best of some candidates, the last one of equally good ones.
pub(crate) fn best(
    candidates: &[impl Candidate],
    indices: impl Iterator<Item = usize>,
) -> Option<usize> {
    let worth = |index: usize| candidates[index].last().worth;
    indices.max_by(|&a, &b| worth(a).total_cmp(&worth(b)))
}

/// Indices of a candidate's steps, first one first; empty for the candidate without a step.
pub(crate) fn steps(candidates: &[impl Candidate], mut last: usize) -> Vec<usize> {
    let mut steps = Vec::new();
    while let Some(before) = candidates[last].last().before {
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

    impl Candidate for Last {
        fn last(&self) -> Last {
            *self
        }
    }

    /// Seven candidates of one step, some of which end on the same cell.
    fn candidates(pinned: Option<usize>) -> Vec<Last> {
        let cells: Vec<Cell> = Dims::new(1, 9).unwrap().cells().collect();
        let worths = [5.0, 9.0, 8.0, 7.0, 9.0, 6.0, 1.0];
        let steps = worths.into_iter().zip([0, 1, 1, 1, 2, 3, 4]).enumerate();
        let step = |(index, (worth, cell)): (usize, (f32, usize))| Last {
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
        let mut chooser = Chooser::default();
        let mut selected = |pinned: Option<usize>, start: usize| {
            let mut frontier = vec![5];
            chooser.narrow(beam, &candidates(pinned), start, &mut frontier);
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
