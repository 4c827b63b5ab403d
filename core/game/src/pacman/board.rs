//! The board and the map of a game.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use graph::Grid;
use language::note;

use crate::pacman::notation::Places;
use crate::pacman::{MapError, Object, Objects};

/// The walls and corridors of a game (*plateau*): a torus with at least one corridor cell, of 3 to
/// 500 rows and columns.
///
/// A board comes from a map text only ([`Map`], [`StateReader`](crate::pacman::StateReader)), is shared, and never changes.
pub struct Board {
    grid: Grid,
    pub(super) places: Places,
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.grid.dims())
    }
}

impl Board {
    /// Minimum number of rows and of columns.
    pub const MIN_SIDE: u16 = 3;
    /// Maximum number of rows and of columns.
    pub const MAX_SIDE: u16 = 500;

    /// `None` when the grid is too small, too large or all wall.
    pub(crate) fn new(grid: Grid) -> Option<Self> {
        let fits = |side| (Self::MIN_SIDE..=Self::MAX_SIDE).contains(&side);
        let sized = fits(grid.dims().rows()) && fits(grid.dims().cols());
        (sized && grid.corridors().next().is_some())
            .then(|| Self { grid, places: Places::default() })
    }
}

impl Deref for Board {
    type Target = Grid;

    #[inline]
    fn deref(&self) -> &Grid {
        &self.grid
    }
}

/// The map of a game (*carte*): a board and its initial objects.
///
/// ```
/// use game::pacman::Map;
///
/// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse()?;
/// assert_eq!(map.board().corridors().count(), 14);
/// // The first line has 6 columns, and 5 characters were found.
/// assert!("3;6\n#   #\n  &.  \n#    #\n".parse::<Map>().is_err());
/// # Ok::<(), game::pacman::MapError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    pub(crate) board: Arc<Board>,
    pub(crate) objects: Objects,
}

impl Map {
    /// Walls and corridors.
    pub fn board(&self) -> &Arc<Board> {
        &self.board
    }

    /// The objects at the start.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Number of empty cells: corridors that hold nothing or a vitamin.
    pub fn empty_cells(&self) -> usize {
        let empty = |object| matches!(object, None | Some(Object::Vitamin));
        self.board.corridors().filter(|&cell| empty(self.objects.get(cell))).count()
    }

    /// Checks that there is an empty cell for every pacman and every ghost.
    ///
    /// # Errors
    ///
    /// When there are fewer than two empty cells a player.
    pub fn check_room_for(&self, players: usize) -> Result<(), MapError> {
        match self.empty_cells() {
            empty if empty < 2 * players => Err(MapError {
                line: 2,
                column: 1,
                problem: note!(
                    "{players} players need {} empty cells, the board has {empty}",
                    "{players} joueurs demandent {} cases vides, le plateau en a {empty}",
                    players * 2
                ),
            }),
            _ => Ok(()),
        }
    }
}
