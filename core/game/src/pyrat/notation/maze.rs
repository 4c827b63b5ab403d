//! The text of a maze.

use std::io::Write;

use language::Phrase;

use super::number;
use crate::notation::{Expected, Input, Unexpected};
use crate::pyrat::{Maze, MazeError};

/// An error in the text of a maze.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MazeNotationError {
    /// A line is malformed.
    #[error(transparent)]
    Unexpected(#[from] Unexpected),
    /// The passages make no maze.
    #[error(transparent)]
    Maze(#[from] MazeError),
}

impl Maze {
    /// Appends the maze's text: `WIDTH;HEIGHT`, the number of cells, and one line for each cell, in order, as
    /// `INDEX;NEIGHBOUR:TURNS;NEIGHBOUR:TURNS`.
    pub fn encode(&self, buffer: &mut Vec<u8>) {
        const NEVER: &str = "writing into memory does not fail";
        let dims = self.dims();
        let cells = self.cells();
        writeln!(buffer, "{};{}\n{}", dims.cols(), dims.rows(), cells.len()).expect(NEVER);
        for &cell in cells {
            write!(buffer, "{}", cell.index()).expect(NEVER);
            for (neighbour, turns) in self.links(cell) {
                write!(buffer, ";{}:{turns}", neighbour.index()).expect(NEVER);
            }
            buffer.push(b'\n');
        }
    }

    /// Reads the text of a maze.
    ///
    /// # Errors
    ///
    /// If a line is malformed, or the passages make no maze.
    pub fn decode(text: &[u8]) -> Result<Self, MazeNotationError> {
        let mut input = Input::new(text);
        let (width, height, passages) = read(&mut input).map_err(|expected| {
            input.error(Phrase::new("of the maze", "du labyrinthe"), expected)
        })?;
        Ok(Self::from_passages(width, Some(height), passages)?)
    }
}

type Passages = Vec<(u64, Vec<(u64, i64)>)>;

fn read(input: &mut Input<'_>) -> Result<(u16, u16, Passages), Expected> {
    let side = |input: &mut Input<'_>, end| u16::try_from(input.number(end)?).ok();
    let (width, height) = input
        .expect(Phrase::new("`WIDTH;HEIGHT`", "`LARGEUR;HAUTEUR`"), |input| {
            Some((side(input, b';')?, side(input, b'\n')?))
        })?;
    let count = input
        .expect(Phrase::new("the number of cells", "le nombre de cases"), |input| {
            input.number(b'\n')
        })?;
    let mut passages = Passages::new();
    for _ in 0..count {
        let cell = input.expect(
            Phrase::new(
                "a cell as `INDEX;NEIGHBOUR:TURNS;…`",
                "une case sous la forme `NUMÉRO;VOISINE:TOURS;…`",
            ),
            |input| passages_of(input.until(b'\n')?),
        )?;
        passages.push(cell);
    }
    if input.rest().is_empty() {
        Ok((width, height, passages))
    } else {
        Err(Expected(Phrase::new("no more than the cells", "rien après les cases")))
    }
}

fn passages_of(line: &[u8]) -> Option<(u64, Vec<(u64, i64)>)> {
    let mut fields = std::str::from_utf8(line).ok()?.split(';');
    let cell = number::<u32>(fields.next()?)?;
    let links = fields.map(|field| {
        let (neighbour, turns) = field.split_once(':')?;
        Some((number::<u32>(neighbour)?.into(), number::<u32>(turns)?.into()))
    });
    Some((cell.into(), links.collect::<Option<_>>()?))
}
