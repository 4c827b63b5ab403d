//! Waiting for a moment that there may not be.

use tokio::time::{Instant, sleep_until};

/// Waits until that moment; for ever without one.
pub(crate) async fn sleep_until_any(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
