//! The circumstances of a finding.

use serde::Serialize;

/// The game of a check in which a fact was observed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Every corridor holds this object.
    Field(char),
    /// The bot's pacman starts inside a wall, beside a corridor.
    InsideWall,
    /// The bot's wall-pass ends while its pacman is deep inside a wall.
    WallPassEnds,
    /// Ghosts surround the bot's pacman, and the bot's score is negative.
    Bitten,
    /// The bot's pacman has the glutton, among ghosts.
    Hunting,
    /// A freeze keeps the bot's ghost from moving.
    Frozen,
    /// The bot's powers last longer than 100 turns.
    LongPowers,
    /// Ghosts have to digest after a bite, as in the rules of 2024.
    Digestion,
    /// The bot plays with this letter.
    Letter(char),
    /// A board with this number of rows and columns.
    Board(BoardKind, u16, u16),
    /// A game with this number of players.
    Players(usize),
    /// The bot has this name.
    OwnName(String),
    /// Another player has this name.
    Opponent(String),
    /// The players have these names, the bot's first.
    Names(Vec<String>),
    /// One of several games on the same connection: its number from 1, the bot's letter, rows and columns.
    Game(usize, char, u16, u16),
    /// A state is delivered in this way.
    Transmission(Transmission),
    /// One of two copies that run at the same time, numbered from 1.
    Twin(usize),
}

/// The special property of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardKind {
    /// The board is wider than high.
    Wide,
    /// The board is higher than wide.
    Tall,
    /// The board has no walls at its edges, so that pieces cross them.
    Open,
    /// No object lies on the board.
    Bare,
    /// The board has hardly enough room for the pieces.
    Tiny,
    /// The board has thousands of cells.
    Large,
    /// The user's own board, with this name.
    Own(String),
}

/// The delivery of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Transmission {
    /// Cut into many pieces.
    Pieces,
    /// Cut inside the bytes of a character.
    Characters,
    /// Its NUL arrives separately.
    NulApart,
    /// The beginning of the next state arrives with it.
    NextBegun,
    /// Three states arrive at once, as after a pause.
    Together,
}

impl Transmission {
    /// All kinds of delivery.
    pub const ALL: [Self; 5] =
        [Self::Pieces, Self::Characters, Self::NulApart, Self::NextBegun, Self::Together];
}

/// A special circumstance in the state to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GameMoment {
    /// The state was the final one.
    Final,
    /// The bot's pacman stood inside a wall, with this number of turns of wall-pass left.
    InWall(u32),
    /// The bot's pacman had just taken this object.
    Took(char),
    /// A piece of the bot had just been teleported.
    Teleported,
    /// A piece of the bot had just lost a battle.
    Lost,
    /// A piece of the bot had just won a battle.
    Won,
    /// The bot's ghost was frozen.
    Frozen,
    /// The bot's score was negative.
    Negative,
}
