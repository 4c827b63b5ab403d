//! Which message of a player answers which state.

/// After so many turns in a row in which exactly one message came, and late, a client has skipped
/// a state and would be late for ever.
const LATE_TURNS: u32 = 3;

/// Matches the messages of one connection with the states that it was sent, across its games: the
/// nth message answers the nth state.
#[derive(Clone, Debug)]
pub struct Answers<T> {
    sent: u64,
    received: u64,
    /// The answer to the current state.
    current: Option<T>,
    /// Since the current state was sent.
    messages: u32,
    late: u32,
    /// Turns in a row in which exactly one message came and was late.
    late_turns: u32,
    /// The next message counts for the current state, whatever it would answer by its number.
    resume: bool,
}

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It answers the current state.
    Current,
    /// It answers a past state, and is dropped.
    Late,
    /// Every state is answered already, or none was sent: it is dropped and not counted.
    Unasked,
}

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Self {
            sent: 0,
            received: 0,
            current: None,
            messages: 0,
            late: 0,
            late_turns: 0,
            resume: false,
        }
    }
}

impl<T> Answers<T> {
    /// A state is sent, and becomes the current one.
    pub fn state_sent(&mut self) {
        let one_and_late = self.messages == 1 && self.late == 1;
        self.late_turns = if one_and_late { self.late_turns + 1 } else { 0 };
        if self.late_turns == LATE_TURNS {
            self.late_turns = 0;
            self.resume = true;
        }
        self.sent += 1;
        self.current = None;
        self.messages = 0;
        self.late = 0;
    }

    /// A message has come.
    pub fn receive(&mut self, message: T) -> Verdict {
        if self.received == self.sent {
            return Verdict::Unasked;
        }
        self.received = if self.resume { self.sent } else { self.received + 1 };
        self.resume = false;
        self.messages += 1;
        if self.received < self.sent {
            self.late += 1;
            return Verdict::Late;
        }
        self.current = Some(message);
        Verdict::Current
    }

    /// Expects no answer to the current state any more.
    pub fn forgive(&mut self) {
        self.received = self.sent;
    }

    /// Whether the current state is answered.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        self.current.is_some()
    }

    /// The answer to the current state.
    #[must_use]
    pub fn current(&self) -> Option<&T> {
        self.current.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `s` (a state is sent) and digits (messages); the verdicts, as `.` for those dropped.
    fn verdicts(events: &str) -> String {
        let mut answers = Answers::default();
        let mut verdicts = String::new();
        for event in events.chars() {
            match event {
                's' => {
                    answers.state_sent();
                    assert!(!answers.is_answered());
                }
                message => verdicts.push(match answers.receive(message) {
                    Verdict::Current => {
                        assert_eq!(answers.current(), Some(&message));
                        message
                    }
                    Verdict::Late => 'l',
                    Verdict::Unasked => 'u',
                }),
            }
        }
        verdicts
    }

    #[test]
    fn the_nth_message_answers_the_nth_state() {
        for (events, expected) in [
            // Before any state there is nothing to answer.
            ("1s2", "u2"),
            // One answer a state; more are dropped and not counted.
            ("s1s2s3", "123"),
            ("s112s3", "1uu3"),
            // A deadline is missed, then both answers come: the first one is late.
            ("ss12", "l2"),
            ("sss123s4", "ll34"),
            // The final state of a game, and at once the first one of the next.
            ("s1ss23s4", "1l34"),
        ] {
            assert_eq!(verdicts(events), expected, "{events}");
        }
    }

    #[test]
    fn a_client_that_skipped_a_state_counts_again_after_three_late_turns() {
        // It never answers the first state; then answers every one, and is one behind.
        assert_eq!(verdicts("ss1s2s3s4s5"), "lll45");
        // Two behind all the same.
        assert_eq!(verdicts("sss1s2s3s4s5"), "lll45");
        // A turn without a message, or with two, breaks the row.
        assert_eq!(verdicts("ss1s2ss3s4s5s6"), "lllll6");
        assert_eq!(verdicts("sss1s23s4s5s6s7"), "llllll7");
    }

    #[test]
    fn the_message_that_counts_again_may_come_later() {
        assert_eq!(verdicts("ss1s2s3ss4s5"), "lll45");
    }
}
