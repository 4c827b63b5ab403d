//! Pacman in the viewer.

mod board_panel;
mod happening;
mod outline;
mod words;

use std::sync::Arc;

use game::colour::Colour;
use game::pacman::{Object, Player, Powers, View};
use graph::{Dims, Pos};
use language::{said, word};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::camera::{Camera, Scale};
use crate::viewer::scene_view::{SceneView, Told};
use crate::viewer::theme::{name, sign};
use crate::viewer::{BoardSize, Model, Theme};
use board_panel::BoardPanel;
use words::Words;

pub use happening::Happening;

/// A state of Pacman, and what has happened since the one before it.
#[derive(Clone, Debug)]
pub struct PacmanScene {
    view: View,
    happenings: Vec<Happening>,
}

/// The objects that give the powers, in the order in which they are shown, and the turns left of each.
fn turns_left(powers: Powers) -> [(Object, u32); 3] {
    [
        (Object::Glutton, powers.glutton),
        (Object::Freeze, powers.freeze),
        (Object::WallPass, powers.wall_pass),
    ]
}

impl PacmanScene {
    /// The state.
    pub fn view(&self) -> &View {
        &self.view
    }

    pub(super) fn shares_board(&self, last: &Self) -> bool {
        let (board, last) = (self.view.board(), last.view.board());
        Arc::ptr_eq(last, board) || last == board
    }

    /// Finds out what has happened since the last state of the game.
    pub(super) fn compare(&mut self, last: &Self) {
        self.happenings = Happening::between(&last.view, &self.view);
    }

    fn player(&self, colour: Colour) -> Player {
        self.view.player(colour).copied().unwrap_or_default()
    }
}

impl From<View> for PacmanScene {
    fn from(view: View) -> Self {
        Self { view, happenings: Vec::new() }
    }
}

impl SceneView for PacmanScene {
    fn title(&self) -> &'static str {
        "Pacman IUT'O"
    }

    fn subcommand(&self) -> &'static str {
        ""
    }

    fn step(&self) -> &'static str {
        word("a move of a piece", "un mouvement")
    }

    fn elapsed(&self) -> u32 {
        self.view.elapsed()
    }

    fn total(&self) -> Option<u32> {
        Some(self.view.total())
    }

    fn is_over(&self) -> bool {
        self.view.is_over()
    }

    fn players(&self) -> usize {
        self.view.players().len()
    }

    fn ranking(&self) -> Vec<(usize, Colour)> {
        self.view.ranking().into_iter().map(|(rank, colour, _)| (rank, colour)).collect()
    }

    fn bytes(&self) -> usize {
        self.dims().len() * size_of::<Option<Object>>()
            + size_of_val(self.view.players())
            + self.happenings.capacity() * size_of::<Happening>()
    }

    fn dims(&self) -> Dims {
        self.view.board().dims()
    }

    fn place(&self, colour: Colour) -> Option<Pos> {
        Some(self.dims().pos(self.view.player(colour)?.pacman))
    }

    fn scale(&self, size: BoardSize) -> Scale {
        let cell = match size {
            BoardSize::Small => (1, 1),
            BoardSize::Medium => (2, 1),
            BoardSize::Large => (4, 2),
        };
        Scale { size, cell, frame: (0, 0) }
    }

    fn draw_board(&self, model: &Model, camera: Camera, theme: Theme, area: Rect, to: &mut Buffer) {
        let (view, rules, followed) = (&self.view, model.rules(), model.followed());
        let thoughts = model.thoughts(view.board().dims());
        BoardPanel { view, rules, thoughts, camera, followed, theme }.render(area, to);
    }

    fn scores_title(&self) -> String {
        "scores".to_owned()
    }

    fn score(&self, colour: Colour) -> String {
        self.player(colour).points.to_string()
    }

    fn conditions(&self, theme: Theme) -> Vec<(char, Style)> {
        turns_left(Powers::default()).map(|(power, _)| (sign(power), theme.object(power))).to_vec()
    }

    fn turns_left(&self, colour: Colour) -> Vec<u32> {
        turns_left(self.player(colour).powers).map(|(_, left)| left).to_vec()
    }

    fn mistakes(&self, colour: Colour) -> i64 {
        self.player(colour).false_moves.into()
    }

    fn unit(&self) -> (&'static str, f64) {
        ("points", 10.0)
    }

    fn height(&self, colour: Colour) -> f64 {
        f64::from(self.player(colour).points)
    }

    fn span(&self, _: u32) -> u32 {
        self.view.total()
    }

    fn tell(&self, theme: Theme, wordy: bool) -> Vec<Told> {
        Words { theme, wordy }.tell(&self.happenings)
    }

    fn signs(&self, theme: Theme) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for pair in Object::ALL.chunks(2) {
            let mut spans = Vec::new();
            for &object in pair {
                spans.push(Span::styled(format!("{}  ", sign(object)), theme.object(object)));
                let duration = match object.duration() {
                    0 => String::new(),
                    turns => said!(", {turns} turns", ", {turns} tours"),
                };
                let what = format!("{} +{}{duration}", name(object), object.points());
                spans.push(Span::raw(format!("{what:<28}")));
            }
            lines.push(Line::from(spans));
        }
        lines.push(Line::default());
        for a in Colour::first(1) {
            lines.push(Line::from(vec![
                Span::styled("A ", theme.token(a)),
                Span::raw(" pacman  "),
                Span::styled("A$", theme.token(a)),
                Span::raw(word(" with a power  ", " avec pouvoir  ")),
                Span::styled("a ", theme.ghost(a)),
                Span::raw(word(" ghost  ", " fantôme  ")),
                Span::styled("a*", theme.frozen(a)),
                Span::raw(word(" frozen", " immobilisé")),
            ]));
        }
        lines
    }
}
