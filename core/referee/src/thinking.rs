//! The thinking time of a player, and the answers that it misses.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Cause;

/// The thinking time of a player over a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thinking {
    /// Time for the first state.
    pub first: Duration,
    /// Total time for the other states that the player answered in time.
    pub others: Duration,
    /// The number of other states that the player answered in time.
    pub answers: u32,
    /// Longest time for one of the other states.
    pub longest: Duration,
    /// States that the player did not answer in time.
    pub misses: Misses,
}

/// The number of states that a player did not answer in time, by the party at fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misses {
    /// Misses by the fault of the player.
    pub bot: u32,
    /// Misses by the fault of the network.
    pub network: u32,
    /// Misses by the fault of the server's machine.
    pub host: u32,
}

impl Misses {
    /// All misses.
    pub fn sum(self) -> u32 {
        self.bot.saturating_add(self.network).saturating_add(self.host)
    }
}

impl Thinking {
    /// Adds the thinking time for a state that the player answered in time.
    pub fn answer(&mut self, is_first: bool, thought: Duration) {
        if is_first {
            self.first = thought;
        } else {
            self.others += thought;
            self.answers += 1;
            self.longest = self.longest.max(thought);
        }
    }

    /// Counts a state that the player did not answer in time.
    pub fn miss(&mut self, cause: Cause) {
        let count = match cause {
            Cause::Bot => &mut self.misses.bot,
            Cause::Network(_) => &mut self.misses.network,
            Cause::Host(_) => &mut self.misses.host,
        };
        *count += 1;
    }

    /// The number of states that the player did not answer in time.
    pub fn missed(&self) -> u32 {
        self.misses.sum()
    }

    /// Mean time for one of the other states.
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
