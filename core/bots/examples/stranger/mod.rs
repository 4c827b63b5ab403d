//! Bots that play as good programs of students do: their pacmans weigh the points of objects by distance, prefer what no rival is
//! nearer to and keep three steps away from ghosts; their ghosts follow the nearest pacman.

use bots::{Bot, Situation};
use game::pacman::{Board, Cell, Colour, Object, Orders, Player, View};
use graph::Distances;

/// Weights that a stranger's pacman gives to objects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stranger {
    /// The best object by points per step.
    Ratio,
    /// The sum over all objects, each discounted by its distance.
    Gravity,
}

impl Bot for Stranger {
    fn play(&mut self, &Situation { view, me, .. }: &Situation<'_>) -> Orders {
        let Some(player) = view.player(me) else { return Orders::default() };
        let board = view.board();
        let others = || Colour::first(view.players().len()).zip(view.players());
        let others: Vec<&Player> = others().filter(|(c, _)| *c != me).map(|(_, p)| p).collect();
        let from = |cell: Cell| {
            let mut distances = Distances::new();
            distances.fill(board, cell);
            distances
        };
        let rivals: Vec<_> = others.iter().map(|other| from(other.pacman)).collect();
        let ghosts: Vec<_> = others.iter().map(|other| from(other.ghost)).collect();
        let is_safe = player.powers.glutton > 1 || player.powers.freeze > 1;
        let best = |cell: Cell, worth: &dyn Fn(&Distances, Cell) -> f32| {
            let next = board.exits(cell).iter().map(|&exit| (exit, board.neighbour(cell, exit)));
            let next = next.map(|(exit, to)| (worth(&from(to), to), exit));
            next.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, exit)| exit)
        };
        Orders {
            pacman: best(player.pacman, &|distances, to| {
                let danger = |ghost: &Distances| match ghost.to(to) {
                    _ if is_safe => 0.0,
                    0 | 1 => 40.0,
                    2 => 12.0,
                    3 => 4.0,
                    _ => 0.0,
                };
                self.harvest(view, distances, &rivals) - ghosts.iter().map(danger).sum::<f32>()
            }),
            ghost: best(player.ghost, &|distances, _| self.prey(board, distances, &others)),
        }
    }
}

impl Stranger {
    /// Worth of the objects for a pacman at the source of the distances.
    fn harvest(self, view: &View, distances: &Distances, rivals: &[Distances]) -> f32 {
        let worth = |&cell: &Cell| {
            let object = view.objects().get(cell)?;
            let is_late = rivals.iter().any(|rival| rival.to(cell) < distances.to(cell));
            let (points, steps) = (object.points() as f32, (distances.to(cell) + 1) as f32);
            Some(match self {
                Self::Ratio => points * if is_late { 0.4 } else { 1.0 } / steps,
                Self::Gravity => {
                    let power = if object == Object::Glutton { 1.6 } else { 1.0 };
                    points * power * if is_late { 0.25 } else { 1.0 } * 0.85_f32.powf(steps)
                }
            })
        };
        let worths = distances.reached().iter().filter_map(worth);
        match self {
            Self::Ratio => worths.fold(0.0, f32::max),
            Self::Gravity => worths.sum(),
        }
    }

    /// Worth of the pacmans for a ghost at the source of the distances.
    fn prey(self, board: &Board, distances: &Distances, others: &[&Player]) -> f32 {
        let far = board.dims().len() as f32;
        let steps = |other: &Player| (distances.to(other.pacman) as f32).min(far);
        let worth = |other: &&Player| {
            let leads = match self {
                Self::Ratio => 0.0,
                Self::Gravity => other.points as f32 / 200.0,
            };
            if other.powers.glutton > 0 { -far } else { leads - steps(other) }
        };
        let threat = |other: &&Player| {
            let is_near = other.powers.glutton > 0 && steps(other) < 4.0;
            if is_near { far + 4.0 - steps(other) } else { 0.0 }
        };
        others.iter().map(worth).fold(f32::MIN, f32::max) - others.iter().map(threat).sum::<f32>()
    }
}
