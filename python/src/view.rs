//! A state, as a bot in Python sees it.

use std::sync::Arc;

use bots::observe;
use game::notation::{direction, of_direction};
use game::pacman::{self, Board, Colour, Direction, StateText};
use language::{said, word};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyMappingProxy, PyString};

use crate::board::{DistanceTable, Distances, Place, cell, letters, place};
use crate::fault::wrong;

/// The state of a game at the beginning of a turn, and the player who sees it.
///
/// A view never changes: a bot may keep it. Cells are pairs ``(row, column)`` from 0 at the top left;
/// opposite edges of the board are joined. Directions are letters: ``N``, ``E``, ``S`` and ``O`` (west).
#[pyclass(frozen, module = "pacman_iuto")]
pub(crate) struct View {
    seen: pacman::View,
    names: Arc<[String]>,
    me: Option<Colour>,
    /// The attributes that bots read in loops: each is made on first use, and can only be read.
    objects: PyOnceLock<Py<PyMappingProxy>>,
    players: PyOnceLock<Py<PyMappingProxy>>,
}

/// A player and its two pieces.
#[pyclass(frozen, get_all, module = "pacman_iuto")]
pub(crate) struct Player {
    /// The player's letter, ``"A"`` to ``"Z"``.
    colour: char,
    /// The name of the team.
    name: String,
    /// Points, possibly negative.
    points: i32,
    /// The counter of false moves, as the rules define it.
    false_moves: i32,
    /// The cell of the pacman, as (row, column); a wall is possible with the wall-pass.
    pacman: (u16, u16),
    /// The cell of the ghost, as (row, column).
    ghost: (u16, u16),
    /// Turns left in which the pacman eats ghosts (*glouton*).
    glutton: u32,
    /// Turns left in which ghosts near the pacman cannot move (*immobilité*).
    freeze: u32,
    /// Turns left in which walls do not stop the pacman (*passe-muraille*).
    wall_pass: u32,
}

#[pymethods]
impl Player {
    fn __repr__(&self) -> String {
        let Self { colour, name, points, pacman, ghost, .. } = self;
        format!("Player({colour} {name:?}, {points} points, pacman {pacman:?}, ghost {ghost:?})")
    }
}

impl View {
    pub(crate) fn new(seen: pacman::View, names: Arc<[String]>, me: Option<Colour>) -> Self {
        Self { seen, names, me, objects: PyOnceLock::new(), players: PyOnceLock::new() }
    }

    fn board(&self) -> &Arc<Board> {
        self.seen.board()
    }

    fn player_of(&self, colour: Colour) -> Option<Player> {
        let player = self.seen.player(colour)?;
        Some(Player {
            colour: colour.letter(),
            name: self.names.get(colour.index()).cloned().unwrap_or_default(),
            points: player.points,
            false_moves: player.false_moves,
            pacman: place(self.board(), player.pacman),
            ghost: place(self.board(), player.ghost),
            glutton: player.powers.glutton,
            freeze: player.powers.freeze,
            wall_pass: player.powers.wall_pass,
        })
    }

    fn beside(&self, pos: Place, heading: Direction) -> PyResult<(u16, u16)> {
        let from = cell(self.board(), pos)?;
        Ok(place(self.board(), self.board().dims().neighbour(from, heading)))
    }
}

#[pymethods]
impl View {
    /// The letter of the player whose view it is; ``None`` for a view of nobody.
    #[getter]
    fn me(&self) -> Option<char> {
        self.me.map(Colour::letter)
    }

    /// Turns played, from 0.
    #[getter]
    fn turn(&self) -> u32 {
        self.seen.elapsed()
    }

    /// Turns of the whole game.
    #[getter]
    fn turns(&self) -> u32 {
        self.seen.total()
    }

    /// Rows of the board.
    #[getter]
    fn rows(&self) -> u16 {
        self.board().dims().rows()
    }

    /// Columns of the board.
    #[getter]
    fn cols(&self) -> u16 {
        self.board().dims().cols()
    }

    /// The board as a list of texts, a text a row and a letter a cell: ``#`` for a wall, a space for an
    /// empty corridor, or the letter of an object (``.`` vitamin, ``$`` glutton, ``@`` freeze, ``~``
    /// wall-pass, ``&`` cherry, ``!`` teleporter).
    #[getter(board)]
    fn board_text(&self) -> Vec<String> {
        let dims = self.board().dims();
        let letters: Vec<char> = dims.cells().map(|cell| self.letter(cell)).collect();
        letters.chunks(dims.cols().into()).map(|row| row.iter().collect()).collect()
    }

    /// The objects by cell, row by row, as ``{(row, column): letter}``; the letters are those of
    /// ``board``. Read-only, and the same mapping each time: ``dict(view.objects)`` is a copy to change.
    #[getter]
    fn objects<'py>(&'py self, py: Python<'py>) -> PyResult<&'py Bound<'py, PyMappingProxy>> {
        let objects = self.objects.get_or_try_init(py, || {
            let found = PyDict::new(py);
            for (cell, object) in self.seen.objects().iter() {
                found.set_item(place(self.board(), cell), object.letter())?;
            }
            Ok::<_, PyErr>(read_only(&found))
        });
        Ok(objects?.bind(py))
    }

    /// The players by letter, in order, as ``{"A": Player, ...}``. Read-only, and the same mapping each time.
    #[getter]
    fn players<'py>(&'py self, py: Python<'py>) -> PyResult<&'py Bound<'py, PyMappingProxy>> {
        let players = self.players.get_or_try_init(py, || {
            let found = PyDict::new(py);
            for colour in Colour::first(self.seen.players().len()) {
                found.set_item(colour.letter(), self.player_of(colour))?;
            }
            Ok::<_, PyErr>(read_only(&found))
        });
        Ok(players?.bind(py))
    }

    /// The player whose view it is. A view of nobody, which bots never have, raises ``ValueError``.
    #[getter]
    fn player<'py>(&'py self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let nobody = || {
            wrong(word("a view of nobody has no player", "cette vue n'est celle d'aucun joueur"))
        };
        self.players(py)?.get_item(self.me.ok_or_else(nobody)?.letter())
    }

    /// The content of a cell: ``#``, a space, or the letter of an object.
    fn cell(&self, pos: Place) -> PyResult<char> {
        Ok(self.letter(cell(self.board(), pos)?))
    }

    /// Tests if a cell is a wall.
    fn is_wall(&self, pos: Place) -> PyResult<bool> {
        Ok(self.board().is_wall(cell(self.board(), pos)?))
    }

    /// The possible directions from a cell, clockwise from north, as ``"NS"``: those of corridors, and with the
    /// wall-pass all four.
    #[pyo3(signature = (pos, wall_pass = false))]
    fn possible_directions(&self, pos: Place, wall_pass: bool) -> PyResult<String> {
        let pos = self.board().dims().pos(cell(self.board(), pos)?);
        Ok(letters(&observe::possible_directions(self.board(), pos, wall_pass)))
    }

    /// The course's name of :meth:`possible_directions`.
    #[pyo3(signature = (pos, passe_muraille = false))]
    fn directions_possibles(&self, pos: Place, passe_muraille: bool) -> PyResult<String> {
        self.possible_directions(pos, passe_muraille)
    }

    /// All objects and pieces within ``max_distance`` steps, if the first step goes in this direction:
    /// ``{"objects": [(distance, letter)], "pacmans": [(distance, "A")], "ghosts": [(distance, "a")]}``,
    /// each list nearest first. The first cell is at distance 1. ``None`` when a wall stops the first step.
    fn analyse_board<'py>(
        &self,
        py: Python<'py>,
        pos: Place,
        direction: &Bound<'py, PyAny>,
        max_distance: u32,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.analyse(py, pos, direction, max_distance, ["objects", "pacmans", "ghosts"])
    }

    /// The course's name of :meth:`analyse_board`; the keys are ``"objets"``, ``"pacmans"`` and ``"fantomes"``.
    fn analyse_plateau<'py>(
        &self,
        py: Python<'py>,
        pos: Place,
        direction: &Bound<'py, PyAny>,
        distance_max: u32,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.analyse(py, pos, direction, distance_max, ["objets", "pacmans", "fantomes"])
    }

    /// Number of steps from the first cell in this direction to a cell with more than two exits, 0 if the first cell is
    /// one; -1 if this direction leads to none.
    fn next_junction(&self, pos: Place, direction: &Bound<'_, PyAny>) -> PyResult<i64> {
        let pos = self.board().dims().pos(cell(self.board(), pos)?);
        let found = observe::next_junction(self.board(), pos, heading(direction)?);
        Ok(found.map_or(-1, i64::from))
    }

    /// The course's name of :meth:`next_junction`.
    fn prochaine_intersection(&self, pos: Place, direction: &Bound<'_, PyAny>) -> PyResult<i64> {
        self.next_junction(pos, direction)
    }

    /// The cell to the north, across the edge of the board if need be.
    fn north(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.beside(pos, Direction::North)
    }

    /// The course's name of :meth:`north`.
    fn pos_nord(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.north(pos)
    }

    /// The cell to the south, across the edge of the board if need be.
    fn south(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.beside(pos, Direction::South)
    }

    /// The course's name of :meth:`south`.
    fn pos_sud(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.south(pos)
    }

    /// The cell to the east, across the edge of the board if need be.
    fn east(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.beside(pos, Direction::East)
    }

    /// The course's name of :meth:`east`.
    fn pos_est(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.east(pos)
    }

    /// The cell to the west, across the edge of the board if need be.
    fn west(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.beside(pos, Direction::West)
    }

    /// The course's name of :meth:`west`.
    fn pos_ouest(&self, pos: Place) -> PyResult<(u16, u16)> {
        self.west(pos)
    }

    /// Distances in steps from a cell to all the others; walls do not stop the first ``wall_pass`` steps.
    #[pyo3(signature = (start, wall_pass = 0))]
    fn distances(&self, start: Place, wall_pass: u32) -> PyResult<Distances> {
        Ok(Distances::new(self.board(), cell(self.board(), start)?, wall_pass))
    }

    /// The nearest of several cells and its distance in steps, as ``((row, column), distance)``: among cells at the
    /// same distance, the first one row by row. ``None`` if none can be reached.
    fn nearest(
        &self,
        start: Place,
        targets: &Bound<'_, PyAny>,
    ) -> PyResult<Option<((u16, u16), u32)>> {
        let board = self.board();
        let source = cell(board, start)?;
        let targets = targets.try_iter()?.map(|target| cell(board, target?.extract()?));
        let targets: Vec<_> = targets.collect::<PyResult<_>>()?;
        let mut distances = graph::Distances::new();
        distances.fill_to_nearest(board, source, &targets);
        let found = targets.into_iter().map(|target| (distances.to(target), target)).min();
        let found = found.filter(|&(turns, _)| turns != graph::Distances::UNREACHED);
        Ok(found.map(|(turns, target)| (place(board, target), turns)))
    }

    /// The directions of a shortest path, as ``"NNE"``: ``""`` from a cell to itself, and ``None`` where
    /// no path leads. Walls do not stop the first ``wall_pass`` steps.
    #[pyo3(signature = (start, goal, wall_pass = 0))]
    fn path(&self, start: Place, goal: Place, wall_pass: u32) -> PyResult<Option<String>> {
        let goal = cell(self.board(), goal)?;
        Ok(Distances::new(self.board(), cell(self.board(), start)?, wall_pass).path_to(goal))
    }

    /// Distances in steps between any two cells, computed on first use.
    fn all_pairs(&self) -> DistanceTable {
        DistanceTable::new(self.board())
    }

    /// The text of the state, as the protocol has it.
    fn __str__(&self) -> String {
        let mut text = StateText::new(self.names.to_vec());
        String::from_utf8_lossy(text.write(&self.seen)).into_owned()
    }

    fn __repr__(&self) -> String {
        let me = self.me.map_or_else(|| "nobody".to_owned(), |me| me.letter().to_string());
        format!("View(turn {} of {}, of {me})", self.seen.elapsed(), self.seen.total())
    }
}

impl View {
    /// The result of :meth:`analyse_board`, with these keys of objects, pacmans and ghosts.
    fn analyse<'py>(
        &self,
        py: Python<'py>,
        pos: Place,
        direction: &Bound<'py, PyAny>,
        max_distance: u32,
        keys: [&str; 3],
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (start, heading) =
            (self.board().dims().pos(cell(self.board(), pos)?), heading(direction)?);
        let Some(seen) = observe::analyse_board(&self.seen, start, heading, max_distance) else {
            return Ok(None);
        };
        let objects: Vec<_> =
            seen.objects.iter().map(|(d, object)| (*d, object.letter())).collect();
        let pacmans: Vec<_> =
            seen.pacmans.iter().map(|(d, colour)| (*d, colour.letter())).collect();
        let ghosts =
            seen.ghosts.iter().map(|(d, colour)| (*d, colour.letter().to_ascii_lowercase()));
        let found = PyDict::new(py);
        found.set_item(keys[0], objects)?;
        found.set_item(keys[1], pacmans)?;
        found.set_item(keys[2], ghosts.collect::<Vec<_>>())?;
        Ok(Some(found))
    }

    fn letter(&self, cell: pacman::Cell) -> char {
        match self.seen.objects().get(cell) {
            _ if self.board().is_wall(cell) => '#',
            Some(object) => object.letter(),
            None => ' ',
        }
    }
}

/// The mapping of a dictionary that can only be read.
fn read_only(found: &Bound<'_, PyDict>) -> Py<PyMappingProxy> {
    PyMappingProxy::new(found.py(), found.as_mapping()).unbind()
}

/// Decodes the letter of a direction.
fn heading(letter: &Bound<'_, PyAny>) -> PyResult<Direction> {
    let text = letter.cast::<PyString>().ok().and_then(|text| text.to_cow().ok());
    let known = match text.as_deref().map(str::as_bytes) {
        Some([letter]) => direction(*letter),
        _ => None,
    };
    known.ok_or_else(|| {
        let all = Direction::ALL.map(|direction| char::from(of_direction(direction)));
        wrong(said!(
            "{letter:?} is no direction, expected one of: {all:?}",
            "{letter:?} n'est pas une direction, il faut l'une de : {all:?}"
        ))
    })
}
