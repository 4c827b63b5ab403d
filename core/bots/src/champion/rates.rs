//! Bites in a turn of each pacman by a ghost that stays close to it, learned from the bites of all ghosts in the game.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Colour, Event};
use graph::DistanceTable;

use super::allowance::Allowance;
use crate::Situation;
use crate::knowledge::WON;

/// Steps within which a ghost is close to a pacman.
const CLOSE: u32 = 3;
/// Turns that count before anything is observed.
const FIRST_TURNS: f32 = 10.0;
/// Bites in a turn before anything is observed, if ghosts digest and if they do not.
const FIRST_RATE: [f32; 2] = [0.12, 0.3];
/// Bites in a turn of a ghost on a pacman that stands still: it steps aside and comes back, after it has digested.
const STANDING_RATE: [f32; 2] = [1.0 / 3.0, 1.0 / 2.0];
/// Turns for which a pacman that stands is expected to go on to.
const STANDS_FOR: f32 = 40.0;
/// Share of the evidence that is kept from turn to turn.
const MEMORY: f32 = 0.985;

/// Turns that ghosts were close to each pacman, and their bites.
#[derive(Clone, Debug, Default)]
pub(super) struct Rates {
    preys: Vec<Rate>,
}

/// Points that a ghost may expect of a pacman that stands at this distance, with this number of turns left.
pub(super) fn of_standing(steps: u32, left: u32, digestion: bool) -> f32 {
    let turns = (left as f32).min(STANDS_FOR) - steps as f32;
    WON * STANDING_RATE[usize::from(!digestion)] * turns.max(0.0)
}

#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    turns: f32,
    bites: f32,
}

impl Rates {
    pub(super) fn clear(&mut self) {
        self.preys.clear();
    }

    /// Counts the bites of the last turn.
    pub(super) fn observe(
        &mut self,
        situation: &Situation<'_>,
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) {
        let players = situation.view.players();
        self.preys.resize(players.len(), Rate::default());
        let Some(before) = situation.before.filter(|_| budget.lasts()) else { return };
        for rate in &mut self.preys {
            rate.turns *= MEMORY;
            rate.bites *= MEMORY;
        }
        let board = before.board();
        for (owner, ghost) in before.players().iter().map(|player| player.ghost).enumerate() {
            let distances = table.from(board, ghost);
            let preys = before.players().iter().zip(&mut self.preys).enumerate();
            for (_, (prey, rate)) in preys.filter(|(prey, _)| *prey != owner) {
                if prey.powers.glutton == 0 && distances.to(prey.pacman) <= CLOSE {
                    rate.turns += 1.0;
                }
            }
        }
        for event in situation.events() {
            if let Event::Battle { pacman, ghost, bitten: true } = event
                && pacman != ghost
                && let Some(rate) = self.preys.get_mut(pacman.index())
            {
                rate.bites += 1.0;
            }
        }
    }

    /// Bites in a turn that a ghost close to a pacman may expect if the pacman does not stand.
    pub(super) fn of(&self, prey: Colour, digestion: bool) -> f32 {
        let rules = usize::from(!digestion);
        let Rate { turns, bites } = self.preys.get(prey.index()).copied().unwrap_or_default();
        let first = FIRST_RATE[rules];
        let learned = (bites + first * FIRST_TURNS) / (turns + FIRST_TURNS);
        learned.min(STANDING_RATE[rules])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bot, Budget, HouseGame, by_name};
    use game::pacman::{Map, Orders, Rules, View, maps};

    /// Gives no orders.
    struct Absent;

    impl Bot for Absent {
        fn play(&mut self, _: &Situation<'_>) -> Orders {
            Orders::default()
        }
    }

    #[test]
    fn who_is_bitten_often_has_the_higher_rate() {
        let map: Map = maps::text_of("petit").unwrap().parse().unwrap();
        let others = ["glouton", "dijkstra", "dijkstra"].map(|bot| by_name(bot).unwrap().make(1));
        let absent: Box<dyn Bot> = Box::new(Absent);
        let bots = others.into_iter().chain([absent]).collect();
        let mut game = HouseGame::start(&map, Rules::SUJET, 200, 2, bots);
        let (mut rates, mut table) = (Rates::default(), DistanceTable::new());
        let mut before: Option<View> = None;
        let [me, wary, absent] = [0, 1, 3].map(|index| Colour::new(index).unwrap());
        let first = rates.of(wary, false);
        while !game.state().view().is_over() {
            let now = game.state().view().clone();
            let new = Situation::new(&now, me, &Rules::SUJET);
            let situation = Situation { before: before.as_ref(), ..new };
            rates.observe(&situation, &mut table, &mut Allowance::new(Budget::default()));
            game.play_turn(|_, _| {});
            before = Some(now);
        }
        let (wary, absent) = (rates.of(wary, false), rates.of(absent, false));
        assert!(absent > 1.2 * wary, "{absent} and {wary}, {first} at first");
    }

    #[test]
    fn a_pacman_that_stands_is_worth_the_turns_that_are_left_there() {
        assert!(of_standing(2, 30, true) > of_standing(5, 30, true));
        assert!(of_standing(2, 30, false) > of_standing(2, 30, true), "digestion");
        assert!((of_standing(5, 5, true)).abs() < 1e-6, "too late");
        assert!(of_standing(u32::MAX, 30, true).abs() < 1e-6, "never");
    }
}
