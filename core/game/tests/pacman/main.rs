//! Pacman IUT'O from outside: its rules, its draws and its notation.
//!
//! [`scenario`] drives the tests of the rules; [`ledger`] checks the rules, and [`plain`] the notation, independently.

mod cartes;
mod draws;
mod games;
mod ledger;
mod maps;
mod plain;
mod properties;
mod reading;
mod rules;
mod scenario;
mod writing;
