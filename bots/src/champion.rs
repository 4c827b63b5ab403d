//! `champion`: models its opponents, searches its pacman's walks against their likely moves, and sends its ghost to where their
//! pacmans will be.
//!
//! Each technique has a file: `opponents` infers which policy each opponent follows, `step` prices the battles of the
//! next turn, `claims` and `attraction` say what objects are worth, `collect` is a beam search for the pacman, `hunt`
//! dynamic programming for the ghost. Against opponents whose policy is cheap to ask, `rehearsal` plays the next turns ahead,
//! and `pursuit` is a beam search for the ghost in which they answer.

mod attraction;
mod claims;
mod collect;
mod hunt;
mod opponents;
mod pursuit;
mod rehearsal;
mod step;

use game::pacman::{Direction, Orders};
use graph::DistanceTable;

use crate::{Bot, Situation};
use collect::Collector;
use hunt::Hunt;
use opponents::Opponents;
use pursuit::Pursuit;
use rehearsal::{Plan, Rehearsal};

/// Discount of the pacman's points for each turn.
const PATIENCE: f32 = 0.97;
/// Parts of the work in a decision without a budget: a rehearsal, and the turns of a pursuit.
const PARTS: usize = 1 + pursuit::HORIZON;
/// Most rehearsals in a decision.
const ROUNDS: usize = 3;
/// Least number of opponents with a known, cheap policy for which rehearsals pay.
const REHEARSED: usize = 1;
/// Discount of a prey's worth for each step of its distance.
const LATER: f32 = 0.94;

/// The strongest bot of the house.
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
    rehearsal: Rehearsal,
    pursuit: Pursuit,
    pacman: Plan,
    ghost: Plan,
}

impl Bot for Champion {
    fn new_game(&mut self, _: &Situation<'_>) {
        self.table.clear();
        self.opponents.clear();
        self.pacman.clear();
        self.ghost.clear();
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let mut parts = 0..PARTS;
        self.play_within(situation, &mut || parts.next().is_some())
    }

    fn play_within(
        &mut self,
        situation: &Situation<'_>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        let Self { table, opponents, collector, hunt, rehearsal, pursuit, pacman, ghost } = self;
        let mut foreseen = opponents.foresee(situation, player, table);
        let rounds = if opponents.gloutons(situation) >= REHEARSED { ROUNDS } else { 0 };
        let mut planned = Plan::new();
        for _ in 0..rounds {
            if !go_on() {
                break;
            }
            rehearsal.play(situation, opponents, pacman, ghost);
            rehearsal.correct(&mut foreseen, opponents);
            let intercept = hunt.plan(situation, player, &foreseen, table);
            planned = pursuit.plan(situation, opponents, pacman, [ghost, &intercept], table, go_on);
            ghost.clone_from(&planned);
        }
        if planned.is_empty() {
            planned = hunt.plan(situation, player, &foreseen, table);
        }
        *ghost = planned;
        *pacman = collector.plan(situation, player, &foreseen, table);
        // The next decision starts from the rest of both plans.
        let [pacman, ghost] = [pacman, ghost].map(|plan| plan.drain(..1.min(plan.len())).next());
        let board = situation.view.board();
        let into_a_wall =
            || Direction::ALL.into_iter().find(|&wall| !board.is_open(player.ghost, wall));
        Orders { pacman: pacman.flatten(), ghost: ghost.flatten().or_else(into_a_wall) }
    }
}
