//! Checks that the bot plays on boards of every size, across their edges, and on the user's maps.

use std::time::Duration;

use game::pacman::{Colour, Map, Pos};

use crate::bench::Bench;
use crate::case::{BoardKind, Case};
use crate::finding::{Finding, Severity};
use crate::scene::{self, Scene};

const TURNS: u32 = 12;
const TIME: Duration = Duration::from_secs(30);
/// Numbers of players that do not occur in tournaments.
const OTHER_PLAYERS: [usize; 2] = [2, 8];

pub(crate) async fn check(bench: Bench<'_>) -> Vec<Finding> {
    bench
        .play_all(scenes(bench), TIME, |case, played, mut findings| {
            if let Some(fact) = bench.lost(played).filter(|_| findings.is_empty()) {
                findings.push(Finding::warning(fact));
            }
            let is_large = matches!(case, Case::Board(BoardKind::Large, ..));
            if is_large {
                findings.extend(played.record.times().map(Finding::note));
            }
            let limited = |finding: Finding| match case {
                Case::Board(BoardKind::Tiny, ..) => finding.at_most(Severity::Warning),
                Case::Players(_) => finding.at_most(Severity::Note),
                _ if is_large && finding.is_slow() => finding.at_most(Severity::Warning),
                _ => finding,
            };
            findings.into_iter().map(limited).collect()
        })
        .await
        .finish()
}

fn scenes(bench: Bench<'_>) -> Vec<Scene> {
    let Bench { team, options, .. } = bench;
    let boards = [
        (BoardKind::Wide, scene::pillars(7, 19, false, '.')),
        (BoardKind::Tall, scene::pillars(21, 9, false, '.')),
        (BoardKind::Open, scene::pillars(10, 12, true, '.')),
        (BoardKind::Bare, scene::pillars(9, 11, true, ' ')),
        (BoardKind::Tiny, scene::hall(3, 3, '.')),
        (BoardKind::Large, scene::pillars(60, 80, true, '.')),
    ];
    let maps = options.other_maps.iter();
    let maps = maps.map(|map| (BoardKind::Own(map.name.clone()), map.map.clone()));
    let scene = |(board, map): (BoardKind, Map)| on_board(bench, board, &map);
    let own = (Colour::default(), team.name.as_str());
    let players = OTHER_PLAYERS.map(|players| {
        let map = scene::pillars(11, 13, false, '.');
        Scene::of(players, Case::Players(players), &map, options.rules, TURNS, own)
    });
    boards.into_iter().chain(maps).map(scene).chain(players).collect()
}

fn on_board(bench: Bench<'_>, board: BoardKind, map: &Map) -> Scene {
    let dims = map.board().dims();
    let is_open = board == BoardKind::Open;
    let case = Case::Board(board, dims.rows(), dims.cols());
    let scene = bench.scene(case, map, TURNS, Colour::default());
    if is_open {
        // The bot's pieces start at the first edge and at the last one.
        scene.with(|board, own, _| {
            let dims = board.dims();
            let at = |row, col| dims.cell(Pos { row, col }).unwrap_or_default();
            own.pacman = at(0, 1);
            own.ghost = at(dims.rows() - 1, dims.cols() - 1);
        })
    } else {
        scene
    }
}
