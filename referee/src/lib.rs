//! The referee of a match: who owes which answer, how long a turn waits, and whose fault a missed answer is.
//!
//! Nothing here knows sockets, clocks or a runtime: time is an argument.

pub mod cause;

pub use cause::{Cause, Transport};
