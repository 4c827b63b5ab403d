//! The objects and the ghosts, as a pacman sees them from each of its next cells.

use game::pacman::{Cell, Direction, Object};
use graph::{DistanceTable, Distances};

use super::scene::Scene;

/// The distances that matter to a pacman; arrays are by direction.
#[derive(Clone, Debug)]
pub(super) struct Prospect<'a> {
    /// Its cell.
    pub from: Cell,
    pub exits: &'a [Direction],
    /// The exit through which it would turn back.
    pub back: Option<Direction>,
    pub objects: Vec<Seen>,
    /// True if there are no other objects.
    pub only_vitamins: bool,
    /// True if it has a power that keeps ghosts away.
    pub is_powerful: bool,
    /// Distance of the nearest ghost, now and after each move.
    pub ghost_now: u32,
    pub ghost_after: [u16; 4],
}

/// An object with its distance, now and after each move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub cell: Cell,
    pub kind: Object,
    /// True if another pacman is nearer.
    pub is_late: bool,
    pub now: u32,
    pub after: [u32; 4],
}

impl<'a> Prospect<'a> {
    /// Computes the distances for the pacman of a scene. `heading` is the direction of its last step.
    pub(super) fn new(
        scene: &'a Scene<'_>,
        heading: Option<Direction>,
        table: &mut DistanceTable,
    ) -> Self {
        let (board, from, powers) = (scene.board, scene.player.pacman, scene.player.powers);
        let nearest_ghost = |distances: &Distances| {
            scene.rivals.iter().map(|(_, rival)| distances.to(rival.ghost)).min()
        };
        let own = table.from(board, from);
        let ghost_now = nearest_ghost(own).unwrap_or(Distances::UNREACHED);
        let seen = |object: &super::scene::Thing| {
            let (now, after) = (own.to(object.cell), [Distances::UNREACHED; 4]);
            Seen { cell: object.cell, kind: object.kind, is_late: object.is_late, now, after }
        };
        let mut objects: Vec<Seen> = scene.objects.iter().map(seen).collect();
        let exits = powers.exits(board, from);
        let mut ghost_after = [u16::MAX; 4];
        for &exit in exits {
            let distances = table.from(board, board.neighbour(from, exit));
            let ghost = nearest_ghost(distances).and_then(|steps| u16::try_from(steps).ok());
            ghost_after[exit.index()] = ghost.unwrap_or(u16::MAX);
            for object in &mut objects {
                object.after[exit.index()] = distances.to(object.cell);
            }
        }
        Self {
            from,
            exits,
            back: heading.map(Direction::opposite).filter(|back| exits.contains(back)),
            only_vitamins: objects.iter().all(|object| object.kind == Object::Vitamin),
            objects,
            is_powerful: powers.glutton > 1 || powers.freeze > 1,
            ghost_now,
            ghost_after,
        }
    }
}
