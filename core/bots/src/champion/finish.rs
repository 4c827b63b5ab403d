//! The last turns by rank: of several plans, the one with which the player ends first most often.
//!
//! Each plan is played to the end of the game against the opponents' likeliest policies, in several samples, in which these policies
//! err as often as they erred of late. The same sample of two plans has the same draws, so that they differ by the plans alone: common
//! random numbers, see Law, “Simulation Modeling and Analysis”, 2015.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Cell, Chance, Colour, Direction, Orders, Quick, State, View};
use graph::DistanceTable;

use super::allowance::Allowance;
use super::opponents::Opponents;
use super::rehearsal::{NothingAppears, Plan, order};
use crate::Situation;
use crate::knowledge::others;

/// Number of last turns in which the rank counts. A plan for more turns seldom comes true.
const TURNS: u32 = 16;
/// Simulated games with each plan.
const SAMPLES: u32 = 8;
/// Points that a turn may win or lose at most; with a larger lead, the first place is decided.
const SWING: i64 = 20;
/// Error of a simulated lead, in points.
const ERROR: f32 = 5.0;
/// Probability of the first place by which a plan must be better than the one that expects most points.
const BETTER: f32 = 0.05;
/// Resolution of the draws of errors.
const RESOLUTION: u32 = 1 << 12;

/// Plays the last turns ahead.
#[derive(Debug, Default)]
pub(super) struct Finish {
    orders: Vec<Orders>,
    /// Cells of the pacmans before the last simulated turn, by colour.
    before: Vec<Cell>,
}

/// Tests if few turns are left and the first place is open.
pub(super) fn is_open(view: &View, me: Colour) -> bool {
    let left = view.total().saturating_sub(view.elapsed());
    (1..=TURNS).contains(&left) && lead(view, me).abs() <= SWING * i64::from(left)
}

/// Points that a player has more than the best opponent.
fn lead(view: &View, me: Colour) -> i64 {
    let points = |index: usize| i64::from(view.players()[index].points);
    let others = (0..view.players().len()).filter(|&index| index != me.index());
    points(me.index()) - others.map(points).max().unwrap_or(0)
}

impl Finish {
    /// The best plans for the pacman and for the ghost. The first ones, which expect most points, stay if no others are clearly better.
    /// `None` if the budget ends.
    pub(super) fn choose<'a>(
        &mut self,
        situation: &Situation<'_>,
        opponents: &mut Opponents,
        [pacmans, ghosts]: [&'a [Plan]; 2],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> Option<[&'a Plan; 2]> {
        let mut best = [pacmans.first()?, ghosts.first()?];
        let mut chance = |plans| self.chance(situation, opponents, plans, table, budget);
        let mut most = chance(best)? + BETTER;
        for pacman in &pacmans[1..] {
            let chance = chance([pacman, best[1]])?;
            if chance > most {
                (most, best[0]) = (chance, pacman);
            }
        }
        for ghost in &ghosts[1..] {
            let chance = chance([best[0], ghost])?;
            if chance > most {
                (most, best[1]) = (chance, ghost);
            }
        }
        Some(best)
    }

    /// The probability of the first place with two plans; `None` if the budget ends.
    fn chance(
        &mut self,
        situation: &Situation<'_>,
        opponents: &mut Opponents,
        plans: [&Plan; 2],
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> Option<f32> {
        let Situation { view, me, .. } = *situation;
        let mut sum = 0.0;
        for sample in 0..SAMPLES {
            let seed = u64::from(sample) << 32 | u64::from(view.elapsed());
            let (mut chance, mut errors) = (NothingAppears(Quick::new(seed)), Quick::new(!seed));
            let mut state = situation.state();
            self.before.clear();
            self.before.extend(view.players().iter().map(|player| player.pacman));
            for turn in 0.. {
                if state.view().is_over() {
                    break;
                }
                if !budget.lasts() {
                    return None;
                }
                let [pacman, ghost] = plans.map(|plan| order(plan, turn));
                self.ask(&state, situation, turn, opponents, &mut errors, table);
                self.orders[me.index()] = Orders { pacman, ghost };
                state.play_turn(&self.orders, &mut chance, |_, _| {});
            }
            sum += 1.0 / (1.0 + libm::expf(-(lead(state.view(), me) as f32) / ERROR));
        }
        Some(sum / SAMPLES as f32)
    }

    /// Asks the opponents' likeliest policies for their orders, some of which are wrong.
    fn ask(
        &mut self,
        state: &State,
        situation: &Situation<'_>,
        turn: usize,
        opponents: &mut Opponents,
        errors: &mut Quick,
        table: &mut DistanceTable,
    ) {
        let players = state.view().players();
        let board = state.view().board();
        self.orders.resize(players.len(), Orders::default());
        for (colour, player) in others(state.view(), situation.me) {
            let seen = Situation::new(state.view(), colour, situation.rules);
            let before = std::mem::replace(&mut self.before[colour.index()], player.pacman);
            let heading = board.direction(before, player.pacman);
            let orders = opponents.likely(&seen, turn, heading, table);
            let [pacman, ghost] = opponents.hit_rates(colour);
            self.orders[colour.index()] = Orders {
                pacman: erring(orders.pacman, pacman, board.exits(player.pacman), errors),
                ghost: erring(orders.ghost, ghost, board.exits(player.ghost), errors),
            };
        }
    }
}

/// An order that is right with a probability, and otherwise one of the piece's exits. Takes two draws in either case.
fn erring(
    order: Option<Direction>,
    right: f32,
    exits: &[Direction],
    draws: &mut Quick,
) -> Option<Direction> {
    let [errs, way] = [(); 2].map(|()| draws.below(RESOLUTION));
    if errs as f32 <= right * RESOLUTION as f32 || exits.is_empty() {
        return order;
    }
    exits.get(way as usize % exits.len()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use game::pacman::{Rules, StateReader};

    const EAST: Option<Direction> = Some(Direction::East);
    const WEST: Option<Direction> = Some(Direction::West);

    /// The last three turns on a corridor with a cherry two steps to the west and vitamins to the east, for a player with 100 points.
    fn view(opponent: i32) -> View {
        let line = "-".repeat(20);
        let text = format!(
            "197;200\n{line}\n3;13\n#############\n#&    ..    #\n#############\n2\nA;1;3\nB;1;11\n2\na;1;9\nb;1;10\n{line}\n\
             A;100;0;1;3;1;9;0;0;0;A\nB;{opponent};0;1;11;1;10;0;0;0;B\n"
        );
        StateReader::new().read(text.as_bytes()).unwrap().view.clone()
    }

    /// The index of the pacman's plan that is chosen.
    fn chosen(view: &View, pacmans: &[Plan]) -> usize {
        let situation = Situation::new(view, Colour::new(0).unwrap(), &Rules::SUJET);
        let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
        let budget = &mut Allowance::new(Budget::default());
        let player = &view.players()[0];
        opponents.foresee(&situation, player, &mut table, budget);
        let ghosts = [Plan::new()];
        let best = Finish::default().choose(
            &situation,
            &mut opponents,
            [pacmans, &ghosts],
            &mut table,
            budget,
        );
        let [pacman, _] = best.unwrap();
        pacmans.iter().position(|plan| std::ptr::eq(plan, pacman)).unwrap()
    }

    #[test]
    fn a_plan_that_ends_first_is_better_than_one_that_does_not() {
        let plans = [vec![EAST; 3], vec![WEST; 3]];
        let behind = view(130);
        assert!(is_open(&behind, Colour::new(0).unwrap()));
        assert_eq!(chosen(&behind, &plans), 1, "the cherry is enough");
        assert_eq!(chosen(&view(40), &plans), 0, "either plan ends first");
        assert!(!is_open(&view(700), Colour::new(0).unwrap()), "nothing is enough");
    }
}
