//! Opponent modelling: which of a few policies each opponent follows, inferred from its moves. One of them is itself fitted to them.
//!
//! A Bayesian mixture: each policy predicts the next move of each piece; a policy whose predictions come true gains weight.
//! See Southey et al., “Bayes' Bluff: Opponent Modelling in Poker”, UAI 2005.

mod belief;
mod ghost_family;
mod habit;
mod imitation;
mod learned;
mod members;
mod pacman_family;

use game::pacman::{Board, Cell, Colour, Direction, Orders, Player};
use graph::DistanceTable;

use super::NEARBY;
use super::allowance::Allowance;
use super::fitted::{MOVES, STAY};
use super::prospect::Prospect;
use super::rates::Rates;
use super::scene::{Last, Scene, target};
use super::step::Step;
use crate::glouton::Glouton;
use crate::knowledge::{Forecast, others};
use crate::{Bot, Situation};
use belief::{Belief, DIJKSTRA, FAMILY, FITTED, GLOUTON, LEARNED, POLICIES, ordered, wanders};
use ghost_family::GhostFamily;
use habit::{GHOST, Habit, PACMAN};
use imitation::Imitation;
use learned::Learned;
use pacman_family::PacmanFamily;

/// Probability that a pacman is still on its foreseen walk, for each turn, if the policy that foresees it is always right.
const STAYS_ON_WALK: f32 = 0.93;
/// Share of a policy's predictions that came true of late, from which on it is simulated.
const MIN_HIT_RATE: f32 = 0.92;
/// Probability from which on a pacman is foreseen by a policy whose program is known.
const MIN_KNOWN: f32 = 0.4;
/// Probability from which on an opponent is taken to follow `dijkstra`, whose rehearsal takes long.
const MIN_CERTAINTY: f32 = 0.8;
/// Share of the moves by which the fitted policy must be right more often than the family for the family not to be simulated.
const BEHIND: f32 = 0.05;
/// Bound on cells × opponents whose policies are asked, nearest first, so that a decision stays short.
const WORK: usize = 10_000;
/// Length of a walk forecast from the goals of `glouton`, or of the fitted policy, in turns.
const FORECAST: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Opponents {
    models: Vec<Model>,
    forecast: Forecast,
    rates: Rates,
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
    /// Probability that its pacman stands still, as one does whose program has gone.
    pub stands: f32,
    /// Bites in a turn that a ghost close to its pacman may expect.
    pub rate: f32,
    /// Turns of the walk that come from a rehearsal of its policy.
    pub rehearsed: usize,
}

impl Foreseen {
    /// Tests if its pacman rather stands still than walks.
    pub(super) fn is_standing(&self) -> bool {
        self.stands > 0.5
    }
}

/// Model of one opponent: a belief for each piece, and the policies that it may follow.
#[derive(Debug)]
struct Model {
    dijkstra: Imitation,
    glouton: Glouton,
    pacman: Belief,
    ghost: Belief,
    /// Last predicted walk of its pacman.
    walk: Vec<Cell>,
    /// Fitted policies of its pacman and its ghost.
    fitted: [Habit; 2],
    pacman_family: PacmanFamily,
    ghost_family: GhostFamily,
    /// Number of turns for which its pacman has stood where it stands.
    stood: u32,
    /// The cells of its pacman and its ghost in the last turn.
    cells: Option<[Cell; 2]>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            dijkstra: Imitation::default(),
            glouton: Glouton::default(),
            pacman: Belief::default(),
            ghost: Belief::default(),
            walk: Vec::new(),
            fitted: [&PACMAN, &GHOST].map(Habit::new),
            pacman_family: PacmanFamily::default(),
            ghost_family: GhostFamily::default(),
            stood: 0,
            cells: None,
        }
    }
}

impl Opponents {
    /// The same models, without the data of the last decision.
    pub(super) fn fork(&self) -> Self {
        let models = self.models.iter().map(|model| Model {
            dijkstra: Imitation::default(),
            glouton: Glouton::default(),
            pacman: model.pacman.clone(),
            ghost: model.ghost.clone(),
            walk: model.walk.clone(),
            fitted: model.fitted.clone(),
            pacman_family: model.pacman_family.clone(),
            ghost_family: model.ghost_family.clone(),
            ..*model
        });
        Self { models: models.collect(), rates: self.rates.clone(), ..Self::default() }
    }

    /// Tests if the policy of an opponent's pacman is cheap to ask.
    pub(super) fn is_simulated(&self, colour: Colour) -> bool {
        self.simulated(colour).is_some()
    }

    /// Tests if an opponent answers each step of a pursuit. Where ghosts digest, they bite too seldom for members of a family, which
    /// are wrong in a tenth of the moves.
    pub(super) fn answers(&self, colour: Colour, digestion: bool) -> bool {
        self.simulated(colour).is_some_and(|policy| !digestion || policy != FAMILY)
    }

    fn simulated(&self, colour: Colour) -> Option<usize> {
        self.models.get(colour.index()).and_then(Model::simulated)
    }

    /// Likely orders of an opponent in a simulated state, `turn` turns after the real one. `heading` is the direction of its
    /// pacman's last step, if that is known.
    pub(super) fn likely(
        &mut self,
        seen: &Situation<'_>,
        turn: usize,
        heading: Option<Direction>,
        table: &mut DistanceTable,
    ) -> Orders {
        let Some(player) = seen.view.player(seen.me) else { return Orders::default() };
        let model = &mut self.models[seen.me.index()];
        let policy = model.simulated();
        match policy {
            Some(GLOUTON) => return model.ask_glouton(seen, table),
            Some(LEARNED) => {
                let learned = Learned::foresee(seen.view, seen.me, table);
                return learned.map_or_else(Orders::default, |learned| learned.likeliest());
            }
            _ => {}
        }
        let mut scene = Scene::new(seen, *player);
        if policy == Some(FAMILY) || model.ghost_family.minds_objects() {
            scene.find_objects(seen.view.objects(), table);
        }
        let pacman = if policy == Some(FAMILY) {
            scene.find_late(table);
            let heading = if turn == 0 { model.fitted[0].last.heading } else { heading };
            model.pacman_family.likeliest(&Prospect::new(&scene, heading, table))
        } else {
            let next = model.walk.get(turn);
            next.and_then(|&next| scene.board.direction(player.pacman, next))
        };
        Orders { pacman, ghost: model.ghost_family.likeliest(&scene, table) }
    }

    /// Tests if a policy that can be asked is the likeliest one of an opponent's pacman.
    pub(super) fn is_known(&self, colour: Colour) -> bool {
        self.is_simulated(colour) || self.models.get(colour.index()).is_some_and(Model::is_dijkstra)
    }

    /// Share of the moves of an opponent's pacman that the policy which is simulated foresaw of late; `None` for `glouton`, whose
    /// program is known.
    pub(super) fn hit_rate(&self, colour: Colour) -> Option<f32> {
        let policy = self.simulated(colour).filter(|&policy| policy != GLOUTON)?;
        Some(self.models[colour.index()].pacman.right[policy])
    }

    /// Shares of the moves of an opponent's pacman and ghost that the policies of [`likely`](Self::likely) foresaw of late.
    pub(super) fn hit_rates(&self, colour: Colour) -> [f32; 2] {
        let Some(model) = self.models.get(colour.index()) else { return [0.0; 2] };
        let [pacman, ghost] = [&model.pacman, &model.ghost].map(|belief| belief.right);
        match model.simulated() {
            Some(policy) => [pacman[policy], ghost[policy]],
            None => [pacman[FITTED].max(pacman[DIJKSTRA]), ghost[FAMILY]],
        }
    }

    /// As [`likely`](Self::likely), but `dijkstra` plans anew in a simulated state that it was not asked about, which takes many times as
    /// long.
    pub(super) fn replanned(
        &mut self,
        seen: &Situation<'_>,
        turn: usize,
        heading: Option<Direction>,
        table: &mut DistanceTable,
    ) -> Orders {
        let model = &mut self.models[seen.me.index()];
        if !model.is_dijkstra() {
            return self.likely(seen, turn, heading, table);
        }
        let answer = model.dijkstra.ask(seen, &mut self.forecast, table);
        model.walk.truncate(turn);
        model.walk.extend_from_slice(&answer.walk);
        answer.orders
    }

    /// Probability that an opponent's pacman stands still.
    pub(super) fn stands(&self, colour: Colour) -> f32 {
        self.models.get(colour.index()).map_or(0.0, Model::stands)
    }

    /// Cells of an opponent's pacman as its policy last planned them, from this turn on.
    pub(super) fn planned(&self, colour: Colour, turn: usize) -> &[Cell] {
        self.models[colour.index()].walk.get(turn..).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.models.clear();
        self.rates.clear();
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
        self.rates.observe(situation, table, budget);
        let foresee = |(index, (colour, player)): (usize, (Colour, &Player))| {
            let model = &mut self.models[colour.index()];
            model.observe(board, player);
            let mut foreseen = if index < known && budget.lasts() {
                let as_theirs = Situation { me: colour, ..*situation };
                model.foresee(&as_theirs, *player, &mut self.forecast, table)
            } else {
                model.guess(board, colour, *player)
            };
            if digesting.contains(colour) || view.is_frozen(player.ghost, situation.rules) {
                model.ghost.last = None;
                model.fitted[1].choice = None;
                model.ghost_family.forget();
                foreseen.ghost = Step::none(player.ghost);
            }
            foreseen.rate = self.rates.of(colour, situation.rules.digestion);
            foreseen
        };
        near.into_iter().enumerate().map(foresee).collect()
    }
}

impl Model {
    /// Learns from the cells where both pieces are now.
    fn observe(&mut self, board: &Board, player: &Player) {
        let now = [player.pacman, player.ghost];
        let before = self.cells.replace(now);
        let step =
            |piece: usize| before.and_then(|before| board.direction(before[piece], now[piece]));
        let steps = [0, 1].map(step);
        let has_stood = before.is_some_and(|[pacman, _]| pacman == player.pacman);
        self.stood = if has_stood { self.stood + 1 } else { 0 };
        self.pacman.observe(board, player.pacman);
        self.ghost.observe(board, player.ghost);
        self.fitted[0].observe(board, player.pacman);
        self.fitted[1].observe(board, player.ghost);
        self.pacman_family.observe(steps[0]);
        self.ghost_family.observe(steps[1]);
    }

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
        let answer = self.dijkstra.ask(situation, forecast, table);
        let (first, plan) = (answer.orders, answer.walk.clone());
        let second = self.ask_glouton(situation, table);
        let through_walls = player.powers.wall_pass > 0;
        let mut scene = Scene::new(situation, player);
        scene.find_objects(view.objects(), table);
        scene.find_late(table);
        let choice = scene.of_pacman(self.fitted[0].last, [first.pacman, second.pacman], table);
        let prospect = Prospect::new(&scene, self.fitted[0].last.heading, table);
        let learned = Learned::foresee(view, colour, table);
        let unknown = |from| ordered(board, from, None, through_walls);
        let pacman = self.pacman.mix(
            player.pacman,
            [
                ordered(board, player.pacman, first.pacman, through_walls),
                ordered(board, player.pacman, second.pacman, through_walls),
                wanders(board, player.pacman, self.pacman.heading),
                unknown(player.pacman),
                self.fitted[0].foresee(player.pacman, &choice),
                self.pacman_family.foresee(&prospect),
                learned.map_or(unknown(player.pacman), |all| all.step_of_pacman(board, &player)),
            ],
        );
        let choice = scene.of_ghost(self.fitted[1].last, [first.ghost, second.ghost], table);
        let ghost = self.ghost.mix(
            player.ghost,
            [
                ordered(board, player.ghost, first.ghost, false),
                ordered(board, player.ghost, second.ghost, false),
                wanders(board, player.ghost, self.ghost.heading),
                unknown(player.ghost),
                self.fitted[1].foresee(player.ghost, &choice),
                self.ghost_family.foresee(&scene, self.fitted[1].last.heading, table),
                learned.map_or(unknown(player.ghost), |all| all.step_of_ghost(board, &player)),
            ],
        );
        let ([dijkstra, glouton, ..], right) = (self.pacman.known(), self.pacman.right);
        let stands = self.stands();
        let (walk, steady) = if stands > 0.5 {
            (vec![player.pacman; FORECAST], stands.sqrt())
        } else if dijkstra.max(glouton) < MIN_KNOWN {
            (self.fitted_walk(&mut scene, table), right[FITTED])
        } else if dijkstra >= glouton {
            (plan, right[DIJKSTRA])
        } else {
            (forecast.walk(view, colour, table, FORECAST), right[GLOUTON])
        };
        self.walk.clone_from(&walk);
        let steady = steady.min(STAYS_ON_WALK);
        Foreseen { colour, player, pacman, ghost, walk, steady, stands, rate: 0.0, rehearsed: 0 }
    }

    /// The orders of `glouton`. On a large board, the table may lack the distances of the ghost's preys.
    fn ask_glouton(&mut self, situation: &Situation<'_>, table: &mut DistanceTable) -> Orders {
        if situation.view.board().dims().len() > NEARBY {
            self.glouton.play(situation)
        } else {
            self.glouton.play_with(situation, table)
        }
    }

    /// The likeliest next cells of the pacman by the fitted policy, while the others stay.
    fn fitted_walk(&self, scene: &mut Scene<'_>, table: &mut DistanceTable) -> Vec<Cell> {
        let Habit { fitted, last, choice } = &self.fitted[0];
        let (mut last, mut walk) = (*last, Vec::new());
        let Some((_, mut choice)) = *choice else { return walk };
        while walk.len() < FORECAST {
            let shares = fitted.probabilities(&choice);
            let next = (0..MOVES).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(STAY);
            let heading = Direction::ALL.get(next).copied();
            let to = target(scene.board, scene.player.pacman, next);
            walk.push(to);
            scene.walk(to);
            last = Last { heading: heading.or(last.heading), stayed: heading.is_none() };
            choice = scene.of_pacman(last, [None; 2], table);
        }
        walk
    }

    /// Probability that the pacman goes on to stand: the longer it has stood, the likelier.
    fn stands(&self) -> f32 {
        // By a rule of succession, without the first turn, which may be a chance. At most 100 turns count.
        let stood = f32::from(self.stood.saturating_sub(1).min(100) as u8);
        stood / (stood + 1.0)
    }

    /// The policy that its pacman follows, if it is cheap to ask: `glouton`, that of players that have learned, or the likeliest member
    /// of a family.
    fn simulated(&self) -> Option<usize> {
        if self.is_glouton() {
            Some(GLOUTON)
        } else if self.has_learned() {
            Some(LEARNED)
        } else {
            self.is_of_family().then_some(FAMILY)
        }
    }

    fn is_glouton(&self) -> bool {
        let weights = self.pacman.known();
        weights[GLOUTON] > 0.0
            && weights.iter().all(|&weight| weight <= weights[GLOUTON])
            && self.pacman.right[GLOUTON] > MIN_HIT_RATE
    }

    /// Tests if no policy whose program is known is likely.
    fn is_unknown(&self) -> bool {
        let known = self.pacman.known();
        self.stands() <= 0.5 && known[DIJKSTRA].max(known[GLOUTON]) < MIN_KNOWN
    }

    /// Tests if its pacman rather moves as those of players that have learned.
    fn has_learned(&self) -> bool {
        let right = self.pacman.right;
        self.is_unknown() && right[LEARNED] > right[FITTED].max(right[FAMILY])
    }

    /// Tests if a member of the family is simulated: the family is right about as often as the fitted policy.
    fn is_of_family(&self) -> bool {
        let right = self.pacman.right;
        self.is_unknown() && right[FAMILY] + BEHIND > right[FITTED]
    }

    fn is_dijkstra(&self) -> bool {
        let [dijkstra, ..] = self.pacman.known();
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
        for habit in &mut self.fitted {
            habit.choice = None;
        }
        self.pacman_family.forget();
        self.ghost_family.forget();
        Foreseen {
            colour,
            player,
            pacman,
            ghost,
            walk: Vec::new(),
            steady: STAYS_ON_WALK,
            stands: 0.0,
            rate: 0.0,
            rehearsed: 0,
        }
    }
}

#[cfg(test)]
mod priors;
#[cfg(test)]
mod strangers;
#[cfg(test)]
mod tests;
