//! Tournaments on many machines, through a NATS broker with `JetStream`.
//!
//! The coordinator is a dispatcher whose venue is [`NatsVenue`](crate::venue::NatsVenue); each machine runs a
//! [`worker`]. [`wire`] says what they tell each other, [`link`] is the connection, [`files`] are the teams', [`check`] verifies what a worker has
//! played, and [`engine`] says whether two machines judge alike and are fast enough. Who plays what, and which results
//! count, is decided by the crate `cluster`.

pub mod check;
pub mod engine;
pub mod files;
pub mod link;
pub mod wire;
pub mod worker;
