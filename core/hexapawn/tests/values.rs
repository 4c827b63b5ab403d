//! The three algorithms agree on the value.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use std::collections::HashMap;
use std::convert::Infallible;

use hexapawn::memo::Memo;
use hexapawn::{
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
