//! Marks of a course, from the results against players of fixed levels.

use super::Share;

/// The marks that a level of a [`Scale`] gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The marks that it gives.
    pub marks: f64,
    /// The share of first places up to which it gives none; a player of the level itself has 0.25 in games of four.
    pub none: f64,
    /// The share of first places from which on it gives all of them. In between they grow evenly.
    pub all: f64,
}

impl Level {
    /// The marks that a share of first places gives.
    pub fn given(&self, share: f64) -> f64 {
        self.marks * ((share - self.none) / (self.all - self.none)).clamp(0.0, 1.0)
    }
}

/// A mark with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The mark, rounded.
    pub value: f64,
    /// The lower end of the interval, not rounded.
    pub low: f64,
    /// The upper end of the interval, not rounded.
    pub high: f64,
}

/// A scale of marks (*barème*). A mark follows from a player's own results against fixed opponents, so it does not move when rivals
/// improve.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    /// The marks that everybody has whose program plays.
    pub base: f64,
    /// The step to which marks are rounded; 0 for none.
    pub step: f64,
    /// The levels.
    pub levels: Vec<Level>,
}

impl Scale {
    /// The best mark.
    pub fn best(&self) -> f64 {
        self.base + self.levels.iter().map(|level| level.marks).sum::<f64>()
    }

    /// The mark for a share of first places against each level. A level without games gives nothing, and might give all.
    ///
    /// Intervals of independent sums: G. Y. Zou and A. Donner, *Construction of confidence limits about effect measures: a general
    /// approach*, Statistics in Medicine 27, 2008. The marks of a level grow with its share, so its limits are those of the share.
    pub fn mark(&self, shares: &[Option<Share>]) -> Mark {
        let (mut exact, mut below, mut above, mut open) = (self.base, 0.0, 0.0, 0.0);
        for (level, share) in self.levels.iter().zip(shares) {
            let Some(share) = share else {
                open += level.marks;
                continue;
            };
            let given = level.given(share.value);
            exact += given;
            below += (given - level.given(share.low)).powi(2);
            above += (level.given(share.high) - given).powi(2);
        }
        let value = if self.step > 0.0 { (exact / self.step).round() * self.step } else { exact };
        // The best mark need not be a multiple of the step.
        let value = value.min(self.best());
        Mark { value, low: exact - f64::sqrt(below), high: exact + f64::sqrt(above) + open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale() -> Scale {
        let level = |marks| Level { marks, none: 0.25, all: 0.75 };
        Scale { base: 2.0, step: 0.25, levels: vec![level(8.0), level(10.0)] }
    }

    #[test]
    fn marks_grow_evenly_between_two_shares() {
        let level = Level { marks: 8.0, none: 0.25, all: 0.75 };
        for (share, expected) in [(0.0, 0.0), (0.25, 0.0), (0.5, 4.0), (0.75, 8.0), (1.0, 8.0)] {
            assert!((level.given(share) - expected).abs() < 1e-12, "{share}");
        }
    }

    #[test]
    fn a_mark_is_rounded_and_stays_within_its_scale() {
        let (scale, half) = (scale(), Share::of(20.0, 40));
        assert!((scale.best() - 20.0).abs() < 1e-12);
        let mark = scale.mark(&[half, Share::of(11.0, 40)]);
        // 2 + 4 + 10 · (0.275 − 0.25) / 0.5.
        assert!((mark.value - 6.5).abs() < 1e-12, "{mark:?}");
        assert!(mark.low > 2.0 && mark.low < 6.0 && mark.high > 8.0, "{mark:?}");
        assert_eq!(scale.mark(&[None, None]), Mark { value: 2.0, low: 2.0, high: 20.0 });
        let all = scale.mark(&[Share::of(40.0, 40), Share::of(40.0, 40)]);
        assert_eq!(all, Mark { value: 20.0, low: 20.0, high: 20.0 });
        let coarse = Scale { step: 3.0, ..scale.clone() };
        let full = Share::of(40.0, 40);
        assert!((coarse.mark(&[full, full]).value - 20.0).abs() < 1e-12);
        let step = Scale { step: 0.0, ..scale }.mark(&[half, None]).value;
        assert!((step - 6.0).abs() < 1e-12);
    }

    /// The interval holds the mark of the true shares about as often as it says.
    #[test]
    fn the_interval_holds_the_true_mark() {
        let scale = scale();
        let mut random = crate::bootstrap::Random::new(1);
        let (mut held, trials) = (0_u32, 2000_u32);
        for _ in 0..trials {
            let truth = [0.3 + 0.4 * random.uniform(), 0.3 + 0.4 * random.uniform()];
            let shares = truth.map(|share| {
                let firsts = (0..40).filter(|_| random.uniform() < share).count() as u32;
                Share::of(firsts.into(), 40)
            });
            let mark = scale.mark(&shares);
            let right = scale.base
                + truth.iter().zip(&scale.levels).map(|(&s, level)| level.given(s)).sum::<f64>();
            held += u32::from((mark.low..=mark.high).contains(&right));
        }
        let held = f64::from(held) / f64::from(trials);
        assert!((0.93..0.98).contains(&held), "{held}");
    }
}
