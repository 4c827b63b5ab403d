//! Messages of somebody who reaches the broker and is no worker.

use std::thread;
use std::time::{Duration, Instant};

use async_nats::Client;
use async_nats::jetstream::object_store::{ObjectMetadata, ObjectStore};
use bytes::Bytes;
use cluster::{Capacity, Token, WorkerName};
use futures_util::StreamExt as _;
use nats::wire::{self, ClaimMessage, GivenBack, Heartbeat, Hello, MatchupMessage, Spoilt};
use plan::Key;
use serde::Serialize;
use tournament::store::Store;

use super::{Broker, Worker, matchups_are_published, on_one_machine, runtime, tournament, words};
use crate::{Folder, table};

fn json(message: &impl Serialize) -> Bytes {
    serde_json::to_vec(message).unwrap().into()
}

fn eve() -> WorkerName {
    "eve".to_owned().into()
}

/// Messages about a matchup that another worker has claimed.
fn about(claim: &ClaimMessage) -> Vec<(String, Bytes)> {
    let spoilt = Spoilt { game: claim.matchup, fault: "made up".to_owned(), outcome: None };
    let reasons = [
        GivenBack::TooLarge { bytes: 2, allowed: 1 },
        GivenBack::Fault(vec![spoilt; 3]),
        GivenBack::NoPackage("made up".to_owned()),
        GivenBack::Foreign("made up".to_owned()),
        GivenBack::Stopped,
    ];
    let made_up =
        |token, given_back| ClaimMessage { worker: eve(), token, given_back, ..claim.clone() };
    let Token { publication, delivery } = claim.token;
    let tokens = [
        Token { publication: u64::MAX, delivery },
        Token { publication: publication + 1, delivery },
        Token { publication, delivery: u64::MAX },
    ];
    let mut all: Vec<_> = tokens.map(|token| made_up(token, None)).into();
    for reason in reasons {
        let tokens = tokens.into_iter().chain([claim.token]);
        all.extend(tokens.map(|token| made_up(token, Some(reason.clone()))));
    }
    all.iter().map(|claim| (wire::CLAIMS.to_owned(), json(claim))).collect()
}

/// Messages about nothing.
fn at_any_time(tournament: &str) -> Vec<(String, Bytes)> {
    let long = WorkerName::from("e".repeat(100_000));
    let lateness = Duration::MAX;
    let capacity = Capacity {
        engine: "other".to_owned(),
        places: u32::MAX,
        turns_per_second: u32::MAX,
        lateness,
    };
    let beat =
        |worker| Heartbeat { worker, places: u32::MAX, load: Some(u32::MAX), is_leaving: false };
    let matchup = |tournament: &str| MatchupMessage {
        tournament: tournament.to_owned(),
        publication: u64::MAX,
        jobs: Vec::new(),
    };
    let subject = || wire::matchup_subject(Key::from_bytes([7; 16]));
    let mut all = vec![
        (wire::HELLO.to_owned(), json(&Hello { worker: long.clone(), capacity: capacity.clone() })),
        (wire::HELLO.to_owned(), json(&Hello { worker: eve(), capacity })),
        (wire::HEARTBEATS.to_owned(), json(&beat(long))),
        (wire::HEARTBEATS.to_owned(), json(&beat(eve()))),
        (subject(), json(&matchup(tournament))),
    ];
    for subject in [wire::HELLO, wire::CLAIMS, wire::HEARTBEATS, wire::RESULT, wire::NEWS] {
        for junk in [&b"junk"[..], b"{}", &[255; 64]] {
            all.push((subject.to_owned(), junk.into()));
        }
    }
    all.push((subject(), Bytes::from_static(b"junk")));
    all
}

#[test]
fn a_hostile_message_of_any_kind_costs_nothing() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let url = broker.url();
    let runtime = runtime();
    let _inside = runtime.enter();
    // No lease ends during the test: a matchup that is lost is never played.
    let arguments = [&["jouer", "--nats", &url, "--bail", "1h"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    let (client, mut claims) = runtime.block_on(async {
        let client: Client = async_nats::connect(&url).await.unwrap();
        matchups_are_published(&client).await;
        let claims = client.subscribe(wire::CLAIMS).await.unwrap();
        client.flush().await.unwrap();
        (client, claims)
    });
    let worker = Worker::start(&folder, &broker, "worker");
    let give_up = Instant::now() + Duration::from_secs(120);
    runtime.block_on(async {
        let mut rounds = 0;
        while coordinator.try_wait().unwrap().is_none() {
            assert!(Instant::now() < give_up, "a matchup is lost");
            let next = tokio::time::timeout(Duration::from_millis(100), claims.next()).await;
            let Ok(Some(message)) = next else { continue };
            let claim = serde_json::from_slice::<ClaimMessage>(&message.payload);
            let Ok(claim) = claim else { continue };
            if claim.worker.as_str() != "worker" || claim.given_back.is_some() {
                continue;
            }
            rounds += 1;
            for (subject, payload) in
                about(&claim).into_iter().chain(at_any_time(&claim.tournament))
            {
                client.publish(subject, payload).await.unwrap();
            }
            client.flush().await.unwrap();
        }
        assert!(rounds > 0);
    });
    assert!(coordinator.wait().unwrap().success());
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
    let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
    assert_eq!(store.attempts().unwrap(), []);
    assert_eq!(worker.stop(), Some(130));
}

/// Puts an object into the place of each package.
async fn replace(files: &ObjectStore, with: impl Fn(usize) -> Vec<u8>) {
    let all: Vec<_> = files.list().await.unwrap().collect().await;
    assert!(!all.is_empty());
    for info in all {
        let info = info.unwrap();
        let metadata = ObjectMetadata { name: info.name, ..ObjectMetadata::default() };
        files.put(metadata, &mut with(info.size).as_slice()).await.unwrap();
    }
}

#[test]
fn packages_that_somebody_replaces_are_not_read_and_given_again() {
    let flags = tournament();
    let flags = words(&flags);
    let expected = on_one_machine(&flags);
    let larger: fn(usize) -> Vec<u8> = |size| vec![0; size + 1];
    let other: fn(usize) -> Vec<u8> = |size| vec![7; size];
    for with in [larger, other] {
        let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
        let url = broker.url();
        let arguments = [&["jouer", "--nats", &url][..], &flags].concat();
        let mut coordinator = folder.command(&arguments).spawn().unwrap();
        runtime().block_on(async {
            let jetstream = matchups_are_published(&async_nats::connect(&url).await.unwrap()).await;
            replace(&jetstream.get_object_store(wire::FILES).await.unwrap(), with).await;
        });
        let worker = Worker::start(&folder, &broker, "worker");
        let give_up = Instant::now() + Duration::from_secs(120);
        while coordinator.try_wait().unwrap().is_none() {
            assert!(Instant::now() < give_up, "the packages are never given again");
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(table(&folder.outcomes("tournoi.sqlite")), expected);
        let store = Store::look(&folder.path("tournoi.sqlite")).unwrap();
        assert_eq!(store.attempts().unwrap(), [], "the worker is not to blame");
        assert_eq!(worker.stop(), Some(130));
    }
}
