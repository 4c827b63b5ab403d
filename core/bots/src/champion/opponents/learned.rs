//! The policy of players that have learned by playing against themselves. Such players become alike, whoever trains them.
//!
//! `ppo.py` of the Python package is their teacher; the weights are those of `scripts/learned.py`. Whatever is computed here is what
//! that program computes.
#![expect(clippy::cast_precision_loss, reason = "distances and points are small")]

use std::sync::LazyLock;

use game::pacman::{Board, Cell, Colour, Direction, Object, Orders, Player, View};
use graph::{DistanceTable, Distances};

use super::super::scene::fading;
use super::super::step::Step;
use crate::knowledge::others;

/// Opponents of a player in the games from which it has learned.
const RIVALS: usize = 3;
/// Numbers that describe a direction of a pacman, and of a ghost: those of its own, and those that all directions have in common.
const PACMAN: usize = 19 + COMMON;
const GHOST: usize = 10 + COMMON;
const COMMON: usize = 8;
/// Index of the number that is 1 if the direction leads into a wall.
const PACMAN_WALL: usize = 18;
const GHOST_WALL: usize = 9;
/// Neurons of both hidden layers.
const HIDDEN: usize = 64;
/// A distance that stands for "no path leads there".
const FAR: u32 = 250;
/// Probability that a piece stays, which the policy never orders.
const STAYS: f32 = 0.02;
/// Logarithm of the likelihood of a direction that leads into a wall.
const BLOCKED: f32 = -30.0;

/// The factors that are left after each step.
static OBJECT: LazyLock<[f32; FAR as usize + 1]> = LazyLock::new(|| fading(0.85));
static HUNTER: LazyLock<[f32; FAR as usize + 1]> = LazyLock::new(|| fading(0.6));
static PREY: LazyLock<[f32; FAR as usize + 1]> = LazyLock::new(|| fading(0.8));
static BITE: LazyLock<[f32; FAR as usize + 1]> = LazyLock::new(|| fading(0.4));

/// The perceptrons of a pacman and of a ghost.
static NETWORKS: LazyLock<[Perceptron; 2]> = LazyLock::new(|| {
    let mut bytes: &[u8] = include_bytes!("learned.bin");
    [PACMAN, GHOST].map(|inputs| Perceptron::read(inputs, &mut bytes))
});

/// Probabilities of the directions of a player's pacman and ghost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Learned {
    pacman: [f32; 4],
    ghost: [f32; 4],
}

impl Learned {
    /// Predicts the moves of a player by the learned policy. Returns `None` unless the game has four players.
    pub(super) fn foresee(view: &View, me: Colour, table: &mut DistanceTable) -> Option<Self> {
        let player = view.player(me)?;
        let rivals: Vec<Player> = others(view, me).map(|(_, rival)| *rival).collect();
        let rivals = rivals.try_into().ok()?;
        let seen = Seen { view, player, rivals };
        let common = seen.common();
        let [pacman, ghost] = &*NETWORKS;
        Some(Self {
            pacman: pacman.shares(&seen.of_pacman(&common, table), PACMAN_WALL),
            ghost: ghost.shares(&seen.of_ghost(&common, table), GHOST_WALL),
        })
    }

    pub(super) fn likeliest(&self) -> Orders {
        let [pacman, ghost] = [self.pacman, self.ghost].map(|shares| {
            Direction::ALL
                .into_iter()
                .max_by(|a, b| shares[a.index()].total_cmp(&shares[b.index()]))
        });
        Orders { pacman, ghost }
    }

    /// Distribution of the next move of the pacman, which may walk through walls.
    pub(super) fn step_of_pacman(&self, board: &Board, player: &Player) -> Step {
        step(board, player.pacman, player.powers.wall_pass > 0, self.pacman)
    }

    /// Distribution of the next move of the ghost.
    pub(super) fn step_of_ghost(&self, board: &Board, player: &Player) -> Step {
        step(board, player.ghost, false, self.ghost)
    }
}

fn step(board: &Board, from: Cell, through_walls: bool, shares: [f32; 4]) -> Step {
    let mut step = Step { from, towards: [0.0; 4], stays: STAYS };
    for (direction, share) in Direction::ALL.into_iter().zip(shares) {
        let is_open = through_walls || board.is_open(from, direction);
        let place = if is_open { &mut step.towards[direction.index()] } else { &mut step.stays };
        *place += (1.0 - STAYS) * share;
    }
    step
}

/// A state of the game, as a player sees it.
struct Seen<'a> {
    view: &'a View,
    player: &'a Player,
    rivals: [Player; RIVALS],
}

impl Seen<'_> {
    /// Features that do not depend on the direction: turns left, powers, false moves, the rivals' powers, the lead.
    fn common(&self) -> [f32; COMMON] {
        let Player { powers, points, false_moves, .. } = *self.player;
        let left = self.view.total().saturating_sub(self.view.elapsed());
        let most = self.rivals.iter().map(|rival| rival.points).max().unwrap_or(0);
        [
            left as f32 / 200.0,
            powers.glutton as f32 / 20.0,
            powers.freeze as f32 / 10.0,
            powers.wall_pass as f32 / 20.0,
            false_moves as f32 / 4.0,
            flag(self.rivals.iter().any(|rival| rival.powers.freeze > 0)),
            flag(self.rivals.iter().any(|rival| rival.powers.glutton > 0)),
            (points.saturating_sub(most) as f32 / 300.0).clamp(-1.0, 1.0),
        ]
    }

    /// For each direction of the pacman: the nearest object of each kind, of all and of those that no rival is nearer to; sums of the
    /// objects' points, weighed by distance; the ghosts, from far to near, and the nearest one again for a glutton; a wall.
    fn of_pacman(&self, common: &[f32; COMMON], table: &mut DistanceTable) -> [[f32; PACMAN]; 4] {
        let board = self.view.board();
        let mut rows = [[0.0; PACMAN]; 4];
        let mut objects: Vec<(Cell, Object, u32)> =
            self.view.objects().iter().map(|(cell, object)| (cell, object, FAR)).collect();
        for rival in &self.rivals {
            let steps_to = walked(board, rival, rival.pacman, table);
            for (cell, _, rivals) in &mut objects {
                *rivals = steps_to(*cell).min(*rivals);
            }
        }
        for (direction, row) in Direction::ALL.into_iter().zip(&mut rows) {
            let way = board.neighbour(self.player.pacman, direction);
            let mut hunters = self
                .rivals
                .map(|rival| HUNTER[Around::from(board, rival.ghost, table).steps(way) as usize]);
            hunters.sort_by(f32::total_cmp);
            let steps_to = walked(board, self.player, way, table);
            for &(cell, object, rivals) in &objects {
                let steps = steps_to(cell);
                let (near, kind) = (OBJECT[steps as usize], 2 * (object as usize - 1));
                let points = near * object.points() as f32 / 300.0;
                row[kind] = near.max(row[kind]);
                row[12] += points;
                if steps < rivals {
                    row[kind + 1] = near.max(row[kind + 1]);
                    row[13] += points;
                }
            }
            row[14..17].copy_from_slice(&hunters);
            row[17] = flag(self.player.powers.glutton > 0) * hunters[RIVALS - 1];
            row[PACMAN_WALL] = flag(board.is_wall(way) && self.player.powers.wall_pass == 0);
            row[PACMAN_WALL + 1..].copy_from_slice(common);
        }
        rows
    }

    /// For each direction of the ghost: the preys, from near to far, in two scales of distance; the gluttons among them; a wall.
    fn of_ghost(&self, common: &[f32; COMMON], table: &mut DistanceTable) -> [[f32; GHOST]; 4] {
        let board = self.view.board();
        let ways = Direction::ALL.map(|direction| board.neighbour(self.player.ghost, direction));
        let mut preys = self.rivals.map(|rival| {
            let around = Around::from(board, rival.pacman, table);
            (ways.map(|way| around.steps(way)), rival.powers.glutton > 0)
        });
        preys.sort_by_key(|(steps, _)| *steps.iter().min().unwrap_or(&FAR));
        let mut rows = [[0.0; GHOST]; 4];
        for (index, row) in rows.iter_mut().enumerate() {
            for (place, (steps, is_glutton)) in preys.iter().enumerate() {
                let steps = steps[index] as usize;
                row[place] = PREY[steps];
                row[RIVALS + place] = BITE[steps];
                row[2 * RIVALS + place] = flag(*is_glutton) * PREY[steps];
            }
            row[GHOST_WALL] = flag(board.is_wall(ways[index]));
            row[GHOST_WALL + 1..].copy_from_slice(common);
        }
        rows
    }
}

/// Steps of a player's pacman from a cell to others, through walls while it has that power.
fn walked<'a>(
    board: &'a Board,
    player: &Player,
    from: Cell,
    table: &'a mut DistanceTable,
) -> impl Fn(Cell) -> u32 + use<'a> {
    let dims = board.dims();
    let crossed = (player.powers.wall_pass > 0).then(|| dims.pos(from));
    let around = Around::from(board, from, table);
    move |to| {
        let Some(from) = crossed else { return around.steps(to) };
        let to = dims.pos(to);
        let across = |a: u16, b: u16, size: u16| {
            let steps = a.abs_diff(b);
            u32::from(steps.min(size - steps))
        };
        (across(from.row, to.row, dims.rows()) + across(from.col, to.col, dims.cols())).min(FAR)
    }
}

/// Steps from a cell around walls; none lead out of a wall, or into one.
struct Around<'a>(Option<&'a Distances>);

impl<'a> Around<'a> {
    fn from(board: &Board, from: Cell, table: &'a mut DistanceTable) -> Self {
        Self((!board.is_wall(from)).then(|| table.from(board, from)))
    }

    fn steps(&self, to: Cell) -> u32 {
        // Cells that are not reached, such as walls, are further away than any.
        self.0.map_or(FAR, |distances| distances.to(to).min(FAR))
    }
}

/// A perceptron with two hidden layers of rectified linear units, from a row of numbers to one number.
struct Perceptron {
    layers: [Layer; 3],
}

/// A linear function.
struct Layer {
    /// By input, then by output.
    weights: Vec<f32>,
    biases: Vec<f32>,
}

impl Perceptron {
    /// Reads six arrays, first those of weights: the scale of each, and a byte for each number.
    fn read(inputs: usize, bytes: &mut &[u8]) -> Self {
        let sizes = [inputs * HIDDEN, HIDDEN * HIDDEN, HIDDEN, HIDDEN, HIDDEN, 1];
        let [first, second, third, hidden, other, output] = sizes.map(|size| array(size, bytes));
        let layers = [(first, hidden), (second, other), (third, output)];
        Self { layers: layers.map(|(weights, biases)| Layer { weights, biases }) }
    }

    fn apply(&self, row: &[f32]) -> f32 {
        let [first, second, last] = &self.layers;
        let mut hidden = [[0.0; HIDDEN]; 2];
        let mut output = [0.0];
        first.apply(row, &mut hidden[0]);
        let [one, other] = &mut hidden;
        second.apply(&one.map(rectified), other);
        last.apply(&other.map(rectified), &mut output);
        output[0]
    }

    /// Probabilities of the directions.
    fn shares<const N: usize>(&self, rows: &[[f32; N]; 4], wall: usize) -> [f32; 4] {
        let is_shut_in = rows.iter().all(|row| row[wall] > 0.0);
        let is_blocked = |row: &[f32; N]| row[wall] > 0.0 && !is_shut_in;
        let merits = rows.map(|row| if is_blocked(&row) { BLOCKED } else { self.apply(&row) });
        let most = merits.iter().copied().fold(f32::MIN, f32::max);
        let shares = merits.map(|merit| libm::expf(merit - most));
        let sum: f32 = shares.iter().sum();
        shares.map(|share| share / sum)
    }
}

impl Layer {
    fn apply(&self, inputs: &[f32], outputs: &mut [f32]) {
        outputs.copy_from_slice(&self.biases);
        for (input, weights) in inputs.iter().zip(self.weights.chunks_exact(outputs.len())) {
            // Half of the numbers are 0.
            if *input != 0.0 {
                outputs
                    .iter_mut()
                    .zip(weights)
                    .for_each(|(output, weight)| *output += input * weight);
            }
        }
    }
}

/// A number, or 0 if it is less. `f32::max` would call a function of the standard library in WebAssembly.
fn rectified(number: f32) -> f32 {
    if number > 0.0 { number } else { 0.0 }
}

/// Takes the numbers of an array.
fn array(size: usize, bytes: &mut &[u8]) -> Vec<f32> {
    let (scale, rest) = bytes.split_first_chunk().expect("an array has a scale");
    let (numbers, rest) = rest.split_at(size);
    *bytes = rest;
    let scale = f32::from_le_bytes(*scale);
    numbers.iter().map(|number| scale * f32::from(number.cast_signed())).collect()
}

/// 1 if something is the case, 0 if it is not.
fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
