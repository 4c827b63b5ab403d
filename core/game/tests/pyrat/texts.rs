//! Mazes and states as text.

use game::pyrat::{Action, Direction, Holes, Maze, Recipe, Start, State};
use proptest::prelude::*;

const MAZE: &str = "2;2\n3\n0;1:1;2:7\n1;0:1\n2;0:7\n";
const STATE: &str = "3;10\n--------------------\n1\n2\n--------------------\n\
                     A;1/2;0;0;;0;Ada\nB;2;0;5;2;1;Bob\n";

const PLAYER: &str =
    "a player, in order of colour, as `COLOUR;SCORE;INDEX;MUD_LEFT;MUD_TARGET;MISSES;NAME`";

fn maze_text(maze: &Maze) -> String {
    let mut text = Vec::new();
    maze.encode(&mut text);
    String::from_utf8(text).unwrap()
}

/// An arbitrary game after some turns.
fn games() -> impl Strategy<Value = State> {
    let holes = prop_oneof![Just(Holes::Big), Just(Holes::Uniform), Just(Holes::Side)];
    let letters = proptest::collection::vec(0..5_usize, 0..60);
    (2..9_u16, 2..9_u16, 0.0..100.0, 0..100_u64, 1..5_usize, holes, letters).prop_map(
        |(width, height, mud, seed, rats, holes, letters)| {
            let maze =
                Recipe { width, height, mud, holes, ..Recipe::default() }.make(seed).unwrap();
            let most_turns = (seed % 2 == 0).then_some(1000);
            let mut game = State::start(&maze, rats, &Start::Same, 1, seed, most_turns).unwrap();
            for answers in letters.chunks(rats) {
                let answer = |&letter: &usize| {
                    Direction::ALL.get(letter).map_or(Action::Missed, |&d| Action::Go(d))
                };
                game.play_turn(&answers.iter().map(answer).collect::<Vec<_>>());
            }
            game
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read(game in games()) {
        let maze = Maze::decode(maze_text(game.maze()).as_bytes()).unwrap();
        prop_assert_eq!(&maze, game.maze());
        let names: Vec<String> =
            game.rats().iter().enumerate().map(|(i, _)| format!("équipe {i}")).collect();
        let mut text = Vec::new();
        game.encode(&names, &mut text);
        let read = State::decode(&maze, &text).unwrap();
        prop_assert_eq!(&read.names, &names);
        let mut again = Vec::new();
        read.state.encode(&names, &mut again);
        prop_assert_eq!(String::from_utf8(again), String::from_utf8(text));
    }

    #[test]
    fn no_text_is_a_panic(at in 0..200_usize, byte: u8, cut in 0..200_usize) {
        let maze = Maze::decode(MAZE.as_bytes()).unwrap();
        for text in [MAZE, STATE] {
            let mut altered = text.as_bytes().to_vec();
            let len = altered.len();
            altered[at % len] = byte;
            for text in [&altered[..], &altered[..cut % len]] {
                let _ = Maze::decode(text);
                if let Ok(read) = State::decode(&maze, text) {
                    read.state.clone().play_turn(&[Action::Go(Direction::East)]);
                    let _ = read.state.is_over();
                }
            }
        }
    }
}

#[test]
fn a_maze_is_written_as_documented() {
    assert_eq!(maze_text(&Maze::decode(MAZE.as_bytes()).unwrap()), MAZE);
}

#[test]
fn errors_of_mazes_say_what_was_expected() {
    for (from, to, expected) in [
        ("2;2", "2,2", "line 1 of the maze: expected `WIDTH;HEIGHT`, found \"2,2\""),
        ("2;2", "0;2", "expected 1 to 1000 rows and columns, got 2 rows and 0 columns"),
        (
            "\n3\n",
            "\n4\n",
            "line 6 of the maze: expected a cell as `INDEX;NEIGHBOUR:TURNS;…`, found \"\"",
        ),
        ("\n3\n", "\n2\n", "line 5 of the maze: expected no more than the cells, found \"2;0:7\""),
        (
            "1;0:1\n",
            "1;0:x\n",
            "line 4 of the maze: expected a cell as `INDEX;NEIGHBOUR:TURNS;…`, found \"1;0:x\"",
        ),
        ("1;0:1\n", "1;0:2\n", "the passage from 0 to 1 takes 1 turns, the way back 2"),
        (
            "0;1:1;2:7\n",
            "0;2:7\n",
            "the passage from 1 to 0 takes 1 turns, the way back does not exist",
        ),
        ("1;0:1\n", "4;0:1\n", "expected cells from 0 to 3, got 4"),
        ("1;0:1\n", "0;2:1\n", "cell 0 is listed twice"),
        ("1;0:1\n", "1\n", "the passage from 0 to 1 takes 1 turns, the way back does not exist"),
        ("0;1:1;2:7\n", "0\n", "cell 0 has no neighbour"),
        ("0;1:1;2:7\n", "0;1:1;1:1;2:7\n", "neighbour 1 of cell 0 is listed twice"),
        ("0;1:1;2:7\n", "0;1:1;3:7\n", "cell 0 has the neighbour 3, which is no cell"),
        (
            "1;0:1\n2;0:7\n",
            "1;0:1;2:1\n2;0:7;1:1\n",
            "cells 1 and 2 do not lie side by side when a row has 2 places",
        ),
    ] {
        assert!(MAZE.contains(from), "{from:?}");
        let error = Maze::decode(MAZE.replace(from, to).as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let zero = MAZE.replace(":1", ":0");
    let error = Maze::decode(zero.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "expected 1 to 65535 turns, the passage from 0 to 1 takes 0");
}

#[test]
fn a_cell_number_near_the_largest_one_is_an_error() {
    for cell in [u64::MAX, u64::MAX - 1, 1 << 32] {
        let error = Maze::from_passages(1, None, [(cell, vec![(0, 1)])]).unwrap_err();
        assert!(error.to_string().ends_with(" rows and 1 columns"), "{error}");
    }
}

#[test]
fn errors_of_states_say_what_was_expected() {
    let maze = Maze::decode(MAZE.as_bytes()).unwrap();
    for (from, to, line, expected) in [
        ("3;10", "3;-", 1, "`TURN;MOST_TURNS`"),
        ("-\n1\n", "-\nx\n", 3, "the number of pieces of cheese"),
        ("-\n1\n2\n", "-\n1\n3\n", 4, "the cell of a piece of cheese"),
        ("2\n---", "2\n-+-", 5, "20 dashes"),
        ("A;1/2;", "A;1/0;", 6, PLAYER),
        ("A;1/2;", "A;4294967295;", 6, PLAYER),
        ("B;2;", "C;2;", 7, PLAYER),
        (";5;2;", ";5;;", 7, PLAYER),
        (";0;;0;Ada", ";0;1;0;Ada", 6, PLAYER),
        ("Bob\n", "Bob", 7, PLAYER),
    ] {
        assert!(STATE.contains(from), "{from:?}");
        let error = State::decode(&maze, STATE.replace(from, to).as_bytes()).unwrap_err();
        assert_eq!(
            (error.line, error.expected.to_string().as_str()),
            (line, expected),
            "{from:?} → {to:?}"
        );
    }
}
