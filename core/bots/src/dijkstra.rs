//! `dijkstra`: plans its pacman's walk against the forecast cells of the others, and intercepts with its ghost.
#![expect(clippy::cast_precision_loss, reason = "what is expected need not be exact")]

use game::pacman::{Board, Cell, Colour, Direction, Object, Orders, Player, Powers, View};
use graph::{DistanceTable, Distances};

use crate::beam::Beam;
use crate::knowledge::{Arrivals, Forecast, Hunter, others};
use crate::{Bot, Situation};

/// Horizon of a plan, in turns.
const HORIZON: u32 = 20;
/// Plans kept for each turn.
const BEAM: Beam = Beam { width: 32, alike: 2 };
/// Discount of points for each turn.
const PATIENCE: f32 = 0.97;
/// Discount of an object's pull for each step of its distance.
const ATTRACTION: f32 = 0.96;
/// Points that a bite costs: those lost, and some of those that another player gains.
const BITE: f32 = 26.0;
/// Largest distance at which a ghost counts, in steps.
const FEARED: u32 = 12;
/// Number of ghosts that a plan considers.
const HUNTERS: usize = 3;
/// Bound on cells × objects that pull: on a large board, only the nearest objects do.
const PULLING: usize = 5_000_000;
/// Length of a prey's forecast walk, in steps.
const FORECAST: usize = 10;

/// Probability that the next step of a forecast is right.
const SURE: f32 = 0.9;
/// Points for catching up with a pacman, which the ghost can then bite repeatedly.
const CATCH: f32 = 40.0;
/// Discount of `CATCH` for each turn until then.
const LATER: f32 = 0.94;

/// A bot with a beam search for its pacman and one-step interception for its ghost.
#[derive(Debug, Default)]
pub struct Dijkstra {
    table: DistanceTable,
    arrivals: Arrivals,
    forecast: Forecast,
    own: Distances,
    /// Pull of the objects on each cell, in points: the outlook beyond a plan.
    pull: Vec<f32>,
    /// Mean of that pull over the cells that can be reached, where a teleport leads.
    mean_pull: f32,
    /// The nearest ghosts that may hunt the pacman.
    hunters: Vec<Hunter>,
    plans: Vec<Plan>,
    /// The last plan chosen.
    chosen: Option<usize>,
}

/// A walk of the pacman, stored as its last step; `before` is the index of the walk without this step.
#[derive(Clone, Copy, Debug)]
struct Plan {
    before: Option<usize>,
    /// Index of the last plan of the walk, this one included, that reached an object; 0 if none did.
    last_object: usize,
    /// First order of the walk; `None` is to stay.
    first: Option<Direction>,
    cell: Cell,
    /// Expected points of its steps, discounted to the present.
    value: f32,
    /// Estimate of the points after its last step, discounted to the present.
    outlook: f32,
    powers: Powers,
    /// Cells of the hunters, in their order.
    hunters: [Cell; HUNTERS],
    /// `true` after a teleport: the walk cannot be extended.
    ends: bool,
}

impl Bot for Dijkstra {
    fn play(&mut self, situation: &Situation<'_>) -> Orders {
        let Some(player) = situation.view.player(situation.me) else { return Orders::default() };
        Orders { pacman: self.plan(situation, player), ghost: self.intercept(situation, player) }
    }
}

impl Dijkstra {
    /// Decides with the distances that somebody else keeps for the same board.
    pub(crate) fn play_with(
        &mut self,
        situation: &Situation<'_>,
        table: &mut DistanceTable,
    ) -> Orders {
        std::mem::swap(&mut self.table, table);
        let orders = self.play(situation);
        std::mem::swap(&mut self.table, table);
        orders
    }

    /// The first step of the best walk.
    fn plan(&mut self, situation: &Situation<'_>, player: &Player) -> Option<Direction> {
        let Situation { view, me, .. } = *situation;
        let board = view.board();
        self.arrivals.fill(view, me, &mut self.table);
        self.own.fill_through(board, player.pacman, player.powers.wall_pass);
        self.fill_pull(view);
        let hunters = self.find_hunters(view, me, player.pacman);
        self.plans.clear();
        self.plans.push(Plan {
            before: None,
            last_object: 0,
            first: None,
            cell: player.pacman,
            value: 0.0,
            outlook: 0.0,
            powers: player.powers,
            hunters,
            ends: false,
        });
        let mut frontier = vec![0];
        // The bot answers the last state too, although that order is never played.
        let left = view.total().saturating_sub(view.elapsed());
        for turn in 1..=left.clamp(1, HORIZON) {
            let start = self.plans.len();
            let patience = PATIENCE.powi(turn.cast_signed());
            for &before in &frontier {
                self.extend(situation, before, turn, patience);
            }
            if turn == 1 && left > 0 {
                self.stay(situation, player);
            }
            frontier.clear();
            frontier.extend(start..self.plans.len());
            BEAM.narrow(
                &mut frontier,
                |plan| self.plans[plan].value + self.plans[plan].outlook,
                |plan| self.plans[plan].cell,
                |_| false,
            );
        }
        let worth = |plan: &&Plan| plan.value + plan.outlook;
        let last = frontier.iter().map(|&index| (index, &self.plans[index]));
        let ended = self.plans.iter().enumerate().filter(|(_, plan)| plan.ends);
        let best = last.chain(ended).max_by(|(_, a), (_, b)| worth(a).total_cmp(&worth(b)));
        self.chosen = best.map(|(index, _)| index);
        best?.1.first
    }

    /// Cells of the last plan chosen, from its first step on.
    pub(crate) fn walk(&self) -> Vec<Cell> {
        let mut walk = Vec::new();
        let mut at = self.chosen;
        while let Some(plan) = at.map(|index| &self.plans[index]) {
            walk.push(plan.cell);
            at = plan.before;
        }
        walk.pop();
        walk.reverse();
        walk
    }

    /// Finds the nearest ghosts that may hunt a pacman; returns their cells.
    fn find_hunters(&mut self, view: &View, me: Colour, prey: Cell) -> [Cell; HUNTERS] {
        let board = view.board();
        let mut near: Vec<(u32, Hunter)> = Vec::new();
        for (owner, other) in others(view, me) {
            let distances = self.table.from(board, other.ghost);
            let distance = distances.to(prey);
            let nearer = others(view, owner)
                .any(|(colour, p)| colour != me && distances.to(p.pacman) < distance);
            let keen = if nearer { 0.4 } else { 1.0 };
            if distance <= FEARED {
                near.push((distance, Hunter { cell: other.ghost, keen }));
            }
        }
        near.sort_by_key(|(distance, _)| *distance);
        self.hunters.clear();
        self.hunters.extend(near.into_iter().take(HUNTERS).map(|(_, hunter)| hunter));
        let mut cells = [Cell::default(); HUNTERS];
        for (cell, hunter) in cells.iter_mut().zip(&self.hunters) {
            *cell = hunter.cell;
        }
        cells
    }

    /// Computes the pull of the objects on each cell.
    fn fill_pull(&mut self, view: &View) {
        let board = view.board();
        self.pull.clear();
        self.pull.resize(board.dims().len(), 0.0);
        let mut vitamins = 12;
        let objects = |&cell: &Cell| Some((cell, view.objects().get(cell)?));
        let objects = self.own.reached().iter().filter_map(objects);
        for (cell, object) in objects.take(PULLING / board.dims().len()) {
            if object == Object::Vitamin {
                if vitamins == 0 {
                    continue;
                }
                vitamins -= 1;
            }
            let left = self.arrivals.left_for(cell, self.own.to(cell));
            let mut pull = object.points() as f32 * left;
            let distances = self.table.from(board, cell);
            let mut distance = 0;
            for &around in distances.reached() {
                if distances.to(around) > distance {
                    distance = distances.to(around);
                    pull *= ATTRACTION;
                    if pull < 0.2 {
                        break;
                    }
                }
                self.pull[around.index()] += pull;
            }
        }
        let reached = self.own.reached();
        let pull: f32 = reached.iter().map(|cell| self.pull[cell.index()]).sum();
        self.mean_pull = pull / reached.len() as f32;
    }

    /// Adds every extension of a plan by one step.
    fn extend(&mut self, situation: &Situation<'_>, before: usize, turn: u32, patience: f32) {
        let plan = self.plans[before];
        if plan.ends {
            return;
        }
        let board = situation.view.board();
        let mut chases = plan.hunters;
        for (cell, &hunter) in chases.iter_mut().zip(&self.hunters) {
            let distances = self.table.from(board, plan.cell);
            *cell = Hunter { cell: *cell, ..hunter }.step(board, distances);
        }
        for &direction in plan.powers.exits(board, plan.cell) {
            let step = self.step(situation, before, direction, chases, turn, patience);
            self.plans.push(step);
        }
    }

    /// A plan extended by one step, with its expected points. `chases` are the cells that hunters enter if they move first.
    fn step(
        &mut self,
        situation: &Situation<'_>,
        before: usize,
        direction: Direction,
        chases: [Cell; HUNTERS],
        turn: u32,
        patience: f32,
    ) -> Plan {
        let Plan { last_object, first, cell: from, mut value, mut powers, mut hunters, .. } =
            self.plans[before];
        let board = situation.view.board();
        let to = board.neighbour(from, direction);
        let mut ends = false;
        let object = situation.view.objects().get(to).filter(|_| !self.has_taken(before, to));
        if let Some(object) = object {
            let left = self.arrivals.left_for(to, turn);
            value += object.points() as f32 * left * patience;
            if left > 0.5 {
                match object {
                    Object::Glutton => add(&mut powers.glutton, object),
                    Object::Freeze => add(&mut powers.freeze, object),
                    Object::WallPass => add(&mut powers.wall_pass, object),
                    Object::Teleporter => ends = true,
                    Object::Vitamin | Object::Cherry => {}
                }
            }
        }
        for ((cell, hunter), first) in hunters.iter_mut().zip(&self.hunters).zip(chases) {
            let frozen = powers.freeze > 0
                && board.dims().chebyshev(*cell, to) <= situation.rules.freeze_range;
            if powers.glutton > 0 || frozen {
                let meets = if *cell == to { 1.0 } else { 0.0 };
                let battle = if powers.glutton > 0 { 20.0 } else { -BITE };
                value += meets * battle * hunter.keen * 0.6 * patience;
            } else {
                let hunter = Hunter { cell: *cell, ..*hunter };
                let distances = self.table.from(board, to);
                let (bites, after) = hunter.pursue(board, [from, to], first, distances);
                value -= bites * BITE * patience;
                *cell = after.cell;
            }
        }
        for left in [&mut powers.glutton, &mut powers.freeze, &mut powers.wall_pass] {
            *left = left.saturating_sub(1);
        }
        if powers.wall_pass == 0 && board.is_wall(to) && board.exits(to).is_empty() {
            value -= 100.0 * patience;
        }
        let pull = if ends { self.mean_pull } else { self.pull[to.index()] };
        let own = object.map_or(0.0, |object| self.own_pull(object, to));
        Plan {
            before: Some(before),
            last_object: if object.is_some() { self.plans.len() } else { last_object },
            first: first.or(Some(direction)),
            cell: to,
            value,
            outlook: (pull - own) * patience,
            powers,
            hunters,
            ends,
        }
    }

    /// Pull of an object on its own cell, which ends when the object is taken.
    fn own_pull(&self, object: Object, cell: Cell) -> f32 {
        object.points() as f32 * self.arrivals.left_for(cell, self.own.to(cell))
    }

    /// True if a walk has reached the object on a cell, or began there.
    fn has_taken(&self, walk: usize, cell: Cell) -> bool {
        let mut at = walk;
        loop {
            let plan = &self.plans[self.plans[at].last_object];
            if plan.cell == cell {
                return true;
            }
            match plan.before {
                Some(before) => at = before,
                None => return false,
            }
        }
    }

    /// Adds the plan to make a false move: to stay, or to be teleported.
    fn stay(&mut self, situation: &Situation<'_>, player: &Player) {
        let mut counter = player.false_moves;
        let teleports = situation.rules.false_moves.count(&mut counter);
        let mut plan = self.plans[0];
        plan.before = Some(0);
        plan.value -= 1.0;
        if plan.powers.glutton == 0 {
            let (board, here) = (situation.view.board(), plan.cell);
            for (cell, hunter) in plan.hunters.iter_mut().zip(&self.hunters) {
                let distances = self.table.from(board, here);
                let first = hunter.step(board, distances);
                let (bites, after) = hunter.pursue(board, [here; 2], first, distances);
                // Half of the time the teleport comes before the bite.
                let share = if teleports { 0.5 } else { 1.0 };
                plan.value -= bites * share * BITE;
                *cell = after.cell;
            }
        }
        plan.ends = teleports;
        plan.outlook = if teleports { self.mean_pull } else { self.pull[plan.cell.index()] };
        self.plans.push(plan);
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
        best.1
            .or_else(|| Direction::ALL.into_iter().find(|&wall| !board.is_open(player.ghost, wall)))
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
                Some(&next) if next == cell => SURE,
                _ if beside => (1.0 - SURE) / exits.len() as f32,
                _ => 0.0,
            };
            let is_here = if prey.pacman == cell { 0.5 } else { 0.0 };
            if prey.powers.glutton > 0 {
                let distance = distances.to(prey.pacman);
                now -= 20.0 * (goes_here + is_here);
                now -= 8.0 * 5_u32.saturating_sub(distance) as f32;
                continue;
            }
            let leads = if prey.points > player.points { 1.2 } else { 1.0 };
            now += 20.0 * (goes_here + is_here) * leads;
            let meeting = (1..).zip(walk).find(|(turn, ahead)| distances.to(**ahead) < *turn);
            let turns = if let Some((turn, _)) = meeting {
                turn as f32
            } else {
                let goal = walk.last().copied().unwrap_or(prey.pacman);
                walk.len() as f32 + distances.to(goal) as f32
            };
            later = later.max(CATCH * LATER.powf(turns) * leads);
        }
        now + later
    }
}

fn add(left: &mut u32, object: Object) {
    *left = left.saturating_add(object.duration());
}
