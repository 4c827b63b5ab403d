//! The text of the contest: the number of lines, the number of columns, then the board.

use std::fmt;

use language::{said, word};

use super::board::MOST_CELLS;
use super::{Board, Configuration, Side, Size};

/// A fault in the text of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "line {line}, column {column}: expected {expected}, found {found}",
    "ligne {line}, colonne {column} : {expected} est attendu, et non {found}"
))]
pub struct ParseError {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of the file, from 1.
    pub column: usize,
    expected: String,
    found: Found,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    Character(char),
    Number(String),
    EndOfLine,
    EndOfFile,
}

impl Configuration {
    /// Reads a configuration: line 1 is the number of lines of the board, line 2 the number of columns;
    /// then each line has a character for each cell, `p` for a black pawn, `P` for a white one and a space
    /// for an empty cell. White moves.
    ///
    /// Lines may end with `\r\n`, and the last one need not end. Nothing may follow.
    ///
    /// # Errors
    ///
    /// With the first place at which the text violates the notation.
    pub fn parse(text: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader { rest: text, line: 1, column: 1 };
        let lines = reader.number(MOST_CELLS)?;
        let columns = reader.number(MOST_CELLS / lines)?;
        let size = Size::new(lines, columns).expect("the numbers are within their limits");
        let mut board = Board::empty(size);
        for line in 0..lines {
            for column in 0..columns {
                let pawn = match reader.rest.first() {
                    Some(b'P') => Some(Side::White),
                    Some(b'p') => Some(Side::Black),
                    Some(b' ') => None,
                    _ => {
                        return Err(
                            reader.expected(word("`p`, `P` or a space", "`p`, `P` ou une espace"))
                        );
                    }
                };
                board.set(line, column, pawn);
                reader.skip(1);
            }
            if line + 1 == lines && reader.rest.is_empty() {
            } else {
                reader.end_of_line()?;
            }
        }
        match reader.rest {
            [] => Ok(Self { board, player: Side::White }),
            _ => Err(reader.expected(word("the end of the file", "la fin du fichier"))),
        }
    }
}

impl fmt::Display for Board {
    /// As [`Configuration::parse`] reads it; no end of line follows the last line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in 0..self.size().lines() {
            if line > 0 {
                f.write_str("\n")?;
            }
            for column in 0..self.size().columns() {
                f.write_str(self.get(line, column).map_or(" ", Side::letter))?;
            }
        }
        Ok(())
    }
}

impl Side {
    /// The letter of the player's pawns.
    pub fn letter(self) -> &'static str {
        match self {
            Self::White => "P",
            Self::Black => "p",
        }
    }
}

/// The unread rest of a text, and its place in the file.
struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
    column: usize,
}

impl Reader<'_> {
    /// A number from 1 to `most`, alone on its line.
    fn number(&mut self, most: usize) -> Result<usize, ParseError> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let expected = said!("a number from 1 to {most}", "un nombre de 1 à {most}");
        if length == 0 {
            return Err(self.expected(expected));
        }
        let digits = String::from_utf8_lossy(&self.rest[..length]).into_owned();
        let Some(number) = digits.parse().ok().filter(|number| (1..=most).contains(number)) else {
            let Self { line, column, .. } = *self;
            return Err(ParseError { line, column, expected, found: Found::Number(digits) });
        };
        self.skip(length);
        self.end_of_line()?;
        Ok(number)
    }

    fn end_of_line(&mut self) -> Result<(), ParseError> {
        self.rest = match self.rest {
            [b'\n', rest @ ..] | [b'\r', b'\n', rest @ ..] => rest,
            _ => return Err(self.expected(word("the end of the line", "un saut de ligne"))),
        };
        self.line += 1;
        self.column = 1;
        Ok(())
    }

    /// Skips `length` characters of one byte.
    fn skip(&mut self, length: usize) {
        self.rest = &self.rest[length..];
        self.column += length;
    }

    /// The error for an unexpected text at the current place.
    fn expected(&self, expected: impl Into<String>) -> ParseError {
        let found = match self.rest {
            [] => Found::EndOfFile,
            [b'\n', ..] | [b'\r', b'\n', ..] => Found::EndOfLine,
            _ => {
                // A character of UTF-8 has at most four bytes.
                let first = &self.rest[..self.rest.len().min(4)];
                let text = String::from_utf8_lossy(first);
                Found::Character(text.chars().next().expect("something is left"))
            }
        };
        ParseError { line: self.line, column: self.column, expected: expected.into(), found }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Character(character) => write!(f, "{character:?}"),
            Self::Number(digits) if digits.len() > 20 => {
                write!(f, "{}", said!("{} digits", "{} chiffres", digits.len()))
            }
            Self::Number(digits) => f.write_str(digits),
            Self::EndOfLine => f.write_str(word("the end of the line", "la fin de la ligne")),
            Self::EndOfFile => f.write_str(word("the end of the file", "la fin du fichier")),
        }
    }
}

/// Reads a board from lines joined with `/`.
#[cfg(test)]
pub(super) fn board(lines: &str) -> Board {
    let lines: Vec<_> = lines.split('/').collect();
    let text = format!("{}\n{}\n{}", lines.len(), lines[0].len(), lines.join("\n"));
    Configuration::parse(text.as_bytes()).unwrap().board
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn line_ends_are_all_the_same() {
        for text in ["2\n3\nppP\n P \n", "2\r\n3\r\nppP\r\n P \r\n", "2\n3\r\nppP\n P "] {
            let Configuration { board, player } = Configuration::parse(text.as_bytes()).unwrap();
            assert_eq!(board.to_string(), "ppP\n P ");
            assert_eq!(player, Side::White);
        }
    }

    #[test]
    fn errors_say_where() {
        for (text, expected) in [
            ("", "line 1, column 1: expected a number from 1 to 64, found the end of the file"),
            ("\n3", "line 1, column 1: expected a number from 1 to 64, found the end of the line"),
            ("x", "line 1, column 1: expected a number from 1 to 64, found 'x'"),
            ("0\n", "line 1, column 1: expected a number from 1 to 64, found 0"),
            ("65\n1\n", "line 1, column 1: expected a number from 1 to 64, found 65"),
            (
                "99999999999999999999999",
                "line 1, column 1: expected a number from 1 to 64, found 23 digits",
            ),
            ("3 \n3", "line 1, column 2: expected the end of the line, found ' '"),
            ("3", "line 1, column 2: expected the end of the line, found the end of the file"),
            ("3\n", "line 2, column 1: expected a number from 1 to 21, found the end of the file"),
            ("8\n9\n", "line 2, column 1: expected a number from 1 to 8, found 9"),
            ("2\n2\n", "line 3, column 1: expected `p`, `P` or a space, found the end of the file"),
            (
                "2\n2\np\nP \n",
                "line 3, column 2: expected `p`, `P` or a space, found the end of the line",
            ),
            ("2\n2\nppp\nP \n", "line 3, column 3: expected the end of the line, found 'p'"),
            ("2\n2\npp\nPé", "line 4, column 2: expected `p`, `P` or a space, found 'é'"),
            ("2\n2\npp\n\tP", "line 4, column 1: expected `p`, `P` or a space, found '\\t'"),
            (
                "2\n2\npp",
                "line 3, column 3: expected the end of the line, found the end of the file",
            ),
            (
                "2\n2\npp\n",
                "line 4, column 1: expected `p`, `P` or a space, found the end of the file",
            ),
            (
                "2\n2\npp\nPP\n\n",
                "line 5, column 1: expected the end of the file, found the end of the line",
            ),
            ("2\n2\npp\nPP\nw", "line 5, column 1: expected the end of the file, found 'w'"),
            ("2\n2\npp\nPP\r", "line 4, column 3: expected the end of the line, found '\\r'"),
        ] {
            let error = Configuration::parse(text.as_bytes()).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn boards_are_read_as_they_are_shown(
            (lines, columns) in (1..=64usize)
                .prop_flat_map(|lines| (Just(lines), 1..=MOST_CELLS / lines)),
            pawns in prop::collection::vec(0..3u8, 64),
        ) {
            let mut board = Board::empty(Size::new(lines, columns).unwrap());
            for (cell, pawn) in pawns.iter().take(lines * columns).enumerate() {
                let pawn = [None, Some(Side::White), Some(Side::Black)][usize::from(*pawn)];
                board.set(cell / columns, cell % columns, pawn);
            }
            let text = format!("{lines}\n{columns}\n{board}");
            prop_assert_eq!(Configuration::parse(text.as_bytes()).unwrap().board, board);
        }

        #[test]
        fn no_bytes_panic(head in 0..4usize, bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let head = ["", "3\n", "3\n3\n", "2\n2\npp\nPP"][head];
            let _ = Configuration::parse(&[head.as_bytes(), &bytes].concat());
        }
    }
}
