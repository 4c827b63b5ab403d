//! `dijkstra`: plans its pacman's walk against the forecast cells of the others, and intercepts with its ghost.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Board, Cell, Direction, Object, Orders, Player};
use graph::{DistanceTable, Distances};

use crate::beam::{self, Beam, Chooser};
use crate::knowledge::{
    Arrivals, Forecast, HUNTERS, Hunter, LOST, Pull, WON, battle, into_a_wall, others,
};
use crate::{Bot, Situation, knowledge};

/// Horizon of a plan, in turns.
const HORIZON: u32 = 20;
/// Walks kept for each turn.
const BEAM: Beam = Beam { width: 32, alike: 2 };
/// Discount of points for each turn.
const PATIENCE: f32 = 0.97;
/// Discount of an object's pull for each step of its distance.
const FADING: f32 = 0.96;
/// Length of a prey's forecast walk, in steps.
const FORECAST: usize = 10;

/// Probability that the next step of a forecast is right.
const HIT_RATE: f32 = 0.9;
/// Points for catching up with a pacman, which the ghost can then bite repeatedly.
const CATCH: f32 = 40.0;
/// Discount of `CATCH` for each turn until then.
const CATCH_DISCOUNT: f32 = 0.94;

/// A walk of the pacman, with the cells of the hunters, in their order.
type Walk = knowledge::Walk<[Cell; HUNTERS]>;

/// A bot with a beam search for its pacman and one-step interception for its ghost.
#[derive(Debug, Default)]
pub struct Dijkstra {
    table: DistanceTable,
    arrivals: Arrivals,
    forecast: Forecast,
    own: Distances,
    /// Pull of the objects on each cell, in points: the outlook beyond a walk.
    pull: Pull,
    /// Mean of that pull over the cells that can be reached, where a teleport leads.
    mean_pull: f32,
    /// The nearest ghosts that may hunt the pacman.
    hunters: Vec<Hunter>,
    walks: Vec<Walk>,
    chooser: Chooser,
    /// The last walk chosen.
    chosen: Option<usize>,
}

impl Bot for Dijkstra {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        Orders { pacman: self.plan(situation, player), ghost: self.intercept(situation, player) }
    }

    fn fork(&self) -> Option<Box<dyn Bot>> {
        // Each decision begins anew.
        Some(Box::new(Self::default()))
    }
}

impl Dijkstra {
    /// Decides with the distances and forecasts that somebody else keeps for the same board.
    pub(crate) fn play_with(
        &mut self,
        situation: &Situation<'_>,
        forecast: &mut Forecast,
        table: &mut DistanceTable,
    ) -> Orders {
        std::mem::swap(&mut self.forecast, forecast);
        std::mem::swap(&mut self.table, table);
        let orders = self.play(situation);
        std::mem::swap(&mut self.table, table);
        std::mem::swap(&mut self.forecast, forecast);
        orders
    }

    /// The first step of the best walk.
    fn plan(&mut self, situation: &Situation<'_>, player: &Player) -> Option<Direction> {
        let Situation { view, me, .. } = *situation;
        let board = view.board();
        let Self { arrivals, own, pull, table, .. } = self;
        arrivals.fill(view, me, table);
        own.clone_from(table.through(board, player.pacman, player.powers.wall_pass));
        let worth = |cell, object: Object| {
            Some(object.points() as f32 * arrivals.left_for(cell, own.to(cell)))
        };
        pull.fill(view, own, table, FADING, worth);
        self.mean_pull = pull.mean(own.reached());
        let owners = others(view, me).map(|(colour, _)| colour);
        let hunters = Hunter::nearest(view, me, owners, table).into_iter();
        self.hunters.clear();
        self.hunters.extend(hunters.map(|(_, hunter)| hunter));
        let mut cells = [Cell::default(); HUNTERS];
        for (cell, hunter) in cells.iter_mut().zip(&self.hunters) {
            *cell = hunter.cell;
        }
        self.walks.clear();
        self.walks.push(Walk::start(player, cells));
        let mut frontier = vec![0];
        // The bot answers the last state too, although that order is never played.
        let left = view.total().saturating_sub(view.elapsed());
        for turn in 1..=left.clamp(1, HORIZON) {
            let start = self.walks.len();
            let patience = PATIENCE.powi(turn.cast_signed());
            for &before in &frontier {
                self.extend(situation, before, turn, patience);
            }
            if turn == 1 && left > 0 {
                self.stay(situation, player);
            }
            self.chooser.narrow(BEAM, &self.walks, start, &mut frontier);
        }
        let ended = (0..self.walks.len()).filter(|&walk| self.walks[walk].ends);
        self.chosen = beam::best(&self.walks, frontier.into_iter().chain(ended));
        // A walk that begins with a turn on the same cell is begun at once.
        let walk = self.walk();
        let from = [player.pacman].into_iter().chain(walk.iter().copied());
        from.zip(&walk).find_map(|(from, &to)| board.direction(from, to))
    }

    /// Cells of the last walk chosen, from its first step on.
    pub(crate) fn walk(&self) -> Vec<Cell> {
        let Some(chosen) = self.chosen else { return Vec::new() };
        let steps = beam::steps(&self.walks, chosen).into_iter();
        steps.map(|step| self.walks[step].cell).collect()
    }

    /// Adds every extension of a walk by one step.
    fn extend(&mut self, situation: &Situation<'_>, before: usize, turn: u32, patience: f32) {
        let walk = self.walks[before];
        if walk.ends {
            return;
        }
        let board = situation.view.board();
        let first = self.approach(board, &walk);
        for &direction in walk.powers.exits(board, walk.cell) {
            let to = board.neighbour(walk.cell, direction);
            self.step(situation, before, to, &first, turn, patience);
        }
    }

    /// The next cell of each hunter, if the hunters move before the pacman. Nobody hunts a glutton: the hunters then stay.
    fn approach(&mut self, board: &Board, walk: &Walk) -> [Cell; HUNTERS] {
        let mut first = walk.hunters;
        if walk.powers.glutton > 0 {
            return first;
        }
        for (cell, hunter) in first.iter_mut().zip(&self.hunters) {
            let hunter = Hunter { cell: *cell, ..*hunter };
            *cell = hunter.approach(board, walk.cell, &mut self.table);
        }
        first
    }

    /// Adds a walk extended by one step, with its expected points. `first` holds the next cells of the hunters, if they move before the pacman.
    fn step(
        &mut self,
        situation: &Situation<'_>,
        before: usize,
        to: Cell,
        first: &[Cell; HUNTERS],
        turn: u32,
        patience: f32,
    ) {
        let view = situation.view;
        let (board, from) = (view.board(), self.walks[before].cell);
        let Self { walks, arrivals, hunters, table, own, pull, mean_pull, .. } = self;
        let (walk, object) = Walk::step(walks, before, to, view.objects());
        if let Some(object) = object {
            let left = arrivals.left_for(to, turn);
            walk.take(object, object.points() as f32, left, patience);
        }
        for ((cell, hunter), &first) in walk.hunters.iter_mut().zip(&*hunters).zip(first) {
            let frozen = walk.powers.freeze > 0
                && board.dims().chebyshev(*cell, to) <= situation.rules.freeze_range;
            if walk.powers.glutton > 0 || frozen {
                let meets = if *cell == to { 1.0 } else { 0.0 };
                walk.value += meets * battle(walk.powers) * hunter.keen * 0.6 * patience;
            } else {
                let hunter = Hunter { cell: *cell, ..*hunter };
                let (bites, after) = hunter.pursue(board, [from, to], first, table);
                walk.value -= bites * LOST * patience;
                *cell = after.cell;
            }
        }
        walk.end_turn(board, patience);
        let pull = if walk.ends { *mean_pull } else { pull.of(to) };
        // A taken object no longer attracts.
        let taken = |object: Object| object.points() as f32 * arrivals.left_for(to, own.to(to));
        walk.outlook = (pull - object.map_or(0.0, taken)) * patience;
    }

    /// Adds the walk that begins with a false move: to stay, or to be teleported.
    fn stay(&mut self, situation: &Situation<'_>, player: &Player) {
        let mut counter = player.false_moves;
        let teleports = situation.rules.false_moves.count(&mut counter);
        let mut walk = Walk::stay(&self.walks, 0);
        walk.value -= 1.0;
        if walk.powers.glutton == 0 {
            let (board, here) = (situation.view.board(), walk.cell);
            let first = self.approach(board, &walk);
            for ((cell, hunter), &first) in walk.hunters.iter_mut().zip(&self.hunters).zip(&first) {
                let (bites, after) = hunter.pursue(board, [here; 2], first, &mut self.table);
                // Half of the time the teleport comes before the bite.
                let share = if teleports { 0.5 } else { 1.0 };
                walk.value -= bites * share * LOST;
                *cell = after.cell;
            }
        }
        walk.ends = teleports;
        walk.outlook = if teleports { self.mean_pull } else { self.pull.of(walk.cell) };
        self.walks.push(walk);
    }

    /// The ghost's order: a step towards the forecast cells of its prey, or into a wall to stay.
    fn intercept(&mut self, situation: &Situation<'_>, player: &Player) -> Option<Direction> {
        let Situation { view, me, rules, .. } = *situation;
        let board = view.board();
        let walks: Vec<(Player, Vec<Cell>)> = others(view, me)
            .map(|(colour, other)| {
                (*other, self.forecast.walk(view, colour, &mut self.table, FORECAST))
            })
            .collect();
        let mut counter = player.false_moves;
        let teleports = rules.false_moves.count(&mut counter);
        let waiting = self.chance_at(board, player, &walks, player.ghost) * 0.9;
        // A teleport takes the ghost away from its prey.
        let waiting = if teleports { f32::MIN } else { waiting + rules.blocked_ghost as f32 };
        let mut best = (waiting, None);
        for &exit in board.exits(player.ghost) {
            let worth = self.chance_at(board, player, &walks, board.neighbour(player.ghost, exit));
            if worth > best.0 {
                best = (worth, Some(exit));
            }
        }
        best.1.or_else(|| into_a_wall(board, player.ghost))
    }

    /// Expected points of the ghost if it goes to a cell.
    fn chance_at(
        &mut self,
        board: &Board,
        player: &Player,
        walks: &[(Player, Vec<Cell>)],
        cell: Cell,
    ) -> f32 {
        let distances = self.table.from(board, cell);
        let mut now = 0.0;
        let mut later: f32 = 0.0;
        for (prey, walk) in walks {
            let exits = board.exits(prey.pacman);
            let beside = exits.iter().any(|&exit| board.neighbour(prey.pacman, exit) == cell);
            // A pacman that moves first meets the ghost on its new cell; one that moves second enters the ghost's cell.
            let goes_here = match walk.first() {
                Some(&next) if next == cell => HIT_RATE,
                _ if beside => (1.0 - HIT_RATE) / exits.len() as f32,
                _ => 0.0,
            };
            let is_here = if prey.pacman == cell { 0.5 } else { 0.0 };
            if prey.powers.glutton > 0 {
                let distance = distances.to(prey.pacman);
                now -= WON * (goes_here + is_here);
                now -= 8.0 * 5_u32.saturating_sub(distance) as f32;
                continue;
            }
            let leads = if prey.points > player.points { 1.2 } else { 1.0 };
            now += WON * (goes_here + is_here) * leads;
            let meeting = (1..).zip(walk).find(|(turn, ahead)| distances.to(**ahead) < *turn);
            let turns = if let Some((turn, _)) = meeting {
                turn as f32
            } else {
                let goal = walk.last().copied().unwrap_or(prey.pacman);
                walk.len() as f32 + distances.to(goal) as f32
            };
            later = later.max(CATCH * libm::powf(CATCH_DISCOUNT, turns) * leads);
        }
        now + later
    }
}
