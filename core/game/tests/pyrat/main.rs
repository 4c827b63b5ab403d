//! The rules of PyRat and their notation.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod rules;
mod texts;

use game::pyrat::{Action, Maze, State};

/// A state of a game in a maze, both as text.
fn state(maze: &str, state: &str) -> State {
    let maze = Maze::decode(maze.as_bytes()).unwrap();
    State::decode(&maze, state.as_bytes()).unwrap().state
}

/// Answers as letters; `-` is none.
fn answers(letters: &str) -> Vec<Action> {
    let answer = |letter: u8| match letter {
        b'-' => Action::Missed,
        letter => Action::decode(&[letter]),
    };
    letters.bytes().map(answer).collect()
}

fn text(state: &State) -> String {
    let mut text = Vec::new();
    state.encode(&[], &mut text);
    String::from_utf8(text).unwrap()
}
