//! Checks that the bot survives every object and every power, and their consequences.

use std::time::Duration;

use game::pacman::{Board, Cell, Colour, Object, Player, Powers, RulesPreset};

use crate::bench::Bench;
use crate::case::Case;
use crate::fact::Fact;
use crate::finding::Finding;
use crate::scene::{self, Scene};

const TURNS: u32 = 16;
const TIME: Duration = Duration::from_secs(30);

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    let mut untried = Vec::new();
    let played = bench.play_all(scenes(bench), TIME, |case, played, findings| {
        if let Case::Field(object) = *case {
            let is_taken = played.record.took.iter().any(|took| took.letter() == object);
            if !is_taken && played.record.played == TURNS {
                untried.push(object);
            }
        }
        findings
    });
    let mut list = played.await;
    // A bot with malformed orders may be unable to take objects.
    if !untried.is_empty() && !bench.known.malformed {
        list.push(Finding::warning(Fact::Untried { objects: untried }));
    }
    list.finish()
}

/// Games in which every object is taken at once, and states that may follow.
fn scenes(bench: Bench<'_>) -> Vec<Scene> {
    let (me, map) = (Colour::default(), &bench.options.map);
    let mut scenes: Vec<_> = Object::ALL
        .into_iter()
        .map(|object| {
            let map = scene::filled(map, object.letter());
            bench.scene(Case::Field(object.letter()), &map, TURNS, me)
        })
        .collect();
    let on_map = |case| bench.scene(case, map, TURNS, me);
    let dims = map.board().dims();
    let block = scene::block(dims.rows().max(9), dims.cols().max(11));
    scenes.extend([
        on_map(Case::InsideWall).with(|board, own, _| {
            own.pacman = scene::wall_beside_corridor(board).0;
            own.powers.wall_pass = 1;
        }),
        bench.scene(Case::WallPassEnds, &block, TURNS, me).with(|board, own, _| {
            own.pacman = scene::middle(board);
            own.powers.wall_pass = 2;
        }),
        on_map(Case::Bitten).with(|board, own, others| {
            own.points = -60;
            surround(board, own.pacman, others, |other, cell| other.ghost = cell);
        }),
        on_map(Case::Hunting).with(|board, own, others| {
            own.powers.glutton = 20;
            surround(board, own.pacman, others, |other, cell| other.ghost = cell);
        }),
        on_map(Case::Frozen).with(|board, own, others| {
            surround(board, own.ghost, others, |other, cell| {
                other.pacman = cell;
                other.powers.freeze = 150;
            });
        }),
        on_map(Case::LongPowers).with(|_, own, _| {
            own.powers = Powers { glutton: 120, freeze: 130, wall_pass: 140 };
            own.points = 12_345;
            own.false_moves = 3;
        }),
        // Only these rules have digestion.
        Scene::new(Case::Digestion, map, RulesPreset::Orleans2024, TURNS, (me, &bench.team.name))
            .with(|board, own, others| {
                surround(board, own.ghost, others, |other, cell| other.pacman = cell);
            }),
    ]);
    scenes
}

/// Gives each of these players another cell near this one.
fn surround(board: &Board, cell: Cell, players: &mut [Player], put: impl Fn(&mut Player, Cell)) {
    let near = scene::near(board, cell).into_iter().skip(1);
    players.iter_mut().zip(near).for_each(|(player, cell)| put(player, cell));
}
