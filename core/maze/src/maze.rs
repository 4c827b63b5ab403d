//! The maze itself: the walls between contiguous cells.

mod binary_tree;
pub(crate) mod dictionary;
mod draft;
mod exploration;
mod fusion;
pub(crate) mod generator;
pub(crate) mod reading;
pub(crate) mod rendering;
mod sidewinder;
pub(crate) mod solver;
pub(crate) mod statistics;
pub mod uniformity;
pub(crate) mod wall_follower;
mod wilson;

use language::said;

use graph::{Cell, Dims, Direction, Distances, Grid, Pos, Shape};

/// A maze (*labyrinthe*): between two contiguous cells of a rectangle there is a wall (*mur*) or a
/// passage.
///
/// One byte per cell. Cells given to its functions have to be within the dimensions of the maze.
///
/// ```
/// use maze::{Generator, Solver};
/// use graph::Dims;
/// use rand_xoshiro::Xoshiro256PlusPlus;
/// use rand_xoshiro::rand_core::SeedableRng;
///
/// let dims = Dims::new(10, 20).unwrap();
/// let maze = Generator::Wilson.generate(dims, &mut Xoshiro256PlusPlus::seed_from_u64(7));
/// // A perfect maze is a tree: there is one path between any two cells.
/// assert!(maze.is_perfect());
/// let [from, to] = [0, 199].map(|cell| dims.nth(cell).unwrap());
/// let path = Solver::BreadthFirst.solve(&maze, from, to).path;
/// assert_eq!(path.len() as u32, maze.distance_geo(from, to).unwrap() + 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Maze {
    dims: Dims,
    /// For each cell a bit per direction, set for a passage; always the same from both sides.
    passages: Vec<u8>,
}

/// Two cells between which there can be neither wall nor passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WallError {
    /// One of the cells is outside the maze: its number, and the number of cells.
    #[error("{}", said!(
        "cell number {_0} is outside the maze, which has {_1} cells",
        "la case numéro {_0} est hors du labyrinthe, qui a {_1} cases"
    ))]
    Outside(usize, usize),
    /// The cells are not contiguous.
    #[error("{}", said!(
        "{_0} and {_1} are not contiguous: no wall stands between them",
        "{_0} et {_1} ne sont pas contigües : aucun mur ne les sépare"
    ))]
    NotContiguous(Pos, Pos),
}

const NORTH: u8 = bit(Direction::North);
const EAST: u8 = bit(Direction::East);
const SOUTH: u8 = bit(Direction::South);
const WEST: u8 = bit(Direction::West);

/// The bit of a passage in a direction.
const fn bit(direction: Direction) -> u8 {
    1 << direction.index()
}

impl Maze {
    /// A maze with all walls (the subject's `empty=False`).
    #[must_use]
    pub fn filled(dims: Dims) -> Self {
        Self { dims, passages: vec![0; dims.len()] }
    }

    /// A maze without walls between cells (the subject's `empty=True`).
    #[must_use]
    pub fn empty(dims: Dims) -> Self {
        let mut maze = Self::filled(dims);
        maze.clear();
        maze
    }

    /// Rows and columns.
    pub fn dims(&self) -> Dims {
        self.dims
    }

    /// Puts up all walls.
    pub fn fill(&mut self) {
        self.passages.fill(0);
    }

    /// Takes down all walls between cells.
    pub fn clear(&mut self) {
        let dims = self.dims;
        for (cell, passages) in dims.cells().zip(&mut self.passages) {
            let inside = |&d: &Direction| dims.contiguous(cell, d).is_some();
            *passages = Direction::ALL.into_iter().filter(inside).map(bit).sum();
        }
    }

    /// Puts up the wall between two cells; no effect if it stands already.
    ///
    /// # Errors
    ///
    /// If a cell is outside the maze, or the cells are not contiguous.
    pub fn add_wall(&mut self, a: Cell, b: Cell) -> Result<(), WallError> {
        let direction = self.direction(a, b)?;
        self.passages[a.index()] &= !bit(direction);
        self.passages[b.index()] &= !bit(direction.opposite());
        Ok(())
    }

    /// Takes down the wall between two cells; no effect without a wall.
    ///
    /// # Errors
    ///
    /// If a cell is outside the maze, or the cells are not contiguous.
    pub fn remove_wall(&mut self, a: Cell, b: Cell) -> Result<(), WallError> {
        let direction = self.direction(a, b)?;
        self.passages[a.index()] |= bit(direction);
        self.passages[b.index()] |= bit(direction.opposite());
        Ok(())
    }

    /// The direction from `a` to the contiguous cell `b`.
    fn direction(&self, a: Cell, b: Cell) -> Result<Direction, WallError> {
        for cell in [a, b] {
            if cell.index() >= self.dims.len() {
                return Err(WallError::Outside(cell.index(), self.dims.len()));
            }
        }
        let mut directions = Direction::ALL.into_iter();
        directions
            .find(|&direction| self.dims.contiguous(a, direction) == Some(b))
            .ok_or_else(|| WallError::NotContiguous(self.dims.pos(a), self.dims.pos(b)))
    }

    /// Tests if a passage leads out of a cell in a direction.
    pub fn is_open(&self, cell: Cell, direction: Direction) -> bool {
        self.passages[cell.index()] & bit(direction) != 0
    }

    /// All walls between cells, row-major, for each cell the eastern wall before the southern one.
    pub fn walls(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.pairs(false)
    }

    /// All passages, in the order of [`walls`](Self::walls).
    pub fn passages(&self) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.pairs(true)
    }

    fn pairs(&self, open: bool) -> impl Iterator<Item = (Cell, Cell)> + '_ {
        self.dims.cells().flat_map(move |cell| {
            [Direction::East, Direction::South]
                .into_iter()
                .filter(move |&direction| self.is_open(cell, direction) == open)
                .filter_map(move |d| Some((cell, self.dims.contiguous(cell, d)?)))
        })
    }

    /// The cells beside a cell, clockwise from north, ignoring walls.
    pub fn contiguous_cells(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let dims = self.dims;
        Direction::ALL.into_iter().filter_map(move |direction| dims.contiguous(cell, direction))
    }

    /// The cells that passages lead to from a cell, clockwise from north.
    pub fn reachable_cells(&self, cell: Cell) -> impl Iterator<Item = Cell> + use<> {
        let (dims, open) = (self.dims, self.passages[cell.index()]);
        let open = Direction::ALL.into_iter().filter(move |&direction| open & bit(direction) != 0);
        open.filter_map(move |direction| dims.contiguous(cell, direction))
    }

    /// The number of passages of a cell, 0 to 4.
    pub fn degree(&self, cell: Cell) -> u32 {
        self.passages[cell.index()].count_ones()
    }

    /// The cells with one passage (*impasses*), row-major.
    pub fn dead_ends(&self) -> impl Iterator<Item = Cell> + '_ {
        self.dims.cells().filter(|&cell| self.degree(cell) == 1)
    }

    /// Number of passages.
    pub fn passage_count(&self) -> usize {
        self.passages.iter().map(|passages| passages.count_ones() as usize).sum::<usize>() / 2
    }

    /// Manhattan distance between two cells (*distance de Manhattan*), in steps.
    pub fn distance_man(&self, a: Cell, b: Cell) -> u32 {
        let (a, b) = (self.dims.pos(a), self.dims.pos(b));
        u32::from(a.row.abs_diff(b.row)) + u32::from(a.col.abs_diff(b.col))
    }

    /// Distance through the maze between two cells (*distance géodésique*), in steps; `None` without a path.
    pub fn distance_geo(&self, a: Cell, b: Cell) -> Option<u32> {
        self.distances(a)[b.index()]
    }

    /// Distances through the maze from a cell to all cells, in steps, row-major; `None` for unreachable cells.
    pub fn distances(&self, from: Cell) -> Vec<Option<u32>> {
        let mut distances = Distances::new();
        distances.fill(&Grid::from(self), from);
        let steps = |cell| Some(distances.to(cell)).filter(|&steps| steps < Distances::UNREACHED);
        self.dims.cells().map(steps).collect()
    }

    /// The description in the words of the subject: dimensions, neighbourhoods, and their coherence. They are always
    /// coherent: every cell is a neighbour of its neighbours.
    pub fn info(&self) -> String {
        let dims = self.dims;
        let set = |cell| {
            let cells: Vec<_> =
                self.reachable_cells(cell).map(|c| dims.pos(c).to_string()).collect();
            if cells.is_empty() { "set()".to_owned() } else { format!("{{{}}}", cells.join(", ")) }
        };
        let neighbourhoods: Vec<_> =
            dims.cells().map(|cell| format!("{}: {}", dims.pos(cell), set(cell))).collect();
        format!(
            "**Informations sur le labyrinthe**\n- Dimensions de la grille : {} x {}\n\
             - Voisinages :\n{{{}}}\n- Structure cohérente\n",
            dims.rows(),
            dims.cols(),
            neighbourhoods.join(", ")
        )
    }
}

/// Converts a maze into a bounded grid whose links all weigh 1.
impl From<&Maze> for Grid {
    fn from(maze: &Maze) -> Self {
        let weight = |cell, direction| u16::from(maze.is_open(cell, direction));
        Self::linked(maze.dims(), Shape::Bounded, weight)
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    pub(super) fn rng(seed: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(seed)
    }

    fn five() -> Dims {
        Dims::new(5, 5).unwrap()
    }

    fn at(row: u16, col: u16) -> Cell {
        five().cell(Pos { row, col }).unwrap()
    }

    #[test]
    fn walls_and_cells_as_in_the_subject() {
        let mut maze = Maze::empty(five());
        maze.add_wall(at(0, 0), at(0, 1)).unwrap();
        maze.add_wall(at(0, 1), at(1, 1)).unwrap();
        let walls: Vec<_> = maze.walls().collect();
        assert_eq!(walls, [(at(0, 0), at(0, 1)), (at(0, 1), at(1, 1))]);
        let contiguous: Vec<_> = maze.contiguous_cells(at(0, 1)).collect();
        assert_eq!(contiguous, [at(0, 2), at(1, 1), at(0, 0)]);
        assert_eq!(maze.reachable_cells(at(0, 1)).collect::<Vec<_>>(), [at(0, 2)]);
        assert_eq!(maze.degree(at(0, 1)), 1);
        assert_eq!(maze.dead_ends().collect::<Vec<_>>(), [at(0, 0), at(0, 1)]);
    }

    #[test]
    fn walls_are_coherent_and_setting_them_twice_changes_nothing() {
        let mut maze = Maze::filled(five());
        assert_eq!((maze.walls().count(), maze.passage_count()), (40, 0));
        for _ in 0..2 {
            maze.remove_wall(at(2, 2), at(1, 2)).unwrap();
            assert_eq!(maze.passages().collect::<Vec<_>>(), [(at(1, 2), at(2, 2))]);
            assert!(maze.is_open(at(2, 2), Direction::North));
            assert!(maze.is_open(at(1, 2), Direction::South));
        }
        for _ in 0..2 {
            maze.add_wall(at(1, 2), at(2, 2)).unwrap();
            assert_eq!(maze, Maze::filled(five()));
        }
        maze.clear();
        assert_eq!((maze.walls().count(), maze.passage_count()), (0, 40));
        assert_eq!(maze, Maze::empty(five()));
        maze.fill();
        assert_eq!(maze, Maze::filled(five()));
    }

    #[test]
    fn cells_that_are_not_contiguous_or_outside_are_errors() {
        let mut maze = Maze::filled(five());
        for (a, b) in [((0, 0), (0, 0)), ((0, 0), (1, 1)), ((0, 4), (1, 0)), ((0, 0), (0, 4))] {
            let (a, b) = (at(a.0, a.1), at(b.0, b.1));
            let expected = Err(WallError::NotContiguous(five().pos(a), five().pos(b)));
            assert_eq!(maze.remove_wall(a, b), expected);
            assert_eq!(maze.add_wall(a, b), expected);
        }
        let outside = Dims::new(6, 5).unwrap().nth(25).unwrap();
        assert_eq!(maze.remove_wall(at(4, 0), outside), Err(WallError::Outside(25, 25)));
        assert_eq!(maze, Maze::filled(five()));
        let shown = maze.add_wall(at(0, 4), at(1, 0)).unwrap_err().to_string();
        assert_eq!(shown, "(0, 4) and (1, 0) are not contiguous: no wall stands between them");
    }

    #[test]
    fn the_description_is_that_of_the_subject() {
        let mut maze = Maze::filled(Dims::new(2, 2).unwrap());
        let cells: Vec<_> = maze.dims().cells().collect();
        maze.remove_wall(cells[0], cells[1]).unwrap();
        maze.remove_wall(cells[0], cells[2]).unwrap();
        assert_eq!(
            maze.info(),
            "**Informations sur le labyrinthe**\n- Dimensions de la grille : 2 x 2\n\
             - Voisinages :\n{(0, 0): {(0, 1), (1, 0)}, (0, 1): {(0, 0)}, (1, 0): {(0, 0)}, \
             (1, 1): set()}\n- Structure cohérente\n"
        );
    }

    #[test]
    fn manhattan_distance_ignores_walls() {
        let maze = Maze::filled(five());
        assert_eq!(maze.distance_man(at(0, 3), at(4, 1)), 6);
        assert_eq!(maze.distance_man(at(2, 2), at(2, 2)), 0);
    }

    #[test]
    fn narrow_mazes_work() {
        for (rows, cols) in [(1, 1), (1, 7), (7, 1)] {
            let mut maze = Maze::empty(Dims::new(rows, cols).unwrap());
            assert_eq!(maze.passage_count(), maze.dims().len() - 1);
            maze.fill();
            assert_eq!(maze.walls().count(), maze.dims().len() - 1);
        }
    }
}
