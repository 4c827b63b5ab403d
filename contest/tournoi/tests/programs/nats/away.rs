//! Workers and coordinators that are away for a while.

use std::thread;
use std::time::{Duration, Instant};

use super::partition::{Network, Traffic};
use super::{Broker, Worker, is_over, on_one_machine, tournament, words};
use crate::faults::BOT;
use crate::killed::{processes_in, signal};
use crate::{Folder, MAP, table};

#[test]
fn a_worker_that_was_away_when_its_tournament_ended_ends_too() {
    let flags = tournament();
    let flags = words(&flags);
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let network = Network::before(broker.port);
    let arguments = ["ouvrier", &network.url(), "--une-fois", "--places", "1"];
    let mut away = folder.command(&arguments).spawn().unwrap();
    let url = broker.url();
    let arguments = [&["jouer", "--nats", &url, "--bail", "1s"][..], &flags].concat();
    let mut coordinator = folder.command(&arguments).spawn().unwrap();
    let give_up = Instant::now() + Duration::from_secs(120);
    // Wait until a part of the first package has arrived: the worker is at work.
    network.lose_after(1 << 20, give_up);
    let other = Worker::start(&folder, &broker, "other");
    while !is_over(&mut coordinator) {
        assert!(Instant::now() < give_up, "the other one does not play");
        thread::sleep(Duration::from_millis(20));
    }
    network.cut();
    network.set(Traffic::Passes, Traffic::Passes);
    while !is_over(&mut away) {
        assert!(Instant::now() < give_up, "it waits for ever");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(table(&folder.outcomes("tournoi.sqlite")), on_one_machine(&flags));
    assert_eq!(other.stop(), Some(130));
}

#[test]
fn a_coordinator_that_was_stopped_for_longer_than_a_lease_calls_no_worker_silent() {
    let (broker, folder) = (Broker::start(&["-js"]), Folder::new());
    let worker = Worker::start(&folder, &broker, "worker");
    let team = format!("Ada=python3 {BOT} {{port}} slow");
    let url = broker.url();
    let flags = ["--carte", MAP, "--duree", "60", "--equipe", &team, "--equipe", "ia:prudent"];
    let arguments =
        [&["jouer", "--nats", &url, "--bail", "1s", "--journal", "warn"][..], &flags].concat();
    let coordinator = folder.command(&arguments).spawn().unwrap();
    let give_up = Instant::now() + Duration::from_secs(60);
    while processes_in(&folder) < 3 {
        assert!(Instant::now() < give_up, "nothing is played");
        thread::sleep(Duration::from_millis(20));
    }
    for _ in 0..3 {
        signal(&coordinator, "-STOP");
        thread::sleep(Duration::from_millis(1500));
        signal(&coordinator, "-CONT");
        thread::sleep(Duration::from_millis(200));
    }
    // A stopped worker, however, is silent.
    signal(&worker.0, "-STOP");
    thread::sleep(Duration::from_millis(1500));
    signal(&worker.0, "-CONT");
    signal(&coordinator, "-INT");
    let output = coordinator.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.matches("worker is silent").count(), 1, "{said}");
    assert_eq!(worker.stop(), Some(130));
}
