//! Boards, configurations, and the rules of the game.

/// Maximum number of cells of a board.
pub const MOST_CELLS: usize = 64;

/// Numbers of lines and columns of a board: at least one each, at most [`MOST_CELLS`] cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    lines: u8,
    columns: u8,
}

/// A player (*joueur*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Moves up, towards line 0, and moves first.
    White,
    /// Moves down.
    Black,
}

/// The pawns on their cells (*plateau*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    size: Size,
    /// By player; the bit of a cell is `line * columns + column`.
    pawns: [u64; 2],
}

/// A board and the player to move (*configuration*).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Configuration {
    /// The pawns on their cells.
    pub board: Board,
    /// The player to move.
    pub player: Side,
}

impl Size {
    /// A size; `None` if a side is 0 or there are more than [`MOST_CELLS`] cells.
    pub fn new(lines: usize, columns: usize) -> Option<Self> {
        let cells = lines.checked_mul(columns)?;
        // Both sides are at most the number of cells, which fits.
        (1..=MOST_CELLS)
            .contains(&cells)
            .then_some(Self { lines: lines as u8, columns: columns as u8 })
    }

    /// The number of lines.
    pub fn lines(self) -> usize {
        self.lines.into()
    }

    /// The number of columns.
    pub fn columns(self) -> usize {
        self.columns.into()
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.lines() * self.columns()
    }

    fn bit(self, line: usize, column: usize) -> u64 {
        assert!(line < self.lines() && column < self.columns(), "a cell of the board");
        1 << (line * self.columns() + column)
    }
}

impl Side {
    /// The other player.
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Board {
    /// A board without pawns.
    #[must_use]
    pub fn empty(size: Size) -> Self {
        Self { size, pawns: [0; 2] }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The owner of the pawn on a cell of the board; `None` if the cell is empty.
    pub fn get(&self, line: usize, column: usize) -> Option<Side> {
        let bit = self.size.bit(line, column);
        [Side::White, Side::Black].into_iter().find(|&player| self.pawns(player) & bit != 0)
    }

    /// Puts a pawn on a cell of the board, or empties it.
    pub fn set(&mut self, line: usize, column: usize, pawn: Option<Side>) {
        let bit = self.size.bit(line, column);
        self.pawns = self.pawns.map(|pawns| pawns & !bit);
        if let Some(player) = pawn {
            self.pawns[player as usize] |= bit;
        }
    }

    /// A player's pawns; the bit of a cell is `line * columns + column`.
    pub fn pawns(&self, player: Side) -> u64 {
        self.pawns[player as usize]
    }

    /// Tests if a pawn of the player stands on the opponent's home line.
    pub fn has_arrived(&self, player: Side) -> bool {
        let line = match player {
            Side::White => 0,
            Side::Black => self.size.lines() - 1,
        };
        (0..self.size.columns()).any(|column| self.get(line, column) == Some(player))
    }
}

impl Configuration {
    /// The start of a game: pawns on all cells of the first and the last line, and White moves. On a
    /// single line all pawns are White's.
    #[must_use]
    pub fn start(size: Size) -> Self {
        let mut board = Board::empty(size);
        for column in 0..size.columns() {
            board.set(0, column, Some(Side::Black));
            board.set(size.lines() - 1, column, Some(Side::White));
        }
        Self { board, player: Side::White }
    }

    /// The configurations after each move, ordered by the pawn's line and column, then pushes before
    /// captures to the left and to the right. Empty if the player has lost already.
    pub fn successors(&self) -> Vec<Self> {
        let mut successors = Vec::new();
        let size = self.board.size;
        if self.board.has_arrived(self.player.opponent()) {
            return successors;
        }
        let mut pawns = self.board.pawns(self.player);
        while pawns != 0 {
            let cell = pawns.trailing_zeros() as usize;
            pawns &= pawns - 1;
            let from @ (line, column) = (cell / size.columns(), cell % size.columns());
            let ahead = match self.player {
                Side::White => line.checked_sub(1),
                Side::Black => Some(line + 1).filter(|&line| line < size.lines()),
            };
            let Some(ahead) = ahead else { continue };
            if self.board.get(ahead, column).is_none() {
                successors.push(self.moved(from, (ahead, column)));
            }
            for aside in [column.wrapping_sub(1), column + 1] {
                if aside < size.columns()
                    && self.board.get(ahead, aside) == Some(self.player.opponent())
                {
                    successors.push(self.moved(from, (ahead, aside)));
                }
            }
        }
        successors
    }

    fn moved(&self, from: (usize, usize), to: (usize, usize)) -> Self {
        let mut board = self.board;
        board.set(from.0, from.1, None);
        board.set(to.0, to.1, Some(self.player));
        Self { board, player: self.player.opponent() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation;

    #[test]
    fn sizes_have_one_to_64_cells() {
        for (lines, columns) in [(1, 1), (64, 1), (1, 64), (8, 8), (3, 21)] {
            let size = Size::new(lines, columns).unwrap();
            assert_eq!((size.lines(), size.columns()), (lines, columns));
        }
        for (lines, columns) in
            [(0, 3), (3, 0), (5, 13), (65, 1), (usize::MAX, 2), (1 << 32, 1 << 32)]
        {
            assert_eq!(Size::new(lines, columns), None);
        }
    }

    /// Checks the boards after each move, given as lines joined with `/`.
    #[track_caller]
    fn check(player: Side, board: &str, expected: &[&str]) {
        let board = notation::board(board);
        let successors = Configuration { board, player }.successors();
        assert!(successors.iter().all(|successor| successor.player == player.opponent()));
        let boards: Vec<_> = successors
            .iter()
            .map(|successor| successor.board.to_string().replace('\n', "/"))
            .collect();
        assert_eq!(boards, expected);
    }

    #[test]
    fn pawns_advance_straight_and_capture_aside() {
        check(Side::White, "ppp/   /PPP", &["ppp/P  / PP", "ppp/ P /P P", "ppp/  P/PP "]);
        check(
            Side::White,
            "p p/ p /P P",
            &["p p/Pp /  P", "p p/ P /  P", "p p/ pP/P  ", "p p/ P /P  "],
        );
        check(
            Side::Black,
            "p p/ P /P P",
            &["  p/pP /P P", "  p/ p /P P", "p  / Pp/P P", "p  / p /P P"],
        );
        check(Side::Black, "p /P /  ", &[]);
        check(Side::White, "p /pP", &[]);
    }

    #[test]
    fn only_the_opponents_arrival_ends_the_game() {
        check(Side::White, "  /  /pP", &[]);
        check(Side::White, "P /  / P", &["P / P/  "]);
        check(Side::White, "P /  /pP", &[]);
        check(Side::Black, "P / p/  ", &[]);
        check(Side::Black, "  /p / P", &["  /  /pP", "  /  / p"]);
    }
}
