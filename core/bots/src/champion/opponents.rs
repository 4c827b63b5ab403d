//! Opponent modelling: which of a few known policies each opponent follows, inferred from its moves.
//!
//! A Bayesian mixture: each policy predicts the next move of each piece; a policy whose predictions come true gains weight.
//! See Southey et al., “Bayes' Bluff: Opponent Modelling in Poker”, UAI 2005.

use game::pacman::{Board, Cell, Colour, Direction, Orders, Player};
use graph::DistanceTable;

use super::allowance::Allowance;
use super::step::Step;
use crate::dijkstra::Dijkstra;
use crate::glouton::Glouton;
use crate::knowledge::{Forecast, others};
use crate::{Bot, Situation};

/// Policies that an opponent may follow: `dijkstra`, `glouton`, and a walk that seldom turns back.
const POLICIES: usize = 3;
/// Probability of each policy before anything is observed.
const PRIOR: [f32; POLICIES] = [0.5, 0.3, 0.2];
/// Probability that a policy's prediction is right if the opponent follows that policy.
const RELIABLE: f32 = 0.94;
/// Likelihood that a wandering piece turns back, or stays, beside that of each other direction.
const TURNS_BACK: f32 = 0.15;
const STAYS: f32 = 0.1;
/// Probability that a pacman is still on its foreseen walk, for each turn, if the policy that foresees it is always right.
const STAYS_ON_WALK: f32 = 0.93;
/// Share of a policy's predictions that came true of late, from which on it is simulated.
const MIN_HIT_RATE: f32 = 0.92;
/// That share before anything is observed, and the weight of each new prediction in it.
const FIRST_HIT_RATE: f32 = 0.9;
const HIT_RATE_UPDATE: f32 = 0.05;
/// Fraction of the evidence that is kept from turn to turn.
const MEMORY: f32 = 0.97;
/// Probability from which on an opponent is taken to follow `dijkstra`, whose rehearsal takes long.
const MIN_CERTAINTY: f32 = 0.8;
/// Least likelihood of a move, so that one surprise does not rule a policy out.
const SURPRISE: f32 = 0.01;
/// Bound on cells × opponents whose policies are asked, nearest first, so that a decision stays short.
const WORK: usize = 10_000;
/// Length of a walk forecast from the goals of `glouton`, in turns.
const FORECAST: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Opponents {
    models: Vec<Model>,
    forecast: Forecast,
}

/// Prediction of one opponent's next moves.
#[derive(Clone, Debug)]
pub(super) struct Foreseen {
    pub colour: Colour,
    pub player: Player,
    /// Distribution of its pacman's next move.
    pub pacman: Step,
    /// Distribution of its ghost's next move.
    pub ghost: Step,
    /// Likeliest next cells of its pacman, beginning with its next step; empty if nothing is known.
    pub walk: Vec<Cell>,
    /// Probability that the pacman is still on this walk, for each turn.
    pub steady: f32,
    /// Turns of the walk that come from a rehearsal of its policy.
    pub rehearsed: usize,
}

/// Model of one opponent: a belief for each piece, and the policies that it may follow.
#[derive(Debug, Default)]
struct Model {
    dijkstra: Dijkstra,
    glouton: Glouton,
    pacman: Belief,
    ghost: Belief,
    /// Last predicted walk of its pacman.
    walk: Vec<Cell>,
}

/// Weights of the policies that a piece may follow.
#[derive(Clone, Debug)]
struct Belief {
    log_weights: [f32; POLICIES],
    /// Share of each policy's predictions that came true, of late.
    right: [f32; POLICIES],
    /// Last cell of the piece, and each policy's prediction of its move.
    last: Option<(Cell, [Step; POLICIES])>,
    /// Direction of the piece's last step, if it has walked.
    heading: Option<Direction>,
}

impl Default for Belief {
    fn default() -> Self {
        Self {
            log_weights: PRIOR.map(f32::ln),
            right: [FIRST_HIT_RATE; POLICIES],
            last: None,
            heading: None,
        }
    }
}

impl Belief {
    /// Updates the weights by the piece's move.
    fn observe(&mut self, board: &Board, now: Cell) {
        self.heading = None;
        let Some((from, steps)) = self.last.take() else { return };
        let heading = board.direction(from, now);
        if now != from && heading.is_none() {
            // A teleport is no evidence for any policy.
            return;
        }
        self.heading = heading;
        for (right, step) in self.right.iter_mut().zip(&steps) {
            let came_true = if step.likeliest(board) == now { 1.0 } else { 0.0 };
            *right += HIT_RATE_UPDATE * (came_true - *right);
        }
        for (weight, step) in self.log_weights.iter_mut().zip(&steps) {
            let likelihood = if now == from { step.stays } else { step.enters(board, now) };
            *weight = *weight * MEMORY + likelihood.max(SURPRISE).ln();
        }
    }

    fn weights(&self) -> [f32; POLICIES] {
        let most = self.log_weights.iter().copied().fold(f32::MIN, f32::max);
        let weights = self.log_weights.map(|weight| (weight - most).exp());
        let sum: f32 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// Mixes the policies' predictions by their weights.
    fn mix(&mut self, from: Cell, steps: [Step; POLICIES]) -> Step {
        let mut mixed = Step { from, towards: [0.0; 4], stays: 0.0 };
        for (weight, step) in self.weights().into_iter().zip(&steps) {
            for (towards, share) in mixed.towards.iter_mut().zip(step.towards) {
                *towards += weight * share;
            }
            mixed.stays += weight * step.stays;
        }
        self.last = Some((from, steps));
        mixed
    }
}

impl Opponents {
    /// The same models, without the data of the last decision.
    pub(super) fn fork(&self) -> Self {
        let models = self.models.iter().map(|Model { pacman, ghost, walk, .. }| {
            let (pacman, ghost, walk) = (pacman.clone(), ghost.clone(), walk.clone());
            Model { pacman, ghost, walk, ..Model::default() }
        });
        Self { models: models.collect(), ..Self::default() }
    }

    /// Tests if `glouton` is the likeliest policy of an opponent's pacman, and nearly always right.
    pub(super) fn is_glouton(&self, colour: Colour) -> bool {
        self.models.get(colour.index()).is_some_and(Model::is_glouton)
    }

    /// Number of opponents whose pacman probably follows `glouton`.
    pub(super) fn gloutons(&self, situation: &Situation<'_>) -> usize {
        others(situation.view, situation.me).filter(|(colour, _)| self.is_glouton(*colour)).count()
    }

    /// Likely orders of an opponent in a simulated state, `turn` turns after the real one.
    pub(super) fn likely(&mut self, seen: &Situation<'_>, turn: usize) -> Orders {
        let model = &mut self.models[seen.me.index()];
        let mut orders = model.glouton.play(seen);
        if let Some(player) = seen.view.player(seen.me).filter(|_| !model.is_glouton()) {
            let next = model.walk.get(turn);
            let board = seen.view.board();
            orders.pacman = next.and_then(|&next| board.direction(player.pacman, next));
        }
        orders
    }

    /// Tests if a policy that can be asked is the likeliest one of an opponent's pacman.
    pub(super) fn is_known(&self, colour: Colour) -> bool {
        let model = self.models.get(colour.index());
        model.is_some_and(|model| model.is_glouton() || model.is_dijkstra())
    }

    /// As [`likely`](Self::likely), but `dijkstra` plans anew in the simulated state, which takes fifty times as long.
    pub(super) fn replanned(
        &mut self,
        seen: &Situation<'_>,
        turn: usize,
        table: &mut DistanceTable,
    ) -> Orders {
        let model = &mut self.models[seen.me.index()];
        if !model.is_dijkstra() {
            return self.likely(seen, turn);
        }
        let orders = model.dijkstra.play_with(seen, table);
        model.walk.truncate(turn);
        model.walk.append(&mut model.dijkstra.walk());
        orders
    }

    /// Cells of an opponent's pacman as its policy last planned them, from this turn on.
    pub(super) fn planned(&self, colour: Colour, turn: usize) -> &[Cell] {
        self.models[colour.index()].walk.get(turn..).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.models.clear();
    }

    /// Predicts the next moves of all opponents of a player, the nearest ones first. When the budget is over, only by their last steps.
    pub(super) fn foresee(
        &mut self,
        situation: &Situation<'_>,
        player: &Player,
        table: &mut DistanceTable,
        budget: &mut Allowance<'_>,
    ) -> Vec<Foreseen> {
        let view = situation.view;
        let digesting = situation.digesting();
        let board = view.board();
        self.models.resize_with(view.players().len(), Model::default);
        let mut near: Vec<_> = others(view, situation.me).collect();
        let distance = |other: &Player| board.dims().chebyshev(player.pacman, other.pacman);
        near.sort_by_key(|(_, other)| distance(other));
        let known = WORK / board.dims().len();
        let foresee = |(index, (colour, player)): (usize, (Colour, &Player))| {
            let model = &mut self.models[colour.index()];
            model.pacman.observe(board, player.pacman);
            model.ghost.observe(board, player.ghost);
            let mut foreseen = if index < known && budget.lasts() {
                let as_theirs = Situation { me: colour, ..*situation };
                model.foresee(&as_theirs, *player, &mut self.forecast, table)
            } else {
                model.guess(board, colour, *player)
            };
            if digesting.contains(colour) || view.is_frozen(player.ghost, situation.rules) {
                model.ghost.last = None;
                foreseen.ghost = Step::none(player.ghost);
            }
            foreseen
        };
        near.into_iter().enumerate().map(foresee).collect()
    }
}

impl Model {
    /// Predicts by all policies, each with its weight.
    fn foresee(
        &mut self,
        situation: &Situation<'_>,
        player: Player,
        forecast: &mut Forecast,
        table: &mut DistanceTable,
    ) -> Foreseen {
        let Situation { view, me: colour, .. } = *situation;
        let board = view.board();
        let orders = [self.dijkstra.play_with(situation, table), self.glouton.play(situation)];
        let through_walls = player.powers.wall_pass > 0;
        let [first, second] = orders;
        let pacman = self.pacman.mix(
            player.pacman,
            [
                ordered(board, player.pacman, first.pacman, through_walls),
                ordered(board, player.pacman, second.pacman, through_walls),
                wanders(board, player.pacman, self.pacman.heading),
            ],
        );
        let ghost = self.ghost.mix(
            player.ghost,
            [
                ordered(board, player.ghost, first.ghost, false),
                ordered(board, player.ghost, second.ghost, false),
                wanders(board, player.ghost, self.ghost.heading),
            ],
        );
        let [dijkstra, glouton, _] = self.pacman.weights();
        let [dijkstra_is_right, glouton_is_right, _] = self.pacman.right;
        let (walk, right) = if dijkstra >= glouton {
            (self.dijkstra.walk(), dijkstra_is_right)
        } else {
            (forecast.walk(view, colour, table, FORECAST), glouton_is_right)
        };
        self.walk.clone_from(&walk);
        let steady = right.min(STAYS_ON_WALK);
        Foreseen { colour, player, pacman, ghost, walk, steady, rehearsed: 0 }
    }

    fn is_glouton(&self) -> bool {
        let [dijkstra, glouton, wandering] = self.pacman.weights();
        let [_, right, _] = self.pacman.right;
        glouton > dijkstra && glouton > wandering && right > MIN_HIT_RATE
    }

    fn is_dijkstra(&self) -> bool {
        let [dijkstra, ..] = self.pacman.weights();
        dijkstra > MIN_CERTAINTY && !self.walk.is_empty()
    }

    /// Predicts from the last steps of the opponent's pieces alone, without asking a policy.
    fn guess(&mut self, board: &Board, colour: Colour, player: Player) -> Foreseen {
        let wandering = |belief: &mut Belief, from| {
            let step = wanders(board, from, belief.heading);
            belief.last = Some((from, [step; POLICIES]));
            step
        };
        let pacman = wandering(&mut self.pacman, player.pacman);
        let ghost = wandering(&mut self.ghost, player.ghost);
        self.walk.clear();
        Foreseen {
            colour,
            player,
            pacman,
            ghost,
            walk: Vec::new(),
            steady: STAYS_ON_WALK,
            rehearsed: 0,
        }
    }
}

/// Distribution with most weight on a policy's order, the rest spread over the piece's other moves.
fn ordered(board: &Board, from: Cell, order: Option<Direction>, through_walls: bool) -> Step {
    let exits = board.exits(from);
    // At most four exits.
    let rest = (1.0 - RELIABLE) / f32::from(exits.len() as u8 + 1);
    let mut step = Step { from, towards: [0.0; 4], stays: rest };
    for exit in exits {
        step.towards[exit.index()] = rest;
    }
    match order {
        Some(direction) if through_walls || board.is_open(from, direction) => {
            step.towards[direction.index()] += RELIABLE;
        }
        _ => step.stays += RELIABLE,
    }
    step
}

/// Distribution of a piece that walks along the corridors and seldom turns back.
fn wanders(board: &Board, from: Cell, heading: Option<Direction>) -> Step {
    let back = heading.map(Direction::opposite);
    let exits = board.exits(from);
    let share = |exit: Direction| if Some(exit) == back { TURNS_BACK } else { 1.0 };
    let sum = exits.iter().map(|&exit| share(exit)).sum::<f32>() + STAYS;
    let mut step = Step { from, towards: [0.0; 4], stays: STAYS / sum };
    for &exit in exits {
        step.towards[exit.index()] = share(exit) / sum;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, HouseGame, by_name};
    use game::pacman::{Map, Rules};

    fn game(bots: [Box<dyn Bot>; 2]) -> HouseGame {
        let map: Map =
            "5;9\n#########\n#...&...#\n# ##### #\n#...$...#\n#########\n".parse().unwrap();
        HouseGame::start(&map, Rules::ORLEANS_2024, 400, 3, bots.into())
    }

    /// The models after some turns against an opponent.
    fn models_of(opponent: Box<dyn Bot>) -> Opponents {
        let mut game = game([by_name("prudent").unwrap().make(1), opponent]);
        let (mut opponents, mut table) = (Opponents::default(), DistanceTable::new());
        for _ in 0..40 {
            let view = game.state().view();
            let me = Colour::new(0).unwrap();
            let situation = Situation::new(view, me, &Rules::ORLEANS_2024);
            let budget = &mut Allowance::new(Budget::default());
            opponents.foresee(&situation, &view.players()[0], &mut table, budget);
            game.play_turn(|_, _| {});
        }
        opponents
    }

    #[test]
    fn the_policy_that_is_followed_is_found_out() {
        for (policy, name) in ["dijkstra", "glouton"].into_iter().enumerate() {
            let opponents = models_of(by_name(name).unwrap().make(1));
            let weights = opponents.models[1].pacman.weights();
            assert!(weights[policy] > 0.5, "{name}: {weights:?}");
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!(opponents.is_known(Colour::new(1).unwrap()), "{name}");
        }
    }

    /// Plays as `glouton`, but in one turn of six turns back.
    #[derive(Debug, Default)]
    struct Distracted(Glouton);

    impl Bot for Distracted {
        fn play(&mut self, situation: &Situation<'_>) -> Orders {
            let mut orders = self.0.play(situation);
            if situation.view.elapsed() % 6 == 5 {
                orders.pacman = orders.pacman.map(Direction::opposite);
            }
            orders
        }
    }

    #[test]
    fn a_policy_that_is_often_wrong_is_not_simulated() {
        let opponents = models_of(Box::new(Distracted::default()));
        let belief = &opponents.models[1].pacman;
        let [dijkstra, glouton, wandering] = belief.weights();
        assert!(glouton > dijkstra && glouton > wandering, "{belief:?}");
        assert!(!opponents.is_known(Colour::new(1).unwrap()), "{belief:?}");
    }
}
