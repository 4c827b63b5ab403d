//! The text of a map.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::sync::Arc;

use graph::{Dims, Grid};
use language::{Language, Note, Phrase, note, said};

use super::letters::{self, WALL};
use crate::pacman::{Board, Map, Objects};

/// An error in the text of a map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "line {line}, column {column}: {problem}",
    "ligne {line}, colonne {column} : {problem}"
))]
pub struct MapError {
    /// Line of the error, from 1.
    pub line: usize,
    /// Column of the error in characters, from 1.
    pub column: usize,
    /// Description of what was expected and what was found.
    pub problem: Note,
}

/// `ROWS;COLS` and a newline.
pub(super) fn header(dims: Dims) -> String {
    format!("{};{}\n", dims.rows(), dims.cols())
}

/// Reads `ROWS;COLS`.
pub(super) fn read_header(line: &str) -> Result<Dims, MapError> {
    let malformed = || MapError {
        line: 1,
        column: 1,
        problem: note!(
            "expected `ROWS;COLS`, two whole numbers, found {found:?}",
            "`LIGNES;COLONNES` est attendu, deux nombres entiers, et non {found:?}",
            found = shortened(line)
        ),
    };
    let (rows_text, cols_text) = line.split_once(';').ok_or_else(malformed)?;
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if is_number { Ok(text.parse::<u64>().unwrap_or(u64::MAX)) } else { Err(malformed()) }
    };
    let (rows, cols) = (number(rows_text)?, number(cols_text)?);
    let side = |column, english, french, found: u64| {
        let (least, most) = (Board::MIN_SIDE, Board::MAX_SIDE);
        let side = u16::try_from(found).ok().filter(|side| (least..=most).contains(side));
        side.ok_or_else(|| MapError {
            line: 1,
            column,
            problem: Note::new(
                format!("{found} {english}, expected {least} to {most}"),
                format!("{found} {french}, alors qu'il en faut de {least} à {most}"),
            ),
        })
    };
    let rows = side(1, "rows", "lignes", rows)?;
    let cols = side(rows_text.len() + 2, "columns", "colonnes", cols)?;
    Ok(Dims::new(rows, cols).expect("sides are at least 3"))
}

/// Reads the rows of a map of these dimensions, one line for each row, from line 2 on.
pub(super) fn read_rows<'a>(
    dims: Dims,
    lines: &mut impl Iterator<Item = &'a str>,
) -> Result<Map, MapError> {
    let (rows, cols) = (usize::from(dims.rows()), usize::from(dims.cols()));
    let mut walls = Vec::with_capacity(dims.len());
    let mut objects = Objects::none(dims);
    let mut cells = dims.cells();
    for row in 1..=rows {
        let line = row + 1;
        let error = |column, problem| MapError { line, column, problem };
        let text = lines.next().ok_or_else(|| {
            error(
                1,
                note!(
                    "expected row {row} of {rows}, found the end of the map",
                    "la rangée {row} sur {rows} est attendue, et non la fin de la carte"
                ),
            )
        })?;
        let found = text.chars().count();
        if let Some((at, unknown)) =
            text.chars().enumerate().find(|&(_, c)| !is_known(c)).filter(|&(at, _)| at < cols)
        {
            return Err(error(
                at + 1,
                note!(
                    "unknown character {unknown:?}, expected a wall `#`, a corridor ` ` or \
                     one of `.` `$` `@` `~` `&` `!`",
                    "caractère inconnu {unknown:?} ; il faut un mur `#`, un couloir ` ` \
                     ou l'un de `.` `$` `@` `~` `&` `!`"
                ),
            ));
        }
        if found != cols {
            return Err(error(
                found.min(cols) + 1,
                note!(
                    "this row has {found} characters, expected {cols}",
                    "cette rangée a {found} caractères au lieu de {cols}"
                ),
            ));
        }
        for (letter, cell) in text.bytes().zip(&mut cells) {
            walls.push(letter == WALL);
            objects.set(cell, letters::object(letter).ok().flatten());
        }
    }
    let grid = Grid::new(dims, |cell| walls[cell.index()]);
    let board = Board::new(grid).ok_or_else(no_empty_cell)?;
    Ok(Map { board: Arc::new(board), objects })
}

/// No cell is a corridor without an object or with a vitamin.
fn no_empty_cell() -> MapError {
    let problem = Note::new(
        "the board has no empty cell, where a piece could start",
        "le plateau n'a aucune case vide où une pièce pourrait commencer",
    );
    MapError { line: 2, column: 1, problem }
}

fn is_known(character: char) -> bool {
    u8::try_from(character).is_ok_and(|c| c == WALL || letters::object(c).is_ok())
}

/// Reads the optional lists of pacmans and ghosts after the board. Their cells are ignored, as starting cells are drawn.
fn read_pieces<'a>(mut lines: impl Iterator<Item = (usize, &'a str)>) -> Result<(), MapError> {
    const END: Phrase = Phrase::new("the end of the map", "la fin de la carte");
    for expected in [
        Phrase::new("the number of pacmans", "le nombre de pacmans"),
        Phrase::new("the number of ghosts", "le nombre de fantômes"),
        END,
    ] {
        let Some((line, text)) = lines.next() else {
            return Ok(());
        };
        let after_board = |line, expected: Phrase, text| {
            let found = shortened(text);
            let english = expected.say(Language::English);
            let french = expected.say(Language::French);
            let problem = Note::new(
                format!("expected {english}, found {found:?}"),
                format!("{french} est attendu, et non {found:?}"),
            );
            MapError { line, column: 1, problem }
        };
        let count = text.parse::<usize>().ok().filter(|_| expected != END);
        let count = count.ok_or_else(|| after_board(line, expected, text))?;
        for line in (line + 1..).take(count) {
            let text = lines.next().map_or("", |(_, text)| text);
            let fields: Vec<_> = text.split(';').collect();
            if !matches!(fields[..], [letter, _, _] if letter.chars().count() == 1) {
                return Err(after_board(
                    line,
                    Phrase::new(
                        "a piece as `LETTER;ROW;COL`",
                        "une pièce sous la forme `LETTRE;LIGNE;COLONNE`",
                    ),
                    text,
                ));
            }
        }
    }
    Ok(())
}

/// The first 40 characters of a line, for an error message.
fn shortened(line: &str) -> String {
    const MOST: usize = 40;
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

impl Map {
    /// Reads the text of a map: `ROWS;COLS`, the rows, and perhaps the pieces, which are ignored.
    /// Lines may end in `\n` or `\r\n`; blank lines at the end and a byte order mark are ignored.
    ///
    /// # Errors
    ///
    /// With the line and the column of the first error. Bytes that are not UTF-8 are unknown characters.
    pub fn parse(text: &[u8]) -> Result<Self, MapError> {
        let text = String::from_utf8_lossy(text);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let text = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        let mut lines: Vec<&str> = text.collect();
        let header = read_header(lines[0])?;
        // Blank lines at the end are no rows, but a row of spaces is not blank.
        while lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        let mut rows = lines.iter().copied().skip(1);
        let map = read_rows(header, &mut rows)?;
        if map.empty_cells() == 0 {
            return Err(no_empty_cell());
        }
        let after = usize::from(header.rows()) + 1;
        let end = lines.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |at| at + 1);
        read_pieces(
            lines[..end.max(after)]
                .iter()
                .copied()
                .enumerate()
                .skip(after)
                .map(|(at, text)| (at + 1, text)),
        )?;
        Ok(map)
    }
}

impl FromStr for Map {
    type Err = MapError;

    fn from_str(text: &str) -> Result<Self, MapError> {
        Self::parse(text.as_bytes())
    }
}

/// The text of the map, without pieces.
impl fmt::Display for Map {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims = self.board.dims();
        f.write_str(&header(dims))?;
        for cell in dims.cells() {
            let letter = match self.objects.get(cell) {
                _ if self.board.is_wall(cell) => char::from(WALL),
                Some(object) => object.letter(),
                None => char::from(letters::EMPTY),
            };
            f.write_char(letter)?;
            if (cell.index() + 1) % usize::from(dims.cols()) == 0 {
                f.write_char('\n')?;
            }
        }
        Ok(())
    }
}
