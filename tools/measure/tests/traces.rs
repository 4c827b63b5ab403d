//! Games recorded from the original engine come out byte for byte.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs::File;
use std::io::Read;
use std::process::Command;

use flate2::read::GzDecoder;
use game::pacman::Rules;
use measure::traces::TraceReport;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/orleans2024.jsonl.gz");

fn recorded_games() -> String {
    let mut text = String::new();
    GzDecoder::new(File::open(RECORDED).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn replayed(text: String, rules: Rules) -> TraceReport {
    let mut report = TraceReport::default();
    report.replay(std::io::Cursor::new(text), rules).unwrap();
    report
}

#[test]
fn every_recorded_game_is_reproduced() {
    let mut report = TraceReport::default();
    report.replay(File::open(RECORDED).unwrap(), Rules::ORLEANS_2024).unwrap();
    assert!(report.games >= 20 && report.turns >= 2000, "{report:?}");
    assert_eq!((report.differences, report.first), (0, None));
}

#[test]
fn other_rules_make_a_difference() {
    let first = recorded_games().lines().next().unwrap().to_owned();
    let report = replayed(first, Rules::SUJET);
    assert!(report.differences > 0);
    let shown = report.first.unwrap().to_string();
    assert!(shown.lines().any(|line| line.starts_with("* ") && line.contains(" | ")), "{shown}");
}

#[test]
fn one_byte_makes_a_difference() {
    let first = recorded_games().lines().next().unwrap().to_owned();
    // The last point of the last state.
    let at = first.rfind(";Greedy").or_else(|| first.rfind(";0;")).unwrap();
    let mut altered = first.into_bytes();
    altered[at + 1] ^= 1;
    let report = replayed(String::from_utf8(altered).unwrap(), Rules::ORLEANS_2024);
    assert_eq!((report.games, report.differences), (1, 1));
}

#[test]
fn the_command_prints_what_it_found() {
    let measure = || Command::new(env!("CARGO_BIN_EXE_measure"));
    let output = measure().args(["traces", RECORDED]).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.starts_with("games=25 turns=") && printed.ends_with(" differences=0\n"));
    assert_eq!(output.status.code(), Some(0));

    let output = measure().args(["traces", "--regles", "sujet", RECORDED]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));

    let output = measure().args(["traces", file!()]).current_dir("../..").output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.starts_with("error: tools/measure/tests/traces.rs: line 1: "), "{error}");
}

#[test]
fn throughput_is_printed_as_figures() {
    let map = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cartes/plan1.txt");
    for (flags, figures) in [(&[][..], 5), (&["--tcp"], 9)] {
        let mut measure = Command::new(env!("CARGO_BIN_EXE_measure"));
        let output = measure
            .args(["debit", "--carte", map, "--tours", "1000", "--tours-tcp", "200"])
            .args(flags)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        let values: Vec<f64> =
            printed.lines().map(|line| line.split('=').nth(1).unwrap().parse().unwrap()).collect();
        assert_eq!(values.len(), figures, "{printed}");
        assert!(values.iter().all(|&value| value >= 0.0));
    }
}
