//! Requests for matchups, at a broker without a coordinator: a request that loses a matchup costs a lease.

use std::time::Duration;

use async_nats::jetstream::AckKind;
use nats::connection::{BrokerAddress, BrokerConnection};
use nats::wire;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{Broker, runtime};

/// Longest time in which a matchup that nobody has is expected to come.
const SOON: Duration = Duration::from_secs(10);

/// A connection to a broker that hands out matchups, with leases of an hour.
async fn connect(broker: &Broker) -> BrokerConnection {
    let url = broker.url().into();
    let address = BrokerAddress { url, credentials: None, authorities: None, patience: SOON };
    let connection = BrokerConnection::connect(&address, "test").await.unwrap();
    let (matchups, _) = connection.make_streams("test").await.unwrap();
    let hour = Duration::from_secs(3600);
    matchups.create_consumer(nats::connection::workers(hour)).await.unwrap();
    connection
}

async fn publish_matchup(connection: &BrokerConnection) {
    let subject = wire::ANY_MATCHUP.replace('*', "1");
    let published = connection.jetstream().publish(subject, "matchup".into()).await;
    published.unwrap().await.unwrap();
}

#[test]
fn a_request_that_is_given_up_loses_no_matchup() {
    let broker = Broker::start(&["-js"]);
    runtime().block_on(async {
        let connection = connect(&broker).await;
        publish_matchup(&connection).await;
        let (mut taken, mut missed) = (0, 0);
        for round in 0..400 {
            let rest = CancellationToken::new();
            let giving_up = rest.clone();
            let request = connection.next_matchup(&rest);
            let (message, ()) = tokio::join!(timeout(SOON, request), async move {
                sleep(Duration::from_micros(round % 100 * 20)).await;
                giving_up.cancel();
            });
            match message.expect("the request ends").unwrap() {
                Some(message) => {
                    taken += 1;
                    message.ack_with(AckKind::Nak(None)).await.unwrap();
                }
                None => missed += 1,
            }
        }
        assert!(taken > 0 && missed > 0, "{taken} taken, {missed} given up: no race");
        let rest = CancellationToken::new();
        let message = timeout(SOON, connection.next_matchup(&rest)).await;
        assert!(message.is_ok(), "after {taken} taken and {missed} given up, the matchup is lost");
    });
}

#[test]
fn a_request_that_has_waited_for_long_gets_the_next_matchup_at_once() {
    let broker = Broker::start(&["-js"]);
    runtime().block_on(async {
        let connection = connect(&broker).await;
        // In a task of its own, which nothing but the matchup wakes.
        let waiting = connection.clone();
        let rest = CancellationToken::new();
        let request = tokio::spawn(async move { waiting.next_matchup(&rest).await });
        // The broker sends a heartbeat every five seconds.
        sleep(Duration::from_secs(6)).await;
        publish_matchup(&connection).await;
        let message = timeout(SOON, request).await.expect("it comes soon").unwrap();
        assert!(message.unwrap().is_some());
    });
}
