//! Worth of a simulated turn to a ghost.

use game::pacman::{Board, Colour, Player};
use graph::{DistanceTable, Distances};

use super::PREY_DISCOUNT;
use super::hunt::CATCH;
use super::opponents::Opponents;
use super::race;
use super::rates;
use super::step::Step;
use crate::Situation;
use crate::knowledge::{LOST, WON};

/// The ghost of a player, and what it wins by each bite.
pub(super) struct Bites {
    me: Colour,
    /// Factor of a bite's worth by the bitten player's colour: a bite takes points from a rival, too.
    weights: Vec<f32>,
    /// Probability that a player's pacman stands still, by colour.
    stands: Vec<f32>,
    turns_left: u32,
    digestion: bool,
}

impl Bites {
    /// The ghost of player `me`. A bite counts more if its prey stands between that player and the first place.
    pub(super) fn new(situation: &Situation<'_>, opponents: &Opponents) -> Self {
        let Situation { view, me, rules, .. } = *situation;
        let players = view.players();
        let turns_left = view.total().saturating_sub(view.elapsed());
        let stands = Colour::first(players.len()).map(|colour| opponents.stands(colour));
        let weights = race::shares(view, me).into_iter().map(|share| 1.0 + share);
        let weights = weights.collect();
        Self { me, weights, stands: stands.collect(), turns_left, digestion: rules.digestion }
    }

    /// Expected points in a turn, from the players before it and after it, and an estimate of those of the turns after it.
    pub(super) fn expect(
        &self,
        board: &Board,
        [before, after]: [&[Player]; 2],
        table: &mut DistanceTable,
    ) -> (f32, f32) {
        let [from, to] = [before, after].map(|players| players[self.me.index()].ghost);
        let distances = table.from(board, to);
        let (mut points, mut outlook): (f32, f32) = (0.0, 0.0);
        let preys = before.iter().zip(after).zip(&self.weights).enumerate();
        for (index, ((was, is), weight)) in preys.filter(|(index, _)| *index != self.me.index()) {
            let step = if was.pacman == is.pacman {
                Step::none(was.pacman)
            } else {
                Step::towards(board, was.pacman, is.pacman)
            };
            let battle = if was.powers.glutton > 0 { -LOST } else { WON * weight };
            points += battle * step.meetings(board, from, to);
            let distance = distances.to(is.pacman);
            if is.powers.glutton == 0 && distance < Distances::UNREACHED {
                let moving = CATCH * PREY_DISCOUNT.powi(distance.cast_signed());
                let standing = rates::of_standing(distance, self.turns_left, self.digestion);
                let worth = moving + self.stands[index] * (standing - moving).max(0.0);
                outlook = outlook.max(weight * worth);
            }
        }
        (points, outlook)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::pacman::{Cell, Map, Powers, Quick, Rules, State};

    #[test]
    fn a_bite_is_worth_more_than_a_step_nearer_and_a_glutton_costs() {
        let map: Map = "3;9\n#########\n#       #\n#########\n".parse().unwrap();
        let state = State::start(&map, Rules::SUJET, 9, 2, &mut Quick::new(1));
        let board = state.view().board();
        let cell = |column: usize| board.dims().cells().nth(9 + column).unwrap();
        let players = |ghost: Cell, prey: Cell, glutton| {
            let mut players = state.view().players().to_vec();
            players[0].ghost = ghost;
            players[1].pacman = prey;
            players[1].powers = Powers { glutton, ..Powers::default() };
            players
        };
        let situation = Situation::new(state.view(), Colour::new(0).unwrap(), &Rules::SUJET);
        let bites = Bites::new(&situation, &Opponents::default());
        let mut table = DistanceTable::new();
        let mut worth = |[from, to]: [usize; 2], glutton| {
            let before = players(cell(from), cell(5), glutton);
            let after = players(cell(to), cell(5), glutton);
            let (points, outlook) = bites.expect(board, [&before, &after], &mut table);
            points + outlook
        };
        assert!(worth([4, 5], 0) > worth([3, 4], 0), "a bite");
        assert!(worth([3, 4], 0) > worth([3, 2], 0), "a step nearer");
        assert!(worth([4, 5], 9) < worth([4, 3], 9), "a glutton");
    }
}
