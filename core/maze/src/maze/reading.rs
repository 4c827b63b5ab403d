//! Reads a maze from its drawing.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use language::{said, word};

use super::{EAST, Maze, NORTH, SOUTH, WEST};
use graph::Dims;

/// A maze with the contents of its cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadMaze {
    /// The walls.
    pub maze: Maze,
    /// The character in the middle of each cell, row-major.
    pub contents: Vec<char>,
}

/// A text is not the drawing of a maze. Lines and columns count from 1; columns are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MazeTextError {
    /// The first difference from the drawing of the maze that the text seems to be.
    #[error("{}", said!(
        "line {line}, column {column}: expected {expected}, found {found}",
        "ligne {line}, colonne {column} : {expected} est attendu, et non {found}",
        expected = expected.expected()
    ))]
    Unexpected {
        /// The line, from 1.
        line: usize,
        /// The column of the character, from 1.
        column: usize,
        /// The mark of the drawing at this place.
        expected: Mark,
        /// The mark of the text at this place.
        found: Mark,
    },
    /// More rows or columns than a maze can have.
    #[error("{}", said!(
        "line {line}, column {column}: expected at most {} rows and columns",
        "ligne {line}, colonne {column} : au plus {} lignes et colonnes sont attendues",
        u16::MAX
    ))]
    TooLarge {
        /// The first surplus line, or 1.
        line: usize,
        /// The column at which the first surplus cell of a row ends, or 1.
        column: usize,
    },
}

/// A character of a text, or an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A character.
    Character(char),
    /// The end of a line.
    EndOfLine,
    /// The end of the text.
    EndOfText,
}

impl ReadMaze {
    /// Reads the [`rendering`](Maze::rendering) of a maze with any contents of its cells. Lines may end in `\n` or `\r\n`;
    /// the last newline may be missing; blank lines at the end and a byte order mark are ignored.
    ///
    /// # Errors
    ///
    /// If the text is not a maze; the error has the line and the column of the first mistake. Bytes that are not UTF-8 count
    /// as unknown characters.
    pub fn parse(text: &[u8]) -> Result<Self, MazeTextError> {
        let text = String::from_utf8_lossy(text);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let read = Self::of_lines(&text.lines().collect::<Vec<_>>())?;
        read.compare(text)?;
        Ok(read)
    }

    /// The maze that these lines seem to draw. Only characters that depend on the maze are looked at.
    fn of_lines(lines: &[&str]) -> Result<Self, MazeTextError> {
        let top = lines.first().map_or("", |line| line);
        let corner = top.chars().position(|character| character == '┓');
        let cols = corner.unwrap_or(top.chars().count().saturating_sub(1)).div_ceil(4).max(1);
        let cols = u16::try_from(cols)
            .map_err(|_| MazeTextError::TooLarge { line: 1, column: 4 * (1 << 16) + 1 })?;
        let (mut passages, mut contents) = (Vec::new(), Vec::new());
        let mut rows = 0_u16;
        let mut is_last = false;
        while !is_last {
            let line = |number: usize| -> Vec<char> {
                lines.get(number).map_or(Vec::new(), |line| line.chars().collect())
            };
            let first = usize::from(rows) * 2;
            rows = rows
                .checked_add(1)
                .ok_or(MazeTextError::TooLarge { line: first + 2, column: 1 })?;
            let (cells, below) = (line(first + 1), line(first + 2));
            // Nothing is read beyond a row whose length is wrong, so that memory is bounded by the text.
            is_last = below.first() != Some(&'┣') || cells.len() != usize::from(cols) * 4 + 1;
            for col in 0..usize::from(cols) {
                contents.push(cells.get(4 * col + 2).copied().unwrap_or(' '));
                let east = col + 1 < cols.into() && cells.get(4 * col + 4) == Some(&' ');
                let south = !is_last && below.get(4 * col + 1) == Some(&' ');
                passages.push(if east { EAST } else { 0 } | if south { SOUTH } else { 0 });
            }
        }
        for at in 0..passages.len() {
            if passages[at] & EAST != 0 {
                passages[at + 1] |= WEST;
            }
            if passages[at] & SOUTH != 0 {
                passages[at + usize::from(cols)] |= NORTH;
            }
        }
        let dims = Dims::new(rows, cols).expect("a row and a column were read");
        Ok(Self { maze: Maze { dims, passages }, contents })
    }

    /// Checks that a text is the drawing of this maze.
    fn compare(&self, text: &str) -> Result<(), MazeTextError> {
        let mut comparison = Comparison { marks: marks(text), difference: None };
        let drawing = self.maze.rendering(|cell| self.contents[cell.index()]);
        let _ = write!(comparison, "{drawing}");
        if let Some(difference) = comparison.difference {
            return Err(difference);
        }
        let is_blank = |mark| match mark {
            Mark::Character(character) => character.is_whitespace(),
            Mark::EndOfLine | Mark::EndOfText => true,
        };
        match comparison.marks.find(|&(_, _, mark)| !is_blank(mark)) {
            Some((line, column, found)) => {
                Err(MazeTextError::Unexpected { line, column, expected: Mark::EndOfText, found })
            }
            None => Ok(()),
        }
    }
}

impl FromStr for Maze {
    type Err = MazeTextError;

    /// Reads a maze like [`ReadMaze::parse`], and drops the contents of its cells.
    fn from_str(text: &str) -> Result<Self, MazeTextError> {
        Ok(ReadMaze::parse(text.as_bytes())?.maze)
    }
}

impl Mark {
    /// The mark in a list of what is expected.
    fn expected(self) -> String {
        match self {
            Self::Character(' ') => word("a space", "une espace").to_owned(),
            Self::Character(character) => format!("`{character}`"),
            Self::EndOfLine | Self::EndOfText => self.to_string(),
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(character) => write!(f, "{character:?}"),
            Self::EndOfLine => f.write_str(word("the end of the line", "la fin de la ligne")),
            Self::EndOfText => f.write_str(word("the end of the text", "la fin du texte")),
        }
    }
}

/// The marks of a text, each with its line and its column.
fn marks(text: &str) -> impl Iterator<Item = (usize, usize, Mark)> {
    let end = (text.lines().count() + 1, 1, Mark::EndOfText);
    let lines = text.lines().enumerate().flat_map(|(line, text)| {
        let marks = text.chars().map(Mark::Character).chain([Mark::EndOfLine]);
        marks.enumerate().map(move |(column, mark)| (line + 1, column + 1, mark))
    });
    lines.chain([end])
}

/// Compares a text with the drawing that is written to it, and keeps the first difference.
struct Comparison<I> {
    marks: I,
    difference: Option<MazeTextError>,
}

impl<I: Iterator<Item = (usize, usize, Mark)>> fmt::Write for Comparison<I> {
    fn write_str(&mut self, drawn: &str) -> fmt::Result {
        for character in drawn.chars() {
            let expected =
                if character == '\n' { Mark::EndOfLine } else { Mark::Character(character) };
            let (line, column, found) = self.marks.next().ok_or(fmt::Error)?;
            if found != expected {
                self.difference = Some(MazeTextError::Unexpected { line, column, expected, found });
                return Err(fmt::Error);
            }
        }
        Ok(())
    }
}
