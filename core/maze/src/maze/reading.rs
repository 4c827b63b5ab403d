//! Reads a maze from its drawing.

use std::str::{Chars, FromStr};

use language::{Phrase, said};

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MazeTextError {
    /// An unexpected character.
    #[error("{}", said!(
        "line {line}, column {column}: expected {expected}, found {found}",
        "ligne {line}, colonne {column} : {expected} est attendu, et non {found}"
    ))]
    Unexpected {
        /// The line, from 1.
        line: usize,
        /// The column of the character, from 1.
        column: usize,
        /// The expected characters.
        expected: Phrase,
        /// The character, or the end of the line or of the text.
        found: String,
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
        let mut lines = Lines::new(text.strip_prefix('\u{feff}').unwrap_or(&text));
        let cols = read_top(lines.next_line())?;
        let (mut passages, mut contents) = (Vec::new(), Vec::new());
        let mut rows = 0_u16;
        loop {
            let mut line = lines.next_line();
            rows = match rows.checked_add(1) {
                Some(rows) => rows,
                None => return Err(MazeTextError::TooLarge { line: line.number, column: 1 }),
            };
            read_cells(&mut line, cols, &mut passages, &mut contents)?;
            let mut line = lines.next_line();
            if line
                .take(Phrase::new("`┣` or `┗`", "`┣` ou `┗`"), |c| matches!(c, '┣' | '┗'))?
                == '┗'
            {
                read_bottom(line, cols)?;
                break;
            }
            let row = passages.len() - usize::from(cols);
            read_between(line, &mut passages[row..])?;
        }
        lines.end()?;
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
}

impl FromStr for Maze {
    type Err = MazeTextError;

    /// Reads a maze like [`ReadMaze::parse`], and drops the contents of its cells.
    fn from_str(text: &str) -> Result<Self, MazeTextError> {
        Ok(ReadMaze::parse(text.as_bytes())?.maze)
    }
}

/// Reads the top of a maze; returns the number of columns.
fn read_top(mut line: Line<'_>) -> Result<u16, MazeTextError> {
    line.take(
        Phrase::new("`┏`, the corner of a maze", "`┏`, le coin d'un labyrinthe,"),
        |c| c == '┏',
    )?;
    let mut cols = 0_u16;
    loop {
        for _ in 0..3 {
            line.take("`━`", |c| c == '━')?;
        }
        let last =
            line.take(Phrase::new("`┳` or `┓`", "`┳` ou `┓`"), |c| matches!(c, '┳' | '┓'))? == '┓';
        cols = match cols.checked_add(1) {
            Some(cols) => cols,
            None => return Err(MazeTextError::TooLarge { line: 1, column: line.column }),
        };
        if last {
            line.end()?;
            return Ok(cols);
        }
    }
}

/// Reads a row of cells: their contents, and the walls to the east.
fn read_cells(
    line: &mut Line<'_>,
    cols: u16,
    passages: &mut Vec<u8>,
    contents: &mut Vec<char>,
) -> Result<(), MazeTextError> {
    line.take("`┃`", |c| c == '┃')?;
    for col in 1..=cols {
        line.take(Phrase::new("a space", "une espace"), |c| c == ' ')?;
        contents.push(line.take(
            Phrase::new("what a cell holds, or a space", "ce qu'une case contient, ou une espace,"),
            |_| true,
        )?);
        line.take(Phrase::new("a space", "une espace"), |c| c == ' ')?;
        let side = if col < cols {
            line.take(Phrase::new("`┃` or a space", "`┃` ou une espace"), |c| {
                matches!(c, '┃' | ' ')
            })?
        } else {
            line.take("`┃`", |c| c == '┃')?
        };
        passages.push(if side == ' ' { EAST } else { 0 });
    }
    line.end()
}

/// Reads the line below a row of cells, after its first character: the walls to the south.
fn read_between(mut line: Line<'_>, row: &mut [u8]) -> Result<(), MazeTextError> {
    let last = row.len() - 1;
    for (col, passages) in row.iter_mut().enumerate() {
        if line.take(Phrase::new("`━` or a space", "`━` ou une espace"), |c| {
            matches!(c, '━' | ' ')
        })? == ' '
        {
            *passages |= SOUTH;
        }
        for _ in 0..2 {
            if *passages & SOUTH == 0 {
                line.take("`━`", |c| c == '━')?
            } else {
                line.take(Phrase::new("a space", "une espace"), |c| c == ' ')?
            };
        }
        if col < last {
            line.take("`╋`", |c| c == '╋')?
        } else {
            line.take("`┫`", |c| c == '┫')?
        };
    }
    line.end()
}

/// Reads the bottom of a maze, after its first character.
fn read_bottom(mut line: Line<'_>, cols: u16) -> Result<(), MazeTextError> {
    for col in 1..=cols {
        for _ in 0..3 {
            line.take("`━`", |c| c == '━')?;
        }
        if col < cols {
            line.take("`┻`", |c| c == '┻')?
        } else {
            line.take("`┛`", |c| c == '┛')?
        };
    }
    line.end()
}

/// The lines of a text.
struct Lines<'t> {
    rest: Option<&'t str>,
    number: usize,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        Self { rest: Some(text), number: 0 }
    }

    /// The next line; an empty line after the last.
    fn next_line(&mut self) -> Line<'t> {
        self.number += 1;
        let rest = self.rest.filter(|rest| !rest.is_empty());
        let (text, rest) = match rest.map(|rest| rest.split_once('\n').unwrap_or((rest, ""))) {
            Some((line, rest)) => (Some(line.strip_suffix('\r').unwrap_or(line)), Some(rest)),
            None => (None, None),
        };
        self.rest = rest;
        let end = if text.is_some() {
            Phrase::new("the end of the line", "la fin de la ligne")
        } else {
            Phrase::new("the end of the text", "la fin du texte")
        };
        Line { chars: text.unwrap_or("").chars(), number: self.number, column: 0, end }
    }

    /// Checks that only blank lines follow.
    fn end(mut self) -> Result<(), MazeTextError> {
        while self.rest.is_some() {
            let mut line = self.next_line();
            if !line.chars.as_str().trim().is_empty() {
                return line
                    .take(Phrase::new("the end of the text", "la fin du texte"), |_| false)
                    .map(|_| ());
            }
        }
        Ok(())
    }
}

/// A line being read.
struct Line<'t> {
    chars: Chars<'t>,
    number: usize,
    /// The column of the last character read; 0 before the first.
    column: usize,
    /// The name of the end of the line or of the text, for errors.
    end: Phrase,
}

impl Line<'_> {
    /// Reads the next character, which must be as expected.
    fn take(
        &mut self,
        expected: impl Into<Phrase>,
        is_expected: impl Fn(char) -> bool,
    ) -> Result<char, MazeTextError> {
        self.column += 1;
        let found = self.chars.next();
        found.filter(|&found| is_expected(found)).ok_or_else(|| MazeTextError::Unexpected {
            line: self.number,
            column: self.column,
            expected: expected.into(),
            found: found.map_or(self.end.to_string(), |found| format!("{found:?}")),
        })
    }

    /// Checks that the line is at its end.
    fn end(&mut self) -> Result<(), MazeTextError> {
        match self.chars.as_str() {
            "" => Ok(()),
            _ => self
                .take(Phrase::new("the end of the line", "la fin de la ligne"), |_| false)
                .map(|_| ()),
        }
    }
}
