//! Every sentence of the rules, on tiny boards.

mod battles;
mod digestion;
mod empty_cells;
mod false_moves;
mod freeze;
mod moves;
mod objects;
mod ranking;
mod start;
mod turn_end;
