//! The program `tournoi`: its configuration, its commands, and the live page of a tournament.
//!
//! - [`setup`] makes a [`plan::Plan`] of a [`config`].
//! - The [`scoreboard`] shows a tournament on the live page of the crate `report`; [`results`] reads it for reports.
//! - [`handed_in`] finds out what runs in the folders and archives of a class; a [`workshop`] builds programs.
//! - A [`scale`] says what results are worth in marks.
//! - [`program`] is the program itself.

mod commands;
pub mod config;
pub mod handed_in;
mod output_file;
pub mod program;
mod resemblance;
pub mod results;
pub mod scale;
pub mod scoreboard;
pub mod setup;
pub mod workshop;
