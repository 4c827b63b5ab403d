//! The checks, one a file.

pub(super) mod boards;
pub(super) mod first_game;
pub(super) mod letters;
pub(super) mod names;
pub(super) mod powers;
pub(super) mod series;
pub(super) mod start;
pub(super) mod stream;
pub(super) mod twins;
