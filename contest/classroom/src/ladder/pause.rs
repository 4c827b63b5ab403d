//! The pause after games that could not be played.

use std::time::Duration;

use tokio::time::Instant;

/// Pause after the first game; it doubles with each further one in a row, up to [`LONGEST`].
const FIRST: Duration = Duration::from_millis(500);
const LONGEST: Duration = Duration::from_secs(60);

/// The time until the next game may begin where some could not be played.
#[derive(Debug, Default)]
pub(super) struct Pause {
    /// Number of games in a row that could not be played.
    faults: u32,
    until: Option<Instant>,
}

impl Pause {
    pub(super) fn is_over(&self) -> bool {
        self.until.is_none_or(|until| until <= Instant::now())
    }

    /// Tests if the last game could be played.
    pub(super) fn is_clear(&self) -> bool {
        self.faults == 0
    }

    /// Begins, or goes on longer: a game could not be played.
    pub(super) fn fault(&mut self) {
        let pause = (FIRST * (1 << self.faults.min(8))).min(LONGEST);
        self.until = Some(Instant::now() + pause);
        self.faults += 1;
    }

    /// Takes note that a game was played.
    pub(super) fn end(&mut self) {
        *self = Self::default();
    }
}
