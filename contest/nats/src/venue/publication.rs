//! Matchups at the broker: published once, looked for, and deleted.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{LastRawMessageErrorKind, Stream};
use cluster::Token;
use plan::Key;
use tokio::time::sleep;

use crate::connection::BrokerConnection;
use crate::files::TransferError;
use crate::wire::{self, MatchupMessage};

/// Pause after a failed request, before the broker is asked again for the matchup.
const PAUSE: Duration = Duration::from_millis(500);

/// The outcome of a directive.
pub(super) enum Done {
    /// The directive is carried out.
    Nothing,
    /// The broker has the matchup, under this number.
    Found(Key, u64),
    /// The broker has no such matchup.
    Lost(Key),
    /// The broker takes no message of this size, in bytes.
    TooLarge(Key, usize),
    /// The streams of matchups and results, or the error.
    Streams(anyhow::Result<Box<(Stream, pull::Stream)>>),
    /// All messages sent before this time have arrived; `None` if the broker has not answered.
    Heard(Option<Duration>),
    /// The broker has the packages, or the error.
    Packages(Result<(), TransferError>),
    /// The request failed for this reason, so that the matchup is to be looked for again.
    Unknown(Key, String),
}

/// Publishes a matchup, unless the broker has a message with its games and a number not below `at_least`.
pub(super) async fn publish(
    connection: BrokerConnection,
    stream: Stream,
    matchup: Key,
    message: MatchupMessage,
    at_least: u64,
) -> Done {
    let payload = wire::encode(&message);
    let (bytes, allowed) = (payload.len(), connection.client().max_payload());
    // The headers take less than 1024 bytes.
    if bytes + 1024 > allowed {
        return Done::TooLarge(matchup, bytes);
    }
    let payload = bytes::Bytes::from(payload);
    let mut why = String::new();
    for _ in 0..2 {
        let mut first = HeaderMap::new();
        first.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
        let subject = wire::matchup_subject(matchup);
        let jetstream = connection.jetstream();
        let payload = payload.clone();
        let sent = async { jetstream.publish_with_headers(subject, first, payload).await?.await };
        let Err(error) = sent.await else { return Done::Nothing };
        if error.kind() != PublishErrorKind::WrongLastSequence {
            why = error.to_string();
            break;
        }
        match last(&stream, matchup).await {
            Ok(Some(found)) => match wire::decode::<MatchupMessage>(&found.payload) {
                Ok(known) if is_as_good(&known, &message, at_least) => {
                    return Done::Found(matchup, known.publication);
                }
                _ => {
                    let _ = stream.delete_message(found.sequence).await;
                }
            },
            Ok(None) => {}
            Err(error) => {
                why = error;
                break;
            }
        }
    }
    sleep(PAUSE).await;
    Done::Unknown(matchup, why)
}

/// Looks for the message with a matchup.
pub(super) async fn check(stream: Stream, matchup: Key) -> Done {
    match last(&stream, matchup).await {
        Ok(Some(found)) => match wire::decode::<MatchupMessage>(&found.payload) {
            Ok(known) => Done::Found(matchup, known.publication),
            Err(_) => Done::Lost(matchup),
        },
        Ok(None) => Done::Lost(matchup),
        Err(why) => {
            sleep(PAUSE).await;
            Done::Unknown(matchup, why)
        }
    }
}

/// Deletes the message with a matchup, if the broker has one.
pub(super) async fn withdraw(stream: Stream, matchup: Key) -> Done {
    if let Ok(Some(found)) = last(&stream, matchup).await {
        let _ = stream.delete_message(found.sequence).await;
    }
    Done::Nothing
}

async fn last(stream: &Stream, matchup: Key) -> Result<Option<StreamMessage>, String> {
    match stream.get_last_raw_message_by_subject(&wire::matchup_subject(matchup)).await {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), LastRawMessageErrorKind::NoMessageFound) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

fn is_as_good(known: &MatchupMessage, wanted: &MatchupMessage, at_least: u64) -> bool {
    (at_least..=Token::LAST_PUBLICATION).contains(&known.publication)
        && known.tournament == wanted.tournament
        && wanted.jobs.iter().all(|job| known.jobs.contains(job))
}
