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
        for &cheese in self.state.cheese() {
            let (x, y) = canvas.middle(self.state.maze().dims().pos(cheese));
            canvas.put(x, y, (CHEESE, self.theme.cheese()));
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

    /// The turns that mud takes, in the middle of the border.
    fn draw_mud(&self, canvas: &mut Canvas<'_>) {
        let lattice = self.lattice();
        for (pos, in_row, in_col) in canvas.places() {
            let ((left, top), (x, y)) = (canvas.corner(pos), canvas.middle(pos));
            if let (Border::Mud(turns), true) = (lattice.left_of(pos), in_row) {
                let room = if canvas.height() > 2 { 3 } else { 1 };
                canvas.write(left, y, &number(turns, room), self.theme.mud());
            }
            if let (Border::Mud(turns), true) = (lattice.above(pos), in_col && !canvas.is_small()) {
                canvas.write(x, top, &number(turns, 3), self.theme.mud());
            }
        }
    }

    /// In the small size, the walls and the mud between one row and the next.
    fn draw_floors(&self, canvas: &mut Canvas<'_>) {
        let (lattice, wall) = (self.lattice(), self.theme.wall());
        for (pos, _, in_col) in canvas.places() {
            let (x, y) = canvas.corner(pos);
            let left = pos.col.checked_sub(1).map(|col| lattice.above(Pos { col, ..pos }));
            match (lattice.above(pos), left) {
                (Border::Wall, _) if !in_col => {}
                (Border::Wall, left) => {
                    let start = if left == Some(Border::Wall) { x } else { x + 1 };
                    (start..x + 3).for_each(|x| canvas.underline(x, y, wall));
                }
                (Border::Mud(turns), _) if in_col => {
                    let digits = ['₂', '₃', '₄', '₅', '₆', '₇', '₈', '₉'];
                    let digit = digits.get(usize::from(turns) - 2).unwrap_or(&'₊');
                    canvas.draw(x + 2, y, (*digit, self.theme.mud()));
                }
                _ => {}
            }
        }
    }

    /// The rats by place, the followed one first.
    fn draw_rats(&self, canvas: &mut Canvas<'_>) {
        let rats = Colour::first(self.state.rats().len()).zip(self.state.rats());
        let mut rats: Vec<_> = rats.collect();
        rats.sort_by_key(|(colour, rat)| (rat.cell, Some(*colour) != self.followed));
        for there in rats.chunk_by(|(_, a), (_, b)| a.cell == b.cell) {
            let sprite = match (there, canvas.is_small()) {
                (&[rat], false) => self.alone(rat).to_vec(),
                (&[(colour, Rat { mud: Some(mud), .. })], true) => {
                    let (letter, style) = self.letter(colour);
                    vec![(letter, style), (digit(mud.left), style)]
                }
                _ => self.together(there, canvas.width() as usize - 1),
            };
            let (x, y) = canvas.middle(self.state.maze().dims().pos(there[0].1.cell));
            let start = if canvas.is_small() { x } else { x - sprite.len() as i32 / 2 };
            (start..).zip(sprite).for_each(|(x, sign)| canvas.put(x, y, sign));
        }
    }

    /// A rat; in the mud between the turns that it stays there and an arrow.
    fn alone(&self, (colour, rat): (Colour, &Rat)) -> [Sign; 3] {
        let (letter, style) = self.letter(colour);
        let signs = match rat.mud {
            None => [' ', letter, ' '],
            Some(mud) => match self.state.maze().direction(rat.cell, mud.target) {
                Some(Direction::West) => ['←', letter, digit(mud.left)],
                Some(Direction::East) => [digit(mud.left), letter, '→'],
                Some(Direction::North) => [digit(mud.left), letter, '↑'],
                Some(Direction::South) => [digit(mud.left), letter, '↓'],
                None => [digit(mud.left), letter, ' '],
            },
        };
        signs.map(|sign| (sign, style))
    }

    /// Several rats side by side, and a `+` for those that do not fit.
    fn together(&self, rats: &[(Colour, &Rat)], room: usize) -> Vec<Sign> {
        let mut signs: Vec<_> = rats.iter().map(|&(colour, _)| self.letter(colour)).collect();
        if signs.len() > room {
            signs.truncate(room - 1);
            signs.push(('+', STRONG));
        }
        signs
    }

    fn letter(&self, colour: Colour) -> Sign {
        let style = self.theme.token(colour);
        match self.followed == Some(colour) {
            true => (colour.letter(), style.add_modifier(Modifier::UNDERLINED)),
            false => (colour.letter(), style),
        }
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

/// A number of turns in one column.
fn digit(turns: u16) -> char {
    char::from_digit(turns.into(), 10).unwrap_or('+')
}

/// A number of turns, if there is room for it.
fn number(turns: u16, room: usize) -> String {
    let text = turns.to_string();
    if text.len() > room { "+".to_owned() } else { text }
}
