//! Games of a tournament on many machines, each counted exactly once: leases, fencing tokens, workers and the ledger.
//!
//! A [`Coordinator`] is a deterministic machine without I/O. The shell around it tells it what happens and when
//! ([`offer`](Coordinator::offer), [`claim`](Coordinator::claim), [`submit`](Coordinator::submit), …), and asks what to
//! do ([`poll`](Coordinator::poll)) and when to ask again ([`next_timeout`](Coordinator::next_timeout)). Time is a
//! duration since any fixed moment. The coordinator knows no broker: it assumes a queue that keeps the messages with the
//! matchups, delivers each to one worker at a time, and delivers it again if the worker falls silent. The same code runs
//! a tournament and the simulation of 1000 workers in the crate `measure`.
//!
//! | what happens | what follows |
//! | --- | --- |
//! | a matchup is offered | it is published; any worker that is delivered its message may claim it |
//! | a claim with a greater token than all before | that worker has the lease, and no other, unless another one has the lease of the same publication |
//! | a claim, a heartbeat or a result with a smaller token, or of an unknown publication | it is stale and changes nothing |
//! | a matchup is given back by anybody but the worker that has the lease | it changes nothing |
//! | a result of a scheduled game with the current token | it is committed, then acknowledged, in this order |
//! | a result of a game that has one | it is compared with the result that counts, and changes nothing |
//! | no heartbeat for a lease's duration | the lease ends; the worker has a fault; the message is looked for, and published anew |
//! | a worker reaches the limit of faults in succession | it is put aside: it gets no new lease |
//! | the leases of a matchup that ended without results reach their limit | the matchup is given up |
//! | nobody has claimed a matchup for four durations of a lease | its message is looked for |
//! | the broker was away | every outstanding message is looked for: a broker may lose what it had just taken |
//!
//! ```
//! use std::time::Duration;
//! use cluster::{Claim, Coordinator, Directive, Ruling, Submission, Terms, Token};
//! use plan::Key;
//!
//! let (matchup, game) = (Key::from_bytes([1; 16]), Key::from_bytes([2; 16]));
//! let lease = Duration::from_secs(15);
//! let terms = Terms { engine: "e".into(), lease, deliveries: 5, faults: 3, deadline: None };
//! let mut coordinator = Coordinator::new(terms, 1);
//! coordinator.offer(matchup, [game]);
//! let published = coordinator.poll(Duration::ZERO);
//! assert_eq!(published, Some(Directive::Publish { matchup, publication: 1, at_least: 0 }));
//! let worker = String::from("w").into();
//! let token = Token { publication: 1, delivery: 1 };
//! assert_eq!(coordinator.claim(&worker, matchup, token, Duration::ZERO), Claim::Granted);
//! let submission = Submission { worker, engine: "e".into(), matchup, game, token };
//! assert_eq!(coordinator.submit(&submission, Duration::ZERO), Ruling::Commit);
//! coordinator.committed(game);
//! assert_eq!(coordinator.submit(&submission, Duration::ZERO), Ruling::Again);
//! ```

mod coordinator;
pub mod state;
mod token;
mod worker;

pub use coordinator::{Claim, Coordinator, Directive, Ruling, Submission};
pub use token::{Token, WorkerName};
pub use worker::{Capacity, Refusal, Terms, WorkerRecord};
