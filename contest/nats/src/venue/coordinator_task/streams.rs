//! The streams of matchups and results at the broker.

use std::collections::BTreeSet;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use async_nats::Request;
use async_nats::client::RequestErrorKind;
use async_nats::jetstream;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::stream::Stream;
use futures_util::StreamExt as _;
use language::said;
use programs::package::Packages;
use tokio::time::sleep;

use super::{PATIENCE, PAUSE};
use crate::connection::{self, BrokerConnection};
use crate::files;
use crate::wire::{self, Assignment};

/// Number of attempts to reach a broker that goes away while the tournament starts.
const ATTEMPTS: u32 = 5;
/// Number of results requested at a time.
const BATCH: usize = 200;
/// Interval of the broker's heartbeats while it has no results.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// The next result; waits for ever without a stream.
pub(super) async fn next_result(
    results: &mut Option<pull::Stream>,
) -> anyhow::Result<jetstream::Message> {
    let Some(results) = results else { return std::future::pending().await };
    match results.next().await {
        Some(result) => result.map_err(|error| anyhow!(error)),
        None => Err(anyhow!(said!(
            "the stream of results has ended",
            "le flux des résultats est terminé"
        ))),
    }
}

/// Fails if another coordinator listens at the broker, or if the broker does not tell.
pub(super) async fn ensure_alone(connection: &BrokerConnection) -> anyhow::Result<()> {
    let mut attempt = 1;
    loop {
        let request = Request::new().payload("".into()).timeout(Some(PATIENCE));
        match connection.client().send_request(wire::CLAIMS, request).await {
            Ok(_) => bail!(said!(
                "another coordinator plays through the broker {}",
                "un autre tournoi passe déjà par le serveur de messages {}",
                connection.shown()
            )),
            Err(error) if error.kind() == RequestErrorKind::NoResponders => return Ok(()),
            Err(error) if attempt == ATTEMPTS => {
                return Err(error).with_context(|| {
                    said!(
                        "the broker {} does not say whether another coordinator plays through it",
                        "le serveur de messages {} ne dit pas si un autre tournoi y passe",
                        connection.shown()
                    )
                });
            }
            // The broker may be away.
            Err(_) => sleep(PAUSE).await,
        }
        attempt += 1;
    }
}

/// Makes the streams at the start, and sends the packages; tries a few times if the broker goes away meanwhile.
pub(super) async fn prepare(
    connection: &BrokerConnection,
    assignment: &Assignment,
    packages: &Packages,
) -> anyhow::Result<(Stream, pull::Stream)> {
    let mut attempt = 1;
    loop {
        let made = async {
            let streams = open(connection, assignment, true).await?;
            let anew = BTreeSet::new();
            files::send_packages(connection, &assignment.packages, packages, &anew).await?;
            Ok(streams)
        };
        match made.await {
            Err(_) if attempt < ATTEMPTS => sleep(PAUSE).await,
            made => return made,
        }
        attempt += 1;
    }
}

/// The stream of matchups, and the messages of the stream of results. With `is_start`, the broker delivers all results
/// again that are not acknowledged.
pub(super) async fn open(
    connection: &BrokerConnection,
    assignment: &Assignment,
    is_start: bool,
) -> anyhow::Result<(Stream, pull::Stream)> {
    let (matchups, results) = connection.make_streams(&assignment.tournament).await?;
    let workers = matchups.create_consumer(connection::workers(assignment.lease)).await;
    workers.map_err(|error| anyhow!(error))?;
    if is_start {
        // The consumer may not exist yet.
        let _ = results.delete_consumer(wire::COORDINATOR).await;
    }
    let consumer = results.get_or_create_consumer(wire::COORDINATOR, connection::results()).await;
    let consumer = consumer.map_err(|error| anyhow!(error))?;
    let results = consumer.stream().max_messages_per_batch(BATCH).heartbeat(HEARTBEAT);
    let results = results.expires(HEARTBEAT * 6).messages().await?;
    Ok((matchups, results))
}
