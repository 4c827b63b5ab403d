//! Mazes on a rectangle of cells: walls, generators, text, solutions and statistics.
//!
//! - [`Maze`]: the walls between contiguous cells.
//! - [`Generator`]: five algorithms that generate perfect mazes, one per file.
//! - [`Rendering`], [`ReadMaze`]: the maze as a drawing of characters, and back; [`Dictionary`]: the maze as a graph for
//!   `PyRat`.
//! - [`Solver`]: paths between two cells; [`Walk`]: the right-hand rule.
//! - [`Statistics`]: dead ends, corridors and paths; [`uniformity`]: a test that all mazes are equally likely.
//! - [`muddy_grid`]: mazes with loops and mud, as graphs to search.
//! - [`Draws`]: random draws, identical on every machine.

mod draws;
mod maze;
mod muddy_grid;

pub use draws::Draws;
pub use maze::Maze;
pub use maze::dictionary::Dictionary;
pub use maze::generator::Generator;
pub use maze::reading::{Mark, MazeTextError, ReadMaze};
pub use maze::rendering::Rendering;
pub use maze::solver::{Solution, Solver};
pub use maze::statistics::Statistics;
pub use maze::uniformity;
pub use maze::wall_follower::Walk;
pub use muddy_grid::muddy_grid;
