//! The maze of a game.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arrayvec::ArrayVec;
use graph::{Grid, Shape};
use language::{Note, note};

use crate::pyrat::{Cell, Dims, Direction, MazeError, Pos};

/// The neighbours of a cell, each with the turns to walk there. Searches depend on their order.
pub type Links = ArrayVec<(Cell, u16), 4>;

/// The cells and passages of a game (*labyrinthe*), shared and never changed.
///
/// The cells, and the neighbours of each, are in PyRat's order.
#[derive(Clone, PartialEq, Eq)]
pub struct Maze(Arc<Inner>);

#[derive(PartialEq, Eq)]
struct Inner {
    grid: Grid,
    cells: Vec<Cell>,
    links: Vec<Links>,
}

impl fmt::Debug for Maze {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Maze({}, {} cells)", self.dims(), self.cells().len())
    }
}

impl Maze {
    /// Maximum number of rows and of columns.
    pub const MAX_SIDE: u16 = 1000;

    /// A maze with these cells in this order; the links, by place, are symmetric and join adjacent cells only.
    pub(super) fn new(dims: Dims, cells: Vec<Cell>, links: Vec<Links>) -> Self {
        let weights = |cell: Cell| {
            let weight = |next| links[cell.index()].iter().find(|link| Some(link.0) == next);
            dims.around(cell).map(|next| weight(next).map_or(0, |link| link.1))
        };
        let weights: Vec<_> = dims.cells().map(weights).collect();
        let weight = |cell: Cell, direction: Direction| weights[cell.index()][direction.index()];
        let grid = Grid::linked(dims, Shape::Bounded, weight);
        Self(Arc::new(Inner { grid, cells, links }))
    }

    /// A maze with these cells and their neighbours, in this order, each with the turns to walk there. A row has `width` places;
    /// without a `height`, the largest index determines the number of rows.
    ///
    /// # Errors
    ///
    /// With the first wrong cell or passage, if the passages make no maze.
    pub fn from_passages(
        width: u16,
        height: Option<u16>,
        passages: impl IntoIterator<Item = (u64, Vec<(u64, i64)>)>,
    ) -> Result<Self, MazeError> {
        let passages: Vec<_> = passages.into_iter().collect();
        let last = passages.iter().map(|(cell, _)| *cell).max().unwrap_or(0);
        let rows = height.map_or((last / u64::from(width.max(1))).saturating_add(1), u64::from);
        let dims = u16::try_from(rows).ok().and_then(|rows| Dims::new(rows, width));
        let fits = |dims: &Dims| dims.rows().max(dims.cols()) <= Self::MAX_SIDE;
        let dims = dims.filter(fits).ok_or_else(|| {
            MazeError(note!(
                "expected 1 to {most} rows and columns, got {rows} rows and {width} columns",
                "de 1 à {most} lignes et colonnes sont attendues, et non {rows} lignes et {width} colonnes",
                most = Self::MAX_SIDE
            ))
        })?;
        if passages.len() < 2 {
            // A game needs one for a rat and one for cheese.
            return Err(MazeError(note!(
                "expected at least two cells, got {}",
                "au moins deux cases sont attendues, et non {}",
                passages.len()
            )));
        }
        let place = |number| usize::try_from(number).ok().and_then(|index| dims.nth(index));
        let mut weights = vec![None; dims.len()];
        let mut cells = Vec::with_capacity(passages.len());
        for (number, links) in &passages {
            let cell = place(*number).ok_or_else(|| {
                MazeError(note!(
                    "expected cells from 0 to {last}, got {number}",
                    "des cases de 0 à {last} sont attendues, et non {number}",
                    last = dims.len() - 1
                ))
            })?;
            if weights[cell.index()].replace(links).is_some() {
                return Err(MazeError(note!(
                    "cell {number} is listed twice",
                    "la case {number} est donnée deux fois"
                )));
            }
            cells.push(cell);
        }
        let mut links = vec![Links::new(); dims.len()];
        for (&cell, (from, neighbours)) in cells.iter().zip(&passages) {
            let from = *from;
            if neighbours.is_empty() {
                return Err(MazeError(note!(
                    "cell {from} has no neighbour",
                    "la case {from} n'a pas de voisine"
                )));
            }
            for &(to, weight) in neighbours {
                let next = place(to).filter(|next| weights[next.index()].is_some());
                let next = next.ok_or_else(|| {
                    MazeError(note!(
                        "cell {from} has the neighbour {to}, which is no cell",
                        "la case {from} a pour voisine {to}, qui n'est pas une case"
                    ))
                })?;
                if !Direction::ALL.into_iter().any(|d| dims.contiguous(cell, d) == Some(next)) {
                    return Err(MazeError(note!(
                        "cells {from} and {to} do not lie side by side when a row has {width} places",
                        "les cases {from} et {to} ne sont pas côte à côte quand une rangée a {width} places"
                    )));
                }
                if links[cell.index()].iter().any(|(known, _)| *known == next) {
                    return Err(MazeError(note!(
                        "neighbour {to} of cell {from} is listed twice",
                        "la voisine {to} de la case {from} est donnée deux fois"
                    )));
                }
                let ways_back = weights[next.index()].into_iter().flatten();
                let back = ways_back.clone().find(|(back, _)| *back == from).map(|way| way.1);
                if back != Some(weight) {
                    let absent = || Note::new("does not exist", "n'existe pas");
                    let back = back.map_or_else(absent, |back| Note::same(back.to_string()));
                    return Err(MazeError(Note::new(
                        format!(
                            "the passage from {from} to {to} takes {weight} turns, the way back {}",
                            back.en
                        ),
                        format!(
                            "le passage de {from} à {to} prend {weight} tours, et le retour {}",
                            back.fr
                        ),
                    )));
                }
                let turns = u16::try_from(weight).ok().filter(|&turns| turns > 0);
                let turns = turns.ok_or_else(|| {
                    MazeError(note!(
                        "expected 1 to {} turns, the passage from {from} to {to} takes {weight}",
                        "de 1 à {} tours sont attendus, et le passage de {from} à {to} en prend {weight}",
                        u16::MAX
                    ))
                })?;
                links[cell.index()].push((next, turns));
            }
        }
        Ok(Self::new(dims, cells, links))
    }

    /// The place in the middle of a rectangle of rows and columns, whether a cell or a hole.
    pub fn centre(dims: Dims) -> Cell {
        let pos = Pos { row: dims.rows() / 2, col: dims.cols() / 2 };
        dims.cell(pos).expect("the middle lies inside")
    }

    /// The cells in order.
    pub fn cells(&self) -> &[Cell] {
        &self.0.cells
    }

    /// The neighbours of a cell in order, each with the turns to walk there.
    pub fn links(&self, cell: Cell) -> &[(Cell, u16)] {
        &self.0.links[cell.index()]
    }
}

impl Deref for Maze {
    type Target = Grid;

    fn deref(&self) -> &Grid {
        &self.0.grid
    }
}
