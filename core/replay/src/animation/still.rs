//! The static background of a game.

use game::pacman::View;
use game::pyrat::{Direction, Maze};

use super::canvas::{Canvas, Place};
use super::shapes::{steps, turned};
use super::{ink, scene};

/// Draws walls, with an outline at a distance from the corridors.
pub(super) fn walls(canvas: &mut Canvas, view: &View) {
    let board = view.board();
    let dims = board.dims();
    let line = 0.1_f32.max(1.0 / f32::from(canvas.scale));
    for cell in dims.cells().filter(|&cell| board.is_wall(cell)) {
        let mut corridors = Vec::new();
        for (dy, row) in
            [(-1.0, Some(Direction::North)), (0.0, None), (1.0, Some(Direction::South))]
        {
            let beside = row.map_or(cell, |row| dims.neighbour(cell, row));
            for (dx, col) in
                [(-1.0, Some(Direction::West)), (0.0, None), (1.0, Some(Direction::East))]
            {
                if !board.is_wall(col.map_or(beside, |col| dims.neighbour(beside, col))) {
                    corridors.push((dx, dy));
                }
            }
        }
        // The distance from a point of this cell to the nearest corridor, at most 1.
        let far = |x: f32, y: f32| {
            let beyond = |part: f32, middle: f32| ((part - middle).abs() - 0.5).max(0.0);
            let far = |&(dx, dy): &Place| beyond(x, dx).hypot(beyond(y, dy));
            corridors.iter().map(far).fold(1.0, f32::min)
        };
        let inside = |x: f32, y: f32| x.abs() <= 0.5 && y.abs() <= 0.5;
        let at = scene::middle(dims, cell);
        canvas.fill(at, 0.5, ink::WALL_FILL, |x, y| inside(x, y) && far(x, y) >= 0.12);
        canvas.fill(at, 0.5, ink::WALL, |x, y| {
            inside(x, y) && (0.12..0.12 + line).contains(&far(x, y))
        });
    }
}

/// Draws holes, mud with its turns, and walls as lines.
pub(super) fn maze(canvas: &mut Canvas, maze: &Maze) {
    let dims = maze.dims();
    for cell in dims.cells().filter(|&cell| maze.is_wall(cell)) {
        canvas.rect(scene::middle(dims, cell), (0.5, 0.5), ink::HOLE);
    }
    let thick = 0.055_f32.max(0.6 / f32::from(canvas.scale));
    for &cell in maze.cells() {
        let (x, y) = scene::middle(dims, cell);
        for (towards, beside) in Direction::ALL.into_iter().zip(dims.around(cell)) {
            let (across, down) = steps(towards);
            let edge = (x + across / 2.0, y + down / 2.0);
            let links = maze.links(cell);
            let turns = links.iter().find(|(to, _)| Some(*to) == beside).map(|(_, turns)| *turns);
            match turns {
                None => {
                    let half = |part: f32| if part == 0.0 { 0.5 + thick } else { thick };
                    canvas.rect(edge, (half(across), half(down)), ink::WALL);
                }
                Some(1) => {}
                Some(turns) => {
                    canvas.fill(edge, 0.42, ink::MUD, |x, y| {
                        let (along, side) = turned(towards, x, y);
                        (along / 0.24).hypot(side / 0.4) < 1.0
                    });
                    let digits = turns.to_string();
                    // There are at most five digits.
                    let first = f32::from(digits.len() as u8 - 1) / -2.0;
                    for (digit, at) in digits.chars().zip(0_u8..) {
                        let at = (edge.0 + (first + f32::from(at)) * 0.28, edge.1);
                        canvas.letter(at, 0.3, digit, ink::WHITE);
                    }
                }
            }
        }
    }
}
