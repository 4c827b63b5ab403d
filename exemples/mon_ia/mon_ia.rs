//! A first bot: its pacman walks to the nearest object, its ghost along its corridor.

use std::process::ExitCode;

use bots::{Bot, Entry, Situation};
use game::pacman::Orders;
use graph::Distances;

/// Yours to improve.
#[derive(Debug, Default)]
struct MonIa;

impl Bot for MonIa {
    fn play(&mut self, Situation { view, me, .. }: &Situation<'_>) -> Orders {
        let Some(player) = view.player(*me) else { return Orders::default() };
        let board = view.board();
        let mut distances = Distances::new();
        distances.fill_through(board, player.pacman, player.powers.wall_pass);
        let nearest = distances.reached().iter().find(|&&cell| view.objects().get(cell).is_some());
        Orders {
            pacman: nearest.and_then(|&cell| distances.first_step(board, cell)),
            ghost: board.exits(player.ghost).first().copied(),
        }
    }
}

static MON_IA: Entry = Entry::new("mon_ia", |_| Box::new(MonIa));

fn main() -> ExitCode {
    client::program::main_with(&MON_IA)
}
