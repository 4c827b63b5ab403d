//! Place and time of an observation.

use serde::Serialize;

/// In which of the games of a check something was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Every corridor holds this object.
    Field(char),
    /// Its pacman begins inside a wall, beside a corridor.
    InsideWall,
    /// Its wall-pass ends deep inside a wall.
    WallPassEnds,
    /// Ghosts are all around, and its score is negative.
    Bitten,
    /// It has the glutton, among ghosts.
    Hunting,
    /// Its ghost cannot move, because of a freeze.
    Frozen,
    /// Its powers last longer than 100 turns.
    LongPowers,
    /// Ghosts that bite digest, by the rules of 2024.
    Digestion,
    /// It plays with this letter.
    Letter(char),
    /// A board of these rows and columns.
    Board(BoardKind, u16, u16),
    /// A game with this number of players.
    Players(usize),
    /// It has this name.
    OwnName(String),
    /// Somebody else has this name.
    Opponent(String),
    /// The players have these names, its own first.
    Names(Vec<String>),
    /// Several games on one connection: the number of the game from 1, its letter, rows and columns.
    Game(usize, char, u16, u16),
    /// Delivery of a state.
    Transmission(Transmission),
    /// Two copies run; which of them, from 1.
    Twin(usize),
}

/// Peculiarity of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardKind {
    /// It is wider than high.
    Wide,
    /// It is higher than wide.
    Tall,
    /// It has no walls at its edges, and pieces cross them.
    Open,
    /// No object lies on it.
    Bare,
    /// There is hardly room for the pieces.
    Tiny,
    /// It has thousands of cells.
    Large,
    /// It is one of the user's, with this name.
    Own(String),
}

/// Transmission of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Transmission {
    /// In many pieces.
    Pieces,
    /// Cut inside the bytes of a character.
    Characters,
    /// Its NUL comes apart.
    NulApart,
    /// The beginning of the next one comes with it.
    NextBegun,
    /// Three come at once, as after a pause.
    Together,
}

impl Transmission {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Pieces, Self::Characters, Self::NulApart, Self::NextBegun, Self::Together];
}

/// Peculiarity of the state that a bot was looking at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameMoment {
    /// It was the final state.
    Final,
    /// Its pacman stood inside a wall, with this number of turns of wall-pass left.
    InWall(u32),
    /// Its pacman had just taken this object.
    Took(char),
    /// One of its pieces had just been teleported.
    Teleported,
    /// One of its pieces had just lost a battle.
    Lost,
    /// One of its pieces had just won a battle.
    Won,
    /// Its ghost was frozen.
    Frozen,
    /// Its score was negative.
    Negative,
}
