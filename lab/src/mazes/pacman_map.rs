//! A maze as a map of the game.

use anyhow::{Context, ensure};
use game::pacman::{Board, Map, Object};
use graph::{Cell, Dims, Direction, Pos};
use language::{said, word};
use maze::{Draws, Maze};
use rand_xoshiro::rand_core::Rng;

/// The additions that turn a maze into a map (*carte*).
#[derive(Clone, Copy, Debug)]
pub struct MapPlan {
    /// Number of openings through the edge of the torus.
    pub openings: usize,
    /// Walls to remove, so that there is more than one path.
    pub loops: Loops,
    /// Number of objects other than vitamins.
    pub objects: usize,
    /// Share of the other cells that hold a vitamin, in percent.
    pub vitamins: u32,
    /// Number of players for which the map must have room.
    pub players: usize,
}

/// The number of walls of a maze to remove (*boucles*).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loops {
    /// This number of walls.
    Count(usize),
    /// This percentage of the walls.
    Percent(u32),
}

/// The longest side of a maze whose map fits into a board.
pub const MAX_SIDE: u16 = (Board::MAX_SIDE - 1) / 2;

impl MapPlan {
    /// Makes a map of 2h+1 rows and 2w+1 columns of a maze of h rows and w columns: every cell is a
    /// corridor, and so is every passage.
    ///
    /// # Errors
    ///
    /// If the maze is too large for a board, has unreachable cells, or has no room for the requested openings,
    /// loops, objects or players.
    pub fn make(&self, mut maze: Maze, rng: &mut impl Rng) -> anyhow::Result<Map> {
        let dims = maze.dims();
        let (rows, cols) = (dims.rows(), dims.cols());
        ensure!(
            rows <= MAX_SIDE && cols <= MAX_SIDE,
            said!(
                "the maze has {dims} cells: expected at most {MAX_SIDE} rows and columns, for boards \
             have at most {}",
                "le labyrinthe a {dims} cases : au plus {MAX_SIDE} lignes et colonnes \
                  sont attendues, car un plateau en a au plus {}",
                Board::MAX_SIDE
            )
        );
        let mut draws = Draws::new(rng);
        self.open_loops(&mut maze, &mut draws)?;
        let mut plan = Letters::of(&maze);
        self.open_edges(&mut plan, &mut draws)?;
        self.lay_objects(&mut plan, &mut draws)?;
        let map = Map::parse(plan.text().as_bytes())
            .with_context(|| said!("the map is not valid", "la carte n'est pas correcte"))?;
        ensure!(
            map.board().is_connected(),
            word(
                "the maze has cells that cannot be reached",
                "le labyrinthe a des cases inaccessibles"
            )
        );
        map.check_room_for(self.players)?;
        Ok(map)
    }

    fn open_loops(&self, maze: &mut Maze, draws: &mut Draws<'_, impl Rng>) -> anyhow::Result<()> {
        let mut walls: Vec<_> = maze.walls().collect();
        let count = match self.loops {
            Loops::Count(count) => count,
            Loops::Percent(percent) => walls.len() * percent as usize / 100,
        };
        ensure!(
            count <= walls.len(),
            said!(
                "{count} loops: the maze has {} walls",
                "{count} boucles : le labyrinthe a {} murs",
                walls.len()
            )
        );
        draws.shuffle(&mut walls);
        for &(a, b) in &walls[..count] {
            maze.remove_wall(a, b)?;
        }
        Ok(())
    }

    /// Opens both ends of some rows and columns.
    fn open_edges(
        &self,
        plan: &mut Letters,
        draws: &mut Draws<'_, impl Rng>,
    ) -> anyhow::Result<()> {
        let (rows, cols) = (plan.dims.rows(), plan.dims.cols());
        let sides = (1..rows).step_by(2).map(|row| [(row, 0), (row, cols - 1)]);
        let ends = (1..cols).step_by(2).map(|col| [(0, col), (rows - 1, col)]);
        let mut edges: Vec<_> = sides.chain(ends).collect();
        let (count, most) = (self.openings, edges.len());
        ensure!(
            count <= most,
            said!(
                "{count} openings: the maze has {most} rows and columns to open",
                "{count} ouvertures : le labyrinthe a {most} lignes et colonnes à ouvrir"
            )
        );
        draws.shuffle(&mut edges);
        for (row, col) in edges.into_iter().take(count).flatten() {
            plan.set(row, col, CORRIDOR);
        }
        Ok(())
    }

    /// Lays the objects, each kind in turn, and the vitamins.
    fn lay_objects(
        &self,
        plan: &mut Letters,
        draws: &mut Draws<'_, impl Rng>,
    ) -> anyhow::Result<()> {
        let is_free = |cell: &Cell| plan.letters[cell.index()] == CORRIDOR;
        let mut free: Vec<_> = plan.dims.cells().filter(is_free).collect();
        draws.shuffle(&mut free);
        let (count, most) = (self.objects, free.len());
        ensure!(
            count <= most,
            said!(
                "{count} objects: the map has {most} cells for them",
                "{count} objets : la carte n'a que {most} cases pour eux"
            )
        );
        let (objects, others) = free.split_at(count);
        for (&cell, object) in objects.iter().zip(Object::APPEARING.into_iter().cycle()) {
            plan.letters[cell.index()] = object.letter();
        }
        let vitamins = others.len() * self.vitamins.min(100) as usize / 100;
        for cell in &others[..vitamins] {
            plan.letters[cell.index()] = Object::Vitamin.letter();
        }
        Ok(())
    }
}

/// The letters of an unfinished map; [`Map::parse`] reads its text.
struct Letters {
    dims: Dims,
    letters: Vec<char>,
}

const WALL: char = '#';
const CORRIDOR: char = ' ';

impl Letters {
    /// A corridor at every cell and every passage of a maze.
    fn of(maze: &Maze) -> Self {
        let sides = [maze.dims().rows(), maze.dims().cols()].map(|side| 2 * side + 1);
        let dims = Dims::new(sides[0], sides[1]).expect("sides are at least 3");
        let mut letters = Self { dims, letters: vec![WALL; dims.len()] };
        for cell in maze.dims().cells() {
            let Pos { row, col } = maze.dims().pos(cell);
            letters.set(2 * row + 1, 2 * col + 1, CORRIDOR);
            if maze.is_open(cell, Direction::East) {
                letters.set(2 * row + 1, 2 * col + 2, CORRIDOR);
            }
            if maze.is_open(cell, Direction::South) {
                letters.set(2 * row + 2, 2 * col + 1, CORRIDOR);
            }
        }
        letters
    }

    fn set(&mut self, row: u16, col: u16, letter: char) {
        let cell = self.dims.cell(Pos { row, col }).expect("inside");
        self.letters[cell.index()] = letter;
    }

    fn text(&self) -> String {
        let mut text = format!("{};{}\n", self.dims.rows(), self.dims.cols());
        for row in self.letters.chunks(self.dims.cols().into()) {
            text.extend(row);
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mazes::rng;
    use maze::Generator;

    const BARE: MapPlan =
        MapPlan { openings: 0, loops: Loops::Count(0), objects: 0, vitamins: 0, players: 2 };

    fn maze(rows: u16, cols: u16) -> Maze {
        Generator::Wilson.generate(Dims::new(rows, cols).unwrap(), &mut rng(1))
    }

    #[test]
    fn cells_and_passages_are_corridors() {
        let maze: Maze = "┏━━━┳━━━┓\n┃       ┃\n┣━━━╋   ┫\n┃       ┃\n┗━━━┻━━━┛".parse().unwrap();
        let map = BARE.make(maze, &mut rng(1)).unwrap();
        assert_eq!(map.to_string(), "5;5\n#####\n#   #\n### #\n#   #\n#####\n");
    }

    #[test]
    fn requested_objects_and_openings_are_on_the_map() {
        let plan = MapPlan {
            openings: 5,
            loops: Loops::Percent(20),
            objects: 13,
            vitamins: 50,
            players: 4,
        };
        let map = plan.make(maze(9, 14), &mut rng(1)).unwrap();
        let (board, dims) = (map.board(), map.board().dims());
        assert_eq!((dims.rows(), dims.cols()), (19, 29));
        let edge = |cell: &Cell| {
            let Pos { row, col } = dims.pos(*cell);
            row == 0 || col == 0 || row == 18 || col == 28
        };
        let openings: Vec<_> = board.corridors().filter(edge).collect();
        assert_eq!(openings.len(), 10);
        for cell in openings {
            let exits = board.exits(cell);
            assert_eq!(exits.len(), 2, "an opening leads to the other side");
            assert_eq!(exits[0].opposite(), exits[1]);
        }
        // 126 cells, 125 passages and a fifth of 9·13 + 8·14 − 125 walls.
        let corridors = 126 + 125 + (9 * 13 + 8 * 14 - 125) / 5 + 10;
        assert_eq!(board.corridors().count(), corridors);
        let count = |wanted: Object| {
            let on = |&cell: &Cell| map.objects().get(cell) == Some(wanted);
            board.corridors().filter(on).count()
        };
        assert_eq!(Object::APPEARING.map(count), [3, 3, 3, 2, 2]);
        assert_eq!(count(Object::Vitamin), (corridors - 13) / 2);
    }

    #[test]
    fn maps_without_room_are_errors() {
        let refused =
            |plan: MapPlan, maze: Maze| format!("{:#}", plan.make(maze, &mut rng(1)).unwrap_err());
        let openings = MapPlan { openings: 8, ..BARE };
        assert_eq!(
            refused(openings, maze(4, 3)),
            "8 openings: the maze has 7 rows and columns to open"
        );
        let loops = MapPlan { loops: Loops::Count(7), ..BARE };
        assert_eq!(refused(loops, maze(4, 3)), "7 loops: the maze has 6 walls");
        let objects = MapPlan { objects: 24, ..BARE };
        assert_eq!(refused(objects, maze(4, 3)), "24 objects: the map has 23 cells for them");
        let objects = MapPlan { objects: 20, ..BARE };
        assert_eq!(
            refused(objects, maze(4, 3)),
            "line 2, column 1: 2 players need 4 empty cells, the board has 3"
        );
        let large = refused(BARE, Maze::empty(Dims::new(2, 250).unwrap()));
        assert_eq!(
            large,
            "the maze has 2×250 cells: expected at most 249 rows and columns, for boards have at \
             most 500"
        );
        let closed = refused(BARE, Maze::filled(Dims::new(4, 4).unwrap()));
        assert_eq!(closed, "the maze has cells that cannot be reached");
        BARE.make(maze(249, 249), &mut rng(1)).unwrap();
    }
}
