//! Pacman IUT'O from outside: its rules, its draws and its notation.
//!
//! [`scenario`] is the driver of the rules' tests and [`ledger`] their second opinion; [`plain`] is
//! that of the notation's.

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
