//! Turns, played from one text to the next.

use game::pyrat::{Action, Counts, MazeError, Recipe, Score, Start, State};

use crate::{answers, state, text};

/// A row of five places: mud of three turns in the middle, a hole at the end.
const ROW: &str = "5;1\n4\n0;1:1\n1;0:1;2:3\n2;1:3;3:1\n3;2:1\n";

/// The text of a state in the row: the cheese, and one word for each player as `SCORE;INDEX;LEFT;TARGET;MISSES`.
fn at(turn: u32, cheese: &[usize], players: &[&str]) -> String {
    let dashes = "-".repeat(20);
    let cheese: Vec<String> = cheese.iter().map(|cell| format!("{cell}\n")).collect();
    let players = players.iter().zip('A'..).map(|(player, letter)| format!("{letter};{player};\n"));
    let (count, cheese) = (cheese.len(), cheese.concat());
    format!("{turn};9\n{dashes}\n{count}\n{cheese}{dashes}\n{}", players.collect::<String>())
}

#[track_caller]
fn check(before: &str, played: &str, after: &str) {
    let mut state = state(ROW, before);
    for letters in played.split(' ') {
        state.play_turn(&answers(letters));
    }
    assert_eq!(text(&state), after);
}

#[test]
fn a_step_takes_a_turn_and_mud_several() {
    check(&at(0, &[3], &["0;0;0;;0"]), "E", &at(1, &[3], &["0;1;0;;0"]));
    let before = at(0, &[3], &["0;1;0;;0"]);
    check(&before, "E", &at(1, &[3], &["0;1;2;2;0"]));
    check(&before, "E E", &at(2, &[3], &["0;1;1;2;0"]));
    check(&before, "E O X", &at(3, &[3], &["0;2;0;;0"]));
    check(&before, "E - - E", &at(4, &[], &["1;3;0;;0"]));
}

#[test]
fn a_count_that_was_read_stops_at_the_largest_number() {
    let most = u32::MAX;
    let before = at(most, &[3], &[&format!("0;0;0;;{most}")]);
    check(&before, "- -", &before);
}

#[test]
fn walls_holes_and_the_edge_cost_a_turn() {
    for letters in ["N", "S", "O"] {
        check(&at(0, &[3], &["0;0;0;;0"]), letters, &at(1, &[3], &["0;0;0;;0"]));
    }
    check(&at(0, &[0], &["0;3;0;;0"]), "E", &at(1, &[0], &["0;3;0;;0"]));
}

#[test]
fn rats_that_arrive_together_share() {
    let before = at(0, &[1, 3], &["0;0;0;;0", "1/3;0;0;;0", "0;2;0;;0"]);
    check(&before, "EEX", &at(1, &[3], &["1/2;1;0;;0", "5/6;1;0;;0", "0;2;0;;0"]));
}

#[test]
fn what_is_done_is_counted() {
    let mut game = state(ROW, &at(0, &[3], &["0;0;0;;0"]));
    for letters in ["X", "N", "?", "-", "E", "E", "E", "-", "O"] {
        game.play_turn(&answers(letters));
    }
    game.play_turn(&[]);
    let rat = game.rats()[0];
    let expected =
        Counts { nothing: 1, directions: [0, 2, 0, 1], mud: 3, wall: 1, missed: 1, malformed: 1 };
    assert_eq!(rat.counts, expected, "{rat:?}");
    assert_eq!(rat.counts.wasted(), 4);
    assert_eq!(game.turn(), 10);
}

#[test]
fn a_game_of_one_ends_without_cheese_or_without_turns() {
    let over = |turn, cheese: &[usize]| state(ROW, &at(turn, cheese, &["4;0;0;;0"])).is_over();
    assert!(!over(8, &[3]));
    assert!(over(9, &[3]) && over(0, &[]));
}

#[test]
fn a_game_of_several_ends_when_the_rest_changes_no_rank() {
    let over = |scores: &[&str]| {
        let players: Vec<String> = scores.iter().map(|score| format!("{score};0;0;;0")).collect();
        let players: Vec<&str> = players.iter().map(String::as_str).collect();
        state(ROW, &at(0, &[2, 3], &players)).is_over()
    };
    assert!(!over(&["0", "2"]), "a tie can still be reached");
    assert!(over(&["0", "5/2"]));
    assert!(!over(&["0", "2", "5"]), "the last one can reach the second");
    assert!(over(&["0", "5/2", "5"]));
}

#[test]
fn starts_and_cheese_fit_into_the_maze() {
    let maze = Recipe::default().make(3).unwrap();
    let start = |start: Start, rats, cheese| State::start(&maze, rats, &start, cheese, 3, None);
    let cells = |state: &State| state.rats().iter().map(|rat| rat.cell).collect::<Vec<_>>();

    let corners = start(Start::Corners, 5, 1).unwrap();
    let corners = cells(&corners);
    assert_eq!(corners[0], corners[4]);
    let same = cells(&start(Start::Same, 3, 1).unwrap());
    assert!(same.iter().all(|cell| *cell == same[0]));
    let random = cells(&start(Start::Random, 20, 1).unwrap());
    assert!(random.iter().any(|cell| *cell != random[0]));
    let places = Start::Places(vec![maze.cells()[7].index() as u32]);
    assert_eq!(cells(&start(places, 2, 1).unwrap()), [maze.cells()[7]; 2]);

    let all = start(Start::Centre, 1, maze.cells().len() - 1).unwrap();
    assert!(!all.cheese().contains(&all.rats()[0].cell));
    for cheese in [0, maze.cells().len()] {
        let free = maze.cells().len() - 1;
        let error = start(Start::Centre, 1, cheese).unwrap_err();
        assert_eq!(error, MazeError::cheese(free, cheese));
    }
    assert!(start(Start::Centre, 26, 1).is_ok());
    let error = |places, rats| start(places, rats, 1).unwrap_err().to_string();
    assert_eq!(error(Start::Centre, 27), "expected at most 26 rats, got 27");
    assert_eq!(error(Start::Places(Vec::new()), 1), "expected a place to start at");
    assert_eq!(error(Start::Places(vec![195]), 1), "expected a place from 0 to 194, got 195");
}

#[test]
fn points_are_neither_lost_nor_made() {
    for seed in 0..20 {
        let maze = Recipe { width: 7, height: 5, ..Recipe::default() }.make(seed).unwrap();
        let mut game = State::start(&maze, 4, &Start::Corners, 9, seed, Some(300)).unwrap();
        let mut drawn = seed as u32;
        while !game.is_over() {
            let mut answer = || {
                drawn = drawn.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let letters = b"NESOX?";
                Action::decode(&[letters[(drawn >> 16) as usize % letters.len()]])
            };
            game.play_turn(&[answer(), answer(), answer(), answer()]);
            let eaten: Score = game.rats().iter().map(|rat| rat.score).sum();
            assert_eq!(eaten + Score::pieces(game.cheese().len() as u32), Score::pieces(9));
        }
    }
}
