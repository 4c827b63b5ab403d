//! A machine with three busy threads per core: no player is charged for turns in which the server itself was late.
//!
//! It loads every core, and is run alone. `LOADED_GAMES=100 cargo test --release -p server --test programs loaded -- --nocapture`
//! plays more games.

use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::{client_of, ended_well, from_environment, server_command, start};

#[test]
fn players_on_a_loaded_machine_are_not_charged_with_turns_in_which_the_server_was_late() {
    let games = from_environment("LOADED_GAMES", 1).to_string();
    let done = AtomicBool::new(false);
    let cores = thread::available_parallelism().unwrap().get();
    thread::scope(|scope| {
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let mut command = server_command();
        command
            .args(["--carte", "cartes/plan1.txt", "--delai", "100ms", "--journal", "debug"])
            .args(["--parties", &games, "--nom-partie", "/dev/null", "--sans-enregistrement"]);
        let (mut server, output, port) = start(&mut command);
        let drained = scope.spawn(move || output.lines().for_each(drop));
        let clients = ["Ada", "Bob", "Eve", "Zoé"].map(|name| client_of("dijkstra", name, port));
        let log = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
        // The cause of each missed turn, and the stall in microseconds.
        let misses: Vec<(String, u64)> = log
            .filter_map(|line| {
                let (_, miss) = line.split_once(" misses turn ")?;
                let (_, cause) = miss.split_once(": ")?;
                let (cause, stalled) = cause.split_once(", stalled for ")?;
                Some((cause.to_owned(), stalled.strip_suffix(" µs")?.parse().unwrap()))
            })
            .collect();
        assert!(server.wait().unwrap().success());
        drained.join().unwrap();
        done.store(true, Ordering::Relaxed);
        for client in clients {
            ended_well(&client.wait_with_output().unwrap());
        }
        let count = |cause: &str, was_late: bool| {
            misses.iter().filter(|(word, stall)| word == cause && (*stall > 0) == was_late).count()
        };
        println!(
            "missed: host {}, network {}, bot {} and {} while the server was late",
            count("host", true),
            count("network", true) + count("network", false),
            count("bot", false),
            count("bot", true),
        );
        assert_eq!(count("bot", true), 0, "turns charged to players while the server was late");
    });
}
