//! Limits of what peers may use, so that none can take the share of others.
//!
//! A [`Source`] is what counts as one peer. A [`FairPool`] has a limited number of connections, [`Failures`] counts
//! guesses of secrets, and a [`TokenBucket`] bounds a rate.

mod bucket;
mod failures;
mod pool;
mod source;

pub use bucket::TokenBucket;
pub use failures::Failures;
pub use pool::FairPool;
pub use source::Source;
