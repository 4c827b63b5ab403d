//! `champion`: models its opponents, searches its pacman's walks against what they probably do, and catches theirs where they
//! will be.
//!
//! Each technique has a file: `opponents` infers which policy each opponent follows, `step` prices the battles of the
//! next turn, `claims` and `attraction` say what objects are worth, `collect` is a beam search for the pacman, `hunt`
//! dynamic programming for the ghost.

mod attraction;
mod claims;
mod collect;
mod hunt;
mod opponents;
mod step;

use game::pacman::Orders;
use graph::DistanceTable;

use crate::{Bot, Situation};
use collect::Collector;
use hunt::Hunt;
use opponents::Opponents;

/// What a point is worth to the pacman a turn later.
const PATIENCE: f32 = 0.97;
/// What a step further away takes from the worth of a prey.
const LATER: f32 = 0.94;

/// The best one.
///
/// ```
/// use bots::{HouseGame, by_name};
/// use game::pacman::Rules;
///
/// let map = "3;6\n#    #\n  &.  \n#    #\n".parse().unwrap();
/// let bots = ["champion", "glouton"].map(|bot| by_name(bot).unwrap().make(1));
/// let mut game = HouseGame::start(&map, Rules::SUJET, 20, 7, bots.into());
/// while !game.state().view().is_over() {
///     game.play_turn(|_, decide| decide(), |_, _| {});
/// }
/// assert_eq!(game.state().view().elapsed(), 20);
/// ```
#[derive(Debug, Default)]
pub struct Champion {
    table: DistanceTable,
    opponents: Opponents,
    collector: Collector,
    hunt: Hunt,
}

impl Bot for Champion {
    fn new_game(&mut self, _: &Situation<'_>) {
        self.table.clear();
        self.opponents.clear();
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        let foreseen = self.opponents.foresee(situation, player, &mut self.table);
        Orders {
            pacman: self.collector.plan(situation, player, &foreseen, &mut self.table),
            ghost: self.hunt.plan(situation, player, &foreseen, &mut self.table),
        }
    }
}
