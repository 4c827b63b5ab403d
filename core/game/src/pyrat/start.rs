//! Starting cells of the rats, and distribution of the cheese.

use language::note;

use crate::pyrat::{Cell, Colour, Maze, MazeError, Mersenne, Pos};

/// Starting cells of the rats (*départ*). A hole stands for the nearest cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// In the middle.
    #[default]
    Centre,
    /// In the corners: top left, bottom right, top right, bottom left, and so on.
    Corners,
    /// At random cells, drawn for each rat.
    Random,
    /// All in the same random cell.
    Same,
    /// At places by index; more rats start again from the first place.
    Places(Vec<u32>),
}

impl Start {
    /// The cells where the rats start.
    ///
    /// # Errors
    ///
    /// When there are more rats than colours, there are no places, or a place lies outside of the maze.
    pub fn cells(&self, maze: &Maze, rats: usize, seed: u64) -> Result<Vec<Cell>, MazeError> {
        if rats > Colour::MAX {
            return Err(MazeError(note!(
                "expected at most {} rats, got {rats}",
                "au plus {} rats sont attendus, et non {rats}",
                Colour::MAX
            )));
        }
        let dims = maze.dims();
        let mut random = Mersenne::new(seed);
        let mut drawn = || maze.cells()[random.below(maze.cells().len() as u64) as usize];
        let (bottom, right) = (dims.rows() - 1, dims.cols() - 1);
        let corners = [(0, 0), (bottom, right), (0, right), (bottom, 0)]
            .map(|(row, col)| dims.cell(Pos { row, col }).expect("a corner lies inside"));
        let places: Vec<Cell> = match self {
            Self::Centre => vec![Maze::centre(dims)],
            Self::Corners => corners.to_vec(),
            Self::Random => (0..rats).map(|_| drawn()).collect(),
            Self::Same => vec![drawn()],
            Self::Places(places) if places.is_empty() => {
                return Err(MazeError(note!(
                    "expected a place to start at",
                    "une place de départ est attendue"
                )));
            }
            Self::Places(places) => {
                let last = dims.len() - 1;
                let cell = |&found: &u32| {
                    dims.nth(found as usize).ok_or_else(|| {
                        MazeError(note!(
                            "expected a place from 0 to {last}, got {found}",
                            "une place de 0 à {last} est attendue, et non {found}"
                        ))
                    })
                };
                places.iter().map(cell).collect::<Result<_, _>>()?
            }
        };
        Ok(places.into_iter().map(|place| nearest_cell(maze, place)).cycle().take(rats).collect())
    }
}

/// The place itself, or the cell nearest to it as the crow flies; of several the first in the order
/// of the cells.
fn nearest_cell(maze: &Maze, place: Cell) -> Cell {
    if !maze.is_wall(place) {
        return place;
    }
    let from = maze.dims().pos(place);
    let square = |cell: &&Cell| {
        let to = maze.dims().pos(**cell);
        let [rows, cols] = [from.row.abs_diff(to.row), from.col.abs_diff(to.col)].map(u32::from);
        rows * rows + cols * cols
    };
    *maze.cells().iter().min_by_key(square).expect("a maze has cells")
}

/// The pieces of cheese, as PyRat distributes them with this `random_seed`: on the cells where no
/// rat starts.
///
/// # Errors
///
/// If there is no cheese, or more pieces than such cells.
pub(super) fn distribute_cheese(
    maze: &Maze,
    starts: &[Cell],
    cheese: usize,
    seed: u64,
) -> Result<Vec<Cell>, MazeError> {
    let mut free: Vec<Cell> =
        maze.cells().iter().copied().filter(|cell| !starts.contains(cell)).collect();
    if !(1..=free.len()).contains(&cheese) {
        return Err(MazeError::cheese(free.len(), cheese));
    }
    Mersenne::new(seed).shuffle(&mut free);
    free.truncate(cheese);
    Ok(free)
}
