//! Thinking times of a player, and the answers that it misses.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Cause;

/// Thinking times of a player, over a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// About the first state.
    pub first: Duration,
    /// About all others together.
    pub others: Duration,
    /// Others that it has answered in time.
    pub answers: u32,
    /// About one of the others, at most.
    pub longest: Duration,
    /// States that it has not answered in time.
    pub misses: Misses,
}

/// States that a player has not answered in time, by whose fault it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misses {
    /// The player's own.
    pub bot: u32,
    /// The network's.
    pub network: u32,
    /// The server's machine's.
    pub host: u32,
}

impl Misses {
    /// All of them.
    #[must_use]
    pub fn sum(self) -> u32 {
        self.bot.saturating_add(self.network).saturating_add(self.host)
    }
}

impl Thinking {
    /// Takes in how long the player thought about a state that it answered in time.
    pub fn answer(&mut self, is_first: bool, thought: Duration) {
        if is_first {
            self.first = thought;
        } else {
            self.others += thought;
            self.answers += 1;
            self.longest = self.longest.max(thought);
        }
    }

    /// Takes in that a state was not answered in time.
    pub fn miss(&mut self, cause: Cause) {
        let count = match cause {
            Cause::Bot => &mut self.misses.bot,
            Cause::Network(_) => &mut self.misses.network,
            Cause::Host(_) => &mut self.misses.host,
        };
        *count += 1;
    }

    /// States that the player has not answered in time.
    #[must_use]
    pub fn missed(&self) -> u32 {
        self.misses.sum()
    }

    /// About one of the others, on average.
    #[must_use]
    pub fn mean(&self) -> Duration {
        self.others / self.answers.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_counted_apart_for_the_first_state() {
        let mut thinking = Thinking::default();
        for (is_first, thought) in [(true, 900), (false, 10), (false, 30)] {
            thinking.answer(is_first, Duration::from_millis(thought));
        }
        thinking.miss(Cause::Bot);
        thinking.miss(Cause::Host(Duration::from_millis(20)));
        let expected = Thinking {
            first: Duration::from_millis(900),
            others: Duration::from_millis(40),
            answers: 2,
            longest: Duration::from_millis(30),
            misses: Misses { bot: 1, network: 0, host: 1 },
        };
        assert_eq!(thinking, expected);
        assert_eq!(thinking.mean(), Duration::from_millis(20));
    }
}
