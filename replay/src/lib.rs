//! Recorded games (*rejeux*).
//!
//! A recording is what a game follows from: how it begins ([`Setup`]), and a turn after the other
//! what everybody has answered ([`Turn`]). [`Recorder`] turns it into bytes as the game goes,
//! [`Recording`] reads them, as far as they can be read, and [`Replay`] plays them again. [`mod@verify`]
//! tells whether that gives the states that were recorded, [`analysis`] where the points came from,
//! [`jsonl`] writes it all down for scripts in other languages, [`film`] for the web [`page`], and
//! [`animation`] draws it.

// The programs name this library as others do.
extern crate self as replay;

pub mod analysis;
pub mod animation;
pub mod film;
mod format;
pub mod game;
pub mod jsonl;
pub mod marks;
pub mod page;
pub mod program;
pub mod recorder;
pub mod recording;
mod remark;
mod report;
pub mod setup;
pub mod turn;
pub mod turns;
pub mod verify;

pub use analysis::{Analysis, PlayerAnalysis, Source};
pub use animation::{Animation, Look, TooLarge};
pub use format::hash;
pub use game::Replay;
pub use marks::Marks;
pub use recorder::Recorder;
pub use recording::{Damage, OpenError, ReadError, Recording};
pub use remark::Hint;
pub use setup::{PacmanSetup, PyRatSetup, Setup, SetupError};
pub use turn::{Answer, Excerpt, Flaw, Given, Turn};
pub use turns::Turns;
pub use verify::{Difference, verify};
