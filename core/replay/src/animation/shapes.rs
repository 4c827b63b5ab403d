//! The shapes of pieces and objects, drawn around a place.

use std::f32::consts::TAU;

use game::pacman::Object;
use game::pyrat::Direction;

use super::canvas::{Canvas, Place};
use super::ink::{self, Ink};

/// Returns the columns and rows of a step.
pub(super) fn steps(towards: Direction) -> (f32, f32) {
    match towards {
        Direction::North => (0.0, -1.0),
        Direction::East => (1.0, 0.0),
        Direction::South => (0.0, 1.0),
        Direction::West => (-1.0, 0.0),
    }
}

/// Returns the coordinates of a point along a direction and across it.
pub(super) fn turned(towards: Direction, x: f32, y: f32) -> (f32, f32) {
    let (across, down) = steps(towards);
    (x * across + y * down, y * across - x * down)
}

fn outlined(canvas: &mut Canvas, at: Place, ink: Ink, shape: impl Fn(f32, f32) -> bool) {
    canvas.fill(at, 0.7, ink::FLOOR, |x, y| shape(x * 0.88, y * 0.88));
    canvas.fill(at, 0.6, ink, shape);
}

fn initial(canvas: &mut Canvas, at: Place, player: usize, letter: char) {
    canvas.initial(at, letter, ink::letter_on(player), ink::player(player));
}

/// Draws a pacman; `mouth` is the opening of its mouth, from 0 to 1.
pub(super) fn pacman(
    canvas: &mut Canvas,
    at: Place,
    player: usize,
    letter: char,
    towards: Direction,
    mouth: f32,
) {
    outlined(canvas, at, ink::player(player), |x, y| {
        let (along, across) = turned(towards, x, y);
        x.hypot(y) < 0.44 && (along < 0.04 || across.abs() > along * mouth)
    });
    let (x, y) = steps(towards);
    initial(canvas, (at.0 - 0.1 * x, at.1 - 0.1 * y), player, letter);
}

pub(super) fn rat(canvas: &mut Canvas, at: Place, player: usize, letter: char, towards: Direction) {
    let (x, y) = steps(towards);
    outlined(canvas, at, ink::player(player), |x, y| {
        let (along, across) = turned(towards, x, y);
        let side = across.abs();
        let body = (along / 0.38).hypot(side / 0.28) < 1.0;
        let nose = along > 0.0 && side < (0.54 - along) * 0.55;
        let tail = along < 0.0 && along > -0.54 && side < 0.05;
        let ear = (along - 0.16).hypot(side - 0.26) < 0.13;
        body || nose || tail || ear
    });
    let eye = |side: f32| (at.0 + 0.34 * x - side * y, at.1 + 0.34 * y + side * x);
    canvas.disc(eye(0.07), 0.035, ink::FLOOR);
    canvas.disc(eye(-0.07), 0.035, ink::FLOOR);
    initial(canvas, (at.0 - 0.08 * x, at.1 - 0.08 * y), player, letter);
}

pub(super) fn ghost(canvas: &mut Canvas, at: Place, player: usize, letter: char) {
    outlined(canvas, at, ink::player(player), |x, y| {
        let hem = 0.36 + 0.07 * (x * 25.0).cos();
        x.abs() < 0.38 && y < hem && (y > -0.06 || x.hypot(y + 0.06) < 0.38)
    });
    for side in [-0.16, 0.16] {
        canvas.disc((at.0 + side, at.1 - 0.2), 0.1, ink::WHITE);
        canvas.disc((at.0 + side, at.1 - 0.18), 0.05, ink::FLOOR);
    }
    initial(canvas, (at.0, at.1 + 0.12), player, letter);
}

pub(super) fn object(canvas: &mut Canvas, at: Place, object: Object) {
    match object {
        Object::Vitamin => {
            canvas.disc(at, 0.1_f32.max(0.75 / f32::from(canvas.scale)), ink::VITAMIN);
        }
        // A star.
        Object::Glutton => canvas.fill(at, 0.4, ink::GLUTTON, |x, y| {
            let point = (x.atan2(-y) / TAU * 5.0).rem_euclid(1.0) * 2.0 - 1.0;
            x.hypot(y) < 0.16 + 0.24 * point.abs().powi(2)
        }),
        // A snowflake.
        Object::Freeze => canvas.fill(at, 0.4, ink::FREEZE, |x, y| {
            let arm = |angle: f32| (x * angle.cos() + y * angle.sin()).abs() < 0.05;
            x.hypot(y) < 0.38 && [0.0, TAU / 6.0, TAU / 3.0].into_iter().any(arm)
        }),
        // An arrow through a wall.
        Object::WallPass => canvas.fill(at, 0.4, ink::PASS, |x, y| {
            let shaft = y.abs() < 0.05 && x.abs() < 0.36;
            let head = x > 0.1 && y.abs() < (0.4 - x) * 0.7;
            let wall = x.abs() < 0.1 && (0.15..0.38).contains(&y.abs());
            shaft || head || wall
        }),
        Object::Cherry => {
            canvas.fill(at, 0.4, ink::STEM, |x, y| {
                (-0.36..0.1).contains(&y)
                    && ((x - 0.19).abs() < 0.04 || (x + y * 0.8 + 0.1).abs() < 0.05)
            });
            canvas.disc((at.0 - 0.18, at.1 + 0.16), 0.18, ink::CHERRY);
            canvas.disc((at.0 + 0.19, at.1 + 0.19), 0.18, ink::CHERRY);
        }
        // A spiral.
        Object::Teleporter => canvas.fill(at, 0.4, ink::TELEPORTER, |x, y| {
            let radius = x.hypot(y);
            radius < 0.38 && (radius / 0.2 - y.atan2(x) / TAU).rem_euclid(1.0) < 0.5
        }),
    }
}

pub(super) fn cheese(canvas: &mut Canvas, at: Place) {
    canvas.fill(at, 0.4, ink::CHEESE, |x, y| {
        x.abs() < 0.34 && y < 0.26 && y > 0.02 - (x + 0.34) * 0.4
    });
    canvas.fill(at, 0.4, ink::CHEESE_EDGE, |x, y| x.abs() < 0.34 && (y - 0.03).abs() < 0.03);
    canvas.disc((at.0 - 0.13, at.1 + 0.16), 0.05, ink::CHEESE_EDGE);
    canvas.disc((at.0 + 0.13, at.1 + 0.15), 0.06, ink::CHEESE_EDGE);
}
