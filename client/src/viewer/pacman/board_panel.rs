//! The board as it is drawn.

use arrayvec::ArrayVec;
use game::pacman::{Cell, Colour, Direction, Piece, PieceKind, Pos, Rules, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::widgets::Widget;

use super::outline::Outline;
use super::turns_left;
use crate::viewer::camera::Camera;
use crate::viewer::panel::put;
use crate::viewer::theme::{STRONG, Sign, sign};
use crate::viewer::{BoardSize, Theme};

/// Draws what the camera sees.
pub(super) struct BoardPanel<'a> {
    pub(super) view: &'a View,
    pub(super) rules: &'a Rules,
    /// The cells that players have in mind.
    pub(super) thoughts: Vec<(Colour, Pos)>,
    pub(super) camera: Camera,
    pub(super) followed: Option<Colour>,
    pub(super) theme: Theme,
}

impl Widget for BoardPanel<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let Camera { from, rows, cols, .. } = self.camera;
        let (width, height) = self.camera.scale.cell;
        let board = self.view.board();
        for row in 0..rows {
            for col in 0..cols {
                let pos = Pos { row: from.row + row, col: from.col + col };
                let Some(cell) = board.dims().cell(pos) else { continue };
                let place =
                    Rect { x: area.x + col * width, y: area.y + row * height, width, height };
                if board.is_wall(cell) {
                    self.draw_wall(cell, place, buffer);
                } else {
                    self.draw_object(cell, place, buffer);
                }
            }
        }
        let place = |pos: Pos| {
            let seen = |at: u16, from: u16, len| at.checked_sub(from).filter(|&at| at < len);
            let (row, col) = seen(pos.row, from.row, rows).zip(seen(pos.col, from.col, cols))?;
            Some((area.x + col * width, area.y + row * height))
        };
        for (colour, pos) in &self.thoughts {
            let cell = board.dims().cell(*pos);
            let is_free = cell.is_some_and(|cell| self.view.objects().get(cell).is_none());
            if let Some((x, y)) = place(*pos).filter(|_| is_free) {
                put(buffer, x + self.middle(), y, self.theme.path(*colour, 0));
            }
        }
        for (cell, pieces) in self.pieces() {
            if let Some((x, y)) = place(board.dims().pos(cell)) {
                for (dx, (letter, style)) in (0..).zip(self.sprite(&pieces)) {
                    put(buffer, x + dx, y, (letter, style));
                }
            }
        }
    }
}

impl BoardPanel<'_> {
    /// The column of a cell in which its lines cross.
    fn middle(&self) -> u16 {
        match self.camera.scale.size {
            BoardSize::Small | BoardSize::Medium => 0,
            BoardSize::Large => 1,
        }
    }

    fn draw_wall(&self, cell: Cell, place: Rect, buffer: &mut Buffer) {
        let board = self.view.board();
        let outline = Outline::of(board, cell);
        let style = self.theme.wall();
        let middle = place.x + self.middle();
        put(buffer, middle, place.y, (outline.sign(board, cell), style));
        if outline.leads(Direction::West) {
            (place.x..middle).for_each(|x| put(buffer, x, place.y, ('─', style)));
        }
        if outline.leads(Direction::East) {
            (middle + 1..place.right()).for_each(|x| put(buffer, x, place.y, ('─', style)));
        }
        if outline.leads(Direction::South) {
            (place.y + 1..place.bottom()).for_each(|y| put(buffer, middle, y, ('│', style)));
        }
    }

    fn draw_object(&self, cell: Cell, place: Rect, buffer: &mut Buffer) {
        if let Some(object) = self.view.objects().get(cell) {
            let sign = (sign(object), self.theme.object(object));
            put(buffer, place.x + self.middle(), place.y, sign);
        }
    }

    /// The pieces by cell: the followed player's first, then pacmans, then ghosts.
    fn pieces(&self) -> Vec<(Cell, ArrayVec<Piece, { 2 * Colour::MAX }>)> {
        let colours = || Colour::first(self.view.players().len());
        let mut all: Vec<_> =
            colours().map(Piece::pacman).chain(colours().map(Piece::ghost)).collect();
        all.sort_by_key(|piece| Some(piece.colour) != self.followed);
        let mut cells: Vec<(Cell, ArrayVec<_, _>)> = Vec::new();
        for piece in all {
            let Some(player) = self.view.player(piece.colour) else { continue };
            let cell = match piece.kind {
                PieceKind::Pacman => player.pacman,
                PieceKind::Ghost => player.ghost,
            };
            match cells.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, pieces)) => pieces.push(piece),
                None => cells.push((cell, ArrayVec::from_iter([piece]))),
            }
        }
        cells
    }

    /// The pieces of a cell, as wide as there is room: one with the mark of its state, or several
    /// side by side, and a `+` for those that do not fit.
    fn sprite(&self, pieces: &[Piece]) -> ArrayVec<Sign, 3> {
        let room = usize::from(self.camera.scale.cell.0).min(3);
        let letters = pieces.iter().map(|&piece| self.letter(piece));
        let mut sprite: ArrayVec<_, 3> = letters.take(room).collect();
        match (self.camera.scale.size, pieces) {
            (BoardSize::Small, [_, _, ..]) => {
                sprite[0].1 = sprite[0].1.add_modifier(Modifier::UNDERLINED);
            }
            (BoardSize::Medium, &[piece]) => sprite.push((self.marks(piece)[0], sprite[0].1)),
            (BoardSize::Large, &[piece]) => {
                let (style, [right, left]) = (sprite[0].1, self.marks(piece));
                sprite.insert(0, (left, style));
                sprite.push((right, style));
            }
            _ if pieces.len() > room => sprite[room - 1] = ('+', STRONG),
            _ => {}
        }
        sprite
    }

    fn letter(&self, piece: Piece) -> Sign {
        let letter = piece.colour.letter();
        let style = match piece.kind {
            PieceKind::Pacman => self.theme.token(piece.colour),
            PieceKind::Ghost if self.is_frozen(piece.colour) => self.theme.frozen(piece.colour),
            PieceKind::Ghost => self.theme.ghost(piece.colour),
        };
        let letter = match piece.kind {
            PieceKind::Pacman => letter,
            PieceKind::Ghost => letter.to_ascii_lowercase(),
        };
        if self.followed == Some(piece.colour) {
            (letter, style.add_modifier(Modifier::UNDERLINED))
        } else {
            (letter, style)
        }
    }

    /// The signs of a pacman's powers, the two that matter most, or that of a frozen ghost.
    fn marks(&self, piece: Piece) -> [char; 2] {
        let mut marks = [' '; 2];
        let Some(player) = self.view.player(piece.colour) else { return marks };
        match piece.kind {
            PieceKind::Pacman => {
                let held = turns_left(player.powers).into_iter().filter(|&(_, left)| left > 0);
                for (mark, (power, _)) in marks.iter_mut().zip(held) {
                    *mark = sign(power);
                }
            }
            PieceKind::Ghost if self.is_frozen(piece.colour) => marks = ['*'; 2],
            PieceKind::Ghost => {}
        }
        marks
    }

    /// Tests if a freezing pacman keeps this ghost from moving.
    fn is_frozen(&self, ghost: Colour) -> bool {
        let dims = self.view.board().dims();
        self.view.player(ghost).is_some_and(|owner| {
            self.view.players().iter().any(|player| {
                player.powers.freeze > 0
                    && dims.chebyshev(player.pacman, owner.ghost) <= self.rules.freeze_range
            })
        })
    }
}
