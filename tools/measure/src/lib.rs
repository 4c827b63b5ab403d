//! Measurements of the arena itself, for its developers.
//!
//! - [`traces`]: does the engine reproduce recorded games?
//! - [`pyrat_mazes`]: does a seed make the recorded maze of PyRat?
//! - [`throughput`]: how fast are the rules, the texts and the look-ahead?
//! - [`loopback`]: how fast are games over TCP, compared with the limit of the machine?
//! - [`crowd`]: how fast are many games at once in a hall?
//! - [`zoo`]: what do hostile peers cost honest players?
//! - [`simulation`]: what do failures cost a tournament on many machines, and does each game count once?
//! - [`decisions`]: how often is a best team named among equal ones, and how soon where one is better?
//! - [`ladder`]: how many games does a ladder need until its order is right?
//!
//! [`records`] reads files of recordings. The program `measure` has the flags and prints.

#![allow(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "figures for people")]

pub mod crowd;
pub mod decisions;
pub mod ladder;
pub mod loopback;
pub mod pyrat_mazes;
pub mod records;
pub mod simulation;
pub mod throughput;
pub mod traces;
pub mod zoo;
