//! Mazes of PyRat recorded from the original program, made again from their seeds.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::fs::{self, File};
use std::process::{Command, Output};

use measure::pyrat_mazes::MazeReport;

const RECORDED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pyrat-mazes.jsonl.gz");
/// Made with PyRat 6.2.14: other sizes, shares, mud, seeds, pieces of cheese, and all kinds of holes.
const VARIANTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pyrat-variants.jsonl.gz");

#[test]
fn every_recorded_maze_is_made_again() {
    for (file, mazes) in [(RECORDED, 45), (VARIANTS, 13)] {
        let mut report = MazeReport::default();
        report.compare(File::open(file).unwrap()).unwrap();
        assert_eq!(report, MazeReport { mazes, identical: mazes, first: None });
    }
}

fn pyrat(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_measure")).arg("pyrat").args(args).output().unwrap()
}

fn complaint(args: &[&str]) -> String {
    let output = pyrat(args);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn recorded_mazes_are_replayed() {
    let output = pyrat(&["mazes", RECORDED, VARIANTS]);
    assert_eq!(
        (output.status.code(), &output.stdout[..]),
        (Some(0), &b"mazes=58 identical=58\n"[..])
    );
    let folder = tempfile::tempdir().unwrap();
    let changed = folder.path().join("changed.jsonl");
    let maze = r#"{"seed": 3, "width": 2, "height": 1, "cell_percentage": 100, "mud_percentage": 0,
        "start": 1, "cheese": [0], "neighbours": [[0, [[1, 2]]], [1, [[0, 1]]]], "turns": 1}"#;
    fs::write(&changed, maze.replace('\n', " ")).unwrap();
    let output = pyrat(&["mazes", VARIANTS, changed.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.starts_with("mazes=14 identical=13\n"), "{shown}");
    assert!(shown.contains("changed.jsonl: line 1: cell 0 in order"), "{shown}");
    fs::write(&changed, "{}").unwrap();
    assert!(complaint(&["mazes", changed.to_str().unwrap()]).contains("changed.jsonl: line 1: "));
    assert!(complaint(&["mazes", "no/such.jsonl"]).contains("no/such.jsonl"));
}
