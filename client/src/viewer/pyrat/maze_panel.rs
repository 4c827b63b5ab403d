//! The maze as it is drawn.

use game::colour::Colour;
use game::pyrat::{Direction, Rat, State};
use graph::Pos;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use super::CHEESE;
use super::canvas::Canvas;
use super::lattice::{Border, Lattice};
use crate::viewer::Theme;
use crate::viewer::camera::Camera;
use crate::viewer::theme::{STRONG, Sign};

/// Draws what the camera sees.
///
/// Walls are lines between the places. In the small size a wall below a place is an underscore, or
/// underlines what stands there, and mud below it is a small number at its right.
pub(super) struct MazePanel<'a> {
    pub(super) state: &'a State,
    /// This state and those before it whose rats have left the paths, newest first.
    pub(super) path: Vec<&'a State>,
    /// The places that players have in mind.
    pub(super) thoughts: Vec<(Colour, Pos)>,
    pub(super) camera: Camera,
    pub(super) followed: Option<Colour>,
    pub(super) theme: Theme,
}

impl Widget for MazePanel<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let mut canvas = Canvas { camera: self.camera, area, buffer };
        self.draw_ground(&mut canvas);
        self.draw_paths(&mut canvas);
        self.draw_mud(&mut canvas);
        for (colour, pos) in &self.thoughts {
            if canvas.sees(*pos) {
                let (x, y) = canvas.middle(*pos);
                canvas.put(x, y, self.theme.path(*colour, 0));
            }
        }
        let cheese = self.state.cheese().iter().map(|&cell| self.state.maze().dims().pos(cell));
        for pos in cheese {
            if canvas.sees(pos) {
                let (x, y) = canvas.middle(pos);
                canvas.draw(x, y, (CHEESE, self.theme.cheese()));
            }
        }
        self.draw_rats(&mut canvas);
        if canvas.is_small() {
            self.draw_floors(&mut canvas);
        }
    }
}

impl MazePanel<'_> {
    /// Holes and borders.
    fn draw_ground(&self, canvas: &mut Canvas<'_>) {
        let lattice = self.lattice();
        let bottom = self.state.maze().dims().rows();
        for (pos, in_row, in_col) in canvas.places() {
            let (x, y) = canvas.corner(pos);
            let (xs, ys) = canvas.inside(pos);
            if !canvas.is_small() || pos.row == 0 || pos.row == bottom {
                // The edge at the bottom has a row of its own.
                let y = y + i32::from(canvas.is_small() && pos.row == bottom);
                let (junction, border) = (lattice.junction(pos), lattice.above(pos));
                let style = if junction == '░' { self.theme.hole() } else { self.theme.wall() };
                canvas.draw(x, y, (junction, style));
                let sign = (border.across(), self.style(border));
                xs.clone().filter(|_| in_col).for_each(|x| canvas.draw(x, y, sign));
            }
            if in_row {
                let border = lattice.left_of(pos);
                let sign = (border.along(), self.style(border));
                ys.clone().for_each(|y| canvas.draw(x, y, sign));
            }
            if in_row && in_col && self.is_hole(pos) {
                let sign = ('░', self.theme.hole());
                ys.for_each(|y| xs.clone().for_each(|x| canvas.draw(x, y, sign)));
            }
        }
    }

    /// A dot on every place where a rat has been, and dots on its ways; the latest come last.
    fn draw_paths(&self, canvas: &mut Canvas<'_>) {
        let maze = self.state.maze();
        let leads = |from, direction, to| {
            maze.is_open(from, direction) && maze.neighbour(from, direction) == to
        };
        for states in self.path.windows(2).rev() {
            let [to, from] = states else { continue };
            let ago = self.state.turn().saturating_sub(to.turn());
            let rats = from.rats().iter().zip(to.rats());
            for (colour, (from, to)) in Colour::first(to.rats().len()).zip(rats) {
                if self.followed.is_some_and(|followed| followed != colour) {
                    continue;
                }
                let sign = self.theme.path(colour, ago);
                let (first, second) = (from.cell.min(to.cell), from.cell.max(to.cell));
                let (x, y) = canvas.middle(maze.dims().pos(second));
                canvas.put(x, y, sign);
                let (x, y) = canvas.middle(maze.dims().pos(first));
                canvas.put(x, y, sign);
                if leads(first, Direction::East, second) {
                    (2..canvas.width()).step_by(2).for_each(|dx| canvas.put(x + dx, y, sign));
                } else if leads(first, Direction::South, second) {
                    (1..canvas.height()).for_each(|dy| canvas.put(x, y + dy, sign));
                }
            }
        }
    }

    /// The turns that mud takes.
    fn draw_mud(&self, canvas: &mut Canvas<'_>) {
        let (lattice, style) = (self.lattice(), self.theme.mud());
        for (pos, in_row, in_col) in canvas.places() {
            if let (Border::Mud(turns), true) = (lattice.left_of(pos), in_row) {
                canvas.write_left_of(pos, turns, style);
            }
            if let (Border::Mud(turns), true) = (lattice.above(pos), in_col) {
                canvas.write_above(pos, turns, style);
            }
        }
    }

    /// The rats by place, the followed one first; in the mud, the turns left instead of those that it
    /// takes.
    fn draw_rats(&self, canvas: &mut Canvas<'_>) {
        let maze = self.state.maze();
        let pos = |rat: &Rat| maze.dims().pos(rat.cell);
        let mut rats: Vec<_> = Colour::first(self.state.rats().len())
            .zip(self.state.rats())
            .filter(|(_, rat)| canvas.sees(pos(rat)))
            .collect();
        rats.sort_by_key(|(colour, rat)| (rat.cell, Some(*colour) != self.followed));
        for there in rats.chunk_by(|(_, a), (_, b)| a.cell == b.cell) {
            let (x, y) = canvas.middle(pos(there[0].1));
            canvas.write(x, y, self.sprite(there).into_iter());
        }
        for (colour, rat) in rats.into_iter().rev() {
            let Some(mud) = rat.mud else { continue };
            let style = self.theme.token(colour);
            let target = maze.dims().pos(mud.target);
            match maze.direction(rat.cell, mud.target) {
                Some(Direction::North) => canvas.write_above(pos(rat), mud.left, style),
                Some(Direction::South) => canvas.write_above(target, mud.left, style),
                Some(Direction::West) => canvas.write_left_of(pos(rat), mud.left, style),
                Some(Direction::East) => canvas.write_left_of(target, mud.left, style),
                None => {}
            }
        }
    }

    /// In the small size, the walls between one row and the next.
    fn draw_floors(&self, canvas: &mut Canvas<'_>) {
        let lattice = self.lattice();
        for (pos, _, in_col) in canvas.places() {
            let (x, y) = canvas.corner(pos);
            let left = pos.col.checked_sub(1).map(|col| lattice.above(Pos { col, ..pos }));
            if lattice.above(pos) == Border::Wall && in_col {
                let start = if left == Some(Border::Wall) { x } else { x + 1 };
                (start..x + 3).for_each(|x| canvas.underline(x, y, self.theme.wall()));
            }
        }
    }

    /// The rats of a place side by side, and a `+` for those that do not fit.
    fn sprite(&self, rats: &[(Colour, &Rat)]) -> Vec<Sign> {
        let letter = |&(colour, _): &(Colour, _)| {
            let style = self.theme.token(colour);
            if self.followed == Some(colour) {
                (colour.letter(), style.add_modifier(Modifier::UNDERLINED))
            } else {
                (colour.letter(), style)
            }
        };
        let room = usize::from(self.camera.scale.cell.0) - 1;
        let mut sprite: Vec<_> = rats.iter().map(letter).collect();
        if let (&[(_, style)], 3..) = (&sprite[..], room) {
            sprite.insert(0, (' ', style));
            sprite.push((' ', style));
        }
        if sprite.len() > room {
            sprite.truncate(room - 1);
            sprite.push(('+', STRONG));
        }
        sprite
    }

    fn style(&self, border: Border) -> Style {
        match border {
            Border::Mud(_) => self.theme.mud(),
            Border::Holes => self.theme.hole(),
            _ => self.theme.wall(),
        }
    }

    fn is_hole(&self, pos: Pos) -> bool {
        let maze = self.state.maze();
        maze.dims().cell(pos).is_some_and(|cell| maze.is_wall(cell))
    }

    fn lattice(&self) -> Lattice<'_> {
        Lattice(self.state.maze())
    }
}
