//! Pacman IUT'O: on a torus, every player drives a pacman that collects objects and a ghost that
//! attacks the pacmans of the others.
//!
//! A [`State`] is the complete state of a game and [plays](State::play_turn) its turns;
//! its [`View`] is the part that the players see. [`Rules`] are plain data, and every random number
//! comes from a [`Chance`] that the caller hands in, so that a game follows exactly from its map,
//! rules, seed and orders. [`notation`] reads and writes maps and states as text.

pub mod board;
pub mod chance;
pub mod event;
pub mod maps;
pub mod notation;
pub mod object;
pub mod objects;
pub mod player;
pub mod rules;
pub mod state;
mod turn;
pub mod view;
mod zobrist;

pub use crate::colour::{Colour, ColourSet};
pub use board::{Board, Map};
pub use chance::{Candidates, Chance, Quick, Scripted, Seeded};
pub use event::{Event, FalseMove};
pub use graph::{Cell, Dims, Direction, Pos};
pub use notation::{MapError, Reading, StateError, StateReader, StateText};
pub use object::Object;
pub use objects::Objects;
pub use player::{Orders, Piece, PieceKind, Player, Powers};
pub use rules::{FalseMoveCounter, Rules, RulesPreset, UnknownRules};
pub use state::State;
pub use view::View;
