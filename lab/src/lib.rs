//! Experiments answered with numbers and pictures.
//!
//! - [`traces`]: does the engine reproduce recorded games?
//! - [`throughput`]: how fast are the rules, the texts and the look-ahead?
//! - [`loopback`]: how fast are games over TCP, compared with the limit of the machine?
//! - [`crowd`]: how fast are many games at once in a hall?
//! - [`zoo`]: what do hostile peers cost honest players?
//! - [`mod@matches`]: which bot wins how often?
//! - [`decisions`]: how often is a best team named among equal ones, and how soon where one is better?
//! - [`pyrat`]: are its mazes those of its seeds, and how do its players fare?
//! - [`mazes`]: which generator makes which mazes, and mazes as pictures and maps.
//! - [`paths`]: what do searches for shortest routes cost?
//! - [`hexapawn`]: what is a configuration of Hexapawn worth?
//! - [`puddles`]: what are the shortest solutions of a puzzle of jumps?
//!
//! Shared modules: [`records`] reads files, [`table`] and [`plot`] show figures, [`progress`] shows
//! the progress of long work, [`parallel`] spreads work over the cores, and [`mann_whitney`] tests if
//! samples differ.

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "figures for people")]

// The modules of the programs name this library as other crates do.
extern crate self as lab;

mod commands;
pub mod crowd;
pub mod decisions;
pub mod hexapawn;
pub mod loopback;
pub mod mann_whitney;
pub mod matches;
pub mod mazes;
pub mod parallel;
pub mod paths;
pub mod plot;
pub mod program;
pub mod progress;
pub mod puddles;
pub mod pyrat;
pub mod records;
pub mod table;
pub mod throughput;
pub mod traces;
pub mod zoo;
