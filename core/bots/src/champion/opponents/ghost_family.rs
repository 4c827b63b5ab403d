//! A family of policies of a ghost: whom it hunts, whether it spares gluttons, and how far it looks ahead of its prey.
#![expect(clippy::cast_precision_loss, reason = "distances and points are small")]

use std::sync::LazyLock;

use game::pacman::{Cell, Direction, Player};
use graph::DistanceTable;

use super::super::scene::Scene;
use super::super::step::Step;
use super::members::{Members, Moves};

/// Distance from which on a distance makes no difference.
const FAR: u32 = 1 << 16;
/// Steps that it foresees its prey to walk towards the nearest object.
const AHEAD: [usize; 3] = [0, 2, 4];

/// Whom it hunts.
#[derive(Clone, Copy, Debug)]
enum Prey {
    Nearest,
    /// The one with most points; of equals, the nearest.
    Richest,
    /// The one with the largest difference between its points and its distance; a hundred points equal this number of steps.
    Drawn(f32),
    /// The one that is nearest to its own pacman.
    Intruder,
    /// The nearest one, unless it is on its way to the best object, where pacmans come.
    Ambushed,
    /// The rival of this index.
    Rival(usize),
}

const PREYS: [Prey; 12] = [
    Prey::Nearest,
    Prey::Richest,
    Prey::Drawn(1.0),
    Prey::Drawn(2.0),
    Prey::Drawn(4.0),
    Prey::Drawn(6.0),
    Prey::Drawn(10.0),
    Prey::Intruder,
    Prey::Ambushed,
    Prey::Rival(0),
    Prey::Rival(1),
    Prey::Rival(2),
];

/// A policy of the family.
#[derive(Clone, Copy, Debug)]
struct Hunt {
    prey: Prey,
    spares_gluttons: bool,
    /// Index of an element of [`AHEAD`].
    ahead: usize,
}

/// All members; `None` goes straight on where it can, and by chance elsewhere.
static HUNTS: LazyLock<Vec<Option<Hunt>>> = LazyLock::new(|| {
    let mut all = vec![None];
    for prey in PREYS {
        for spares_gluttons in [false, true] {
            let hunt = |ahead| Some(Hunt { prey, spares_gluttons, ahead });
            all.extend((0..AHEAD.len()).map(hunt));
        }
    }
    all
});

/// The family, for one ghost.
#[derive(Clone, Debug)]
pub(super) struct GhostFamily(Members);

impl Default for GhostFamily {
    fn default() -> Self {
        Self(Members::new(HUNTS.len()))
    }
}

impl GhostFamily {
    /// Learns from the ghost's last step; `None` if it has stayed or was teleported.
    pub(super) fn observe(&mut self, step: Option<Direction>) {
        self.0.observe(step);
    }

    /// Distribution of the next move of a scene's ghost, which came in this direction.
    pub(super) fn foresee(
        &mut self,
        scene: &Scene<'_>,
        heading: Option<Direction>,
        table: &mut DistanceTable,
    ) -> Step {
        let mut walks = Walks::new(scene);
        let moves = HUNTS.iter().map(|hunt| moves(*hunt, scene, heading, &mut walks, table));
        self.0.foresee(scene.player.ghost, |all| all.extend(moves))
    }

    pub(super) fn forget(&mut self) {
        self.0.forget();
    }

    /// Tests if the move of the likeliest member depends on the objects.
    pub(super) fn minds_objects(&self) -> bool {
        HUNTS[self.0.likeliest()]
            .is_some_and(|hunt| hunt.ahead > 0 || matches!(hunt.prey, Prey::Ambushed))
    }

    /// The move of the likeliest member.
    pub(super) fn likeliest(
        &self,
        scene: &Scene<'_>,
        table: &mut DistanceTable,
    ) -> Option<Direction> {
        let hunt = HUNTS[self.0.likeliest()];
        self.0.choose(moves(hunt, scene, None, &mut Walks::new(scene), table))
    }
}

/// The cells of each rival after the steps of [`AHEAD`], computed on demand.
struct Walks(Vec<[Option<Cell>; AHEAD.len()]>);

impl Walks {
    fn new(scene: &Scene<'_>) -> Self {
        Self(scene.rivals.iter().map(|(_, rival)| [Some(rival.pacman), None, None]).collect())
    }

    fn cell(
        &mut self,
        rival: usize,
        ahead: usize,
        scene: &Scene<'_>,
        table: &mut DistanceTable,
    ) -> Cell {
        let [now, ..] = self.0[rival];
        let cell = &mut self.0[rival][ahead];
        *cell.get_or_insert_with(|| {
            // The first one is known.
            now.map_or(scene.player.ghost, |now| scene.ahead(now, AHEAD[ahead], table))
        })
    }
}

/// The best moves of a scene's ghost.
fn moves(
    hunt: Option<Hunt>,
    scene: &Scene<'_>,
    heading: Option<Direction>,
    walks: &mut Walks,
    table: &mut DistanceTable,
) -> Moves {
    let (board, from) = (scene.board, scene.player.ghost);
    let exits = board.exits(from);
    let goal = hunt.and_then(|hunt| hunt.goal(scene, walks, table));
    let Some(goal) = goal else {
        let straight_on =
            |exit: &Direction| !heading.is_some_and(|it| it != *exit && exits.contains(&it));
        let all = exits.iter().filter(|exit| straight_on(exit));
        return Moves::best(all.map(|exit| (*exit, 0.0)));
    };
    let distances = table.from(board, goal);
    let nearness = |exit: &Direction| -(distances.to(board.neighbour(from, *exit)).min(FAR) as f32);
    Moves::best(exits.iter().map(|exit| (*exit, nearness(exit))))
}

impl Hunt {
    /// The cell that it walks to; `None` if there is no prey for it.
    fn goal(self, scene: &Scene<'_>, walks: &mut Walks, table: &mut DistanceTable) -> Option<Cell> {
        let (board, from) = (scene.board, scene.player.ghost);
        if let Prey::Ambushed = self.prey {
            let own = table.from(board, from);
            let objects = scene.objects.iter().map(|object| (object.cell, own.to(object.cell)));
            let worths = objects.zip(&scene.objects).map(|((cell, steps), object)| {
                (object.points - steps.min(FAR) as f32, cell, steps)
            });
            let best = worths.max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, cell, _)) = best.filter(|(.., steps)| *steps > 1) {
                return Some(cell);
            }
        }
        let source = if let Prey::Intruder = self.prey { scene.player.pacman } else { from };
        let distances = table.from(board, source);
        let worth = |rival: &Player| {
            let (steps, points) = (distances.to(rival.pacman).min(FAR) as f32, rival.points as f32);
            match self.prey {
                Prey::Richest => points - steps / 1000.0,
                Prey::Drawn(steps_a_hundred) => points / 100.0 * steps_a_hundred - steps,
                _ => -steps,
            }
        };
        let rivals = scene.rivals.iter().map(|(_, rival)| rival).enumerate();
        let preys = rivals.filter(|(index, rival)| {
            let is_spared = self.spares_gluttons && rival.powers.glutton > 0;
            let is_wanted = !matches!(self.prey, Prey::Rival(wanted) if wanted != *index);
            rival.pacman != from && !is_spared && is_wanted
        });
        let prey = preys.max_by(|a, b| worth(a.1).total_cmp(&worth(b.1)));
        prey.map(|(rival, _)| walks.cell(rival, self.ahead, scene, table))
    }
}
