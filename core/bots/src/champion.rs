//! `champion`: models its opponents, searches its pacman's walks against their likely moves, and sends its ghost to where their
//! pacmans will be.
//!
//! Each technique has a file: `opponents` infers which policy each opponent follows, `step` prices the battles of the
//! next turn, `claims` and `attraction` say what objects are worth, `collect` is a beam search for the pacman, `hunt`
//! dynamic programming for the ghost. `rehearsal` plays the next turns ahead against opponents whose policy is known, and judges
//! the ghost's plan by its `bites`. `pursuit` is a beam search for the ghost in which those answer whose policy is cheap to ask.
//! `finish` plays the last turns ahead with several plans, and keeps the one that ends first most often.

mod allowance;
mod attraction;
mod bites;
mod claims;
mod collect;
mod finish;
mod fitted;
mod hunt;
mod opponents;
mod prospect;
mod pursuit;
mod race;
mod rates;
mod rehearsal;
mod scene;
mod step;

use game::pacman::{Board, Cell, Orders};
use graph::DistanceTable;

use crate::knowledge::into_a_wall;
use crate::{Bot, Evaluation, Situation};
use allowance::Allowance;
use collect::{BEAMS, Collector};
use finish::Finish;
use hunt::Hunt;
use opponents::{Foreseen, Opponents};
use pursuit::Pursuit;
use rehearsal::{Plan, Rehearsal};

/// Discount of the pacman's points for each turn.
const PATIENCE: f32 = 0.97;
/// Most rehearsals in a decision with a budget; without one, there is one.
const ROUNDS: usize = 3;
/// Discount of a prey's worth for each step of its distance.
const PREY_DISCOUNT: f32 = 0.94;
/// Cells that a search over the board reaches: on larger boards, things further away are unknown.
const NEARBY: usize = 20_000;

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
///     game.play_turn(|_, _| {});
/// }
/// assert_eq!(game.state().view().elapsed(), 20);
/// ```
#[derive(Debug)]
pub struct Champion {
    table: DistanceTable,
    opponents: Opponents,
    collector: Collector,
    hunt: Hunt,
    rehearsal: Rehearsal,
    pursuit: Pursuit,
    finish: Finish,
    pacman: Plan,
    ghost: Plan,
    /// The cells of the pacman's last plan, if it was chosen by rank.
    line: Vec<Cell>,
    /// True if the pursuit made the ghost's last plan, false if the hunt did.
    is_pursuing: bool,
}

impl Default for Champion {
    fn default() -> Self {
        Self {
            table: DistanceTable::of_nearest(NEARBY),
            opponents: Opponents::default(),
            collector: Collector::default(),
            hunt: Hunt::default(),
            rehearsal: Rehearsal::default(),
            pursuit: Pursuit::default(),
            finish: Finish::default(),
            pacman: Plan::new(),
            ghost: Plan::new(),
            line: Vec::new(),
            is_pursuing: false,
        }
    }
}

impl Bot for Champion {
    fn new_game(&mut self, _: &Situation<'_>) {
        self.opponents.clear();
        self.pacman.clear();
        self.ghost.clear();
    }

    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let limits = if situation.budget.is_limited() { [ROUNDS, BEAMS.len()] } else { [1, 2] };
        self.decide(situation, limits, &mut Allowance::new(situation.budget))
    }

    fn fork(&self) -> Option<Box<dyn Bot>> {
        let (opponents, pacman, ghost) =
            (self.opponents.fork(), self.pacman.clone(), self.ghost.clone());
        Some(Box::new(Self { opponents, pacman, ghost, ..Self::default() }))
    }

    fn evaluation(&self, situation: &Situation<'_>) -> Option<Evaluation> {
        let (pacman, line) = self.collector.evaluation(situation.view.board());
        let ghost = if self.is_pursuing {
            self.pursuit.evaluation()
        } else {
            self.hunt.evaluation().to_vec()
        };
        let line = if self.line.is_empty() { line } else { self.line.clone() };
        Some(Evaluation { pacman, ghost, line })
    }
}

impl Champion {
    /// Decides with at most this number of rehearsals, and of ever wider beams after one; without any, all beams are searched.
    /// Cheap plans for both pieces come first, so that there are orders whenever the budget ends; better ones replace them.
    fn decide(
        &mut self,
        situation: &Situation<'_>,
        [rounds, beams]: [usize; 2],
        budget: &mut Allowance<'_>,
    ) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        let Self {
            table,
            opponents,
            collector,
            hunt,
            rehearsal,
            pursuit,
            finish,
            pacman,
            ghost,
            line,
            is_pursuing,
        } = self;
        *is_pursuing = false;
        let mut foreseen = opponents.foresee(situation, player, table, budget);
        collector.prepare(situation, player, &foreseen, table, budget);
        *pacman = collector.search(BEAMS[0], situation, player, table, budget);
        let mut intercept = hunt.plan(situation, player, &foreseen, table, budget);
        budget.drop_reserve();
        let mut widest = BEAMS.len();
        let mut rehearsed = (f32::MIN, Plan::new());
        for round in 1..=rounds {
            rehearsal.play(situation, opponents, [&*pacman, &*ghost], table, budget);
            if !rehearsal.correct(&mut foreseen, opponents) {
                break;
            }
            widest = beams;
            let pursues = !foreseen.iter().any(Foreseen::is_standing)
                && foreseen
                    .iter()
                    .any(|prey| opponents.answers(prey.colour, situation.rules.digestion));
            // The pursuit simulates its plans itself. Preys do not flee from a plan of the hunt before it is rehearsed: if it is worth
            // less then than the one before, that one stays.
            if rounds > 1 && !pursues {
                if rehearsal.worth < rehearsed.0 {
                    intercept = rehearsed.1;
                    break;
                }
                if round == rounds {
                    break;
                }
                rehearsed = (rehearsal.worth, ghost.clone());
            }
            intercept = hunt.plan(situation, player, &foreseen, table, budget);
            if pursues {
                let known = [&*ghost, &intercept];
                let planned = pursuit.plan(situation, opponents, pacman, known, table, budget);
                if planned.is_empty() {
                    break;
                }
                intercept = planned;
                *is_pursuing = true;
            }
            ghost.clone_from(&intercept);
            collector.prepare(situation, player, &foreseen, table, budget);
            // Without a limit, a wider search follows for certain.
            if round < rounds || situation.budget.is_limited() {
                let walk = collector.search(BEAMS[0], situation, player, table, budget);
                if budget.is_over() {
                    break;
                }
                *pacman = walk;
            }
        }
        *ghost = intercept;
        for beam in &BEAMS[1..widest] {
            let wider = collector.search(*beam, situation, player, table, budget);
            if budget.is_over() {
                break;
            }
            *pacman = wider;
        }
        line.clear();
        if finish::is_open(situation.view, situation.me) {
            let board = situation.view.board();
            let mut pacmans = vec![std::mem::take(pacman)];
            pacmans.extend(collector.plans(board));
            let mut ghosts = vec![std::mem::take(ghost)];
            ghosts.extend(hunt.plans(board, player.ghost));
            let best = finish.choose(situation, opponents, [&pacmans, &ghosts], table, budget);
            let [first, second] = best.unwrap_or([&pacmans[0], &ghosts[0]]);
            (*pacman, *ghost) = (first.clone(), second.clone());
            line.extend(cells(board, player.pacman, pacman));
        }
        // The next decision starts from the rest of both plans.
        let [pacman, ghost] = [pacman, ghost].map(|plan| plan.drain(..1.min(plan.len())).next());
        let board = situation.view.board();
        let ghost = ghost.flatten().or_else(|| into_a_wall(board, player.ghost));
        Orders { pacman: pacman.flatten(), ghost }
    }
}

/// The cells of a plan, turn by turn, from a cell on.
fn cells(board: &Board, from: Cell, plan: &Plan) -> impl Iterator<Item = Cell> {
    plan.iter().scan(from, |at, order| {
        *at = order.map_or(*at, |direction| board.neighbour(*at, direction));
        Some(*at)
    })
}
