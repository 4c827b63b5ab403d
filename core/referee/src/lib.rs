//! The referee of a match: who owes which answer, how long a turn waits, and whose fault a missed answer is.
//!
//! A [`Referee`] is a deterministic machine without I/O. The shell around it tells it what happens and when
//! ([`message`](Referee::message), [`seat`](Referee::seat), [`stalled`](Referee::stalled), …), asks what to do
//! ([`poll`](Referee::poll)) and when to ask again ([`next_timeout`](Referee::next_timeout)). It knows no socket, no
//! clock and no runtime, and messages are opaque to it. The same code judges games over TCP and millions of
//! simulated ones.
//!
//! Orders carry no number, so what a message answers follows from counting: each state sent is a debt, kept in
//! the connection's [`Ledger`]; each message pays the oldest one. With D for the deadline:
//!
//! | situation | rule |
//! | --- | --- |
//! | a message pays the current state, in time | it is the answer |
//! | a message pays an older state | it is late; the turn waits for the player for 2 D more |
//! | a message without a debt | dropped, not counted; it shows that the player is there |
//! | four debts | no state is sent until one is paid, then the newest |
//! | silence for 2 D after a late message | the player has skipped states: its debts are written off |
//! | the next answer after that | the turn waits D for a second one, which would show that no state was skipped; without account, no state is sent meanwhile |
//! | waiting beyond the turn's deadline | charged to the seat's account of 10 D a game |
//! | three turns in a row without any message | the seat is absent: no turn waits for it until it sends something |
//! | every seat absent for three deadlines | the match is deserted |
//! | the host stalled | every deadline is extended by the stall |
//!
//! ```
//! use std::time::{Duration, Instant};
//! use referee::{Effect, Ledger, Referee, Round, Verdict};
//!
//! let start = Instant::now();
//! let mut referee = Referee::new(1, Duration::from_secs(1));
//! referee.seat(start, 0, Ledger::default());
//! referee.begin(start, Round::default(), |_| true);
//! assert_eq!(referee.poll(start), Some(Effect::Send(0)));
//! let answered = start + Duration::from_millis(10);
//! assert_eq!(referee.message(0, answered, "NE"), Verdict::Current);
//! assert_eq!(referee.poll(answered), Some(Effect::TurnOver));
//! let judgement = &referee.close(answered, |_| None)[0];
//! assert_eq!(judgement.answer, Some(("NE", Duration::from_millis(10))));
//! ```

mod cause;
mod judgement;
mod ledger;
mod referee;
mod seat;
mod stalls;
mod thinking;

pub use cause::{Cause, Transport};
pub use judgement::{Effect, Judgement, Round, Verdict};
pub use ledger::Ledger;
pub use referee::Referee;
pub use stalls::Stalls;
pub use thinking::{Misses, Thinking};
