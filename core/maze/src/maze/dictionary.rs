//! A maze as the weighted graph of `PyRat`.

use std::fmt;

use super::Maze;

/// The dictionary (*dictionnaire*) of the neighbours of each cell, as JSON: `{"0": {"15": 1}, …}`.
///
/// Cells are numbered row-major: `row · columns + column`; each passage weighs 1.
#[derive(Clone, Copy, Debug)]
pub struct Dictionary<'m>(&'m Maze);

impl Maze {
    /// The maze as the weighted graph of `PyRat`.
    pub fn dictionary(&self) -> Dictionary<'_> {
        Dictionary(self)
    }
}

impl fmt::Display for Dictionary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in self.0.dims().cells() {
            let before = if cell.index() == 0 { "{" } else { ", " };
            write!(f, "{before}\"{}\": {{", cell.index())?;
            for (at, next) in self.0.reachable_cells(cell).enumerate() {
                let before = if at == 0 { "" } else { ", " };
                write!(f, "{before}\"{}\": 1", next.index())?;
            }
            f.write_str("}")?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::Dims;

    #[test]
    fn neighbours_by_number() {
        let mut maze = Maze::filled(Dims::new(2, 2).unwrap());
        let cells: Vec<_> = maze.dims().cells().collect();
        maze.remove_wall(cells[0], cells[1]).unwrap();
        maze.remove_wall(cells[1], cells[3]).unwrap();
        let expected = r#"{"0": {"1": 1}, "1": {"3": 1, "0": 1}, "2": {}, "3": {"1": 1}}"#;
        assert_eq!(maze.dictionary().to_string(), expected);
    }
}
