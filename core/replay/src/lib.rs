//! Recorded games (*rejeux*).
//!
//! A recording holds the input of a game: its start ([`Setup`]) and the answers of all players in each
//! turn ([`Turn`]). [`Recorder`] encodes them during the game, [`Recording`] reads a file up to the first
//! damage, and [`Replay`] plays the game again. [`mod@verify`] compares the replayed states with the
//! recorded ones, [`analysis`] attributes the points to their sources, and [`fn@bites`] tells who bit whom. [`jsonl`] exports a game for
//! scripts in other languages, and [`film`] for the web page. [`episodes`] tell its story.
//!
//! [`thoughts`] are what bots add to their orders for people to read; a browser compresses them by itself, so that the feature
//! `thoughts`, with DEFLATE, is off there.
//!
//! The page itself and animations (GIF) are behind the features `page` and `animation`.

pub mod analysis;
#[cfg(feature = "animation")]
pub mod animation;
mod bites;
pub mod colours;
pub mod episodes;
mod export;
pub mod film;
mod format;
pub mod game;
pub mod jsonl;
pub mod marks;
#[cfg(feature = "page")]
pub mod page;
pub mod recorder;
pub mod recording;
mod remark;
pub mod setup;
pub mod thoughts;
pub mod turn;
pub mod turns;
pub mod verify;

pub use analysis::{Analysis, PlayerAnalysis, Source};
#[cfg(feature = "animation")]
pub use animation::{Animation, Clip, Look, NoClip, Picture, TooLarge};
pub use bites::bites;
pub use episodes::{Episode, EpisodeKind, Lead, Story};
pub use format::{hash, with_thoughts, without_thoughts};
pub use game::Replay;
pub use marks::Marks;
pub use recorder::Recorder;
pub use recording::{Damage, OpenError, ReadError, Recording};
pub use remark::Hint;
pub use setup::{PacmanSetup, PyRatSetup, Setup, SetupError};
pub use thoughts::{Thought, Thoughts};
pub use turn::{Answer, AnswerFault, Excerpt, Flaw, Given, Turn};
pub use turns::Turns;
pub use verify::{Difference, verify};
