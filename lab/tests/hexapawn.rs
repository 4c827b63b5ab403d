//! `lab hexapawn`, run as a program.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn lab(arguments: &[&str], input: &str) -> Output {
    let mut lab = Command::new(env!("CARGO_BIN_EXE_lab"));
    let lab = lab.arg("hexapawn").args(arguments).stdin(Stdio::piped());
    let mut lab = lab.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that fails early does not read its input.
    let _ = lab.stdin.take().unwrap().write_all(input.as_bytes());
    lab.wait_with_output().unwrap()
}

#[track_caller]
fn prints(arguments: &[&str], input: &str, expected: &str) {
    let output = lab(arguments, input);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(0));
}

#[track_caller]
fn fails(arguments: &[&str], input: &str, expected: &str) {
    let output = lab(arguments, input);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(expected), "{error}");
    assert_eq!(output.status.code(), Some(2));
}

const START: &str = "3\n4\npppp\n    \nPPPP\n";

#[test]
fn the_value_stands_alone() {
    prints(&["valeur"], START, "5\n");
    prints(&["value", "-"], "3\r\n3\r\nppp\r\n   \r\nPPP", "-6\n");
    prints(&["valeur"], "1\n1\nP", "0\n");
    for algorithm in ["naif", "naive", "memo", "rapide", "fast"] {
        prints(&["valeur", "--algo", algorithm], START, "5\n");
    }
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(START.as_bytes()).unwrap();
    prints(&["valeur", file.path().to_str().unwrap()], "", "5\n");
}

#[test]
fn a_line_of_play_follows_the_value() {
    let output = lab(&["valeur", "--trace", "--algo", "naif"], START);
    let printed = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(lines[..3], ["5", "", "P +5  p -4  P +3  p -2  P +1  p +0"]);
    assert_eq!((lines.len(), lines[3].len()), (6, 6 * 6 - 2));
}

#[test]
fn wrong_input_is_named_with_its_place() {
    let place =
        "error: the standard input: line 4, column 3: expected `p`, `P` or a space, found 'x'";
    fails(
        &["valeur"],
        "2\n3\nppp\nPPP\nx",
        "the standard input: line 5, column 1: expected the end",
    );
    fails(&["valeur"], "2\n3\nppp\nPPx\n", place);
    fails(&["valeur"], "8\n9\n", "line 2, column 1: expected a number from 1 to 8, found 9");
    fails(&["valeur", "no/such/file"], "", "error: cannot read no/such/file: ");
    fails(&["valeur", "/"], "", "error: cannot read /: ");
    fails(
        &["table", "--lignes", "6..3"],
        "",
        "expected a number or a range as `3..6`, from 1 to 64",
    );
    fails(&["table", "--lignes", "33", "--colonnes", "2..3"], "", "more than 64 cells");
    fails(&["table", "--limite", "0"], "", "expected more than 0");
}

#[test]
fn the_table_has_values_nodes_and_times() {
    let output = lab(&["table", "--rows", "2..3", "--columns", "3..4", "--json"], "");
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    let figures = |row: &serde_json::Value| {
        ["lines", "columns", "value", "naive_nodes"].map(|key| row[key].as_i64().unwrap())
    };
    let expected = [[2, 3, 1, 0], [2, 4, 1, 0], [3, 3, -6, 0], [3, 4, 5, 0]];
    for (row, expected) in rows.iter().zip(expected) {
        let figures = figures(row);
        assert_eq!(figures[..3], expected[..3]);
        assert!(row["memo_nodes"].as_i64().unwrap() <= figures[3]);
        assert!(row["fast_nodes"].is_i64() && row["fast_time_s"].as_f64().unwrap() > 0.0);
    }
    assert_eq!(rows.len(), expected.len());
}

#[test]
fn figures_beyond_the_time_limit_are_missing() {
    let table = ["table", "--lignes", "5..6", "--colonnes", "4", "--limite", "1ms", "--json"];
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&lab(&table, "").stdout).unwrap();
    for row in rows {
        assert!(row["naive_nodes"].is_null() && row["naive_time_s"].is_null());
        assert_eq!(row["value"], if row["lines"] == 5 { -16 } else { 21 });
    }
}
