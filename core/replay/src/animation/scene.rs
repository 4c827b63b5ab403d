//! The picture of a state.

use std::f32::consts::TAU;

use game::pacman::View;
use game::pyrat::{self, Cell, Dims, Direction, Pos};
use language::Language;

use super::canvas::{Canvas, Place};
use super::shapes::steps;
use super::{Look, TooLarge, ink, shapes, still};
use crate::game::Replay;

/// The drawing state of a game: its static background, and the directions of the pacmans and rats.
#[derive(Debug)]
pub(super) struct Scene {
    dims: Dims,
    still: Canvas,
    /// The cells of the pacmans or rats and the directions of their last moves, by player.
    runners: Vec<(Cell, Direction)>,
    /// The top of the strip below the board, and the size of its characters, in pixels.
    strip: (u16, u16),
    /// The letter and the name of each player; names are cut to `NAME` characters.
    labels: Vec<String>,
    /// The language of the points.
    language: Language,
}

impl Scene {
    /// Minimum width of a picture, in pixels: room for the turn.
    const LEAST_WIDTH: u64 = 12 * 8;
    /// Characters for a player's points and the surrounding spaces.
    const SCORE: u16 = 8;
    /// Maximum number of characters of a name.
    const NAME: usize = 12;

    pub(super) fn new(game: &Replay, names: &[String], look: Look) -> Result<Self, TooLarge> {
        let dims = match game {
            Replay::Pacman(game) => game.state().view().board().dims(),
            Replay::PyRat(game) => game.state().maze().dims(),
        };
        let scale = look.scale.unwrap_or((780 / dims.cols()).clamp(1, 32)).max(1);
        let margin = scale.div_ceil(4);
        let pixels = |cells: u16| u64::from(cells) * u64::from(scale) + 2 * u64::from(margin);
        let width = pixels(dims.cols()).max(Self::LEAST_WIDTH);
        let size: u16 = if width < 400 { 8 } else { 16 };
        let cells = runners(game);
        let players = cells.len() as u64;
        let labels: Vec<String> = names
            .iter()
            .zip('A'..)
            .map(|(name, letter)| {
                let name: String = name.chars().take(Self::NAME).collect();
                format!("{letter} {name}")
            })
            .collect();
        let entry = entry(&labels);
        let runners = cells.into_iter().map(|cell| (cell, Direction::East)).collect();
        let per_line = width / u64::from(entry * size);
        let lines = 1 + players.div_ceil(per_line.max(1));
        let height = pixels(dims.rows()) + (lines * u64::from(size) * 5).div_ceil(4);
        let too_large = || TooLarge::Pictures { width, height, scale };
        if width * height > super::Animation::MOST_PIXELS {
            return Err(too_large());
        }
        let [Ok(right), Ok(bottom)] = [width, height].map(u16::try_from) else {
            return Err(too_large());
        };
        // The top of the strip is less than the height, which fits in 16 bits.
        let strip = (pixels(dims.rows()) as u16, size);
        let mut still = Canvas::new(right, bottom, scale, margin);
        match game {
            Replay::Pacman(game) => still::walls(&mut still, game.state().view()),
            Replay::PyRat(game) => still::maze(&mut still, game.state().maze()),
        }
        Ok(Self { dims, still, runners, strip, labels, language: look.language })
    }

    /// The sides of the pictures, in pixels.
    pub(super) fn size(&self) -> (u16, u16) {
        self.still.size()
    }

    /// Updates the cells and directions of the runners; to be called after each turn.
    pub(super) fn follow(&mut self, game: &Replay) {
        for ((before, towards), now) in self.runners.iter_mut().zip(runners(game)) {
            let went = |direction: &Direction| self.dims.neighbour(*before, *direction) == now;
            *towards = Direction::ALL.into_iter().find(went).unwrap_or(*towards);
            *before = now;
        }
    }

    /// Draws the picture of a state.
    pub(super) fn draw(&self, game: &Replay) -> Canvas {
        let mut canvas = self.still.clone();
        let total = match game {
            Replay::Pacman(game) => {
                let view = game.state().view();
                draw_pacman(&mut canvas, view, |player| self.runners[player].1);
                Some(view.total())
            }
            Replay::PyRat(game) => {
                let state = game.state();
                self.draw_pyrat(&mut canvas, state);
                state.most_turns()
            }
        };
        let (top, size) = self.strip;
        let margin = canvas.margin;
        let total = total.map_or(String::new(), |total| format!("/{total}"));
        canvas.text((margin, top), size, &format!("{}{total}", game.turn()), ink::WHITE);
        let (width, line) = (entry(&self.labels) * size, size + size / 4);
        let across = (canvas.size().0 / width).max(1);
        for (place, (_, player, text)) in (0_u16..).zip(self.ranking(game)) {
            let at = (margin + place % across * width, top + (1 + place / across) * line);
            canvas.text(at, size, &text, ink::player(player));
        }
        canvas
    }

    /// Draws the podium on the picture of a state: the first three players with their ranks.
    pub(super) fn draw_podium(&self, canvas: &mut Canvas, game: &Replay) {
        let first = self.ranking(game).into_iter().take(3);
        let lines: Vec<_> = first
            .map(|(rank, player, text)| (format!("{rank}. {text}"), ink::player(player)))
            .collect();
        canvas.board(self.strip.0, &lines);
    }

    /// The players, best first and of equal ones the first, each with its rank, and its letter, name and points.
    pub(super) fn ranking(&self, game: &Replay) -> Vec<(usize, usize, String)> {
        let points = game.points();
        let rank =
            |player: usize| 1 + points.iter().filter(|&&other| other > points[player]).count();
        let mut ranking: Vec<_> = (0..points.len())
            .map(|player| {
                // The font has no narrow space.
                let shown = self.language.number(points[player], 2).replace('\u{202f}', " ");
                (rank(player), player, format!("{} {shown}", self.labels[player]))
            })
            .collect();
        ranking.sort_by_key(|&(rank, player, _)| (rank, player));
        ranking
    }

    fn draw_pyrat(&self, canvas: &mut Canvas, state: &pyrat::State) {
        for &cell in state.cheese() {
            shapes::cheese(canvas, middle(self.dims, cell));
        }
        let cells: Vec<Cell> = state.rats().iter().map(|rat| rat.cell).collect();
        for (player, (rat, letter)) in state.rats().iter().zip('A'..).enumerate() {
            let towards = self.runners[player].1;
            let (x, y) = steps(towards);
            let mut at = beside(middle(self.dims, rat.cell), player, &cells);
            if rat.mud.is_some() {
                at = (at.0 + x / 2.0, at.1 + y / 2.0);
            }
            shapes::rat(canvas, at, player, letter, towards);
        }
    }
}

/// Draws the objects and the pieces of a state; `heading` is the direction in which the pacman of a player looks.
pub(super) fn draw_pacman(canvas: &mut Canvas, view: &View, heading: impl Fn(usize) -> Direction) {
    let dims = view.board().dims();
    for (cell, object) in view.objects().iter() {
        shapes::object(canvas, middle(dims, cell), object);
    }
    let players = view.players();
    let cells: Vec<Cell> = players.iter().flat_map(|p| [p.ghost, p.pacman]).collect();
    let place = |piece: usize| beside(middle(dims, cells[piece]), piece, &cells);
    for (player, letter) in (0..players.len()).zip('a'..) {
        shapes::ghost(canvas, place(2 * player), player, letter);
    }
    for (player, (state, letter)) in players.iter().zip('A'..).enumerate() {
        let at = place(2 * player + 1);
        let Pos { row, col } = dims.pos(state.pacman);
        // The mouth opens and closes as the pacman moves.
        let mouth = if (row + col) % 2 == 0 { 0.8 } else { 0.3 };
        shapes::pacman(canvas, at, player, letter, heading(player), mouth);
        let powers = state.powers;
        let inks = [
            (powers.glutton, ink::GLUTTON),
            (powers.freeze, ink::FREEZE),
            (powers.wall_pass, ink::PASS),
        ];
        let mut radius = 0.52;
        for (_, ink) in inks.into_iter().filter(|(left, _)| *left > 0) {
            canvas.fill(at, radius + 0.06, ink, |x, y| (x.hypot(y) - radius).abs() < 0.05);
            radius += 0.12;
        }
    }
}

/// Characters of the longest label with its points.
fn entry(labels: &[String]) -> u16 {
    let longest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    Scene::SCORE + u16::try_from(longest).unwrap_or(0)
}

/// The cells of the pacmans or rats; for a rat in the mud, its target.
fn runners(game: &Replay) -> Vec<Cell> {
    match game {
        Replay::Pacman(game) => game.state().view().players().iter().map(|p| p.pacman).collect(),
        Replay::PyRat(game) => {
            let rats = game.state().rats().iter();
            rats.map(|rat| rat.mud.map_or(rat.cell, |mud| mud.target)).collect()
        }
    }
}

pub(super) fn middle(dims: Dims, cell: Cell) -> Place {
    let Pos { row, col } = dims.pos(cell);
    (f32::from(col) + 0.5, f32::from(row) + 0.5)
}

/// The place of a piece: pieces on the same cell are spread on a circle, so that all are visible.
fn beside((x, y): Place, piece: usize, cells: &[Cell]) -> Place {
    let there = |until: usize| cells[..until].iter().filter(|cell| **cell == cells[piece]).count();
    // There are at most 52 pieces.
    let [all, before] = [there(cells.len()), there(piece)].map(|count| f32::from(count as u8));
    let (sin, cos) = (before / all * TAU).sin_cos();
    let far = if all > 1.0 { 0.24 } else { 0.0 };
    (x - far * cos, y - far * sin)
}
