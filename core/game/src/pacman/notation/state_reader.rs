//! Reading the text of a state.

use graph::Dims;
use language::{Phrase, said};

use super::{MapError, differences, letters, map};
use crate::notation::{Expected, Input, PLAYERS, Unexpected};
use crate::pacman::{Cell, Colour, Player, Pos, Powers, View};

/// An error in the text of a state. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// A line is malformed.
    #[error(transparent)]
    Unexpected(#[from] Unexpected),
    /// The board is malformed.
    #[error("{}", said!(
        "board from line 3 of the state on: {_0}",
        "plateau à partir de la ligne 3 de l'état : {_0}"
    ))]
    Board(#[from] MapError),
}

/// Reads successive states.
///
/// The reader keeps the last board and parses only differences, so that the next state of the same game costs a fraction of the
/// first one.
///
/// ```
/// use game::pacman::{Map, Quick, Rules, State, StateReader, StateText};
///
/// let map: Map = "3;6\n#    #\n  &.  \n#    #\n".parse()?;
/// let state = State::start(&map, Rules::SUJET, 20, 1, &mut Quick::new(1));
/// let mut text = StateText::new(vec!["Ada".to_owned()]);
///
/// let mut reader = StateReader::new();
/// let reading = reader.read(text.write(state.view()))?;
/// assert_eq!(&reading.view, state.view());
/// assert_eq!(reading.names, ["Ada"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct StateReader {
    last: Option<Last>,
}

/// Content of the text of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The visible state.
    pub view: View,
    /// The names of the players, in order of colour.
    pub names: Vec<String>,
}

#[derive(Clone, Debug)]
struct Last {
    reading: Reading,
    /// The text of the board, `ROWS;COLS` included.
    board: Vec<u8>,
    /// Length of `ROWS;COLS` and its newline, in bytes.
    header: usize,
}

impl StateReader {
    /// A reader that has not seen any state.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the text of a state. The pieces may be listed in any order; their cells are taken from the lines of the players.
    ///
    /// # Errors
    ///
    /// If the text is not that of a state. The reader then forgets earlier states.
    pub fn read(&mut self, text: &[u8]) -> Result<&Reading, StateError> {
        let mut input = Input::new(text);
        match read(&mut input, self.last.take()) {
            Ok(last) => Ok(&self.last.insert(last).reading),
            Err(Problem::Board(error)) => Err(StateError::Board(error)),
            Err(Problem::Expected(expected)) => {
                Err(input.error(Phrase::new("of the state", "de l'état"), expected).into())
            }
        }
    }
}

/// The error at the input's position.
enum Problem {
    Expected(Expected),
    Board(MapError),
}

impl From<Expected> for Problem {
    fn from(expected: Expected) -> Self {
        Self::Expected(expected)
    }
}

impl From<MapError> for Problem {
    fn from(error: MapError) -> Self {
        Self::Board(error)
    }
}

fn read(input: &mut Input<'_>, last: Option<Last>) -> Result<Last, Problem> {
    const FIRST_LINE: Phrase = Phrase::new("`ELAPSED;TOTAL`", "`ÉCOULÉS;TOTAL`");
    let elapsed = input.expect(FIRST_LINE, |input| input.number(b';'))?;
    let total = input.expect(FIRST_LINE, |input| input.number(b'\n'))?;
    input.dashes()?;
    let mut last = read_board(input, last)?;
    last.reading.view.elapsed = elapsed;
    last.reading.view.total = total;

    let dims = last.reading.view.board.dims();
    for (count, piece, letters) in [
        (
            Phrase::new("the number of pacmans", "le nombre de pacmans"),
            Phrase::new(
                "a pacman as `COLOUR;ROW;COL`",
                "un pacman sous la forme `COULEUR;LIGNE;COLONNE`",
            ),
            b'A'..=b'Z',
        ),
        (
            Phrase::new("the number of ghosts", "le nombre de fantômes"),
            Phrase::new(
                "a ghost as `colour;ROW;COL`",
                "un fantôme sous la forme `couleur;LIGNE;COLONNE`",
            ),
            b'a'..=b'z',
        ),
    ] {
        for _ in 0..input.expect(count, |input| input.number(b'\n'))? {
            input.expect(piece, |input| {
                let named = letters.contains(&input.byte()?) && input.byte()? == b';';
                named.then_some(())?;
                cell(input, dims, b'\n')
            })?;
        }
    }
    input.dashes()?;
    read_players(input, &mut last)?;
    Ok(last)
}

/// Reads the board; only the differences from the last one if these are objects.
fn read_board(input: &mut Input<'_>, last: Option<Last>) -> Result<Last, Problem> {
    if let Some(mut last) = last {
        let now = input.rest().get(..last.board.len());
        if now.is_some_and(|now| last.update_objects(now)) {
            input.skip(last.board.len());
            return Ok(last);
        }
    }
    let size = Expected(Phrase::new("`ROWS;COLS`", "`LIGNES;COLONNES`"));
    let header = input.rest().iter().position(|&b| b == b'\n').ok_or(size)? + 1;
    let line = String::from_utf8_lossy(&input.rest()[..header - 1]);
    let dims = map::read_header(&line)?;
    // The map's reader detects rows of a wrong length; it gets no more bytes than a correct board has.
    let len = header + dims.len() + usize::from(dims.rows());
    let board = &input.rest()[..len.min(input.rest().len())];
    let rows = String::from_utf8_lossy(&board[header..]);
    let map = map::read_rows(dims, &mut rows.split_terminator('\n'))?;
    let reading = Reading { view: View::new(&map, 0), names: Vec::new() };
    let last = Last { reading, board: board.to_vec(), header };
    input.skip(board.len());
    if last.board.len() < len {
        Err(Expected(Phrase::new(
            "a newline after the board's last row",
            "une fin de ligne après la dernière rangée du plateau",
        ))
        .into())
    } else {
        Ok(last)
    }
}

impl Last {
    /// Updates the objects from a board text of the last length. `false` if anything but objects differs, or a letter is unknown:
    /// the objects are then invalid.
    fn update_objects(&mut self, now: &[u8]) -> bool {
        let Self { reading: Reading { view, .. }, board, header } = self;
        let dims = view.board.dims();
        let line = usize::from(dims.cols()) + 1;
        let mut objects_only = true;
        differences(board, now, |at, last, now| {
            let changed = letters::object(*last).and(letters::object(now));
            let place = at.checked_sub(*header);
            let cell = place.and_then(|place| dims.nth(place - place / line));
            if let (Ok(object), Some(cell)) = (changed, cell) {
                view.objects.set(cell, object);
                *last = now;
            } else {
                objects_only = false;
            }
        });
        objects_only
    }

    fn name(&mut self, colour: Colour, name: &[u8]) {
        match self.reading.names.get_mut(colour.index()) {
            Some(known) if known.as_bytes() == name => {}
            Some(known) => *known = String::from_utf8_lossy(name).into_owned(),
            None => self.reading.names.push(String::from_utf8_lossy(name).into_owned()),
        }
    }
}

fn read_players(input: &mut Input<'_>, last: &mut Last) -> Result<(), Problem> {
    const PLAYER: Phrase = Phrase::new(
        "a player, in order of colour, as `COLOUR;POINTS;FALSE_MOVES;PAC_ROW;\
                          PAC_COL;GHOST_ROW;GHOST_COL;GLUTTON;FREEZE;WALLPASS;NAME`",
        "un joueur, par ordre de couleur, sous la forme `COULEUR;POINTS;FAUX_MOUVEMENTS;PAC_LIGNE;PAC_COLONNE;FANTOME_LIGNE;FANTOME_COLONNE;GLOUTON;IMMOBILITE;PASSE_MURAILLE;NOM`",
    );
    let dims = last.reading.view.board.dims();
    last.reading.view.players.clear();
    while !input.rest().is_empty() {
        let index = last.reading.view.players.len();
        let colour = Colour::new(index)
            .ok_or(Expected(Phrase::new("at most 26 players", "26 joueurs au plus")))?;
        let (player, name) = input
            .expect(PLAYER, |input| Some((player(input, colour, dims)?, input.until(b'\n')?)))?;
        last.reading.view.players.push(player);
        last.name(colour, name);
    }
    last.reading.names.truncate(last.reading.view.players.len());
    Ok(())
}

/// Reads `ROW;COL` and the byte `end` after it.
fn cell(input: &mut Input<'_>, dims: Dims, end: u8) -> Option<Cell> {
    let row = u16::try_from(input.number(b';')?).ok()?;
    let col = u16::try_from(input.number(end)?).ok()?;
    dims.cell(Pos { row, col })
}

/// Reads the line of a player up to the name.
fn player(input: &mut Input<'_>, colour: Colour, dims: Dims) -> Option<Player> {
    let named = input.byte()? == PLAYERS[colour.index()] && input.byte()? == b';';
    named.then_some(())?;
    Some(Player {
        points: input.signed(b';')?,
        false_moves: input.signed(b';')?,
        pacman: cell(input, dims, b';')?,
        ghost: cell(input, dims, b';')?,
        powers: Powers {
            glutton: input.number(b';')?,
            freeze: input.number(b';')?,
            wall_pass: input.number(b';')?,
        },
    })
}
