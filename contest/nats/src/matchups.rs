//! Requests for matchups.

use std::time::Duration;

use anyhow::bail;
use async_nats::jetstream::{self, consumer::PullConsumer, consumer::pull::BatchConfig};
use async_nats::{StatusCode, Subject};
use futures_util::StreamExt as _;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::connection::BrokerConnection;
use crate::wire;

/// Time after which a request expires at the broker.
const EXPIRES: Duration = Duration::from_secs(60);
/// Interval of the broker's heartbeats while it has no matchups.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// Longest wait for a matchup on its way to a request that is given up.
const ON_ITS_WAY: Duration = Duration::from_secs(2);

impl BrokerConnection {
    /// Waits for the next matchup; `None` if the request expires, or if `rest` is cancelled before the broker sends one. A matchup
    /// that it has sent by then is returned all the same: nobody else would be given it before the end of a lease.
    ///
    /// # Errors
    ///
    /// When the broker refuses, or has fallen silent.
    pub async fn next_matchup(
        &self,
        rest: &CancellationToken,
    ) -> anyhow::Result<Option<jetstream::Message>> {
        let consumer = self.jetstream().get_consumer_from_stream(wire::WORKERS, wire::MATCHUPS);
        let consumer: PullConsumer = tokio::select! {
            consumer = consumer => consumer?,
            () = rest.cancelled() => return Ok(None),
        };
        // Not the library's own batch, which misses a message that follows a heartbeat, and one on its way when it is dropped.
        let inbox = Subject::from(self.client().new_inbox());
        let mut answers = self.client().subscribe(inbox.clone()).await?;
        let request = BatchConfig {
            batch: 1,
            expires: Some(EXPIRES),
            idle_heartbeat: HEARTBEAT,
            ..BatchConfig::default()
        };
        consumer.request_batch(request, inbox).await?;
        loop {
            let answer = tokio::select! {
                biased;
                answer = timeout(2 * HEARTBEAT, answers.next()) => answer?,
                () = rest.cancelled() => {
                    // From now on the broker keeps matchups; the answers end after those that it has sent.
                    answers.drain().await?;
                    timeout(ON_ITS_WAY, answers.next()).await.unwrap_or(None)
                }
            };
            let Some(message) = answer else { return Ok(None) };
            match message.status.unwrap_or(StatusCode::OK) {
                StatusCode::OK => {
                    let context = self.jetstream().clone();
                    return Ok(Some(jetstream::Message { message, context }));
                }
                StatusCode::IDLE_HEARTBEAT => {}
                StatusCode::TIMEOUT | StatusCode::NOT_FOUND => return Ok(None),
                status => bail!("{status} {}", message.description.unwrap_or_default()),
            }
        }
    }
}
