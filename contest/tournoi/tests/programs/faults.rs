//! Programs that go wrong: a fact in the result, not an error of the tournament.

use std::thread;
use std::time::Duration;

use language::Language;
use plan::{FaultKind, MissedTurn, Note, Outcome, SeatOutcome};
use replay::{Analysis, Answer, Recording};

use tournament::tournament::Tournament;

use crate::killed::signal;
use crate::{Folder, MAP};

pub(crate) const BOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/bots/faulty.py");

/// Plays four games of a faulty program against the house.
fn play(team: &str, flags: &[&str]) -> (Folder, Vec<Outcome>) {
    let folder = Folder::new();
    // Such a deadline is too long for a short stall of this machine to explain a miss.
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "700ms", "--parallele", "2"];
    folder.done(&[&game[..], &["--equipe", team], flags].concat());
    let outcomes = folder.outcomes("tournoi.sqlite");
    assert_eq!(outcomes.len(), 4);
    (folder, outcomes)
}

fn seat<'a>(outcome: &'a Outcome, team: &str) -> &'a SeatOutcome {
    outcome.seats.iter().find(|seat| seat.team == team).unwrap()
}

/// However slow this machine is, a crowd of processes is that of the program itself.
#[test]
fn a_fork_bomb_is_to_blame() {
    let team = format!("Ada=python3 {BOT} {{port}} bomb");
    let folder = Folder::new();
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "700ms", "--equipe", &team];
    let said = folder.done(&[&game[..], &["--processus", "40", "--parallele", "2"]].concat());
    let outcomes = folder.outcomes("tournoi.sqlite");
    assert_eq!(outcomes.len(), 4);
    let ada: Vec<_> = outcomes.iter().map(|outcome| seat(outcome, "Ada")).collect();
    if ada.iter().all(|seat| seat.usage.as_ref().is_none_or(|usage| usage.failed_forks == 0)) {
        println!("there is no control group to count processes");
        return;
    }
    for seat in ada {
        let fault = seat.fault.clone().unwrap();
        assert_eq!(fault.kind, FaultKind::TimedOut, "{fault:?}");
        assert!(fault.detail.en.contains("too many processes"), "{fault:?}");
        assert!(seat.thinking.misses.host == 0 && seat.thinking.misses.bot >= 6, "{seat:?}");
    }
    assert!(!said.contains("is played again"), "{said}");
}

#[test]
fn faults_are_recorded_with_their_team_and_turn() {
    for (how, kind, turn, detail) in [
        ("crash", FaultKind::Crashed, Some(6), "the code 1: ValueError: the answer is 42"),
        ("kill", FaultKind::Crashed, Some(6), "the signal 9"),
        ("close", FaultKind::Disconnected, Some(6), "not connected in 7 turns"),
        ("sleep", FaultKind::TimedOut, None, "did not answer in time in "),
        ("early", FaultKind::NotRegistered, None, "the code 1: no: this bot"),
        ("linger", FaultKind::Lingered, None, "did not end after the game"),
    ] {
        let (_folder, outcomes) = play(&format!("Ada=python3 {BOT} {{port}} {how}"), &[]);
        for outcome in outcomes {
            assert_eq!(outcome.elapsed, 12);
            let ada = seat(&outcome, "Ada");
            let Some(fault) = ada.fault.clone() else { panic!("{how} is no fault: {ada:?}") };
            assert_eq!(fault.kind, kind, "{how}: {fault:?}");
            if how == "sleep" {
                let misses = ada.thinking.misses;
                // On a busy machine, the host may be to blame for the first three deadlines of a silent program, but no more,
                // and for turns before its silence.
                assert!((4..=7).contains(&misses.bot) && misses.network == 0, "{misses:?}");
                assert!(misses.bot + misses.host >= 7, "{misses:?}");
                assert!((6..=9).contains(&fault.turn().unwrap()), "{fault:?}");
                let turns = format!("in {} turns", misses.bot);
                assert!(fault.detail.en.contains(&turns), "{fault:?}");
                if let Some((missed, wanted)) = evidence(ada) {
                    assert!(missed.played == 5 && wanted < missed.measured / 4, "{missed:?}");
                }
            } else {
                assert_eq!(fault.turn(), turn, "{how}: {fault:?}");
            }
            assert!(fault.detail.en.contains(detail), "{how}: {fault:?}");
            let others = outcome.seats.iter().filter(|seat| seat.is_house);
            assert!(others.clone().all(|seat| seat.fault.is_none() && seat.thinking.missed() == 0));
            assert_eq!(others.count(), 3);
        }
    }
}

/// Runs `tournoi verifier` on a faulty program, and returns what it prints.
fn verified(how: &str) -> String {
    let bot = format!("python3 {BOT} {{port}} {how}");
    let check = ["verifier", &bot, "--check", "answers", "--check", "orders", "--duree", "12"];
    let output = Folder::new().run(&check);
    let text = String::from_utf8(output.stdout).unwrap();
    // Lines are broken to the width of a terminal.
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_fault_has_the_same_turn_in_all_programs() {
    let folder = Folder::new();
    let team = |how: &str| format!("{how}=python3 {BOT} {{port}} {how}");
    let (crash, malformed) = (team("crash"), team("malformed"));
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "5s"];
    let shown = folder.done(&[&game[..], &["--equipe", &crash, "--equipe", &malformed]].concat());
    // The bot goes wrong in its answer to the state with 5 turns played.
    let tournament = Tournament::look(&folder.path("tournoi.sqlite")).unwrap();
    let key = tournament.games().next().unwrap().0;
    let outcome = tournament.store().outcome(key).unwrap().unwrap();
    let recording = |team: &str| {
        let seat = outcome.seats.iter().position(|seat| seat.team == team).unwrap();
        let recording = tournament.store().recording(outcome.key).unwrap().unwrap();
        (Recording::read(&recording).unwrap(), seat)
    };
    let (recorded, seat) = recording("crash");
    let gone = |turn: &replay::Turn| turn.answers[seat].answer == Answer::Disconnected;
    let gone = (1..).zip(recorded.turns.iter()).find(|(_, turn)| gone(turn)).unwrap().0;
    let (recorded, seat) = recording("malformed");
    let (remarked, given) = Analysis::of(&recorded).players[seat].remarks[0];
    assert_eq!((gone, remarked), (6, 6));
    let remark = given.remark(Language::English).unwrap();
    assert!(
        shown.contains(
            "crash: its program ended with the code 1: ValueError: the answer is 42 (turn 6)"
        ),
        "{shown}"
    );
    assert!(shown.contains(&format!("malformed: {remark} (turn 6)")), "{shown}");
    let journal = std::fs::read_to_string(folder.path("tournoi.journaux/crash.txt")).unwrap();
    assert!(journal.contains("crashed, turn 6: "), "{journal}");
    let standings = tournament.standings(0);
    let page = tournoi::results::data(&tournament, &standings).unwrap();
    let faults: Vec<_> = page.teams.iter().flat_map(|team| &team.faults).collect();
    assert!(faults.iter().all(|fault| fault.turn == Some(6)) && faults.len() == 4, "{faults:?}");
    let text = verified("crash");
    assert!(text.contains("the program ended (code 1) in turn 6"), "{text}");
    let text = verified("malformed");
    assert!(text.contains("orders malformed, first in turn 6: “?”"), "{text}");
}

/// The first missed turn from the fifth on, and its measured processor time plus waiting; `None` if the system does not report them.
fn evidence(seat: &SeatOutcome) -> Option<(MissedTurn, Duration)> {
    let missed = &seat.usage.as_ref().unwrap().missed;
    let missed = missed.iter().find(|missed| missed.played >= 5).unwrap().clone();
    let wanted = missed.cpu? + missed.waited?;
    Some((missed, wanted))
}

#[test]
fn a_missed_turn_has_evidence_of_what_the_program_had_of_the_processors() {
    let busy = format!("Ada=python3 {BOT} {{port}} busy");
    let (_folder, outcomes) = play(&busy, &["--delai", "400ms", "--duree", "7"]);
    for outcome in outcomes {
        let ada = seat(&outcome, "Ada");
        let Some((missed, wanted)) = evidence(ada) else {
            println!("this system does not measure it: {ada:?}");
            return;
        };
        assert!(missed.played == 5 && wanted > missed.measured / 2, "{missed:?}");
        // The first turn that is charged to the program, if any: the host may be to blame for earlier ones.
        if let Some(fault) = ada.fault.as_ref().filter(|it| it.kind == FaultKind::TimedOut) {
            let turn = fault.turn().unwrap();
            let measured = &ada.usage.as_ref().unwrap().missed;
            let is_measured = measured.iter().any(|missed| Some(missed.played) == fault.played);
            let Note { en, fr } = &fault.detail;
            assert_eq!(en.contains(&format!("s of turn {turn}, it had ")), is_measured, "{ada:?}");
            assert_eq!(fr.contains(&format!("du tour {turn}, il a eu ")), is_measured, "{ada:?}");
        }
    }
}

#[test]
fn a_program_that_cannot_be_started_or_says_nothing_does_not_register() {
    for (command, kind, detail) in [
        ("Ada=./no-such-program {port}".to_owned(), FaultKind::NotStarted, "./no-such-program"),
        (format!("Ada={MAP}"), FaultKind::NotStarted, "ermission denied"),
        (format!("Ada=python3 {BOT} {{port}} mute"), FaultKind::NotRegistered, "within 3s"),
    ] {
        let other = format!("Bob=python3 {BOT} {{port}} well");
        let (_folder, outcomes) = play(&command, &["--demarrage", "3s", "--equipe", &other]);
        for outcome in outcomes {
            assert_eq!(seat(&outcome, "Bob").fault, None);
            let fault = seat(&outcome, "Ada").fault.clone().unwrap();
            assert_eq!((fault.kind, fault.turn()), (kind, None), "{fault:?}");
            assert!(fault.detail.en.contains(detail), "{fault:?}");
            assert_eq!(outcome.elapsed, 12, "the others play on");
        }
    }
}

#[test]
fn nothing_is_played_when_no_program_can_be_started() {
    let folder = Folder::new();
    let teams =
        ["--equipe", "Ada=./no-such-program {port}", "--equipe", "Bob=no-such-program-either"];
    let (code, complaint) =
        folder.fails(&[&["jouer", "--carte", MAP, "--langue", "fr"][..], &teams].concat());
    assert_eq!(code, Some(2), "{complaint}");
    for expected in ["aucun programme d'équipe ne peut être lancé", "Ada : ", "Bob : "] {
        assert!(complaint.contains(expected), "{complaint}");
    }
    assert!(!folder.path("tournoi.sqlite").exists());
}

#[test]
fn malformed_orders_are_counted_and_no_fault() {
    let (_folder, outcomes) = play(&format!("Ada=python3 {BOT} {{port}} malformed"), &[]);
    for outcome in outcomes {
        assert_eq!(seat(&outcome, "Ada").malformed, 7);
        assert_eq!(seat(&outcome, "Ada").fault, None);
    }
}

#[test]
fn a_program_may_think_about_the_final_state_as_long_as_about_others() {
    let ponder = format!("Ada=python3 {BOT} {{port}} ponder");
    let (_folder, outcomes) = play(&ponder, &["--delai", "5s"]);
    for outcome in outcomes {
        assert_eq!(seat(&outcome, "Ada").fault, None);
    }
}

#[test]
fn what_a_program_starts_ends_with_the_tournament() {
    let (folder, _) = play(&format!("Ada=python3 {BOT} {{port}} children"), &[]);
    assert_eq!(crate::killed::processes_in(&folder), 0);
}

#[test]
fn what_programs_write_is_kept_but_not_all_of_it() {
    let (folder, _) = play(&format!("Ada=python3 {BOT} {{port}} linger"), &[]);
    let text = std::fs::read_to_string(folder.path("tournoi.journaux/Ada.txt")).unwrap();
    assert_eq!(text.matches("bytes left out").count(), 4);
    assert!(text.len() < 4 * 40_000, "{}", text.len());
    assert!(text.contains("lingered: its program did not end after the game"), "{text}");
}

#[test]
fn nobody_is_blamed_when_the_machine_stands_still() {
    let folder = Folder::new();
    let team = format!("Ada=python3 {BOT} {{port}} slow");
    let game = ["jouer", "--carte", MAP, "--duree", "12", "--delai", "500ms", "--parallele", "1"];
    let process = folder.command(&[&game[..], &["--equipe", &team]].concat()).spawn().unwrap();
    // Suspends the tournament repeatedly, for longer than a deadline and than the threshold of a stall.
    for _ in 0..3 {
        thread::sleep(Duration::from_millis(600));
        signal(&process, "-STOP");
        thread::sleep(Duration::from_millis(900));
        signal(&process, "-CONT");
    }
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    // Stalls extend deadlines.
    for outcome in folder.outcomes("tournoi.sqlite") {
        let seat = seat(&outcome, "Ada");
        assert_eq!((&seat.fault, seat.thinking.missed()), (&None, 0));
    }
}
