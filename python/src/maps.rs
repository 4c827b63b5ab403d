//! Maps of games: one for all games, or another one for each seed.

use std::path::{Path, PathBuf};

use game::pacman::{Dims, Map, Object, maps};
use graph::{Direction, Pos};
use language::said;
use maze::{Draws, Generator, Maze};
use pyo3::prelude::*;
use pyo3::types::PyString;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use crate::fault::{wrong, wrong_file};

/// The map of each game.
pub(crate) enum Maps {
    /// The same map in all games.
    Fixed(Map),
    /// A map that follows from the seed of the game.
    Random(Dims),
}

/// Corridors of a drawn map for each object of a kind, as on plan1.
const CORRIDORS_PER_OBJECT: usize = 80;

impl Maps {
    /// Smallest and largest number of rows and of columns of a drawn map.
    const SIDES: std::ops::RangeInclusive<u16> = 5..=500;

    /// The maps that Python asks for: `None` is plan1, an integer the seed of a drawn map, "random" a drawn map in each
    /// game, a text with several lines the map itself, any other text or path a file or the name of a map.
    pub(crate) fn read(map: Option<&Bound<'_, PyAny>>, (rows, cols): (u16, u16)) -> PyResult<Self> {
        let drawn = || {
            let fits = Self::SIDES.contains(&rows) && Self::SIDES.contains(&cols);
            let dims = fits.then(|| Dims::new(rows, cols)).flatten();
            dims.ok_or_else(|| {
                let (least, most) = (Self::SIDES.start(), Self::SIDES.end());
                wrong(said!(
                    "expected a map_size from {least} to {most} rows and columns, got ({rows}, {cols})",
                    "taille : {least} à {most} lignes et colonnes sont attendues, et non ({rows}, {cols})"
                ))
            })
        };
        let Some(map) = map else { return Ok(Self::Fixed(maps::plan1())) };
        if let Ok(seed) = map.extract::<u64>() {
            return Ok(Self::Fixed(draw(drawn()?, seed)));
        }
        if let Ok(text) = map.cast::<PyString>() {
            let text = text.to_cow()?;
            if matches!(&*text, "random" | "hasard") {
                return Ok(Self::Random(drawn()?));
            }
            if text.contains('\n') {
                return Map::parse(text.as_bytes()).map(Self::Fixed).map_err(wrong);
            }
        }
        let path = map.extract::<PathBuf>().map_err(|_| {
            let found = map.repr().map_or_else(|_| String::new(), |found| found.to_string());
            wrong(said!(
                "expected a map as a name, a path, a text, a seed from 0 to 2^64 - 1, or \"random\", got {found}",
                "une carte est un nom, un chemin, un texte, une graine de 0 à 2^64 - 1 ou \"hasard\", et non {found}"
            ))
        })?;
        let map = cli::load_map(Path::new(&path)).map_err(|error| wrong_file(&error))?;
        Ok(Self::Fixed(map))
    }

    /// Rows and columns of all maps.
    pub(crate) fn dims(&self) -> Dims {
        match self {
            Self::Fixed(map) => map.board().dims(),
            Self::Random(dims) => *dims,
        }
    }

    /// The map of the game with this seed.
    pub(crate) fn of_game(&self, seed: u64) -> Map {
        match self {
            Self::Fixed(map) => map.clone(),
            Self::Random(dims) => draw(*dims, seed),
        }
    }
}

/// Draws a map: a maze without dead ends, with tunnels across the edges; objects as dense as on plan1.
fn draw(dims: Dims, seed: u64) -> Map {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let rooms = Dims::new(dims.rows() / 2, dims.cols() / 2).expect("two rows and columns at least");
    let mut maze = Generator::Wilson.generate(rooms, &mut rng);
    let mut draws = Draws::new(&mut rng);
    open_dead_ends(&mut maze, &mut draws);

    // A room is the cell at the odd row and the odd column, a passage the cell between two rooms.
    let (rows, cols) = (usize::from(dims.rows()), usize::from(dims.cols()));
    let mut letters = vec![vec!['#'; cols]; rows];
    for room in rooms.cells() {
        let Pos { row, col } = rooms.pos(room);
        let (row, col) = (2 * usize::from(row) + 1, 2 * usize::from(col) + 1);
        letters[row][col] = ' ';
        for (direction, row, col) in
            [(Direction::East, row, col + 1), (Direction::South, row + 1, col)]
        {
            if maze.is_open(room, direction) {
                letters[row][col] = ' ';
            }
        }
    }
    // A tunnel crosses the walls at both edges, which are one wall if the number of cells is even.
    let odd = |draws: &mut Draws<'_, _>, rooms: u16| 2 * draws.below(rooms.into()) as usize + 1;
    for _ in 0..=rooms.cols() / 8 {
        let col = odd(&mut draws, rooms.cols());
        letters[0][col] = ' ';
        letters[rows - 1][col] = ' ';
    }
    for _ in 0..=rooms.rows() / 8 {
        let row = odd(&mut draws, rooms.rows());
        letters[row][0] = ' ';
        letters[row][cols - 1] = ' ';
    }

    let places = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
    let mut corridors: Vec<_> = places.filter(|&(row, col)| letters[row][col] == ' ').collect();
    draws.shuffle(&mut corridors);
    let count = (corridors.len() / CORRIDORS_PER_OBJECT).max(1);
    let powers =
        Object::APPEARING.into_iter().flat_map(|object| std::iter::repeat_n(object, count));
    let vitamins = std::iter::repeat_n(Object::Vitamin, corridors.len() / 2);
    for ((row, col), object) in corridors.into_iter().zip(powers.chain(vitamins)) {
        letters[row][col] = object.letter();
    }
    let lines: String = letters.into_iter().flat_map(|row| row.into_iter().chain(['\n'])).collect();
    Map::parse(format!("{rows};{cols}\n{lines}").as_bytes()).expect("a drawn map is a map")
}

/// Takes down a wall of each room with a single passage.
fn open_dead_ends(maze: &mut Maze, draws: &mut Draws<'_, Xoshiro256PlusPlus>) {
    let dims = maze.dims();
    for room in dims.cells() {
        let (open, closed): (Vec<_>, Vec<_>) =
            Direction::ALL.into_iter().partition(|&direction| maze.is_open(room, direction));
        let closed: Vec<_> =
            closed.into_iter().filter_map(|direction| dims.contiguous(room, direction)).collect();
        if open.len() == 1 && !closed.is_empty() {
            // A room has at most four walls.
            let other = closed[draws.below(closed.len() as u32) as usize];
            maze.remove_wall(room, other).expect("the rooms are contiguous");
        }
    }
}
