//! Parameters of random mazes.

use std::ops::RangeInclusive;

use language::{Note, note};

use crate::pyrat::{Dims, Maze, MazeError, Mersenne};

use super::draft::Draft;

/// Parameters of a maze (*configuration du labyrinthe*); together with a seed, they determine the maze.
///
/// ```
/// use game::pyrat::Recipe;
///
/// let recipe = Recipe { width: 5, height: 4, cells: 100.0, ..Recipe::default() };
/// assert_eq!(recipe.make(1), recipe.make(1));
/// assert!(Recipe { width: 0, ..recipe }.make(1).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Share of the places that are cells, in percent; the others are holes.
    pub cells: f64,
    /// Share of the passages outside a spanning tree that walls close, in percent.
    pub walls: f64,
    /// Share of the passages that are muddy, in percent.
    pub mud: f64,
    /// Turns that a muddy passage takes; 2 at least.
    pub mud_turns: RangeInclusive<u16>,
    /// Placement of the holes.
    pub holes: Holes,
}

/// Placement of the holes of a maze (*trous*).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Holes {
    /// Near each other, so that some become big.
    #[default]
    Big,
    /// Anywhere, all places equally likely.
    Uniform,
    /// At the sides, around a maze that grows from the centre.
    Side,
}

/// The defaults of PyRat: 15×13, 80 % cells, 60 % walls, 20 % mud of 4 to 9 turns, big holes.
impl Default for Recipe {
    fn default() -> Self {
        Self {
            width: 15,
            height: 13,
            cells: 80.0,
            walls: 60.0,
            mud: 20.0,
            mud_turns: 4..=9,
            holes: Holes::default(),
        }
    }
}

impl Recipe {
    /// Maximum number of rows and of columns.
    pub const MAX_SIDE: u16 = 200;

    /// The maze that PyRat makes with this `random_seed`.
    ///
    /// O(cells × holes): each hole is drawn among all cells.
    ///
    /// ```
    /// use game::pyrat::Recipe;
    ///
    /// let recipe = Recipe { width: 9, height: 7, cells: 100.0, ..Recipe::default() };
    /// let maze = recipe.make(1).unwrap();
    /// assert_eq!(maze.cells().len(), 63);
    /// assert_eq!(maze, recipe.make(1).unwrap(), "a seed always makes the same maze");
    /// ```
    ///
    /// # Errors
    ///
    /// If a parameter is out of range.
    pub fn make(&self, seed: u64) -> Result<Maze, MazeError> {
        let dims = self.check()?;
        let target = share(dims.len(), self.cells);
        let mut random = Mersenne::new(seed);
        let mut draft = match self.holes {
            Holes::Big | Holes::Uniform => Draft::full(dims),
            Holes::Side => Draft::growing(dims, target, &mut random),
        };
        match self.holes {
            Holes::Big => draft.dig_big_holes(target, &mut random),
            Holes::Uniform => draft.dig_uniform_holes(target, &mut random),
            Holes::Side => {}
        }
        draft.build_walls(self.walls, &mut random);
        draft.spread_mud(self.mud, &self.mud_turns, &mut random);
        Ok(draft.finish())
    }

    fn check(&self) -> Result<Dims, MazeError> {
        let Self { width, height, .. } = *self;
        let dims = Dims::new(height, width)
            .filter(|_| width <= Self::MAX_SIDE && height <= Self::MAX_SIDE)
            .ok_or_else(|| {
                MazeError(note!(
                    "expected 1 to {most} rows and columns, got {height} rows and {width} columns",
                    "de 1 à {most} lignes et colonnes sont attendues, et non {height} lignes et {width} colonnes",
                    most = Self::MAX_SIDE
                ))
            })?;
        for (english, french, found) in [
            ("cells", "cases", self.cells),
            ("walls", "murs", self.walls),
            ("mud", "boue", self.mud),
        ] {
            if !(0.0..=100.0).contains(&found) {
                return Err(MazeError(Note::new(
                    format!("expected 0 to 100 % {english}, got {found} %"),
                    format!("de 0 à 100 % de {french} sont attendus, et non {found} %"),
                )));
            }
        }
        let cells = share(dims.len(), self.cells);
        if cells < 2 {
            // A game needs one for a rat and one for cheese.
            return Err(MazeError(note!(
                "expected at least two cells, {} % of {height}×{width} leave {cells}",
                "au moins deux cases sont attendues, et {} % de {height}×{width} en donnent {cells}",
                self.cells
            )));
        }
        let (&least, &most) = (self.mud_turns.start(), self.mud_turns.end());
        if least < 2 || most < least {
            return Err(MazeError(note!(
                "expected mud of 2 turns or more, the least first, got {least} to {most}",
                "la boue prend au moins 2 tours, le minimum d'abord, et non de {least} à {most}"
            )));
        }
        Ok(dims)
    }
}

/// ⌊count · percent / 100⌋ in double precision, the product first.
#[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "small, and not negative")]
pub(super) fn share(count: usize, percent: f64) -> usize {
    (count as f64 * percent / 100.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(recipe: &Recipe) -> String {
        recipe.make(1).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_made_is_refused() {
        let recipe = Recipe::default;
        assert_eq!(
            error(&Recipe { width: 0, ..recipe() }),
            "expected 1 to 200 rows and columns, got 13 rows and 0 columns"
        );
        assert!(Recipe { width: 201, ..recipe() }.make(1).is_err());
        assert_eq!(
            error(&Recipe { walls: 101.0, ..recipe() }),
            "expected 0 to 100 % walls, got 101 %"
        );
        assert!(Recipe { mud: f64::NAN, ..recipe() }.make(1).is_err());
        assert_eq!(
            error(&Recipe { cells: 1.0, ..recipe() }),
            "expected at least two cells, 1 % of 13×15 leave 1"
        );
        assert_eq!(
            error(&Recipe { mud_turns: 1..=3, ..recipe() }),
            "expected mud of 2 turns or more, the least first, got 1 to 3"
        );
        #[expect(clippy::reversed_empty_ranges, reason = "what a user may ask for")]
        let reversed = 9..=4;
        assert!(Recipe { mud_turns: reversed, ..recipe() }.make(1).is_err());
    }

    #[test]
    fn extremes_are_mazes_too() {
        for holes in [Holes::Big, Holes::Uniform, Holes::Side] {
            for (width, height, cells, walls, mud) in
                [(1, 2, 100.0, 100.0, 100.0), (9, 7, 100.0, 0.0, 0.0), (7, 9, 20.0, 100.0, 50.0)]
            {
                let recipe =
                    Recipe { width, height, cells, walls, mud, holes, ..Recipe::default() };
                for seed in [0, 1, u64::MAX] {
                    let maze = recipe.make(seed).unwrap();
                    assert_eq!(maze.cells().len(), share(usize::from(width * height), cells));
                    assert!(maze.is_connected());
                }
            }
        }
    }
}
