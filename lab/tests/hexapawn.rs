//! The three algorithms agree on the value, and the commands print it.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use lab::hexapawn::memo::Memo;
use lab::hexapawn::{
    Board, Configuration, HexapawnSolution, HexapawnSolver, STRIDE, Side, Size, Value, naive,
};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Lines, columns, and the value of the initial position.
const KNOWN: [(usize, usize, i16); 11] = [
    (3, 3, -6),
    (3, 4, 5),
    (3, 5, 7),
    (4, 3, -8),
    (4, 4, 11),
    (4, 5, -14),
    (5, 3, 11),
    (5, 4, -16),
    (5, 5, 19),
    (6, 4, 21),
    (6, 5, 29),
];

fn size(lines: usize, columns: usize) -> Size {
    Size::new(lines, columns).unwrap()
}

fn start(lines: usize, columns: usize) -> Configuration {
    Configuration::start(size(lines, columns))
}

fn certainly<T>(result: Result<T, Infallible>) -> T {
    result.unwrap()
}

fn naive(configuration: &Configuration) -> HexapawnSolution {
    certainly(naive::value(configuration, |_| Ok(())))
}

fn memo(memo: &mut Memo, configuration: &Configuration) -> HexapawnSolution {
    certainly(memo.value(configuration, |_| Ok(())))
}

fn fast(solver: &mut HexapawnSolver, configuration: &Configuration) -> HexapawnSolution {
    certainly(solver.value(configuration, |_| Ok(())))
}

fn below(rng: &mut Xoshiro256PlusPlus, end: usize) -> usize {
    // The bias is negligible, because `end` is small.
    (rng.next_u32() as usize) % end
}

#[test]
fn initial_positions_have_their_known_values() {
    for (lines, columns, value) in KNOWN {
        let start = start(lines, columns);
        assert_eq!(fast(&mut HexapawnSolver::new(size(lines, columns)), &start).value.get(), value);
        if lines * columns <= 16 {
            assert_eq!(memo(&mut Memo::default(), &start).value.get(), value);
        }
        if lines * columns <= 12 {
            assert_eq!(naive(&start).value.get(), value);
        }
    }
}

#[test]
fn the_two_versions_of_the_course_differ_in_what_they_count() {
    let start = start(4, 4);
    assert_eq!(memo(&mut Memo::default(), &start).nodes, 20_286);
    assert_eq!(naive(&start).nodes, 4_197_973);
}

/// Naive recursion is too slow for each configuration of the larger boards. Its result follows from its
/// definition: each value is computed from those of the successors.
#[test]
fn all_agree_on_every_reachable_configuration_up_to_4_by_4() {
    let mut configurations = 0;
    for (lines, columns) in (1..=4).flat_map(|lines| (1..=4).map(move |columns| (lines, columns))) {
        let mut reached = Memo::default();
        memo(&mut reached, &start(lines, columns));
        let reached: HashMap<_, _> = reached.iter().collect();
        let mut solver = HexapawnSolver::new(size(lines, columns));
        let mut forgetful = HexapawnSolver::with_memory(size(lines, columns), 64);
        for (configuration, &value) in &reached {
            let successors = configuration.successors();
            let defined = Value::of_successors(successors.iter().map(|next| reached[next]));
            assert_eq!(value, defined, "{configuration:?}");
            if lines * columns <= 12 {
                assert_eq!(naive(configuration).value, value, "{configuration:?}");
            }
            assert_eq!(fast(&mut solver, configuration).value, value, "{configuration:?}");
            assert_eq!(fast(&mut forgetful, configuration).value, value, "{configuration:?}");
        }
        configurations += reached.len();
    }
    assert!(configurations > 20_286);
}

#[test]
fn all_agree_in_the_middle_of_games() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for (lines, columns, plies) in [(4, 5, 5), (5, 4, 5), (5, 5, 10), (6, 4, 9), (3, 8, 6)] {
        let mut solver = HexapawnSolver::new(size(lines, columns));
        for _ in 0..12 {
            let mut configuration = start(lines, columns);
            for _ in 0..plies {
                let successors = configuration.successors();
                if !successors.is_empty() {
                    configuration = successors[below(&mut rng, successors.len())];
                }
            }
            let expected = memo(&mut Memo::default(), &configuration).value;
            assert_eq!(fast(&mut solver, &configuration).value, expected, "{configuration:?}");
        }
    }
}

/// Includes boards with arrived pawns, with pawns of a single player, and without pawns.
#[test]
fn all_agree_on_any_board() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let sizes =
        [(1, 1), (1, 5), (5, 1), (9, 1), (2, 2), (2, 7), (7, 2), (3, 3), (4, 3), (3, 5), (5, 3)];
    for (lines, columns) in sizes {
        let mut solver = HexapawnSolver::new(size(lines, columns));
        for round in 0..60 {
            let mut board = Board::empty(size(lines, columns));
            for cell in 0..lines * columns {
                let pawn = [Some(Side::White), Some(Side::Black), None];
                let pawn = pawn.get(below(&mut rng, 3 + round % 5)).copied().flatten();
                board.set(cell / columns, cell % columns, pawn);
            }
            for player in [Side::White, Side::Black] {
                let configuration = Configuration { board, player };
                let expected = naive(&configuration).value;
                let found = memo(&mut Memo::default(), &configuration).value;
                assert_eq!(found, expected, "{configuration:?}");
                let found = fast(&mut solver, &configuration).value;
                assert_eq!(found, expected, "{configuration:?}");
            }
        }
    }
}

#[test]
fn the_longest_boards_have_values() {
    for (text, expected) in [
        // The pawns meet in the middle: 31 plies each.
        (format!("64\n1\np\n{}P", " \n".repeat(62)), -62),
        (format!("63\n1\np\n{}P", " \n".repeat(61)), 61),
        (format!("1\n64\n{}", " ".repeat(64)), 0),
        (format!("2\n32\n{}\n{}", "p".repeat(32), "P".repeat(32)), 1),
        // Two pawns of each player in one column have 28 lines between them, and go on until they meet.
        (format!("32\n2\np \np \n{}P \nP ", "  \n".repeat(28)), -56),
        (format!("8\n8\n{}\n{}P       \n", " ".repeat(8), "        \n".repeat(6)), 1),
    ] {
        let configuration = Configuration::parse(text.as_bytes()).unwrap();
        let mut solver = HexapawnSolver::new(configuration.board.size());
        let value = fast(&mut solver, &configuration).value;
        assert_eq!(value, memo(&mut Memo::default(), &configuration).value);
        assert_eq!(value.get(), expected, "{text}");
    }
}

#[test]
fn searches_stop_when_they_are_told_to() {
    let start = start(6, 6);
    let stop = |nodes| match nodes {
        STRIDE => Err("enough"),
        _ => Ok(()),
    };
    assert_eq!(naive::value(&start, stop), Err("enough"));
    assert_eq!(Memo::default().value(&start, stop), Err("enough"));
    assert_eq!(HexapawnSolver::new(size(6, 6)).value(&start, stop), Err("enough"));
}

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
fn what_takes_too_long_is_missing() {
    let table = ["table", "--lignes", "5..6", "--colonnes", "4", "--limite", "1ms", "--json"];
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&lab(&table, "").stdout).unwrap();
    for row in rows {
        assert!(row["naive_nodes"].is_null() && row["naive_time_s"].is_null());
        assert_eq!(row["value"], if row["lines"] == 5 { -16 } else { 21 });
    }
}
