//! A server that is stopped by signals: no player is charged for it.
//!
//! `STOPS=20 PAUSE_MS=3000 cargo test --release -p server --test programs stopped -- --nocapture` stops the server
//! more often.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use referee::Cause;
use replay::Recording;

use crate::{client, ended_well, from_environment, interrupt, server_command, start};

#[test]
fn players_of_a_server_that_is_stopped_miss_nothing_by_their_own_fault() {
    let stops = from_environment("STOPS", 4);
    let pause = Duration::from_millis(from_environment("PAUSE_MS", 700));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.rejeu");
    let mut command = server_command();
    command
        .args(["--duree", "4000000", "--delai", "500ms", "--nom-partie", "/dev/null"])
        .arg("--enregistrer")
        .arg(&path);
    let (mut server, _output, port) = start(&mut command);
    let clients = ["Ada", "Bob", "Eve", "Zoé"].map(|name| client(name, port));
    let mut log = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(log.any(|line| line.contains("game 1 begins")));
    let logged = std::thread::spawn(move || log.for_each(drop));
    let pid = server.id().to_string();
    let signal = |signal: &str| {
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    };
    for _ in 0..stops {
        sleep(Duration::from_millis(100));
        signal("-STOP");
        sleep(pause);
        signal("-CONT");
    }
    sleep(Duration::from_millis(200));
    interrupt(&server);
    assert_eq!(server.wait().unwrap().code(), Some(130));
    logged.join().unwrap();
    for client in clients {
        ended_well(&client.wait_with_output().unwrap());
    }
    let recording = Recording::read(&fs::read(&path).unwrap()).unwrap();
    let mut missed = [0; 3];
    let answers = recording.turns.iter().flat_map(|turn| turn.answers);
    for cause in answers.filter_map(|given| given.cause) {
        missed[match cause {
            Cause::Bot => 0,
            Cause::Network(_) => 1,
            Cause::Host(_) => 2,
        }] += 1;
    }
    let [bot, network, host] = missed;
    println!("{} turns; missed: bot {bot}, network {network}, host {host}", recording.turns.len());
    assert!(!recording.turns.is_empty());
    assert_eq!((bot, network), (0, 0), "turns that were charged to players");
}
