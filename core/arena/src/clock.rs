//! Waiting for an optional time.

use tokio::time::{Instant, sleep_until};

/// Waits until `moment`; for ever if it is `None`.
pub(crate) async fn sleep_until_any(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
