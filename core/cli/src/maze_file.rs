//! Files of mazes.

use std::fs;
use std::path::Path;

use anyhow::Context;
use game::pyrat::Maze;
use graph::weighted_graph::NestedDictionary;
use language::said;

/// Reads a maze of PyRat whose rows have `width` places: JSON, a dictionary of cells with their
/// neighbours as `{"0": {"15": 1}, …}`, or a matrix of weights with 0 where there is no passage.
///
/// # Errors
///
/// With the file and its fault.
pub fn load_maze(path: &Path, width: u16) -> anyhow::Result<Maze> {
    let shown = path.display();
    let text = fs::read(path).with_context(|| {
        said!("cannot read the maze {shown}", "le labyrinthe {shown} est illisible")
    })?;
    let is_matrix = text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
    let parsed = if is_matrix {
        serde_json::from_slice(&text).map(from_matrix)
    } else {
        serde_json::from_slice(&text).map(|NestedDictionary(passages)| passages)
    };
    let passages = parsed.with_context(|| shown.to_string())?;
    Maze::from_passages(width, None, passages).with_context(|| shown.to_string())
}

type Passages = Vec<(u64, Vec<(u64, i64)>)>;

/// A place is a cell if a passage begins there.
fn from_matrix(matrix: Vec<Vec<i64>>) -> Passages {
    let row = |weights: Vec<i64>| (0..).zip(weights).filter(|(_, weight)| *weight != 0).collect();
    let rows = (0..).zip(matrix.into_iter().map(row));
    rows.filter(|(_, links): &(u64, Vec<_>)| !links.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Maze, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let error = |error: anyhow::Error| {
            let shown = format!("{error:#}");
            shown.strip_prefix(&format!("{}: ", file.path().display())).unwrap().to_owned()
        };
        load_maze(file.path(), 2).map_err(error)
    }

    #[test]
    fn dictionaries_keep_their_order_and_matrices_say_the_same() {
        let dictionary = load(r#"{"2": {"0": 7}, "0": {"2": 7, "1": 1}, "1": {"0": 1}}"#).unwrap();
        let numbers: Vec<_> = dictionary.cells().iter().map(|cell| cell.index()).collect();
        assert_eq!(numbers, [2, 0, 1]);
        let sorted = load(r#"{"0": {"1": 1, "2": 7}, "1": {"0": 1}, "2": {"0": 7}}"#).unwrap();
        assert_eq!(load(" [[0, 1, 7], [1, 0, 0], [7, 0, 0]]").unwrap(), sorted);
    }

    #[test]
    fn errors_say_where_and_what() {
        for (text, expected) in [
            ("", "EOF while parsing a value at line 1 column 0"),
            (r#"{"0": {"1": 1}, "0": {"1": 1}}"#, "vertex 0 is given twice at line 1 column 19"),
            (
                r#"{"0": {"1": 1}, "1": {"0": 2}}"#,
                "the passage from 0 to 1 takes 1 turns, the way back 2",
            ),
            (
                r#"{"1": {"2": 1}, "2": {"1": 1}}"#,
                "cells 1 and 2 do not lie side by side when a row has 2 places",
            ),
            (
                "[[0, 1], [1, 0], 3]",
                "invalid type: integer `3`, expected a sequence at line 1 column 18",
            ),
            ("[[0, -1], [-1, 0]]", "expected 1 to 65535 turns, the passage from 0 to 1 takes -1"),
        ] {
            assert_eq!(load(text).unwrap_err(), expected, "{text}");
        }
    }
}
