//! PyRat in the viewer.

mod canvas;
mod happening;
mod lattice;
mod maze_panel;
mod words;

use game::colour::Colour;
use game::pyrat::{Rat, State};
use graph::{Dims, Pos};
use language::{Language, said, word};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::viewer::camera::{Camera, Scale};
use crate::viewer::scene_view::{SceneView, Told};
use crate::viewer::{BoardSize, Model, Scene, Theme};
use happening::Happening;
use maze_panel::MazePanel;
use words::Words;

/// A state of PyRat, and what has happened since the one before it.
#[derive(Clone, Debug)]
pub struct PyRatScene {
    state: State,
    happenings: Vec<Happening>,
}

/// Character of a piece of cheese.
const CHEESE: char = '◆';
/// Character of mud where there is no room for its number of turns.
const MUD: char = '≈';
/// Length of the drawn path of a rat, in states.
const PATH: usize = 1000;
/// The length of a chart is a multiple of this number of turns, so that it does not change all the time.
const CHART: u32 = 50;

impl PyRatScene {
    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn shares_board(&self, last: &Self) -> bool {
        self.state.maze() == last.state.maze()
    }

    /// Finds out what has happened since the last state of the game.
    pub(super) fn compare(&mut self, last: &Self) {
        self.happenings = Happening::between(&last.state, &self.state);
    }

    fn rat(&self, colour: Colour) -> Option<&Rat> {
        self.state.rats().get(colour.index())
    }
}

impl From<State> for PyRatScene {
    fn from(state: State) -> Self {
        Self { state, happenings: Vec::new() }
    }
}

impl SceneView for PyRatScene {
    fn title(&self) -> &'static str {
        "PyRat"
    }

    fn subcommand(&self) -> &'static str {
        " pyrat"
    }

    fn step(&self) -> &'static str {
        word("a turn", "un tour")
    }

    fn elapsed(&self) -> u32 {
        self.state.turn()
    }

    fn total(&self) -> Option<u32> {
        self.state.most_turns()
    }

    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn players(&self) -> usize {
        self.state.rats().len()
    }

    fn ranking(&self) -> Vec<(usize, Colour)> {
        let rats = self.state.rats();
        let rank = |rat: &Rat| rats.iter().filter(|other| other.score > rat.score).count() + 1;
        let mut ranking: Vec<_> = rats.iter().map(rank).zip(Colour::first(rats.len())).collect();
        ranking.sort_unstable();
        ranking
    }

    fn bytes(&self) -> usize {
        size_of_val(self.state.rats())
            + size_of_val(self.state.cheese())
            + self.happenings.capacity() * size_of::<Happening>()
    }

    fn dims(&self) -> Dims {
        self.state.maze().dims()
    }

    fn place(&self, colour: Colour) -> Option<Pos> {
        Some(self.dims().pos(self.rat(colour)?.cell))
    }

    fn scale(&self, size: BoardSize) -> Scale {
        let (cell, frame) = match size {
            BoardSize::Small => ((3, 1), (1, 2)),
            BoardSize::Medium => ((4, 2), (1, 1)),
            BoardSize::Large => ((8, 4), (1, 1)),
        };
        Scale { size, cell, frame }
    }

    fn draw_board(&self, model: &Model, camera: Camera, theme: Theme, area: Rect, to: &mut Buffer) {
        let game = model.shown().map(|shown| shown.game);
        let path = model.past().take_while(|moment| Some(moment.game) == game).take(PATH);
        let path = path.filter_map(|moment| match &moment.scene {
            Scene::PyRat(scene) => Some(&scene.state),
            Scene::Pacman(_) => None,
        });
        let (state, followed) = (&self.state, model.followed());
        let (path, thoughts) = (path.collect(), model.thoughts(state.maze().dims()));
        MazePanel { state, path, thoughts, camera, followed, theme }.render(area, to);
    }

    fn scores_title(&self) -> String {
        said!("cheese, {} left", "fromages, reste {}", self.state.cheese().len())
    }

    fn score(&self, colour: Colour) -> String {
        let score = |rat: &Rat| Language::chosen().number(rat.score.as_f64(), 2);
        self.rat(colour).map_or(String::new(), score)
    }

    fn conditions(&self, theme: Theme) -> Vec<(char, Style)> {
        vec![(MUD, theme.mud())]
    }

    fn turns_left(&self, colour: Colour) -> Vec<u32> {
        let mud = self.rat(colour).and_then(|rat| rat.mud);
        vec![mud.map_or(0, |mud| mud.left.into())]
    }

    fn mistakes(&self, colour: Colour) -> i64 {
        self.rat(colour).map_or(0, |rat| rat.counts.missed.into())
    }

    fn unit(&self) -> (&'static str, f64) {
        (word("cheese", "fromages"), 1.0)
    }

    fn height(&self, colour: Colour) -> f64 {
        self.rat(colour).map_or(0.0, |rat| rat.score.as_f64())
    }

    fn span(&self, played: u32) -> u32 {
        let span = played.max(1).checked_next_multiple_of(CHART).unwrap_or(u32::MAX);
        span.min(self.total().unwrap_or(u32::MAX))
    }

    fn tell(&self, theme: Theme, wordy: bool) -> Vec<Told> {
        Words { theme, wordy }.tell(&self.happenings).into_iter().map(Told::from).collect()
    }

    fn signs(&self, theme: Theme) -> Vec<Line<'static>> {
        let sign = |sign: &'static str, style, what: &'static str| {
            [Span::styled(format!("{sign:<4}"), style), Span::raw(format!("{what:<27}"))]
        };
        let (wall, mud) = (theme.wall(), theme.mud());
        let mut rows = vec![
            [
                sign("│ ─", wall, word("wall", "mur")),
                sign("░", theme.hole(), word("hole, where no cell is", "trou, sans case")),
            ],
            [
                sign("┆4", mud, word("mud that takes 4 turns", "boue qui prend 4 tours")),
                sign("◆", theme.cheese(), word("cheese", "fromage")),
            ],
        ];
        for a in Colour::first(1) {
            let [late, early] = [0, u32::MAX].map(|ago| theme.path(a, ago));
            rows.push([
                sign("A", theme.token(a), word("rat", "rat")),
                sign("3", theme.token(a), word("in mud for 3 more turns", "boue, encore 3 tours")),
            ]);
            rows.push([
                sign("•", late.1, word("where it has just been", "où il vient de passer")),
                sign("·", early.1, word("where it was before", "où il était avant")),
            ]);
        }
        rows.into_iter().map(|row| Line::from(row.concat())).collect()
    }
}
