//! Tournaments on many machines, through a NATS broker with `JetStream`.
//!
//! The coordinator is a dispatcher whose venue is [`NatsVenue`]; each machine runs a
//! [`worker`]. [`wire`] defines their messages, [`connection`] leads to the broker, `files` transfers the packages of
//! teams, `check` verifies results, and `engine` identifies the engine of a machine and measures its speed. The crate
//! `cluster` decides who plays what, and which results count.
//!
//! The broker is never believed: the store of the tournament alone says which games have a result, under the game's key.
//!
//! | what the broker may do | the remedy |
//! | --- | --- |
//! | deliver a matchup or a result twice | the key: a second result is compared with the first, and changes nothing |
//! | deliver a matchup again while it is being played | the worker that has the lease keeps it; when it falls silent, the matchup is published anew, and the earlier lease is stale |
//! | have sent a matchup to a worker that stops | the worker waits until the broker sends it no more, and gives it back |
//! | lose the message of a worker, or one that it took before a power cut | leases end; after each reconnection, all outstanding matchups are looked for |
//! | come back empty | streams are made anew, packages given again, and outstanding matchups published; workers wait for packages as long as a lease |
//! | refuse more than 1 MiB | packages go in chunks; a larger matchup or result ends the tournament with a message that names `max_payload` |
//! | deliver another map, package or matchup than the tournament's | the worker compares hashes and sizes with the assignment; the coordinator compares the map in the recording |
//! | pass on messages of a stranger | only the worker that has the lease gives a matchup back; unknown publications and overlong names are ignored |
//! | fall silent without closing connections | both sides ping it, and connect again after some 15 s |
//! | lose news for a worker that is away | a stream keeps the last news; a worker that connects again reads them |
//!
//! A coordinator that starts reads waiting results first, and finds matchups in play by their subject, so a restart plays nothing again.
//! A lease ends only after the broker has answered since it was due: no worker is blamed for silence while the coordinator or the broker was stopped.

mod check;
pub mod connection;
mod engine;
mod files;
mod matchups;
mod venue;
pub mod wire;
pub mod worker;

pub use venue::{NatsVenue, Played};
