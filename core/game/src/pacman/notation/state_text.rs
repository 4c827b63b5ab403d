//! The text of a state, kept up to date.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::letters::{self, WALL};
use super::pen::{Pen, ShortField};
use super::{differences, map};
use crate::notation::{DASHES, GHOSTS, PLAYERS};
use crate::pacman::{Board, Cell, Colour, Player, View};

/// Writes the text of a state (STATE in PROTOCOL.md), with the names of the players.
///
/// The writer keeps the last board and changes only differences, so that the next text of the same game costs a fraction of the
/// first one and allocates nothing.
#[derive(Clone)]
pub struct StateText {
    names: Vec<String>,
    written: Option<Written>,
}

/// The text written last, with room for the longest first line, the board, and the longest rest.
#[derive(Clone)]
struct Written {
    board: Arc<Board>,
    /// Codes, as in `Objects`, of the cells in the buffer.
    codes: Vec<u8>,
    /// Position of the board's first cell in the buffer.
    first_cell: usize,
    /// The first line is right-aligned to the dashes, so that its length shifts nothing else.
    buffer: Vec<u8>,
    /// Range of the text in the buffer.
    text: Range<usize>,
}

/// The longest first line: two numbers of ten digits, a semicolon, a newline.
const FIRST_LINE: usize = 22;
/// The longest line of a number of pieces: two digits, a newline.
const COUNT_LINE: usize = 3;
/// The longest line of a piece: letter, row and column of at most three digits.
const PIECE_LINE: usize = 10;
/// The longest line of a player but for its name: a letter, two signed numbers, four coordinates,
/// three powers, ten semicolons, a newline.
const PLAYER_LINE: usize = 1 + 2 * 11 + 4 * 3 + 3 * 10 + 10 + 1;

impl StateText {
    /// A writer for a game of players with these names, in order of colour. Names must not contain a semicolon or a newline.
    #[must_use]
    pub fn new(names: Vec<String>) -> Self {
        Self { names, written: None }
    }

    /// The names of the players, in order of colour.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Writes the text of a view. A player without a name gets an empty one.
    pub fn write(&mut self, view: &View) -> &[u8] {
        if self.written.as_ref().is_none_or(|written| !Arc::ptr_eq(&written.board, &view.board)) {
            self.written = Some(Written::new(&view.board, &self.names));
        }
        let written = self.written.as_mut().expect("just made");
        written.update_objects(view);
        let end = written.write_rest(view, &self.names);
        let start = written.write_first_line(view);
        written.text = start..end;
        &written.buffer[start..end]
    }

    /// The text written last; empty before the first one.
    pub fn last(&self) -> &[u8] {
        self.written.as_ref().map_or(&[], |written| &written.buffer[written.text.clone()])
    }
}

impl fmt::Debug for StateText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateText").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Written {
    fn new(board: &Arc<Board>, names: &[String]) -> Self {
        let dims = board.dims();
        let mut buffer = vec![0; FIRST_LINE];
        buffer.extend_from_slice(DASHES);
        buffer.extend_from_slice(map::header(dims).as_bytes());
        let first_cell = buffer.len();
        for cell in dims.cells() {
            buffer.push(if board.is_wall(cell) { WALL } else { letters::EMPTY });
            if (cell.index() + 1) % usize::from(dims.cols()) == 0 {
                buffer.push(b'\n');
            }
        }
        let rest = 2 * (COUNT_LINE + Colour::MAX * PIECE_LINE)
            + DASHES.len()
            + Colour::MAX * PLAYER_LINE
            + names.iter().map(String::len).sum::<usize>()
            + Pen::SLACK;
        buffer.resize(buffer.len() + rest, 0);
        Self {
            board: Arc::clone(board),
            codes: vec![0; dims.len()],
            first_cell,
            buffer,
            text: 0..0,
        }
    }

    /// Updates the letters of the cells whose object has changed.
    fn update_objects(&mut self, view: &View) {
        let cols = usize::from(self.board.dims().cols());
        let Self { codes, buffer, first_cell, .. } = self;
        differences(codes, view.objects.codes(), |index, written, now| {
            *written = now;
            buffer[*first_cell + index + index / cols] = letters::of_code(now);
        });
    }

    /// Writes the part after the board; returns its end in the buffer.
    fn write_rest(&mut self, view: &View, names: &[String]) -> usize {
        let dims = self.board.dims();
        let start = self.first_cell + dims.len() + usize::from(dims.rows());
        let places = self.board.places.texts(dims);
        let mut pen = Pen::new(&mut self.buffer, start);
        let pieces = |place: fn(&Player) -> Cell| {
            view.players.iter().map(place).zip(Colour::first(view.players.len()))
        };
        write_pieces(&mut pen, places, pieces(|p| p.pacman), PLAYERS);
        write_pieces(&mut pen, places, pieces(|p| p.ghost), GHOSTS);
        pen.block(DASHES);
        for (colour, player) in Colour::first(view.players.len()).zip(&view.players) {
            pen.letter(PLAYERS[colour.index()]);
            pen.signed(player.points);
            pen.signed(player.false_moves);
            pen.short(&places[player.pacman.index()]);
            pen.short(&places[player.ghost.index()]);
            pen.unsigned(player.powers.glutton);
            pen.unsigned(player.powers.freeze);
            pen.unsigned(player.powers.wall_pass);
            pen.text(names.get(colour.index()).map_or(b"", |name| name.as_bytes()));
            pen.end_line();
        }
        pen.at()
    }

    /// Writes the first line right before the dashes; returns its start in the buffer.
    fn write_first_line(&mut self, view: &View) -> usize {
        let mut line = [0; FIRST_LINE + Pen::SLACK];
        let mut pen = Pen::new(&mut line, 0);
        pen.unsigned(view.elapsed);
        pen.unsigned(view.total);
        pen.end_line();
        let len = pen.at();
        let start = FIRST_LINE - len;
        self.buffer[start..FIRST_LINE].copy_from_slice(&line[..len]);
        start
    }
}

/// Writes the number of pieces and a line for each, row-major, by letter inside a cell.
fn write_pieces(
    pen: &mut Pen<'_>,
    places: &[ShortField],
    pieces: impl ExactSizeIterator<Item = (Cell, Colour)>,
    letters: &[u8; Colour::MAX],
) {
    // At most 26 pieces.
    pen.unsigned(pieces.len() as u32);
    pen.end_line();
    // Cell and colour fit into 32 bits: a board has at most 250 000 cells.
    let key = |(cell, colour): (Cell, Colour)| (cell.index() << 8 | colour.index()) as u32;
    let mut sorted = [0; Colour::MAX];
    let mut count = 0;
    for key in pieces.map(key) {
        let mut place = count;
        while place > 0 && sorted[place - 1] > key {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = key;
        count += 1;
    }
    for key in &sorted[..count] {
        pen.letter(letters[(key & 0xff) as usize]);
        pen.short(&places[(key >> 8) as usize]);
        pen.end_line();
    }
}
