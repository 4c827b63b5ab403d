//! Requests to stop, also while a bot of the house thinks.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{client_program, interrupt, server_command};

#[test]
fn a_server_with_a_bot_that_thinks_for_long_can_be_interrupted() {
    // Computing all distances in a maze of this size takes minutes.
    let mut server = server_command()
        .args(["pyrat", "--remplir", "floyd_warshall", "--attendre-entree"])
        .args(["--largeur", "49", "--hauteur", "49", "--preparation", "600s", "--graine", "1"])
        .args(["--port", "0", "--nom-partie", "/dev/null"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    server.stdin.take().unwrap().write_all(b"\n").unwrap();
    let log = BufReader::new(server.stderr.take().unwrap());
    let begun = log.lines().map_while(Result::ok).any(|line| line.contains("game 1 begins"));
    assert!(begun);
    ends_when_interrupted(server);
}

#[test]
fn a_client_that_thinks_for_long_can_be_interrupted() {
    let mut server = server_command()
        .args(["pyrat", "--largeur", "49", "--hauteur", "49"])
        .args([
            "--preparation",
            "600s",
            "--graine",
            "1",
            "--port",
            "0",
            "--nom-partie",
            "/dev/null",
        ])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut welcome = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut welcome).unwrap();
    let address = welcome.split(' ').nth(2).unwrap();
    let client = std::process::Command::new(client_program())
        .args(["pyrat", "Ada", "--ia", "floyd_warshall", "--serveur", address, "--journal", "off"])
        .spawn()
        .unwrap();
    // The client thinks by now, or will soon; the test holds for both.
    sleep(Duration::from_millis(300));
    ends_when_interrupted(client);
    server.kill().unwrap();
    server.wait().unwrap();
}

/// Checks that a process ends when interrupted every 200 ms. It takes three requests; two within 0.5 s count as one.
fn ends_when_interrupted(mut process: std::process::Child) {
    let start = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            process.kill().unwrap();
            panic!("a minute of requests to stop did not end it");
        }
        interrupt(&process);
        sleep(Duration::from_millis(200));
    };
    assert_eq!(status.code(), Some(130));
}
