//! Tournaments over a LAN, on this machine.

mod browsers;
mod crowd;
mod process;
mod wire;

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use plan::{FaultKind, Outcome};
use tokio::time::sleep;
use tournament::tournament::Tournament;

use crate::{Folder, MAP, client};
use process::{Lan, command, mdns_port};
use wire::{Heard, Wire};

const COURSE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../server/tests/programs/course_client.py");

/// A client's program, which looks for its server for a while.
fn program(name: &str, flags: &[&str]) -> Child {
    let mut program = Command::new(client());
    program.args(["--equipe", name, "--ia", "glouton", "--journal", "warn"]).args(flags);
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Output of a program that succeeded.
fn said(output: Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The seats in which something went wrong: team and kind.
fn faults(outcomes: &[Outcome]) -> Vec<(&str, FaultKind)> {
    let seats = outcomes.iter().flat_map(|outcome| &outcome.seats);
    seats.filter_map(|seat| Some((seat.team.as_str(), seat.fault.as_ref()?.kind))).collect()
}

fn teams(folder: &Folder) -> Vec<String> {
    let tournament = Tournament::look(&folder.path("tournoi.sqlite")).unwrap();
    tournament.plan().teams.iter().map(|team| team.name.clone()).collect()
}

#[tokio::test]
async fn teams_play_game_after_game_until_all_is_played() {
    let folder = Folder::new();
    let mut lan = Lan::begin(&folder, &["--manches", "2"]).await;
    lan.press_enter();
    lan.says("nobody is there yet").await;
    let port = lan.port.to_string();
    let programs = ["Ada", "Bob"].map(|name| program(name, &["--port", &port]));
    let mut course = Command::new("python3");
    course.args([COURSE, &port, "Çà"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let course = course.spawn().unwrap();
    lan.says("(present: 3)").await;
    // A client that is gone at the start is no team, and a team is not called like a bot.
    let trial = Wire::register(lan.port, "trial").await;
    lan.says("+ trial").await;
    drop(trial);
    lan.says("- trial is gone").await;
    let glouton = Wire::register(lan.port, "glouton").await.plays();
    lan.says("(present: 4)").await;
    lan.press_enter();
    let printed = lan.ends_well().await;
    assert!(!printed.contains("0 teams") && !printed.contains("0 rounds"), "{printed}");
    for name in ["Ada", "Bob", "Çà", "glouton"] {
        let ranked = printed.lines().filter(|line| {
            let mut words = line.split_whitespace();
            words.next().is_some_and(|word| word.parse::<u32>().is_ok())
                && words.next() == Some(name)
        });
        assert_eq!(ranked.count(), 1, "{name}: {printed}");
    }
    for program in programs {
        assert_eq!(said(program.wait_with_output().unwrap()).matches("game over").count(), 8);
    }
    let course = said(course.wait_with_output().unwrap());
    assert!(course.starts_with("games 8, turns "), "{course}");
    assert_eq!(glouton.await.unwrap(), (8, Heard::Quit));
    let outcomes = folder.outcomes("tournoi.sqlite");
    assert_eq!(outcomes.len(), 8);
    assert!(outcomes.iter().all(|game| game.elapsed == 6));
    assert_eq!(faults(&outcomes), []);
    assert_eq!(teams(&folder).len(), 4);
}

#[tokio::test]
async fn bots_of_the_house_play_too_and_nobody_takes_their_names() {
    let folder = Folder::new();
    let flags = ["--manches", "1", "--equipe", "ia:glouton", "--commencer-a", "1"];
    let mut lan = Lan::begin(&folder, &flags).await;
    let team = Wire::register(lan.port, "glouton").await.plays();
    lan.says("they play: glouton_2").await;
    lan.ends_well().await;
    assert_eq!(team.await.unwrap(), (4, Heard::Quit));
    assert_eq!(teams(&folder), ["glouton", "glouton_2"]);
}

#[tokio::test]
async fn teams_reconnect_and_late_teams_join_at_the_next_round() {
    let folder = Folder::new();
    let mut lan = Lan::begin(&folder, &["--manches", "3", "--absence", "1h"]).await;
    let port = lan.port;
    let mut ada = Wire::register(port, "Ada").await;
    lan.says("+ Ada").await;
    let mut bob = Wire::register(port, "Bob").await;
    lan.says("+ Bob").await;
    let others = ["Eve", "Zoé"]
        .map(|name| tokio::spawn(async move { Wire::register(port, name).await.play().await }));
    lan.says("(present: 4)").await;
    lan.press_enter();
    lan.says("they play: Ada, Bob").await;

    // In the middle of a game, which Bob does not let go on meanwhile.
    for _ in 0..3 {
        ada.play_turns(1).await;
        bob.play_turns(1).await;
    }
    // Closing may take back what was sent last: its answer has counted by now.
    assert_eq!(ada.hears().await, Heard::State(3, 6));
    drop(ada);
    lan.says("- Ada is gone").await;
    let mut ada = Wire::register(port, "Ada").await;
    lan.says("+ Ada").await;
    assert_eq!(ada.hears().await, Heard::State(3, 6));
    ada.answer().await;
    let bob = bob.plays();
    // The rest of that game with its last state, the second and the third game.
    ada.play_turns(3 + 7 + 7).await;
    // Between two games, or when the next one has just begun; the one after it waits.
    drop(ada);
    lan.says("- Ada is gone").await;
    let late = Wire::register(port, "Late").await.plays();
    lan.says("+ Late").await;
    let ada = Wire::register(port, "Ada").await.plays();
    lan.says("they play: Late").await;
    lan.ends_well().await;

    for team in others.into_iter().chain([ada, bob, late]) {
        assert_eq!(team.await.unwrap().1, Heard::Quit);
    }
    // In each round the four of them have their group, and the late one has another with three of them.
    let outcomes = folder.outcomes("tournoi.sqlite");
    assert_eq!(outcomes.len(), 3 * 2 * 4);
    let plays_late = |game: &&Outcome| game.seats.iter().any(|seat| seat.team == "Late");
    assert_eq!(outcomes.iter().filter(plays_late).count(), 3 * 4);
    let first = outcomes.iter().filter(plays_late).map(|game| game.began).min().unwrap();
    let before = |game: &&Outcome| game.round == 1 && !plays_late(game) && game.began < first;
    assert_eq!(outcomes.iter().filter(before).count(), 4, "the round that ran was not disturbed");
    let faults = faults(&outcomes);
    assert!(faults.is_empty() || faults == [("Ada", FaultKind::Disconnected)], "{faults:?}");
}

#[tokio::test]
async fn only_listed_teams_are_admitted() {
    let folder = Folder::new();
    std::fs::write(folder.path("list.txt"), "Ada#correcthorse\n\nBob\nNever\n").unwrap();
    let flags = ["--manches", "1", "--equipes", "list.txt", "--commencer-a", "2"];
    let mut lan = Lan::begin(&folder, &flags).await;
    lan.says("missing: Ada, Bob, Never").await;
    for (wrong, why) in [
        (
            "Ada",
            "Ada is refused, from 127.0.0.1: the list has a secret for this name, and none was given",
        ),
        ("Ada#wronghorse", "Ada is refused, from 127.0.0.1: this name has another secret"),
        ("Zoé", "Zoé is refused, from 127.0.0.1: this name is not on the list"),
        (
            "ada#correcthorse",
            "ada is refused, from 127.0.0.1: this name is not on the list; Ada is",
        ),
        ("Nevér", "Nevér is refused, from 127.0.0.1: this name is not on the list; Never is"),
    ] {
        assert_eq!(Wire::register(lan.port, wrong).await.hears().await, Heard::Refused, "{wrong}");
        lan.says(why).await;
    }
    // Once is enough.
    assert_eq!(Wire::register(lan.port, "Zoé").await.hears().await, Heard::Refused);
    let ada = Wire::register(lan.port, "Ada#correcthorse").await.plays();
    lan.says("+ Ada (present: 1; missing: Bob, Never)").await;
    let bob = Wire::register(lan.port, "Bob").await.plays();
    let printed = lan.ends_well().await;
    assert!(!printed.contains("horse"), "{printed}");
    assert_eq!(printed.matches("Zoé is refused").count(), 1, "{printed}");
    for team in [ada, bob] {
        assert_eq!(team.await.unwrap(), (4, Heard::Quit));
    }
    assert_eq!(teams(&folder), ["Ada", "Bob"]);
}

#[tokio::test]
async fn the_organiser_reads_on_the_page_who_is_refused_and_nobody_else_does() {
    let folder = Folder::new();
    std::fs::write(folder.path("list.txt"), "Zoé#correcthorse\n").unwrap();
    let flags = ["--manches", "1", "--equipes", "list.txt", "--web", "0"];
    let mut lan = Lan::begin(&folder, &flags).await;
    let page = lan.page().await;
    assert_eq!(Wire::register(lan.port, "Zoe").await.hears().await, Heard::Refused);
    lan.says("Zoe is refused").await;
    assert_eq!(page.refused("").0, 401);
    let (status, list) = page.refused(&page.token);
    assert_eq!(status, 200);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let french =
        "inscription refusée à Zoe, depuis 127.0.0.1 : ce nom n'est pas sur la liste ; Zoé y est";
    assert_eq!(list[0]["fr"], french);
    // A team that has been admitted is no longer listed as refused.
    let zoe = Wire::register(lan.port, "Zoé#correcthorse").await.plays();
    lan.says("+ Zoé (present: 1)").await;
    let zoe_again = Wire::register(lan.port, "Zoé").await;
    drop(zoe_again);
    lan.says("Zoé is refused").await;
    lan.press_enter();
    assert_eq!(zoe.await.unwrap(), (4, Heard::Quit));
    lan.says("the page stays until Ctrl-C").await;
    lan.signal("-INT");
    lan.ends_well().await;
}

#[tokio::test]
async fn the_page_shows_all_teams_that_arrive_at_the_same_moment() {
    let folder = Folder::new();
    let mut lan = Lan::begin(&folder, &["--web", "0"]).await;
    let page = lan.page().await;
    let names = ["Ada", "Bob", "Eve", "Zoé"];
    let mut wires = Vec::new();
    for name in names {
        wires.push(Wire::register(lan.port, name).await);
    }
    lan.says("(present: 4)").await;
    let teams = names.map(|name| format!(r#"{{"name":"{name}","presence":"present"}}"#));
    tokio::task::spawn_blocking(move || page.is_told(&teams.each_ref().map(String::as_str)))
        .await
        .unwrap();
}

#[tokio::test]
async fn after_kill_9_it_goes_on_also_without_who_does_not_come_back() {
    let folder = Folder::new();
    // Games last for a while, so that it is killed in the middle of one.
    let mut lan = Lan::begin(&folder, &["--manches", "3", "--tempo", "30ms"]).await;
    let port = lan.port.to_string();
    let patient = ["--port", &port, "--insister", "60s"];
    let programs = ["Ada", "Bob"].map(|name| program(name, &patient));
    let others = [Wire::register(lan.port, "Eve").await, Wire::register(lan.port, "Zoé").await];
    let others = others.map(Wire::plays);
    lan.says("(present: 4)").await;
    lan.press_enter();
    lan.says("they play").await;
    let base = "tournoi.sqlite";
    while folder.outcomes(base).len() < 3 {
        sleep(Duration::from_millis(10)).await;
    }
    lan.signal("-KILL");
    drop(lan);
    for other in others {
        assert_eq!(other.await.unwrap().1, Heard::Closed);
    }
    let before = folder.outcomes(base);
    assert!((3..12).contains(&before.len()), "{}", before.len());

    let flags = ["--port", &port, "--absence", "100ms", "--commencer-a", "3"];
    let mut lan = Lan::start(&folder, &flags).await;
    let line = lan.says("missing: ").await;
    assert!(["Ada", "Bob", "Eve", "Zoé"].iter().all(|name| line.contains(name)), "{line}");
    let eve = Wire::register(lan.port, "Eve").await.plays();
    lan.says("(present: 3; missing: Zoé)").await;
    lan.ends_well().await;
    assert_eq!(eve.await.unwrap().1, Heard::Quit);
    for program in programs {
        let output = program.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let after = folder.outcomes(base);
    let keys: BTreeSet<_> = after.iter().map(|game| game.key).collect();
    assert_eq!((after.len(), keys.len()), (12, 12));
    assert!(before.iter().all(|game| after.contains(game)), "what was played stays");
    let absent = vec![("Zoé", FaultKind::Disconnected); 12 - before.len()];
    assert_eq!(faults(&after), absent);
    let mut names = teams(&folder);
    names.sort();
    assert_eq!(names, ["Ada", "Bob", "Eve", "Zoé"]);

    // A tournament that has played all games ends at once, even if teams come.
    let lan = Lan::start(&folder, &["--commencer-a", "1"]).await;
    let eve = Wire::register(lan.port, "Eve").await.plays();
    lan.ends_well().await;
    assert_eq!(eve.await.unwrap(), (0, Heard::Quit));
    assert_eq!(folder.outcomes(base), after);
}

#[tokio::test]
async fn a_restart_leaves_each_seat_to_its_team() {
    let folder = Folder::new();
    let flags = ["--manches", "1", "--commencer-a", "3"];
    let mut lan = Lan::begin(&folder, &flags).await;
    // The first one of this name that comes has it, the second one has it with a number.
    let secrets = ["Ada#correcthorse42", "Ada#batterystaple", "Bob"];
    let mut first = Vec::new();
    for name in secrets {
        first.push(Wire::register(lan.port, name).await);
        lan.says("+ ").await;
    }
    lan.says("they play").await;
    lan.signal("-KILL");
    drop((lan, first));
    assert_eq!(teams(&folder), ["Ada", "Ada_2", "Bob"]);
    let file = std::fs::read(folder.path("tournoi.sqlite")).unwrap();
    let wal = std::fs::read(folder.path("tournoi.sqlite-wal")).unwrap_or_default();
    for written in [file, wal] {
        assert!(!written.windows(12).any(|part| part == b"correcthorse"));
    }

    let lan = Lan::start(&folder, &["--commencer-a", "3"]).await;
    for wrong in ["Ada", "Ada#wronghorse42", "Bob#wronghorse42"] {
        assert_eq!(Wire::register(lan.port, wrong).await.hears().await, Heard::Refused, "{wrong}");
    }
    // In another order.
    let mut again = Vec::new();
    for name in [secrets[1], secrets[2], secrets[0]] {
        again.push(Wire::register(lan.port, name).await.plays());
    }
    lan.ends_well().await;
    for team in again {
        assert_eq!(team.await.unwrap(), (4, Heard::Quit));
    }
    assert_eq!(teams(&folder), ["Ada", "Ada_2", "Bob"]);
}

#[tokio::test]
async fn the_organiser_says_on_the_page_how_it_goes_on() {
    let folder = Folder::new();
    let mut lan = Lan::begin(&folder, &["--manches", "1", "--web", "0"]).await;
    let page = lan.page().await;
    for (token, more, status) in [
        ("", "", 401),
        ("0123456789abcdef0123456789abcdef", "", 401),
        (page.token.as_str(), "Origin: http://elsewhere.example\r\n", 403),
    ] {
        assert_eq!(page.act("start", token, more), status);
    }
    page.organise("start");
    lan.says("nobody is there yet").await;
    assert_eq!(page.refused("").0, 401);
    assert_eq!(page.refused(&page.token), (200, "[]".to_owned()));
    let mut ada = Wire::register(lan.port, "Ada").await;
    let bob = Wire::register(lan.port, "Bob").await.plays();
    lan.says("(present: 2)").await;
    page.organise("start");
    assert!(ada.hears().await.begins());
    page.organise("pause");
    lan.says("paused").await;
    ada.answer().await;
    ada.play_turns(6).await;
    ada.hears_nothing().await;
    page.organise("resume");
    lan.says("going on").await;
    assert!(ada.hears().await.begins());
    page.organise("end");
    lan.says("it ends after the games that are played now").await;
    ada.answer().await;
    assert_eq!(ada.play().await, (0, Heard::Quit));
    assert_eq!(bob.await.unwrap(), (2, Heard::Quit));
    lan.says("tournoi lan --results tournoi.sqlite` goes on").await;
    lan.says("the page stays until Ctrl-C").await;
    lan.signal("-INT");
    lan.ends_well().await;
    assert_eq!(folder.outcomes("tournoi.sqlite").len(), 2);
}

#[tokio::test]
async fn ctrl_c_gives_up_the_games_that_are_played_and_says_goodbye() {
    let folder = Folder::new();
    let mut lan = Lan::begin(&folder, &["--commencer-a", "2", "--manches", "1"]).await;
    let mut ada = Wire::register(lan.port, "Ada").await;
    let mut bob = Wire::register(lan.port, "Bob").await;
    assert!(ada.hears().await.begins() && bob.hears().await.begins());
    lan.says("they play").await;
    lan.signal("-INT");
    assert_eq!((ada.hears().await, bob.hears().await), (Heard::Quit, Heard::Quit));
    let (code, said, _) = lan.end().await;
    assert_eq!(code, Some(130));
    assert!(said.contains("tournoi lan --results tournoi.sqlite` goes on"), "{said}");
    assert_eq!(folder.outcomes("tournoi.sqlite"), []);
}

#[tokio::test]
async fn clients_discover_the_tournament_by_mdns() {
    let folder = Folder::new();
    let lan = Lan::begin(&folder, &["--manches", "1", "--commencer-a", "2"]).await;
    let clients = ["Ada", "Bob"].map(|name| {
        let mdns_port = lan.mdns_port.clone();
        thread::spawn(move || find_and_play(name, &mdns_port))
    });
    lan.ends_well().await;
    for client in clients {
        assert_eq!(said(client.join().unwrap()).matches("game over").count(), 4);
    }
}

/// A program that looks for the tournament: again, as people do, when it finds none.
fn find_and_play(name: &str, mdns_port: &str) -> Output {
    let auto = ["--serveur", "auto", "--port-mdns", mdns_port, "--insister", "3s"];
    for _ in 0..15 {
        let output = program(name, &auto).wait_with_output().unwrap();
        if output.status.code() != Some(2) {
            return output;
        }
    }
    panic!("{name} finds nothing");
}

#[tokio::test]
async fn tournament_without_a_way_to_start_is_an_error() {
    let folder = Folder::new();
    let output = command(&folder, &mdns_port(), &["--carte", MAP]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--web PORT or --start-with TEAMS lets it start"), "{error}");
}

#[test]
fn impossible_arguments_create_no_file() {
    let folder = Folder::new();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = other.local_addr().unwrap().port().to_string();
    for (file, text) in [
        ("twice.txt", "Ada\nAda#correcthorse\n"),
        ("none.txt", "\n\n"),
        ("house.txt", "Ada\nprudent\n"),
    ] {
        std::fs::write(folder.path(file), text).unwrap();
    }
    for (flags, expected) in [
        (vec!["--carte", MAP, "--port", &taken], "cannot listen on 127.0.0.1:"),
        (vec!["--carte", MAP, "--web", &taken], "cannot serve the page on 127.0.0.1:"),
        (vec![], "which maps?"),
        (vec!["--carte", MAP, "--equipes", "nowhere.txt"], "cannot read the teams nowhere.txt"),
        (vec!["--carte", MAP, "--equipes", "twice.txt"], "line 2: Ada is there twice"),
        (vec!["--carte", MAP, "--equipes", "none.txt"], "there is no team in it"),
        (
            vec!["--carte", MAP, "--equipe", "ia:prudent", "--equipes", "house.txt"],
            "prudent is on the list of teams",
        ),
        (vec!["--carte", MAP, "--equipe", "Ada=./bot"], "bots of the house only"),
        (
            vec!["--carte", MAP, "--formule", "poules", "--manches", "1"],
            "expected rounds before the final",
        ),
    ] {
        let output = command(&folder, &mdns_port(), &flags).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}: {error}");
        assert!(error.contains(expected), "{flags:?}: {error}");
        assert!(!folder.path("tournoi.sqlite").exists(), "{flags:?}");
    }
    let team = format!("Ada=python3 {} {{port}} malformed", crate::faults::BOT);
    folder.done(&["jouer", "--carte", MAP, "--duree", "1", "--equipe", &team]);
    let output = command(&folder, &mdns_port(), &[]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("tournoi resume tournoi.sqlite` goes on with it"), "{error}");
}
