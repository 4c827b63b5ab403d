//! Mazes: a comparison of the generators, and mazes as pictures and maps.
//!
//! - [`comparison`]: the generators side by side.
//! - [`picture`]: a maze as an SVG or a PNG file.
//! - [`pacman_map`]: a maze as a map of the game.

pub mod comparison;
pub mod pacman_map;
pub mod picture;

use graph::Dims;
use language::said;
use maze::Generator;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Maximum number of cells of a maze.
pub const MAX_CELLS: usize = 25_000_000;

const _: () = assert!(MAX_CELLS <= Generator::MAX_CELLS);

/// A maze is too small or too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "{height}×{width} cells: expected 1 to {MAX_CELLS} cells",
    "{height}×{width} cases : de 1 à {MAX_CELLS} cases sont attendues"
))]
pub struct SizeError {
    /// Rows.
    pub height: u16,
    /// Columns.
    pub width: u16,
}

/// The random generator of mazes: a seed (*graine*) gives the same mazes on every machine.
pub fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Checks the rows and columns of a maze.
///
/// # Errors
///
/// If there is no cell, or there are more than [`MAX_CELLS`].
pub fn dims(height: u16, width: u16) -> Result<Dims, SizeError> {
    let dims = Dims::new(height, width).filter(|dims| dims.len() <= MAX_CELLS);
    dims.ok_or(SizeError { height, width })
}
