//! Searches on a board, as Python sees them.

use std::sync::{Arc, Mutex};

use game::notation::of_direction;
use game::pacman::{Board, Cell, Direction, Pos};
use language::said;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::fault::wrong;
use crate::lock;

/// A cell as Python has it: row and column, both from 0 at the top left.
pub(crate) type Place = (i64, i64);

/// Maximum size of an array of all distances, in bytes.
const LARGEST_TABLE: usize = 1 << 30;

/// The cell at a place.
pub(crate) fn cell(board: &Board, (row, col): Place) -> PyResult<Cell> {
    let pos = u16::try_from(row).ok().zip(u16::try_from(col).ok());
    pos.and_then(|(row, col)| board.dims().cell(Pos { row, col })).ok_or_else(|| {
        let dims = board.dims();
        wrong(said!(
            "({row}, {col}) is not on the board: expected a row from 0 to {}, a column from 0 to {}",
            "({row}, {col}) n'est pas sur le plateau : une ligne de 0 à {} et une colonne de 0 à {} sont attendues",
            dims.rows() - 1,
            dims.cols() - 1
        ))
    })
}

/// The place of a cell.
pub(crate) fn place(board: &Board, cell: Cell) -> (u16, u16) {
    let pos = board.dims().pos(cell);
    (pos.row, pos.col)
}

/// The letters of directions, in this order.
pub(crate) fn letters(directions: &[Direction]) -> String {
    directions.iter().map(|&direction| char::from(of_direction(direction))).collect()
}

/// The distance to a cell, `None` where no path leads.
fn known(distances: &graph::Distances, cell: Cell) -> Option<u32> {
    Some(distances.to(cell)).filter(|&steps| steps != graph::Distances::UNREACHED)
}

/// Distances in steps from one cell to all the others, on the torus.
///
/// ``distances[row, col]`` is the number of steps, or ``None`` where no path leads.
#[pyclass(frozen, module = "pacman_iuto")]
pub(crate) struct Distances {
    board: Arc<Board>,
    distances: graph::Distances,
}

impl Distances {
    /// Walls do not stop the first `through_walls` steps.
    pub(crate) fn new(board: &Arc<Board>, source: Cell, through_walls: u32) -> Self {
        let mut distances = graph::Distances::new();
        distances.fill_through(board, source, through_walls);
        Self { board: Arc::clone(board), distances }
    }

    pub(crate) fn path_to(&self, to: Cell) -> Option<String> {
        Some(letters(&self.distances.path(&self.board, to)?))
    }
}

#[pymethods]
impl Distances {
    fn __getitem__(&self, place: Place) -> PyResult<Option<u32>> {
        Ok(known(&self.distances, cell(&self.board, place)?))
    }

    /// The directions of a shortest path to a cell, as ``"NNE"``; ``""`` to the start itself, and
    /// ``None`` where no path leads.
    fn path(&self, to: Place) -> PyResult<Option<String>> {
        Ok(self.path_to(cell(&self.board, to)?))
    }

    /// The first direction of a shortest path to a cell, as ``"N"``; ``None`` to the start itself and
    /// where no path leads.
    fn first_step(&self, to: Place) -> PyResult<Option<char>> {
        let step = self.distances.first_step(&self.board, cell(&self.board, to)?);
        Ok(step.map(|step| char::from(of_direction(step))))
    }

    /// The cells that can be reached, nearest first, the start included.
    fn reached(&self) -> Vec<(u16, u16)> {
        self.distances.reached().iter().map(|&cell| place(&self.board, cell)).collect()
    }

    /// All distances in steps as an ``int32`` array of shape (rows, columns); -1 where no path leads.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let dims = self.board.dims();
        let flat: Vec<i32> = dims.cells().map(|cell| steps(&self.distances, cell)).collect();
        PyArray1::from_vec(py, flat).reshape([dims.rows().into(), dims.cols().into()])
    }
}

/// The distance as a number: -1 where no path leads.
fn steps(distances: &graph::Distances, cell: Cell) -> i32 {
    known(distances, cell).and_then(|steps| i32::try_from(steps).ok()).unwrap_or(-1)
}

/// Distances in steps between any two cells, computed on first use.
///
/// ``table[(row, col), (row, col)]`` is the number of steps, or ``None`` where no path leads. It
/// remains valid for the whole game, since walls never change.
#[pyclass(frozen, module = "pacman_iuto")]
pub(crate) struct DistanceTable {
    board: Arc<Board>,
    table: Mutex<graph::DistanceTable>,
}

impl DistanceTable {
    pub(crate) fn new(board: &Arc<Board>) -> Self {
        Self { board: Arc::clone(board), table: Mutex::default() }
    }
}

#[pymethods]
impl DistanceTable {
    fn __getitem__(&self, py: Python<'_>, pair: (Place, Place)) -> PyResult<Option<u32>> {
        let (from, to) = (cell(&self.board, pair.0)?, cell(&self.board, pair.1)?);
        let mut table = lock(py, &self.table);
        Ok(known(table.from(&self.board, from), to))
    }

    /// All distances in steps as an ``int32`` array of shape (cells, cells), where the number of a cell
    /// is ``row * columns + column``; -1 where no path leads. Raises ``MemoryError`` beyond 1 GiB.
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let cells = self.board.dims().len();
        if cells * cells * size_of::<i32>() > LARGEST_TABLE {
            return Err(PyMemoryError::new_err(said!(
                "the distances between {cells} cells take more than 1 GiB",
                "les distances entre {cells} cases prennent plus de 1 Gio"
            )));
        }
        let all = py.detach(|| {
            let mut distances = graph::Distances::new();
            let mut all = Array2::from_elem([cells, cells], -1);
            for (mut row, source) in all.rows_mut().into_iter().zip(self.board.dims().cells()) {
                if !self.board.is_wall(source) {
                    distances.fill(&self.board, source);
                    for &cell in distances.reached() {
                        row[cell.index()] = steps(&distances, cell);
                    }
                }
            }
            all
        });
        Ok(all.into_pyarray(py))
    }
}
