//! The maze as a drawing of characters.

use std::fmt;

use super::Maze;
use graph::{Cell, Direction};

/// The drawing of a maze (*affichage*), with a character in the middle of each cell.
///
/// Two lines per row of cells and one more; four characters per column and one more. Each line ends in a newline. Written
/// piece by piece, for mazes of any size.
#[derive(Clone, Copy, Debug)]
pub struct Rendering<'m, F> {
    maze: &'m Maze,
    content: F,
}

impl Maze {
    /// The drawing of the maze with these contents of its cells, which must be as wide as a space.
    pub fn rendering<F: Fn(Cell) -> char>(&self, content: F) -> Rendering<'_, F> {
        Rendering { maze: self, content }
    }
}

impl<F: Fn(Cell) -> char> fmt::Display for Rendering<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let maze = self.maze;
        let (rows, cols) = (usize::from(maze.dims.rows()), usize::from(maze.dims.cols()));
        let mut cells = maze.dims.cells();
        let mut between = Vec::with_capacity(cols);
        f.write_str("┏")?;
        ruled(f, (0..cols).map(|_| false), "┳", "┓\n")?;
        for row in 1..=rows {
            f.write_str("┃")?;
            between.clear();
            for cell in cells.by_ref().take(cols) {
                let side = if maze.is_open(cell, Direction::East) { ' ' } else { '┃' };
                write!(f, " {} {side}", (self.content)(cell))?;
                between.push(maze.is_open(cell, Direction::South));
            }
            f.write_str(if row < rows { "\n┣" } else { "\n┗" })?;
            if row < rows {
                ruled(f, between.iter().copied(), "╋", "┫\n")?;
            } else {
                ruled(f, between.iter().copied(), "┻", "┛\n")?;
            }
        }
        Ok(())
    }
}

/// Writes the line above or below a row of cells: a wall or an opening per cell, junctions between them, and an end.
fn ruled(
    f: &mut fmt::Formatter<'_>,
    open: impl ExactSizeIterator<Item = bool>,
    junction: &str,
    end: &str,
) -> fmt::Result {
    let last = open.len() - 1;
    for (col, open) in open.enumerate() {
        f.write_str(if open { "   " } else { "━━━" })?;
        f.write_str(if col == last { end } else { junction })?;
    }
    Ok(())
}

impl fmt::Display for Maze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rendering(|_| ' ').fmt(f)
    }
}
