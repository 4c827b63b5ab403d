//! `lab flaques`, run as a program.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::process::{Command, Output};

use serde_json::{Value, json};

fn lab(args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lab")).args(args.split_whitespace()).output().unwrap()
}

fn printed(args: &str) -> String {
    let output = lab(args);
    assert!(output.status.success(), "{args}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn object(args: &str) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}

#[test]
fn the_seeds_puzzle_is_the_default() {
    let text = printed("flaques resoudre");
    assert!(text.starts_with("10 jumps, and no fewer: (0, 0) "), "{text}");
    assert_eq!(text.matches('[').count(), 10, "a grid a jump, each with its cursor");
    let row = |name: &str| {
        let mut words = text.lines().filter(|line| line.trim().starts_with(name));
        words.next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("seed")[1..5], ["10", "jumps", "2152", "527"]);
    assert_eq!(row("largeur")[1..5], ["10", "jumps", "609", "0"]);
    assert_eq!(row("a_etoile")[1..3], ["10", "jumps"]);
}

#[test]
fn programs_get_one_object() {
    for (algorithms, expanded) in [("seed", 2152), ("largeur", 609), ("largeur,seed", 609)] {
        let found = object(&format!("flaques resoudre --algo {algorithms} --json"));
        assert_eq!(found["jumps"], 10);
        assert_eq!(found["expanded"], expanded);
        assert!(found["generated"].as_u64().unwrap() > expanded);
    }
    let found = object("puddles solve --size 2x3 --value 4 --start 1,1 --algo all --json");
    let positions = found["positions"].as_array().unwrap();
    assert_eq!(positions[0], json!([1, 1]));
    assert_eq!(found["jumps"], positions.len());
    let rows = found["algorithms"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row["result"] == rows[0]["result"]));
}

#[test]
fn that_there_is_no_solution_is_said_with_the_proof() {
    for (puzzle, proof) in
        [("--taille 3 --valeur 3", "condition"), ("--taille 2 --valeur 1", "exhaustion")]
    {
        let found = object(&format!("flaques resoudre {puzzle} --json"));
        assert_eq!((&found["jumps"], &found["positions"]), (&Value::Null, &json!([])));
        assert_eq!(found["no_solution_by"], proof);
        let text = printed(&format!("flaques resoudre {puzzle}"));
        assert!(text.starts_with("No solution: by ") && text.contains(proof), "{text}");
    }
}

#[test]
fn optima_fill_a_table() {
    let rows = object("flaques table --taille 2,3 --valeur 1..4 --json");
    let jumps: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["jumps"].clone()).collect();
    assert_eq!(Value::from(jumps), json!([null, 5, 3, 3, null, null, null, 10]));
    let text = printed("flaques table --size 2x3 --value 3");
    let line = text.lines().find(|line| line.trim().starts_with("2x3")).unwrap();
    assert_eq!(line.split_whitespace().nth(2), Some("7"));
}

#[test]
fn mistakes_are_told() {
    for (args, told) in [
        ("resoudre --taille 1", "each side has 2 to 32 cells, found 1"),
        ("resoudre --taille 3y3", "expected a size as `3` or `3x4`"),
        ("resoudre --depart 3", "expected a row and a column from 0, as `3,14`"),
        ("resoudre --depart 0,3", "the start (0, 3) is not on a board of 3 × 3"),
        ("resoudre --valeur 4294967295", "at most 1000000000"),
        ("resoudre --valeur -1", "unexpected argument"),
        ("resoudre --algo fast", "invalid value 'fast'"),
        ("resoudre --algo largeur --etats 100", "--states allows more"),
        ("table --valeur 4..2", "expected a value or a range as `4..8`"),
        ("", "Usage"),
    ] {
        let output = lab(&format!("flaques {args}"));
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}");
        assert!(error.contains(told), "{args}: {error}");
    }
}
